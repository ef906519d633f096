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
        let found: Result<Vec<Vec<NodeId>>, _> =
            asked.iter().map(|name| named(program, name)).collect();
        return Ok(found?.concat());
    }
    let all = || (0..program.nodes.len() as u32).map(NodeId);
    let declared = |id: &NodeId| program.node(*id).of.is_none();
    let marked = all().filter(|id| program.node(*id).is_main && declared(id));
    let mut marked: Vec<NodeId> = marked.collect();
    // One that has a name of its own where it is given what it needs is checked there.
    for id in &mut marked {
        let names = program.nodes.iter().filter_map(|node| node.stands_for);
        let mut named = names.filter(|named| program.node(*named).of == Some(*id));
        *id = named.next().unwrap_or(*id);
    }
    if !marked.is_empty() {
        let found: Result<Vec<Vec<NodeId>>, _> =
            marked.iter().map(|id| checked_for(program, *id)).collect();
        return Ok(found?.concat());
    }
    let mut called = vec![false; program.nodes.len()];
    for (caller, call) in all().flat_map(|id| program.node(id).calls.iter().map(move |c| (id, c))) {
        called[call.callee.index()] = true;
        let base = |id: NodeId| program.node(id).of.unwrap_or(id);
        // That the nodes for the values of a template call each other leaves it alone.
        let own = base(caller) == base(call.callee);
        if let Some(of) =
            program.node(call.callee).of.filter(|of| !(own && program.node(*of).template))
        {
            called[of.index()] = true;
        }
    }
    // What another name stands for is a node like one that is declared.
    let mut seen = vec![false; program.nodes.len()];
    let named = all().filter(declared).filter_map(|id| {
        let node = program.node(id);
        if node.is_alias { node.stands_for } else { Some(id) }
    });
    let alone = named.filter(|id| !called[id.index()]);
    let alone = alone.filter(|id| !std::mem::replace(&mut seen[id.index()], true));
    let alone = alone.filter_map(|id| checked_for(program, id).ok());
    Ok(alone.flatten().collect())
}

/// All nodes that have something of their own to show, each to be checked by itself, in the order of the text.
#[must_use]
pub fn every(program: &Program) -> Vec<NodeId> {
    let declared = |id: &NodeId| program.node(*id).of.is_none() && !program.node(*id).is_alias;
    let all = program.node_ids().filter(declared).filter(|id| !program.node(*id).imported);
    all.filter_map(|id| checked_for(program, id).ok()).flatten().collect()
}

/// The nodes that are checked for one that the program declares: itself, or those for all
/// values of its constant inputs.
fn checked_for(program: &Program, id: NodeId) -> Result<Vec<NodeId>, NoSuchNode> {
    if !program.node(id).template {
        return Ok(vec![id]);
    }
    let made = |other: &NodeId| program.node(*other).for_all && program.node(*other).of == Some(id);
    let found: Vec<NodeId> =
        program.node_ids().filter(made).filter(|id| !program.node(*id).template).collect();
    if found.is_empty() {
        return Err(NoSuchNode::Template { name: program.node(id).name.to_string() });
    }
    Ok(found)
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

fn named(program: &Program, name: &str) -> Result<Vec<NodeId>, NoSuchNode> {
    match program.node_named(name) {
        Some(id) => checked_for(program, program.node(id).stands_for.unwrap_or(id)),
        None => Err(NoSuchNode::Missing {
            name: name.to_string(),
            meant: similar(name, program.nodes.iter().map(|n| &*n.name)).map(String::from),
        }),
    }
}
