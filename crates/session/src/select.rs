//! Which nodes are checked.

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
