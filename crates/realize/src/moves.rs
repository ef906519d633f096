//! What the system can do.

use lustral_projection::{Valuation, implicant, witnesses};
use lustral_term::TermId;

use crate::arena::{Arena, Substitution};

/// Terms for the controlled variables.
pub(crate) struct Move {
    pub choices: Substitution,
    /// The guarantees with them inserted.
    guarantee: TermId,
    /// The next state with them inserted.
    next: Substitution,
}

impl Move {
    /// A move that answers at a state and a choice of the environment, as the controlled
    /// variables do in a model of `demands`.
    pub fn new(arena: &mut Arena, demands: &[TermId], model: &Valuation) -> Move {
        let literals = implicant(&arena.terms, demands, model);
        let controlled = arena.controlled.clone();
        let found = literals
            .map(|literals| witnesses(&mut arena.terms, literals, model, &controlled))
            .unwrap_or_default();
        let var = |arena: &Arena, term: TermId| arena.terms.var(term).expect("it is a variable");
        let mut choices: Substitution =
            found.iter().map(|w| (var(arena, w.variable), w.term)).collect();
        let inserted: Vec<TermId> =
            demands.iter().map(|demand| arena.insert(*demand, &choices)).collect();
        let mut values = model.evaluator(&arena.terms);
        if choices.is_empty() || !inserted.iter().all(|demand| values.holds(*demand)) {
            // Their values are an answer at this point, if at no other.
            let constants: Vec<(TermId, _)> =
                controlled.iter().map(|term| (*term, values.of(*term))).collect();
            choices = constants
                .into_iter()
                .map(|(term, value)| (var(arena, term), arena.terms.constant(value)))
                .collect();
        }
        let guarantee = arena.insert(arena.guarantee, &choices);
        let next = arena.next(&choices);
        Move { choices, guarantee, next }
    }

    /// Where the move is an answer: the guarantees hold with it, and so does the region at
    /// the next step.
    pub fn answers(&self, arena: &mut Arena, region: &[TermId]) -> TermId {
        let mut all = vec![self.guarantee];
        for clause in region {
            all.push(arena.insert(*clause, &self.next));
        }
        arena.terms.and(all)
    }
}
