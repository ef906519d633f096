//! Bounds of integer memories, and values that memories of enumerations never
//! have, by abstract interpretation with intervals. A value of an enumeration
//! is its position here: the interval is a set of values, and said as such.
//! A fixpoint with widening and narrowing.
//!
//! From the initial values, the intervals of all memories are widened until
//! the next-state functions lead out of none of them: first step by step, then
//! from one constant of the program to the next, then without end. Twice after
//! that they are narrowed to what the functions give.
//!
//! What is found holds initially and is inductive where the constraints hold,
//! each memory's bounds with those of the memories that it depends on. So it
//! joins the typing facts, which every proof that uses them repeats: nothing
//! here is trusted.

mod components;
mod evaluate;
mod interval;

use std::collections::BTreeSet;

use lustral_system::{Role, TransitionSystem};
use lustral_term::{Sort, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;

use components::Components;
use evaluate::{Evaluation, Facts, integer};
use interval::Interval;

/// Rounds before bounds move to constants of the program, and before they are
/// given up.
const EXACT: usize = 3;
const TO_CONSTANTS: usize = 16;
/// Rounds in all: what has not settled by then is left alone.
const MOST_WIDENINGS: usize = 60;
/// Evaluations of terms in all, some milliseconds of work; the same then.
const MOST_WORK: usize = 80_000;
/// The same for large systems, by their size.
const MOST_WORK_PER_TERM: usize = 12;
/// Rounds of narrowing.
const NARROWING: usize = 2;

/// Adds the bounds of memories to the typing facts; says how many.
pub(super) fn add(system: &mut TransitionSystem) -> usize {
    // Truth values are cheap to guess; without others there is nothing to find.
    let has_interval = |m: &lustral_system::Memory| {
        matches!(system.variable(m.var).sort, Sort::Int | Sort::Enum(_))
    };
    if !system.memories.iter().any(has_interval) {
        return 0;
    }
    let found = solve(system);
    let before = system.typing.len();
    let mut known: FxHashSet<TermId> = system.typing.iter().copied().collect();
    for (memory, interval) in system.memories.clone().iter().zip(found) {
        let sort = system.variable(memory.var).sort;
        let var = system.terms.variable(memory.var, sort);
        let fact = fact(&mut system.terms, var, sort, interval);
        if fact != Terms::TRUE && known.insert(fact) {
            system.typing.push(fact);
        }
    }
    system.typing.len() - before
}

/// What an interval says of a memory.
fn fact(terms: &mut Terms, var: TermId, sort: Sort, interval: Interval) -> TermId {
    match (sort, interval) {
        (Sort::Bool, Interval::TRUE) => var,
        (Sort::Bool, Interval::FALSE) => terms.not(var),
        (Sort::Int, _) => {
            let mut parts = Vec::new();
            if interval.low != i64::MIN {
                let low = terms.int(interval.low);
                parts.push(terms.le(low, var));
            }
            if interval.high != i64::MAX {
                let high = terms.int(interval.high);
                parts.push(terms.le(var, high));
            }
            terms.and(parts)
        }
        (Sort::Enum(e), _) => {
            let never = (0..e.size).filter(|i| !interval.contains(Interval::number((*i).into())));
            let never: Vec<TermId> = never
                .map(|i| {
                    let value = terms.constant(Value::Enum(e, i));
                    terms.eq(var, value)
                })
                .collect();
            let some = terms.or(never);
            terms.not(some)
        }
        _ => Terms::TRUE,
    }
}

/// The intervals of the memories, in their order.
///
/// Memories are looked at in groups that depend on each other, each after those that it
/// depends on: so a chain of n memories takes n steps and not n rounds over all of them.
fn solve(system: &TransitionSystem) -> Vec<Interval> {
    let components = Components::new(system);
    let mut solver = Solver::new(system);
    solver.settle(&components.constrained);
    solver.learn_constraints();
    for group in &components.others {
        solver.settle(group);
    }
    solver.memories
}

/// The intervals while they are looked for.
struct Solver<'s> {
    system: &'s TransitionSystem,
    constants: BTreeSet<i64>,
    initial: Vec<Interval>,
    /// Those of the memories: the initial ones before their group has settled.
    memories: Vec<Interval>,
    /// By variable, the same for the memories.
    variables: Vec<Interval>,
    /// What the constraints say, once all that they depend on is known.
    facts: Option<Facts>,
    /// The next values of the memories that have settled: what is computed from such a term
    /// in the same step need not look into it.
    settled: Facts,
    work: usize,
    most_work: usize,
}

impl<'s> Solver<'s> {
    fn new(system: &'s TransitionSystem) -> Solver<'s> {
        let initial: Vec<Interval> = system.memories.iter().map(|m| exactly(&m.initial)).collect();
        let mut solver = Solver {
            system,
            constants: constants(system),
            memories: initial.clone(),
            initial,
            variables: system.variables.iter().map(range).collect(),
            facts: None,
            settled: Facts::default(),
            work: 0,
            most_work: MOST_WORK.max(MOST_WORK_PER_TERM * system.terms.len()),
        };
        for i in 0..solver.memories.len() {
            solver.set(i, solver.memories[i]);
        }
        solver
    }

    fn set(&mut self, memory: usize, interval: Interval) {
        self.memories[memory] = interval;
        self.variables[self.system.memories[memory].var.index()] = interval;
    }

    fn evaluation(&self) -> Evaluation<'_> {
        match &self.facts {
            Some(facts) => {
                Evaluation::knowing(self.system, &self.variables, &self.settled, facts.clone())
            }
            None => Evaluation::new(self.system, &self.variables, &self.settled),
        }
    }

    fn learn_constraints(&mut self) {
        self.facts = Some(self.evaluation().into_facts());
    }

    /// The intervals of some memories at the next step.
    fn image(&mut self, group: &[usize]) -> Vec<Interval> {
        let mut evaluation = self.evaluation();
        let next = group.iter().map(|i| evaluation.value(self.system.memories[*i].next)).collect();
        let work = evaluation.work();
        self.work += work;
        next
    }

    /// Finds the intervals of a group: those that it depends on are known.
    fn settle(&mut self, group: &[usize]) {
        if !group.is_empty() {
            self.settle_group(group);
        }
        // No next value leads out of them.
        for i in group {
            self.settled.insert(self.system.memories[*i].next, self.memories[*i]);
        }
    }

    fn settle_group(&mut self, group: &[usize]) {
        if !self.widen(group) {
            for i in group {
                let sort = self.system.variable(self.system.memories[*i].var).sort;
                self.set(*i, evaluate::whole(sort));
            }
            return;
        }
        for _ in 0..NARROWING {
            let before: Vec<Interval> = group.iter().map(|i| self.memories[*i]).collect();
            let next = self.image(group);
            let pairs = group.iter().zip(next);
            let narrower: Vec<Interval> = pairs.map(|(i, n)| n.join(self.initial[*i])).collect();
            let assign = |this: &mut Self, values: &[Interval]| {
                group.iter().zip(values).for_each(|(i, value)| this.set(*i, *value));
            };
            assign(self, &narrower);
            // Contexts that the budget leaves out may make it no fixpoint.
            let next = self.image(group);
            let stays = next.iter().zip(&narrower).all(|(n, o)| o.contains(*n));
            if narrower == before || !stays {
                assign(self, &before);
                break;
            }
        }
    }

    /// Widens the intervals of a group until the next-state functions lead out of none
    /// of them. False if that takes too long.
    fn widen(&mut self, group: &[usize]) -> bool {
        for round in 1.. {
            let next = self.image(group);
            let pairs = group.iter().zip(next);
            let wider: Vec<(usize, Interval)> =
                pairs.map(|(i, n)| (*i, self.memories[*i].join(n))).collect();
            if wider.iter().all(|(i, new)| *new == self.memories[*i]) {
                return true;
            }
            if round > MOST_WIDENINGS || self.work > self.most_work {
                return false;
            }
            for (i, new) in wider {
                let old = self.memories[i];
                let wide = match self.system.variable(self.system.memories[i].var).sort {
                    // These are few, so that there is no need to guess.
                    Sort::Enum(_) if round <= TO_CONSTANTS || new == old => new,
                    sort @ Sort::Enum(_) => evaluate::whole(sort),
                    _ => widen(old, new, &self.constants, round),
                };
                self.set(i, wide);
            }
        }
        true
    }
}

/// The values that a variable can have by its type.
fn range(variable: &lustral_system::Variable) -> Interval {
    match (&variable.range, variable.sort) {
        (_, Sort::Bool) => Interval::BOOL,
        (Some(range), _) => Interval {
            low: range.low.as_ref().and_then(BigInt::to_i64).unwrap_or(i64::MIN),
            high: range.high.as_ref().and_then(BigInt::to_i64).unwrap_or(i64::MAX),
        },
        (None, sort) => evaluate::whole(sort),
    }
}

/// The interval of one value; that of a real is not looked at.
fn exactly(value: &Value) -> Interval {
    match value {
        Value::Bool(b) => Interval::bool(*b),
        _ => integer(value).map_or(Interval::ALL, Interval::number),
    }
}

/// Where a bound has moved, moves it further.
fn widen(old: Interval, new: Interval, constants: &BTreeSet<i64>, round: usize) -> Interval {
    if round <= EXACT || new == old || Interval::BOOL.contains(new) {
        return new;
    }
    let near = round <= TO_CONSTANTS;
    let below = constants.range(..=new.low).next_back().filter(|_| near);
    let above = constants.range(new.high..).next().filter(|_| near);
    Interval {
        low: if new.low < old.low { below.copied().unwrap_or(i64::MIN) } else { old.low },
        high: if new.high > old.high { above.copied().unwrap_or(i64::MAX) } else { old.high },
    }
}

/// The integers in a program, with their neighbours, which strict comparisons
/// are about.
fn constants(system: &TransitionSystem) -> BTreeSet<i64> {
    let terms = &system.terms;
    let roots = system.roots().chain(system.variables.iter().filter_map(|v| match v.role {
        Role::Defined(term) => Some(term),
        _ => None,
    }));
    let numbers = terms.closure(roots).into_iter().filter(|t| terms.sort(*t) == Sort::Int);
    let values = numbers.filter_map(|t| integer(terms.value(t)?));
    values.flat_map(|n| [n.saturating_sub(1), n, n.saturating_add(1)]).collect()
}

#[cfg(test)]
mod tests;
