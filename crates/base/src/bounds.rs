//! Intervals of integers, of which either end may be open.

use std::fmt;

use num_bigint::BigInt;
use num_traits::Zero;
use serde::{Deserialize, Serialize};

/// The integers from a smallest to a largest one, both included; where there is
/// no bound, all in that direction.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Bounds {
    /// The smallest value.
    #[serde(with = "crate::as_text::optional", default, skip_serializing_if = "Option::is_none")]
    pub low: Option<BigInt>,
    /// The largest value.
    #[serde(with = "crate::as_text::optional", default, skip_serializing_if = "Option::is_none")]
    pub high: Option<BigInt>,
}

impl Bounds {
    /// The integers between two.
    #[must_use]
    pub fn between(low: impl Into<BigInt>, high: impl Into<BigInt>) -> Bounds {
        Bounds { low: Some(low.into()), high: Some(high.into()) }
    }

    /// Whether a number is one of them.
    #[must_use]
    pub fn contains(&self, n: &BigInt) -> bool {
        self.low.as_ref().is_none_or(|low| low <= n)
            && self.high.as_ref().is_none_or(|high| n <= high)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!((&self.low, &self.high), (Some(low), Some(high)) if low > high)
    }

    /// The one that is nearest to a number; there must be some.
    #[must_use]
    pub fn nearest(&self, n: BigInt) -> BigInt {
        match (&self.low, &self.high) {
            (Some(low), _) if n < *low => low.clone(),
            (_, Some(high)) if *high < n => high.clone(),
            _ => n,
        }
    }

    /// The one that is nearest to zero.
    #[must_use]
    pub fn plainest(&self) -> BigInt {
        self.nearest(BigInt::zero())
    }

    /// One that a number stands for: counted from the smallest on, or from the largest
    /// downwards, as often around as it takes.
    #[must_use]
    pub fn pick(&self, number: u64) -> BigInt {
        match (&self.low, &self.high) {
            (Some(low), Some(high)) => low + BigInt::from(number) % (high - low + 1),
            (Some(low), None) => low + number,
            (None, Some(high)) => high - number,
            (None, None) => number.into(),
        }
    }
}

impl fmt::Display for Bounds {
    /// As in `subrange [0, *] of int`, without the brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = |n: &Option<BigInt>| n.as_ref().map_or("*".into(), BigInt::to_string);
        write!(f, "{}, {}", bound(&self.low), bound(&self.high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_ends_hold_all_beyond() {
        let up = Bounds { low: Some(2.into()), high: None };
        assert!(!up.contains(&1.into()) && up.contains(&2.into()) && up.contains(&900.into()));
        assert_eq!((up.plainest(), up.pick(3)), (2.into(), 5.into()));
        let down = Bounds { low: None, high: Some((-2).into()) };
        assert!(down.contains(&(-900).into()) && !down.contains(&(-1).into()));
        assert_eq!((down.plainest(), down.pick(3)), ((-2).into(), (-5).into()));
        assert_eq!(up.to_string() + " " + &down.to_string(), "2, * *, -2");
    }

    #[test]
    fn picks_stay_inside() {
        let few = Bounds::between(-1, 1);
        assert!((0..9).all(|n| few.contains(&few.pick(n))));
        assert!(!few.is_empty() && Bounds::between(1, 0).is_empty());
        assert_eq!(few.nearest(7.into()), 1.into());
    }
}
