//! What each node of a program guarantees (`lustral invariants`): learned,
//! called nodes first, and checked in a fresh solver before anybody hears of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_certify::{ProofChecker, Rejected};
use lustral_engines::{LearnOptions, SystemInvariants};
use lustral_flow::{called_first, encode};
use lustral_kernel::{Clocked, Program as Kernel};
use lustral_sema::instances::{Wanted, properties};
use lustral_sema::{InstanceTree, NodeId, PropertySource};
use lustral_system::TransitionSystem;

use crate::{
    Blocked, Layers, NodeSystem, Refined, Unlearned, learn_nodes, node_system, refine_nodes,
};

/// A program with more instances is not simulated as a whole.
const MOST_INSTANCES: usize = 200;

/// The time for finding out what nodes are given.
const REFINEMENT: Duration = Duration::from_secs(10);

/// What is known of the nodes below some roots.
pub struct Found {
    /// The nodes, called ones first.
    pub order: Vec<NodeId>,
    /// By position: the node with its calls cut.
    pub nodes: Arc<[NodeSystem]>,
    /// What each guarantees whatever its inputs are, or why nothing is known.
    pub learned: Vec<Result<SystemInvariants, Unlearned>>,
    /// What each guarantees for the inputs that every call gives it; nothing at
    /// all if that was not found.
    pub refined: Vec<Refined>,
}

/// Finds what the nodes below some roots guarantee.
///
/// # Errors
/// If a node has parts with a clock of their own.
pub fn find(
    kernel: &Arc<Kernel>,
    roots: &[NodeId],
    options: &LearnOptions,
) -> Result<Found, Clocked> {
    let order = called_first(&**kernel, roots);
    kernel.all_on_one_clock(&order)?;
    let called = |id: &NodeId| {
        order.iter().any(|caller| kernel.node(*caller).calls.iter().any(|c| c.callee == *id))
    };
    let nodes: Arc<[NodeSystem]> =
        order.iter().map(|id| cut(kernel, *id, &order, called(id))).collect();
    let mut learned = learn_nodes(&nodes, options);
    let mut proofs = ProofChecker::new(&options.cancel);
    // Called nodes first: a node may rest on what was checked only.
    let mut blocked: Vec<Option<Blocked>> = Vec::with_capacity(nodes.len());
    let name = |i: usize| &*kernel.node(order[i]).name;
    for i in 0..nodes.len() {
        let system = node_system(&nodes, &learned, i);
        let calls = nodes[i].calls.iter().map(|callee| blocked[*callee].clone());
        let own = Blocked::find(name(i), &system, calls, options);
        let together = || Blocked::whole(kernel, order[i], options);
        let ends = own.or_else(|| roots.contains(&order[i]).then(together).flatten());
        if let Some(ends) = &ends {
            learned[i] = Err(Unlearned::Blocked(ends.clone(), name(i).into()));
        } else if let Ok(known) = &learned[i]
            && let Err(reason) = check(&mut proofs, &system, known)
        {
            // It may rest on what did not pass.
            let lost = nodes[i].calls.iter().find(|callee| learned[**callee].is_err());
            let rests = |callee: &usize| Unlearned::RestsOn(name(*callee).into());
            learned[i] = Err(lost.map_or(reason.into(), rests));
        }
        blocked.push(ends);
    }
    let executions = executions(kernel, roots);
    // A node that was asked for, or is one of the main nodes, may be used by
    // itself, and then nobody establishes anything.
    let given: Vec<bool> = order.iter().map(|id| called(id) && !roots.contains(id)).collect();
    let refined = refined(&nodes, &learned, &given, &executions, options, &mut proofs);
    Ok(Found { order, nodes, learned, refined })
}

/// A node with its calls cut and its own properties.
fn cut(kernel: &Kernel, id: NodeId, order: &[NodeId], called: bool) -> NodeSystem {
    let tree = InstanceTree::cut(kernel, id);
    // What callers owe may not be assumed in a called node.
    let tree = if called { tree.called() } else { tree };
    let mut stated = properties(&kernel.typed, &tree, Wanted { called_nodes: false });
    stated.retain(|p| !matches!(p.source, PropertySource::Output(_)));
    let position = |callee: NodeId| order.iter().position(|known| *known == callee);
    let calls = kernel.node(id).calls.iter();
    let calls = calls.map(|c| position(c.callee).expect("called nodes are in the order"));
    NodeSystem { system: encode(kernel, &tree, &stated), calls: calls.collect() }
}

/// Checks in a fresh solver that what is to be shown is inductive.
fn check(
    proofs: &mut Result<ProofChecker, Rejected>,
    system: &TransitionSystem,
    learned: &SystemInvariants,
) -> Result<(), Rejected> {
    proofs
        .as_mut()
        .map_err(|rejected| rejected.clone())?
        .check_inductive(system, &learned.inductive)
}

/// The programs that call the nodes, to be simulated; without those that unfold
/// to many instances, where the cost would grow with their number.
fn executions(kernel: &Kernel, roots: &[NodeId]) -> Vec<TransitionSystem> {
    let trees = roots.iter().filter_map(|root| InstanceTree::new(kernel, *root).ok());
    let small = trees.filter(|tree| (2..=MOST_INSTANCES).contains(&tree.len()));
    small.map(|tree| encode(kernel, &tree, &[])).collect()
}

/// What holds of nodes for the inputs that they are given, checked in a fresh
/// solver; nothing if some of it does not pass: it rests on each other.
fn refined(
    nodes: &Arc<[NodeSystem]>,
    learned: &[Result<SystemInvariants, Unlearned>],
    given: &[bool],
    executions: &[TransitionSystem],
    options: &LearnOptions,
    proofs: &mut Result<ProofChecker, Rejected>,
) -> Vec<Refined> {
    if executions.is_empty() {
        return Vec::new();
    }
    // No more of the time than so much: what holds always is known already.
    let now = Instant::now();
    let left = options.cancel.deadline().map(|deadline| deadline.saturating_duration_since(now));
    let time = left.map_or(REFINEMENT, |left| REFINEMENT.min(left / 2));
    let cancel = options.cancel.child_until(Some(now + time));
    let limited = LearnOptions { cancel, ..options.clone() };
    let found = refine_nodes(nodes, learned, given, executions, &limited);
    let checked = found.and_then(|refined| {
        let layers = Layers::new(nodes, learned, &refined);
        let proofs = proofs.as_mut().map_err(|rejected| rejected.clone())?;
        for (node, known) in refined.iter().enumerate() {
            proofs.check_inductive(&layers.system(node), &known.inductive)?;
            for call in layers.obligations(node)? {
                let (hypotheses, goals) = call.predicates();
                proofs.check_next(&call.system, &hypotheses, &goals)?;
            }
        }
        Ok(refined)
    });
    checked.unwrap_or_else(|reason| {
        tracing::warn!(%reason, "nothing is said of what nodes are given");
        Vec::new()
    })
}
