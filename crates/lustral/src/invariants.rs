//! `lustral invariants`: what each node of a program guarantees.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_certify::{ProofChecker, Rejected, smt2_definitions};
use lustral_engines::{
    Layers, LearnOptions, NodeInvariants, NodeSystem, Refined, Templates, learn_nodes, node_system,
    refine_nodes,
};
use lustral_flow::{called_first, encode};
use lustral_kernel::Program as Kernel;
use lustral_render::printable;
use lustral_report::Invariants as Shown;
use lustral_sema::instances::{Wanted, properties};
use lustral_sema::{InstanceTree, NodeId, PropertySource};
use lustral_session::{Analysed, roots};
use lustral_smt::SolverOptions;
use lustral_system::TransitionSystem;

use crate::blocked::Blocked;
use crate::cli::{InvariantFormat, InvariantsOptions, limit};
use crate::exit::Exit;
use crate::frontend::{self, Channel};
use crate::modular;
use crate::output::{Output, eprint_line, lines};
use crate::signals;

/// A program with more instances is not simulated as a whole.
const MOST_INSTANCES: usize = 200;

/// The time for finding out what nodes are given.
const REFINEMENT: Duration = Duration::from_secs(10);

/// A node with what was learned of it.
struct Learned<'a> {
    name: &'a str,
    system: &'a TransitionSystem,
    result: Result<&'a NodeInvariants, String>,
    /// What is known of the inputs that it is given, and what follows.
    refined: Option<&'a Refined>,
}

/// Runs the command.
pub fn run(options: &InvariantsOptions) -> Exit {
    signals::watch();
    let mut output = Output::new();
    let cancel = Cancel::with_deadline(limit(options.timeout).map(|t| Instant::now() + t));
    signals::stop_with(&cancel);
    let channel = if options.json { Channel::Json } else { Channel::People };
    let Analysed { program, kernel, sources, .. } =
        match frontend::load(&options.file, channel, &mut output) {
            Ok(accepted) => accepted,
            Err(exit) => return exit,
        };
    let wanted = match roots(&program, &options.nodes) {
        Ok(wanted) => wanted,
        Err(message) => {
            let file = options.file.display();
            eprint_line(&printable(&format!("error: {file}: {message}")));
            return Exit::Rejected;
        }
    };
    if options.modular || options.format == InvariantFormat::Contract {
        return modular::run(options, &kernel, &sources, &wanted, &cancel, output);
    }
    let order = called_first(&program, &wanted);
    if let Err(clocked) = kernel.all_on_one_clock(&order) {
        eprint_line(&printable(&format!("error: {}: {clocked}", options.file.display())));
        return Exit::Rejected;
    }
    let called = |id: &NodeId| {
        order.iter().any(|caller| program.node(*caller).calls.iter().any(|c| c.callee == *id))
    };
    let nodes: Arc<[NodeSystem]> =
        order.iter().map(|id| cut(&kernel, *id, &order, called(id))).collect();
    let learning = learning(options, &cancel);
    let mut learned = learn_nodes(&nodes, &learning);
    let mut proofs = ProofChecker::new(&cancel);
    // Called nodes first: a node may rest on what was checked only.
    let mut blocked: Vec<Option<Blocked>> = Vec::with_capacity(nodes.len());
    let name = |i: usize| &*program.node(order[i]).name;
    for i in 0..nodes.len() {
        let system = node_system(&nodes, &learned, i);
        let calls = nodes[i].calls.iter().map(|callee| blocked[*callee].clone());
        let own = Blocked::find(name(i), &system, calls, &learning);
        let together = || Blocked::whole(&kernel, order[i], &learning);
        let ends = own.or_else(|| wanted.contains(&order[i]).then(together).flatten());
        if let Some(ends) = &ends {
            learned[i] = Err(ends.reason(name(i)));
        } else if let Ok(known) = &learned[i]
            && let Err(reason) = check(&mut proofs, &system, known)
        {
            // It may rest on what did not pass.
            let lost = nodes[i].calls.iter().find(|callee| learned[**callee].is_err());
            let rests = |callee: &usize| {
                format!("it rests on `{}`, of which nothing is known", name(*callee))
            };
            learned[i] = Err(lost.map_or(reason, rests));
        }
        blocked.push(ends);
    }
    let executions = executions(&kernel, &wanted);
    // A node that was asked for, or is one of the main nodes, may be used by
    // itself, and then nobody establishes anything.
    let given: Vec<bool> = order.iter().map(|id| called(id) && !wanted.contains(id)).collect();
    let refined = refined(&nodes, &learned, &given, &executions, &learning, &mut proofs);
    let mut exit = Exit::Valid;
    for (i, id) in order.iter().enumerate() {
        if !options.nodes.is_empty() && !wanted.contains(id) {
            continue;
        }
        let result = learned[i].as_ref().map_err(Clone::clone);
        if result.is_err() {
            exit = exit.min(Exit::Unknown);
        }
        let name = &*program.node(*id).name;
        let refined = refined.get(i);
        show(options, &mut output, i, &Learned { name, system: &nodes[i].system, result, refined });
    }
    if let Some(code) = signals::received() {
        signal_hook::low_level::exit(code);
    }
    output.finish(exit)
}

/// How to learn.
pub fn learning(options: &InvariantsOptions, cancel: &Cancel) -> LearnOptions {
    LearnOptions {
        solver: options.solver.clone(),
        options: SolverOptions { seed: options.seed, ..SolverOptions::default() },
        templates: Templates { names: true, ..Templates::ALL },
        cancel: cancel.clone(),
    }
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
    learned: &NodeInvariants,
) -> Result<(), String> {
    let proofs = proofs.as_mut().map_err(|rejected| rejected.to_string())?;
    match proofs.check_inductive(system, &learned.inductive) {
        Ok(()) => Ok(()),
        Err(rejected) => Err(format!("what was learned did not pass its check: {rejected}")),
    }
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
    learned: &[Result<NodeInvariants, String>],
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
        let proofs = proofs.as_mut().map_err(|rejected| rejected.to_string())?;
        for (node, known) in refined.iter().enumerate() {
            let passed = proofs.check_inductive(&layers.system(node), &known.inductive);
            passed.map_err(|rejected| rejected.to_string())?;
            for call in layers.obligations(node)? {
                let (hypotheses, goals) = call.predicates();
                let passed = proofs.check_next(&call.system, &hypotheses, &goals);
                passed.map_err(|rejected| rejected.to_string())?;
            }
        }
        Ok(refined)
    });
    checked.unwrap_or_else(|reason| {
        tracing::warn!(reason, "nothing is said of what nodes are given");
        Vec::new()
    })
}

fn show(options: &InvariantsOptions, output: &mut Output, number: usize, learned: &Learned<'_>) {
    let known = match &learned.result {
        Ok(known) => known,
        Err(reason) => {
            let name = printable(learned.name);
            return eprint_line(&format!("unknown: node {name}: {}", printable(reason)));
        }
    };
    // Where nothing is given, what its calls guarantee holds of the node always.
    let (always, given, within) = match learned.refined {
        None => (&known.invariants, &[][..], &[][..]),
        Some(refined) if refined.inductive.is_empty() => (&known.invariants, &[][..], &[][..]),
        Some(refined) if refined.given.is_empty() => (&refined.invariants, &[][..], &[][..]),
        Some(refined) => (&known.invariants, &refined.shown_given[..], &refined.invariants[..]),
    };
    let system = learned.system;
    let shown = Shown::new(learned.name, system, always, given, within);
    output.write(&match (options.json, options.format) {
        (true, _) => lines(&shown.events(&options.file.display().to_string())),
        (false, InvariantFormat::Text) => shown.text(),
        // Contracts have gone another way.
        (false, InvariantFormat::Lustre | InvariantFormat::Contract) => shown.lustre(),
        (false, InvariantFormat::Smt2) => {
            smt2_definitions(number + 1, learned.name, system, always, given, within)
        }
    });
}
