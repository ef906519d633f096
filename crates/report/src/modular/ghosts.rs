//! Ghost flows: what a contract remembers, so that it can say what a node does by what it
//! remembers.
//!
//! A contract sees inputs, outputs and flows of its own. What is known of a node speaks of its
//! local flows, too; so the contract has copies of those, each defined as in the node, by inputs,
//! outputs and other copies. A call has a copy as well, which is given the same and so does the same, unless
//! its node leaves something open. What rests on values that are left open is not copied.

use std::collections::BTreeSet;

use lustral_certify::CutProgram;
use lustral_render::LustreWriter;
use lustral_system::{InstanceId, Role, Stream, StreamRole, TransitionSystem, Variable};
use lustral_term::{Sort, VarId};

/// A ghost flow, or some that one call defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ghost {
    pub names: Vec<String>,
    /// As it is written in a contract.
    pub text: String,
}

/// The node as its contract speaks of it: local flows and what calls return have the names of ghosts.
pub(super) fn renamed(program: &CutProgram, node: usize) -> TransitionSystem {
    let mut system = program.nodes[node].system.clone();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    taken.extend(system.root().streams.iter().map(|s| s.name.clone()));
    let mut fresh = |name: &str| {
        let plain = name.replace(|c: char| !c.is_alphanumeric(), "_");
        let mut ghost = format!("ghost_{plain}");
        while !taken.insert(ghost.clone()) {
            ghost.push('_');
        }
        ghost
    };
    let mut returned: Vec<Stream> = Vec::new();
    for call in &system.instances[1..] {
        for stream in call.streams.iter().filter(|s| s.role == StreamRole::Output) {
            returned.push(Stream {
                name: fresh(&format!("{}_{}", call.path, stream.name)),
                role: StreamRole::Local,
                ..stream.clone()
            });
        }
    }
    let root = &mut system.instances[0].streams;
    for stream in root.iter_mut().filter(|s| s.role == StreamRole::Local && !s.hidden) {
        stream.name = fresh(&stream.name);
    }
    root.extend(returned);
    system
}

/// All ghost flows that can be written, of a system that was renamed.
pub(super) fn ghosts(program: &CutProgram, node: usize, system: &TransitionSystem) -> Vec<Ghost> {
    let mut writer = LustreWriter::new(system);
    let mut found = Vec::new();
    let mut returned: BTreeSet<VarId> = BTreeSet::new();
    for instance in &system.instances[1..] {
        let outputs = instance.streams.iter().filter(|s| s.role == StreamRole::Output);
        returned.extend(outputs.map(|s| s.var));
    }
    // The calls of the node come first; behind them is what calls that are never cut do.
    for (call, callee) in program.nodes[node].calls.iter().enumerate() {
        if is_determined(program, *callee) && !program.nodes[*callee].name.contains("<<") {
            found.extend(of_call(&mut writer, system, call + 1));
        }
    }
    for stream in &system.root().streams {
        if stream.role != StreamRole::Local || stream.hidden || returned.contains(&stream.var) {
            continue;
        }
        let definition = writer.definition(stream.var);
        let sort = type_name(system, system.variable(stream.var).sort);
        if let (Some(definition), Some(sort)) = (definition, sort) {
            let text = format!("var {}: {sort} = {definition};", stream.name);
            found.push(Ghost { names: vec![stream.name.clone()], text });
        }
    }
    found
}

/// What a call returns, by the call itself.
fn of_call(writer: &mut LustreWriter<'_>, system: &TransitionSystem, call: usize) -> Option<Ghost> {
    let instance = system.instance(InstanceId(call as u32));
    let of = |role: StreamRole| instance.streams.iter().filter(move |s| s.role == role);
    let mut arguments = Vec::new();
    for input in of(StreamRole::Input) {
        arguments.push(writer.definition(input.var)?);
    }
    let (mut names, mut sort) = (Vec::new(), None);
    for output in of(StreamRole::Output) {
        // The parts of a structure are no results of the call by themselves.
        if output.name.contains(['[', '.', '%']) {
            return None;
        }
        let own = type_name(system, system.variable(output.var).sort)?;
        if sort.replace(own.clone()).is_some_and(|before| before != own) {
            return None;
        }
        let named = system.root().streams.iter().find(|s| s.var == output.var)?;
        names.push(named.name.clone());
    }
    if of(StreamRole::Input).any(|s| s.name.contains(['[', '.', '%'])) {
        return None;
    }
    let (node, arguments) = (&instance.node, arguments.join(", "));
    let text = format!("var {}: {} = {node}({arguments});", names.join(", "), sort?);
    Some(Ghost { names, text })
}

/// The ghost flows that a text names, and those that these are defined by; nothing if it names
/// some that cannot be written.
pub(super) fn needed(
    system: &TransitionSystem,
    ghosts: &[Ghost],
    text: &str,
) -> Option<Vec<usize>> {
    let locals = system.root().streams.iter().filter(|s| s.role == StreamRole::Local);
    let locals: BTreeSet<&str> = locals.map(|s| s.name.as_str()).collect();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let named = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !is_part(c)).filter(|word| locals.contains(word));
        words.map(ToString::to_string).collect()
    };
    let mut needed: BTreeSet<usize> = BTreeSet::new();
    let mut pending = named(text);
    while let Some(name) = pending.pop() {
        let ghost = ghosts.iter().position(|g| g.names.contains(&name))?;
        if needed.insert(ghost) {
            pending.extend(named(&ghosts[ghost].text));
        }
    }
    Some(needed.into_iter().collect())
}

/// What each output is by definition.
pub(super) fn outputs(system: &TransitionSystem) -> Option<Vec<String>> {
    let mut writer = LustreWriter::new(system);
    let outputs = system.root().streams.iter().filter(|s| s.role == StreamRole::Output);
    outputs.map(|s| Some(format!("{} = ({})", s.name, writer.definition(s.var)?))).collect()
}

/// Whether a node, and all that it calls, leaves nothing open: given the same it does the same.
fn is_determined(program: &CutProgram, node: usize) -> bool {
    let mut pending = vec![node];
    let mut seen = BTreeSet::new();
    while let Some(node) = pending.pop() {
        if !seen.insert(node) {
            continue;
        }
        let known = &program.nodes[node];
        let system = &known.system;
        let outputs = || system.root().streams.iter().filter(|s| s.role == StreamRole::Output);
        let cone = system.cone_of(outputs().map(|s| s.var).collect());
        let chosen = |(id, v): (VarId, &Variable)| v.role == Role::Choice && cone[id.index()];
        let open = |s: &Stream| !matches!(system.variable(s.var).role, Role::Defined(_));
        if system.variables().any(chosen) || outputs().any(open) {
            return false;
        }
        pending.extend(&known.calls);
    }
    true
}

/// How the type of a scalar is written.
fn type_name(system: &TransitionSystem, sort: Sort) -> Option<String> {
    match sort {
        Sort::Enum(of) => {
            let names = system.enumerations.get(of.id.index())?;
            let is_plain = names.name.chars().all(|c| c.is_alphanumeric() || c == '_');
            (is_plain && !names.constructors).then(|| names.name.clone())
        }
        Sort::Bool => Some("bool".into()),
        Sort::Int => Some("int".into()),
        Sort::Real => Some("real".into()),
        Sort::BitVec(shape) => Some(shape.to_string()),
        _ => None,
    }
}
