//! IC3 with implicit predicate abstraction (Cimatti, Griggio, Mover, Tonetta).
//!
//! Frames of cubes over predicates of the state are built for each property by
//! itself, from what it and the constraints depend on. Where the predicates
//! are too few to tell a trace of cubes from an execution, more are found by
//! substitution backwards along the trace, with the inputs projected away.
//!
//! Each open property has its turn; turns become longer from round to round,
//! and what was found in one is there in the next.

mod attempt;
mod forever;
mod frames;
mod generalise;
mod lift;
mod obligations;
mod predicates;
mod preimage;
mod refine;
mod steps;
#[cfg(test)]
mod tests;

use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use lustral_base::schedule::Moment;
use lustral_smt::Fault;
use lustral_system::{Predicate, Proof, PropId};
use rustc_hash::FxHashMap;

use crate::basis::Basis;
use crate::board::{Finding, Found, Lemma};
use crate::engine::{Engine, Stop};
use crate::failure::Failure;
use crate::patience::Trouble;
use crate::portfolio::{Asks, Description, Settles, Task};
use crate::search::BoundedSearch;
use crate::turns::Turns;
use crate::validate::validate;
use attempt::{Attempt, Progress};
use predicates::Cube;

/// The first turn of a property takes this long, each later one twice as long.
const FIRST_TURN: Duration = Duration::from_millis(250);

/// An advance takes about so long.
const SLICE: Duration = Duration::from_millis(25);

/// How long to look for a shorter execution than one that was found.
const SHORTEN: Duration = Duration::from_secs(1);

/// So many properties are remembered between their turns.
const REMEMBERED: usize = 8;

/// The engine, as it describes itself.
pub static ENGINE: Description = Description {
    name: Ic3::NAME,
    help: "IC3 with implicit predicate abstraction, for each property by itself: frames of cubes over predicates of the state, new predicates from preimages along spurious traces",
    module: module_path!(),
    by_default: true,
    settles: Settles::Both,
    asks: Asks::TheSolver,
    quick: false,
    extends_depths: false,
    reads_candidates: false,
    options: &[],
    head_start: |company| {
        // On few processors it would take from others what they need.
        let wait = Duration::from_millis(if company.jobs > 2 { 200 } else { 600 });
        company.has_workers().then_some(wait)
    },
    again: Some(6),
    make: |task| Ok(Box::new(Ic3::new(task)?)),
    reacts: None,
};

/// The engine `ic3`.
pub struct Ic3<'t> {
    task: &'t Task,
    attempts: FxHashMap<PropId, Attempt<'t>>,
    turns: Turns,
    /// Whose turn it is, and until when.
    current: Option<(PropId, Moment)>,
}

impl<'t> Ic3<'t> {
    /// The name of the engine.
    pub const NAME: &'static str = "ic3";

    /// An engine before its first turn.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn new(task: &'t Task) -> Result<Ic3<'t>, Fault> {
        let turns = Turns::new(task.system.properties.len(), FIRST_TURN);
        Ok(Ic3 { task, attempts: FxHashMap::default(), turns, current: None })
    }

    /// The property whose turn it is.
    fn current(&mut self) -> Result<(PropId, Moment), Stop> {
        let open = self.task.board.open();
        if let Some((property, until)) = self.current
            && open.contains(&property)
            && self.turns.is_tried(property)
            && Moment::now() < until
        {
            return Ok((property, until));
        }
        self.attempts.retain(|property, _| open.contains(property));
        let property = self.turns.next(&open)?;
        let until = Moment::now() + self.turns.length();
        self.current = Some((property, until));
        Ok((property, until))
    }

    fn attempt(&mut self, property: PropId) -> Result<&mut Attempt<'t>, Fault> {
        if !self.attempts.contains_key(&property) && self.attempts.len() >= REMEMBERED {
            self.attempts.clear();
        }
        Ok(match self.attempts.entry(property) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(Attempt::new(self.task, property)?),
        })
    }

    fn settle(&self, property: PropId, found: Found) {
        self.task.board.settle(Finding { property, found, engine: Ic3::NAME });
    }

    /// Posts a proof with the cubes that are never entered.
    fn prove(&self, property: PropId, cubes: &[Cube]) -> Result<(), Failure> {
        let Some(Attempt { predicates, typing, lemmas, .. }) = self.attempts.get(&property) else {
            return Ok(());
        };
        let clauses = predicates.clauses(cubes.iter());
        let terms = Arc::new(self.task.system.terms.clone());
        let goal = Predicate { terms, term: self.task.system.property(property).term };
        // The clauses are inductive together with the property.
        let conjuncts: Vec<Predicate> = clauses.iter().chain([&goal]).cloned().collect();
        let used = validate(self.task, property, &conjuncts, typing, lemmas)?;
        let used: Vec<&Arc<Lemma>> = used.into_iter().map(|i| &lemmas[i]).collect();
        let mut basis = Basis::new(1, typing.iter().chain(&clauses).cloned().collect());
        used.into_iter().for_each(|lemma| basis.unite(lemma));
        basis.add(property);
        let Basis { k, properties, invariants, .. } = basis.clone();
        let proof = Proof::Induction { k, properties, invariants, compression: None };
        self.settle(property, Found::Proof(proof));
        let whole = basis.lemma(goal);
        for predicate in clauses {
            self.task.board.post_lemma(Lemma { predicate, ..whole.clone() });
        }
        self.task.board.post_lemma(whole);
        Ok(())
    }

    /// Works on a property for a while; why it ends without an answer, if so.
    fn work(&mut self, property: PropId, until: Moment) -> Result<(), Stop> {
        let limit = self.turns.others_wait().then_some(self.turns.length());
        let slice = until.min(Moment::now() + SLICE);
        let attempt = self.attempt(property).map_err(|fault| Stop::GaveUp(fault.into()))?;
        match attempt.work(slice, limit) {
            Ok(Progress::More) => Ok(()),
            Ok(Progress::Invariant(cubes)) => self.prove(property, &cubes).map_err(Stop::GaveUp),
            Ok(Progress::Execution(length, inputs)) => {
                shorten(self.task, property, length);
                self.settle(property, Found::Execution(length, inputs));
                Ok(())
            }
            Ok(Progress::DepthLimit) => Err(self.task.limits.reached()),
            Ok(Progress::Nothing) => Err(Stop::NothingLeft),
            Err(Trouble::Slow) => {
                // More time next time.
                self.current = None;
                Ok(())
            }
            Err(trouble) => Err(Stop::GaveUp(trouble.reason())),
        }
    }
}

/// Looks for a shorter execution than one of so many steps, for a while, and
/// settles the property with it.
fn shorten(task: &Task, property: PropId, length: usize) {
    let until = Moment::now() + SHORTEN;
    let known = task.board.depth_of(property);
    if known + 1 >= length {
        return;
    }
    let Ok(mut search) = BoundedSearch::new(task, Ic3::NAME) else { return };
    for step in 0..length - 1 {
        let left = until.left();
        search.extend();
        search.limit(Some(left));
        let open = task.board.open().contains(&property);
        if left.is_zero() || !open || task.cancel.is_cancelled() {
            return;
        }
        if step >= known && search.falsify(&[property]).is_err() {
            return;
        }
    }
}

impl Engine for Ic3<'_> {
    fn name(&self) -> &'static str {
        Ic3::NAME
    }

    fn advance(&mut self) -> Option<Stop> {
        let (property, until) = match self.current() {
            Ok(current) => current,
            Err(stop) => return Some(stop),
        };
        if let Err(stop) = self.work(property, until)
            && !self.task.cancel.is_cancelled()
        {
            tracing::info!(property = property.0, ?stop, "ic3: no answer");
            self.attempts.remove(&property);
            self.turns.end(property, stop);
        }
        None
    }
}
