//! Small exact numbers, for the facts that candidates are made of.
//!
//! Candidates need sums and comparisons of a great many values, most of them
//! small integers. A value that does not fit is no value here: whatever was
//! to be said about it is given up, which costs a candidate, never an answer.

use std::cmp::Ordering;

use lustral_term::{Sort, TermId, Terms, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::ToPrimitive;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Number {
    numerator: i128,
    denominator: i128,
}

impl Number {
    pub const ONE: Number = Number { numerator: 1, denominator: 1 };

    /// The number of a value, if it is one and fits.
    pub fn of(value: &Value) -> Option<Number> {
        match value {
            Value::Int(n) => Some(Number { numerator: n.to_i128()?, denominator: 1 }),
            Value::Real(r) => {
                Some(Number { numerator: r.numer().to_i128()?, denominator: r.denom().to_i128()? })
            }
            _ => None,
        }
    }

    pub fn plus(self, other: Number) -> Option<Number> {
        if self.denominator == 1 && other.denominator == 1 {
            let numerator = self.numerator.checked_add(other.numerator)?;
            return Some(Number { numerator, denominator: 1 });
        }
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        let numerator = left.checked_add(right)?;
        Some(Number::reduced(numerator, self.denominator.checked_mul(other.denominator)?))
    }

    pub fn negated(self) -> Option<Number> {
        Some(Number { numerator: self.numerator.checked_neg()?, denominator: self.denominator })
    }

    pub fn minus(self, other: Number) -> Option<Number> {
        self.plus(other.negated()?)
    }

    fn reduced(numerator: i128, denominator: i128) -> Number {
        let divisor = numerator.gcd(&denominator).max(1);
        Number { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    pub fn is_integer(self) -> bool {
        self.denominator == 1
    }

    /// As an exact fraction of any size.
    pub fn to_rational(self) -> BigRational {
        BigRational::new(BigInt::from(self.numerator), BigInt::from(self.denominator))
    }

    /// The number as a term of a sort; nothing if the sort has no such value.
    pub fn term(self, terms: &mut Terms, sort: Sort) -> Option<TermId> {
        match sort {
            Sort::Int => self.is_integer().then(|| terms.int(self.numerator)),
            Sort::Real => Some(terms.constant(Value::Real(self.to_rational()))),
            _ => None,
        }
    }
}

impl From<i64> for Number {
    fn from(n: i64) -> Number {
        Number { numerator: n.into(), denominator: 1 }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        if self.denominator == other.denominator {
            return self.numerator.cmp(&other.numerator);
        }
        let left = self.numerator.checked_mul(other.denominator);
        match (left, other.numerator.checked_mul(self.denominator)) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => self.to_rational().cmp(&other.to_rational()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_order_are_exact() {
        let half = Number::of(&Value::Real(BigRational::new(1.into(), 2.into()))).unwrap();
        assert_eq!(half.plus(half), Some(Number::ONE));
        assert!(Number::from(0) < half && half < Number::ONE);
        let huge = Number { numerator: i128::MAX, denominator: 1 };
        assert_eq!(huge.plus(Number::ONE), None);
        assert!(huge.minus(Number::ONE).unwrap() < huge);
        assert!(half < huge);
    }
}
