//! Houdini: the largest set of candidates that is inductive, as a greatest
//! fixpoint.
//!
//! All candidates are assumed at a step; what fails at the next, in some
//! model, is removed, until no model is left. What is removed could not be
//! part of any inductive set of candidates, so the result is the largest one,
//! whatever the order of the removals.
//!
//! Where properties are left, the same is done for induction over two steps,
//! and three.
//!
//! A model costs a query; a native step costs next to nothing. So each model is
//! followed for a few steps: whatever is reached from a step at which the
//! surviving candidates hold must satisfy them as well.

use std::time::Duration;

use lustral_smt::Fault;

use super::consecution::Step;
use super::learner::Learner;
use crate::engine::{Engine, Stop};
use crate::failure::Failure;
use crate::portfolio::{Asks, Description, Settles, Task};

/// The most steps that induction looks back.
const MOST_K: usize = 3;

/// The engine, as it describes itself.
pub static ENGINE: Description = Description {
    name: Houdini::NAME,
    help: "the largest inductive set of candidates",
    module: module_path!(),
    by_default: false,
    settles: Settles::Proofs,
    asks: Asks::TheSolver,
    quick: false,
    extends_depths: false,
    reads_candidates: true,
    options: &[&super::TEMPLATES],
    head_start: |company| {
        if company.large && company.has_quick_prover() {
            return Some(Duration::from_secs(2));
        }
        // To learn all that candidates say pays only where the part that the
        // properties ask for was not enough.
        let wait = Duration::from_secs(if company.jobs > 2 { 1 } else { 3 });
        company.has_usual_learner().then_some(wait)
    },
    again: None,
    make: |task| Ok(Box::new(Houdini::new(task)?)),
    reacts: None,
};

/// The engine.
pub struct Houdini<'t> {
    learner: Learner<'t>,
    phase: Phase,
    /// Whether only what was given is tried so far.
    given_only: bool,
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
        let given = Learner::of_given(task)?;
        let given_only = given.is_some();
        let learner = given.map_or_else(|| Houdini::with_templates(task), Ok)?;
        Ok(Houdini { learner, phase: Phase::Initiation, given_only })
    }

    fn with_templates(task: &'t Task) -> Result<Learner<'t>, Fault> {
        let learner = Learner::new(task, 1)?;
        learner.left_out().tell(&task.board, Houdini::NAME);
        Ok(learner)
    }

    /// What is not inductive may be so over more steps: all candidates again.
    fn look_back_further(&mut self) -> Result<(), Failure> {
        let (task, k) = (self.learner.task, self.learner.k + 1);
        self.phase = Phase::Done;
        if std::mem::take(&mut self.given_only) {
            if !task.is_settled() {
                self.learner = Houdini::with_templates(task)?;
                self.phase = Phase::Initiation;
            }
            return Ok(());
        }
        if k <= task.limits.within(MOST_K) && !task.is_settled() {
            self.learner = Learner::new(task, k)?;
            self.phase = Phase::Initiation;
        }
        Ok(())
    }

    fn round(&mut self) -> Result<(), Failure> {
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
                    Step::Fails(counterexample) => learner.absorb(&counterexample, learner.k)?,
                    Step::Holds(_) => {
                        let (queries, terms) = learner.queries();
                        tracing::debug!(facts = facts.len(), queries, terms, "houdini: done");
                        let proved = learner.targets();
                        learner.post(&proved, &facts, Houdini::NAME);
                        self.look_back_further()?;
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
        self.learner.task.advance(|| self.round().map(|()| self.phase == Phase::Done))
    }
}

#[cfg(test)]
mod tests {
    use super::super::templates::Templates;
    use super::super::tests::{Builder, settled};
    use super::*;

    /// x is what y was, and y follows x; nothing may be said of y.
    fn alternating() -> Task {
        let mut builder = Builder::default();
        let (x, y) = (builder.memory(0), builder.memory(0));
        let terms = &mut builder.system.terms;
        let (zero, one, five) = (terms.int(0), terms.int(1), terms.int(-5));
        let negative = terms.lt(x, zero);
        let more = terms.add(&[x, one]);
        let next = terms.ite(negative, five, more);
        let natural = terms.le(zero, x);
        builder.next(x, y);
        builder.next(y, next);
        builder.property(natural);
        let mut task = builder.task();
        task.options.learn.templates = Templates::NONE;
        task
    }

    #[test]
    fn looks_back_two_steps_where_one_is_not_enough() {
        let task = alternating();
        let mut engine = Houdini::new(&task).unwrap();
        while engine.learner.k == 1 {
            assert_eq!(engine.advance(), None);
            assert!(!settled(&task), "one step is not enough");
        }
        while engine.advance().is_none() {}
        assert!(settled(&task));
    }
}
