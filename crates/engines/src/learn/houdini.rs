//! Houdini: the largest set of candidates that is inductive.
//!
//! All candidates are assumed at a step; what fails at the next, in some
//! model, is removed, until no model is left. What is removed could not be
//! part of any inductive set of candidates, so the result is the largest one,
//! whatever the order of the removals.
//!
//! A model costs a query; a native step costs next to nothing. So each model is
//! followed for a few steps: whatever is reached from a step at which the
//! surviving candidates hold must satisfy them as well.

use lustral_smt::Fault;

use super::consecution::Step;
use super::learner::Learner;
use crate::engine::{Engine, Stop, Task};

/// The engine.
pub struct Houdini<'t> {
    learner: Learner<'t>,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Initiation,
    Consecution,
    Done,
}

impl<'t> Houdini<'t> {
    /// The name of the engine.
    pub const NAME: &'static str = "houdini";

    /// An engine before its first query.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn new(task: &'t Task) -> Result<Houdini<'t>, Fault> {
        Ok(Houdini { learner: Learner::new(task)?, phase: Phase::Initiation })
    }

    fn round(&mut self) -> Result<(), String> {
        let learner = &mut self.learner;
        match self.phase {
            Phase::Initiation => {
                if learner.initiation()? {
                    self.phase = Phase::Consecution;
                }
            }
            Phase::Consecution => {
                let facts = learner.facts();
                tracing::trace!(facts = facts.len(), "houdini: round");
                match learner.consecution(&facts, &facts)? {
                    Step::Fails(counterexample) => learner.absorb(&counterexample, 1)?,
                    Step::Holds(_) => {
                        let (queries, terms) = learner.queries();
                        tracing::debug!(facts = facts.len(), queries, terms, "houdini: done");
                        let proved = learner.targets();
                        learner.post(&proved, &facts, Houdini::NAME);
                        self.phase = Phase::Done;
                    }
                }
            }
            Phase::Done => {}
        }
        Ok(())
    }
}

impl Engine for Houdini<'_> {
    fn name(&self) -> &'static str {
        Houdini::NAME
    }

    fn advance(&mut self) -> Option<Stop> {
        if self.learner.task.is_settled() {
            return Some(Stop::Done);
        }
        if let Err(reason) = self.round() {
            return Some(Stop::GaveUp(reason));
        }
        (self.phase == Phase::Done).then_some(Stop::NothingLeft)
    }
}
