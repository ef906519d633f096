//! The obligations of a certificate: queries with the answers they must have.

use std::iter::once_with;
use std::sync::Arc;

use lustral_system::{Certificate, Predicate, Proof, PropId, Role, TransitionSystem};

use crate::{queries, states};

/// The answer that an obligation must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// What the proof rests on.
    Unsat,
    /// What shows that the proof is not about nothing.
    Sat,
}

impl Expected {
    /// The word of SMT-LIB.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Expected::Unsat => "unsat",
            Expected::Sat => "sat",
        }
    }
}

/// An obligation: a text that ends before `(check-sat)`.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// Its name, which is also that of its file.
    pub name: String,
    /// What it says, in one line.
    pub meaning: String,
    /// Whether the proof rests on it. What it does not rest on shows, where it
    /// is so, that the system is not a trivial one.
    pub needed: bool,
    /// The answer it must have.
    pub expected: Expected,
    /// Declarations and assertions.
    pub text: String,
}

impl Obligation {
    /// Whether it is the step case of an induction.
    pub(crate) fn is_step_case(&self) -> bool {
        self.name == STEP
    }

    /// Whether it is the base case about the first step.
    pub(crate) fn is_first_case(&self) -> bool {
        self.name == FIRST
    }

    /// Whether it is that the invariant implies the property.
    pub(crate) fn is_implication(&self) -> bool {
        self.name == IMPLICATION
    }
}

/// The name of the step case.
pub(crate) const STEP: &str = "step";
/// That of the base case at depth 0.
const FIRST: &str = "base-0";
/// That of the implication.
pub(crate) const IMPLICATION: &str = "implication";

/// All obligations of a certificate for a property, each on its own, written
/// when it is asked for: those of deep proofs are large, and the first that
/// fails is the last that is looked at.
pub fn obligations<'a>(
    system: &'a TransitionSystem,
    property: PropId,
    certificate: &'a Certificate,
) -> impl Iterator<Item = Obligation> + 'a {
    let terms = Arc::new(system.terms.clone());
    let goal = [Predicate { terms, term: system.property(property).term }];
    needed(system, property, certificate)
        .chain(once_with(|| queries::initial_state(system)).filter(|o| !o.needed))
        .chain(once_with(|| queries::transition(system)))
        .chain(once_with(move || queries::negated_property(system, &goal)))
}

/// The obligations that the proof rests on. The others are about the whole
/// system, whatever the proof is about, and are not written for nothing: with
/// many properties that is most of the time.
pub(crate) fn needed<'a>(
    system: &'a TransitionSystem,
    property: PropId,
    certificate: &'a Certificate,
) -> impl Iterator<Item = Obligation> + 'a {
    of_proof(system, property, certificate).chain(about_something(system))
}

/// Only constraints can leave no execution at all.
pub(crate) fn about_something(system: &TransitionSystem) -> impl Iterator<Item = Obligation> + '_ {
    let constrained = usize::from(!system.constraints.is_empty());
    once_with(|| queries::initial_state(system)).take(constrained)
}

/// The obligations that show that the property holds at every step of every execution,
/// of which there may be none.
pub(crate) fn of_proof<'a>(
    system: &'a TransitionSystem,
    property: PropId,
    certificate: &'a Certificate,
) -> impl Iterator<Item = Obligation> + 'a {
    let terms = Arc::new(system.terms.clone());
    let goal = [Predicate { terms, term: system.property(property).term }];
    let proof: Box<dyn Iterator<Item = Obligation> + 'a> = match &certificate.proof {
        Proof::Induction { k, compression, .. } => {
            let list = Arc::new(certificate.inductive(system));
            let (base, step, implied) = (list.clone(), list.clone(), goal.clone());
            let states = compression.as_ref();
            let bases =
                (0..*k).map(move |depth| queries::base(system, &base, depth, "the invariant"));
            let step = once_with(move || queries::step_case(system, &step, *k, states));
            let implication = once_with(move || queries::implication(system, &list, &implied));
            Box::new(bases.chain(step).chain(implication))
        }
        Proof::Exhausted { steps, states } => {
            let (base, last) = (goal.clone(), goal.clone());
            let bases =
                (0..*steps).map(move |depth| queries::base(system, &base, depth, "the property"));
            let last = once_with(move || queries::exhausted(system, &last, *steps, states));
            Box::new(bases.chain(last))
        }
    };
    let states = certificate.states().into_iter().flat_map({
        let goal = goal.clone();
        move |states| {
            let list = match &certificate.proof {
                Proof::Induction { .. } => certificate.inductive(system),
                Proof::Exhausted { .. } => goal.to_vec(),
            };
            states::obligations(system, states, list)
        }
    });
    proof.chain(states)
}

/// The obligations of predicates that are inductive together, and of nothing else.
pub(crate) fn inductive<'a>(
    system: &'a TransitionSystem,
    list: &'a [Predicate],
) -> impl Iterator<Item = Obligation> + 'a {
    once_with(|| queries::base(system, list, 0, "the invariant"))
        .chain(once_with(|| queries::step_case(system, list, 1, None)))
}

/// What is wrong with a certificate before any solver looks at it.
pub(crate) fn malformed(system: &TransitionSystem, certificate: &Certificate) -> Option<String> {
    if matches!(certificate.proof, Proof::Induction { k: 0, .. }) {
        return Some("k is at least 1".into());
    }
    let is_memory = |var: &lustral_term::VarId| {
        system.variables.get(var.index()).is_some_and(|v| v.role == Role::Memory)
    };
    let states = certificate.states()?;
    let strange = !states.memories.iter().all(is_memory);
    strange.then(|| "a state is made of memories".into())
}
