//! Bounded model checking: is there an execution of n steps at whose last a
//! property fails? All open properties together, n growing, in one session.

use lustral_smt::{Fault, Outcome, Session};
use lustral_system::{Proof, PropId, States};
use lustral_term::{TermId, Terms};

use crate::board::{Finding, Found};
use crate::engine::{Engine, Stop, Task};
use crate::model::Model;
use crate::unroll::{Start, Unroller};

/// The engine `bmc`.
pub struct Bmc<'t> {
    task: &'t Task,
    session: Box<dyn Session>,
    unroller: Unroller<'t>,
}

impl<'t> Bmc<'t> {
    /// The name of the engine.
    pub const NAME: &'static str = "bmc";

    /// An engine before its first step.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn new(task: &'t Task) -> Result<Bmc<'t>, Fault> {
        let unroller = Unroller::new(&task.system, Start::Initial);
        Ok(Bmc { task, session: task.session()?, unroller })
    }

    fn assert(&mut self, facts: Vec<TermId>) {
        for fact in facts {
            self.session.assert(&self.unroller.terms, fact);
        }
    }

    /// Looks for executions that falsify open properties at a step, until
    /// there are none. `Err` if the solver gave up.
    fn falsify(&mut self, step: usize) -> Result<(), String> {
        loop {
            let open = self.task.board.open();
            let holds: Vec<(PropId, TermId)> = open
                .iter()
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
            let outcome = self.session.check(&self.unroller.terms, &[literal]);
            tracing::debug!(step, ?outcome, "falsify");
            match outcome {
                Outcome::Unknown(reason) => return Err(reason),
                Outcome::Sat => self.post(step, &holds)?,
                Outcome::Unsat => {
                    // The literal is of no use any more; what was shown is.
                    let gone = self.unroller.terms.not(literal);
                    self.session.assert(&self.unroller.terms, gone);
                    for (_, holds) in &holds {
                        self.session.assert(&self.unroller.terms, *holds);
                    }
                    return Ok(());
                }
            }
        }
    }

    /// Posts the execution of the model for every property that fails in it.
    fn post(&mut self, step: usize, holds: &[(PropId, TermId)]) -> Result<(), String> {
        let fault = |f: Fault| f.to_string();
        let model = Model::read(&mut *self.session, &self.unroller).map_err(fault)?;
        let mut evaluation = model.evaluator(&self.unroller.terms);
        let mut found = false;
        for (property, term) in holds {
            if !evaluation.eval(*term).is_true() {
                found = true;
                self.task.board.settle(Finding {
                    property: *property,
                    found: Found::Execution(step + 1, model.inputs.clone()),
                    engine: Bmc::NAME,
                });
            }
        }
        // A model in which nothing fails would make this go on forever.
        if found { Ok(()) } else { Err("the solver's model is no counterexample".into()) }
    }

    /// Whether there is an execution of the steps so far.
    fn blocked(&mut self) -> Result<bool, String> {
        if self.task.system.constraints.is_empty() {
            return Ok(false);
        }
        match self.session.check(&self.unroller.terms, &[]) {
            Outcome::Sat => Ok(false),
            Outcome::Unsat => Ok(true),
            Outcome::Unknown(reason) => Err(reason),
        }
    }
}

impl Engine for Bmc<'_> {
    fn name(&self) -> &'static str {
        Bmc::NAME
    }

    fn advance(&mut self) -> Option<Stop> {
        let step = self.unroller.len();
        if self.task.board.open().is_empty() {
            return Some(Stop::Done);
        }
        if step > self.task.max_k {
            return Some(Stop::DepthLimit(self.task.max_k));
        }
        let facts = self.unroller.extend();
        self.assert(facts);
        // The solver's answer to "does a property fail" is no if there is no
        // execution at all, so that is asked where it can make a difference.
        match self.blocked() {
            Err(reason) => return Some(Stop::GaveUp(reason)),
            Ok(true) => {
                let states = States::of(&self.task.system);
                let proof = Proof::Exhausted { steps: step, states };
                for property in self.task.board.open() {
                    let found = Found::Proof(proof.clone());
                    self.task.board.settle(Finding { property, found, engine: Bmc::NAME });
                }
                return Some(Stop::Done);
            }
            Ok(false) => {}
        }
        if let Err(reason) = self.falsify(step) {
            return Some(Stop::GaveUp(reason));
        }
        self.task.board.post_depth(&self.task.board.open(), step + 1);
        None
    }
}
