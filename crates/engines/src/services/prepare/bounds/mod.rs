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

mod evaluate;
mod interval;

use std::collections::BTreeSet;

use lustral_system::{Role, TransitionSystem};
use lustral_term::{Sort, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;

use evaluate::{Evaluation, integer};
use interval::Interval;

/// Rounds before bounds move to constants of the program, and before they are
/// given up.
const EXACT: usize = 3;
const TO_CONSTANTS: usize = 16;
/// Rounds in all: what has not settled by then is left alone.
const MOST_WIDENINGS: usize = 60;
/// Evaluations of terms in all, some milliseconds of work; the same then.
const MOST_WORK: usize = 80_000;
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
    let Some(found) = solve(system) else { return 0 };
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
fn solve(system: &TransitionSystem) -> Option<Vec<Interval>> {
    let constants = constants(system);
    let initial: Vec<Interval> = system.memories.iter().map(|m| exactly(&m.initial)).collect();
    let mut now = initial.clone();
    let (mut rounds, mut work) = (0, 0);
    loop {
        let next = image(system, &now, &mut work);
        let wider: Vec<Interval> = now.iter().zip(&next).map(|(a, b)| a.join(*b)).collect();
        if wider == now {
            break;
        }
        rounds += 1;
        if rounds > MOST_WIDENINGS || work > MOST_WORK {
            return None;
        }
        let wider = wider.into_iter().zip(&system.memories);
        let pairs = now.iter().zip(wider);
        now = pairs
            .map(|(old, (new, memory))| match system.variable(memory.var).sort {
                // These are few, so that there is no need to guess.
                Sort::Enum(_) if rounds <= TO_CONSTANTS || new == *old => new,
                sort @ Sort::Enum(_) => evaluate::whole(sort),
                _ => widen(*old, new, &constants, rounds),
            })
            .collect();
    }
    for _ in 0..NARROWING {
        let pairs = image(system, &now, &mut work).into_iter().zip(&initial);
        let narrower: Vec<Interval> = pairs.map(|(next, first)| next.join(*first)).collect();
        // Contexts that the budget leaves out may make it no fixpoint.
        let next = image(system, &narrower, &mut work);
        let stays = next.iter().zip(&narrower).all(|(n, o)| o.contains(*n));
        if narrower == now || !stays {
            break;
        }
        now = narrower;
    }
    Some(now)
}

/// The intervals at the next step.
fn image(system: &TransitionSystem, memories: &[Interval], work: &mut usize) -> Vec<Interval> {
    let range = |v: &lustral_system::Variable| match (&v.range, v.sort) {
        (_, Sort::Bool) => Interval::BOOL,
        (Some(range), _) => Interval {
            low: range.low.as_ref().and_then(BigInt::to_i64).unwrap_or(i64::MIN),
            high: range.high.as_ref().and_then(BigInt::to_i64).unwrap_or(i64::MAX),
        },
        (None, sort) => evaluate::whole(sort),
    };
    let mut variables: Vec<Interval> = system.variables.iter().map(range).collect();
    for (memory, interval) in system.memories.iter().zip(memories) {
        variables[memory.var.index()] = *interval;
    }
    let mut evaluation = Evaluation::new(system, &variables);
    let next = system.memories.iter().map(|m| evaluation.value(m.next)).collect();
    *work += evaluation.work();
    next
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
