//! Clocks while they are found out: terms over unknowns, by unification.

use crate::program::{CallId, Condition};

/// A clock, perhaps not known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClockId(usize);

/// What makes a clock slower than the one that it is made from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Sampled {
    /// A flow has a value.
    Flow(Condition),
    /// What a call is activated by, where that is no flow: nothing else has this clock.
    Call(CallId),
}

/// What is known of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// Nothing yet.
    Nothing,
    /// It is another one.
    Same(ClockId),
    /// The clock of the node's own call.
    Base,
    /// Some steps of another clock.
    On(ClockId, Sampled),
}

/// All clocks of a node.
#[derive(Default)]
pub(super) struct Clocks {
    known: Vec<Known>,
}

/// Two clocks are not the same.
pub(super) struct Different;

impl Clocks {
    pub fn add(&mut self, known: Known) -> ClockId {
        self.known.push(known);
        ClockId(self.known.len() - 1)
    }

    /// Says what a clock is of which nothing is known.
    pub fn set(&mut self, id: ClockId, known: Known) {
        self.known[id.0] = known;
    }

    /// The clock that stands for all that are the same, and what is known of it.
    pub fn find(&self, mut id: ClockId) -> (ClockId, Known) {
        loop {
            match self.known[id.0] {
                Known::Same(other) => id = other,
                known => return (id, known),
            }
        }
    }

    /// Makes two clocks the same.
    pub fn unify(&mut self, a: ClockId, b: ClockId) -> Result<(), Different> {
        let (mut a, mut b) = (a, b);
        loop {
            let ((left, known_left), (right, known_right)) = (self.find(a), self.find(b));
            if left == right {
                return Ok(());
            }
            match (known_left, known_right) {
                (Known::Nothing, _) if !self.is_below(right, left) => {
                    self.known[left.0] = Known::Same(right);
                    return Ok(());
                }
                (_, Known::Nothing) if !self.is_below(left, right) => {
                    self.known[right.0] = Known::Same(left);
                    return Ok(());
                }
                (Known::Base, Known::Base) => return Ok(()),
                (Known::On(p, s), Known::On(q, t)) if s == t => (a, b) = (p, q),
                _ => return Err(Different),
            }
        }
    }

    /// Whether two clocks are known to be the same.
    pub fn are_same(&self, a: ClockId, b: ClockId) -> bool {
        let (mut a, mut b) = (a, b);
        loop {
            match (self.find(a), self.find(b)) {
                ((left, _), (right, _)) if left == right => return true,
                ((_, Known::Base), (_, Known::Base)) => return true,
                ((_, Known::On(p, s)), (_, Known::On(q, t))) if s == t => (a, b) = (p, q),
                _ => return false,
            }
        }
    }

    /// The clock of which nothing is known that a clock is, or is made from.
    pub fn unknown(&self, id: ClockId) -> Option<ClockId> {
        let mut at = self.find(id);
        while let Known::On(parent, _) = at.1 {
            at = self.find(parent);
        }
        (at.1 == Known::Nothing).then_some(at.0)
    }

    /// Whether a clock is another or is made from it, as far as both are known.
    pub fn lies_in(&self, id: ClockId, outer: ClockId) -> bool {
        let mut at = id;
        loop {
            if self.is_same(at, outer) {
                return true;
            }
            match self.find(at).1 {
                Known::On(parent, _) => at = parent,
                _ => return false,
            }
        }
    }

    fn is_same(&self, a: ClockId, b: ClockId) -> bool {
        let (mut a, mut b) = (self.find(a), self.find(b));
        loop {
            match (a.1, b.1) {
                _ if a.0 == b.0 => return true,
                (Known::Base, Known::Base) => return true,
                (Known::On(p, s), Known::On(q, t)) if s == t => {
                    (a, b) = (self.find(p), self.find(q))
                }
                _ => return false,
            }
        }
    }

    /// Whether a clock is made from another, in some steps.
    fn is_below(&self, id: ClockId, above: ClockId) -> bool {
        let mut at = self.find(id);
        while let Known::On(parent, _) = at.1 {
            at = self.find(parent);
            if at.0 == above {
                return true;
            }
        }
        false
    }
}
