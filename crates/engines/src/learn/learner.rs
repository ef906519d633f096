//! What Houdini, Sorcar and H-Houdini share: a pool, sessions for both cases
//! of induction, and native steps.

use std::sync::Arc;

use lustral_simulation::{SampleOptions, Samples};
use lustral_smt::Fault;
use lustral_system::{Origin, Predicate, Proof, PropId, Role, StreamRole};
use lustral_term::{TermId, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::consecution::{Case, Consecution, Counterexample, Step};
use super::limits::LeftOut;
use super::oracle;
use super::pool::Pool;
use super::reading::memories_read;
use super::templates::Templates;
use super::walk::Walk;
use crate::board::{Finding, Found, Lemma};
use crate::failure::{Failure, Misfit};
use crate::task::Task;

/// Steps of random executions that candidates are tried on before any query.
const SAMPLES: usize = 320;
/// The values in all of them.
const SAMPLE_VALUES: usize = 2_000_000;

/// A learner: candidates that are left, and how to find out more about them.
pub(crate) struct Learner<'t> {
    pub task: &'t Task,
    pool: Pool,
    /// How many steps induction looks back.
    pub k: usize,
    /// The first k steps of executions; candidates are yet to be shown at
    /// those from this number on.
    base: Vec<Consecution<'t>>,
    initiated: usize,
    step: Consecution<'t>,
    walk: Walk<'t>,
    /// What is left of the candidates, if no row came since it was listed.
    facts: Option<Arc<[TermId]>>,
    /// Steps that the candidates are yet to be tried on.
    samples: Option<Samples>,
}

impl<'t> Learner<'t> {
    /// A learner that knows nothing; the open properties are candidates.
    pub fn new(task: &'t Task, k: usize) -> Result<Learner<'t>, Fault> {
        Learner::over(task, k, task.options.learn.templates)
    }

    /// A learner that tries what was given by name and nothing else, if there is something: often that is
    /// enough, and then what templates say of a large system need not be looked at.
    pub fn of_given(task: &'t Task) -> Result<Option<Learner<'t>>, Fault> {
        if task.candidates.is_empty() {
            return Ok(None);
        }
        Learner::over(task, 1, Templates::NONE).map(Some)
    }

    fn over(task: &'t Task, k: usize, templates: Templates) -> Result<Learner<'t>, Fault> {
        let samples = samples(task);
        let mut pool = Pool::new(&task.system, templates, &samples);
        for property in task.board.open() {
            pool.give(task.system.property(property).term);
        }
        pool.give_predicates(&task.system, &task.candidates);
        Ok(Learner {
            task,
            pool,
            k,
            base: (0..k)
                .map(|step| Consecution::new(task, Case::Initiation(step)))
                .collect::<Result<_, Fault>>()?,
            initiated: 0,
            step: Consecution::new(task, Case::Induction(k))?,
            walk: Walk::new(&task.system, task.seed()),
            facts: None,
            samples: Some(samples),
        })
    }

    /// The strongest candidates that are left.
    pub fn facts(&mut self) -> Arc<[TermId]> {
        let pool = &mut self.pool;
        self.facts.get_or_insert_with(|| pool.facts().into()).clone()
    }

    /// What the limits on candidates leave out.
    pub fn left_out(&self) -> LeftOut {
        self.pool.left_out()
    }

    /// The open properties that are left as candidates.
    pub fn targets(&self) -> Vec<PropId> {
        let open = self.task.board.open().into_iter();
        open.filter(|p| self.pool.holds(self.term(*p))).collect()
    }

    /// The term of a property.
    pub fn term(&self, property: PropId) -> TermId {
        self.task.system.property(property).term
    }

    /// The arena of the candidates.
    pub fn terms(&self) -> &lustral_term::Terms {
        &self.pool.terms
    }

    /// Facts as predicates that others can read.
    pub fn predicates(&self, facts: &[TermId]) -> Vec<Predicate> {
        self.pool.predicates(facts)
    }

    /// Whether a fact is about the past, besides whether there is one.
    pub fn speaks_of_memories(&self, fact: TermId) -> bool {
        let system = &self.task.system;
        self.pool.terms.variables([fact]).iter().any(|v| {
            let variable = system.variable(*v);
            variable.role == Role::Memory && variable.origin != Origin::First
        })
    }

    /// How much there is to read in a candidate.
    pub fn cost(&self, candidate: TermId) -> usize {
        self.pool.terms.closure([candidate]).len()
    }

    /// How many step cases were asked, and how many terms there were in one
    /// (if somebody listens).
    pub fn queries(&self) -> (usize, usize) {
        (self.step.queries, self.step.terms / self.step.queries.max(1))
    }

    /// Removes what no execution begins with: one query, or a simulation
    /// before the first. False if there is more to do.
    pub fn initiation(&mut self) -> Result<bool, Failure> {
        if let Some(samples) = self.samples.take() {
            self.try_on(&samples);
            return Ok(false);
        }
        // What is weakened later follows from what was shown before.
        let (facts, step) = (self.facts(), self.initiated);
        match self.base[step].ask(&self.pool.terms, &[], &facts)? {
            Step::Holds(_) => self.initiated += 1,
            Step::Fails(counterexample) => self.absorb(&counterexample, step)?,
        }
        Ok(self.initiated == self.k)
    }

    /// Removes what random executions refute, and asks nothing.
    pub fn simulate(&mut self) {
        if let Some(samples) = self.samples.take() {
            self.try_on(&samples);
        }
    }

    /// Removes what fails at a step of a random execution.
    fn try_on(&mut self, samples: &Samples) {
        let system = &self.task.system;
        let by_zero = lustral_system::Answers::default();
        for row in 0..samples.len() {
            let value = |var: VarId| match samples.column(var) {
                Some(column) => column.get(row).value(system.variable(var).sort),
                None => system.plain(var),
            };
            let row = self.pool.row(&by_zero, value);
            self.pool.absorb(&row, true);
        }
        self.facts = None;
    }

    /// Whether hypotheses at a step make all goals hold at the next.
    pub fn consecution(
        &mut self,
        hypotheses: &[TermId],
        goals: &[TermId],
    ) -> Result<Step, Failure> {
        self.step.ask(&self.pool.terms, hypotheses, goals)
    }

    /// Candidates that another solver suggests as an abduct of a target.
    pub fn suggested(&mut self, target: TermId, pool: &[TermId]) -> Option<Vec<TermId>> {
        let question = self.step.question(&self.pool.terms, target, pool);
        let chosen = oracle::abduct(self.task, &question)?;
        Some(chosen.into_iter().map(|i| pool[i]).collect())
    }

    /// Those of some candidates that fail at a step of a counterexample.
    pub fn failing(
        &self,
        counterexample: &Counterexample,
        step: usize,
        candidates: &[TermId],
    ) -> Vec<TermId> {
        let system = &self.task.system;
        let by_zero = counterexample.answers();
        let value = |var| counterexample.value(step, var, system);
        let value = self.pool.with_names(by_zero, value);
        let mut evaluator = lustral_term::Evaluator::new(&self.pool.terms, by_zero);
        let mut fails = |candidate: &&TermId| !evaluator.eval(**candidate, &value).is_true();
        candidates.iter().filter(|c| fails(c)).copied().collect()
    }

    /// Those of some candidates that are about nothing but what the failure of goals at the last
    /// step of a counterexample reads.
    pub fn about_what_fails(
        &self,
        counterexample: &Counterexample,
        goals: &[TermId],
        candidates: &[TermId],
    ) -> Vec<TermId> {
        let (system, terms) = (&self.task.system, &self.pool.terms);
        let failing = self.failing(counterexample, self.k, goals);
        let read = memories_read(system, terms, counterexample, self.k, &failing);
        let is_read = |var: &VarId| {
            let variable = system.variable(*var);
            let is_flag = matches!(variable.origin, Origin::First | Origin::Clock { .. });
            variable.role != Role::Memory || is_flag || read.contains(var)
        };
        let about = |candidate: &&TermId| terms.variables([**candidate]).iter().all(is_read);
        candidates.iter().filter(about).copied().collect()
    }

    /// Removes what a step of a counterexample refutes, and what is refuted
    /// from there on. All candidates that are left must hold at the steps
    /// before it: only then must they hold at this one.
    pub fn absorb(&mut self, counterexample: &Counterexample, step: usize) -> Result<(), Failure> {
        let system = &self.task.system;
        let before = self.facts();
        let value = |var| counterexample.value(step, var, system);
        let row = self.pool.row(counterexample.answers(), value);
        self.pool.absorb(&row, false);
        let pool = &mut self.pool;
        self.walk.from(counterexample.answers(), value, |by_zero, value| {
            let row = pool.row(by_zero, value);
            pool.absorb(&row, false);
        });
        self.facts = None;
        // Every model removes something, or this would not end.
        if self.facts() == before {
            return Err(Misfit::NoCounterexample.into());
        }
        Ok(())
    }

    /// The largest set of candidates that is inductive.
    pub fn fixpoint(&mut self) -> Result<Arc<[TermId]>, Failure> {
        while !self.initiation()? {}
        loop {
            let facts = self.facts();
            match self.consecution(&facts, &facts)? {
                Step::Holds(_) => return Ok(facts),
                Step::Fails(counterexample) => self.absorb(&counterexample, self.k)?,
            }
        }
    }

    /// Facts about what outputs are another name of, the result of a call perhaps, as facts about the
    /// outputs: those are what callers see.
    pub fn by_outputs(&mut self, facts: &[TermId]) -> Vec<TermId> {
        let system = &self.task.system;
        let mut names: FxHashMap<VarId, Vec<VarId>> = FxHashMap::default();
        let streams = system.instances.first().map_or(&[][..], |root| &root.streams);
        for stream in streams.iter().filter(|s| s.role == StreamRole::Output) {
            if let Role::Defined(term) = system.variable(stream.var).role
                && let Some(other) = system.terms.var(term)
                && matches!(system.variable(other).role, Role::Input | Role::Choice)
                && !streams.iter().any(|own| own.var == other)
            {
                names.entry(other).or_default().push(stream.var);
            }
        }
        let most = names.values().map(Vec::len).max().unwrap_or(1);
        let mut found: Vec<TermId> = Vec::with_capacity(facts.len());
        for nth in 0..most {
            let name = |var: VarId| {
                let names = names.get(&var)?;
                names.get(nth).or(names.last()).copied()
            };
            let renamed: Vec<TermId> =
                facts.iter().map(|fact| self.pool.renamed(*fact, &name)).collect();
            found.extend(renamed.into_iter().filter(|fact| !facts.contains(fact) || nth == 0));
        }
        let mut seen = FxHashSet::default();
        found.retain(|fact| seen.insert(*fact));
        found
    }

    /// Something that is said of the steps after the first; nothing if it says nothing.
    pub fn later(
        &mut self,
        state: impl FnOnce(&mut lustral_term::Terms) -> TermId,
    ) -> Option<TermId> {
        self.pool.later(state)
    }

    /// The value of a variable at a step of a counterexample, of a flow that is defined too.
    pub fn value(&self, counterexample: &Counterexample, step: usize, var: VarId) -> Value {
        let system = &self.task.system;
        let by_zero = counterexample.answers();
        let value = |var| counterexample.value(step, var, system);
        match system.variable(var).role {
            Role::Defined(term) => {
                lustral_term::Evaluator::new(&system.terms, by_zero).eval(term, value)
            }
            _ => value(var),
        }
    }

    /// A fact without the flag of the first step, if it holds there as well.
    pub fn unguarded(&mut self, fact: TermId) -> Result<TermId, Failure> {
        // A memory has no meaning at the first step.
        if self.speaks_of_memories(fact) {
            return Ok(fact);
        }
        let Some(bare) = self.pool.unguarded(fact) else { return Ok(fact) };
        match self.base[0].ask(&self.pool.terms, &[], &[bare])? {
            Step::Holds(_) => Ok(bare),
            Step::Fails(_) => Ok(fact),
        }
    }

    /// Settles properties by a set of candidates that is inductive, and posts
    /// the set for others.
    pub fn post(&self, proved: &[PropId], inductive: &[TermId], engine: &'static str) {
        let board = &self.task.board;
        let goals: FxHashSet<TermId> = proved.iter().map(|p| self.term(*p)).collect();
        let facts: Vec<TermId> = inductive.iter().copied().filter(|f| !goals.contains(f)).collect();
        let typing = self.task.system.typing.iter().copied();
        let all: Vec<TermId> = facts.iter().copied().chain(typing).collect();
        let basis: Arc<[Predicate]> = self.pool.predicates(&all).into();
        for property in proved {
            let proof = Proof::Induction {
                k: self.k,
                properties: proved.to_vec(),
                invariants: basis.to_vec(),
                compression: None,
            };
            let found = Found::Proof(proof);
            board.settle(Finding { property: *property, found, engine });
        }
        for predicate in basis.iter().take(facts.len()) {
            board.post_lemma(Lemma {
                predicate: predicate.clone(),
                k: self.k,
                properties: proved.to_vec(),
                invariants: basis.clone(),
                compression: false,
            });
        }
    }
}

/// Different steps of random executions.
fn samples(task: &Task) -> Samples {
    // A large system has fewer samples, so that they take no longer.
    let rows = SAMPLES.min(SAMPLE_VALUES / task.system.terms.len().max(1)).max(8);
    let options = SampleOptions {
        rows,
        seed: task.seed(),
        lanes: 64,
        lengths: vec![8, 60],
        first: 2,
        ..SampleOptions::default()
    };
    Samples::collect(&task.system, &options)
}
