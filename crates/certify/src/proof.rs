//! Checking proofs in the process, in a fresh solver.

use lustral_smt::{Cancel, Dialogue, Outcome, Z3Text};
use lustral_system::{Certificate, Predicate, Proof, PropId, TransitionSystem};

use crate::obligations::{self, Expected, Obligation};
use crate::{Answer, Checked, Rejected};

/// Checks proofs, all of a run in one fresh solver, each obligation alone.
pub struct ProofChecker {
    solver: Z3Text,
}

impl ProofChecker {
    /// A checker with a solver of its own.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn new(cancel: &Cancel) -> Result<ProofChecker, Rejected> {
        let fault = |f: lustral_smt::Fault| Rejected::NoAnswer("start".into(), f.to_string());
        Ok(ProofChecker { solver: Z3Text::new(cancel.clone()).map_err(fault)? })
    }

    /// Checks the proof of a property.
    ///
    /// # Errors
    /// If an obligation fails, or the solver cannot tell.
    pub fn check(
        &mut self,
        system: &TransitionSystem,
        property: PropId,
        certificate: Certificate,
    ) -> Result<Checked<Answer>, Rejected> {
        let goal = Predicate {
            terms: std::sync::Arc::new(system.terms.clone()),
            term: system.property(property).term,
        };
        let goal = std::slice::from_ref(&goal);
        match &certificate.proof {
            Proof::Induction { k, .. } if *k == 0 => {
                return Err(Rejected::Obligation("k is at least 1".into()));
            }
            Proof::Induction { k, compression, .. } => {
                let invariants = &certificate.inductive(system);
                for depth in 0..*k {
                    self.one(&obligations::base(system, invariants, depth, "the invariant"))?;
                }
                self.one(&obligations::step_case(system, invariants, *k, *compression))?;
                self.one(&obligations::implication(system, invariants, goal))?;
            }
            Proof::Exhausted { steps } => {
                for depth in 0..*steps {
                    self.one(&obligations::base(system, goal, depth, "the property"))?;
                }
                self.one(&obligations::exhausted(system, goal, *steps))?;
            }
        }
        // A proof about no execution at all is no proof of anything.
        if !system.constraints.is_empty() {
            self.one(&obligations::initial_state(system))?;
        }
        Ok(Checked { answer: Answer::Valid(certificate) })
    }

    fn query(
        &mut self,
        scope: &str,
        obligation: &Obligation,
    ) -> Result<Outcome, lustral_smt::Fault> {
        self.solver.tell(scope)?;
        self.solver.tell(&obligation.text)?;
        Ok(self.solver.query("(check-sat)"))
    }

    fn one(&mut self, obligation: &Obligation) -> Result<(), Rejected> {
        let no_answer = |reason: String| Rejected::NoAnswer(obligation.name.clone(), reason);
        // In a scope of its own, so that nothing of another obligation remains.
        // That also makes Z3 use its incremental core, which is far quicker on
        // these queries than its preprocessing; where it gives up, the other
        // is tried.
        let outcome = self.query("(push 1)", obligation).and_then(|outcome| match outcome {
            Outcome::Unknown(_) => self.query("(reset)", obligation),
            _ => self.solver.tell("(pop 1)").map(|()| outcome),
        });
        let outcome = outcome.map_err(|f| no_answer(f.to_string()))?;
        tracing::debug!(obligation = obligation.name, ?outcome, "certify");
        match (outcome, obligation.expected) {
            (Outcome::Unsat, Expected::Unsat) | (Outcome::Sat, Expected::Sat) => Ok(()),
            (Outcome::Unknown(reason), _) => Err(no_answer(reason)),
            _ => Err(Rejected::Obligation(obligation.name.clone())),
        }
    }
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
    ProofChecker::new(cancel)?.one(&obligations::blocked(system, step))
}
