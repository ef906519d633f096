//! What the system can do.

use lustral_projection::{Valuation, implicant, witnesses};
use lustral_term::TermId;

use crate::arena::{Arena, Substitution};

/// Terms for some controlled variables with which demands hold where they hold in a model,
/// and elsewhere.
pub(crate) fn choices_at(
    arena: &mut Arena,
    demands: &[TermId],
    variables: &[TermId],
    model: &Valuation,
) -> Substitution {
    let literals = implicant(&arena.terms, demands, model);
    let found = literals
        .map(|literals| witnesses(&mut arena.terms, literals, model, variables))
        .unwrap_or_default();
    let choices: Substitution =
        found.iter().filter_map(|w| Some((arena.terms.var(w.variable)?, w.term))).collect();
    let inserted: Vec<TermId> =
        demands.iter().map(|demand| arena.insert(*demand, &choices)).collect();
    let mut values = model.evaluator(&arena.terms);
    if choices.len() == variables.len() && inserted.iter().all(|demand| values.holds(*demand)) {
        return choices;
    }
    // Their values are an answer at this point, if at no other.
    let constants: Vec<_> = variables.iter().map(|term| (*term, values.of(*term))).collect();
    arena.constants(constants)
}
