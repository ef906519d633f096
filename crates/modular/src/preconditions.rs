//! Houdini for what nodes are given: a fact about inputs that some call does not
//! establish is weakened, and what rested on it is learned anew.
//!
//! At first everything is given that was seen in simulated executions of the
//! whole program. Facts within what is given are learned on each node alone; then
//! each call is asked whether it establishes what is given. A counterexample
//! weakens what is given to the called node, which is learned anew, and so are
//! the callers whose calls guarantee less now; nothing else is. The end of
//! that is a set that passes as a whole; why it may be believed is said in
//! [`super::calls`].

use std::sync::Arc;

use lustral_engines::{
    Claim, InputFacts, LearnOptions, Refutation, SystemInvariants, beyond, establish, learn_system,
    unprepared,
};
use lustral_simulation::{SampleOptions, Samples};
use lustral_system::{Divisions, Predicate, Role, StreamRole, TransitionSystem};
use lustral_term::{Evaluator, TermId, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::calls::{CallObligation, Layers, Refined};
use crate::cut::{NodeSystem, goals_at_call, interface, of_call};
use crate::failure::{NoPreconditions, Unlearned};
use crate::schedule;

/// After so many rounds nothing is given any more.
const MOST_ROUNDS: usize = 12;
/// Steps of simulated executions.
const SAMPLES: usize = 400;

struct Search<'a> {
    nodes: Arc<[NodeSystem]>,
    learned: &'a [Result<SystemInvariants, Unlearned>],
    options: &'a LearnOptions,
    /// By node: what may still be given; nothing where nothing may.
    pools: Vec<Option<InputFacts>>,
    refined: Vec<Refined>,
    /// By node: whether what it is given has changed since it was learned.
    stale: Vec<bool>,
}

/// Finds what nodes are given and what holds within that. `given` are the
/// nodes to which something may be given, `executions` systems of whole programs
/// that call them.
///
/// # Errors
/// If a solver cannot tell.
pub fn refine_nodes(
    nodes: &Arc<[NodeSystem]>,
    learned: &[Result<SystemInvariants, Unlearned>],
    given: &[bool],
    executions: &[TransitionSystem],
    options: &LearnOptions,
) -> Result<Vec<Refined>, NoPreconditions> {
    let constants = constants(nodes);
    let arbitrary = arbitrary(nodes, given);
    let pool = |node: usize| {
        let system = &nodes[node].system;
        let pool = InputFacts::new(system, options.templates, &constants, &arbitrary[node]);
        Some(pool).filter(|pool| given[node] && !pool.inputs().is_empty())
    };
    let mut search = Search {
        nodes: nodes.clone(),
        learned,
        options,
        pools: (0..nodes.len()).map(pool).collect(),
        refined: vec![Refined::default(); nodes.len()],
        stale: vec![true; nodes.len()],
    };
    let mut seen = vec![false; nodes.len()];
    for execution in executions {
        search.watch(execution, &mut seen);
    }
    for (pool, seen) in search.pools.iter_mut().zip(seen) {
        *pool = pool.take().filter(|_| seen);
    }
    search.restate();
    for _ in 0..MOST_ROUNDS {
        search.learn();
        if !search.ask_calls()? {
            search.choose_what_to_show()?;
            return Ok(search.refined);
        }
    }
    Err(NoPreconditions::Unsettled)
}

/// By node: the inputs that some call gives any value, as it is given them itself
/// and asserts nothing. Nothing can be found about them, and that would take long.
fn arbitrary(nodes: &[NodeSystem], given: &[bool]) -> Vec<FxHashSet<VarId>> {
    let mut found = vec![FxHashSet::default(); nodes.len()];
    // Callers come after the nodes that they call.
    for node in (0..nodes.len()).rev().filter(|n| nodes[*n].system.constraints.is_empty()) {
        let mut system = TransitionSystem::from(unprepared(&nodes[node].system).system);
        for (call, callee) in nodes[node].calls.iter().enumerate() {
            let here = interface(&mut system, of_call(call), &nodes[*callee].system);
            let streams = &nodes[*callee].system.root().streams;
            let inputs = streams.iter().filter(|s| s.role == StreamRole::Input);
            let arguments: Vec<(VarId, TermId)> = inputs.map(|s| (s.var, here[&s.var])).collect();
            for (theirs, term) in &arguments {
                let Some(var) = system.terms.var(*term) else { continue };
                let own = &system.root().streams;
                let is_input = own.iter().any(|s| s.var == var && s.role == StreamRole::Input);
                let anything = is_input
                    && system.variable(var).range.is_none()
                    && (!given[node] || found[node].contains(&var));
                // The same value twice is something to find.
                let terms = &system.terms;
                let uses = arguments.iter().filter(|(_, t)| terms.variables([*t]).contains(&var));
                if anything && uses.count() == 1 {
                    found[*callee].insert(*theirs);
                }
            }
        }
    }
    found
}

/// The numbers in the programs of some nodes.
fn constants(nodes: &[NodeSystem]) -> Vec<Value> {
    let of = |NodeSystem { system, .. }: &NodeSystem| {
        let all = system.terms.closure(system.roots());
        all.into_iter().filter_map(|t| system.terms.value(t).cloned()).collect::<Vec<Value>>()
    };
    nodes.iter().flat_map(of).collect()
}

impl Search<'_> {
    /// Simulates a program, and shows each node what it is given there.
    fn watch(&mut self, program: &TransitionSystem, seen: &mut [bool]) {
        let system = unprepared(program).system;
        let options = SampleOptions {
            rows: SAMPLES,
            seed: self.options.options.seed.into(),
            lanes: 64,
            lengths: vec![8, 60],
            first: 4,
            ..SampleOptions::default()
        };
        let samples = Samples::collect(&system, &options);
        let by_zero = Divisions::default();
        for row in 0..samples.len() {
            let at_row = |var: VarId| match samples.column(var) {
                Some(column) => column.get(row).value(system.variable(var).sort),
                None => system.plain(var),
            };
            let mut evaluator = Evaluator::new(&system.terms, &by_zero);
            for instance in &system.instances[1..] {
                let is_this = |n: &NodeSystem| n.system.root().node == instance.node;
                let Some(node) = self.nodes.iter().position(is_this) else { continue };
                let Some(pool) = &mut self.pools[node] else { continue };
                let theirs = &self.nodes[node].system.root().streams;
                let mut value = |var: VarId| {
                    let stream = theirs.iter().position(|s| s.var == var)?;
                    let ours = instance.streams.get(stream)?.var;
                    Some(match system.variable(ours).role {
                        Role::Defined(term) => evaluator.eval(term, at_row),
                        _ => at_row(ours),
                    })
                };
                let inputs: Vec<_> =
                    pool.inputs().into_iter().map(|var| (var, value(var))).collect();
                let plain = &self.nodes[node].system;
                let lookup = |var: VarId| {
                    let found = inputs.iter().find(|(known, _)| *known == var);
                    found.and_then(|(_, v)| v.clone()).unwrap_or_else(|| plain.plain(var))
                };
                pool.absorb(&by_zero, lookup, true);
                seen[node] = true;
            }
        }
    }

    /// Says anew what is given.
    fn restate(&mut self) {
        for (pool, refined) in self.pools.iter_mut().zip(&mut self.refined) {
            refined.given = match pool {
                Some(pool) => pool.facts(),
                None => Vec::new(),
            };
        }
    }

    /// Learns what holds within what is given, where something has changed.
    fn learn(&mut self) {
        let calls: Vec<Vec<usize>> = self.nodes.iter().map(|node| node.calls.clone()).collect();
        let (nodes, options) = (self.nodes.clone(), self.options.clone());
        let (learned, before) = (self.learned.to_vec(), self.refined.clone());
        let stale = std::mem::replace(&mut self.stale, vec![false; self.nodes.len()]);
        // With each node: whether it was learned anew.
        let one = move |node: usize, called: &[Arc<Result<(Refined, bool), Unlearned>>]| {
            let mut refined = before.clone();
            let mut changed = stale[node];
            for (callee, known) in nodes[node].calls.iter().zip(called) {
                match &**known {
                    Ok((known, anew)) => {
                        changed |= anew;
                        refined[*callee] = known.clone();
                    }
                    Err(_) => refined[*callee].inductive = Vec::new(),
                }
            }
            if !changed {
                return Ok((before[node].clone(), false));
            }
            let relied = |callee: &usize| refined[*callee].inductive.is_empty();
            if before[node].given.is_empty() && nodes[node].calls.iter().all(relied) {
                return Ok((Refined::default(), true));
            }
            let layers = Layers::new(&nodes, &learned, &refined);
            let all: Vec<usize> = (0..nodes[node].calls.len()).collect();
            let base = TransitionSystem::from(unprepared(&nodes[node].system).system);
            let SystemInvariants { invariants, inductive } =
                learn_system(&layers.relying_on(base, node, &all), &options)?;
            Ok((Refined { inductive, invariants, ..before[node].clone() }, true))
        };
        for (node, result) in schedule::run(&calls, one).into_iter().enumerate() {
            match &*result {
                Ok((refined, _)) => self.refined[node] = refined.clone(),
                Err(_) => {
                    self.refined[node].inductive.clear();
                    self.refined[node].invariants.clear();
                }
            }
        }
    }

    /// Asks all calls whether they establish what is given, and weakens what
    /// they do not; whether there was something to weaken.
    fn ask_calls(&mut self) -> Result<bool, NoPreconditions> {
        for node in 0..self.nodes.len() {
            let base = TransitionSystem::from(unprepared(&self.nodes[node].system).system);
            let order = Layers::new(&self.nodes, self.learned, &self.refined).order(node);
            for (i, call) in order.iter().enumerate() {
                let layers = Layers::new(&self.nodes, self.learned, &self.refined);
                let obligation = layers.obligation(base.clone(), node, *call, &order[..i])?;
                if let Some(obligation) = obligation {
                    self.ask_call(&obligation, self.nodes[node].calls[*call], *call)?;
                }
            }
        }
        let weakened = self.stale.contains(&true);
        self.restate();
        Ok(weakened)
    }

    fn ask_call(
        &mut self,
        obligation: &CallObligation,
        callee: usize,
        call: usize,
    ) -> Result<(), NoPreconditions> {
        let CallObligation { system, terms, hypotheses, goals } = obligation;
        let claim = Claim { system, terms, hypotheses, goals };
        let mut system = system.clone();
        let here = interface(&mut system, of_call(call), &self.nodes[callee].system);
        let (pool, stale) = (&mut self.pools[callee], &mut self.stale[callee]);
        establish(&claim, self.options, |terms, goals, refutation| {
            let Some(pool) = pool else { return Ok(None) };
            pool.absorb(refutation.divisions(), argument(refutation, &system, &here), false);
            *stale = true;
            let left = goals_at_call(terms, &here, &pool.facts())?;
            if left == goals {
                return Err(NoPreconditions::Useless);
            }
            Ok(Some(left))
        })
    }

    /// Of what is given, what does not follow from the rest; and of what holds
    /// within it, what does not hold always.
    fn choose_what_to_show(&mut self) -> Result<(), NoPreconditions> {
        for node in 0..self.nodes.len() {
            let refined = &self.refined[node];
            if refined.given.is_empty() {
                continue;
            }
            // What follows without anything that rests on what is given.
            let nothing = vec![Refined::default(); self.nodes.len()];
            let bare = Layers::new(&self.nodes, self.learned, &nothing);
            let base = TransitionSystem::from(unprepared(&self.nodes[node].system).system);
            let bare = bare.relying_on(base, node, &[]);
            let always: &[Predicate] = match &self.learned[node] {
                Ok(known) => &known.inductive,
                Err(_) => &[],
            };
            let invariants = beyond(&bare, always, &refined.invariants, self.options)?;
            let given = beyond(&bare, &[], &refined.given, self.options)?;
            self.refined[node].shown_given = if invariants.is_empty() { Vec::new() } else { given };
            self.refined[node].invariants = invariants;
        }
        Ok(())
    }
}

/// The value that an input of the called node has in a counterexample.
fn argument<'c>(
    refutation: &'c Refutation<'_>,
    system: &'c TransitionSystem,
    here: &'c FxHashMap<VarId, TermId>,
) -> impl Fn(VarId) -> Value + 'c {
    move |var| match here.get(&var) {
        Some(term) => {
            let mut evaluator = Evaluator::new(&system.terms, refutation.divisions());
            evaluator.eval(*term, |v| refutation.value(v))
        }
        None => system.plain(var),
    }
}
