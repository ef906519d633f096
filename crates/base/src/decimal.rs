//! Rational numbers as text, and back: exact both ways.
//!
//! A fraction is a finite decimal if its denominator divides a power of ten. One
//! with few digits is written as such, everywhere alike; any other number as a
//! quotient of integers.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

/// Decimals with more digits than this after the point are written as quotients.
const MOST_DIGITS: usize = 18;

/// The largest power of ten by which a literal may be scaled.
pub const LARGEST_EXPONENT: u64 = 100_000;

/// A number for people: `1.5`, or `1/3`.
#[must_use]
pub fn for_people(r: &BigRational) -> String {
    short(r).unwrap_or_else(|| format!("{}/{}", r.numer(), r.denom()))
}

/// A number as it can stand in a program, as a factor if it is not negative:
/// `1.5`, or `(1.0 / 3.0)`.
#[must_use]
pub fn for_programs(r: &BigRational) -> String {
    short(r).unwrap_or_else(|| format!("({}.0 / {}.0)", r.numer(), r.denom()))
}

/// The decimal, if it is a short one.
fn short(r: &BigRational) -> Option<String> {
    let mut scale = BigInt::from(1);
    for digits in 0..=MOST_DIGITS {
        if (&scale % r.denom()).is_zero() {
            let scaled = (r.numer() * (&scale / r.denom())).abs().to_string();
            let sign = if r.is_negative() { "-" } else { "" };
            let text = format!("{scaled:0>width$}", width = digits + 1);
            let (whole, fraction) = text.split_at(text.len() - digits);
            let fraction = if fraction.is_empty() { "0" } else { fraction };
            return Some(format!("{sign}{whole}.{fraction}"));
        }
        scale *= 10;
    }
    None
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
    let power = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
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

/// The value of what [`for_people`] writes, and of any decimal literal with or
/// without a sign: `1.5`, `-2`, `1/3`, `2.5e-3`.
#[must_use]
pub fn parse(text: &str) -> Option<BigRational> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let value = match digits.split_once('/') {
        Some((n, d)) => {
            let (n, d): (BigInt, BigInt) = (n.trim().parse().ok()?, d.trim().parse().ok()?);
            (!d.is_zero()).then(|| BigRational::new(n, d))?
        }
        None => parse_decimal(digits)?,
    };
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fraction(numerator: i128, denominator: i128) -> BigRational {
        BigRational::new(numerator.into(), denominator.into())
    }

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
            ("1e-15", "0.000000000000001"),
            ("1e-19", "1/10000000000000000000"),
        ] {
            let value = parse_decimal(text).expect(text);
            assert_eq!(for_people(&value), shown, "{text}");
        }
        assert_eq!(for_people(&fraction(-1, 3)), "-1/3");
        assert_eq!(for_programs(&fraction(-1, 20)), "-0.05");
        assert_eq!(for_programs(&fraction(1, 3)), "(1.0 / 3.0)");
        for wrong in ["1e999999999999", "1.5e-9223372036854775808", "", ".", "e5", "1.2.3", "x"] {
            assert!(parse_decimal(wrong).is_none(), "{wrong}");
        }
        for wrong in ["--1", "1/0", "1/", "/2", "- 1", "1/-"] {
            assert!(parse(wrong).is_none(), "{wrong}");
        }
    }

    /// A text of a program has decimal literals only, and at most one division.
    fn evaluate(text: &str) -> Option<BigRational> {
        match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            Some(quotient) => {
                let (n, d) = quotient.split_once(" / ")?;
                Some(parse(n)? / parse_decimal(d)?)
            }
            None => parse(text),
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(n in any::<i128>(), d in 1..i128::MAX, power in 0..30_u32) {
            for value in [fraction(n, d), fraction(n, 10_i128.pow(power)), fraction(n, 1)] {
                prop_assert_eq!(parse(&for_people(&value)), Some(value.clone()));
                prop_assert_eq!(evaluate(&for_programs(&value)), Some(value));
            }
        }

        #[test]
        fn both_texts_are_the_same_decimal(n in any::<i64>(), power in 0..=18_u32) {
            let value = fraction(n.into(), 10_i128.pow(power));
            prop_assert_eq!(for_people(&value), for_programs(&value));
            prop_assert!(!for_people(&value).contains('/'));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[-0-9.eE/ ]{0,12}") {
            if let Some(value) = parse(&text) {
                prop_assert_eq!(parse(&for_people(&value)), Some(value));
            }
        }
    }
}
