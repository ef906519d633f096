//! Checking proofs in the process, in a fresh solver.

use std::time::Duration;

use lustral_base::Cancel;
use lustral_base::profile::measured;
use lustral_smt::{Dialogue, Fault, Outcome, Z3Text, limit_of_work};
use lustral_system::{Certificate, Predicate, Proof, PropId, TransitionSystem};

use crate::nearby::{self, Shown};
use crate::obligations::{self, Expected, Obligation};
use crate::{Answer, Checked, Rejected, queries, slices};

/// The work of the solver, in its own units, for what is near to an invariant: about a tenth of a second's.
const NEARBY: u32 = 500_000;

/// Checks proofs, all of a run in one fresh solver, each obligation alone.
pub struct ProofChecker {
    solver: Z3Text,
    cancel: Cancel,
}

impl ProofChecker {
    /// A checker with a solver of its own.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn new(cancel: &Cancel) -> Result<ProofChecker, Rejected> {
        ProofChecker::with(Z3Text::new(cancel.clone()), cancel)
    }

    /// A checker for a thread on which nothing is proved: until something goes
    /// wrong, its solver is in the context of the thread.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn on_this_thread(cancel: &Cancel) -> Result<ProofChecker, Rejected> {
        ProofChecker::with(Z3Text::on_this_thread(cancel.clone()), cancel)
    }

    fn with(solver: Result<Z3Text, Fault>, cancel: &Cancel) -> Result<ProofChecker, Rejected> {
        let fault = |f: Fault| Rejected::NoAnswer("start".into(), f.to_string());
        Ok(ProofChecker { solver: solver.map_err(fault)?, cancel: cancel.clone() })
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
        if let Some(fault) = obligations::malformed(system, &certificate) {
            return Err(Rejected::Obligation(fault));
        }
        let shown = self.by_slices(system, &certificate);
        // What is among the invariants follows from them.
        let is_among = match &certificate.proof {
            Proof::Induction { properties, .. } => properties.contains(&property),
            Proof::Exhausted { .. } => false,
        };
        let needed = obligations::needed(system, property, &certificate);
        let mut left = needed.filter(|obligation| {
            let known = shown.base && obligation.is_first_case()
                || shown.step && obligation.is_step_case()
                || is_among && obligation.is_implication();
            !known
        });
        left.try_for_each(|obligation| self.one(&obligation))?;
        drop(left);
        Ok(Checked::new(system, property, Answer::Valid(certificate)))
    }

    /// What of a proof passes by slices. What does not may pass as a whole.
    fn by_slices(&mut self, system: &TransitionSystem, certificate: &Certificate) -> Shown {
        let Proof::Induction { k: 1, compression: None, .. } = certificate.proof else {
            return Shown::default();
        };
        let list = certificate.inductive(system);
        if slices::is_large(&list) {
            let step = slices::show_step_case(system, &list, &mut |slice| self.one(slice).is_ok());
            return Shown { base: false, step };
        }
        // With less known, a question may be harder than as a whole.
        nearby::show(system, &list, &mut |part| {
            self.try_one(kind(part), part, None, NEARBY).is_ok()
        })
    }

    /// Whether a property of a large system is seen to be inductive by itself, by what is near to it. A suggestion:
    /// the proof that says so is checked like any other.
    pub fn is_inductive_alone(&mut self, system: &TransitionSystem, property: PropId) -> bool {
        let list = Certificate::alone(property).inductive(system);
        let mut passes = |part: &Obligation| self.try_one(kind(part), part, None, NEARBY).is_ok();
        nearby::show_step_case(system, &list, &mut passes)
    }

    /// Checks that there is an execution.
    pub(crate) fn check_not_about_nothing(
        &mut self,
        system: &TransitionSystem,
    ) -> Result<(), Rejected> {
        obligations::about_something(system).try_for_each(|obligation| self.one(&obligation))
    }

    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Checks that some predicates are true initially and inductive together.
    ///
    /// # Errors
    /// If they are not, or the solver cannot tell.
    pub fn check_inductive(
        &mut self,
        system: &TransitionSystem,
        predicates: &[Predicate],
    ) -> Result<(), Rejected> {
        self.one(&queries::base(system, predicates, 0, "the invariant"))?;
        self.one(&queries::step_case(system, predicates, 1, None))
    }

    /// Checks that some goals hold at the first step, and at each step after one
    /// at which some hypotheses hold.
    ///
    /// # Errors
    /// If they do not, or the solver cannot tell.
    pub fn check_next(
        &mut self,
        system: &TransitionSystem,
        hypotheses: &[Predicate],
        goals: &[Predicate],
    ) -> Result<(), Rejected> {
        self.one(&queries::base(system, goals, 0, "the goal"))?;
        self.one(&queries::next_step(system, hypotheses, goals))
    }

    pub(crate) fn one(&mut self, obligation: &Obligation) -> Result<(), Rejected> {
        let no_answer = |reason: String| Rejected::NoAnswer(obligation.name.clone(), reason);
        let outcome = measured(kind(obligation), || self.ask(obligation));
        let outcome = outcome.map_err(|f| no_answer(f.to_string()))?;
        tracing::debug!(obligation = obligation.name, ?outcome, "certify");
        match (outcome, obligation.expected) {
            (Outcome::Unsat, Expected::Unsat) | (Outcome::Sat, Expected::Sat) => Ok(()),
            (Outcome::Unknown(reason), _) => Err(no_answer(reason.to_string())),
            _ => Err(Rejected::Obligation(obligation.name.clone())),
        }
    }

    /// Asks in a scope of its own, which makes Z3 use its incremental core, far
    /// quicker on these queries than its preprocessing; where that gives up,
    /// asks once more without. Nothing of an obligation may remain for the
    /// next one: after anything but a clean scope, the solver is a new one.
    fn ask(&mut self, obligation: &Obligation) -> Result<Outcome, Fault> {
        let first = self.query("(push 1)", obligation);
        if let Ok(outcome @ (Outcome::Sat | Outcome::Unsat)) = &first
            && self.solver.tell("(pop 1)").is_ok()
        {
            return Ok(outcome.clone());
        }
        self.solver = Z3Text::new(self.cancel.clone())?;
        let second = match first {
            Ok(Outcome::Unknown(_)) => self.query("", obligation),
            other => other,
        };
        self.solver = Z3Text::new(self.cancel.clone())?;
        second
    }

    /// Checks an obligation on which nothing depends, with little time and work; profiles have it
    /// under a name.
    pub(crate) fn try_one(
        &mut self,
        name: &'static str,
        obligation: &Obligation,
        time: Option<Duration>,
        work: u32,
    ) -> Result<(), Rejected> {
        let no_answer = |reason: String| Rejected::NoAnswer(obligation.name.clone(), reason);
        let limited = |checker: &mut ProofChecker| {
            checker.solver.tell(&limit_of_work(work))?;
            checker.solver.limit(time);
            let outcome = checker.query("(push 1)", obligation)?;
            checker.solver.limit(None);
            checker.solver.tell(&format!("(pop 1)\n{}", limit_of_work(0)))?;
            Ok(outcome)
        };
        let outcome = measured(name, || limited(self));
        if !matches!(outcome, Ok(Outcome::Sat | Outcome::Unsat)) {
            self.solver = Z3Text::new(self.cancel.clone()).map_err(|f| no_answer(f.to_string()))?;
        }
        match outcome.map_err(|f: Fault| no_answer(f.to_string()))? {
            Outcome::Unsat => Ok(()),
            Outcome::Sat => Err(Rejected::Obligation(obligation.name.clone())),
            Outcome::Unknown(reason) => Err(no_answer(reason.to_string())),
        }
    }

    fn query(&mut self, scope: &str, obligation: &Obligation) -> Result<Outcome, Fault> {
        self.solver.tell(scope)?;
        self.solver.tell(&obligation.text)?;
        Ok(self.solver.query("(check-sat)"))
    }
}

/// What profiles call an obligation.
fn kind(obligation: &Obligation) -> &'static str {
    match obligation.name.split('-').next() {
        Some("base") => "base",
        Some("step" | "next") => "step",
        Some("implication") => "implication",
        _ => "other",
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
    ProofChecker::new(cancel)?.one(&queries::blocked(system, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn obligation(text: &str, expected: Expected) -> Obligation {
        let text = text.to_string();
        Obligation { name: "test".into(), meaning: String::new(), needed: true, expected, text }
    }

    #[test]
    fn nothing_of_an_obligation_remains_for_the_next() {
        let mut checker = ProofChecker::new(&Cancel::new()).unwrap();
        let satisfiable = obligation("(declare-fun y () Bool)(assert y)", Expected::Unsat);
        let rejected = Err(Rejected::Obligation("test".into()));
        for poison in
            ["(declare-fun x () Bool)(assert x)(assert (not x))", "(assert false)(assert nonsense)"]
        {
            let _ = checker.one(&obligation(poison, Expected::Unsat));
            assert_eq!(checker.one(&satisfiable), rejected, "{poison}");
        }
    }
}
