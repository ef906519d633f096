//! Types and exact values.

use std::fmt;
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

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
            Value::Real(r) => write!(f, "{}", show_rational(r)),
            Value::Enum(i) => write!(f, "#{i}"),
        }
    }
}

/// A rational as a decimal where it is one (`1.5`), else as a fraction (`1/3`).
#[must_use]
pub fn show_rational(r: &BigRational) -> String {
    let ten = BigInt::from(10);
    let mut scale = BigInt::from(1);
    for digits in 0..=18usize {
        if (&scale % r.denom()).is_zero() {
            let scaled = (r.numer() * (&scale / r.denom())).abs();
            let sign = if r.is_negative() { "-" } else { "" };
            let text = format!("{scaled:0>width$}", width = digits + 1);
            let (whole, fraction) = text.split_at(text.len() - digits);
            let fraction = if fraction.is_empty() { "0" } else { fraction };
            return format!("{sign}{whole}.{fraction}");
        }
        scale *= &ten;
    }
    format!("{}/{}", r.numer(), r.denom())
}

/// The value of a decimal literal such as `1.5`, `.5`, `1.` or `2.5e-3`.
#[must_use]
pub fn parse_decimal(text: &str) -> Option<BigRational> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let digits: BigInt = if digits.is_empty() { return None } else { digits.parse().ok()? };
    let power = exponent - fraction.len() as i64;
    // An exponent is not a licence to fill the memory with zeros.
    if power.unsigned_abs() > LARGEST_EXPONENT {
        return None;
    }
    let scale = BigInt::from(10).pow(power.unsigned_abs() as u32);
    Some(if power >= 0 {
        BigRational::from_integer(digits * scale)
    } else {
        BigRational::new(digits, scale)
    })
}

/// The largest power of ten by which a literal may be scaled.
pub const LARGEST_EXPONENT: u64 = 100_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_and_shown_as_written() {
        for (text, shown) in [
            ("1.5", "1.5"),
            (".5", "0.5"),
            ("1.", "1.0"),
            ("2.5e-3", "0.0025"),
            ("1e3", "1000.0"),
            ("0.1", "0.1"),
            ("12.340", "12.34"),
        ] {
            assert_eq!(show_rational(&parse_decimal(text).unwrap()), shown, "{text}");
        }
        let third = BigRational::new(BigInt::from(-1), BigInt::from(3));
        assert_eq!(show_rational(&third), "-1/3");
        assert_eq!(show_rational(&BigRational::new(BigInt::from(-1), BigInt::from(20))), "-0.05");
        assert!(parse_decimal("1e999999999999").is_none());
    }
}
