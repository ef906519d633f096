//! The steps of the step case: what holds at them, which properties are
//! hypotheses, and which states are told apart (path compression).

use lustral_system::PropId;
use lustral_term::{TermId, VarId};

use super::{Compression, KInduction};

impl KInduction<'_> {
    pub(super) fn assert(&mut self, fact: TermId) {
        self.session.assert(&self.unroller.terms, fact);
    }

    pub(super) fn assert_due(&mut self) {
        for fact in self.unroller.due() {
            self.assert(fact);
        }
    }

    /// Adds a step at which the constraints and the types hold.
    pub(super) fn extend(&mut self) {
        let step = self.unroller.len();
        let mut facts = self.unroller.extend();
        for typing in &self.task.system.typing {
            facts.push(self.unroller.at(step, *typing));
        }
        for fact in facts {
            self.assert(fact);
        }
        self.assert_due();
        for known in 0..self.lemmas.len() {
            if let Some(literal) = self.lemmas[known].literal {
                self.use_lemma_at(known, literal, step);
            }
        }
        if self.task.options.kinduction.compression == Compression::Eager {
            let known: Vec<(Vec<VarId>, TermId)> = self.states.iter().cloned().collect();
            for (memories, literal) in known {
                (0..step).for_each(|earlier| self.tell_apart(&memories, literal, earlier, step));
            }
        }
    }

    pub(super) fn tell_apart(
        &mut self,
        memories: &[VarId],
        literal: TermId,
        first: usize,
        second: usize,
    ) {
        let different = self.unroller.different(memories, first, second);
        let fact = self.unroller.terms.implies(literal, different);
        self.assert(fact);
    }

    /// What the state is in a proof of these properties. It covers the lemmas
    /// in use, whose proofs become part of it; one that is itself by
    /// compression is so with all memories (see `post`), and stays so.
    pub(super) fn state(&self, set: &[PropId]) -> Vec<VarId> {
        let used = || self.lemmas.iter().filter(|known| known.literal.is_some());
        if used().any(|known| known.lemma.compression) {
            return self.cones.all().to_vec();
        }
        self.cones.state(set, used().map(|known| &known.cone))
    }

    /// The literal that makes states of these memories differ.
    pub(super) fn compression(&mut self, memories: &[VarId]) -> TermId {
        let (literal, new) = self.states.find(memories, || self.unroller.literal());
        if new && self.task.options.kinduction.compression == Compression::Eager {
            for step in 0..self.unroller.len() {
                (0..step).for_each(|earlier| self.tell_apart(memories, literal, earlier, step));
            }
        }
        literal
    }

    /// A property at a step; what it needs is asserted.
    pub(super) fn property(&mut self, property: PropId, step: usize) -> TermId {
        let term = self.unroller.at(step, self.task.system.property(property).term);
        self.assert_due();
        term
    }

    /// Makes properties hypotheses at a step.
    pub(super) fn assume(&mut self, properties: &[PropId], step: usize) {
        for property in properties {
            let holds = self.property(*property, step);
            let hypothesis = self.hypotheses[property.index()];
            let fact = self.unroller.terms.implies(hypothesis, holds);
            self.assert(fact);
        }
    }
}
