//! Houdini for nodes: what each node guarantees, learned on the node alone.
//!
//! Calls are cut: of a called node only the interface is there, and what was
//! learned of it before. So the cost grows with the number of different nodes
//! and not with the number of their instances. What is learned holds in every
//! instance: it was shown for arbitrary inputs, and a cut call can do more
//! than the called node.

use std::sync::Arc;

use lustral_smt::{Cancel, Solver, SolverOptions};
use lustral_system::{Constraint, Memory, Origin, Predicate, Role, StreamRole, TransitionSystem};
use lustral_term::{TermId, Terms, Translation, VarId};
use rustc_hash::FxHashMap;

use super::consecution::{Case, Consecution, Step};
use super::learner::Learner;
use super::templates::Templates;
use crate::board::Board;
use crate::engine::{Abduction, Compression, Task};
use crate::prepare::unprepared;

impl NodeSystem {
    /// A node that others call. That arguments are in the subranges of the
    /// inputs is a property of the callers, so it may not be assumed here.
    #[must_use]
    pub fn called(mut system: TransitionSystem, calls: Vec<usize>) -> NodeSystem {
        let mut free = Vec::new();
        for stream in &system.instances[0].streams {
            // The values of an enumeration are all there are.
            if stream.role == StreamRole::Input && stream.values.is_none() {
                system.variables[stream.var.index()].range = None;
                free.push(stream.var);
            }
        }
        let terms = &system.terms;
        let remembers = |m: &&Memory| terms.var(m.next).is_some_and(|v| free.contains(&v));
        let memories: Vec<VarId> =
            system.memories.iter().filter(remembers).map(|m| m.var).collect();
        let unfounded = |t: &TermId| terms.variables([*t]).iter().any(|v| memories.contains(v));
        let typing = system.typing.iter().filter(|t| !unfounded(t)).copied().collect();
        system.typing = typing;
        NodeSystem { system, calls }
    }
}

/// A node whose calls are cut.
pub struct NodeSystem {
    /// Its system: the node is the first instance, its calls the others.
    pub system: TransitionSystem,
    /// By call, in the order of the instances: the position of the called
    /// node, which comes before this one.
    pub calls: Vec<usize>,
}

/// What was learned of a node.
#[derive(Clone)]
pub struct NodeInvariants {
    /// Inductive together, as predicates over the variables of the node's
    /// system, given those of the nodes that it calls. What is used most
    /// comes first; what follows from the others is left out.
    pub invariants: Vec<Predicate>,
    /// All that is inductive together, with what follows.
    pub inductive: Vec<Predicate>,
}

/// How to learn.
#[derive(Clone)]
pub struct LearnOptions {
    /// The solver to use.
    pub solver: Solver,
    /// How it is set up.
    pub options: SolverOptions,
    /// What candidates look like.
    pub templates: Templates,
    /// Tells to stop.
    pub cancel: Cancel,
}

/// Learns what nodes guarantee, called nodes first. A node of which nothing
/// could be learned, with the reason, guarantees nothing to its callers.
#[must_use]
pub fn learn_nodes(
    nodes: &[NodeSystem],
    options: &LearnOptions,
) -> Vec<Result<NodeInvariants, String>> {
    let mut learned: Vec<Result<NodeInvariants, String>> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let called: Vec<&[Predicate]> = node
            .calls
            .iter()
            .map(|callee| match &learned[*callee] {
                Ok(known) => known.inductive.as_slice(),
                Err(_) => &[],
            })
            .collect();
        let systems: Vec<&TransitionSystem> =
            node.calls.iter().map(|callee| &nodes[*callee].system).collect();
        let result = learn(node, &called, &systems, options);
        learned.push(result);
    }
    learned
}

/// The system of a node with what is known of its calls: what the invariants
/// of the node were learned from, and are to be checked against.
#[must_use]
pub fn node_system(
    nodes: &[NodeSystem],
    learned: &[Result<NodeInvariants, String>],
    node: usize,
) -> TransitionSystem {
    let mut system = nodes[node].system.clone();
    for (call, callee) in nodes[node].calls.iter().enumerate() {
        if let Ok(known) = &learned[*callee] {
            assume_of_call(&mut system, call + 1, &known.inductive, &nodes[*callee].system);
        }
    }
    system
}

fn learn(
    node: &NodeSystem,
    called: &[&[Predicate]],
    systems: &[&TransitionSystem],
    options: &LearnOptions,
) -> Result<NodeInvariants, String> {
    let mut system = node.system.clone();
    for (call, (facts, callee)) in called.iter().zip(systems).enumerate() {
        assume_of_call(&mut system, call + 1, facts, callee);
    }
    learn_node(&system, options)
}

/// What can be learned of a node's system, in which something may be known of
/// its calls.
///
/// # Errors
/// If the solver fails, or the time is up.
pub fn learn_node(
    system: &TransitionSystem,
    options: &LearnOptions,
) -> Result<NodeInvariants, String> {
    let task = task(unprepared(system).system, options);
    let mut learner = Learner::new(&task, 1).map_err(|f| f.to_string())?;
    let facts = learner.fixpoint()?;
    let mut all = Vec::with_capacity(facts.len());
    for fact in facts.iter() {
        all.push(learner.unguarded(*fact)?);
    }
    let shown = worth_showing(&task, &learner, &all)?;
    // What the step case was asked with is part of it.
    let typing = task.system.typing.iter().copied();
    let inductive: Vec<TermId> = all.iter().copied().chain(typing).collect();
    let inductive = learner.predicates(&inductive);
    Ok(NodeInvariants { invariants: learner.predicates(&shown), inductive })
}

/// A task for learning, of which nobody hears.
pub(super) fn task(system: TransitionSystem, options: &LearnOptions) -> Task {
    let properties = system.properties.len();
    Task {
        system: Arc::new(system),
        board: Arc::new(Board::new(properties, Box::new(|_| {}))),
        solver: options.solver.clone(),
        options: options.options.clone(),
        max_k: 1,
        compression: Compression::Off,
        templates: options.templates,
        abduction: Abduction::default(),
        candidates: Arc::new([]),
        worker: None,
        cancel: options.cancel.clone(),
    }
}

/// Adds what is known of a called node, as far as it speaks of the interface
/// only: the inputs and outputs at one step.
fn assume_of_call(
    system: &mut TransitionSystem,
    instance: usize,
    facts: &[Predicate],
    callee: &TransitionSystem,
) {
    // From the flows of the called node to those of the call.
    let mut here: FxHashMap<VarId, TermId> = FxHashMap::default();
    let flows = callee.instances[0].streams.iter().zip(&system.instances[instance].streams);
    for (theirs, ours) in flows {
        let variable = &system.variables[ours.var.index()];
        let term = match variable.role {
            Role::Defined(term) => term,
            _ => system.terms.variable(ours.var, variable.sort),
        };
        here.insert(theirs.var, term);
    }
    // Both begin together.
    let first = |s: &TransitionSystem| {
        s.variables().find(|(_, v)| v.origin == Origin::First).map(|(id, v)| (id, v.sort))
    };
    if let (Some((theirs, _)), Some((ours, sort))) = (first(callee), first(system)) {
        here.insert(theirs, system.terms.variable(ours, sort));
    }
    for fact in facts {
        let speaks_of_interface =
            fact.terms.variables([fact.term]).iter().all(|v| here.contains_key(v));
        if speaks_of_interface {
            let term =
                Translation::new()
                    .apply(&fact.terms, &mut system.terms, fact.term, |_, var, _| here[&var]);
            let constraint = Constraint { term, instance: instance as u32, index: u32::MAX };
            if term != Terms::TRUE {
                system.constraints.push(constraint);
            }
        }
    }
}

/// The facts without those that follow from the definitions, or from the
/// others at the same step and the step before; the most used first.
fn worth_showing(
    task: &Task,
    learner: &Learner<'_>,
    facts: &[TermId],
) -> Result<Vec<TermId>, String> {
    let mut session = Consecution::new(task, Case::Consequence).map_err(|f| f.to_string())?;
    let terms = learner.terms();
    let mut kept: Vec<TermId> = facts.to_vec();
    let worth = |f: TermId| (learner.speaks_of_memories(f), learner.cost(f), f);
    kept.sort_by_cached_key(|f| worth(*f));
    kept.dedup();
    // The least worth first: a short fact about flows is worth more than a
    // long one about what they were.
    for fact in kept.clone().into_iter().rev() {
        let others: Vec<TermId> = kept.iter().copied().filter(|f| *f != fact).collect();
        if let Step::Holds(_) = session.ask(terms, &others, &[fact])? {
            kept = others;
        }
    }
    // How often each is needed to show the others.
    let mut step = Consecution::new(task, Case::Induction(1)).map_err(|f| f.to_string())?;
    let mut uses: FxHashMap<TermId, usize> = FxHashMap::default();
    for fact in &kept {
        if let Step::Holds(core) = step.ask(terms, &kept, &[*fact])? {
            core.into_iter().for_each(|used| *uses.entry(used).or_default() += 1);
        }
    }
    kept.sort_by_cached_key(|f| (std::cmp::Reverse(uses.get(f).copied().unwrap_or(0)), worth(*f)));
    Ok(kept)
}
