//! What the system can do.

use lustral_projection::{Valuation, implicant, opaque, witnesses};
use lustral_term::TermId;

use crate::arena::{Arena, Substitution};

/// Terms for some variables, over the others, with which formulas that hold at a point hold near it, as the
/// literals suggest that make them hold there. What stands inside of products keeps its value: with that in its
/// place they are linear, and say more of what is left.
pub(crate) fn suggested(
    arena: &mut Arena,
    roots: &[TermId],
    point: &Valuation,
    variables: &[TermId],
) -> Substitution {
    let (mut roots, mut left) = (roots.to_vec(), variables.to_vec());
    let mut found = Substitution::default();
    while let Some(literals) = implicant(&arena.terms, &roots, point) {
        let fixed = opaque(&arena.terms, &literals, &left);
        let (fixed, others): (Vec<TermId>, Vec<TermId>) =
            left.iter().partition(|variable| fixed.contains(variable));
        if fixed.is_empty() {
            let suggested = witnesses(&mut arena.terms, literals, point, &left);
            let terms = &arena.terms;
            found.extend(suggested.iter().filter_map(|w| Some((terms.var(w.variable)?, w.term))));
            return found;
        }
        let mut values = point.evaluator(&arena.terms);
        let constants = fixed.iter().map(|term| (*term, values.of(*term))).collect();
        let constants = arena.constants(constants);
        roots = roots.iter().map(|root| arena.insert(*root, &constants)).collect();
        left = others;
        found.extend(constants);
    }
    found
}

/// Terms for some controlled variables with which demands hold where they hold in a model,
/// and elsewhere.
pub(crate) fn choices_at(
    arena: &mut Arena,
    demands: &[TermId],
    variables: &[TermId],
    model: &Valuation,
) -> Substitution {
    let choices = suggested(arena, demands, model, variables);
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
