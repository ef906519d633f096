//! A program node by node.

use lustral_sema::instances::Wanted;
use lustral_sema::{
    InstanceId, InstanceTree, NodeId, Program, PropertyInstance, PropertySource, StreamId, Type,
};
use lustral_syntax::Span;
use lustral_system::{
    Memory, Modular, ModularNode, Origin, StreamRole, TooLarge, TransitionSystem,
};
use lustral_term::{TermId, VarId};

use crate::encode;

/// The nodes below a root, each alone. `place` says for people where something
/// stands in the text.
///
/// # Errors
/// If the states of the nodes are too large.
pub fn modular(
    program: &Program,
    root: NodeId,
    wanted: Wanted,
    place: &dyn Fn(Span) -> String,
) -> Result<Modular, TooLarge> {
    let order = called_first(program, &[root]);
    let mut nodes = Vec::with_capacity(order.len());
    for id in &order {
        let node = program.node(*id);
        let is_root = *id == root;
        let tree = InstanceTree::cut(program, *id);
        let properties = match is_root || wanted.called_nodes {
            true => node_properties(program, *id, is_root),
            false => Vec::new(),
        };
        let outputs = match is_root && states_nothing(program, &order, root, wanted) {
            true => output_properties(program, root),
            false => Vec::new(),
        };
        let properties: Vec<PropertyInstance> = properties.into_iter().chain(outputs).collect();
        let mut system = encode(program, &tree, &properties);
        if !is_root {
            free_inputs(&mut system);
        }
        let position = |callee: NodeId| order.iter().position(|known| *known == callee);
        let calls = node.calls.iter();
        let calls =
            calls.map(|c| position(c.callee).expect("called nodes are in the order")).collect();
        let places = places(program, &tree, &system, place);
        let (name, place) = (node.name.to_string(), place(node.span));
        nodes.push(ModularNode { name, place, system, calls, places, state: Vec::new() });
    }
    let mut modular = Modular { nodes };
    modular.lay_out()?;
    Ok(modular)
}

/// The nodes that some nodes call, and themselves, called nodes first.
#[must_use]
pub fn called_first(program: &Program, roots: &[NodeId]) -> Vec<NodeId> {
    let mut order = Vec::new();
    let mut done = vec![false; program.nodes.len()];
    let mut stack: Vec<(NodeId, bool)> = roots.iter().rev().map(|id| (*id, false)).collect();
    while let Some((id, left)) = stack.pop() {
        if done[id.index()] {
            continue;
        }
        if left {
            done[id.index()] = true;
            order.push(id);
            continue;
        }
        stack.push((id, true));
        stack.extend(program.node(id).calls.iter().map(|call| (call.callee, false)));
    }
    order
}

/// That arguments are in the subranges of the inputs is a property of the
/// callers, so it may not be assumed in a called node.
pub fn free_inputs(system: &mut TransitionSystem) {
    let mut free = Vec::new();
    for stream in &system.instances[InstanceId::ROOT.index()].streams {
        // The values of an enumeration are all there are.
        if stream.role == StreamRole::Input && stream.values.is_none() {
            system.variables[stream.var.index()].range = None;
            free.push(stream.var);
        }
    }
    let terms = &system.terms;
    let remembers = |m: &&Memory| terms.var(m.next).is_some_and(|v| free.contains(&v));
    let memories: Vec<VarId> = system.memories.iter().filter(remembers).map(|m| m.var).collect();
    let unfounded = |t: &TermId| terms.variables([*t]).iter().any(|v| memories.contains(v));
    system.typing = system.typing.iter().filter(|t| !unfounded(t)).copied().collect();
}

/// What a node states, and the subranges of its flows: those of the root's
/// inputs are given, those of a called node's are what the callers pass.
fn node_properties(program: &Program, id: NodeId, is_root: bool) -> Vec<PropertyInstance> {
    let node = program.node(id);
    let stated = node.properties.iter().enumerate().map(|(i, property)| PropertyInstance {
        instance: InstanceId::ROOT,
        source: PropertySource::Stated(i),
        name: property.name.to_string(),
        span: property.span,
    });
    let ranged = node.stream_ids().filter(|s| {
        let given = is_root && s.index() < node.inputs;
        matches!(node.stream(*s).ty, Type::Subrange(_)) && !given
    });
    let ranged = ranged.map(|stream| PropertyInstance {
        instance: InstanceId::ROOT,
        source: PropertySource::InRange(stream),
        name: format!("subrange({})", node.stream(stream).name),
        span: node.stream(stream).span,
    });
    stated.chain(ranged).collect()
}

/// Whether nothing that is to be checked states a property.
fn states_nothing(program: &Program, order: &[NodeId], root: NodeId, wanted: Wanted) -> bool {
    let states = |id: &NodeId| !program.node(*id).properties.is_empty();
    if wanted.called_nodes { !order.iter().any(states) } else { !states(&root) }
}

/// The boolean outputs of the root.
fn output_properties(program: &Program, root: NodeId) -> Vec<PropertyInstance> {
    let node = program.node(root);
    let outputs = node.output_ids().filter(|s: &StreamId| node.stream(*s).ty == Type::Bool);
    let property = |stream: StreamId| PropertyInstance {
        instance: InstanceId::ROOT,
        source: PropertySource::Output(stream),
        name: node.stream(stream).name.to_string(),
        span: node.stream(stream).span,
    };
    outputs.map(property).collect()
}

/// Where each variable of a node's system stands in the text.
fn places(
    program: &Program,
    tree: &InstanceTree,
    system: &TransitionSystem,
    place: &dyn Fn(Span) -> String,
) -> Vec<String> {
    let of = |origin: Origin| match origin {
        Origin::Stream { instance, stream } => {
            let node = tree.node(program, instance);
            Some(node.stream(stream).span)
        }
        Origin::FirstValue { instance, expr } | Origin::Delay { instance, expr } => {
            let node = tree.node(program, instance);
            Some(node.exprs[expr].span)
        }
        Origin::First | Origin::Auxiliary => None,
    };
    let places = system.variables.iter().map(|v| of(v.origin));
    places.map(|span| span.map(place).unwrap_or_default()).collect()
}
