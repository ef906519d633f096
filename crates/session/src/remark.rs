//! What there is to say of a program, or of the work on it, that is no verdict
//! and no diagnostic.

use std::path::PathBuf;
use std::sync::Arc;

use lustral_certify::NotModular;
use lustral_coordinator::{Broken, NotRemoved, TooManyInstances, Unwritten};
use lustral_kernel::Clocked;
use lustral_modular::Unlearned;
use lustral_modular::model::Gap;
use lustral_report::event::NoteSeverity;
use lustral_system::Reason;

use crate::learn::Unsummarised;
use crate::load::Unreadable;
use crate::select::NoSuchNode;

/// Something that the user should know.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Remark {
    /// A file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The text is no UTF-8.
    #[error("it is not UTF-8, read as Latin-1")]
    Latin,
    /// There is nothing to be known of the program: all was stopped before.
    #[error("{0} while the program was read")]
    NotRead(Reason),
    /// A node that was asked for does not exist.
    #[error(transparent)]
    NoSuchNode(#[from] NoSuchNode),
    /// A node, or the whole program, states nothing.
    #[error(
        "{} to check: no property, no contract, no subrange (`--outputs` takes boolean outputs as \
         properties)",
        nothing(node.as_deref())
    )]
    NothingToCheck {
        /// The node, if one was asked for.
        node: Option<String>,
    },
    /// Nodes state properties, and nothing that is checked calls them.
    #[error(
        "the properties of {} are not checked: no node that is checked calls {} (`--node` chooses)",
        listed(nodes), if nodes.len() == 1 { "it" } else { "them" }
    )]
    LeftOut {
        /// The nodes.
        nodes: Vec<String>,
    },
    /// A node that was asked for has a contract and no body.
    #[error(
        "node `{node}` has no body that could break its contract (`lustral realize` says whether a \
         body can keep it)"
    )]
    NoBody {
        /// The node.
        node: String,
    },
    /// A node, or every node, has a body: there is nothing left to choose.
    #[error(
        "{} to realize: no contract of a node without a body, no `--%REALIZABLE`",
        nothing(node.as_deref())
    )]
    NothingToRealize {
        /// The node, if one was asked for.
        node: Option<String>,
    },
    /// A node cannot be unfolded.
    #[error(transparent)]
    TooManyInstances(#[from] TooManyInstances),
    /// The program has clocks, and was to be looked at node by node.
    #[error("{0}: what such nodes guarantee is not supported yet")]
    Clocked(#[from] Clocked),
    /// There was no time to list which properties of a node have no verdict.
    #[error("{reason} before all properties of `{node}` had a verdict")]
    Unlisted {
        /// Why they have none.
        reason: Reason,
        /// The node.
        node: String,
    },
    /// Something that was learned of a called node is not used.
    #[error("{0}")]
    NotUsed(String),
    /// Nothing is known of what a node guarantees.
    #[error("node {node}: {reason}")]
    Unlearned {
        /// The node.
        node: String,
        /// Why.
        reason: Unlearned,
    },
    /// Something is not known of the summaries below a root.
    #[error("node {node}: {why}")]
    Unsummarised {
        /// The root.
        node: String,
        /// What, and why.
        why: Unsummarised,
    },
    /// The summaries below a root are not from the certificates that were given.
    #[error("node {node}: found anew, not from the certificate: {why}")]
    Anew {
        /// The root.
        node: String,
        /// Why.
        why: Gap,
    },
    /// There are no certificates where they should be.
    #[error("{}: there is no such folder", .0.display())]
    NoFolder(PathBuf),
    /// The program is not one to be looked at node by node.
    #[error(transparent)]
    NotModular(#[from] NotModular),
    /// A node states nothing but has boolean outputs.
    #[error("node `{node}` states no property: its boolean outputs are checked")]
    ByOutputs {
        /// The node.
        node: String,
    },
    /// A part of this program failed: some verdicts are missing for that reason.
    #[error("internal error: {0}; please report this with the program")]
    Broken(#[from] Broken),
    /// An engine found something that is none: a mistake of this program.
    #[error(
        "internal error: {engine} found an answer for `{property}` that did not pass its check; \
         please report this with the program"
    )]
    NotPassed {
        /// The engine.
        engine: &'static str,
        /// The property.
        property: String,
    },
    /// A certificate was not written.
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
    /// An earlier certificate is still there.
    #[error(transparent)]
    NotRemoved(Arc<NotRemoved>),
    /// The cache was not written. It is a convenience: the verdicts are as good
    /// without it.
    #[error("cannot write the cache {}: {error}", folder.display())]
    CacheUnwritten {
        /// Its folder.
        folder: PathBuf,
        /// Why not.
        error: Arc<std::io::Error>,
    },
}

impl Remark {
    /// How much it matters.
    #[must_use]
    pub fn severity(&self) -> NoteSeverity {
        match self {
            Remark::Latin
            | Remark::LeftOut { .. }
            | Remark::NotUsed(_)
            | Remark::NotRemoved(_)
            | Remark::CacheUnwritten { .. } => NoteSeverity::Warning,
            Remark::ByOutputs { .. }
            | Remark::NothingToCheck { .. }
            | Remark::NothingToRealize { .. }
            | Remark::NoBody { .. }
            | Remark::Anew { .. } => NoteSeverity::Note,
            Remark::Unlearned { .. } | Remark::Unsummarised { .. } => NoteSeverity::Unknown,
            Remark::Unreadable(_)
            | Remark::NotRead(_)
            | Remark::Unlisted { .. }
            | Remark::NoSuchNode(_)
            | Remark::TooManyInstances(_)
            | Remark::Clocked(_)
            | Remark::NoFolder(_)
            | Remark::NotModular(_)
            | Remark::Broken(_)
            | Remark::NotPassed { .. }
            | Remark::Unwritten(_) => NoteSeverity::Error,
        }
    }
}

fn nothing(node: Option<&str>) -> String {
    node.map_or("no node has anything".into(), |node| format!("node `{node}` has nothing"))
}

/// Names of nodes, the first few of many.
fn listed(nodes: &[String]) -> String {
    const MOST: usize = 5;
    let mut names: Vec<String> = nodes.iter().take(MOST).map(|n| format!("`{n}`")).collect();
    if nodes.len() > MOST {
        names.push(format!("{} more", nodes.len() - MOST));
    }
    let last = names.pop().unwrap_or_default();
    if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) }
}
