//! Which properties have their verdict, where nodes are checked one by one: a
//! property of a called node has one for all calls, or one at each call.

use std::collections::HashSet;

use lustral_coordinator::Unit;
use lustral_sema::program::CallId;
use lustral_sema::{InstanceId, InstanceTree, NodeId, PropertyInstance, PropertySource};
use lustral_system::PropId;

/// A property: the node that a verdict is about, the calls below it that lead to
/// the property, and what it is there.
type Place = (NodeId, Vec<CallId>, PropertySource);

/// The properties that have a verdict.
#[derive(Default)]
pub(super) struct Said {
    /// Of a node as it is checked by itself.
    checked: HashSet<Place>,
    /// Of any call of a node.
    called: HashSet<Place>,
}

impl Said {
    /// A property of a unit has its verdict.
    pub(super) fn add(&mut self, unit: &Unit, property: PropId) {
        let set = if unit.tree.is_called() { &mut self.called } else { &mut self.checked };
        set.insert(place(&unit.tree, InstanceId::ROOT, &unit.properties[property.index()]));
    }

    /// Whether a property of a checked node has its verdict, for itself or for
    /// all calls of a node on the way to it.
    pub(super) fn has(&self, tree: &InstanceTree, property: &PropertyInstance) -> bool {
        if self.checked.contains(&place(tree, InstanceId::ROOT, property)) {
            return true;
        }
        let mut at = property.instance;
        loop {
            if self.called.contains(&place(tree, at, property)) {
                return true;
            }
            let Some((parent, _)) = tree.instance(at).parent else { return false };
            at = parent;
        }
    }
}

/// A property as seen from an instance above it.
fn place(tree: &InstanceTree, from: InstanceId, property: &PropertyInstance) -> Place {
    let calls = tree.calls(property.instance);
    let below = calls[tree.calls(from).len()..].to_vec();
    (tree.instance(from).node, below, property.source)
}
