//! Inductive validity cores and cut sets: what a property needs of a program, and
//! without what it fails.
//!
//! Nobody is believed about either. A core is a proof of the property about the system in
//! which all else is havocked ([`Elements::only`]), checked from scratch like any other
//! proof: invariants that were found with more equations count only if they follow from
//! those that are left. A cut set is an execution of the system without some elements, run
//! step by step, at whose end the property fails. There is no program that
//! the interpreter could run for it: what is left out has no text.

use lustral_system::{Certificate, Elements, PropId, Trace, TransitionSystem};
use lustral_term::Value;

use crate::obligations;
use crate::proof::ProofChecker;
use crate::{Checked, Rejected, Subject};

/// Elements of a program from which a property follows, whatever the others are.
#[derive(Clone, Debug)]
pub struct Core {
    /// Their numbers, ascending.
    pub elements: Vec<usize>,
    /// The proof about the system without the others.
    pub certificate: Certificate,
}

/// Elements of a program without which a property fails.
#[derive(Clone, Debug)]
pub struct CutSet {
    /// Their numbers, ascending.
    pub elements: Vec<usize>,
    /// An execution of the system without them.
    pub trace: Trace,
}

impl Subject for Core {
    type About = PropId;
}

impl Subject for CutSet {
    type About = PropId;
}

impl Checked<Core> {
    /// The property that needs no more.
    #[must_use]
    pub fn property(&self) -> PropId {
        self.about
    }
}

impl Checked<CutSet> {
    /// The property that fails without them.
    #[must_use]
    pub fn property(&self) -> PropId {
        self.about
    }

    /// Checks that a property fails at the last step of an execution of the system without
    /// the elements that are not kept.
    ///
    /// # Errors
    /// If it is no such execution, or the property does not fail.
    pub fn check(
        system: &TransitionSystem,
        elements: &Elements,
        property: PropId,
        kept: &[bool],
        trace: &Trace,
    ) -> Result<Checked<CutSet>, Rejected> {
        let fewer = elements.only(system, kept);
        // Only inputs and choices are taken from it.
        let given = |step, var| trace.value(step, var).clone();
        let run = Trace::run(&fewer, trace.len(), trace.answers.clone(), given);
        let reject = |text: &str| Err(Rejected::Trace(text.into()));
        let holds = |step, term| run.eval(&fewer, step, term) == Value::Bool(true);
        for step in 0..run.len() {
            if !fewer.variables().all(|(id, v)| match (&v.range, run.value(step, id)) {
                (Some(range), Value::Int(value)) => range.contains(value),
                _ => true,
            }) {
                return reject("a value leaves its range");
            }
            if !fewer.constraints.iter().all(|c| holds(step, c.term)) {
                return reject("a constraint fails");
            }
        }
        let Some(last) = run.len().checked_sub(1) else { return reject("it has no step") };
        if holds(last, fewer.property(property).term) {
            return reject("the property does not fail");
        }
        let elements = (0..elements.count).filter(|i| !kept[*i]).collect();
        let answer = CutSet { elements, trace: run };
        Ok(Checked { answer, node: system.root().node.clone(), about: property })
    }
}

impl ProofChecker {
    /// Checks a proof of a property about the system in which only some elements are left.
    ///
    /// # Errors
    /// If an obligation fails, or the solver cannot tell.
    pub fn check_core(
        &mut self,
        system: &TransitionSystem,
        elements: &Elements,
        property: PropId,
        kept: &[bool],
        certificate: Certificate,
    ) -> Result<Checked<Core>, Rejected> {
        let fewer = elements.only(system, kept);
        if let Some(fault) = obligations::malformed(&fewer, &certificate) {
            return Err(Rejected::Obligation(fault));
        }
        let mut needed = obligations::of_proof(&fewer, property, &certificate);
        needed.try_for_each(|obligation| self.one(&obligation))?;
        drop(needed);
        let elements = (0..elements.count).filter(|i| kept[*i]).collect();
        let answer = Core { elements, certificate };
        Ok(Checked { answer, node: system.root().node.clone(), about: property })
    }
}
