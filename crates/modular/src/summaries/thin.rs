//! Facts without those that the others say already.

use std::time::Duration;

use lustral_engines::{LearnOptions, open_metered};
use lustral_smt::Outcome;
use lustral_smt::smtlib::Logic;
use lustral_term::{Sort, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

/// The time for finding out about one of them.
const PATIENCE: Duration = Duration::from_millis(500);

/// Some terms without those that follow from what is given and from others that
/// are no longer: `n <= 5` says more to people, and to a solver, than two long
/// facts from which it follows. The longest are tried first. It costs a query
/// each.
#[must_use]
pub fn thin(
    terms: &Terms,
    list: &[TermId],
    given: &[TermId],
    options: &LearnOptions,
) -> Vec<TermId> {
    let mut terms = terms.clone();
    let mut kept = list.to_vec();
    let sizes: FxHashMap<TermId, usize> =
        kept.iter().map(|term| (*term, terms.closure([*term]).len())).collect();
    kept.sort_by_key(|term| (sizes[term], *term));
    kept.dedup();
    let all: Vec<TermId> = kept.iter().chain(given).copied().collect();
    let logic = Logic::of(&terms, all.iter().copied());
    let session =
        open_metered(&options.solver, logic, &options.options, &options.cancel, "consequence");
    let Ok(mut session) = session else { return kept };
    given.iter().for_each(|fact| session.assert(&terms, *fact));
    session.limit(Some(PATIENCE));
    let negated: Vec<TermId> = kept.iter().map(|term| terms.not(*term)).collect();
    // One literal that a term holds, one that it does not.
    let unused = terms.variables(all).last().map_or(0, |var| var.0 + 1);
    let mut literals: FxHashMap<TermId, (TermId, TermId)> = FxHashMap::default();
    for (i, term) in kept.iter().enumerate() {
        let mut literal = |number: usize, meant: TermId| {
            let literal = terms.variable(VarId(unused + number as u32), Sort::Bool);
            let fact = terms.implies(literal, meant);
            session.assert(&terms, fact);
            literal
        };
        let (holds, fails) = (literal(2 * i, *term), literal(2 * i + 1, negated[i]));
        literals.insert(*term, (holds, fails));
    }
    for candidate in kept.clone().into_iter().rev() {
        let others = kept.iter().filter(|t| **t != candidate && sizes[t] <= sizes[&candidate]);
        let others = others.map(|t| literals[t].0);
        let assumed: Vec<TermId> = others.chain([literals[&candidate].1]).collect();
        if session.check(&terms, &assumed) == Outcome::Unsat {
            kept.retain(|term| *term != candidate);
        }
    }
    kept
}
