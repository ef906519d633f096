//! Which nodes are checked, and which of their properties.

use lustral_base::similar;
use lustral_sema::{NodeId, Program, select};

/// Why no node can be checked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoSuchNode {
    /// A node that was asked for does not exist.
    #[error("there is no node `{name}`{}", meant.as_ref().map(|m| format!(" (is `{m}` meant?)")).unwrap_or_default())]
    Missing {
        /// Its name.
        name: String,
        /// A node with a similar name.
        meant: Option<String>,
    },
    /// A node that was asked for is nothing without the values of its constant inputs.
    #[error(
        "node `{name}` is nothing without the values of its constant inputs: check a node that calls it"
    )]
    Template {
        /// Its name.
        name: String,
    },
    /// There is none at all.
    #[error("the program has no node")]
    Empty,
}

/// A property that was asked for, and that nothing that is checked has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no property `{name}`{}", instead(meant.as_deref(), known))]
pub struct NoSuchProperty {
    /// Its name.
    pub name: String,
    /// A property with a similar name.
    pub meant: Option<String>,
    /// The names of those that there are.
    pub known: Vec<String>,
}

/// What to ask for instead: the name that was perhaps meant, or the first of all.
fn instead(meant: Option<&str>, known: &[String]) -> String {
    const MOST: usize = 10;
    if let Some(meant) = meant {
        return format!(" (is `{meant}` meant?)");
    }
    let more = if known.len() > MOST { ", …" } else { "" };
    let first: Vec<String> = known.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    if first.is_empty() { String::new() } else { format!("; there are {}{more}", first.join(", ")) }
}

/// The properties that were asked for by the names that verdicts give them, and which of
/// them there are, in whatever node.
#[derive(Debug)]
pub struct ChosenProperties {
    /// Those that no node had so far.
    missing: Vec<String>,
    known: Vec<String>,
}

impl ChosenProperties {
    /// To be looked for.
    #[must_use]
    pub fn new(asked: &[String]) -> ChosenProperties {
        ChosenProperties { missing: asked.to_vec(), known: Vec::new() }
    }

    /// A node has these.
    pub fn met(&mut self, names: Vec<String>) {
        self.missing.retain(|asked| !names.contains(asked));
        self.known.extend(names);
    }

    /// Those that no node has.
    pub fn missing(&self) -> impl Iterator<Item = NoSuchProperty> + '_ {
        self.missing.iter().map(|name| NoSuchProperty {
            name: name.clone(),
            meant: similar(name, self.known.iter().map(String::as_str)).map(str::to_string),
            known: self.known.clone(),
        })
    }
}

/// The nodes to check: those that were asked for, else those marked as main,
/// else those that no other calls.
///
/// # Errors
/// If there are none.
pub fn roots(program: &Program, asked: &[String]) -> Result<Vec<NodeId>, NoSuchNode> {
    let roots = select::roots(program, asked).map_err(|error| match error {
        select::NoSuchNode::Missing { name, meant } => NoSuchNode::Missing { name, meant },
        select::NoSuchNode::Template { name } => NoSuchNode::Template { name },
    })?;
    if roots.is_empty() { Err(NoSuchNode::Empty) } else { Ok(roots) }
}

/// Every node that can be checked by itself.
///
/// # Errors
/// If there are none.
pub fn every(program: &Program) -> Result<Vec<NodeId>, NoSuchNode> {
    let all = select::every(program);
    if all.is_empty() { Err(NoSuchNode::Empty) } else { Ok(all) }
}

/// The nodes among those to be looked at that stand for some values of the constants of
/// another one, of which there is no end: what is true of all of these is not known of the other.
/// Nodes that were asked for by their own names stand for themselves.
#[must_use]
pub fn tried(program: &Program, asked: &[String], roots: &[NodeId]) -> Vec<NodeId> {
    let is_asked = |id: NodeId| asked.iter().any(|name| **name == *program.node(id).name);
    let is_tried = |id: &NodeId| {
        let node = program.node(*id);
        node.only.is_some() && node.of.is_some_and(|base| !is_asked(*id) || is_asked(base))
    };
    roots.iter().copied().filter(is_tried).collect()
}
