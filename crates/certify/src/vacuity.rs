//! Valid properties that say nothing of the program.
//!
//! `a => b` is true of every execution in which `a` never is, whatever `b` says; mostly that
//! is a mistake. Where the proof of the property passes as a proof that `a` never holds, that is
//! known for sure, and nothing else is looked for: this costs one query for most properties. So
//! a property of which nothing is said here may say nothing all the same.
//!
//! And `x = x` is true of every program: it holds whatever the flows are.

use std::time::Duration;

use lustral_base::schedule::is_counted;
use lustral_system::{Certificate, Predicate, PropId, Role, TransitionSystem};
use lustral_term::TermId;
use std::sync::Arc;

use crate::obligations::{self, Obligation};
use crate::proof::ProofChecker;
use crate::{Answer, Checked, OfProperty, queries};

/// How a valid property says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vacuous {
    /// Its condition never holds.
    Condition,
    /// It holds whatever the flows are that it speaks of.
    Tautology,
}

/// The work of the solver for an obligation, in its own units, some hundredths of a second's:
/// nobody waits for this.
const WORK: u32 = 200_000;
/// The time for one, where no clock counts work.
const TIME: Duration = Duration::from_millis(100);

impl ProofChecker {
    /// Looks whether a property that was proved of a system says anything, given the term of the
    /// system that says that its condition does not hold, if it has one.
    #[must_use]
    pub fn with_vacuity(
        &mut self,
        system: &TransitionSystem,
        idle: Option<TermId>,
        answer: Checked<Answer>,
    ) -> Checked<Answer> {
        let Answer::Valid(certificate) = answer.get() else { return answer };
        let property = answer.property();
        let vacuous = if self.is_tautology(system, property) {
            Some(Vacuous::Tautology)
        } else {
            idle.filter(|idle| self.never_applies(system, (property, *idle), certificate))
                .map(|_| Vacuous::Condition)
        };
        let about = OfProperty { vacuous, ..answer.about };
        Checked { about, ..answer }
    }

    /// Whether a property holds whatever the flows are: of a system without equations and bounds.
    fn is_tautology(&mut self, system: &TransitionSystem, property: PropId) -> bool {
        let term = system.property(property).term;
        if system.terms.value(term).is_some() || system.terms.var(term).is_some() {
            // A flow by itself may have any value. A constant is true, or it would not be valid.
            return system.terms.var(term).is_none();
        }
        let mut free = system.clone();
        for variable in &mut free.variables {
            (variable.role, variable.range) = (Role::Input, None);
        }
        free.definitions.clear();
        free.constraints.clear();
        let goal = [Predicate { terms: Arc::new(free.terms.clone()), term }];
        self.passes(&queries::implication(&free, &[], &goal))
    }

    /// Whether a proof of a property passes as one of what takes its place: that its condition never holds.
    fn never_applies(
        &mut self,
        system: &TransitionSystem,
        (property, idle): (PropId, TermId),
        certificate: &Certificate,
    ) -> bool {
        let mut instead = system.clone();
        instead.properties[property.index()].term = idle;
        // What fails mostly is the step case, and then that is the only question.
        let obligations = || obligations::of_proof(&instead, property, certificate);
        let mut steps = obligations().filter(Obligation::is_step_case);
        let mut others = obligations().filter(|obligation| !obligation.is_step_case());
        steps.all(|step| self.passes(&step)) && others.all(|other| self.passes(&other))
    }

    fn passes(&mut self, obligation: &Obligation) -> bool {
        let time = (!is_counted()).then_some(TIME);
        self.try_one("vacuity", obligation, time, WORK).is_ok()
    }
}
