//! Memories that never change, and memories that always agree.
//!
//! Both are greatest fixpoints: assume it of all candidates, drop those whose
//! next-state function does not confirm it under the assumption, repeat. What
//! remains is true initially and inductive, and becomes a fact of the lens.

use lustral_system::TransitionSystem;
use lustral_term::{TermId, Terms, Translation, Value, VarId};
use rustc_hash::FxHashMap;

use crate::prepare::Replacement;

/// Rounds of refinement; what has not settled by then is left as it is.
const MOST_REFINEMENTS: usize = 50;

/// Replaces what can be replaced, and adds the facts that justify it.
pub(super) fn merge(
    system: &mut TransitionSystem,
    facts: &mut Vec<(VarId, TermId)>,
) -> FxHashMap<VarId, Replacement> {
    let classes = system.memories.iter().map(|m| m.var).zip(refine(system).unwrap_or_default());
    replace(system, facts, classes.collect())
}

/// Replaces memories by what they are, and adds the facts that justify it.
pub(super) fn replace(
    system: &mut TransitionSystem,
    facts: &mut Vec<(VarId, TermId)>,
    mut classes: FxHashMap<VarId, Replacement>,
) -> FxHashMap<VarId, Replacement> {
    let mut replaced = FxHashMap::default();
    let mut terms: FxHashMap<VarId, TermId> = FxHashMap::default();
    for memory in &system.memories {
        let Some(class) = classes.remove(&memory.var) else { continue };
        let sort = system.variables[memory.var.index()].sort;
        let term = match &class {
            Replacement::Constant(value) => system.terms.constant(value.clone()),
            Replacement::Like(leader) if *leader == memory.var => continue,
            Replacement::Like(leader) => system.terms.variable(*leader, sort),
        };
        let var = system.terms.variable(memory.var, sort);
        facts.push((memory.var, system.terms.eq(var, term)));
        terms.insert(memory.var, term);
        replaced.insert(memory.var, class);
    }
    if !replaced.is_empty() {
        super::substitute(system, |var| terms.get(&var).copied());
        system.memories.retain(|m| !replaced.contains_key(&m.var));
    }
    replaced
}

fn refine(system: &TransitionSystem) -> Option<Vec<Replacement>> {
    let mut classes: Vec<Replacement> =
        system.memories.iter().map(|m| Replacement::Constant(m.initial.clone())).collect();
    for _ in 0..MOST_REFINEMENTS {
        let next = round(system, &classes);
        if next == classes {
            return Some(classes);
        }
        classes = next;
    }
    None
}

fn round(system: &TransitionSystem, classes: &[Replacement]) -> Vec<Replacement> {
    let mut terms = Terms::new();
    let mut translation = Translation::new();
    let assumed: FxHashMap<VarId, &Replacement> =
        system.memories.iter().zip(classes).map(|(m, class)| (m.var, class)).collect();
    let mut leaders: FxHashMap<(&Replacement, &Value, TermId), VarId> = FxHashMap::default();
    let mut result = Vec::with_capacity(classes.len());
    for (memory, class) in system.memories.iter().zip(classes) {
        let next = translation.apply(&system.terms, &mut terms, memory.next, |terms, var, sort| {
            match assumed.get(&var) {
                Some(Replacement::Constant(value)) => terms.constant(value.clone()),
                Some(Replacement::Like(leader)) => terms.variable(*leader, sort),
                None => terms.variable(var, sort),
            }
        });
        result.push(match class {
            Replacement::Constant(value) if terms.value(next) == Some(value) => class.clone(),
            // Agreement is only ever refined: two memories that were told
            // apart before stay apart. The first of a new class leads it.
            _ => Replacement::Like(
                *leaders.entry((class, &memory.initial, next)).or_insert(memory.var),
            ),
        });
    }
    result
}
