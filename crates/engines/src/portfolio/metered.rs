//! Sessions whose queries are recorded, and interrupted so that others have
//! their turn.
//!
//! A query that takes longer than a slice while others wait is broken off,
//! others work, and it is asked again with twice the time: solvers keep what
//! they learned, so that little is done twice.
//!
//! By a clock that counts work, limits are work as well: the solver's own units
//! in place of time.

use std::time::Duration;

use lustral_base::Cancel;
use lustral_base::profile::measured;
use lustral_base::schedule::{self, Moment};
use lustral_smt::smtlib::Logic;
use lustral_smt::{Fault, Outcome, Session, Solver, SolverOptions, open_session};
use lustral_term::{TermId, Terms, Value};

/// What a query may take before others have their turn, at first.
const SLICE: Duration = Duration::from_millis(100);

/// What one of the solver's units of work stands for.
const UNIT: Duration = Duration::from_nanos(400);

/// What every query costs beside the solver's work, by a clock that counts.
const QUERY: Duration = Duration::from_micros(100);

/// A session, what its queries are for, and what they may cost.
struct Metered {
    session: Box<dyn Session>,
    kind: &'static str,
    limit: Option<Duration>,
    /// Whether a query that was broken off can go on later: another process
    /// would have to begin again.
    resumes: bool,
}

/// Opens a session whose queries are recorded as of some kind, and share the
/// processor with others.
///
/// # Errors
/// If the solver cannot be started.
pub fn open(
    solver: &Solver,
    logic: Logic,
    options: &SolverOptions,
    cancel: &Cancel,
    kind: &'static str,
) -> Result<Box<dyn Session>, Fault> {
    let session = open_session(solver, logic, options, cancel)?;
    // Nor does Z3 go on where products were too hard: asked again, it gives up.
    let resumes = *solver == Solver::BuiltIn && !logic.nonlinear;
    Ok(Box::new(Metered { session, kind, limit: None, resumes }))
}

/// So much work, in units of the solver. The result is at least one.
pub(crate) fn units(time: Duration) -> u32 {
    let units = time.as_nanos().div_ceil(UNIT.as_nanos()).max(1);
    u32::try_from(units).unwrap_or(u32::MAX)
}

impl Metered {
    /// One part of a query, no longer than this.
    fn part(&mut self, terms: &Terms, literals: &[TermId], limit: Option<Duration>) -> Outcome {
        if !schedule::is_counted() {
            self.session.limit(limit);
            return self.session.check(terms, literals);
        }
        self.session.limit_work(limit.map(units));
        let before = self.session.work().unwrap_or(0);
        let outcome = self.session.check(terms, literals);
        let work = self.session.work().unwrap_or(0).wrapping_sub(before);
        schedule::charge(QUERY + UNIT * work);
        outcome
    }

    fn in_slices(&mut self, terms: &Terms, literals: &[TermId]) -> Outcome {
        let start = Moment::now();
        let mut slice = SLICE;
        loop {
            let left = self.limit.map(|limit| limit.saturating_sub(start.elapsed()));
            let crowded = schedule::is_counted() || self.resumes && schedule::is_crowded();
            let slices = crowded.then_some(slice);
            let limit = left.into_iter().chain(slices).min();
            let begun = Moment::now();
            let outcome = self.part(terms, literals, limit);
            let broken_off = matches!(outcome, Outcome::Unknown(_))
                && limit != left
                && slices.is_some_and(|slice| begun.elapsed() >= slice);
            if !broken_off || self.session.fault().is_some() {
                return outcome;
            }
            schedule::pause();
            slice *= 2;
        }
    }
}

impl Session for Metered {
    fn assert(&mut self, terms: &Terms, fact: TermId) {
        self.session.assert(terms, fact);
    }

    fn check(&mut self, terms: &Terms, literals: &[TermId]) -> Outcome {
        // Many short queries are as long as one.
        schedule::pause_after(SLICE);
        measured(self.kind, || self.in_slices(terms, literals))
    }

    fn limit(&mut self, limit: Option<Duration>) {
        self.limit = limit;
    }

    fn limit_work(&mut self, units: Option<u32>) {
        self.session.limit_work(units);
    }

    fn work(&self) -> Option<u32> {
        self.session.work()
    }

    fn fault(&self) -> Option<Fault> {
        self.session.fault()
    }

    fn core(&mut self) -> Vec<TermId> {
        self.session.core()
    }

    fn value(&mut self, terms: &Terms, term: TermId) -> Result<Value, Fault> {
        self.session.value(terms, term)
    }
}
