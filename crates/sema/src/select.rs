//! Which nodes are checked: those asked for, else those marked as main, else
//! those that no other node calls.

use crate::program::{NodeId, Program};
use crate::resolve::similar;

/// A node that was asked for cannot be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoSuchNode {
    /// It is not there; perhaps another was meant.
    Missing {
        /// The name asked for.
        name: String,
        /// A name that is there and close to it.
        meant: Option<String>,
    },
    /// It is nothing without the values of its constant inputs.
    Template {
        /// The name asked for.
        name: String,
    },
}

/// The nodes to check, in the order of the text.
///
/// # Errors
/// If a node that was asked for is not there, or cannot be checked by itself.
pub fn roots(program: &Program, asked: &[String]) -> Result<Vec<NodeId>, NoSuchNode> {
    if !asked.is_empty() {
        return asked.iter().map(|name| named(program, name)).collect();
    }
    let all = || (0..program.nodes.len() as u32).map(NodeId);
    let declared = |id: &NodeId| program.node(*id).of.is_none();
    let marked = all().filter(|id| program.node(*id).is_main && declared(id));
    let marked: Vec<NodeId> = marked.collect();
    if let Some(template) = marked.iter().find(|id| program.node(**id).template) {
        return Err(NoSuchNode::Template { name: program.node(*template).name.to_string() });
    }
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

/// The nodes that state properties which no check of some nodes is about: none of these
/// calls them, and they are not among them. In the order of the text.
#[must_use]
pub fn left_out(program: &Program, roots: &[NodeId]) -> Vec<NodeId> {
    let mut reached = vec![false; program.nodes.len()];
    let mut stack = roots.to_vec();
    while let Some(id) = stack.pop() {
        if !std::mem::replace(&mut reached[id.index()], true) {
            let node = program.node(id);
            stack.extend(node.of);
            stack.extend(node.calls.iter().map(|call| call.callee));
        }
    }
    let all = (0..program.nodes.len() as u32).map(NodeId);
    let states = |id: &NodeId| {
        let node = program.node(*id);
        node.of.is_none() && !node.properties.is_empty()
    };
    all.filter(|id| !reached[id.index()]).filter(states).collect()
}

fn named(program: &Program, name: &str) -> Result<NodeId, NoSuchNode> {
    match program.node_named(name) {
        Some(id) if program.node(id).template => {
            Err(NoSuchNode::Template { name: name.to_string() })
        }
        Some(id) => Ok(id),
        None => Err(NoSuchNode::Missing {
            name: name.to_string(),
            meant: similar(name, program.nodes.iter().map(|n| &*n.name)).map(String::from),
        }),
    }
}
