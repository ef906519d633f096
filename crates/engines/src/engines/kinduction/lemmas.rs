//! The lemmas of the board: each is used once a counterexample to induction
//! violates it.

use std::sync::Arc;

use lustral_term::TermId;

use super::KInduction;
use crate::board::Lemma;
use crate::model::Model;
use crate::states::Cone;

/// A lemma of the board.
pub(super) struct KnownLemma {
    pub lemma: Arc<Lemma>,
    /// The literal behind which it stands, once it is used.
    pub literal: Option<TermId>,
    /// What it and its proof depend on.
    pub cone: Cone,
}

impl KInduction<'_> {
    /// Takes note of the lemmas that the board has now.
    pub(super) fn look_at_board(&mut self) {
        for lemma in self.task.board.lemmas_after(self.lemmas.len()) {
            let cone = self.cones.of_lemma(&self.task.system, &lemma, &self.typing);
            self.lemmas.push(KnownLemma { lemma, literal: None, cone });
        }
    }

    /// Uses the lemmas that a counterexample to induction violates at some
    /// step; whether there are any.
    pub(super) fn use_violated_lemmas(&mut self, model: &Model) -> bool {
        let mut violated = Vec::new();
        for known in 0..self.lemmas.len() {
            if self.lemmas[known].literal.is_some() {
                continue;
            }
            let lemma = self.lemmas[known].lemma.clone();
            let at: Vec<TermId> = (0..self.unroller.len())
                .map(|step| self.unroller.predicate_at(step, &lemma.predicate))
                .collect();
            let mut evaluation = model.evaluator(&self.unroller.terms);
            if at.into_iter().any(|term| !evaluation.eval(term).is_true()) {
                violated.push(known);
            }
        }
        for known in &violated {
            let literal = self.unroller.literal();
            self.lemmas[*known].literal = Some(literal);
            (0..self.unroller.len()).for_each(|step| self.use_lemma_at(*known, literal, step));
        }
        !violated.is_empty()
    }

    pub(super) fn use_lemma_at(&mut self, known: usize, literal: TermId, step: usize) {
        let lemma = self.lemmas[known].lemma.clone();
        let holds = self.unroller.predicate_at(step, &lemma.predicate);
        self.assert_due();
        let fact = self.unroller.terms.implies(literal, holds);
        self.assert(fact);
    }
}
