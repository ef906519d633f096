//! Clock scopes as a prepared system shows them: which memories a scope writes, and which
//! flag says that it has not run yet.
//!
//! A memory of a scope is `if active then … else` itself, and the fresh flag of the scope
//! becomes false at an active step: `not active and …`. That is how the encoding writes both
//! (`flow/src/clocks.rs`), and preparation merges what is equal of several scopes. What is not
//! recognised is a memory like others, whose candidates stand behind the flag of the first
//! step only; nothing rests on what is found here.

use lustral_system::{ClockPart, Inlined, Origin, Role};
use lustral_term::{Operator, Term, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A clock scope that is not active at every step.
pub(super) struct ClockScope {
    /// True until the scope first runs.
    pub fresh: VarId,
    /// The memories that it writes.
    pub own: Vec<VarId>,
    /// The memories beside them that read or are read by them, and mean something as soon as
    /// these do: of the root and of the scopes around.
    pub near: Vec<VarId>,
    /// The flags that are false when the scope has run: its own and those around.
    pub flags: Vec<VarId>,
}

/// The scopes of a system that have memories.
pub(super) fn clock_scopes(system: &Inlined) -> Vec<ClockScope> {
    let mut terms = system.terms.clone();
    let is_fresh = |var: VarId| {
        matches!(system.variable(var).origin, Origin::Clock { part: ClockPart::Fresh, .. })
    };
    let mut by_stay: FxHashMap<Vec<TermId>, VarId> = FxHashMap::default();
    for memory in system.memories.iter().filter(|m| is_fresh(m.var)) {
        let mut stay = operands(&terms, memory.next);
        stay.retain(|part| !terms.variables([*part]).contains(&memory.var));
        if !stay.is_empty() {
            by_stay.entry(stay).or_insert(memory.var);
        }
    }
    if by_stay.is_empty() {
        return Vec::new();
    }
    let mut scopes: Vec<(ClockScope, Vec<TermId>)> = Vec::new();
    let mut position: FxHashMap<VarId, usize> = FxHashMap::default();
    let mut scope_of: FxHashMap<VarId, usize> = FxHashMap::default();
    for memory in &system.memories {
        let Some(active) = activity(&mut terms, memory.var, memory.next) else { continue };
        let not_active = terms.not(active);
        let stay = operands(&terms, not_active);
        let Some(fresh) = by_stay.get(&stay).copied() else { continue };
        let at = *position.entry(fresh).or_insert_with(|| {
            let empty = ClockScope { fresh, own: Vec::new(), near: Vec::new(), flags: Vec::new() };
            scopes.push((empty, operands(&terms, active)));
            scopes.len() - 1
        });
        scopes[at].0.own.push(memory.var);
        scope_of.insert(memory.var, at);
    }
    surroundings(system, &mut scopes, &scope_of);
    scopes.into_iter().map(|(scope, _)| scope).collect()
}

/// What is around each scope.
fn surroundings(
    system: &Inlined,
    scopes: &mut [(ClockScope, Vec<TermId>)],
    scope_of: &FxHashMap<VarId, usize>,
) {
    let mut near: Vec<FxHashSet<VarId>> = vec![FxHashSet::default(); scopes.len()];
    for memory in &system.memories {
        let reads = system.terms.variables([memory.next]);
        if let Some(at) = scope_of.get(&memory.var) {
            near[*at].extend(&reads);
        }
        for read in reads {
            if let Some(at) = scope_of.get(&read) {
                near[*at].insert(memory.var);
            }
        }
    }
    let is_flag = |var: VarId| {
        let origin = system.variable(var).origin;
        matches!(origin, Origin::First | Origin::Clock { .. })
    };
    for at in 0..scopes.len() {
        let inner = &scopes[at].1;
        let around: Vec<usize> = (0..scopes.len())
            .filter(|other| {
                let outer = &scopes[*other].1;
                outer.len() < inner.len() && outer.iter().all(|part| inner.contains(part))
            })
            .collect();
        let outer_flags: Vec<VarId> = around.iter().map(|other| scopes[*other].0.fresh).collect();
        let is_memory = |var: &VarId| system.variable(*var).role == Role::Memory;
        let means_something = |var: &&VarId| match scope_of.get(var) {
            Some(other) => around.contains(other),
            None => !is_flag(**var) && is_memory(var),
        };
        let mut list: Vec<VarId> = near[at].iter().filter(means_something).copied().collect();
        list.sort_unstable();
        let scope = &mut scopes[at].0;
        scope.near = list;
        scope.flags = [&[scope.fresh], &outer_flags[..]].concat();
    }
}

/// When a memory is written, if it keeps its value at other steps.
fn activity(terms: &mut Terms, var: VarId, next: TermId) -> Option<TermId> {
    let Term::Apply(Operator::Ite, [condition, yes, no]) = terms.get(next) else { return None };
    let (condition, yes, no) = (*condition, *yes, *no);
    match (terms.var(yes) == Some(var), terms.var(no) == Some(var)) {
        (false, true) => Some(condition),
        (true, false) => Some(terms.not(condition)),
        _ => None,
    }
}

/// The parts of a conjunction, in order; a term that is none is its only part.
fn operands(terms: &Terms, term: TermId) -> Vec<TermId> {
    let mut list = match terms.get(term) {
        Term::Apply(Operator::And, list) => list.to_vec(),
        _ => vec![term],
    };
    list.sort_unstable();
    list
}
