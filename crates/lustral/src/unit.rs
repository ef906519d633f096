//! A node to be checked, with all that the stages made of it.

use std::sync::Arc;

use lustral_certify::{Context, CutSystem};
use lustral_flow::{encode, encode_candidates};
use lustral_kernel::Program as Kernel;
use lustral_sema::instances::{MOST_INSTANCES, Wanted, properties};
use lustral_sema::{InstanceTree, NodeId, Program, PropertyInstance, PropertySource, select};
use lustral_system::TransitionSystem;

/// A node with its instances, properties and system.
pub struct Unit {
    pub program: Arc<Program>,
    pub kernel: Arc<Kernel>,
    pub tree: InstanceTree,
    pub properties: Vec<PropertyInstance>,
    pub system: TransitionSystem,
}

impl Unit {
    /// Unfolds and encodes a node; or says why it cannot be checked.
    pub fn new(kernel: &Arc<Kernel>, root: NodeId, wanted: Wanted) -> Result<Unit, String> {
        let name = &kernel.node(root).name;
        let tree = InstanceTree::new(kernel, root).map_err(|_| {
            format!("the calls of `{name}` unfold to more than {MOST_INSTANCES} instances")
        })?;
        Ok(Unit::of_tree(kernel, tree, wanted))
    }

    /// Encodes a node with all its instances.
    pub fn of_tree(kernel: &Arc<Kernel>, tree: InstanceTree, wanted: Wanted) -> Unit {
        let program = kernel.typed.clone();
        let properties = properties(&program, &tree, wanted);
        let system = encode(kernel, &tree, &properties);
        Unit { program, kernel: kernel.clone(), tree, properties, system }
    }

    /// A cut system, for engines and reports.
    pub fn of_cut(cut: &CutSystem) -> Unit {
        Unit {
            program: cut.program().clone(),
            kernel: cut.kernel().clone(),
            tree: cut.tree().clone(),
            properties: cut.properties().to_vec(),
            system: cut.system().clone(),
        }
    }

    /// The system with the candidates of the program, if it has some.
    pub fn with_candidates(&self) -> Option<TransitionSystem> {
        let has_some = |id| !self.tree.node(&self.program, id).candidates.list.is_empty();
        let some = self.tree.ids().any(has_some);
        some.then(|| encode_candidates(&self.kernel, &self.tree, &self.properties))
    }

    /// What a check needs to know.
    pub fn context(&self) -> Context<'_> {
        Context {
            program: &self.program,
            tree: &self.tree,
            properties: &self.properties,
            system: &self.system,
        }
    }

    /// Whether its boolean outputs are taken as properties.
    pub fn by_outputs(&self) -> bool {
        self.properties.iter().any(|p| matches!(p.source, PropertySource::Output(_)))
    }
}

/// The nodes to check, or a message.
pub fn roots(program: &Program, asked: &[String]) -> Result<Vec<NodeId>, String> {
    let roots = select::roots(program, asked).map_err(|missing| {
        let meant = missing.meant.map(|m| format!(" (is `{m}` meant?)")).unwrap_or_default();
        format!("there is no node `{}`{meant}", missing.name)
    })?;
    if roots.is_empty() {
        return Err("the program has no node".into());
    }
    Ok(roots)
}
