//! Types and exact values.

use std::fmt;
use std::sync::Arc;

use lustral_base::decimal;
use num_bigint::BigInt;
use num_rational::BigRational;

pub use lustral_base::EnumId;

/// The bounds of a subrange, both included.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    /// The smallest value.
    pub low: BigInt,
    /// The largest value.
    pub high: BigInt,
}

/// The type of a flow or expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Truth values.
    Bool,
    /// All integers.
    Int,
    /// All rational numbers.
    Real,
    /// Integers between bounds.
    Subrange(Arc<Bounds>),
    /// A value of an enumeration.
    Enum(EnumId),
}

impl Type {
    /// Whether arithmetic of integers applies.
    #[must_use]
    pub fn is_int(&self) -> bool {
        matches!(self, Type::Int | Type::Subrange(_))
    }

    /// Whether values of both types can meet in one flow. Bounds do not matter:
    /// they are something to prove, not a reason to reject.
    #[must_use]
    pub fn agrees(&self, other: &Type) -> bool {
        self == other || self.is_int() && other.is_int()
    }

    /// The type of an expression that is one or the other, which must agree.
    #[must_use]
    pub fn join(&self, other: &Type) -> Type {
        if self == other { self.clone() } else { Type::Int }
    }
}

/// A value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer of any size.
    Int(BigInt),
    /// A rational number.
    Real(BigRational),
    /// A value of an enumeration, by its position.
    Enum(u32),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(n) => write!(f, "{n}"),
            Value::Real(r) => write!(f, "{}", decimal::for_people(r)),
            Value::Enum(i) => write!(f, "#{i}"),
        }
    }
}
