//! What is known of a called node, stated of one of its calls.
//!
//! There is one way to do that: a map from the variables of the called node to
//! terms of the caller. The flows of the interface are those of the call
//! ([`interface`]); what the node remembers of them needs memories in the caller,
//! which remember the same of the call's ([`remember`]). A predicate that speaks
//! of nothing else says of the call, with these in place, what it says of the node.
//!
//! Facts of nodes that are looked at one by one are about one step
//! ([`at_call`], [`goals_at_call`]); summaries may speak of the past ([`place`]).

use std::sync::Arc;

use lustral_system::{
    Constraint, ConstraintSource, InstanceId, Memory, Origin, Predicate, Role, StreamRole,
    TransitionSystem, Variable, same_as_interface,
};
use lustral_term::{TermId, Terms, Translation, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables that a predicate about a node's interface rests on.
#[derive(Default)]
pub(crate) struct Basis {
    inside: FxHashSet<VarId>,
    /// Whether inputs are among them.
    pub inputs: bool,
}

impl Basis {
    /// Whether a variable is among them.
    pub(crate) fn has(&self, var: VarId) -> bool {
        self.inside.contains(&var)
    }
}

/// The basis of a predicate over the system of a node: definitions and
/// memories down to the inputs and outputs.
pub(crate) fn basis(system: &TransitionSystem, predicate: &Predicate) -> Basis {
    let interface = system.root().streams.iter().filter(|s| s.role != StreamRole::Local);
    let mut roles: FxHashMap<VarId, StreamRole> = interface.map(|s| (s.var, s.role)).collect();
    // What an input or output is by definition is as good as that, also where it
    // is a local with a name: its own definition may rest on what no caller sees.
    for (var, flow) in same_as_interface(system) {
        roles.insert(var, roles[&flow]);
    }
    let memories: FxHashMap<VarId, TermId> =
        system.memories.iter().map(|m| (m.var, m.next)).collect();
    let mut basis = Basis::default();
    let mut pending = predicate.terms.variables([predicate.term]);
    while let Some(var) = pending.pop() {
        if !basis.inside.insert(var) {
            continue;
        }
        let below = match (roles.get(&var), system.variable(var).role) {
            (Some(StreamRole::Input), _) => {
                basis.inputs = true;
                None
            }
            (Some(StreamRole::Output), _) => None,
            (_, Role::Defined(term)) => Some(term),
            (_, Role::Memory) => memories.get(&var).copied(),
            _ => None,
        };
        pending.extend(below.into_iter().flat_map(|term| system.terms.variables([term])));
    }
    basis
}

/// The instance that a call of the root is: trees are numbered level by level.
#[must_use]
pub fn of_call(call: usize) -> InstanceId {
    InstanceId(call as u32 + 1)
}

/// From the flows of a called node to what they are at a call, which is an
/// instance in the system of the caller: there, or in the same with its
/// definitions inlined.
pub fn interface(
    system: &mut TransitionSystem,
    instance: InstanceId,
    theirs: &TransitionSystem,
) -> FxHashMap<VarId, TermId> {
    let mut here: FxHashMap<VarId, TermId> = FxHashMap::default();
    let flows = theirs.root().streams.iter().zip(&system.instances[instance.index()].streams);
    for (theirs, ours) in flows {
        let variable = &system.variables[ours.var.index()];
        let term = match variable.role {
            Role::Defined(term) => term,
            _ => system.terms.variable(ours.var, variable.sort),
        };
        here.insert(theirs.var, term);
    }
    // Both begin together: whoever states something of a call makes sure that it takes every
    // step of the root. Then the equations of the node's system are among those of the program,
    // those of its slower parts too.
    let first = |s: &TransitionSystem| {
        s.variables().find(|(_, v)| v.origin == Origin::First).map(|(id, v)| (id, v.sort))
    };
    if let (Some((theirs, _)), Some((ours, sort))) = (first(theirs), first(system)) {
        here.insert(theirs, system.terms.variable(ours, sort));
    }
    here
}

/// What facts of a called node say of a call, as terms of the caller, as far
/// as they speak of the interface only: the inputs and outputs at one step.
/// That is less than they say, so it is for what is assumed, never for goals.
pub fn at_call(
    terms: &mut Terms,
    here: &FxHashMap<VarId, TermId>,
    facts: &[Predicate],
) -> Vec<TermId> {
    translated(terms, here, facts.iter().filter(|fact| speaks_of(here, fact)))
}

/// Something is to be shown of a call that its caller cannot see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("what a call is given speaks of more than its interface")]
pub struct Hidden;

/// What facts of a called node say of a call: all of it, for what is to be
/// shown.
///
/// # Errors
/// If one speaks of something that the caller cannot see: nobody could show
/// that, and to leave it out would be to believe it.
pub fn goals_at_call(
    terms: &mut Terms,
    here: &FxHashMap<VarId, TermId>,
    facts: &[Predicate],
) -> Result<Vec<TermId>, Hidden> {
    if !facts.iter().all(|fact| speaks_of(here, fact)) {
        return Err(Hidden);
    }
    Ok(translated(terms, here, facts))
}

fn speaks_of(here: &FxHashMap<VarId, TermId>, fact: &Predicate) -> bool {
    fact.terms.variables([fact.term]).iter().all(|v| here.contains_key(v))
}

/// Facts with terms in place of all their variables; without what is always true.
fn translated<'f>(
    terms: &mut Terms,
    here: &FxHashMap<VarId, TermId>,
    facts: impl IntoIterator<Item = &'f Predicate>,
) -> Vec<TermId> {
    let mut found = translated_all(terms, here, facts);
    found.retain(|term| *term != Terms::TRUE);
    found
}

/// Facts with terms in place of all their variables, one for each.
pub(crate) fn translated_all<'f>(
    terms: &mut Terms,
    here: &FxHashMap<VarId, TermId>,
    facts: impl IntoIterator<Item = &'f Predicate>,
) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut last: Option<(&Predicate, Translation)> = None;
    for fact in facts {
        // Facts of one arena share what they have in common.
        let same =
            |(before, _): &(&Predicate, Translation)| Arc::ptr_eq(&before.terms, &fact.terms);
        let mut translation =
            last.take().filter(same).map_or_else(Translation::new, |(_, translation)| translation);
        found.push(translation.apply(&fact.terms, terms, fact.term, |_, var, _| here[&var]));
        last = Some((fact, translation));
    }
    found
}

/// Adds what is known of a called node at one step.
pub fn assume_of_call(
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

/// Adds predicates about the interface of a node, present and past, as
/// constraints of a caller's system, at the call that is this instance: where a condition
/// holds, if they depend on one.
pub(crate) fn place(
    system: &mut TransitionSystem,
    instance: InstanceId,
    theirs: &TransitionSystem,
    predicates: &[&Predicate],
    condition: Option<TermId>,
) {
    let mut here = interface(system, instance, theirs);
    remember(system, instance, theirs, predicates, &mut here);
    for mut term in translated(&mut system.terms, &here, predicates.iter().copied()) {
        if let Some(condition) = condition {
            term = system.terms.implies(condition, term);
        }
        assume(system, term, instance);
    }
}

/// Adds predicates about the interface of a node at one step as constraints of a caller's
/// system, at a call that does not take every step: they hold where it takes one. What
/// speaks of a first step or of one before is left out.
pub(crate) fn place_where_active(
    system: &mut TransitionSystem,
    instance: InstanceId,
    theirs: &TransitionSystem,
    predicates: &[&Predicate],
) {
    let mut flags = system.instances[instance.index()].streams.iter().map(|stream| stream.active);
    // Where the flows of the interface have clocks of their own, the node's is not theirs.
    let Some(active) = flags.next().flatten() else { return };
    if flags.any(|other| other != Some(active)) {
        return;
    }
    let mut here = interface(system, instance, theirs);
    here.retain(|var, _| theirs.variable(*var).origin != Origin::First);
    let facts = predicates.iter().copied().filter(|fact| speaks_of(&here, fact));
    let Variable { role, sort, .. } = system.variables[active.index()];
    let active = match role {
        Role::Defined(term) => term,
        _ => system.terms.variable(active, sort),
    };
    for term in translated(&mut system.terms, &here, facts) {
        let term = system.terms.implies(active, term);
        assume(system, term, instance);
    }
}

/// Adds to the interface of a call what predicates about the node rest on: its
/// definitions, and for what it remembers of its flows memories that remember
/// the same of the call's, with the same initial values.
pub(crate) fn remember(
    system: &mut TransitionSystem,
    instance: InstanceId,
    theirs: &TransitionSystem,
    predicates: &[&Predicate],
    here: &mut FxHashMap<VarId, TermId>,
) {
    let mut inside: FxHashSet<VarId> = FxHashSet::default();
    predicates.iter().for_each(|p| inside.extend(basis(theirs, p).inside));
    for (var, flow) in same_as_interface(theirs) {
        here.insert(var, here[&flow]);
    }
    let path = system.instance(instance).path.clone();
    let remembered: Vec<&Memory> = theirs
        .memories
        .iter()
        .filter(|m| inside.contains(&m.var) && !here.contains_key(&m.var))
        .collect();
    for memory in &remembered {
        let variable = theirs.variable(memory.var);
        let (_, term) = system.add_variable(Variable {
            name: format!("({} of {path})", variable.name),
            origin: Origin::Auxiliary,
            ..variable.clone()
        });
        here.insert(memory.var, term);
    }
    let mut translation = Translation::new();
    let mut translate = |system: &mut TransitionSystem, here: &FxHashMap<_, _>, term| {
        let variable = |_: &mut Terms, var: VarId, _| here[&var];
        translation.apply(&theirs.terms, &mut system.terms, term, variable)
    };
    // Each after those that it uses.
    for var in theirs.definitions.iter().filter(|v| inside.contains(v)) {
        if let (false, Role::Defined(term)) = (here.contains_key(var), theirs.variable(*var).role) {
            let term = translate(system, here, term);
            here.insert(*var, term);
        }
    }
    for memory in remembered {
        let next = translate(system, here, memory.next);
        let var = system.terms.var(here[&memory.var]).expect("a memory is a variable");
        system.memories.push(Memory { var, initial: memory.initial.clone(), next });
    }
}
