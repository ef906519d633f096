//! Patience: how long a query may take, and which properties are put aside.
//!
//! Engines ask about all open properties at once. One that the solver cannot
//! decide would hold up all others, so a query about one of several open
//! properties has a time limit; where that is not enough, the properties are
//! taken one by one and those that take too long are put aside, to be tried
//! again with more time. A property alone has all the time there is.

use std::time::{Duration, Instant};

use lustral_smt::Fault;
use lustral_system::PropId;
use rustc_hash::FxHashMap;

/// The time of the first queries. Later ones have as much as all before them
/// took, so that what a limit wastes is a part of the whole.
const FIRST: Duration = Duration::from_millis(250);

/// So many slow properties may turn up in a row before the others are asked
/// about together again, with more time: then the system is what is slow.
pub(crate) const MOST_SLOW: usize = 4;

/// Why a query about a property has no answer of use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// It took longer than it may.
    Slow,
    /// The model has values that are no fractions: no execution has such.
    Irrational,
    /// The solver does not know or has failed.
    Unknown(String),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        match fault {
            Fault::Irrational => Trouble::Irrational,
            fault => Trouble::Unknown(fault.to_string()),
        }
    }
}

impl Trouble {
    /// The trouble of a query without an answer that began at this time.
    pub fn of(reason: String, start: Instant, limit: Option<Duration>) -> Trouble {
        if limit.is_some_and(|limit| start.elapsed() >= limit) {
            return Trouble::Slow;
        }
        Trouble::Unknown(reason)
    }

    /// The reason to give for a property that has no answer because of it.
    pub fn reason(&self) -> String {
        match self {
            Trouble::Slow => "timeout".into(),
            Trouble::Irrational => Fault::Irrational.to_string(),
            Trouble::Unknown(reason) => reason.clone(),
        }
    }
}

/// What is known of a property that was put aside.
enum Aside {
    /// The next attempt may take so long.
    Slow(Duration),
    /// More time does not help, for this reason.
    Never(String),
}

/// What an engine does next.
pub(crate) enum Turn {
    /// Goes on with the properties that are not put aside.
    Go,
    /// Gives one that was put aside another chance, with so much time.
    Retry(PropId, Duration),
    /// Nothing: more time helps none of those that are open.
    GiveUp(String),
}

/// The patience of an engine.
pub(crate) struct Patience {
    aside: FxHashMap<PropId, Aside>,
    start: Instant,
}

impl Patience {
    pub fn new() -> Patience {
        Patience { aside: FxHashMap::default(), start: Instant::now() }
    }

    /// How long a query may take while so many properties are open.
    pub fn limit(&self, open: usize) -> Option<Duration> {
        (open > 1).then(|| self.start.elapsed().max(FIRST))
    }

    /// Puts a property aside.
    pub fn put_aside(&mut self, property: PropId, trouble: &Trouble, limit: Option<Duration>) {
        let aside = match trouble {
            Trouble::Slow => Aside::Slow(limit.unwrap_or(FIRST) * 2),
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
        let mut patience = Patience::new();
        assert_eq!(patience.limit(1), None, "a property alone may take its time");
        let limit = patience.limit(2);
        assert!(limit.is_some());
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
