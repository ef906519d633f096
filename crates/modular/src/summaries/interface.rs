//! What of a node's invariants is of use to its callers: what they can see,
//! without what follows from the rest of it.

use std::sync::Arc;

use lustral_engines::LearnOptions;
use lustral_system::{Origin, Predicate, Role, StreamRole, TransitionSystem, imported, visible};
use lustral_term::{Sort, TermId, Terms, Translation, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::thin;

/// More facts than this are not tried one by one.
const MOST: usize = 300;

/// The facts that speak of nothing but the interface of the first instance,
/// without those that follow from others and from what is told anyway: `told`,
/// terms of the system. What speaks of outputs alone is used without the rest,
/// so it is left out only where it follows from what does so too. Where the
/// solver cannot tell, more are kept.
#[must_use]
pub fn summary(
    system: &TransitionSystem,
    facts: &[Predicate],
    told: &[TermId],
    options: &LearnOptions,
) -> Vec<Predicate> {
    let seen = visible(system);
    let can_see = |p: &&Predicate| p.terms.variables([p.term]).iter().all(|v| seen[v.index()]);
    let mut kept: Vec<Predicate> = facts.iter().filter(can_see).cloned().collect();
    let mut terms = system.terms.clone();
    let mut list = imported(&mut terms, &kept);
    let mut known = FxHashSet::default();
    let new: Vec<bool> = list.iter().map(|term| known.insert(*term)).collect();
    retain(&mut kept, &new);
    retain(&mut list, &new);
    if kept.len() > MOST {
        return kept;
    }
    let told = told.iter().copied();
    let told: Vec<TermId> =
        told.filter(|t| terms.variables([*t]).iter().all(|v| seen[v.index()])).collect();
    let of_inputs = |term: &TermId| speaks_of_inputs(system, &terms, *term);
    let (with_inputs, plain): (Vec<TermId>, Vec<TermId>) = list.iter().partition(|t| of_inputs(t));
    let told_plain: Vec<TermId> = told.iter().filter(|t| !of_inputs(t)).copied().collect();
    let plain = thin(&terms, &plain, &told_plain, options);
    let given: Vec<TermId> = told.into_iter().chain(plain.iter().copied()).collect();
    let with_inputs = thin(&terms, &with_inputs, &given, options);
    let stays = |term: &TermId| plain.contains(term) || with_inputs.contains(term);
    let stays: Vec<bool> = list.iter().map(stays).collect();
    retain(&mut kept, &stays);
    kept
}

fn retain<T>(list: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    list.retain(|_| keep.next().copied().unwrap_or(true));
}

/// Whether a term rests on inputs of the first instance, now or before, other
/// than through its outputs.
fn speaks_of_inputs(system: &TransitionSystem, terms: &Terms, term: TermId) -> bool {
    let role =
        |var: VarId| system.root().streams.iter().find(|s| s.var == var).map(|stream| stream.role);
    let mut seen = FxHashSet::default();
    let mut pending = terms.variables([term]);
    while let Some(var) = pending.pop() {
        if !seen.insert(var) {
            continue;
        }
        let memory = || system.memories.iter().find(|m| m.var == var).map(|m| m.next);
        let below = match (role(var), system.variable(var).role) {
            (Some(StreamRole::Input), _) => return true,
            (Some(StreamRole::Output), _) => None,
            (_, Role::Defined(term)) => Some(term),
            (_, Role::Memory) => memory(),
            _ => None,
        };
        pending.extend(below.into_iter().flat_map(|term| system.terms.variables([term])));
    }
    false
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
            let stream = system.root().streams.iter().find(|s| s.var == *var);
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
