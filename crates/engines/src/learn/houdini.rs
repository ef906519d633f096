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

use std::sync::Arc;

use lustral_smt::Fault;
use lustral_system::{Predicate, Proof, PropId};
use lustral_term::TermId;

use super::consecution::{Consecution, Counterexample, Step};
use super::pool::Pool;
use super::walk::Walk;
use crate::board::{Finding, Found, Lemma};
use crate::engine::{Engine, Stop, Task};

/// The engine.
pub struct Houdini<'t> {
    task: &'t Task,
    pool: Pool,
    first: Consecution<'t>,
    step: Consecution<'t>,
    walk: Walk<'t>,
    /// What is left of the candidates, if no row came since it was listed.
    facts: Option<Vec<TermId>>,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Simulation,
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
        let mut pool = Pool::new(&task.system, task.templates);
        for property in task.board.open() {
            pool.give(task.system.property(property).term);
        }
        Ok(Houdini {
            task,
            pool,
            first: Consecution::new(task, 0)?,
            step: Consecution::new(task, 1)?,
            walk: Walk::new(task),
            facts: None,
            phase: Phase::Simulation,
        })
    }

    fn facts(&mut self) -> Vec<TermId> {
        let pool = &mut self.pool;
        self.facts.get_or_insert_with(|| pool.facts()).clone()
    }

    /// Removes what the last step of a counterexample refutes, and what is
    /// refuted from there on.
    fn absorb(&mut self, counterexample: &Counterexample, last: usize) -> Result<(), String> {
        let system = &self.task.system;
        let before = self.facts();
        let value = |var| counterexample.value(last, var, system);
        let row = self.pool.row(counterexample.divisions(), value);
        self.pool.absorb(&row, false);
        self.facts = None;
        let pool = &mut self.pool;
        self.walk.from(counterexample.divisions(), value, |by_zero, value| {
            let row = pool.row(by_zero, value);
            pool.absorb(&row, false);
        });
        // Every model removes something, or this would not end.
        if self.facts() == before {
            return Err("the solver's model refutes no candidate".into());
        }
        Ok(())
    }

    fn round(&mut self) -> Result<(), String> {
        let facts = self.facts();
        match self.phase {
            Phase::Simulation => {
                let pool = &mut self.pool;
                self.walk.executions(|by_zero, value| {
                    let row = pool.row(by_zero, value);
                    pool.absorb(&row, true);
                });
                self.facts = None;
                self.phase = Phase::Initiation;
            }
            Phase::Initiation => match self.first.ask(&self.pool.terms, &[], &facts)? {
                Step::Fails(counterexample) => self.absorb(&counterexample, 0)?,
                Step::Holds(_) => self.phase = Phase::Consecution,
            },
            Phase::Consecution => match self.step.ask(&self.pool.terms, &facts, &facts)? {
                Step::Fails(counterexample) => self.absorb(&counterexample, 1)?,
                Step::Holds(_) => {
                    tracing::debug!(
                        facts = facts.len(),
                        queries = self.step.queries + self.first.queries,
                        "houdini"
                    );
                    self.post(&facts);
                    self.phase = Phase::Done;
                }
            },
            Phase::Done => {}
        }
        Ok(())
    }

    /// Posts what was learned, and settles the properties that are part of it.
    fn post(&self, facts: &[TermId]) {
        let task = self.task;
        let term = |p: &PropId| task.system.property(*p).term;
        let (proved, _): (Vec<PropId>, Vec<PropId>) =
            task.board.open().into_iter().partition(|p| self.pool.holds(term(p)));
        let terms: Vec<TermId> = proved.iter().map(term).collect();
        let facts: Vec<TermId> = facts.iter().copied().filter(|f| !terms.contains(f)).collect();
        let typing = task.system.typing.iter();
        let predicates = self.pool.predicates(&facts);
        let mut basis: Vec<Predicate> = predicates.clone();
        if let Some(arena) = predicates.first().map(|p| p.terms.clone()) {
            basis.extend(typing.map(|t| Predicate { terms: arena.clone(), term: *t }));
        }
        for property in &proved {
            let proof = Proof::Induction {
                k: 1,
                properties: proved.clone(),
                invariants: basis.clone(),
                compression: false,
            };
            let found = Found::Proof(proof);
            task.board.settle(Finding { property: *property, found, engine: Houdini::NAME });
        }
        let basis: Arc<[Predicate]> = basis.into();
        for predicate in predicates {
            task.board.post_lemma(Lemma {
                predicate,
                k: 1,
                properties: proved.clone(),
                invariants: basis.clone(),
                compression: false,
            });
        }
    }
}

impl Engine for Houdini<'_> {
    fn name(&self) -> &'static str {
        Houdini::NAME
    }

    fn advance(&mut self) -> Option<Stop> {
        if self.task.board.open().is_empty() {
            return Some(Stop::Done);
        }
        if let Err(reason) = self.round() {
            return Some(Stop::GaveUp(reason));
        }
        (self.phase == Phase::Done).then_some(Stop::NothingLeft)
    }
}
