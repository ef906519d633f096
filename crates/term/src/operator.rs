//! The operators, and the table of what is to be known of each.
//!
//! A new operator is a variant of [`Operator`], an [`Entry`] in the file of its
//! family under `operators/`, and a constructor under `construct/`. Everything
//! that treats operators alike (translation, evaluation, SMT-LIB, text for
//! people) goes by the entry.

use serde::{Deserialize, Serialize};

use crate::arena::Terms;
use crate::evaluate::DivisionByZero;
use crate::operators::{arithmetic, boolean};
use crate::term::TermId;
use crate::value::{Sort, Value};

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
}

/// What is to be known of an operator. The functions get the operator itself,
/// because some have parameters.
pub struct Entry {
    /// How many operands it has.
    pub arity: Arity,
    /// The sort of the result for operands of these sorts, if it has any for them.
    pub typing: fn(Operator, &[Sort]) -> Option<Sort>,
    /// The value for these values of the operands, which are well-sorted.
    pub evaluate: fn(Operator, &[&Value], &dyn DivisionByZero) -> Value,
    /// The rewriting constructor.
    pub construct: fn(&mut Terms, Operator, &[TermId]) -> TermId,
    /// The name in SMT-LIB.
    pub smtlib: &'static str,
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
    pub fn evaluate(self, operands: &[&Value], by_zero: &dyn DivisionByZero) -> Value {
        (self.entry().evaluate)(self, operands, by_zero)
    }
}
