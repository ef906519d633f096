//! Candidates over few memories at a time.
//!
//! A *region* is a small set of memories with a pool of its own: all candidates of the
//! templates over these memories, and over nothing else, that no sample refutes. So the limits
//! of a pool are limits for each region, and what is needed of the last of a thousand
//! instances does not drown among what could be said of the others.

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
use super::super::number::Number;
use super::super::pool::Pool;
use super::super::scopes::{ClockScope, clock_scopes};
use super::super::templates::Templates;
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
    /// Constants, bounds, implications and affine equations.
    Lines,
    /// All that the templates have.
    All,
}

impl Stage {
    pub const EACH: [Stage; 3] = [Stage::Given, Stage::Lines, Stage::All];

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
    samples: Samples,
    first: Option<VarId>,
    /// The clock scopes, and by flag which it is.
    scopes: Vec<ClockScope>,
    by_flag: FxHashMap<VarId, usize>,
    /// From the system's arena, for steps after the first.
    later: Translation,
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
    /// Its arena is lent to it while something is done with it.
    pool: Pool,
    facts: IndexSet<TermId>,
}

impl<'t> Regions<'t> {
    pub fn new(task: &'t Task) -> Regions<'t> {
        let system = &task.system;
        let is_first = |v: &VarId| system.variable(*v).origin == Origin::First;
        let scopes = clock_scopes(system);
        let mut this = Regions {
            task,
            terms: system.terms.clone(),
            samples: samples(task),
            first: system.memories.iter().map(|m| m.var).find(is_first),
            by_flag: scopes.iter().enumerate().map(|(i, s)| (s.fresh, i)).collect(),
            scopes,
            later: Translation::new(),
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
        let first = self.first.map(|var| self.terms.variable(var, Sort::Bool));
        let flag = self.first;
        let (parts, constants) = self.parts(templates, flag.as_slice(), memories);
        let mut groups = vec![(first, parts)];
        for at in self.scopes_in(memories) {
            let ClockScope { fresh, own, near, flags } = &self.scopes[at];
            let inside = own.iter().chain(near).filter(|v| memories.contains(v)).copied();
            let (inside, fresh): (Vec<VarId>, VarId) = (inside.collect(), *fresh);
            let flags: Vec<VarId> = flags.iter().copied().chain(self.first).collect();
            let (parts, _) = self.parts(templates, &flags, &inside);
            groups.push((Some(self.terms.variable(fresh, Sort::Bool)), parts));
        }
        let terms = std::mem::replace(&mut self.terms, Terms::new());
        let mut pool = Pool::over(terms, first, &constants);
        for (unless, parts) in groups {
            pool.add(templates, unless, parts);
        }
        let by_zero = Answers::default();
        for row in 0..self.samples.len() {
            let row = pool.row(&by_zero, |var| sample(self.task, &self.samples, row, var));
            pool.absorb(&row, true);
        }
        let facts = pool.facts().into_iter().collect();
        self.terms = std::mem::replace(&mut pool.terms, Terms::new());
        Region { pool, facts }
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
        &mut self,
        templates: Templates,
        flags: &[VarId],
        memories: &[VarId],
    ) -> (Parts, Vec<Number>) {
        let (mut booleans, mut numbers) = (Vec::new(), Vec::new());
        let (mut guards, mut choices) = (Vec::new(), Vec::new());
        for var in memories.iter().filter(|var| !flags.contains(var)) {
            let sort = self.task.system.variable(*var).sort;
            let term = self.terms.variable(*var, sort);
            match sort {
                Sort::Bool => booleans.push(term),
                Sort::Int | Sort::Real => {
                    numbers.push(Bounded { term, sort });
                    guards.extend(self.values(*var, term, sort));
                }
                Sort::Enum(_) => {
                    choices.push(term);
                    guards.extend(value_atoms(&mut self.terms, term));
                }
                _ => {}
            }
        }
        guards.extend(&booleans);
        let (atoms, constants) = self.comparisons(flags, memories);
        booleans.extend(guards.iter().chain(if templates.atoms { &atoms[..] } else { &[] }));
        let mut seen = FxHashSet::default();
        booleans.retain(|term| seen.insert(*term));
        (Parts { booleans, guards, numbers, choices }, constants)
    }

    /// That a number has one of its values, where few were seen.
    fn values(&mut self, var: VarId, term: TermId, sort: Sort) -> Vec<TermId> {
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
        let terms = &mut self.terms;
        seen.sort_unstable();
        let values: Vec<TermId> = seen.into_iter().map(|value| terms.constant(value)).collect();
        values.into_iter().map(|value| terms.eq(term, value)).collect()
    }

    /// The comparisons that the program makes between some memories, and the numbers in
    /// what becomes of these.
    fn comparisons(&mut self, flags: &[VarId], memories: &[VarId]) -> (Vec<TermId>, Vec<Number>) {
        let Regions { task, terms, later, next, first, .. } = self;
        let mut of_scope = Translation::new();
        let later = if flags == first.as_slice() { later } else { &mut of_scope };
        let nexts = memories.iter().filter_map(|memory| next.get(memory));
        let roots: Vec<TermId> = nexts
            .map(|term| {
                later.apply(&task.system.terms, terms, *term, |terms, var, sort| {
                    if flags.contains(&var) { Terms::FALSE } else { terms.variable(var, sort) }
                })
            })
            .collect();
        let (mut atoms, mut constants) = (Vec::new(), Vec::new());
        for term in terms.closure(roots) {
            let is_atom = match terms.get(term) {
                Term::Value(value) => {
                    constants.extend(Number::of(value));
                    false
                }
                Term::Apply(Operator::Eq, [a, _]) => terms.sort(*a) != Sort::Bool,
                Term::Apply(Operator::Le, _) => true,
                _ => false,
            };
            let inside = |term| terms.variables([term]).iter().all(|v| memories.contains(v));
            if is_atom && atoms.len() < MOST_ATOMS && inside(term) {
                atoms.push(term);
            }
        }
        constants.sort_unstable();
        constants.dedup();
        (atoms, constants)
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
            let Region { pool, facts } = &mut self.list[at];
            pool.terms = std::mem::replace(&mut self.terms, Terms::new());
            let row = pool.row(by_zero, value);
            pool.absorb(&row, false);
            for fact in pool.facts() {
                if facts.insert(fact) {
                    self.stated.entry(fact).or_default().push(at);
                }
            }
            facts.shift_remove(&candidate);
            self.terms = std::mem::replace(&mut pool.terms, Terms::new());
        }
    }
}

/// Steps of a few executions, from far into them too: in a system of many parts each step says
/// something of all of them.
fn samples(task: &Task) -> Samples {
    let options = SampleOptions {
        rows: 320,
        seed: task.seed(),
        lanes: 16,
        lengths: vec![8, 60],
        first: 2,
        ..SampleOptions::default()
    };
    Samples::collect(&task.system, &options)
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
