//! What nodes call, and where their parts stand in the text.

use lustral_kernel::Program;
use lustral_sema::instances::CallGraph;
use lustral_sema::{InstanceTree, NodeId};
use lustral_syntax::Span;
use lustral_system::{Origin, TransitionSystem};
use rustc_hash::FxHashSet;

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

/// Where each variable of a node's system stands in the text, for people; `place`
/// says that of a part of the text.
#[must_use]
pub fn places(
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
        | Origin::Any { instance, expr, .. } => {
            let node = tree.node(typed, instance);
            Some(node.exprs[expr].span)
        }
        Origin::First | Origin::Clock { .. } | Origin::Kernel { .. } | Origin::Auxiliary => None,
    };
    let places = system.variables.iter().map(|v| of(v.origin));
    places.map(|span| span.map(place).unwrap_or_default()).collect()
}
