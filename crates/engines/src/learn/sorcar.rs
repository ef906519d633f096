//! Sorcar: Houdini for a property.
//!
//! Only *relevant* candidates are assumed and shown: those that were needed to
//! exclude the first step of some counterexample. Where no candidate excludes
//! it, the second step is one that every inductive set of candidates admits,
//! and the candidates that fail there go, as in Houdini. So irrelevant ones
//! are never asked about, and there are at most two rounds for each candidate. Candidates
//! about what the failure reads come first: the counters of other modes have any value
//! in a counterexample, and whatever is known of them excludes it without being of use.

use std::time::Duration;

use lustral_smt::Fault;
use lustral_term::TermId;
use rustc_hash::FxHashSet;

use super::consecution::Step;
use super::learner::Learner;
use crate::engine::{Engine, Stop};
use crate::failure::Failure;
use crate::portfolio::{Asks, Description, Settles, Task};

/// How many candidates a counterexample may make relevant.
const MOST_AT_ONCE: usize = 3;

/// The engine, as it describes itself.
pub static ENGINE: Description = Description {
    name: Sorcar::NAME,
    help: "the part of the candidates that a property needs, inductive together, found forwards",
    module: module_path!(),
    by_default: true,
    settles: Settles::Proofs,
    asks: Asks::TheSolver,
    quick: false,
    extends_depths: false,
    reads_candidates: true,
    options: &[&super::TEMPLATES],
    head_start: |company| {
        let wait = company.large && company.has_quick_prover();
        wait.then_some(Duration::from_secs(2))
    },
    again: Some(3),
    make: |task| Ok(Box::new(Sorcar::new(task)?)),
    reacts: None,
};

/// The engine.
pub struct Sorcar<'t> {
    learner: Learner<'t>,
    initiated: bool,
    relevant: Vec<TermId>,
    /// Whether only what was given is tried so far.
    given_only: bool,
}

impl<'t> Sorcar<'t> {
    /// The name of the engine.
    pub const NAME: &'static str = "sorcar";

    /// An engine before its first query.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn new(task: &'t Task) -> Result<Sorcar<'t>, Fault> {
        let given = Learner::of_given(task)?;
        let given_only = given.is_some();
        let learner = given.map_or_else(|| Sorcar::with_templates(task), Ok)?;
        Ok(Sorcar { learner, initiated: false, relevant: Vec::new(), given_only })
    }

    fn with_templates(task: &'t Task) -> Result<Learner<'t>, Fault> {
        let learner = Learner::new(task, 1)?;
        learner.left_out().tell(&task.board, Sorcar::NAME);
        Ok(learner)
    }

    /// One query; whether it was the last.
    fn round(&mut self) -> Result<bool, Failure> {
        let is_last = self.query()?;
        let task = self.learner.task;
        if !is_last || !self.given_only || task.is_settled() {
            return Ok(is_last);
        }
        let (initiated, relevant, given_only) = (false, Vec::new(), false);
        let learner = Sorcar::with_templates(task)?;
        *self = Sorcar { learner, initiated, relevant, given_only };
        Ok(false)
    }

    fn query(&mut self) -> Result<bool, Failure> {
        let learner = &mut self.learner;
        if !self.initiated {
            self.initiated = learner.initiation()?;
            return Ok(false);
        }
        let facts = learner.facts();
        let left: FxHashSet<TermId> = facts.iter().copied().collect();
        self.relevant.retain(|candidate| left.contains(candidate));
        let targets = learner.targets();
        if targets.is_empty() {
            return Ok(true);
        }
        let goals: FxHashSet<TermId> = targets.iter().map(|p| learner.term(*p)).collect();
        let mut set: Vec<TermId> = goals.iter().copied().collect();
        set.sort_unstable();
        set.extend(self.relevant.iter().filter(|c| !goals.contains(c)));
        tracing::trace!(relevant = set.len(), facts = facts.len(), "sorcar: round");
        match learner.consecution(&set, &set)? {
            Step::Holds(_) => {
                let (queries, terms) = learner.queries();
                tracing::debug!(
                    relevant = set.len(),
                    facts = facts.len(),
                    queries,
                    terms,
                    "sorcar: done"
                );
                learner.post(&targets, &set, Sorcar::NAME);
                return Ok(true);
            }
            Step::Fails(counterexample) => {
                let mut excluding = learner.failing(&counterexample, 0, &facts);
                if excluding.is_empty() {
                    learner.absorb(&counterexample, 1)?;
                } else {
                    let about = learner.about_what_fails(&counterexample, &set, &excluding);
                    if !about.is_empty() {
                        excluding = about;
                    }
                    excluding.sort_by_cached_key(|c| (learner.cost(*c), *c));
                    excluding.truncate(MOST_AT_ONCE);
                    self.relevant.append(&mut excluding);
                }
            }
        }
        Ok(false)
    }
}

impl Engine for Sorcar<'_> {
    fn name(&self) -> &'static str {
        Sorcar::NAME
    }

    fn advance(&mut self) -> Option<Stop> {
        self.learner.task.advance(|| self.round())
    }
}
