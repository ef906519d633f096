//! A program node by node.

use lustral_kernel::Program;
use lustral_sema::instances::{CallGraph, Wanted, node_properties};
use lustral_sema::{InstanceTree, NodeId};
use lustral_syntax::Span;
use lustral_system::{Modular, ModularNode, Origin, TooLarge, TransitionSystem};
use rustc_hash::FxHashSet;

use crate::encode;

/// Why there is no program node by node.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotModular {
    /// The states of the nodes are too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// A node has parts with a clock of their own. Node by node, all instances
    /// begin together and take every step together.
    #[error(transparent)]
    Clocked(#[from] lustral_kernel::Clocked),
}

/// The nodes below a root, each alone. `place` says for people where something
/// stands in the text.
///
/// # Errors
/// If the states of the nodes are too large, or a node has inner clocks.
pub fn modular(
    program: &Program,
    root: NodeId,
    wanted: Wanted,
    place: &dyn Fn(Span) -> String,
) -> Result<Modular, NotModular> {
    let order = called_first(program, &[root]);
    program.all_on_one_clock(&order)?;
    let mut nodes = Vec::with_capacity(order.len());
    for id in &order {
        let node = program.node(*id);
        let tree = InstanceTree::cut(program, *id);
        // What callers owe may not be assumed in a called node.
        let tree = if *id == root { tree } else { tree.called() };
        let properties = node_properties(&program.typed, *id, root, wanted);
        let system = encode(program, &tree, &properties);
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
pub fn called_first(program: &impl CallGraph, roots: &[NodeId]) -> Vec<NodeId> {
    let mut order = Vec::new();
    let mut done: FxHashSet<NodeId> = FxHashSet::default();
    let mut stack: Vec<(NodeId, bool)> = roots.iter().rev().map(|id| (*id, false)).collect();
    while let Some((id, left)) = stack.pop() {
        if done.contains(&id) {
            continue;
        }
        if left {
            done.insert(id);
            order.push(id);
            continue;
        }
        stack.push((id, true));
        stack.extend(program.callees(id).map(|callee| (callee, false)));
    }
    order
}

/// Where each variable of a node's system stands in the text.
fn places(
    program: &Program,
    tree: &InstanceTree,
    system: &TransitionSystem,
    place: &dyn Fn(Span) -> String,
) -> Vec<String> {
    let typed = &program.typed;
    let of = |origin: Origin| match origin {
        Origin::Stream { instance, stream, .. } => {
            let node = tree.node(typed, instance);
            Some(node.stream(stream).span)
        }
        Origin::FirstValue { instance, expr, .. }
        | Origin::Delay { instance, expr, .. }
        | Origin::Outside { instance, expr, .. } => {
            let node = tree.node(typed, instance);
            Some(node.exprs[expr].span)
        }
        Origin::First | Origin::Clock { .. } | Origin::Kernel { .. } | Origin::Auxiliary => None,
    };
    let places = system.variables.iter().map(|v| of(v.origin));
    places.map(|span| span.map(place).unwrap_or_default()).collect()
}
