//! What each node of a program guarantees (`lustral invariants`): learned,
//! called nodes first, and checked in a fresh solver before anybody hears of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_certify::{Checked, Guarantees, NodeInvariants, Nodes, Picks, ProofChecker, Rejected};
use lustral_engines::{LearnOptions, SystemInvariants};
use lustral_flow::encode;
use lustral_kernel::{Clocked, Program as Kernel};
use lustral_sema::instances::{Wanted, properties};
use lustral_sema::{InstanceTree, NodeId, PropertySource};
use lustral_system::TransitionSystem;

use crate::{Blocked, Refined, Unlearned, learn_nodes, refine_nodes};

/// A program with more instances is not simulated as a whole.
const MOST_INSTANCES: usize = 200;

/// The time for finding out what nodes are given.
const REFINEMENT: Duration = Duration::from_secs(10);

/// What is known of a node.
pub struct Found {
    /// The node.
    pub node: NodeId,
    /// What it guarantees, or why nothing is known.
    pub result: Result<Checked<NodeInvariants>, Unlearned>,
}

/// Finds what the nodes below some roots guarantee; called nodes come first. Of each what is
/// worth showing, or all that was found.
///
/// # Errors
/// If a node has parts with a clock of their own.
pub fn find(
    kernel: &Arc<Kernel>,
    roots: &[NodeId],
    options: &LearnOptions,
    all: bool,
) -> Result<Vec<Found>, Clocked> {
    let stated = |_: NodeId, tree: &InstanceTree| {
        let mut stated =
            properties(&kernel.typed, tree, Wanted { called_nodes: false, outputs: true });
        stated.retain(|p| !matches!(p.source, PropertySource::Output(_)));
        stated
    };
    let nodes = Arc::new(Nodes::below(kernel, roots, stated)?);
    let learned = learn_nodes(&nodes, options);
    let mut checker = match ProofChecker::new(&options.cancel) {
        Ok(checker) => checker,
        Err(rejected) => return Ok(nothing(&nodes, &rejected)),
    };
    let mut known = Guarantees::none(&nodes);
    let mut results = always(kernel, &nodes, learned, &mut known, &mut checker, options);
    let executions = executions(kernel, roots);
    let refined = refined(&nodes, &mut known, &executions, options, &mut checker);
    for (i, picks) in refined.into_iter().enumerate() {
        if let Ok(shown) = &mut results[i] {
            (shown.given, shown.within) = (picks.given, picks.within);
        }
    }
    let found =
        results.into_iter().enumerate().map(|(i, picks)| Found {
            node: nodes.order()[i],
            result: picks.map(|picks| {
                if all { known.all(i) } else { known.describe(&mut checker, i, &picks) }
            }),
        });
    Ok(found.collect())
}

/// That nothing could be checked.
fn nothing(nodes: &Nodes, rejected: &Rejected) -> Vec<Found> {
    let found = |node: &NodeId| Found { node: *node, result: Err(rejected.clone().into()) };
    nodes.order().iter().map(found).collect()
}

/// Has checked what was learned of nodes, and which of it is worth showing.
/// Called nodes come first: a node may rest on what was checked only.
fn always(
    kernel: &Arc<Kernel>,
    nodes: &Nodes,
    learned: Vec<Result<SystemInvariants, Unlearned>>,
    known: &mut Guarantees,
    checker: &mut ProofChecker,
    options: &LearnOptions,
) -> Vec<Result<Picks, Unlearned>> {
    let mut blocked: Vec<Option<Blocked>> = Vec::with_capacity(nodes.len());
    let mut results: Vec<Result<Picks, Unlearned>> = Vec::with_capacity(nodes.len());
    for (i, learned) in learned.into_iter().enumerate() {
        let name = nodes.name(i);
        let calls = nodes.calls(i).iter().map(|callee| blocked[*callee].clone());
        let own = Blocked::find(name, &known.system(i), calls, options);
        let together = || Blocked::whole(kernel, nodes.order()[i], options);
        let ends = own.or_else(|| nodes.is_root(i).then(together).flatten());
        results.push(match (&ends, learned) {
            (Some(ends), _) => Err(Unlearned::Blocked(ends.clone(), name.into())),
            (None, Err(reason)) => Err(reason),
            (None, Ok(SystemInvariants { inductive, shown, .. })) => {
                let added = known.add(checker, i, inductive);
                added.map(|()| Picks { always: shown, ..Picks::default() }).map_err(|rejected| {
                    // It may rest on what did not pass.
                    let mut calls = nodes.calls(i).iter();
                    let lost = calls.find(|callee| results[**callee].is_err());
                    let rests = |callee: &usize| Unlearned::RestsOn(nodes.name(*callee).into());
                    lost.map_or(rejected.into(), rests)
                })
            }
        });
        blocked.push(ends);
    }
    results
}

/// The programs that call the nodes, to be simulated; without those that unfold
/// to many instances, where the cost would grow with their number.
fn executions(kernel: &Kernel, roots: &[NodeId]) -> Vec<TransitionSystem> {
    let trees = roots.iter().filter_map(|root| InstanceTree::new(kernel, *root).ok());
    let small = trees.filter(|tree| (2..=MOST_INSTANCES).contains(&tree.len()));
    small.map(|tree| encode(kernel, &tree, &[])).collect()
}

/// Has checked what holds of nodes for the inputs that they are given, and what
/// of it is worth showing; nothing if some of it does not pass: it rests on each
/// other.
fn refined(
    nodes: &Arc<Nodes>,
    known: &mut Guarantees,
    executions: &[TransitionSystem],
    options: &LearnOptions,
    checker: &mut ProofChecker,
) -> Vec<Picks> {
    if executions.is_empty() {
        return Vec::new();
    }
    // No more of the time than so much: what holds always is known already.
    let now = Instant::now();
    let left = options.cancel.deadline().map(|deadline| deadline.saturating_duration_since(now));
    let time = left.map_or(REFINEMENT, |left| REFINEMENT.min(left / 2));
    let cancel = options.cancel.child_until(Some(now + time));
    let limited = LearnOptions { cancel, ..options.clone() };
    // A root may be used by itself, and then nobody establishes anything.
    let given: Vec<bool> = (0..nodes.len()).map(|node| !nodes.is_root(node)).collect();
    let found = refine_nodes(nodes, &known.always(), &given, executions, &limited);
    let checked = found.and_then(|refined| {
        let claims = refined.iter().map(|known| known.claim.clone()).collect();
        known.add_preconditions(checker, claims)?;
        let picks =
            |known: Refined| Picks { always: Vec::new(), given: known.given, within: known.within };
        Ok(refined.into_iter().map(picks).collect())
    });
    checked.unwrap_or_else(|reason| {
        tracing::warn!(%reason, "nothing is said of what nodes are given");
        Vec::new()
    })
}
