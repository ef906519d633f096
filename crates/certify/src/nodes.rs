//! The nodes of a program, each by itself with all its calls cut.

use std::sync::Arc;

use lustral_flow::called_first;
use lustral_kernel::{Clocked, Program as Kernel};
use lustral_sema::{InstanceTree, NodeId, PropertyInstance};
use lustral_system::TransitionSystem;

use crate::Unit;

/// The nodes below some roots, called ones first, each with its calls cut. They
/// are known by their positions.
#[derive(Debug)]
pub struct Nodes {
    pub(crate) roots: Vec<NodeId>,
    pub(crate) order: Vec<NodeId>,
    pub(crate) units: Vec<Arc<Unit>>,
    /// By node and call: the called node, which comes before.
    pub(crate) calls: Vec<Vec<usize>>,
}

impl Nodes {
    /// Cuts all calls of the nodes below some roots. What callers owe a node is
    /// not assumed in it, if any of the others calls it. `properties` says what is
    /// to be shown of a node; nothing that is said of nodes rests on that.
    ///
    /// # Errors
    /// If a node has parts with a clock of their own: what is known of a node is
    /// stated of its calls as if node and caller began together and took every
    /// step together.
    pub fn below(
        kernel: &Arc<Kernel>,
        roots: &[NodeId],
        properties: impl Fn(NodeId, &InstanceTree) -> Vec<PropertyInstance>,
    ) -> Result<Nodes, Clocked> {
        let order = called_first(&**kernel, roots);
        kernel.all_on_one_clock(&order)?;
        let is_called = |id: &NodeId| {
            order.iter().any(|caller| kernel.node(*caller).calls.iter().any(|c| c.callee == *id))
        };
        let unit = |id: &NodeId| {
            let tree = InstanceTree::cut(&**kernel, *id);
            let tree = if is_called(id) { tree.called() } else { tree };
            let properties = properties(*id, &tree);
            Arc::new(Unit::cut(kernel, tree, properties))
        };
        let units = order.iter().map(unit).collect();
        let position = |callee: NodeId| order.iter().position(|known| *known == callee);
        let calls = order.iter().map(|id| {
            let calls = kernel.node(*id).calls.iter();
            calls.map(|c| position(c.callee).expect("called nodes are in the order")).collect()
        });
        let calls = calls.collect();
        Ok(Nodes { roots: roots.to_vec(), order, units, calls })
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The nodes, called ones first.
    #[must_use]
    pub fn order(&self) -> &[NodeId] {
        &self.order
    }

    /// The node at a position.
    #[must_use]
    pub fn unit(&self, node: usize) -> &Arc<Unit> {
        &self.units[node]
    }

    /// Its system, in which nothing is known of its calls: the node is the first
    /// instance, its calls are the others, in their order.
    #[must_use]
    pub fn system(&self, node: usize) -> &TransitionSystem {
        &self.units[node].system
    }

    /// By call of a node: the called node.
    #[must_use]
    pub fn calls(&self, node: usize) -> &[usize] {
        &self.calls[node]
    }

    /// By node: what it calls.
    #[must_use]
    pub fn all_calls(&self) -> &[Vec<usize>] {
        &self.calls
    }

    /// Its name.
    #[must_use]
    pub fn name(&self, node: usize) -> &str {
        &self.system(node).root().node
    }

    /// Whether a node was asked for: it may be used by itself, whoever else calls it.
    #[must_use]
    pub fn is_root(&self, node: usize) -> bool {
        self.roots.contains(&self.order[node])
    }
}
