//! Houdini for people (`lustral houdini`): which candidates are left, and why the others are
//! not.
//!
//! The candidates are those of the nodes, listed: invariants of a node, what every call gives
//! it (`requires`), what its callers may rely on (`ensures`), and what it states. Nodes are
//! verified in turn with all that is left of them, as Houdini does with procedures: a node
//! whose calls are cut is given what it requires and relies on what its calls ensure, and
//! shows what it ensures and what its calls require. What fails is removed at the end of the
//! round, and whoever relied on it is verified again. The result is the largest set of
//! candidates that is inductive, whatever the order ([`crate::preconditions`] is the same
//! over templates, and `certify/src/layers.rs` says why circles are sound).
//!
//! A candidate that is removed has steps at which it fails though everything left held
//! before. If some candidate that had been removed earlier does not hold in these steps, it
//! would have excluded them: its removal is a *cause*. Causes lead back to candidates that
//! fail whatever the others say, the roots.

mod causes;
mod search;

use std::sync::Arc;

use lustral_certify::{Checked, NodeInvariants, Nodes, Rejected};
use lustral_engines::{Failure, LearnOptions};
use lustral_kernel::{Clocked, Program as Kernel};
use lustral_sema::instances::{Wanted, properties};
use lustral_sema::{InstanceId, InstanceTree, NodeId, PropertySource};
use lustral_syntax::Span;
use lustral_syntax::ast::CandidateRole;
use lustral_system::{Goal, Predicate, Trace};

use crate::Blocked;

/// A candidate of a node.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The node, by its position among [`Explained::nodes`].
    pub node: usize,
    /// What it is to the node.
    pub role: Role,
    /// Where it stands.
    pub span: Span,
    /// What became of it.
    pub fate: Fate,
    /// What it says of the system of its node, if the node can say it.
    pub predicate: Option<Predicate>,
}

/// What a candidate is to its node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// A guess; with its number among the candidates of the node.
    Guess(CandidateRole, usize),
    /// What the node states, by its name.
    Property(String),
}

impl Role {
    /// Whether it is about what the node is given.
    pub(crate) fn is_required(&self) -> bool {
        matches!(self, Role::Guess(CandidateRole::Requires, _))
    }
}

/// What became of a candidate.
#[derive(Clone, Debug)]
pub enum Fate {
    /// It is left: part of the largest inductive set.
    Kept,
    /// It was removed.
    Removed(Box<Removal>),
    /// The solver could not tell, so it was removed in this round.
    Undecided {
        /// The round, counted from 1.
        round: usize,
        /// What the solver said.
        reason: String,
    },
    /// It was not tried.
    NotTried(&'static str),
}

/// How a candidate was removed.
#[derive(Clone, Debug)]
pub struct Removal {
    /// The round, counted from 1.
    pub round: usize,
    /// The node that was verified.
    pub verified: usize,
    /// The call there that does not establish it, of what is required.
    pub call: Option<usize>,
    /// The first step of the node that was verified, or two steps from some state. It fails at
    /// the last.
    pub steps: Trace,
    /// Candidates that were removed before and do not hold in these steps.
    pub because: Vec<usize>,
}

/// A round: a node was verified.
#[derive(Clone, Debug)]
pub struct Round {
    /// The node.
    pub node: usize,
    /// The candidates that were removed.
    pub removed: Vec<usize>,
    /// How many candidates were left of all nodes before.
    pub before: usize,
}

/// What was found.
pub struct Explained {
    /// The nodes.
    pub nodes: Arc<Nodes>,
    /// The candidates.
    pub candidates: Vec<Candidate>,
    /// The rounds.
    pub rounds: Vec<Round>,
    /// By node: what was checked of it, which are the candidates that are left.
    pub known: Vec<Checked<NodeInvariants>>,
}

/// Why nothing can be said.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Unexplained {
    /// A node has parts with a clock of their own.
    #[error(transparent)]
    Clocked(#[from] Clocked),
    /// There is no execution, or none beyond some step.
    #[error("{}", .0.reason(&.0.node))]
    Blocked(Blocked),
    /// All was stopped, or the solver failed.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// What is left did not pass its check.
    #[error("what is left of the candidates did not pass its check: {0}")]
    Rejected(#[from] Rejected),
}

/// Finds out what is left of the candidates of the nodes below some roots.
///
/// # Errors
/// If nothing can be said.
pub fn explain(
    kernel: &Arc<Kernel>,
    roots: &[NodeId],
    options: &LearnOptions,
) -> Result<Explained, Unexplained> {
    let stated = |_: NodeId, tree: &InstanceTree| {
        let mut stated =
            properties(&kernel.typed, tree, Wanted { called_nodes: false, outputs: false });
        let is_own = |p: &PropertySource| !matches!(p, PropertySource::Output(_));
        stated.retain(|p| {
            is_own(&p.source) && p.goal == Goal::Always && p.instance == InstanceId::ROOT
        });
        stated
    };
    let nodes = Arc::new(Nodes::below(kernel, roots, stated)?);
    let alone =
        |node| Blocked::find(nodes.name(node), nodes.system(node), std::iter::empty(), options);
    let whole = |root: &NodeId| Blocked::whole(kernel, *root, options);
    let blocked = (0..nodes.len()).find_map(alone).or_else(|| roots.iter().find_map(whole));
    if let Some(blocked) = blocked {
        return Err(Unexplained::Blocked(blocked));
    }
    let mut text: Vec<usize> = (0..nodes.len()).collect();
    text.sort_by_key(|node| nodes.order()[*node]);
    let candidates = text.into_iter().flat_map(|node| of_node(&nodes, node)).collect();
    search::run(nodes, candidates, options)
}

/// The candidates of a node, and what it states.
fn of_node(nodes: &Nodes, node: usize) -> Vec<Candidate> {
    let unit = nodes.unit(node);
    let typed = kernel_node(nodes, node);
    let variables = unit.system.variables.len();
    // By the names of flows: what is said of outputs is to be said of calls, where only the
    // interface is there.
    let system = unit.with_all_candidates();
    let terms = Arc::new(system.terms.clone());
    let said = |term| Predicate { terms: terms.clone(), term };
    let mut all = Vec::new();
    for (number, (guess, term)) in typed.candidates.list.iter().zip(&system.candidates).enumerate()
    {
        let known = terms.variables([*term]).iter().all(|var| var.index() < variables);
        let nobody = guess.role == CandidateRole::Requires && nodes.is_root(node);
        let fate = if !known {
            Fate::NotTried(
                "it remembers something that the node does not: give that a name in the node",
            )
        } else if nobody {
            Fate::NotTried("nobody calls the node, so nobody gives it anything")
        } else {
            Fate::Kept
        };
        all.push(Candidate {
            node,
            role: Role::Guess(guess.role, number),
            span: guess.span,
            fate,
            predicate: known.then(|| said(*term)),
        });
    }
    for (property, stated) in system.properties.iter().zip(&unit.properties) {
        all.push(Candidate {
            node,
            role: Role::Property(property.name.clone()),
            span: stated.span,
            fate: Fate::Kept,
            predicate: Some(said(property.term)),
        });
    }
    all
}

/// The typed node at a position.
fn kernel_node(nodes: &Nodes, node: usize) -> &lustral_sema::program::Node {
    nodes.unit(node).program.node(nodes.order()[node])
}
