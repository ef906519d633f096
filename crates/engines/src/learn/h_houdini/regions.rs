//! Candidates over few memories at a time.
//!
//! A *region* is a small set of memories with a pool of its own: all candidates of the
//! templates over these memories, and over nothing else, that no sample refutes. So the limits
//! of a pool are limits for each region, and what is needed of the last of a thousand
//! instances does not drown among what could be said of the others. A pool has an arena of its own,
//! so that it is as small as what it says.
//!
//! First come the facts that executions of the region alone do not refute either, in which
//! all else has any value: what is true only because the system gets there late, or never, is no reason to
//! build on, and each time it fails what was built on it would be shown anew.

use std::hash::BuildHasherDefault;

use lustral_simulation::{Column, SampleOptions, Samples};
use lustral_system::{Answers, Origin, Role};
use lustral_term::{
    Interpretation, Operator, Sort, Term, TermId, Terms, Translation, Value, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::super::bounds::Bounded;
use super::super::features::value_atoms;
use super::super::group::Parts;
use super::super::limits::LeftOut;
use super::super::number::Number;
use super::super::pool::Pool;
use super::super::scopes::{ClockScope, clock_scopes};
use super::super::templates::Templates;
use super::near::Near;
use super::part::{Index, Source, View};
use crate::portfolio::Task;

type IndexSet<T> = indexmap::IndexSet<T, BuildHasherDefault<FxHasher>>;

/// The most comparisons of the program in one region.
const MOST_ATOMS: usize = 32;
/// A number with more values in all samples than this holds no mode.
const MOST_VALUES: usize = 4;

/// How much is said of a region: little first, because what is little is often enough.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Stage {
    /// What was given by name.
    Given,
    /// Constants, bounds, implications and affine equations that hold in executions of the region alone, too.
    Nearby,
    /// Constants, bounds, implications and affine equations.
    Lines,
    /// All that the templates have.
    All,
}

impl Stage {
    pub const FEW: [Stage; 2] = [Stage::Given, Stage::Nearby];
    pub const EACH: [Stage; 4] = [Stage::Given, Stage::Nearby, Stage::Lines, Stage::All];

    fn templates(self, all: Templates) -> Templates {
        match self {
            Stage::All => all,
            _ => all.lines(),
        }
    }
}

/// All regions so far.
pub(super) struct Regions<'t> {
    task: &'t Task,
    /// The arena of all candidates.
    pub terms: Terms,
    near: Near,
    about: Index,
    samples: Samples,
    first: Option<VarId>,
    /// The clock scopes, and by flag which it is.
    scopes: Vec<ClockScope>,
    by_flag: FxHashMap<VarId, usize>,
    /// By memory: its next value.
    next: FxHashMap<VarId, TermId>,
    list: Vec<Region>,
    index: FxHashMap<(Stage, Vec<VarId>), usize>,
    /// By candidate: the regions that state it.
    stated: FxHashMap<TermId, Vec<usize>>,
    /// By memory: candidates that were given, with all memories that they are about.
    given: FxHashMap<VarId, Vec<(TermId, Vec<VarId>)>>,
}

struct Region {
    pool: Pool,
    /// From the pool's arena to that of all candidates.
    translation: Translation,
    facts: IndexSet<TermId>,
}

impl<'t> Regions<'t> {
    pub fn new(task: &'t Task) -> Regions<'t> {
        let system = &task.system;
        let is_first = |v: &VarId| system.variable(*v).origin == Origin::First;
        let scopes = clock_scopes(system);
        let first = system.memories.iter().map(|m| m.var).find(is_first);
        let near = Near::new(system, first);
        let mut this = Regions {
            task,
            terms: system.terms.clone(),
            about: Index::new(system, &near),
            near,
            samples: Samples::collect(system, &options(task)),
            first,
            by_flag: scopes.iter().enumerate().map(|(i, s)| (s.fresh, i)).collect(),
            scopes,
            next: system.memories.iter().map(|m| (m.var, m.next)).collect(),
            list: Vec::new(),
            index: FxHashMap::default(),
            stated: FxHashMap::default(),
            given: FxHashMap::default(),
        };
        for predicate in task.candidates.iter() {
            let mut translation = Translation::new();
            let variable = |terms: &mut Terms, var, sort| terms.variable(var, sort);
            let term =
                translation.apply(&predicate.terms, &mut this.terms, predicate.term, variable);
            let memories = this.memories_of(term);
            if let Some(memory) = memories.first() {
                this.given.entry(*memory).or_default().push((term, memories));
            }
        }
        this
    }

    /// What parts of the system are made of.
    pub fn source(&mut self) -> Source<'_> {
        self.near.extend(&self.task.system, &self.terms);
        Source {
            system: &self.task.system,
            terms: &self.terms,
            near: &self.near,
            index: &self.about,
        }
    }

    /// The flag of the first step.
    pub fn first(&self) -> Option<VarId> {
        self.first
    }

    /// The memories that a term is about, also by the flows that it names; not the flag of
    /// the first step, which is everywhere.
    pub fn memories_of(&self, term: TermId) -> Vec<VarId> {
        let system = &self.task.system;
        let mut found: Vec<VarId> = Vec::new();
        for var in self.terms.variables([term]) {
            match system.variable(var).role {
                Role::Memory => found.push(var),
                Role::Defined(definition) => found.extend(
                    (system.terms.variables([definition]).into_iter())
                        .filter(|v| system.variable(*v).role == Role::Memory),
                ),
                Role::Input | Role::Choice => {}
            }
        }
        found.retain(|var| Some(*var) != self.first);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The candidates over some memories, in their order.
    pub fn facts(&mut self, stage: Stage, memories: &[VarId]) -> Vec<TermId> {
        if stage == Stage::Given {
            let inside = |list: &[VarId]| list.iter().all(|v| memories.contains(v));
            let about = memories.iter().filter_map(|memory| self.given.get(memory)).flatten();
            return about.filter(|(_, list)| inside(list)).map(|(term, _)| *term).collect();
        }
        let key = (stage, memories.to_vec());
        let at = match self.index.get(&key) {
            Some(at) => *at,
            None => {
                let region = self.make(stage, memories);
                let at = self.list.len();
                region.facts.iter().for_each(|f| self.stated.entry(*f).or_default().push(at));
                self.list.push(region);
                self.index.insert(key, at);
                at
            }
        };
        self.list[at].facts.iter().copied().collect()
    }

    /// A region before any counterexample: what is said of its memories after the first step,
    /// and of those of clock scopes after theirs.
    fn make(&mut self, stage: Stage, memories: &[VarId]) -> Region {
        let templates = stage.templates(self.task.options.learn.templates);
        let mut terms = Terms::new();
        let first = self.first.map(|var| terms.variable(var, Sort::Bool));
        let flag = self.first;
        let (parts, constants) = self.parts(&mut terms, templates, flag.as_slice(), memories);
        let mut groups = vec![(first, parts)];
        for at in self.scopes_in(memories) {
            let ClockScope { fresh, own, near, flags } = &self.scopes[at];
            let inside = own.iter().chain(near).filter(|v| memories.contains(v)).copied();
            let (inside, fresh): (Vec<VarId>, VarId) = (inside.collect(), *fresh);
            let flags: Vec<VarId> = flags.iter().copied().chain(self.first).collect();
            let (parts, _) = self.parts(&mut terms, templates, &flags, &inside);
            groups.push((Some(terms.variable(fresh, Sort::Bool)), parts));
        }
        let mut pool = Pool::over(terms, first, &constants);
        for (unless, parts) in groups {
            pool.add(templates, unless, parts);
        }
        let by_zero = Answers::default();
        for row in 0..self.samples.len() {
            let row = pool.row(&by_zero, |var| sample(self.task, &self.samples, row, var));
            pool.absorb(&row, true);
        }
        if stage == Stage::Nearby {
            self.run_alone(memories, &mut pool);
        }
        let mut region =
            Region { pool, translation: Translation::new(), facts: IndexSet::default() };
        region.facts = region.left(&mut self.terms).into_iter().collect();
        region
    }

    /// Tries candidates on executions in which some memories take steps and all else has any value, so
    /// that a cell that the system reaches late is seen at work.
    fn run_alone(&mut self, memories: &[VarId], pool: &mut Pool) {
        let task = self.task;
        let members = memories.iter().copied().chain(self.first).collect();
        let (part, view) = View::new(task, self.source(), members, &[], false);
        let here: FxHashMap<VarId, VarId> = (memories.iter().chain(&self.first))
            .filter_map(|var| Some((*var, view.here(*var)?)))
            .collect();
        let samples = Samples::collect(&part.system, &options(task));
        let by_zero = Answers::default();
        for row in 0..samples.len() {
            let row = pool.row(&by_zero, |var| sample(&part, &samples, row, here[&var]));
            pool.absorb(&row, true);
        }
    }

    /// The scopes of which a region has a memory, and the flag.
    fn scopes_in(&self, memories: &[VarId]) -> Vec<usize> {
        let fresh = memories.iter().filter_map(|memory| self.by_flag.get(memory).copied());
        let has_own = |at: &usize| self.scopes[*at].own.iter().any(|v| memories.contains(v));
        fresh.filter(has_own).collect()
    }

    /// What is said of some memories where some flags are false; and the numbers in what becomes
    /// of them.
    fn parts(
        &self,
        terms: &mut Terms,
        templates: Templates,
        flags: &[VarId],
        memories: &[VarId],
    ) -> (Parts, Vec<Number>) {
        let (mut booleans, mut numbers) = (Vec::new(), Vec::new());
        let (mut guards, mut choices) = (Vec::new(), Vec::new());
        for var in memories.iter().filter(|var| !flags.contains(var)) {
            let sort = self.task.system.variable(*var).sort;
            let term = terms.variable(*var, sort);
            match sort {
                Sort::Bool => booleans.push(term),
                Sort::Int | Sort::Real => {
                    numbers.push(Bounded { term, sort });
                    guards.extend(self.values(terms, *var, term, sort));
                }
                Sort::Enum(_) => {
                    choices.push(term);
                    guards.extend(value_atoms(terms, term));
                }
                _ => {}
            }
        }
        guards.extend(&booleans);
        let (atoms, constants) = self.comparisons(terms, flags, memories);
        booleans.extend(guards.iter().chain(if templates.atoms { &atoms[..] } else { &[] }));
        let mut seen = FxHashSet::default();
        booleans.retain(|term| seen.insert(*term));
        let left_out = LeftOut::default();
        (Parts { booleans, guards, numbers, choices, left_out }, constants)
    }

    /// That a number has one of its values, where few were seen.
    fn values(&self, terms: &mut Terms, var: VarId, term: TermId, sort: Sort) -> Vec<TermId> {
        let Some(column @ Column::Int(_)) = self.samples.column(var) else { return Vec::new() };
        let mut seen: Vec<Value> = Vec::new();
        for row in 0..self.samples.len() {
            let value = column.get(row).value(sort);
            if !seen.contains(&value) {
                seen.push(value);
            }
            if seen.len() > MOST_VALUES {
                return Vec::new();
            }
        }
        seen.sort_unstable();
        let values: Vec<TermId> = seen.into_iter().map(|value| terms.constant(value)).collect();
        values.into_iter().map(|value| terms.eq(term, value)).collect()
    }

    /// The comparisons that the program makes between some memories, and the numbers in
    /// what becomes of these.
    fn comparisons(
        &self,
        terms: &mut Terms,
        flags: &[VarId],
        memories: &[VarId],
    ) -> (Vec<TermId>, Vec<Number>) {
        let (mut atoms, mut constants) = (Vec::new(), Vec::new());
        let mut later = Translation::new();
        let only =
            |terms: &Terms, term| terms.variables([term]).iter().all(|v| memories.contains(v));
        for term in self.closure(memories) {
            let is_atom = match self.terms.get(term) {
                Term::Value(value) => {
                    constants.extend(Number::of(value));
                    false
                }
                Term::Apply(Operator::Eq, [a, _]) => self.terms.sort(*a) != Sort::Bool,
                Term::Apply(Operator::Le, _) => true,
                _ => false,
            };
            let is_near =
                || self.near.all(term).is_some_and(|mut all| all.all(|v| memories.contains(&v)));
            if !is_atom || atoms.len() == MOST_ATOMS || !is_near() {
                continue;
            }
            let atom = later.apply(&self.terms, terms, term, |terms, var, sort| {
                if flags.contains(&var) { Terms::FALSE } else { terms.variable(var, sort) }
            });
            if matches!(terms.get(atom), Term::Apply(..)) && only(terms, atom) {
                atoms.push(atom);
            }
        }
        constants.sort_unstable();
        constants.dedup();
        (atoms, constants)
    }

    /// The terms that make the next values of some memories, as far as they are about these.
    fn closure(&self, memories: &[VarId]) -> Vec<TermId> {
        let nexts = memories.iter().filter_map(|memory| self.next.get(memory));
        let mut pending: Vec<TermId> = nexts.copied().collect();
        let mut seen: FxHashSet<TermId> = pending.iter().copied().collect();
        while let Some(term) = pending.pop() {
            let near = self.near.of(term);
            if near.is_empty() || near.iter().any(|(_, var)| memories.contains(var)) {
                let below = self.terms.operands(term).iter().copied();
                pending.extend(below.filter(|term| seen.insert(*term)));
            }
        }
        let mut found: Vec<TermId> = seen.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// What is left of the regions that state a candidate, after a step at which it fails:
    /// what is weaker is stated beside what they state. The step is known only in part, and
    /// elsewhere as a sample has it, so that nothing else is taken away by it.
    pub fn weaken(
        &mut self,
        candidate: TermId,
        by_zero: &dyn Interpretation,
        value: impl Fn(VarId) -> Option<Value>,
    ) {
        let Some(regions) = self.stated.get(&candidate).cloned() else { return };
        let (task, samples) = (self.task, &self.samples);
        let value = |var| value(var).unwrap_or_else(|| sample(task, samples, 0, var));
        for at in regions {
            let region = &mut self.list[at];
            let row = region.pool.row(by_zero, value);
            region.pool.absorb(&row, false);
            for fact in region.left(&mut self.terms) {
                if region.facts.insert(fact) {
                    self.stated.entry(fact).or_default().push(at);
                }
            }
            region.facts.shift_remove(&candidate);
        }
    }
}

impl Region {
    /// What its pool states, in the arena of all candidates.
    fn left(&mut self, terms: &mut Terms) -> Vec<TermId> {
        let facts = self.pool.facts();
        let mut state = |fact| {
            let same = |terms: &mut Terms, var, sort| terms.variable(var, sort);
            self.translation.apply(&self.pool.terms, terms, fact, same)
        };
        facts.into_iter().map(&mut state).collect()
    }
}

/// Steps of a few executions, from far into them too: in a system of many parts each step says
/// something of all of them.
fn options(task: &Task) -> SampleOptions {
    SampleOptions {
        rows: 320,
        seed: task.seed(),
        lanes: 16,
        lengths: vec![8, 60],
        first: 2,
        ..SampleOptions::default()
    }
}

/// The value of a variable in a sample.
fn sample(task: &Task, samples: &Samples, row: usize, var: VarId) -> Value {
    match samples.column(var) {
        Some(column) if row < samples.len() => {
            column.get(row).value(task.system.variable(var).sort)
        }
        _ => task.system.plain(var),
    }
}
