//! The learners on small systems that can be explored by hand.

use std::sync::Arc;

use lustral_base::Random;
use lustral_system::{
    Constraint, ConstraintSource, Goal, Inlined, InstanceId, Memory, Origin, Predicate, PropId,
    Property, Role, TransitionSystem, Variable,
};
use lustral_term::{
    EnumId, Enumeration, Evaluator, Sort, TermId, Terms, Value, VarId, ZeroMeaning, show_term,
};

use super::learner::Learner;
use super::templates::Templates;
use crate::board::{Board, Found};
use crate::engines::kinduction::Compression;
use crate::portfolio::{Limits, Sessions, Task};

/// Builds a system of memories and inputs.
#[derive(Default)]
pub(crate) struct Builder {
    pub system: TransitionSystem,
}

impl Builder {
    fn variable(&mut self, role: Role, sort: Sort) -> (VarId, TermId) {
        let name = format!("v{}", self.system.variables.len());
        let origin = Origin::Auxiliary;
        self.system.add_variable(Variable { name, sort, role, range: None, origin })
    }

    pub fn input(&mut self, sort: Sort) -> TermId {
        self.variable(Role::Input, sort).1
    }

    /// A memory that keeps its value, until it is told otherwise.
    pub fn memory(&mut self, initial: impl Into<Value>) -> TermId {
        let initial = initial.into();
        let (var, next) = self.variable(Role::Memory, initial.sort());
        self.system.memories.push(Memory { var, initial, next });
        next
    }

    pub fn next(&mut self, memory: TermId, next: TermId) {
        let var = self.system.terms.var(memory);
        let found = self.system.memories.iter_mut().find(|m| Some(m.var) == var);
        found.expect("it is a memory").next = next;
    }

    pub fn property(&mut self, term: TermId) {
        self.system.properties.push(Property { name: "p".into(), term, goal: Goal::Always });
    }

    pub fn constraint(&mut self, term: TermId) {
        self.system.constraints.push(Constraint {
            term,
            source: ConstraintSource::Assertion { instance: InstanceId::ROOT, index: 0 },
        });
    }

    pub fn task(self) -> Task {
        let board = Board::new(self.system.properties.len(), Box::new(|_| {}));
        let mut task =
            Task::new(Arc::new(Inlined::new(&self.system)), Arc::new(board), Sessions::default())
                .with_limits(Limits { max_k: Some(10) });
        task.options.kinduction.compression = Compression::Off;
        task
    }
}

pub(crate) fn random_formula(
    builder: &mut Builder,
    leaves: &[TermId],
    random: &mut Random,
) -> TermId {
    let mut pick = |builder: &mut Builder| {
        let leaf = leaves[random.below(leaves.len() as u64) as usize];
        if random.below(2) == 0 { leaf } else { builder.system.terms.not(leaf) }
    };
    let (a, b, c) = (pick(builder), pick(builder), pick(builder));
    let terms = &mut builder.system.terms;
    match random.below(4) {
        0 => terms.and([a, b]),
        1 => terms.or([a, b]),
        2 => terms.ite(a, b, c),
        _ => a,
    }
}

/// The largest inductive set of clauses of two literals over some booleans, by
/// trying every state: a clause as the pair of its literals.
fn naive(system: &TransitionSystem) -> Vec<(usize, usize)> {
    let count = system.memories.len();
    let literal = |state: u32, l: usize| (state >> (l / 2) & 1 == 1) == l.is_multiple_of(2);
    let mut clauses: Vec<(usize, usize)> =
        (0..2 * count).flat_map(|a| (0..2 * count).map(move |b| (a, b))).collect();
    let holds = |clauses: &[(usize, usize)], state: u32| {
        clauses.iter().all(|(a, b)| literal(state, *a) || literal(state, *b))
    };
    let initial = system.memories.iter().enumerate();
    let initial: u32 = initial.map(|(i, m)| u32::from(m.initial.is_true()) << i).sum();
    clauses.retain(|(a, b)| literal(initial, *a) || literal(initial, *b));
    loop {
        let before = clauses.len();
        for state in 0..1 << count {
            for input in [false, true] {
                if !holds(&clauses, state) {
                    continue;
                }
                let value = |var: VarId| {
                    let memory = system.memories.iter().position(|m| m.var == var);
                    Value::Bool(memory.map_or(input, |i| state >> i & 1 == 1))
                };
                let mut evaluator = Evaluator::new(&system.terms, &ZeroMeaning);
                let nexts = system.memories.iter().enumerate();
                let next: u32 = nexts
                    .map(|(i, m)| u32::from(evaluator.eval(m.next, value).is_true()) << i)
                    .sum();
                clauses.retain(|(a, b)| literal(next, *a) || literal(next, *b));
            }
        }
        if clauses.len() == before {
            return clauses;
        }
    }
}

#[test]
fn houdini_finds_the_largest_inductive_subset() {
    let mut random = Random::new(11);
    for _ in 0..60 {
        let mut builder = Builder::default();
        let memories: Vec<TermId> = (0..4).map(|_| builder.memory(random.below(2) == 0)).collect();
        let input = builder.input(Sort::Bool);
        let leaves: Vec<TermId> = memories.iter().copied().chain([input]).collect();
        for memory in &memories {
            let next = random_formula(&mut builder, &leaves, &mut random);
            builder.next(*memory, next);
        }
        let clauses = naive(&builder.system);
        let mut task = builder.task();
        task.options.learn.templates = Templates { implications: true, ..Templates::NONE };
        let mut learner = Learner::new(&task, 1).unwrap();
        let facts = learner.fixpoint().unwrap();
        for state in 0..16u32 {
            let literal = |l: usize| (state >> (l / 2) & 1 == 1) == l.is_multiple_of(2);
            let expected = clauses.iter().all(|(a, b)| literal(*a) || literal(*b));
            let value = |var: VarId| {
                let memory = task.system.memories.iter().position(|m| m.var == var);
                Value::Bool(memory.is_some_and(|i| state >> i & 1 == 1))
            };
            let mut evaluator = Evaluator::new(learner.terms(), &ZeroMeaning);
            let found = facts.iter().all(|f| evaluator.eval(*f, value).is_true());
            assert_eq!(expected, found, "state {state:04b}");
        }
    }
}

/// A counter that only grows, and what a property says of it.
fn counting() -> (Builder, TermId) {
    let mut builder = Builder::default();
    let x = builder.memory(0);
    let one = builder.system.terms.int(1);
    let next = builder.system.terms.add(&[x, one]);
    builder.next(x, next);
    (builder, x)
}

#[test]
fn candidates_that_contradict_each_other_do_no_harm() {
    let (mut builder, x) = counting();
    let zero = builder.system.terms.int(0);
    let natural = builder.system.terms.le(zero, x);
    builder.property(natural);
    let negative = builder.system.terms.not(natural);
    let terms = Arc::new(builder.system.terms.clone());
    let of = |term| Predicate { terms: terms.clone(), term };
    let candidates: Arc<[Predicate]> = Arc::new([of(negative), of(natural), of(Terms::FALSE)]);
    let task = builder.task().with_candidates(candidates);
    let mut learner = Learner::new(&task, 1).unwrap();
    let facts = learner.fixpoint().unwrap();
    assert!(facts.contains(&natural) && !facts.contains(&negative));
    assert!(!facts.contains(&Terms::FALSE));
    assert_eq!(learner.targets(), [PropId(0)]);
}

/// Two memories of an enumeration that change together and are never the last
/// value, and a flag that goes with one of them.
#[test]
fn values_of_enumerations_are_told_apart_and_equated() {
    let e = Enumeration { id: EnumId(0), size: 3 };
    let mut builder = Builder::default();
    let (m, n) = (builder.memory(Value::Enum(e, 0)), builder.memory(Value::Enum(e, 0)));
    let on = builder.memory(false);
    let input = builder.input(Sort::Bool);
    let terms = &mut builder.system.terms;
    let [first, second, last] = [0, 1, 2].map(|i| terms.constant(Value::Enum(e, i)));
    let next = terms.ite(input, second, first);
    for (memory, next) in [(m, next), (n, next), (on, input)] {
        builder.next(memory, next);
    }
    let mut task = builder.task();
    task.options.learn.templates = Templates::parse("implications,atoms").unwrap();
    let mut learner = Learner::new(&task, 1).unwrap();
    let facts = learner.fixpoint().unwrap();
    let mut terms = learner.terms().clone();
    let is_last = terms.eq(m, last);
    let wanted = [terms.eq(m, n), terms.not(is_last)];
    for fact in wanted {
        assert!(facts.contains(&fact), "{}", show_term(&terms, fact, 100, &**task.system));
    }
    // What the flag says follows from the facts, in whatever words.
    let is_second = terms.eq(m, second);
    let together = terms.eq(on, is_second);
    let all = terms.and(facts.iter().copied());
    for case in 0..18_u32 {
        let mut evaluator = Evaluator::new(&terms, &ZeroMeaning);
        let value = |var: VarId| match var.0 {
            0 => Value::Enum(e, case % 3),
            1 => Value::Enum(e, case / 3 % 3),
            _ => Value::Bool(case >= 9),
        };
        let (holds, wanted) = (evaluator.eval(all, value), evaluator.eval(together, value));
        assert!(!holds.is_true() || wanted.is_true(), "case {case}");
    }
}

#[test]
fn a_system_that_blocks_is_learned_from_all_the_same() {
    // No step is possible after the first: everything is inductive then, and
    // nothing of it is false at the step that there is.
    let (mut builder, x) = counting();
    let zero = builder.system.terms.int(0);
    let still = builder.system.terms.eq(x, zero);
    builder.constraint(still);
    builder.property(still);
    let task = builder.task();
    let mut learner = Learner::new(&task, 1).unwrap();
    assert!(learner.fixpoint().unwrap().contains(&still));
}

#[test]
fn the_same_seed_gives_the_same_facts() {
    // In threads of their own, as engines are: the solver's names for things
    // are those of its thread.
    let learn = || {
        let (mut builder, x) = counting();
        let y = builder.memory(3);
        let input = builder.input(Sort::Bool);
        let next = builder.system.terms.ite(input, x, y);
        builder.next(y, next);
        let task = builder.task();
        let mut learner = Learner::new(&task, 1).unwrap();
        let facts = learner.fixpoint().unwrap();
        (facts.to_vec(), learner.queries())
    };
    let run = || std::thread::spawn(learn).join().unwrap();
    assert_eq!(run(), run());
}

/// What was found of the only property of a task, by its board.
pub(crate) fn settled(task: &Task) -> bool {
    task.board.open().is_empty()
}

#[test]
fn facts_are_posted_with_their_proof() {
    let (mut builder, x) = counting();
    let zero = builder.system.terms.int(0);
    let natural = builder.system.terms.le(zero, x);
    builder.property(natural);
    let (sender, receiver) = std::sync::mpsc::channel();
    let mut task = builder.task();
    let sender = std::sync::Mutex::new(sender);
    task.board =
        Arc::new(Board::new(1, Box::new(move |news| drop(sender.lock().unwrap().send(news)))));
    let mut learner = Learner::new(&task, 1).unwrap();
    let facts = learner.fixpoint().unwrap();
    learner.post(&[PropId(0)], &facts, "test");
    assert!(settled(&task));
    let news = receiver.try_recv().unwrap();
    let crate::board::News::Finding(finding) = news else { panic!("{news:?}") };
    assert!(matches!(finding.found, Found::Proof(_)));
}
