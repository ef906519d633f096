//! Houdini for what nodes are given: a fact about inputs that some call does not
//! establish is weakened, and what rested on it is learned anew.
//!
//! At first everything is given that was seen in simulated executions of the
//! whole program. Facts within what is given are learned on each node alone; then
//! each call is asked whether it establishes what is given. A counterexample
//! weakens what is given to the called node, which is learned anew, and so are
//! the callers whose calls guarantee less now; nothing else is. The end of
//! that is a set that passes as a whole; why it may be believed is said at
//! [`Layers`].

use std::sync::Arc;

use lustral_certify::{
    CallObligation, Layers, Nodes, Preconditions, goals_at_call, interface, of_call,
};
use lustral_engines::{
    Claim, InputFacts, LearnOptions, Refutation, SystemInvariants, beyond, establish, learn_with,
    unprepared,
};
use lustral_simulation::{SampleOptions, Samples};
use lustral_syntax::ast::CandidateRole;
use lustral_system::{Answers, Predicate, Role, StreamRole, TransitionSystem};
use lustral_term::{Evaluator, TermId, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::failure::{NoPreconditions, Unlearned};
use crate::schedule;

/// After so many rounds nothing is given any more.
const MOST_ROUNDS: usize = 12;
/// Steps of simulated executions.
const SAMPLES: usize = 400;

/// What was found of a node; nobody has checked it.
#[derive(Clone, Default)]
pub struct Refined {
    /// What it is given, and what holds within that.
    pub claim: Preconditions,
    /// The positions of what is worth showing of what it is given: what the rest
    /// follows from.
    pub given: Vec<usize>,
    /// The positions of what is worth showing of what holds within that; if
    /// something is given, without what holds always.
    pub within: Vec<usize>,
}

struct Search<'a> {
    nodes: Arc<Nodes>,
    /// By node: what holds of it always.
    always: Arc<[Vec<Predicate>]>,
    options: &'a LearnOptions,
    /// By node: what may still be given; nothing where nothing may.
    pools: Vec<Option<InputFacts>>,
    claims: Vec<Preconditions>,
    /// By node: the positions of what is worth showing of what holds within.
    shown: Vec<Vec<usize>>,
    /// By node: whether what it is given has changed since it was learned.
    stale: Vec<bool>,
}

/// Finds what nodes are given and what holds within that. `always` is known of
/// them, `given` are the nodes to which something may be given, `executions`
/// systems of whole programs that call them.
///
/// # Errors
/// If a solver cannot tell.
pub fn refine_nodes(
    nodes: &Arc<Nodes>,
    always: &[&[Predicate]],
    given: &[bool],
    executions: &[TransitionSystem],
    options: &LearnOptions,
) -> Result<Vec<Refined>, NoPreconditions> {
    let constants = constants(nodes);
    let arbitrary = arbitrary(nodes, given);
    let pool = |node: usize| {
        let system = nodes.system(node);
        let mut pool = InputFacts::new(system, options.templates, &constants, &arbitrary[node]);
        pool.give(&required(nodes, node));
        Some(pool).filter(|pool| given[node] && !pool.inputs().is_empty())
    };
    let claim = |node| Preconditions { order: order(nodes, node), ..Preconditions::default() };
    let mut search = Search {
        nodes: nodes.clone(),
        always: always.iter().map(|facts| facts.to_vec()).collect(),
        options,
        pools: (0..nodes.len()).map(pool).collect(),
        claims: (0..nodes.len()).map(claim).collect(),
        shown: vec![Vec::new(); nodes.len()],
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
            return search.chosen();
        }
    }
    Err(NoPreconditions::Unsettled)
}

/// What candidates of a node say that every call gives it.
fn required(nodes: &Nodes, node: usize) -> Vec<Predicate> {
    let unit = nodes.unit(node);
    let list = &unit.program.node(nodes.order()[node]).candidates.list;
    let system = unit.with_all_candidates();
    let terms = Arc::new(system.terms);
    let stated = list.iter().zip(&system.candidates);
    let required = stated.filter(|(candidate, _)| candidate.role == CandidateRole::Requires);
    required.map(|(_, term)| Predicate { terms: terms.clone(), term: *term }).collect()
}

/// By node: the inputs that some call gives any value, as it is given them itself
/// and asserts nothing. Nothing can be found about them, and that would take long.
fn arbitrary(nodes: &Nodes, given: &[bool]) -> Vec<FxHashSet<VarId>> {
    let mut found = vec![FxHashSet::default(); nodes.len()];
    // Callers come after the nodes that they call.
    for node in (0..nodes.len()).rev().filter(|n| nodes.system(*n).constraints.is_empty()) {
        let mut system = TransitionSystem::from(unprepared(nodes.system(node)).system);
        for (call, callee) in nodes.calls(node).iter().enumerate() {
            let here = interface(&mut system, of_call(call), nodes.system(*callee));
            let streams = &nodes.system(*callee).root().streams;
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
fn constants(nodes: &Nodes) -> Vec<Value> {
    let of = |node: usize| {
        let system = nodes.system(node);
        let all = system.terms.closure(system.roots());
        all.into_iter().filter_map(|t| system.terms.value(t).cloned()).collect::<Vec<Value>>()
    };
    (0..nodes.len()).flat_map(of).collect()
}

/// An order in which calls come after those whose outputs they are given, as far
/// as there is one (a topological order). Any order is sound.
pub(crate) fn order(nodes: &Nodes, node: usize) -> Vec<usize> {
    let mut system = TransitionSystem::from(unprepared(nodes.system(node)).system);
    let calls = nodes.calls(node).len();
    let mut needs: Vec<FxHashSet<VarId>> = Vec::with_capacity(calls);
    let mut gives: Vec<Vec<VarId>> = Vec::with_capacity(calls);
    for (call, callee) in nodes.calls(node).iter().enumerate() {
        let callee = nodes.system(*callee);
        let here = interface(&mut system, of_call(call), callee);
        let streams = &callee.root().streams;
        let of = |role| streams.iter().filter(move |s| s.role == role).map(|s| here[&s.var]);
        let arguments: Vec<TermId> = of(StreamRole::Input).collect();
        let results: Vec<TermId> = of(StreamRole::Output).collect();
        needs.push(system.terms.variables(arguments).into_iter().collect());
        gives.push(results.into_iter().filter_map(|t| system.terms.var(t)).collect());
    }
    let mut order: Vec<usize> = Vec::with_capacity(calls);
    let mut left: Vec<usize> = (0..calls).collect();
    while !left.is_empty() {
        let waits = |call: usize| {
            let others = left.iter().filter(|other| **other != call);
            others.flat_map(|other| &gives[*other]).any(|var| needs[call].contains(var))
        };
        let next = left.iter().position(|call| !waits(*call)).unwrap_or(0);
        order.push(left.remove(next));
    }
    order
}

/// What is known of nodes, for the questions that are asked of them.
fn layers<'l>(
    nodes: &'l Nodes,
    always: &'l [Vec<Predicate>],
    claims: &'l [Preconditions],
) -> Layers<'l> {
    Layers::new(nodes, always.iter().map(Vec::as_slice).collect(), claims)
}

impl Search<'_> {
    /// Simulates a program, and shows each node what it is given there.
    fn watch(&mut self, program: &TransitionSystem, seen: &mut [bool]) {
        let system = TransitionSystem::from(unprepared(program).system);
        let options = SampleOptions {
            rows: SAMPLES,
            seed: self.options.options.seed.into(),
            lanes: 64,
            lengths: vec![8, 60],
            first: 4,
            ..SampleOptions::default()
        };
        let samples = Samples::collect(&system, &options);
        let by_zero = Answers::default();
        for row in 0..samples.len() {
            let at_row = |var: VarId| match samples.column(var) {
                Some(column) => column.get(row).value(system.variable(var).sort),
                None => system.plain(var),
            };
            let mut evaluator = Evaluator::new(&system.terms, &by_zero);
            for instance in &system.instances[1..] {
                let mut nodes = 0..self.nodes.len();
                let is_this = |n: usize| self.nodes.name(n) == instance.node;
                let Some(node) = nodes.find(|n| is_this(*n)) else { continue };
                let Some(pool) = &mut self.pools[node] else { continue };
                let theirs = &self.nodes.system(node).root().streams;
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
                let plain = self.nodes.system(node);
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
        for (pool, claim) in self.pools.iter_mut().zip(&mut self.claims) {
            claim.given = match pool {
                Some(pool) => pool.facts(),
                None => Vec::new(),
            };
        }
    }

    /// Learns what holds within what is given, where something has changed.
    fn learn(&mut self) {
        let calls = self.nodes.all_calls().to_vec();
        let (nodes, options) = (self.nodes.clone(), self.options.clone());
        let (always, before) = (self.always.clone(), self.claims.clone());
        let stale = std::mem::replace(&mut self.stale, vec![false; self.nodes.len()]);
        // Nothing where all is as it was.
        let one =
            move |node: usize, called: &[Arc<Result<Option<SystemInvariants>, Unlearned>>]| {
                let mut claims = before.clone();
                let mut changed = stale[node];
                for (callee, known) in nodes.calls(node).iter().zip(called) {
                    match &**known {
                        Ok(None) => {}
                        Ok(Some(known)) => {
                            changed = true;
                            claims[*callee].within.clone_from(&known.inductive);
                        }
                        Err(_) => claims[*callee].within.clear(),
                    }
                }
                if !changed {
                    return Ok(None);
                }
                let relied = |callee: &usize| claims[*callee].within.is_empty();
                if before[node].given.is_empty() && nodes.calls(node).iter().all(relied) {
                    return Ok(Some(SystemInvariants::default()));
                }
                let layers = layers(&nodes, &always, &claims);
                let all: Vec<usize> = (0..nodes.calls(node).len()).collect();
                let base = TransitionSystem::from(unprepared(nodes.system(node)).system);
                let candidates = nodes.unit(node).candidates();
                let relying = layers.relying_on(base, node, &all);
                Ok(Some(learn_with(relying, candidates, &options)?))
            };
        for (node, result) in schedule::run(&calls, one).into_iter().enumerate() {
            let (within, shown) = match &*result {
                Ok(None) => continue,
                Ok(Some(known)) => (known.inductive.clone(), known.shown.clone()),
                Err(_) => (Vec::new(), Vec::new()),
            };
            self.claims[node].within = within;
            self.shown[node] = shown;
        }
    }

    /// Asks all calls whether they establish what is given, and weakens what
    /// they do not; whether there was something to weaken.
    fn ask_calls(&mut self) -> Result<bool, NoPreconditions> {
        for node in 0..self.nodes.len() {
            let base = TransitionSystem::from(unprepared(self.nodes.system(node)).system);
            let order = self.claims[node].order.clone();
            for (i, call) in order.iter().enumerate() {
                let layers = layers(&self.nodes, &self.always, &self.claims);
                let obligation = layers.obligation(base.clone(), node, *call, &order[..i])?;
                if let Some(obligation) = obligation {
                    self.ask_call(&obligation, self.nodes.calls(node)[*call], *call)?;
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
        let here = interface(&mut system, of_call(call), self.nodes.system(callee));
        let (pool, stale) = (&mut self.pools[callee], &mut self.stale[callee]);
        establish(&claim, self.options, |terms, goals, refutation| {
            let Some(pool) = pool else { return Ok(None) };
            pool.absorb(refutation.answers(), argument(refutation, &system, &here), false);
            *stale = true;
            let left = goals_at_call(terms, &here, &pool.facts())?;
            if left == goals {
                return Err(NoPreconditions::Useless);
            }
            Ok(Some(left))
        })
    }

    /// All of it with what is worth showing: of what is given, what does not
    /// follow from the rest; and of what holds within it, what does not hold always.
    fn chosen(self) -> Result<Vec<Refined>, NoPreconditions> {
        // What follows without anything that rests on what is given.
        let nothing = vec![Preconditions::default(); self.nodes.len()];
        let bare = layers(&self.nodes, &self.always, &nothing);
        let mut found = Vec::with_capacity(self.nodes.len());
        for (node, (claim, shown)) in self.claims.into_iter().zip(self.shown).enumerate() {
            if claim.given.is_empty() {
                found.push(Refined { claim, given: Vec::new(), within: shown });
                continue;
            }
            let base = TransitionSystem::from(unprepared(self.nodes.system(node)).system);
            let bare = bare.relying_on(base, node, &[]);
            let facts: Vec<Predicate> = shown.iter().map(|i| claim.within[*i].clone()).collect();
            let kept = beyond(bare.clone(), &self.always[node], &facts, self.options)?;
            let within: Vec<usize> = kept.into_iter().map(|i| shown[i]).collect();
            let given = beyond(bare, &[], &claim.given, self.options)?;
            let given = if within.is_empty() { Vec::new() } else { given };
            found.push(Refined { claim, given, within });
        }
        Ok(found)
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
            let mut evaluator = Evaluator::new(&system.terms, refutation.answers());
            evaluator.eval(*term, |v| refutation.value(v))
        }
        None => system.plain(var),
    }
}
