//! A value of one lane.

use lustral_term::{Sort, Value};
use num_traits::ToPrimitive;

use crate::rational::Rational;

/// A value of machine size. Those of enumerations and of bit-vectors up to 64
/// bits are integers, see `crate::words`; arrays have none.
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
            Value::Enum(_, i) => Some(Scalar::Int((*i).into())),
            Value::BitVec(shape, bits) if shape.width() <= 64 => {
                bits.to_u64().map(|bits| Scalar::Int(bits as i64))
            }
            Value::BitVec(..) | Value::Array(_) | Value::Uninterpreted(..) => None,
        }
    }

    /// The value of a sort that it stands for.
    #[must_use]
    pub fn value(self, sort: Sort) -> Value {
        match (self, sort) {
            (Scalar::Bool(b), _) => Value::Bool(b),
            (Scalar::Real(r), _) => Value::Real(r.to_big()),
            (Scalar::Int(n), Sort::Enum(e)) => Value::Enum(e, n as u32),
            (Scalar::Int(n), Sort::BitVec(shape)) => Value::bit_vec(shape, n as u64),
            (Scalar::Int(n), _) => Value::Int(n.into()),
        }
    }

    /// False or zero.
    #[must_use]
    pub fn zero(sort: Sort) -> Scalar {
        match sort {
            Sort::Bool => Scalar::Bool(false),
            Sort::Real => Scalar::Real(Rational::ZERO),
            _ => Scalar::Int(0),
        }
    }
}
