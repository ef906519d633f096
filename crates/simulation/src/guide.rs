//! What leads towards a failure: what to watch, and what to avoid.

use lustral_system::TransitionSystem;
use lustral_term::{Operator, Sort, Term, TermId, Terms, Translation, Value, VarId};
use rustc_hash::FxHashMap;

/// Comparisons that are watched.
const MOST_WATCHED: usize = 48;

/// Terms of a system that is worth the search for dead ends.
const MOST_TERMS: usize = 50_000;

/// Both sides of comparisons of integers and of values of enumerations: those
/// that the properties need first. How far apart they are says how far an
/// execution has come; of an enumeration, at least which values it has seen.
pub(crate) fn watched(system: &TransitionSystem) -> Vec<(TermId, TermId)> {
    let terms = &system.terms;
    let properties = terms.closure(system.properties.iter().map(|p| p.term));
    let rest = terms.closure(system.memories.iter().map(|m| m.next));
    let mut found = Vec::new();
    for id in properties.into_iter().chain(rest) {
        if let Term::Apply(Operator::Le, [a, b]) | Term::Apply(Operator::Eq, [a, b]) = terms.get(id)
            && matches!(terms.sort(*a), Sort::Int | Sort::Enum(_))
            && !found.contains(&(*a, *b))
            && found.len() < MOST_WATCHED
        {
            found.push((*a, *b));
        }
    }
    found
}

/// Dead ends: memories with a value that stays for ever and with which no
/// property can fail. A system whose properties are `Sofar(X) => Q` has one,
/// and most random executions end in it at once. The terms say, of a step,
/// that the memory does not get that value. They are made in the arena.
pub(crate) fn avoiding(system: &mut TransitionSystem) -> Vec<TermId> {
    if system.terms.len() > MOST_TERMS || system.properties.is_empty() {
        return Vec::new();
    }
    // After the first step, memories that always become the same value have it.
    let mut settled: FxHashMap<VarId, Value> = FxHashMap::default();
    for memory in &system.memories {
        if let Some(value) = system.terms.value(memory.next) {
            settled.insert(memory.var, value.clone());
        }
    }
    let read = system.terms.variables(system.properties.iter().map(|p| p.term));
    let mut found = Vec::new();
    for memory in &system.memories {
        if system.variable(memory.var).sort != Sort::Bool
            || settled.contains_key(&memory.var)
            || read.binary_search(&memory.var).is_err()
        {
            continue;
        }
        for value in [false, true] {
            if is_dead_end(system, &settled, memory.var, memory.next, value) {
                found.push((memory.next, value));
            }
        }
    }
    let terms = &mut system.terms;
    found.into_iter().map(|(next, value)| if value { terms.not(next) } else { next }).collect()
}

fn is_dead_end(
    system: &TransitionSystem,
    settled: &FxHashMap<VarId, Value>,
    var: VarId,
    next: TermId,
    value: bool,
) -> bool {
    let mut terms = Terms::new();
    let mut translation = Translation::new();
    let mut apply = |term: TermId| {
        translation.apply(&system.terms, &mut terms, term, |terms, v, sort| match settled.get(&v) {
            _ if v == var => terms.bool(value),
            Some(known) => terms.constant(known.clone()),
            None => terms.variable(v, sort),
        })
    };
    let stays = apply(next) == if value { Terms::TRUE } else { Terms::FALSE };
    stays && system.properties.iter().all(|p| apply(p.term) == Terms::TRUE)
}
