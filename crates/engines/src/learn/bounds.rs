//! Bounds of numeric expressions, unguarded or behind a guard.
//!
//! An expression is a feature, or the sum or difference of two (an octagon).
//! Of each, the largest and smallest value seen is kept; what is stated is the
//! next *threshold*: a constant of the program, or its neighbour, or what
//! simulation has seen. So a bound is weakened a few times at most, where one
//! that follows every counterexample would grow forever.

use lustral_term::{Sort, TermId, Terms};

use super::number::Number;

/// Between what bounds something lies; nothing if it was seen beyond all.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Interval {
    low: Option<Number>,
    high: Option<Number>,
}

impl Interval {
    /// Of the number, or of its negation.
    pub fn signed(self, minus: bool) -> Interval {
        let negated = |c: Option<Number>| c.and_then(Number::negated);
        if minus { Interval { low: negated(self.high), high: negated(self.low) } } else { self }
    }

    /// Of the sum of two numbers.
    pub fn plus(self, other: Interval) -> Interval {
        let sum = |x: Option<Number>, y: Option<Number>| x?.plus(y?);
        Interval { low: sum(self.low, other.low), high: sum(self.high, other.high) }
    }

    /// Of a number that is in both.
    pub fn meet(self, other: Interval) -> Interval {
        let high = [self.high, other.high].into_iter().flatten().min();
        Interval { low: self.low.max(other.low), high }
    }
}

/// The interval of each of some expressions, under a guard.
#[derive(Clone)]
pub(crate) struct Bounds {
    /// By expression; nothing before the first row under the guard.
    intervals: Option<Vec<Interval>>,
}

/// An expression with bounds: a term, and its sort.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounded {
    pub term: TermId,
    pub sort: Sort,
}

/// The constants that bounds are chosen from, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thresholds(Vec<Number>);

impl Thresholds {
    pub fn new(mut numbers: Vec<Number>) -> Thresholds {
        numbers.sort_unstable();
        numbers.dedup();
        Thresholds(numbers)
    }

    /// The least threshold that is not below.
    fn above(&self, value: Number) -> Option<Number> {
        self.0.get(self.0.partition_point(|t| *t < value)).copied()
    }

    /// The greatest threshold that is not above.
    fn below(&self, value: Number) -> Option<Number> {
        self.0[..self.0.partition_point(|t| *t <= value)].last().copied()
    }
}

impl Bounds {
    /// Nothing was seen.
    pub fn new() -> Bounds {
        Bounds { intervals: None }
    }

    /// Learns of a row: the values of the expressions, where they have one.
    pub fn absorb(&mut self, values: &[Option<Number>], thresholds: &Thresholds, exact: bool) {
        let Some(intervals) = &mut self.intervals else {
            let point = |v: &Option<Number>| Interval {
                low: v.and_then(|v| if exact { Some(v) } else { thresholds.below(v) }),
                high: v.and_then(|v| if exact { Some(v) } else { thresholds.above(v) }),
            };
            self.intervals = Some(values.iter().map(point).collect());
            return;
        };
        for (interval, value) in intervals.iter_mut().zip(values) {
            let (below, above) = match value {
                Some(v) => (
                    interval.low.is_some_and(|low| *v < low),
                    interval.high.is_some_and(|high| *v > high),
                ),
                None => (true, true),
            };
            if below {
                interval.low =
                    value.and_then(|v| if exact { Some(v) } else { thresholds.below(v) });
            }
            if above {
                interval.high =
                    value.and_then(|v| if exact { Some(v) } else { thresholds.above(v) });
            }
        }
    }

    /// Between what bounds an expression lies, if something was seen.
    pub fn interval(&self, i: usize) -> Option<Interval> {
        self.intervals.as_ref().map(|list| list[i])
    }

    /// What is known of the expressions beyond what `known` says of the same.
    pub fn facts(
        &self,
        terms: &mut Terms,
        list: &[Bounded],
        known: Option<&Bounds>,
    ) -> Vec<TermId> {
        let mut facts = Vec::new();
        for (i, bounded) in list.iter().enumerate() {
            let Some(own) = self.interval(i) else { continue };
            let other = known.and_then(|k| k.interval(i));
            let low = own.low.filter(|c| other.and_then(|o| o.low).is_none_or(|o| o < *c));
            let high = own.high.filter(|c| other.and_then(|o| o.high).is_none_or(|o| o > *c));
            if own.low.is_some() && own.low == own.high {
                if low.is_some() || high.is_some() {
                    facts.extend(low.or(high).and_then(|c| {
                        let c = c.term(terms, bounded.sort)?;
                        Some(terms.eq(bounded.term, c))
                    }));
                }
                continue;
            }
            if let Some(c) = low.and_then(|c| c.term(terms, bounded.sort)) {
                facts.push(terms.le(c, bounded.term));
            }
            if let Some(c) = high.and_then(|c| c.term(terms, bounded.sort)) {
                facts.push(terms.le(bounded.term, c));
            }
        }
        facts
    }

    /// What these bounds, of features and of their sums and differences, say
    /// of the features where one of them has a certain value.
    pub fn where_equal(
        &self,
        feature: usize,
        value: Number,
        features: usize,
        pairs: &[(usize, usize, bool)],
    ) -> Bounds {
        let Some(intervals) = &self.intervals else { return Bounds::new() };
        let mut known = intervals[..features].to_vec();
        let value = Interval { low: Some(value), high: Some(value) };
        known[feature] = value;
        for ((a, b, minus), interval) in pairs.iter().zip(&intervals[features..]) {
            let (other, found) = match (feature == *a, feature == *b) {
                (true, false) => (*b, interval.plus(value.signed(true)).signed(*minus)),
                (false, true) => (*a, interval.plus(value.signed(!*minus))),
                _ => continue,
            };
            known[other] = known[other].meet(found);
        }
        Bounds { intervals: Some(known) }
    }

    /// Leaves out the bounds of sums and differences that follow from bounds
    /// of their parts. `parts` gives for an expression its two features and
    /// whether the second is subtracted; features come first in the list.
    pub fn without_implied(&self, parts: impl Fn(usize) -> Option<(usize, usize, bool)>) -> Bounds {
        let Some(intervals) = &self.intervals else { return Bounds::new() };
        self.beyond(|i| match parts(i) {
            Some((a, b, minus)) => intervals[a].plus(intervals[b].signed(minus)),
            None => Interval::default(),
        })
    }

    /// Leaves out the bounds that are known to hold.
    pub fn beyond(&self, known: impl Fn(usize) -> Interval) -> Bounds {
        let Some(intervals) = &self.intervals else { return Bounds::new() };
        let mut kept = intervals.clone();
        for (i, interval) in kept.iter_mut().enumerate() {
            let Interval { low, high } = known(i);
            interval.low = interval.low.filter(|c| low.is_none_or(|known| known < *c));
            interval.high = interval.high.filter(|c| high.is_none_or(|known| known > *c));
        }
        Bounds { intervals: Some(kept) }
    }
}
