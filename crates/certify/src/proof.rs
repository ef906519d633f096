//! Checking proofs in the process, in a fresh solver.

use lustral_smt::{Cancel, Dialogue, Outcome, Z3Text};
use lustral_system::{Certificate, Predicate, Proof, PropId, TransitionSystem};

use crate::obligations::{self, Expected, Obligation};
use crate::{Answer, Checked, Rejected};

/// Checks the proof of a property.
///
/// # Errors
/// If an obligation fails, or the solver cannot tell.
pub fn check_proof(
    system: &TransitionSystem,
    property: PropId,
    certificate: Certificate,
    cancel: &Cancel,
) -> Result<Checked<Answer>, Rejected> {
    let goal = Predicate {
        terms: std::sync::Arc::new(system.terms.clone()),
        term: system.property(property).term,
    };
    let goal = std::slice::from_ref(&goal);
    let mut checker = Checker::new(cancel)?;
    match &certificate.proof {
        Proof::Induction { k, .. } if *k == 0 => {
            return Err(Rejected::Obligation("k is at least 1".into()));
        }
        Proof::Induction { k, .. } => {
            let invariants = &certificate.inductive(system);
            for depth in 0..*k {
                checker.check(&obligations::base(system, invariants, depth, "the invariant"))?;
            }
            checker.check(&obligations::step_case(system, invariants, *k))?;
            checker.check(&obligations::implication(system, invariants, goal))?;
        }
        Proof::Exhausted { steps } => {
            for depth in 0..*steps {
                checker.check(&obligations::base(system, goal, depth, "the property"))?;
            }
            checker.check(&obligations::blocked(system, *steps))?;
        }
    }
    // A proof about no execution at all is no proof of anything.
    if !system.constraints.is_empty() {
        checker.check(&obligations::initial_state(system))?;
    }
    Ok(Checked { answer: Answer::Valid(certificate) })
}

/// Checks that no execution has a step with this number.
///
/// # Errors
/// If some execution has, or the solver cannot tell.
pub fn check_blocked(
    system: &TransitionSystem,
    step: usize,
    cancel: &Cancel,
) -> Result<(), Rejected> {
    Checker::new(cancel)?.check(&obligations::blocked(system, step))
}

struct Checker {
    solver: Z3Text,
}

impl Checker {
    fn new(cancel: &Cancel) -> Result<Checker, Rejected> {
        let fault = |f: lustral_smt::Fault| Rejected::NoAnswer("start".into(), f.to_string());
        Ok(Checker { solver: Z3Text::new(cancel.clone()).map_err(fault)? })
    }

    fn check(&mut self, obligation: &Obligation) -> Result<(), Rejected> {
        let no_answer = |reason: String| Rejected::NoAnswer(obligation.name.clone(), reason);
        // Each obligation alone, as its file would be: nothing of another remains.
        let told = self.solver.tell("(reset)").and_then(|()| self.solver.tell(&obligation.text));
        told.map_err(|f| no_answer(f.to_string()))?;
        let outcome = self.solver.query("(check-sat)");
        tracing::debug!(obligation = obligation.name, ?outcome, "certify");
        match (outcome, obligation.expected) {
            (Outcome::Unsat, Expected::Unsat) | (Outcome::Sat, Expected::Sat) => Ok(()),
            (Outcome::Unknown(reason), _) => Err(no_answer(reason)),
            _ => Err(Rejected::Obligation(obligation.name.clone())),
        }
    }
}
