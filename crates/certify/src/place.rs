//! What a called node guarantees, stated of one of its calls.

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

/// Adds predicates about the interface of a node as constraints of a caller's
/// system, at the call that is its instance of this number.
///
/// Flows become those of the call, both systems begin together, and for what
/// the node remembers of its flows the caller gets memories that remember the
/// same of the call's, with the same initial values. So each predicate says of
/// the call what it says of the node.
pub(crate) fn place(
    system: &mut TransitionSystem,
    instance: InstanceId,
    theirs: &TransitionSystem,
    predicates: &[&Predicate],
) {
    let mut inside: FxHashSet<VarId> = FxHashSet::default();
    predicates.iter().for_each(|p| inside.extend(basis(theirs, p).inside));
    let mut here: FxHashMap<VarId, TermId> = FxHashMap::default();
    let ours: Vec<VarId> = system.instance(instance).streams.iter().map(|s| s.var).collect();
    for (stream, ours) in theirs.root().streams.iter().zip(ours) {
        let sort = system.variable(ours).sort;
        here.insert(stream.var, system.terms.variable(ours, sort));
    }
    for (var, flow) in same_as_interface(theirs) {
        here.insert(var, here[&flow]);
    }
    // Both begin together: `Summaries` are of programs on one clock only.
    let first = system.variables().find(|(_, v)| v.origin == Origin::First).map(|(id, _)| id);
    if let (Some(ours), Some((theirs, variable))) =
        (first, theirs.variables().find(|(_, v)| v.origin == Origin::First))
    {
        here.insert(theirs, system.terms.variable(ours, variable.sort));
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
            let term = translate(system, &here, term);
            here.insert(*var, term);
        }
    }
    for memory in remembered {
        let next = translate(system, &here, memory.next);
        let var = system.terms.var(here[&memory.var]).expect("a memory is a variable");
        system.memories.push(Memory { var, initial: memory.initial.clone(), next });
    }
    for predicate in predicates {
        let variable = |_: &mut Terms, var: VarId, _| here[&var];
        let source = &predicate.terms;
        let term = Translation::new().apply(source, &mut system.terms, predicate.term, variable);
        if term != Terms::TRUE {
            let constraint = Constraint { term, source: ConstraintSource::Summary(instance) };
            system.constraints.push(constraint);
        }
    }
}
