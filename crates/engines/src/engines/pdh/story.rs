//! How a search went, for the report.

use std::sync::Arc;

use lustral_system::{DualAnswer, DualPredicate, DualSearch, DualStates, Predicate};

use super::duality::{PredicateId, StateId};
use super::lustre::Lustre;
use super::search::{Answer, PrimalDualHoudini};

/// The rounds of a search, and its answer about a width.
pub(super) fn tell(
    domain: &Lustre<'_>,
    search: &PrimalDualHoudini,
    (width, answer): &(usize, Answer),
) -> DualSearch {
    let width = *width;
    let answer = match answer {
        Answer::Provable(steps) => {
            let steps = steps.iter().map(|step| named(domain, step.adds.iter())).collect();
            DualAnswer::Provable { width, steps }
        }
        Answer::Safe(set) => DualAnswer::Safe { width, invariant: named(domain, set.iter()) },
        Answer::Unsafe(path) => DualAnswer::Unsafe(states(domain, path.iter())),
        Answer::Unprovable(set) => {
            DualAnswer::Unprovable { width, states: states(domain, set.iter()) }
        }
    };
    DualSearch { given: given(domain), rounds: search.rounds.clone(), answer }
}

/// What every query of the search was given as known.
fn given(domain: &Lustre<'_>) -> Vec<Predicate> {
    let system = &domain.slice().system;
    let terms = Arc::new(system.terms.clone());
    system.typing.iter().map(|term| Predicate { terms: terms.clone(), term: *term }).collect()
}

/// Predicates; nothing for the property.
fn named<'p>(
    domain: &Lustre<'_>,
    list: impl Iterator<Item = &'p PredicateId>,
) -> Vec<DualPredicate> {
    let one = |p: &PredicateId| domain.predicates(std::iter::once(*p)).pop();
    list.map(one).collect()
}

/// States, without what was added to the system.
fn states<'s>(domain: &Lustre<'_>, list: impl Iterator<Item = &'s StateId>) -> DualStates {
    let slice = domain.slice();
    let memories = slice.memories();
    let shown: Vec<usize> =
        (0..memories.len()).filter(|i| Some(memories[*i]) != slice.held).collect();
    let values = |s: &StateId| {
        let state = domain.known.values(*s);
        shown.iter().map(|i| state[*i].clone()).collect()
    };
    let states = list.map(values).collect();
    DualStates { memories: shown.iter().map(|i| memories[*i]).collect(), states }
}
