//! Exact rational numbers of machine size.

use std::cmp::Ordering;

use num_rational::BigRational;

/// A rational number in lowest terms, its denominator positive. Operations
/// whose result does not fit give `None`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rational {
    pub(crate) numerator: i64,
    pub(crate) denominator: i64,
}

impl Default for Rational {
    fn default() -> Rational {
        Rational::ZERO
    }
}

impl From<i64> for Rational {
    fn from(n: i64) -> Rational {
        Rational { numerator: n, denominator: 1 }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        let (a, b) = (i128::from(self.numerator), i128::from(other.numerator));
        (a * i128::from(other.denominator)).cmp(&(b * i128::from(self.denominator)))
    }
}

impl Rational {
    /// Zero.
    pub const ZERO: Rational = Rational { numerator: 0, denominator: 1 };

    /// The quotient of two numbers, if it exists and fits.
    #[must_use]
    pub fn new(numerator: i64, denominator: i64) -> Option<Rational> {
        Rational::reduce(numerator.into(), denominator.into())
    }

    /// A number of any size, if it fits.
    #[must_use]
    pub fn from_big(value: &BigRational) -> Option<Rational> {
        let numerator = i64::try_from(value.numer()).ok()?;
        Rational::new(numerator, i64::try_from(value.denom()).ok()?)
    }

    /// The same number, of any size.
    #[must_use]
    pub fn to_big(self) -> BigRational {
        BigRational::new(self.numerator.into(), self.denominator.into())
    }

    /// The number above the line.
    #[must_use]
    pub fn numerator(self) -> i64 {
        self.numerator
    }

    /// The number below the line.
    #[must_use]
    pub fn denominator(self) -> i64 {
        self.denominator
    }

    /// `self + other`
    #[must_use]
    pub fn plus(self, other: Rational) -> Option<Rational> {
        if self.denominator == 1 && other.denominator == 1 {
            return self.numerator.checked_add(other.numerator).map(Rational::from);
        }
        // Products of two 64-bit numbers, and sums of two such, fit 128 bits.
        let (a, b) = (i128::from(self.numerator), i128::from(other.numerator));
        let (c, d) = (i128::from(self.denominator), i128::from(other.denominator));
        if c == d { Rational::reduce(a + b, c) } else { Rational::reduce(a * d + b * c, c * d) }
    }

    /// `-self`
    #[must_use]
    pub fn negated(self) -> Option<Rational> {
        let numerator = self.numerator.checked_neg()?;
        Some(Rational { numerator, denominator: self.denominator })
    }

    /// `self * other`
    #[must_use]
    pub fn times(self, other: Rational) -> Option<Rational> {
        let numerator = i128::from(self.numerator) * i128::from(other.numerator);
        Rational::reduce(numerator, i128::from(self.denominator) * i128::from(other.denominator))
    }

    /// `self / other`, if `other` is not zero.
    #[must_use]
    pub fn over(self, other: Rational) -> Option<Rational> {
        let numerator = i128::from(self.numerator) * i128::from(other.denominator);
        Rational::reduce(numerator, i128::from(self.denominator) * i128::from(other.numerator))
    }

    /// The largest integer not above it.
    #[must_use]
    pub fn floor(self) -> i64 {
        self.numerator.div_euclid(self.denominator)
    }

    fn reduce(numerator: i128, denominator: i128) -> Option<Rational> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let sign = denominator.signum();
        // The divisor is at most the denominator, whose size is below 2^127.
        let divisor = i128::try_from(divisor).ok()? * sign;
        let numerator = i64::try_from(numerator / divisor).ok()?;
        Some(Rational { numerator, denominator: i64::try_from(denominator / divisor).ok()? })
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
        return gcd_small(a, b).into();
    }
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return gcd_small(a, b).into();
        }
    }
    a
}

/// By Stein's method: shifts instead of divisions.
fn gcd_small(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    loop {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
        if b == 0 {
            return a << shift;
        }
    }
}
