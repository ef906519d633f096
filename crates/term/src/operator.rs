//! The operators, and the table of what is to be known of each.
//!
//! A new operator is a variant of [`Operator`], an [`Entry`] in the file of its
//! family under `operators/`, and a constructor under `construct/`. Everything
//! that treats operators alike (translation, evaluation, SMT-LIB, text for
//! people) goes by the entry.

use serde::{Deserialize, Serialize};

use crate::arena::Terms;
use crate::evaluate::Interpretation;
use crate::operators::{arithmetic, array, bit_vector, boolean, function};
use crate::term::TermId;
use crate::value::Value;
use lustral_base::Limit;
use lustral_base::sort::{ArraySort, BitVec, Sort};

/// An operator, without its operands. There is no strict order and no
/// subtraction: `a < b` is `not (b <= a)`, `a - b` is `a + -1 * b`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Operator {
    /// Negation.
    Not,
    /// Conjunction of two or more.
    And,
    /// Disjunction of two or more.
    Or,
    /// `if c then a else b`, of any sort.
    Ite,
    /// Equality of two terms of one sort; of truth values, equivalence.
    Eq,
    /// `a <= b`, of numbers.
    Le,
    /// Sum of two or more numbers.
    Add,
    /// Product of two or more numbers; a constant factor comes first.
    Mul,
    /// Euclidean quotient of integers.
    IntDiv,
    /// Euclidean remainder of integers.
    Mod,
    /// Quotient of reals.
    RealDiv,
    /// An integer as a real.
    ToReal,
    /// The largest integer not above a real.
    Floor,
    /// Complement of all bits.
    BvNot,
    /// The negative of a bit-vector. Here, too, there is no subtraction.
    BvNeg,
    /// Bitwise conjunction.
    BvAnd,
    /// Bitwise disjunction.
    BvOr,
    /// Bitwise exclusive disjunction.
    BvXor,
    /// Sum of two bit-vectors.
    BvAdd,
    /// Product of two bit-vectors.
    BvMul,
    /// Quotient of bit-vectors, towards zero.
    BvDiv,
    /// Remainder of bit-vectors, with the sign of the dividend.
    BvRem,
    /// Shift to the left.
    BvShl,
    /// Shift to the right; of signed bit-vectors, the sign comes after.
    BvShr,
    /// `a <= b`, of bit-vectors.
    BvLe,
    /// An integer as a bit-vector, modulo `2^width`.
    IntToBv(BitVec),
    /// The number of a bit-vector.
    BvToInt,
    /// A bit-vector of another width or sign with the same number, modulo `2^width`.
    BvResize(BitVec),
    /// The bits of one before those of another.
    BvConcat,
    /// Some bits, both ends included.
    BvExtract {
        /// The highest.
        high: u16,
        /// The lowest.
        low: u16,
    },
    /// An element of an array, by an index of one operand or more.
    Select,
    /// An array with another element at an index.
    Store,
    /// An array with one element everywhere.
    ConstArray(ArraySort),
    /// An array whose elements are those of one array where another is true, and else
    /// those of a third. Where the elements of the condition are arrays, so are the others,
    /// which are chosen from in the same way.
    Choose,
    /// Whether all keys that a set has are on one side of a bound, or what they have in a table.
    Within(Limit),
    /// An uninterpreted function.
    Call(Function),
}

lustral_base::id!(/// An uninterpreted function, by its number.
    FunctionId);

/// An uninterpreted function, with what its arguments do not tell of its
/// signature. One function has one signature.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Which one.
    pub id: FunctionId,
    /// The sort of its results.
    pub result: Sort,
}

/// How many operands an operator has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// So many.
    Exactly(usize),
    /// So many or more.
    AtLeast(usize),
}

impl Arity {
    /// Whether this number of operands is allowed.
    #[must_use]
    pub fn allows(self, operands: usize) -> bool {
        match self {
            Arity::Exactly(n) => operands == n,
            Arity::AtLeast(n) => operands >= n,
        }
    }
}

/// How an operator is written in Lustre. The numbers say how strongly it binds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// Before its operand.
    Prefix(&'static str, u8),
    /// Between its operands.
    Infix(&'static str, u8),
    /// As a function.
    Call(&'static str),
    /// `if … then … else …`
    Conditional,
    /// As a conversion to the type of the result.
    Cast,
    /// `a[high:low]`
    Slice,
    /// `a[i]`
    Index,
    /// `(a with [i] = e)`
    Update,
    /// As a function whose name is not known here.
    Function,
}

/// How an operator is written in SMT-LIB.
#[derive(Clone, Copy, Debug)]
pub enum Smtlib {
    /// With this name before the operands.
    Name(&'static str),
    /// By the sorts and the texts of the operands.
    Text(fn(Operator, &[Sort], &[&str]) -> String),
}

/// What is to be known of an operator. The functions get the operator itself,
/// because some have parameters.
pub struct Entry {
    /// How many operands it has.
    pub arity: Arity,
    /// The sort of the result for operands of these sorts, if it has any for them.
    pub typing: fn(Operator, &[Sort]) -> Option<Sort>,
    /// The value for these values of the operands, which are well-sorted.
    pub evaluate: fn(Operator, &[&Value], &dyn Interpretation) -> Value,
    /// The rewriting constructor.
    pub construct: fn(&mut Terms, Operator, &[TermId]) -> TermId,
    /// The text in SMT-LIB.
    pub smtlib: Smtlib,
    /// The text in Lustre.
    pub notation: Notation,
}

impl Operator {
    /// Its entry in the table.
    #[must_use]
    pub fn entry(self) -> &'static Entry {
        match self {
            Operator::Not => &boolean::NOT,
            Operator::And => &boolean::AND,
            Operator::Or => &boolean::OR,
            Operator::Ite => &boolean::ITE,
            Operator::Eq => &boolean::EQ,
            Operator::Le => &arithmetic::LE,
            Operator::Add => &arithmetic::ADD,
            Operator::Mul => &arithmetic::MUL,
            Operator::IntDiv => &arithmetic::INT_DIV,
            Operator::Mod => &arithmetic::MOD,
            Operator::RealDiv => &arithmetic::REAL_DIV,
            Operator::ToReal => &arithmetic::TO_REAL,
            Operator::Floor => &arithmetic::FLOOR,
            Operator::BvNot => &bit_vector::BV_NOT,
            Operator::BvNeg => &bit_vector::BV_NEG,
            Operator::BvAnd => &bit_vector::BV_AND,
            Operator::BvOr => &bit_vector::BV_OR,
            Operator::BvXor => &bit_vector::BV_XOR,
            Operator::BvAdd => &bit_vector::BV_ADD,
            Operator::BvMul => &bit_vector::BV_MUL,
            Operator::BvDiv => &bit_vector::BV_DIV,
            Operator::BvRem => &bit_vector::BV_REM,
            Operator::BvShl => &bit_vector::BV_SHL,
            Operator::BvShr => &bit_vector::BV_SHR,
            Operator::BvLe => &bit_vector::BV_LE,
            Operator::IntToBv(_) => &bit_vector::INT_TO_BV,
            Operator::BvToInt => &bit_vector::BV_TO_INT,
            Operator::BvResize(_) => &bit_vector::BV_RESIZE,
            Operator::BvConcat => &bit_vector::BV_CONCAT,
            Operator::BvExtract { .. } => &bit_vector::BV_EXTRACT,
            Operator::Select => &array::SELECT,
            Operator::Store => &array::STORE,
            Operator::ConstArray(_) => &array::CONST_ARRAY,
            Operator::Choose => &array::CHOOSE,
            Operator::Within(_) => &array::WITHIN,
            Operator::Call(_) => &function::CALL,
        }
    }

    /// The sort of the result for operands of these sorts; nothing if they are
    /// too few, too many, or of the wrong sorts.
    #[must_use]
    pub fn result(self, operands: &[Sort]) -> Option<Sort> {
        let entry = self.entry();
        if entry.arity.allows(operands.len()) { (entry.typing)(self, operands) } else { None }
    }

    /// The value for these values of the operands, which must be well-sorted.
    #[must_use]
    pub fn evaluate(self, operands: &[&Value], meaning: &dyn Interpretation) -> Value {
        (self.entry().evaluate)(self, operands, meaning)
    }
}
