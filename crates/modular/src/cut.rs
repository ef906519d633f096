//! Nodes whose calls are cut: of a called node only the interface is there, and
//! what is known of it.

use lustral_system::{
    Constraint, ConstraintSource, InstanceId, Origin, Predicate, Role, TransitionSystem,
};
use lustral_term::{TermId, Terms, Translation, VarId};
use rustc_hash::FxHashMap;

use crate::failure::NoPreconditions;

/// A node whose calls are cut.
pub struct NodeSystem {
    /// Its system: the node is the first instance, its calls the others.
    pub system: TransitionSystem,
    /// By call, in the order of the instances: the position of the called
    /// node, which comes before this one.
    pub calls: Vec<usize>,
}

/// The instance that a call is, in a system in which the calls are cut.
pub(crate) fn of_call(call: usize) -> InstanceId {
    InstanceId(call as u32 + 1)
}

/// From the flows of a called node to those of a call: its instance in the
/// system of the caller.
pub(crate) fn interface(
    system: &mut TransitionSystem,
    instance: InstanceId,
    callee: &TransitionSystem,
) -> FxHashMap<VarId, TermId> {
    let mut here: FxHashMap<VarId, TermId> = FxHashMap::default();
    let flows = callee.root().streams.iter().zip(&system.instances[instance.index()].streams);
    for (theirs, ours) in flows {
        let variable = &system.variables[ours.var.index()];
        let term = match variable.role {
            Role::Defined(term) => term,
            _ => system.terms.variable(ours.var, variable.sort),
        };
        here.insert(theirs.var, term);
    }
    // Both begin together: whoever cuts a program makes sure that it is on one clock.
    debug_assert!(system.is_on_one_clock() && callee.is_on_one_clock());
    let first = |s: &TransitionSystem| {
        s.variables().find(|(_, v)| v.origin == Origin::First).map(|(id, v)| (id, v.sort))
    };
    if let (Some((theirs, _)), Some((ours, sort))) = (first(callee), first(system)) {
        here.insert(theirs, system.terms.variable(ours, sort));
    }
    here
}

/// What facts of a called node say of a call, as terms of the caller, as far
/// as they speak of the interface only: the inputs and outputs at one step.
/// That is less than they say, so it is for what is assumed, never for goals.
pub(crate) fn at_call(
    terms: &mut Terms,
    here: &FxHashMap<VarId, TermId>,
    facts: &[Predicate],
) -> Vec<TermId> {
    let can_say = |fact: &&Predicate| speaks_of(here, fact);
    let facts: Vec<Predicate> = facts.iter().filter(can_say).cloned().collect();
    translated(terms, here, &facts)
}

/// What facts of a called node say of a call: all of it, for what is to be
/// shown.
///
/// # Errors
/// If one speaks of something that the caller cannot see: nobody could show
/// that, and to leave it out would be to believe it.
pub(crate) fn goals_at_call(
    terms: &mut Terms,
    here: &FxHashMap<VarId, TermId>,
    facts: &[Predicate],
) -> Result<Vec<TermId>, NoPreconditions> {
    if facts.iter().all(|fact| speaks_of(here, fact)) {
        Ok(translated(terms, here, facts))
    } else {
        Err(NoPreconditions::Hidden)
    }
}

fn speaks_of(here: &FxHashMap<VarId, TermId>, fact: &Predicate) -> bool {
    fact.terms.variables([fact.term]).iter().all(|v| here.contains_key(v))
}

/// Facts that speak of the interface, with the terms of a call in its place.
fn translated(
    terms: &mut Terms,
    here: &FxHashMap<VarId, TermId>,
    facts: &[Predicate],
) -> Vec<TermId> {
    let mut found = Vec::with_capacity(facts.len());
    for group in facts.chunk_by(|a, b| std::sync::Arc::ptr_eq(&a.terms, &b.terms)) {
        let mut translation = Translation::new();
        let mut one = |fact: &Predicate| {
            translation.apply(&fact.terms, terms, fact.term, |_, var, _| here[&var])
        };
        found.extend(group.iter().map(&mut one));
    }
    found.retain(|term| *term != Terms::TRUE);
    found
}

/// Facts of a node as terms of another arena over its variables.
pub(crate) fn imported(terms: &mut Terms, facts: &[Predicate]) -> Vec<TermId> {
    let mut found = Vec::new();
    for group in facts.chunk_by(|a, b| std::sync::Arc::ptr_eq(&a.terms, &b.terms)) {
        let mut translation = Translation::new();
        for fact in group {
            let variable = |terms: &mut Terms, var, sort| terms.variable(var, sort);
            found.push(translation.apply(&fact.terms, terms, fact.term, variable));
        }
    }
    found
}

/// Adds what is known of a called node.
pub(crate) fn assume_of_call(
    system: &mut TransitionSystem,
    call: usize,
    facts: &[Predicate],
    callee: &TransitionSystem,
) {
    let instance = of_call(call);
    let here = interface(system, instance, callee);
    for term in at_call(&mut system.terms, &here, facts) {
        assume(system, term, instance);
    }
}

/// Adds a constraint that was shown elsewhere.
pub(crate) fn assume(system: &mut TransitionSystem, term: TermId, instance: InstanceId) {
    system.constraints.push(Constraint { term, source: ConstraintSource::Summary(instance) });
}
