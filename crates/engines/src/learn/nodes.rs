//! Houdini for nodes: what each node guarantees, learned on the node alone.
//!
//! Calls are cut: of a called node only the interface is there, and what was
//! learned of it before. So the cost grows with the number of different nodes
//! and not with the number of their instances. What is learned holds in every
//! instance: it was shown for arbitrary inputs, and a cut call can do more
//! than the called node. What more can be said of the inputs that nodes are
//! really given is found afterwards: see [`super::calls`].

use std::sync::Arc;

use lustral_base::Cancel;
use lustral_smt::{Solver, SolverOptions};
use lustral_system::{Predicate, TransitionSystem};
use lustral_term::TermId;
use rustc_hash::FxHashMap;

use super::consecution::{Case, Consecution, Step};
use super::cut::{NodeSystem, assume_of_call, imported};
use super::learner::Learner;
use super::schedule;
use super::templates::Templates;
use crate::board::Board;
use crate::portfolio::{Limits, Sessions, Task};
use crate::prepare::unprepared;

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

/// Learns what nodes guarantee, called nodes first, and side by side where none
/// waits for another. A node of which nothing could be learned, with the reason,
/// guarantees nothing to its callers.
#[must_use]
pub fn learn_nodes(
    nodes: &Arc<[NodeSystem]>,
    options: &LearnOptions,
) -> Vec<Result<NodeInvariants, String>> {
    let calls: Vec<Vec<usize>> = nodes.iter().map(|node| node.calls.clone()).collect();
    let (nodes, options) = (nodes.clone(), options.clone());
    let one = move |node: usize, called: &[Arc<Result<NodeInvariants, String>>]| {
        let mut system = unprepared(&nodes[node].system).system;
        for (call, (callee, known)) in nodes[node].calls.iter().zip(called).enumerate() {
            if let Ok(known) = &**known {
                assume_of_call(&mut system, call, &known.inductive, &nodes[*callee].system);
            }
        }
        learn(system, &options)
    };
    schedule::run(&calls, one).into_iter().map(|result| (*result).clone()).collect()
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
            assume_of_call(&mut system, call, &known.inductive, &nodes[*callee].system);
        }
    }
    system
}

/// What is to be done with a system whose definitions are inlined.
pub(crate) fn task(system: TransitionSystem, options: &LearnOptions) -> Task {
    let board = Board::new(system.properties.len(), Box::new(|_| {}));
    let sessions =
        Sessions { solver: options.solver.clone(), options: options.options.clone(), worker: None };
    let mut task = Task::new(Arc::new(system), Arc::new(board), sessions)
        .with_limits(Limits { max_k: Some(1) })
        .with_cancel(options.cancel.clone());
    task.options.learn.templates = options.templates;
    task
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
    learn(unprepared(system).system, options)
}

/// What a system guarantees.
pub(crate) fn learn(
    system: TransitionSystem,
    options: &LearnOptions,
) -> Result<NodeInvariants, String> {
    let task = task(system, options);
    let mut learner = Learner::new(&task, 1).map_err(|f| f.to_string())?;
    let facts = learner.fixpoint().map_err(|f| f.to_string())?;
    let mut all = Vec::with_capacity(facts.len());
    for fact in facts.iter() {
        all.push(learner.unguarded(*fact).map_err(|f| f.to_string())?);
    }
    let shown = worth_showing(&task, &learner, &all)?;
    // What the step case was asked with is part of it.
    let typing = task.system.typing.iter().copied();
    let inductive: Vec<TermId> = all.iter().copied().chain(typing).collect();
    let inductive = learner.predicates(&inductive);
    Ok(NodeInvariants { invariants: learner.predicates(&shown), inductive })
}

/// Those of some facts that do not follow from the definitions, from what is
/// known, or from the others; the last are tried first.
pub(crate) fn beyond(
    task: &Task,
    known: &[Predicate],
    facts: &[Predicate],
) -> Result<Vec<Predicate>, String> {
    let mut session = Consecution::new(task, Case::Consequence).map_err(|f| f.to_string())?;
    let mut terms = task.system.terms.clone();
    let known = imported(&mut terms, known);
    let terms_of = imported(&mut terms, facts);
    let mut kept: Vec<usize> = (0..facts.len()).collect();
    for i in (0..facts.len()).rev() {
        let others = kept.iter().filter(|j| **j != i).map(|j| terms_of[*j]);
        let hypotheses: Vec<TermId> = known.iter().copied().chain(others).collect();
        if let Step::Holds(_) =
            session.ask(&terms, &hypotheses, &[terms_of[i]]).map_err(|f| f.to_string())?
        {
            kept.retain(|j| *j != i);
        }
    }
    Ok(kept.into_iter().map(|i| facts[i].clone()).collect())
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
        if let Step::Holds(_) = session.ask(terms, &others, &[fact]).map_err(|f| f.to_string())? {
            kept = others;
        }
    }
    // How often each is needed to show the others.
    let mut step = Consecution::new(task, Case::Induction(1)).map_err(|f| f.to_string())?;
    let mut uses: FxHashMap<TermId, usize> = FxHashMap::default();
    for fact in &kept {
        if let Step::Holds(core) = step.ask(terms, &kept, &[*fact]).map_err(|f| f.to_string())? {
            core.into_iter().for_each(|used| *uses.entry(used).or_default() += 1);
        }
    }
    kept.sort_by_cached_key(|f| (std::cmp::Reverse(uses.get(f).copied().unwrap_or(0)), worth(*f)));
    Ok(kept)
}
