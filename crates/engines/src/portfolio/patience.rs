//! Patience: how long a query may take, and which properties are put aside.
//!
//! Engines ask about all open properties at once. One that the solver cannot
//! decide would hold up all others, so a query about one of several open
//! properties has a time limit; where that is not enough, the properties are
//! taken one by one and those that take too long are put aside, to be tried
//! again with more time. A property alone has all the time there is.

use std::time::Duration;

use lustral_base::schedule::Moment;
use lustral_smt::{Fault, NoAnswer};
use lustral_system::PropId;
use rustc_hash::FxHashMap;

use super::failure::{Failure, Misfit};

/// The time of the first queries. Later ones have some times what those took
/// that had an answer.
const FIRST: Duration = Duration::from_millis(250);

/// The factor for it.
const GENEROUS: u32 = 4;

/// No limit is longer.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// Where so many properties, one by one, are all too slow, it is the system
/// that takes so long.
const MOST_SLOW: usize = 16;

/// Why a query about a property has no answer of use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// It took longer than it may.
    Slow,
    /// The model has values that are no fractions: no execution has such.
    Irrational,
    /// The solver does not know or has failed.
    Unknown(Failure),
}

impl From<Misfit> for Trouble {
    fn from(misfit: Misfit) -> Trouble {
        Trouble::Unknown(misfit.into())
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        match fault {
            Fault::Irrational => Trouble::Irrational,
            fault => Trouble::Unknown(fault.into()),
        }
    }
}

impl Trouble {
    /// The trouble of a query without an answer that began at this time.
    pub fn of(reason: NoAnswer, start: Moment, limit: Option<Duration>) -> Trouble {
        if limit.is_some_and(|limit| start.elapsed() >= limit) {
            return Trouble::Slow;
        }
        Trouble::Unknown(reason.into())
    }

    /// The reason to give for a property that has no answer because of it.
    pub fn reason(&self) -> Failure {
        match self {
            Trouble::Slow => NoAnswer::Limit.into(),
            Trouble::Irrational => Fault::Irrational.into(),
            Trouble::Unknown(reason) => reason.clone(),
        }
    }
}

/// What is known of a property that was put aside.
enum Aside {
    /// The next attempt may take so long.
    Slow(Duration),
    /// More time does not help, for this reason.
    Never(Failure),
}

/// What an engine does next.
pub(crate) enum Turn {
    /// Goes on with the properties that are not put aside.
    Go,
    /// Gives one that was put aside another chance, with so much time.
    Retry(PropId, Duration),
    /// Nothing: more time helps none of those that are open.
    GiveUp(Failure),
}

/// The patience of an engine.
pub(crate) struct Patience {
    aside: FxHashMap<PropId, Aside>,
    start: Moment,
    limit: Duration,
}

impl Patience {
    pub fn new() -> Patience {
        Patience { aside: FxHashMap::default(), start: Moment::now(), limit: FIRST }
    }

    /// How long a query may take while so many properties are open.
    pub fn limit(&self, open: usize) -> Option<Duration> {
        (open > 1).then_some(self.limit)
    }

    /// A query about several properties had an answer after this time.
    pub fn answered(&mut self, time: Duration) {
        self.limit = self.limit.max(time.saturating_mul(GENEROUS)).min(LONGEST);
    }

    /// How long the query about one property may take where one about several
    /// took too long.
    pub fn limit_alone(&self) -> Duration {
        self.limit / GENEROUS
    }

    /// The order in which to take properties one by one: from both ends, since
    /// hard ones tend to stand together.
    pub fn order(properties: &[PropId]) -> Vec<PropId> {
        let (mut rest, mut order) = (properties, Vec::with_capacity(properties.len()));
        while let [first, between @ ..] = rest {
            order.push(*first);
            rest = between;
            if let [between @ .., last] = rest {
                order.push(*last);
                rest = between;
            }
        }
        order
    }

    /// Whether to stop taking properties one by one, which began at this time,
    /// after so many that made no trouble and so many that were put aside: where
    /// all are slow, it would only waste more time.
    pub fn enough(&self, start: Moment, good: usize, aside: usize) -> bool {
        good == 0 && aside > 1 && (aside >= MOST_SLOW || start.elapsed() > self.limit * 2)
    }

    /// The properties were taken one by one: so many made no trouble, so many
    /// were put aside. Where nobody is to blame, or everybody, it is the system
    /// that takes so long, and all queries need more time.
    pub fn taken_one_by_one(&mut self, good: usize, aside: usize) {
        if good == 0 || aside == 0 {
            self.limit = self.limit.saturating_mul(2 * GENEROUS).min(LONGEST);
        }
    }

    /// Puts a property aside.
    pub fn put_aside(&mut self, property: PropId, trouble: &Trouble, limit: Option<Duration>) {
        let aside = match trouble {
            Trouble::Slow => Aside::Slow(limit.unwrap_or(FIRST).saturating_mul(2).min(LONGEST)),
            other => Aside::Never(other.reason()),
        };
        self.aside.insert(property, aside);
    }

    /// Takes a property back.
    pub fn take_back(&mut self, property: PropId) {
        self.aside.remove(&property);
    }

    /// Those of some properties that are not put aside.
    pub fn ready(&self, properties: &[PropId]) -> Vec<PropId> {
        properties.iter().filter(|p| !self.aside.contains_key(p)).copied().collect()
    }

    /// What to do next for these open properties: a property that was put
    /// aside has its turn when that costs no more than a part of the time so
    /// far, or when there are no others.
    pub fn turn(&self, open: &[PropId]) -> Turn {
        let alone = open.iter().all(|p| self.aside.contains_key(p));
        let slow = open.iter().filter_map(|p| match self.aside.get(p) {
            Some(Aside::Slow(time)) => Some((*time, *p)),
            _ => None,
        });
        match slow.min() {
            Some((time, property)) if alone || time <= self.start.elapsed() / 4 => {
                Turn::Retry(property, time)
            }
            None if alone => {
                let reason = open.iter().find_map(|p| match self.aside.get(p) {
                    Some(Aside::Never(reason)) => Some(reason.clone()),
                    _ => None,
                });
                reason.map_or(Turn::Go, Turn::GiveUp)
            }
            _ => Turn::Go,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_put_aside_have_their_turn() {
        let (a, b) = (PropId(0), PropId(1));
        assert_eq!(Patience::order(&[a, b, PropId(2)]), [a, PropId(2), b]);
        let mut patience = Patience::new();
        assert_eq!(patience.limit(1), None, "a property alone may take its time");
        let limit = patience.limit(2);
        patience.taken_one_by_one(3, 1);
        assert_eq!(patience.limit(2), limit, "one is to blame");
        patience.taken_one_by_one(0, 4);
        assert!(patience.limit(2) > limit);
        let limit = patience.limit(2);
        patience.put_aside(a, &Trouble::Slow, limit);
        assert_eq!(patience.ready(&[a, b]), [b]);
        assert!(matches!(patience.turn(&[a, b]), Turn::Go), "it costs more than all so far");
        assert!(
            matches!(patience.turn(&[a]), Turn::Retry(p, time) if p == a && Some(time) > limit)
        );
        patience.put_aside(b, &Trouble::Irrational, limit);
        assert!(matches!(patience.turn(&[a, b]), Turn::Retry(p, _) if p == a));
        assert!(matches!(patience.turn(&[b]), Turn::GiveUp(_)), "more time is no use");
        patience.take_back(a);
        assert!(matches!(patience.turn(&[a, b]), Turn::Go));
    }
}
