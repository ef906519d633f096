//! What the state of a step is: the memories that some properties and the
//! constraints depend on (their cone of influence). The fewer these are, the sooner a state repeats; a
//! counter that only another property reads must not keep states apart.

use lustral_system::{Predicate, PropId, TransitionSystem};
use lustral_term::{TermId, VarId};

use crate::board::Lemma;

/// By property, the memories that it depends on.
pub(crate) struct Cones {
    /// All memories of the system.
    memories: Vec<VarId>,
    /// By memory, whether some constraint depends on it.
    constraints: Cone,
    /// The same for each property.
    properties: Vec<Cone>,
}

/// By memory, in the order of the system, whether something depends on it.
pub(crate) type Cone = Vec<bool>;

impl Cones {
    pub fn new(system: &TransitionSystem) -> Cones {
        let constraints = system.constraints.iter().map(|c| c.term);
        let properties = system.properties.iter();
        Cones {
            memories: system.memories.iter().map(|m| m.var).collect(),
            constraints: cone(system, system.terms.variables(constraints)),
            properties: properties
                .map(|p| cone(system, system.terms.variables([p.term])))
                .collect(),
        }
    }

    /// All memories.
    pub fn all(&self) -> &[VarId] {
        &self.memories
    }

    /// What a property depends on.
    pub fn of_property(&self, property: PropId) -> &Cone {
        &self.properties[property.index()]
    }

    /// The state as far as some properties and other cones go.
    pub fn state<'c>(
        &'c self,
        properties: &[PropId],
        others: impl IntoIterator<Item = &'c Cone>,
    ) -> Vec<VarId> {
        let mut inside = self.constraints.clone();
        let properties = properties.iter().map(|p| &self.properties[p.index()]);
        for cone in properties.chain(others) {
            inside.iter_mut().zip(cone).for_each(|(inside, more)| *inside |= more);
        }
        let chosen = self.memories.iter().zip(inside).filter(|(_, inside)| *inside);
        chosen.map(|(var, _)| *var).collect()
    }

    /// What a lemma and its proof depend on. The facts about types are not
    /// counted: a proof needs only those about memories that it is about.
    pub fn of_lemma(&self, system: &TransitionSystem, lemma: &Lemma, typing: &[Predicate]) -> Cone {
        let mut inside = vec![false; self.memories.len()];
        for property in &lemma.properties {
            let cone = &self.properties[property.index()];
            inside.iter_mut().zip(cone).for_each(|(inside, more)| *inside |= more);
        }
        let is_typing = |p: &&Predicate| typing.iter().any(|typing| typing.same_as(p));
        let predicates = lemma.invariants.iter().filter(|p| !is_typing(p));
        for predicate in predicates.chain([&lemma.predicate]) {
            let cone = cone(system, predicate.terms.variables([predicate.term]));
            inside.iter_mut().zip(cone).for_each(|(inside, more)| *inside |= more);
        }
        inside
    }
}

fn cone(system: &TransitionSystem, variables: Vec<VarId>) -> Cone {
    let inside = system.cone_of(variables);
    system.memories.iter().map(|m| inside[m.var.index()]).collect()
}

/// States, by their memories, and the literals that make them differ.
#[derive(Default)]
pub(crate) struct Literals(Vec<(Vec<VarId>, TermId)>);

impl Literals {
    /// The literal for these memories, or a new one; whether it is new.
    pub fn find(&mut self, memories: &[VarId], new: impl FnOnce() -> TermId) -> (TermId, bool) {
        if let Some((_, literal)) = self.0.iter().find(|(known, _)| known == memories) {
            return (*literal, false);
        }
        let literal = new();
        self.0.push((memories.to_vec(), literal));
        (literal, true)
    }

    /// All states so far.
    pub fn iter(&self) -> impl Iterator<Item = &(Vec<VarId>, TermId)> {
        self.0.iter()
    }
}
