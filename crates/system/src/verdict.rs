//! The evidence of verdicts: predicates, proofs, certificates.

use std::sync::Arc;

use lustral_term::{TermId, Terms, Translation, VarId};
use serde::{Deserialize, Serialize};

use crate::transition::{PropId, TransitionSystem};

/// A predicate over the variables of one step, with the arena it lives in.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// The arena; its variables are those of the system.
    pub terms: Arc<Terms>,
    /// The predicate.
    pub term: TermId,
}

impl Predicate {
    /// Whether it is the very same term of the very same arena.
    #[must_use]
    pub fn same_as(&self, other: &Predicate) -> bool {
        self.term == other.term && Arc::ptr_eq(&self.terms, &other.terms)
    }
}

/// Predicates as terms of another arena over the same variables.
pub fn imported(terms: &mut Terms, predicates: &[Predicate]) -> Vec<TermId> {
    let mut found = Vec::with_capacity(predicates.len());
    for group in predicates.chunk_by(|a, b| Arc::ptr_eq(&a.terms, &b.terms)) {
        let mut translation = Translation::new();
        for one in group {
            let variable = |terms: &mut Terms, var, sort| terms.variable(var, sort);
            found.push(translation.apply(&one.terms, terms, one.term, variable));
        }
    }
    found
}

/// What counts as the state of a step, where a proof says that states differ.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct States {
    /// The memories whose values make up the state. What the proof is about at
    /// a step and after it follows from these and from the inputs, given the
    /// facts.
    pub memories: Vec<VarId>,
    /// Facts that hold at every step whatever the inputs are and even where
    /// constraints are violated: true initially, and inductive by themselves.
    pub facts: Vec<Predicate>,
}

impl States {
    /// The states of a system: the values of all its memories.
    #[must_use]
    pub fn of(system: &TransitionSystem) -> States {
        States { memories: system.memories.iter().map(|m| m.var).collect(), facts: Vec::new() }
    }
}

/// Why a property holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Proof {
    /// The properties and the invariants below, together, are true at the
    /// first k steps, and at every step that follows k steps at which they
    /// are; and they imply the property.
    Induction {
        /// At least 1.
        k: usize,
        /// Properties that take part, the proved one among them if it needs to.
        properties: Vec<PropId>,
        /// What strengthens them.
        invariants: Vec<Predicate>,
        /// If given, only k+1 steps in pairwise different states are
        /// considered: a shortest execution that ends in a failure repeats no
        /// state.
        compression: Option<States>,
    },
    /// No execution has this many steps and one more without a state that
    /// repeats, so every state that can take a step is reached in fewer; and
    /// the property is true at all those steps.
    Exhausted {
        /// The number of steps that reach everything.
        steps: usize,
        /// What the states are.
        states: States,
    },
}

/// A proof that can be checked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// The proof.
    pub proof: Proof,
}

impl Certificate {
    /// That a property is inductive by itself.
    #[must_use]
    pub fn alone(property: PropId) -> Certificate {
        let (properties, invariants) = (vec![property], Vec::new());
        Certificate { proof: Proof::Induction { k: 1, properties, invariants, compression: None } }
    }

    /// How many facts are shown together.
    #[must_use]
    pub fn parts(&self) -> usize {
        match &self.proof {
            Proof::Induction { properties, invariants, .. } => properties.len() + invariants.len(),
            Proof::Exhausted { .. } => 0,
        }
    }

    /// All that is shown to be inductive together, as predicates of the system.
    #[must_use]
    pub fn inductive(&self, system: &TransitionSystem) -> Vec<Predicate> {
        let Proof::Induction { properties, invariants, .. } = &self.proof else {
            return Vec::new();
        };
        let terms = Arc::new(system.terms.clone());
        let of = |p: &PropId| Predicate { terms: terms.clone(), term: system.property(*p).term };
        properties.iter().map(of).chain(invariants.iter().cloned()).collect()
    }

    /// What the states are that the proof tells apart, if it does.
    #[must_use]
    pub fn states(&self) -> Option<&States> {
        match &self.proof {
            Proof::Induction { compression, .. } => compression.as_ref(),
            Proof::Exhausted { states, .. } => Some(states),
        }
    }

    /// Whether it is an induction over steps in different states.
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        matches!(self.proof, Proof::Induction { compression: Some(_), .. })
    }

    /// The k of an induction; the number of steps explored otherwise.
    #[must_use]
    pub fn k(&self) -> usize {
        match &self.proof {
            Proof::Induction { k, .. } => *k,
            Proof::Exhausted { steps, .. } => *steps,
        }
    }
}

/// What the parts of an induction need: for each, the parts from which its step
/// case follows. The parts are the proved property, then the other properties
/// that take part, then the invariants; all by their number in this order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Dependencies {
    /// The numbers, ascending, for each part; its own is among them if it needs itself.
    pub needs: Vec<Vec<usize>>,
    /// Whether every list is known to be needed whole.
    pub minimal: bool,
}
