//! The termination check: is there an execution of n+1 steps, all in different
//! states? If not, n steps reach everything, and what held so far is proved.
//! This makes induction complete for programs with finitely many states.
//!
//! Hagen and Tinelli, equation (3), with the last step's equations included.

use std::time::Duration;

use lustral_base::schedule::Moment;
use lustral_smt::{Fault, Outcome, Session};
use lustral_term::VarId;

use crate::failure::Failure;
use crate::model::Model;
use crate::states::Literals;
use crate::task::Task;
use crate::unroll::{Start, Unroller};

/// The check, in a session of its own.
pub(crate) struct Termination<'t> {
    session: Box<dyn Session>,
    unroller: Unroller<'t>,
    /// The states that were asked about, and what makes each kind differ.
    literals: Literals,
    /// The time it has taken so far.
    pub spent: Duration,
}

impl<'t> Termination<'t> {
    pub fn new(task: &'t Task) -> Result<Termination<'t>, Fault> {
        let unroller = Unroller::new(&task.system, Start::Initial);
        let (literals, spent) = (Literals::default(), Duration::ZERO);
        Ok(Termination { session: task.session_for("termination")?, unroller, literals, spent })
    }

    /// Whether no execution has so many steps and one more, all in different
    /// states of these memories. Calls come with numbers that do not fall;
    /// steps that were left out are caught up with. `Err` if the solver gave up.
    pub fn reached(
        &mut self,
        steps: usize,
        memories: &[VarId],
        limit: Option<Duration>,
    ) -> Result<bool, Failure> {
        let start = Moment::now();
        self.session.limit(limit);
        let answer = self.ask(steps, memories);
        self.spent += start.elapsed();
        answer
    }

    fn ask(&mut self, steps: usize, memories: &[VarId]) -> Result<bool, Failure> {
        while self.unroller.len() <= steps {
            for fact in self.unroller.extend() {
                self.session.assert(&self.unroller.terms, fact);
            }
        }
        let (literal, _) = self.literals.find(memories, || self.unroller.literal());
        loop {
            match self.session.check(&self.unroller.terms, &[literal]) {
                Outcome::Unsat => return Ok(true),
                Outcome::Unknown(reason) => return Err(reason.into()),
                Outcome::Sat => {}
            }
            let model = Model::read(&mut *self.session, &self.unroller)?;
            let repeated = model.repeated(&self.unroller, memories);
            if repeated.is_empty() {
                return Ok(false);
            }
            for (first, second) in repeated {
                let different = self.unroller.different(memories, first, second);
                let fact = self.unroller.terms.implies(literal, different);
                self.session.assert(&self.unroller.terms, fact);
            }
        }
    }
}
