//! The operators of expressions, and how strongly each binds.

use crate::dialect::Dialect;

/// How much prefix operators bind: more than all that stand between operands.
pub(crate) const PREFIX: u8 = 16;

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `not`
    Not,
    /// `-`
    Minus,
    /// `pre`
    Pre,
    /// `int`: round down
    Int,
    /// `real`
    Real,
    /// `!`: all bits
    BitNot,
    /// `current`: the last value of a sampled flow
    Current,
}

impl UnaryOp {
    /// How much it binds: more than every binary operator, but `not` of lustrec
    /// less than comparisons.
    #[must_use]
    pub fn strength(self, dialect: Dialect) -> u8 {
        if self == UnaryOp::Not && dialect.not_is_loose() { 6 } else { PREFIX }
    }

    /// How it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            UnaryOp::Not => "not",
            UnaryOp::Minus => "-",
            UnaryOp::Pre => "pre",
            UnaryOp::Int => "int",
            UnaryOp::Real => "real",
            UnaryOp::BitNot => "!",
            UnaryOp::Current => "current",
        }
    }
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `->`
    Arrow,
    /// `fby`
    Fby,
    /// `=>`
    Implies,
    /// `==>`: its right side takes a step only where it matters, and so do the next two
    LazyImplies,
    /// `or else`
    OrElse,
    /// `and then`
    AndThen,
    /// `or`
    Or,
    /// `xor`
    Xor,
    /// `and`
    And,
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`, of reals
    Divide,
    /// `div`, of integers
    Div,
    /// `mod`
    Mod,
    /// `|`: two arrays one after the other
    Concatenate,
    /// `++`: the bits of two machine integers one after the other
    Join,
    /// `||`, bit by bit
    BitOr,
    /// `&&`, bit by bit
    BitAnd,
    /// `in`: whether a set or a map has a key
    In,
    /// `lsh`
    ShiftLeft,
    /// `rsh`
    ShiftRight,
}

impl BinaryOp {
    /// How it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            BinaryOp::Arrow => "->",
            BinaryOp::Fby => "fby",
            BinaryOp::Implies => "=>",
            BinaryOp::LazyImplies => "==>",
            BinaryOp::OrElse => "or else",
            BinaryOp::AndThen => "and then",
            BinaryOp::Or => "or",
            BinaryOp::Xor => "xor",
            BinaryOp::And => "and",
            BinaryOp::Equal => "=",
            BinaryOp::NotEqual => "<>",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Plus => "+",
            BinaryOp::Minus => "-",
            BinaryOp::Times => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Div => "div",
            BinaryOp::Mod => "mod",
            BinaryOp::Concatenate => "|",
            BinaryOp::In => "in",
            BinaryOp::Join => "++",
            BinaryOp::BitOr => "||",
            BinaryOp::BitAnd => "&&",
            BinaryOp::ShiftLeft => "lsh",
            BinaryOp::ShiftRight => "rsh",
        }
    }

    /// How much it binds (more is tighter). `if … else` binds less than all of
    /// them, and `uint8` as well.
    #[must_use]
    pub fn strength(self, dialect: Dialect) -> u8 {
        match self {
            BinaryOp::Concatenate => 0,
            BinaryOp::Fby if dialect.fby_is_loose() => 1,
            BinaryOp::Arrow => 1,
            BinaryOp::Implies | BinaryOp::LazyImplies => 2,
            BinaryOp::Xor if dialect.xor_is_tighter() => 4,
            BinaryOp::Or | BinaryOp::OrElse | BinaryOp::Xor => 3,
            BinaryOp::And | BinaryOp::AndThen => 5,
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => 7,
            BinaryOp::In => 8,
            BinaryOp::Plus | BinaryOp::Minus => 9,
            BinaryOp::Times | BinaryOp::Divide | BinaryOp::Div | BinaryOp::Mod => 10,
            BinaryOp::Join => 11,
            BinaryOp::BitOr => 12,
            BinaryOp::BitAnd => 13,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 14,
            BinaryOp::Fby => 15,
        }
    }

    /// Whether `a op b op c` is `a op (b op c)`.
    #[must_use]
    pub fn groups_right(self) -> bool {
        matches!(self, BinaryOp::Arrow | BinaryOp::Fby | BinaryOp::Implies | BinaryOp::LazyImplies)
    }

    /// Whether its right side takes a step only where the left one does not decide.
    #[must_use]
    pub fn is_lazy(self) -> bool {
        matches!(self, BinaryOp::LazyImplies | BinaryOp::OrElse | BinaryOp::AndThen)
    }

    /// Whether it makes a truth value of truth values.
    #[must_use]
    pub fn is_logical(self) -> bool {
        let eager = [BinaryOp::Implies, BinaryOp::Or, BinaryOp::Xor, BinaryOp::And];
        self.is_lazy() || eager.contains(&self)
    }

    /// Whether it compares its operands.
    #[must_use]
    pub fn compares(self) -> bool {
        matches!(
            self,
            BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
        )
    }

    /// Whether it works on the bits of machine integers.
    #[must_use]
    pub fn is_bitwise(self) -> bool {
        matches!(
            self,
            BinaryOp::Join
                | BinaryOp::BitOr
                | BinaryOp::BitAnd
                | BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
        )
    }

    /// Whether it divides.
    #[must_use]
    pub fn divides(self) -> bool {
        matches!(self, BinaryOp::Divide | BinaryOp::Div | BinaryOp::Mod)
    }
}
