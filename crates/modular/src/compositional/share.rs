//! Shares of the time, by the clock of the thread that works: the time, or the
//! work done, which is the same in every run.

use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_base::schedule::{Moment, child_for, is_counted};

/// The least time for a called node, or for a round.
pub const LEAST: Duration = Duration::from_secs(1);

/// The same where there is no limit.
pub const UNLIMITED: Duration = Duration::from_secs(10);

/// A share of the time.
#[derive(Clone)]
pub struct Share {
    /// Tells whoever has it to stop, at its end or before.
    pub cancel: Cancel,
    /// Its end, if there is one.
    until: Option<Moment>,
}

impl Share {
    /// All of the time.
    pub fn all(cancel: &Cancel, time: Option<Duration>) -> Share {
        let now = Instant::now();
        let left = if is_counted() {
            time
        } else {
            cancel.deadline().map(|d| d.saturating_duration_since(now))
        };
        let share = Share { cancel: cancel.clone(), until: left.map(|left| Moment::now() + left) };
        match left {
            // The deadline is no end of a clock that counts.
            Some(left) if is_counted() => Share { cancel: child_for(cancel, left), ..share },
            _ => share,
        }
    }

    /// What is left of it, if it has an end.
    pub fn left(&self) -> Option<Duration> {
        self.until.map(Moment::left)
    }

    /// All that is left, to be stopped alone.
    pub fn whole(&self) -> Share {
        Share { cancel: self.cancel.child(), until: self.until }
    }

    /// Most of what is left.
    pub fn most(&self) -> Share {
        self.left().map_or_else(|| self.whole(), |left| self.part(left * 3 / 4))
    }

    /// So much of it.
    pub fn part(&self, time: Duration) -> Share {
        let cancel = child_for(&self.cancel, time);
        Share { cancel, until: Some(Moment::now() + time) }
    }

    /// Half of what is left.
    pub fn half(&self) -> Share {
        self.left().map_or_else(|| self.whole(), |left| self.part(left / 2))
    }

    /// The part for one of so many called nodes: half of what is left is for
    /// the node that is checked.
    pub fn for_one_of(&self, nodes: usize) -> Share {
        let some = |left: Duration| (left / (2 * nodes as u32)).max(LEAST).min(left / 4);
        self.part(self.left().map_or(UNLIMITED, some))
    }

    /// The part for one of so many nodes that are checked.
    pub fn for_one_root_of(self, nodes: usize) -> Share {
        match self.left() {
            Some(left) if nodes > 1 => self.part((left / nodes as u32).max(LEAST).min(left)),
            _ => self,
        }
    }
}
