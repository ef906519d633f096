//! What a proof rests on besides the equations: the assertions, assumptions and the like
//! that it needs (of an inductive validity core, the part that is no equation).
//!
//! A system with fewer constraints has all executions of the one with more. So a proof
//! that passes without some of them is a proof about the program without these statements, and
//! a proof about the program as it is. What is needed is found by leaving
//! out and checking again (deletion, by halves), so that nothing is claimed but what
//! was checked; where the time is up, more is named than may be needed.

use std::time::Duration;

use lustral_base::Cancel;
use lustral_base::schedule::{Moment, is_counted};
use lustral_system::{Certificate, PropId, TransitionSystem};

use crate::obligations::{self, Obligation};
use crate::proof::ProofChecker;
use crate::{Answer, Checked, OfProperty, Rejected};

/// More trials than this are not made for a proof.
const MOST_TRIALS: usize = 64;
/// Nor this, where no clock says when it is enough.
const FEW_TRIALS: usize = 8;

/// The work of the solver for an obligation of a trial, in its own units, about half a
/// second's: a proof that does not pass is often hard to refute.
const WORK: u32 = 2_000_000;

/// No more than this share of what is left of the run goes into it.
const SHARE: u32 = 8;

/// The constraints of a system that a proof needs, of those that may be left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Premises {
    /// By their positions in the system.
    pub constraints: Vec<usize>,
    /// Whether this proof is known to need each of them.
    pub minimal: bool,
}

/// What may be left out, and how long that is tried.
pub struct Leave<'a> {
    /// Whether the constraint at a position may be left out.
    pub out: &'a dyn Fn(usize) -> bool,
    /// The time for it.
    pub time: Duration,
}

impl ProofChecker {
    /// Checks the proof of a property, and which constraints it needs.
    ///
    /// # Errors
    /// If an obligation fails, or the solver cannot tell.
    pub fn check_premises(
        &mut self,
        system: &TransitionSystem,
        property: PropId,
        certificate: Certificate,
        leave: &Leave<'_>,
    ) -> Result<Checked<Answer>, Rejected> {
        let optional: Vec<usize> =
            (0..system.constraints.len()).filter(|i| (leave.out)(*i)).collect();
        if optional.is_empty() {
            return self.check(system, property, certificate);
        }
        let mut trials = Trials {
            system,
            property,
            until: until(leave.time, self.cancel()),
            left: if is_counted() { FEW_TRIALS } else { MOST_TRIALS },
            minimal: true,
        };
        // Often it needs none, and then this is the only check of the proof.
        let none = trials.pass(self, &certificate, &optional);
        let answer = if none {
            self.check_not_about_nothing(system)?;
            Checked::new(system, property, Answer::Valid(certificate))
        } else {
            self.check(system, property, certificate)?
        };
        let Answer::Valid(certificate) = answer.get() else { return Ok(answer) };
        let constraints =
            if none { Vec::new() } else { trials.needed(self, certificate, optional) };
        let premises = Some(Premises { constraints, minimal: trials.minimal });
        let about = OfProperty { premises, ..answer.about };
        Ok(Checked { about, ..answer })
    }
}

fn until(time: Duration, cancel: &Cancel) -> Moment {
    let deadline = cancel.deadline().filter(|_| !is_counted());
    let left = deadline.map(|d| d.saturating_duration_since(std::time::Instant::now()) / SHARE);
    Moment::now() + left.map_or(time, |left| left.min(time))
}

/// Checks of a proof with fewer constraints.
struct Trials<'s> {
    system: &'s TransitionSystem,
    property: PropId,
    until: Moment,
    left: usize,
    /// Whether every trial was decided.
    minimal: bool,
}

impl Trials<'_> {
    /// What cannot be left out, of some constraints of which one is needed at least. Half of them at once, then
    /// a quarter, at last one by one: where few of many are needed, that is soon found.
    fn needed(
        &mut self,
        checker: &mut ProofChecker,
        certificate: &Certificate,
        mut kept: Vec<usize>,
    ) -> Vec<usize> {
        let optional = kept.clone();
        let mut size = kept.len();
        while size > 1 {
            size = size.div_ceil(2);
            let mut from = 0;
            while from < kept.len() {
                let to = (from + size).min(kept.len());
                let dropped = |i: &usize| !kept.contains(i) || kept[from..to].contains(i);
                let without: Vec<usize> = optional.iter().copied().filter(dropped).collect();
                if self.pass(checker, certificate, &without) {
                    kept.drain(from..to);
                } else {
                    from = to;
                }
            }
        }
        kept
    }

    /// Whether the proof passes without some constraints. If that is not found out, it is
    /// as if it did not.
    fn pass(
        &mut self,
        checker: &mut ProofChecker,
        certificate: &Certificate,
        without: &[usize],
    ) -> bool {
        if self.left == 0 || self.until.left().is_zero() {
            self.minimal = false;
            return false;
        }
        self.left -= 1;
        let mut system = self.system.clone();
        let mut position = 0..;
        system.constraints.retain(|_| position.next().is_none_or(|i| !without.contains(&i)));
        let mut needed = obligations::of_proof(&system, self.property, certificate);
        let outcome = needed.try_for_each(|obligation: Obligation| {
            let left = self.until.left();
            if left.is_zero() {
                return Err(Rejected::NoAnswer(obligation.name, "the time is up".into()));
            }
            checker.try_one("premises", &obligation, (!is_counted()).then_some(left), WORK)
        });
        self.minimal &= !matches!(outcome, Err(Rejected::NoAnswer(..)));
        outcome.is_ok()
    }
}
