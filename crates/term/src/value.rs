//! Sorts and exact values.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use serde::{Deserialize, Serialize};

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Rational numbers.
    Real,
}

impl Sort {
    /// Whether its values are integers or rational numbers, which have sums and an order.
    #[must_use]
    pub fn is_number(self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }
}

/// A value of a sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer of any size.
    Int(#[serde(with = "lustral_base::as_text")] BigInt),
    /// A rational number.
    Real(#[serde(with = "lustral_base::as_text")] BigRational),
}

impl Value {
    /// Its sort.
    #[must_use]
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
        }
    }

    /// False or zero.
    #[must_use]
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(BigInt::zero()),
            Sort::Real => Value::Real(BigRational::zero()),
        }
    }

    /// Whether it is `true`.
    #[must_use]
    pub fn is_true(&self) -> bool {
        *self == Value::Bool(true)
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}

impl From<i64> for Value {
    fn from(n: i64) -> Value {
        Value::Int(n.into())
    }
}
