//! Which nodes are checked: those asked for, else those marked as main, else
//! those that no other node calls.

use crate::program::{NodeId, Program};
use crate::resolve::similar;

/// A node was asked for that is not there; perhaps another was meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoSuchNode {
    /// The name asked for.
    pub name: String,
    /// A name that is there and close to it.
    pub meant: Option<String>,
}

/// The nodes to check, in the order of the text.
///
/// # Errors
/// If a node that was asked for is not there.
pub fn roots(program: &Program, asked: &[String]) -> Result<Vec<NodeId>, NoSuchNode> {
    if !asked.is_empty() {
        return asked.iter().map(|name| named(program, name)).collect();
    }
    let all = || (0..program.nodes.len() as u32).map(NodeId);
    let declared = |id: &NodeId| program.node(*id).of.is_none();
    let marked = all().filter(|id| program.node(*id).is_main && declared(id));
    let marked: Vec<NodeId> = marked.collect();
    if !marked.is_empty() {
        return Ok(marked);
    }
    let mut called = vec![false; program.nodes.len()];
    for call in program.nodes.iter().flat_map(|node| &node.calls) {
        called[call.callee.index()] = true;
        if let Some(base) = program.node(call.callee).of {
            called[base.index()] = true;
        }
    }
    let alone = |id: &NodeId| !called[id.index()] && declared(id) && !program.node(*id).template;
    Ok(all().filter(alone).collect())
}

fn named(program: &Program, name: &str) -> Result<NodeId, NoSuchNode> {
    program.node_named(name).ok_or_else(|| NoSuchNode {
        name: name.to_string(),
        meant: similar(name, program.nodes.iter().map(|n| &*n.name)).map(String::from),
    })
}
