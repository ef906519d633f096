//! A value of one lane.

use lustral_term::{Sort, Value};

use crate::rational::Rational;

/// A value of machine size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A rational number.
    Real(Rational),
}

impl Scalar {
    /// A value of any size, if it fits.
    #[must_use]
    pub fn new(value: &Value) -> Option<Scalar> {
        match value {
            Value::Bool(b) => Some(Scalar::Bool(*b)),
            Value::Int(n) => i64::try_from(n).ok().map(Scalar::Int),
            Value::Real(r) => Rational::from_big(r).map(Scalar::Real),
        }
    }

    /// The same value, of any size.
    #[must_use]
    pub fn value(self) -> Value {
        match self {
            Scalar::Bool(b) => Value::Bool(b),
            Scalar::Int(n) => Value::Int(n.into()),
            Scalar::Real(r) => Value::Real(r.to_big()),
        }
    }

    /// Its sort.
    #[must_use]
    pub fn sort(self) -> Sort {
        match self {
            Scalar::Bool(_) => Sort::Bool,
            Scalar::Int(_) => Sort::Int,
            Scalar::Real(_) => Sort::Real,
        }
    }

    /// False or zero.
    #[must_use]
    pub fn zero(sort: Sort) -> Scalar {
        match sort {
            Sort::Bool => Scalar::Bool(false),
            Sort::Int => Scalar::Int(0),
            Sort::Real => Scalar::Real(Rational::ZERO),
        }
    }
}
