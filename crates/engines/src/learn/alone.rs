//! Houdini on one system, outside of any portfolio: for those who look at a
//! program node by node.
//!
//! There is no board here and there are no properties to settle: a system goes
//! in, what is inductive in it comes out. Besides that stands what is needed to
//! find out about the inputs of a node: candidates over them ([`InputFacts`]),
//! and counterexamples to what is claimed of them ([`establish`]).

use std::sync::Arc;
use std::time::Instant;

use lustral_base::Cancel;
use lustral_smt::{Solver, SolverOptions};
use lustral_system::{
    Inlined, Predicate, PropId, Role, StreamRole, Trace, TransitionSystem, imported,
};
use lustral_term::{Interpretation, TermId, Terms, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::consecution::{Case, Consecution, Counterexample, Step};
use super::learner::Learner;
use super::limits::LeftOut;
use super::number::Number;
use super::pool::Pool;
use super::ranges;
use super::templates::Templates;
use crate::board::Board;
use crate::failure::Failure;
use crate::portfolio::{Limits, Sessions, Task};

/// What was learned of a system.
#[derive(Clone, Default)]
pub struct SystemInvariants {
    /// All that is inductive together, with what follows from the rest, as
    /// predicates over the variables of the system.
    pub inductive: Vec<Predicate>,
    /// The positions of those that are worth showing: what is used most comes
    /// first; what follows from the others is left out.
    pub shown: Vec<usize>,
    /// What the limits on candidates left out.
    pub left_out: LeftOut,
    /// The properties of the system that are among what is inductive.
    pub properties: Vec<PropId>,
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

/// What is to be done with a system whose definitions are inlined.
fn task(system: TransitionSystem, options: &LearnOptions) -> Task {
    let board = Board::new(system.properties.len(), Box::new(|_| {}));
    let sessions =
        Sessions { solver: options.solver.clone(), options: options.options.clone(), worker: None };
    let mut task = Task::new(Arc::new(Inlined::new(&system)), Arc::new(board), sessions)
        .with_limits(Limits { max_k: Some(1) })
        .with_cancel(options.cancel.clone());
    task.options.learn.templates = options.templates;
    task
}

/// What can be learned of a system whose definitions are inlined
/// ([`crate::unprepared`]).
///
/// # Errors
/// If the solver fails, or the time is up.
pub fn learn_system(
    system: TransitionSystem,
    options: &LearnOptions,
) -> Result<SystemInvariants, Failure> {
    learn_with(system, Arc::new([]), options)
}

/// The same, where some candidates over the variables of the system are tried
/// beside those of the templates. Where there is a time limit and what all templates say
/// takes too much of it, there is still what those say of which there are few.
///
/// # Errors
/// If the solver fails, or the time is up.
pub fn learn_with(
    system: TransitionSystem,
    candidates: Arc<[Predicate]>,
    options: &LearnOptions,
) -> Result<SystemInvariants, Failure> {
    let lines = options.templates.lines();
    if let Some(until) = options.cancel.deadline()
        && lines != options.templates
    {
        let now = Instant::now();
        let part = until.saturating_duration_since(now) / FIRST_PART;
        let cancel = options.cancel.child_until(Some(now + part));
        let first = LearnOptions { cancel, ..options.clone() };
        match learn_all(system.clone(), candidates.clone(), &first) {
            Err(_) if first.cancel.is_cancelled() && !options.cancel.is_cancelled() => {
                tracing::debug!("learning: too much, now without octagons, modes and triples");
            }
            found => return found,
        }
        let fewer = LearnOptions { templates: lines, ..options.clone() };
        let mut found = learn_all(system, candidates, &fewer)?;
        let (all, kept) = (options.templates.enabled().len(), lines.enabled().len());
        found.left_out.note("kinds of candidates were tried, as all took too long", kept, all);
        return Ok(found);
    }
    learn_all(system, candidates, options)
}

/// What all templates say is learned within such a part of the time that is left.
const FIRST_PART: u32 = 3;

fn learn_all(
    system: TransitionSystem,
    candidates: Arc<[Predicate]>,
    options: &LearnOptions,
) -> Result<SystemInvariants, Failure> {
    let task = task(system, options).with_candidates(candidates);
    let mut learner = Learner::new(&task, 1)?;
    let facts = learner.fixpoint()?;
    let ranges = if options.templates.names && options.templates.bounds {
        ranges::of_outputs(&mut learner, &facts)?
    } else {
        Vec::new()
    };
    let ranges = ranges.iter().filter(|fact| !facts.contains(fact));
    let properties = learner.targets();
    let mut all = Vec::with_capacity(facts.len());
    for fact in facts.iter().chain(ranges) {
        all.push(learner.unguarded(*fact)?);
    }
    if options.templates.names {
        all = learner.by_outputs(&all);
    }
    let shown = worth_showing(&task, &learner, &all)?;
    // What the step case was asked with is part of it.
    let typing = task.system.typing.iter().copied();
    let inductive: Vec<TermId> = all.iter().copied().chain(typing).collect();
    let position = |fact: &TermId| inductive.iter().position(|known| known == fact);
    let shown: Vec<usize> = shown.iter().filter_map(position).collect();
    let inductive = learner.predicates(&inductive);
    let seen = if options.templates.names {
        from_outside(&task.system, &inductive, &shown, options)?
    } else {
        Vec::new()
    };
    let shown = shown.into_iter().chain(seen).collect();
    Ok(SystemInvariants { inductive, shown, left_out: learner.left_out(), properties })
}

/// The most facts about an interface that are looked at.
const MOST_SEEN: usize = 200;

/// The positions of what else is worth showing to those who see the interface of a node and
/// not its equations: ranges of outputs and how they relate to inputs, whatever the equations
/// say, as far as it does not follow from what is shown or from the rest of it.
fn from_outside(
    system: &TransitionSystem,
    facts: &[Predicate],
    shown: &[usize],
    options: &LearnOptions,
) -> Result<Vec<usize>, Failure> {
    let Some(root) = system.instances.first() else { return Ok(Vec::new()) };
    // What an output is by definition, the result of a call perhaps, is as good as that.
    let interface = root.streams.iter().filter(|s| s.role != StreamRole::Local);
    let mut roles: FxHashMap<VarId, StreamRole> =
        interface.clone().map(|s| (s.var, s.role)).collect();
    for stream in interface {
        if let Role::Defined(term) = system.variable(stream.var).role
            && let Some(other) = system.terms.var(term)
        {
            roles.entry(other).or_insert(stream.role);
        }
    }
    let role = |var: &VarId| roles.get(var).copied();
    let is_seen = |fact: &Predicate| {
        let of = fact.terms.variables([fact.term]);
        let mut roles = of.iter().map(role).peekable();
        roles.peek().is_some() && {
            let roles: Vec<Option<StreamRole>> = roles.collect();
            let known =
                |r: &Option<StreamRole>| matches!(r, Some(StreamRole::Input | StreamRole::Output));
            roles.iter().all(known) && roles.contains(&Some(StreamRole::Output))
        }
    };
    let mut seen: Vec<usize> =
        (0..facts.len()).filter(|i| !shown.contains(i) && is_seen(&facts[*i])).collect();
    seen.sort_by_cached_key(|i| (facts[*i].terms.closure([facts[*i].term]).len(), *i));
    seen.truncate(MOST_SEEN);
    // The flows without their equations: what is known of them are their types.
    let mut bare = system.clone();
    for variable in &mut bare.variables {
        variable.role = Role::Input;
    }
    bare.definitions.clear();
    bare.memories.clear();
    bare.constraints.clear();
    bare.properties.clear();
    bare.candidates.clear();
    bare.typing.clear();
    let known: Vec<Predicate> = shown.iter().map(|i| facts[*i].clone()).collect();
    let said: Vec<Predicate> = seen.iter().map(|i| facts[*i].clone()).collect();
    let kept = beyond(bare, &known, &said, options)?;
    Ok(kept.into_iter().map(|i| seen[i]).collect())
}

/// The strongest facts of the templates that no step of random executions of a system refutes,
/// whether inductive or not, and what the limits leave out; its definitions are inlined.
///
/// # Errors
/// If the solver cannot be started.
pub fn propose_system(
    system: TransitionSystem,
    options: &LearnOptions,
) -> Result<(Vec<Predicate>, LeftOut), Failure> {
    let task = task(system, options);
    let mut learner = Learner::new(&task, 1)?;
    learner.simulate();
    let facts = learner.facts();
    let mut all = Vec::with_capacity(facts.len());
    for fact in facts.iter() {
        all.push(learner.unguarded(*fact)?);
    }
    Ok((learner.predicates(&all), learner.left_out()))
}

/// The facts without those that follow from the definitions, or from the
/// others at the same step and the step before; the most used first.
fn worth_showing(
    task: &Task,
    learner: &Learner<'_>,
    facts: &[TermId],
) -> Result<Vec<TermId>, Failure> {
    let mut session = Consecution::new(task, Case::Consequence)?;
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
    let mut step = Consecution::new(task, Case::Induction(1))?;
    let mut uses: FxHashMap<TermId, usize> = FxHashMap::default();
    for fact in &kept {
        if let Step::Holds(core) = step.ask(terms, &kept, &[*fact])? {
            core.into_iter().for_each(|used| *uses.entry(used).or_default() += 1);
        }
    }
    kept.sort_by_cached_key(|f| (std::cmp::Reverse(uses.get(f).copied().unwrap_or(0)), worth(*f)));
    Ok(kept)
}

/// The positions of those of some facts about a system whose definitions are
/// inlined that do not follow from the definitions, from what is known, or from
/// the others; the last are tried first.
///
/// # Errors
/// If the solver cannot tell.
pub fn beyond(
    system: TransitionSystem,
    known: &[Predicate],
    facts: &[Predicate],
    options: &LearnOptions,
) -> Result<Vec<usize>, Failure> {
    let task = task(system, options);
    let mut session = Consecution::new(&task, Case::Consequence)?;
    let mut terms = task.system.terms.clone();
    let known = imported(&mut terms, known);
    let terms_of = imported(&mut terms, facts);
    let mut kept: Vec<usize> = (0..facts.len()).collect();
    for i in (0..facts.len()).rev() {
        let others = kept.iter().filter(|j| **j != i).map(|j| terms_of[*j]);
        let hypotheses: Vec<TermId> = known.iter().copied().chain(others).collect();
        if let Step::Holds(_) = session.ask(&terms, &hypotheses, &[terms_of[i]])? {
            kept.retain(|j| *j != i);
        }
    }
    Ok(kept)
}

/// Goals at the first step, and at a step after one at which hypotheses hold.
pub struct Claim<'c> {
    /// The system, with its definitions inlined.
    pub system: &'c TransitionSystem,
    /// An arena that has all of it.
    pub terms: &'c Terms,
    /// Known of the step before.
    pub hypotheses: &'c [TermId],
    /// What is to be shown.
    pub goals: &'c [TermId],
}

/// A step at which a goal of a [`Claim`] fails.
pub struct Refutation<'c> {
    counterexample: &'c Counterexample,
    system: &'c TransitionSystem,
    step: usize,
}

impl Refutation<'_> {
    /// The value of a variable of the system there.
    #[must_use]
    pub fn value(&self, var: VarId) -> Value {
        self.counterexample.value(self.step, var, self.system)
    }

    /// The steps up to there, by a system with the same variables: the first step, or one from
    /// some state and the next.
    #[must_use]
    pub fn steps(&self, system: &TransitionSystem) -> Trace {
        let Refutation { counterexample, step, .. } = *self;
        let value = |at: usize, var: VarId| counterexample.value(at, var, self.system);
        let state = |var: VarId| Some(value(0, var));
        Trace::run_from(system, state, step + 1, self.answers().clone(), value)
    }

    /// What functions that are left open give there.
    #[must_use]
    pub fn answers(&self) -> &lustral_system::Answers {
        self.counterexample.answers()
    }
}

/// Asks for refutations of a claim until there are none. To each, `weaken` is
/// given the goals, one of which fails, and says which are left, as terms of the
/// arena that it is given; or that there is nothing to weaken, which ends that
/// case.
///
/// # Errors
/// If a solver cannot tell, or `weaken` fails.
pub fn establish<E: From<Failure>>(
    claim: &Claim<'_>,
    options: &LearnOptions,
    mut weaken: impl FnMut(&mut Terms, &[TermId], &Refutation<'_>) -> Result<Option<Vec<TermId>>, E>,
) -> Result<(), E> {
    let Claim { system, hypotheses, .. } = *claim;
    let mut terms = claim.terms.clone();
    let task = task(system.clone(), options);
    for (case, step) in [(Case::Initiation(0), 0), (Case::Induction(1), 1)] {
        let mut session = Consecution::new(&task, case).map_err(Failure::from)?;
        let mut goals = claim.goals.to_vec();
        while let Step::Fails(counterexample) = session.ask(&terms, hypotheses, &goals)? {
            let refutation = Refutation { counterexample: &counterexample, system, step };
            match weaken(&mut terms, &goals, &refutation)? {
                Some(left) => goals = left,
                None => break,
            }
        }
    }
    Ok(())
}

/// What may hold of the inputs of a node at every step: the strongest facts of
/// the templates that no step seen so far refutes.
pub struct InputFacts(Pool);

impl InputFacts {
    /// All candidates over the inputs of the first instance of a system, without
    /// some of these. Bounds are looked for at the numbers among `constants`.
    #[must_use]
    pub fn new(
        system: &TransitionSystem,
        templates: Templates,
        constants: &[Value],
        but: &FxHashSet<VarId>,
    ) -> InputFacts {
        let mut numbers: Vec<Number> = constants.iter().filter_map(Number::of).collect();
        numbers.sort_unstable();
        numbers.dedup();
        InputFacts(Pool::of_inputs(system, templates, &numbers, but))
    }

    /// Adds facts over the inputs from elsewhere.
    pub fn give(&mut self, facts: &[Predicate]) {
        self.0.give_facts(facts);
    }

    /// The inputs that they are about.
    #[must_use]
    pub fn inputs(&self) -> Vec<VarId> {
        self.0.inputs()
    }

    /// Removes what a step refutes. A step that was really reached may set bounds
    /// of its own (`exact`); others move them to the next constant.
    pub fn absorb(
        &mut self,
        by_zero: &dyn Interpretation,
        value: impl Fn(VarId) -> Value,
        exact: bool,
    ) {
        let row = self.0.row(by_zero, value);
        self.0.absorb(&row, exact);
    }

    /// What is left.
    pub fn facts(&mut self) -> Vec<Predicate> {
        let facts = self.0.facts();
        self.0.predicates(&facts)
    }
}
