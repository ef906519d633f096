//! Memories that never change, and memories that always agree.
//!
//! Both are greatest fixpoints: assume it of all candidates, drop those whose
//! next-state function does not confirm it under the assumption, repeat. What
//! remains is true initially and inductive, and becomes a fact of the lens.

use lustral_system::TransitionSystem;
use lustral_term::{TermId, Terms, Translation, Value, VarId};
use rustc_hash::FxHashMap;

/// Rounds of refinement; what has not settled by then is left as it is.
const MOST_ROUNDS: usize = 50;

/// Replaces what can be replaced, and adds the facts that justify it.
pub(super) fn merge(system: &mut TransitionSystem, facts: &mut Vec<TermId>) {
    let Some(classes) = refine(system) else { return };
    let mut replacement: FxHashMap<VarId, TermId> = FxHashMap::default();
    for (memory, class) in system.memories.iter().zip(&classes) {
        match class {
            Class::Constant(value) => {
                let constant = system.terms.constant(value.clone());
                replacement.insert(memory.var, constant);
            }
            Class::Like(leader) if *leader != memory.var => {
                let sort = system.variables[memory.var.index()].sort;
                let leader = system.terms.variable(*leader, sort);
                replacement.insert(memory.var, leader);
            }
            Class::Like(_) => {}
        }
    }
    if replacement.is_empty() {
        return;
    }
    for memory in &system.memories {
        if let Some(&other) = replacement.get(&memory.var) {
            let sort = system.variables[memory.var.index()].sort;
            let var = system.terms.variable(memory.var, sort);
            facts.push(system.terms.eq(var, other));
        }
    }
    super::substitute(system, |var| replacement.get(&var).copied());
    system.memories.retain(|m| !replacement.contains_key(&m.var));
}

/// What is assumed of a memory.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Class {
    /// It always has this value.
    Constant(Value),
    /// It always has the value of this memory (perhaps itself).
    Like(VarId),
}

fn refine(system: &TransitionSystem) -> Option<Vec<Class>> {
    let mut classes: Vec<Class> =
        system.memories.iter().map(|m| Class::Constant(m.initial.clone())).collect();
    for _ in 0..MOST_ROUNDS {
        let next = round(system, &classes);
        if next == classes {
            return Some(classes);
        }
        classes = next;
    }
    None
}

fn round(system: &TransitionSystem, classes: &[Class]) -> Vec<Class> {
    let mut terms = Terms::new();
    let mut translation = Translation::new();
    let assumed: FxHashMap<VarId, &Class> =
        system.memories.iter().zip(classes).map(|(m, class)| (m.var, class)).collect();
    let mut leaders: FxHashMap<(&Class, &Value, TermId), VarId> = FxHashMap::default();
    let mut result = Vec::with_capacity(classes.len());
    for (memory, class) in system.memories.iter().zip(classes) {
        let next = translation.apply(&system.terms, &mut terms, memory.next, |terms, var, sort| {
            match assumed.get(&var) {
                Some(Class::Constant(value)) => terms.constant(value.clone()),
                Some(Class::Like(leader)) => terms.variable(*leader, sort),
                None => terms.variable(var, sort),
            }
        });
        result.push(match class {
            Class::Constant(value) if terms.value(next) == Some(value) => class.clone(),
            // Agreement is only ever refined: two memories that were told
            // apart before stay apart. The first of a new class leads it.
            _ => Class::Like(*leaders.entry((class, &memory.initial, next)).or_insert(memory.var)),
        });
    }
    result
}
