//! What of a node's invariants is of use to its callers: what they can see,
//! without what follows from the rest of it.

use std::sync::Arc;

use lustral_system::{Predicate, Role, TransitionSystem, visible};
use lustral_term::TermId;

use super::consecution::{Case, Consecution, Step};
use super::nodes::{LearnOptions, task};

/// More facts than this are not tried one by one.
const MOST: usize = 300;

/// The facts, all of one arena, that speak of nothing but the interface of the
/// first instance, without those that follow from others. Where the solver
/// cannot tell, more are kept.
#[must_use]
pub fn summary(
    system: &TransitionSystem,
    facts: &[Predicate],
    options: &LearnOptions,
) -> Vec<Predicate> {
    let seen = visible(system);
    let can_see = |p: &&Predicate| p.terms.variables([p.term]).iter().all(|v| seen[v.index()]);
    let mut kept: Vec<Predicate> = facts.iter().filter(can_see).cloned().collect();
    kept.dedup_by(|a, b| a.same_as(b));
    let Some(terms) = kept.first().map(|p| p.terms.clone()) else { return kept };
    if kept.len() > MOST || kept.iter().any(|p| !Arc::ptr_eq(&p.terms, &terms)) {
        return kept;
    }
    // What is long goes first: it is the most work for the callers.
    let size = |t: &TermId| terms.closure([*t]).len();
    let mut order: Vec<TermId> = kept.iter().map(|p| p.term).collect();
    order.sort_by_cached_key(|t| std::cmp::Reverse((size(t), *t)));
    let task = task(untied(system), options);
    let Ok(mut session) = Consecution::new(&task, Case::Consequence) else { return kept };
    let mut left = order.clone();
    for fact in order {
        let others: Vec<TermId> = left.iter().copied().filter(|t| *t != fact).collect();
        match session.ask(&terms, &others, &[fact]) {
            Ok(Step::Holds(_)) => left = others,
            Ok(Step::Fails(_)) => {}
            Err(_) => break,
        }
    }
    kept.retain(|p| left.contains(&p.term));
    kept
}

/// The variables without what ties them to each other in the node: a caller
/// knows nothing of that.
fn untied(system: &TransitionSystem) -> TransitionSystem {
    let mut free = system.clone();
    free.variables.iter_mut().for_each(|variable| variable.role = Role::Input);
    free.definitions.clear();
    free.memories.clear();
    free.constraints.clear();
    free.typing.clear();
    free
}
