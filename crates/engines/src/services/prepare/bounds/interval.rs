//! What is known of a value: which integers, which truth values it may be.

/// The integers from `low` to `high`, both included. `MIN` and `MAX` mean that
/// there is no bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Interval {
    pub low: i64,
    pub high: i64,
}

impl Interval {
    pub const ALL: Interval = Interval { low: i64::MIN, high: i64::MAX };
    /// The truth values, as numbers.
    pub const BOOL: Interval = Interval { low: 0, high: 1 };
    pub const FALSE: Interval = Interval { low: 0, high: 0 };
    pub const TRUE: Interval = Interval { low: 1, high: 1 };

    pub fn bool(value: bool) -> Interval {
        if value { Interval::TRUE } else { Interval::FALSE }
    }

    /// The interval between two numbers; what does not fit has no bound.
    fn of(low: Option<i128>, high: Option<i128>) -> Interval {
        let fits = |n: Option<i128>| n.and_then(|n| i64::try_from(n).ok());
        let inner = |n: &i64| *n != i64::MIN && *n != i64::MAX;
        Interval {
            low: fits(low).filter(inner).unwrap_or(i64::MIN),
            high: fits(high).filter(inner).unwrap_or(i64::MAX),
        }
    }

    pub fn number(n: i64) -> Interval {
        Interval::of(Some(n.into()), Some(n.into()))
    }

    fn lower(self) -> Option<i128> {
        (self.low != i64::MIN).then_some(self.low.into())
    }

    fn upper(self) -> Option<i128> {
        (self.high != i64::MAX).then_some(self.high.into())
    }

    /// The one value that it has.
    pub fn value(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    pub fn contains(self, other: Interval) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    pub fn join(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// What is in both; nothing if there is no such number.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let both = Interval { low: self.low.max(other.low), high: self.high.min(other.high) };
        (both.low <= both.high).then_some(both)
    }

    pub fn add(self, other: Interval) -> Interval {
        let sum = |a: Option<i128>, b: Option<i128>| Some(a? + b?);
        Interval::of(sum(self.lower(), other.lower()), sum(self.upper(), other.upper()))
    }

    pub fn negated(self) -> Interval {
        Interval::of(self.upper().map(|n| -n), self.lower().map(|n| -n))
    }

    pub fn mul(self, other: Interval) -> Interval {
        if self == Interval::FALSE || other == Interval::FALSE {
            return Interval::FALSE;
        }
        // With a side open, only the product with a constant is worth a bound.
        let scaled = |factor: i64, of: Interval| {
            let times = |n: Option<i128>| n.map(|n| n * i128::from(factor));
            if factor < 0 {
                Interval::of(times(of.upper()), times(of.lower()))
            } else {
                Interval::of(times(of.lower()), times(of.upper()))
            }
        };
        match (self.value(), other.value()) {
            (Some(factor), _) => return scaled(factor, other),
            (_, Some(factor)) => return scaled(factor, self),
            _ => {}
        }
        let corners = (self.lower(), self.upper(), other.lower(), other.upper());
        let (Some(a), Some(b), Some(c), Some(d)) = corners else { return Interval::ALL };
        let products = [a * c, a * d, b * c, b * d];
        Interval::of(products.into_iter().min(), products.into_iter().max())
    }

    /// The Euclidean quotient by a positive number, which grows with its dividend.
    pub fn quotient(self, by: i64) -> Interval {
        let part = |n: Option<i128>| n.map(|n| n.div_euclid(by.into()));
        Interval::of(part(self.lower()), part(self.upper()))
    }

    /// Whether every number here is at most every number there.
    pub fn always_at_most(self, other: Interval) -> bool {
        self.high != i64::MAX && other.low != i64::MIN && self.high <= other.low
    }

    /// Numbers that are at most some number of another.
    pub fn at_most(other: Interval) -> Interval {
        Interval::of(None, other.upper())
    }

    /// Numbers that are at least some number of another.
    pub fn at_least(other: Interval) -> Interval {
        Interval::of(other.lower(), None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(low: i64, high: i64) -> Interval {
        Interval { low, high }
    }

    #[test]
    fn arithmetic_encloses_all_results() {
        let samples = [between(-3, 2), between(0, 0), between(4, 9), between(-7, -5)];
        for a in samples {
            for b in samples {
                for x in a.low..=a.high {
                    for y in b.low..=b.high {
                        assert!(a.add(b).contains(Interval::number(x + y)));
                        assert!(a.mul(b).contains(Interval::number(x * y)));
                        assert!(a.join(b).contains(a) && a.join(b).contains(b));
                    }
                    assert!(a.quotient(3).contains(Interval::number(x.div_euclid(3))));
                    assert!(a.negated().contains(Interval::number(-x)));
                }
            }
        }
    }

    #[test]
    fn what_has_no_bound_gets_none() {
        let positive = between(1, i64::MAX);
        assert_eq!(positive.add(Interval::number(-3)), between(-2, i64::MAX));
        assert_eq!(positive.mul(Interval::number(-2)), between(i64::MIN, -2));
        assert_eq!(positive.mul(between(-1, 1)), Interval::ALL);
        let huge = Interval::number(i64::MAX - 1);
        assert_eq!(huge.add(huge), Interval::ALL);
        assert!(!positive.always_at_most(Interval::ALL));
    }
}
