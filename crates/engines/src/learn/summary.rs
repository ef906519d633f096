//! What of a node's invariants is of use to its callers: what they can see,
//! without what follows from the rest of it.

use std::sync::Arc;

use lustral_system::{Origin, Predicate, Role, StreamRole, TransitionSystem, visible};
use lustral_term::{Sort, TermId, Terms, Translation, VarId};
use rustc_hash::FxHashMap;

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

/// What the outputs of the first instance are at the first step and later, by
/// their definitions, as far as its callers can see what that rests on.
#[must_use]
pub fn defined_outputs(system: &TransitionSystem) -> Vec<Predicate> {
    let seen = visible(system);
    let Some((flag, _)) = system.variables().find(|(_, v)| v.origin == Origin::First) else {
        return Vec::new();
    };
    let mut terms = system.terms.clone();
    let first = terms.variable(flag, Sort::Bool);
    let mut found = Vec::new();
    for (now, is_first) in [(Terms::TRUE, true), (Terms::FALSE, false)] {
        let mut translation = Translation::new();
        // Locals by what they are; the interface stays.
        let mut known: FxHashMap<VarId, TermId> = FxHashMap::default();
        known.insert(flag, now);
        for var in &system.definitions {
            let Role::Defined(definition) = system.variable(*var).role else { continue };
            let term =
                translation.apply(&system.terms, &mut terms, definition, |terms, var, sort| {
                    known.get(&var).copied().unwrap_or_else(|| terms.variable(var, sort))
                });
            let stream = system.instances[0].streams.iter().find(|s| s.var == *var);
            if stream.is_none_or(|s| s.role != StreamRole::Output) {
                known.insert(*var, term);
            } else if terms.variables([term]).iter().all(|v| seen[v.index()]) {
                let output = terms.variable(*var, system.variable(*var).sort);
                let equal = terms.eq(output, term);
                let when = if is_first { terms.not(first) } else { first };
                found.push(terms.or([when, equal]));
            }
        }
    }
    let terms = Arc::new(terms);
    found.into_iter().map(|term| Predicate { terms: terms.clone(), term }).collect()
}

/// What every step satisfies by assertions and by what is known of calls, as
/// far as callers can see it.
#[must_use]
pub fn visible_constraints(system: &TransitionSystem) -> Vec<Predicate> {
    let seen = visible(system);
    let terms = Arc::new(system.terms.clone());
    let constraints = system.constraints.iter().map(|c| c.term);
    let can_see = |t: &TermId| terms.variables([*t]).iter().all(|v| seen[v.index()]);
    let kept: Vec<TermId> = constraints.filter(can_see).collect();
    kept.into_iter().map(|term| Predicate { terms: terms.clone(), term }).collect()
}
