//! Houdini as it is told: every candidate is listed, and what fails in a model is removed, until nothing
//! fails. The pool never lists them; that it comes to the same, and sooner, is judged here.

use std::time::{Duration, Instant};

use lustral_base::Random;
use lustral_system::Inlined;
use lustral_term::{Evaluator, Sort, TermId, Terms, Value, VarId, ZeroMeaning};

use super::consecution::{Case, Consecution, Counterexample, Step};
use super::learner::Learner;
use super::templates::Templates;
use super::tests::{Builder, random_formula};
use crate::portfolio::Task;

/// Booleans and counters: a counter goes up to its limit when a formula over the booleans says so.
fn random_system(booleans: usize, counters: usize, random: &mut Random) -> Builder {
    let mut builder = Builder::default();
    let memories: Vec<TermId> =
        (0..booleans).map(|_| builder.memory(random.below(2) == 0)).collect();
    let numbers: Vec<TermId> = (0..counters).map(|_| builder.memory(0)).collect();
    let input = builder.input(Sort::Bool);
    let leaves: Vec<TermId> = memories.iter().copied().chain([input]).collect();
    for memory in &memories {
        let next = random_formula(&mut builder, &leaves, random);
        builder.next(*memory, next);
    }
    for number in numbers {
        let up = random_formula(&mut builder, &leaves, random);
        let terms = &mut builder.system.terms;
        let (one, limit) = (terms.int(1), terms.int(2));
        let more = terms.add(&[number, one]);
        let below = terms.lt(number, limit);
        let moves = terms.and([up, below]);
        let next = terms.ite(moves, more, number);
        builder.next(number, next);
    }
    builder
}

/// All candidates of the templates, one by one: clauses of two literals, and bounds by the constants of
/// the program and zero.
fn listed(system: &Inlined, terms: &mut Terms) -> Vec<TermId> {
    let memory = |m: &lustral_system::Memory| (m.var, system.variable(m.var).sort);
    let memories: Vec<(VarId, Sort)> = system.memories.iter().map(memory).collect();
    let (mut literals, mut list) = (Vec::new(), Vec::new());
    for (var, sort) in memories {
        let term = terms.variable(var, sort);
        if sort == Sort::Bool {
            literals.extend([term, terms.not(term)]);
            continue;
        }
        for bound in [0, 1, 2] {
            let bound = terms.int(bound);
            list.extend([terms.le(term, bound), terms.le(bound, term)]);
        }
    }
    for (at, a) in literals.iter().enumerate() {
        for b in &literals[at..] {
            list.push(terms.or([*a, *b]));
        }
    }
    list.sort_unstable();
    list.dedup();
    list.retain(|candidate| *candidate != Terms::TRUE);
    list
}

/// What is left of a list in the end.
fn naive(task: &Task, terms: &Terms, mut list: Vec<TermId>) -> Vec<TermId> {
    let holds = |counterexample: &Counterexample, step: usize, candidate: TermId| {
        let mut evaluator = Evaluator::new(terms, counterexample.answers());
        let value = |var: VarId| counterexample.value(step, var, &task.system);
        evaluator.eval(candidate, value).is_true()
    };
    let mut base = Consecution::new(task, Case::Initiation(0)).unwrap();
    while let Step::Fails(counterexample) = base.ask(terms, &[], &list).unwrap() {
        list.retain(|candidate| holds(&counterexample, 0, *candidate));
    }
    let mut step = Consecution::new(task, Case::Induction(1)).unwrap();
    while let Step::Fails(counterexample) = step.ask(terms, &list, &list).unwrap() {
        list.retain(|candidate| holds(&counterexample, 1, *candidate));
    }
    list
}

fn bits(case: u64, at: u32, mask: u64) -> i64 {
    (case.checked_shr(at).unwrap_or(0) & mask) as i64
}

/// What both leave of a random system, the same on all states that are tried, and what each took.
fn compare(booleans: usize, counters: usize, random: &mut Random) -> (Duration, Duration) {
    let mut task = random_system(booleans, counters, random).task();
    task.options.learn.templates =
        Templates { implications: true, bounds: true, ..Templates::NONE };
    let start = Instant::now();
    let mut terms = task.system.terms.clone();
    let list = listed(&task.system, &mut terms);
    let expected = naive(&task, &terms, list);
    let listing = start.elapsed();
    let start = Instant::now();
    let mut learner = Learner::new(&task, 1).unwrap();
    let found = learner.fixpoint().unwrap();
    let learning = start.elapsed();
    for case in 0..1_u64 << (booleans + 2 * counters).min(14) {
        let value = |var: VarId| match task.system.variable(var).sort {
            Sort::Bool => Value::Bool(bits(case, var.0, 1) == 1),
            _ => Value::from(bits(case, 2 * var.0 - booleans as u32, 3)),
        };
        let all = |terms: &Terms, list: &[TermId]| {
            let mut evaluator = Evaluator::new(terms, &ZeroMeaning);
            list.iter().all(|fact| evaluator.eval(*fact, value).is_true())
        };
        assert_eq!(all(&terms, &expected), all(learner.terms(), &found), "state {case:b}");
    }
    (listing, learning)
}

#[test]
fn what_is_left_is_what_is_left_of_a_list() {
    let mut random = Random::new(5);
    for _ in 0..40 {
        compare(4, 2, &mut random);
    }
}

/// For docs/learning.md: `cargo test -p lustral-engines naive -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn how_much_sooner() {
    for booleans in [8, 16, 32] {
        let mut random = Random::new(5);
        let mut sum = (Duration::ZERO, Duration::ZERO);
        for _ in 0..5 {
            let (listing, learning) = compare(booleans, 4, &mut random);
            sum = (sum.0 + listing, sum.1 + learning);
        }
        println!("{booleans} booleans: listed {:?}, learned {:?}", sum.0 / 5, sum.1 / 5);
    }
}
