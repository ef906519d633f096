//! Executions of growing length, step by step, in one solver session.

use std::time::Duration;

use lustral_base::schedule::Moment;
use lustral_smt::{Fault, Outcome, Session, Solver};
use lustral_system::PropId;
use lustral_term::{TermId, Terms};

use crate::board::{Finding, Found};
use crate::failure::Misfit;
use crate::model::Model;
use crate::patience::Trouble;
use crate::task::Task;
use crate::unroll::{Start, Unroller};

/// A search for executions at whose last step a property fails.
pub(crate) struct BoundedSearch<'t> {
    task: &'t Task,
    session: Box<dyn Session>,
    unroller: Unroller<'t>,
    limit: Option<Duration>,
    engine: &'static str,
}

impl<'t> BoundedSearch<'t> {
    /// A search before its first step.
    pub fn new(task: &'t Task, engine: &'static str) -> Result<BoundedSearch<'t>, Fault> {
        BoundedSearch::with_solver(task, &task.sessions.solver, engine)
    }

    /// A search with a solver that is chosen for it.
    pub fn with_solver(
        task: &'t Task,
        solver: &Solver,
        engine: &'static str,
    ) -> Result<BoundedSearch<'t>, Fault> {
        let unroller = Unroller::new(&task.system, Start::Initial);
        let session = task.session_with(solver, "base")?;
        Ok(BoundedSearch { task, session, unroller, limit: None, engine })
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.unroller.len()
    }

    /// How long each query may take from now on.
    pub fn limit(&mut self, limit: Option<Duration>) {
        self.limit = limit;
        self.session.limit(limit);
    }

    /// Why the solver has no answer to anything any more, if that is so.
    pub fn fault(&self) -> Option<Fault> {
        self.session.fault()
    }

    fn assert(&mut self, facts: Vec<TermId>) {
        for fact in facts {
            self.session.assert(&self.unroller.terms, fact);
        }
    }

    /// Adds a step.
    pub fn extend(&mut self) {
        let facts = self.unroller.extend();
        self.assert(facts);
    }

    /// Whether there is no execution of the steps so far. `Err` if the solver gave up.
    pub fn blocked(&mut self) -> Result<bool, Trouble> {
        // Where a part is assumed only, an execution that ends says nothing of
        // the program's own.
        if self.task.system.constraints.is_empty() || self.task.system.assumption.is_some() {
            return Ok(false);
        }
        let start = Moment::now();
        match self.session.check(&self.unroller.terms, &[]) {
            Outcome::Sat => Ok(false),
            Outcome::Unsat => Ok(true),
            Outcome::Unknown(reason) => Err(Trouble::of(reason, start, self.limit)),
        }
    }

    /// Looks for executions that falsify some properties at the last step,
    /// until there are none. `Err` if the solver gave up.
    pub fn falsify(&mut self, properties: &[PropId]) -> Result<(), Trouble> {
        let step = self.len() - 1;
        loop {
            let open = self.task.board.open();
            let holds: Vec<(PropId, TermId)> = properties
                .iter()
                .filter(|p| open.binary_search(p).is_ok())
                .map(|p| (*p, self.unroller.at(step, self.task.system.property(*p).term)))
                .collect();
            let due = self.unroller.due();
            self.assert(due);
            let terms = &mut self.unroller.terms;
            let fails: Vec<TermId> = holds.iter().map(|(_, t)| terms.not(*t)).collect();
            let some_fails = terms.or(fails);
            if some_fails == Terms::FALSE {
                return Ok(());
            }
            let literal = self.unroller.literal();
            let query = self.unroller.terms.implies(literal, some_fails);
            self.session.assert(&self.unroller.terms, query);
            let start = Moment::now();
            let outcome = self.session.check(&self.unroller.terms, &[literal]);
            tracing::debug!(step, properties = holds.len(), ?outcome, "falsify");
            let result = match outcome {
                Outcome::Unknown(ref reason) => Err(Trouble::of(reason.clone(), start, self.limit)),
                Outcome::Sat => self.post(step, &holds),
                Outcome::Unsat => Ok(()),
            };
            // The literal is of no use any more; a query that was too hard must
            // not be there for the next one. What was shown is of use.
            let gone = self.unroller.terms.not(literal);
            self.session.assert(&self.unroller.terms, gone);
            if outcome == Outcome::Unsat {
                self.assert(holds.into_iter().map(|(_, holds)| holds).collect());
                return Ok(());
            }
            result?;
        }
    }

    /// Posts the execution of the model for every property that fails in it.
    fn post(&mut self, step: usize, holds: &[(PropId, TermId)]) -> Result<(), Trouble> {
        let model = Model::read(&mut *self.session, &self.unroller)?;
        let mut evaluation = model.evaluator(&self.unroller.terms);
        let mut found = false;
        for (property, term) in holds {
            if !evaluation.eval(*term).is_true() {
                found = true;
                self.task.board.settle(Finding {
                    property: *property,
                    found: Found::Execution(step + 1, model.inputs.clone()),
                    engine: self.engine,
                });
            }
        }
        // A model in which nothing fails would make this go on forever.
        if found { Ok(()) } else { Err(Misfit::NoCounterexample.into()) }
    }
}
