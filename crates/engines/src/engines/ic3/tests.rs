//! The engine on small systems.

use std::sync::Arc;

use lustral_base::Random;
use lustral_base::schedule::Moment;
use lustral_projection::{Form, Literal, Relation, Valuation};
use lustral_system::{Predicate, Proof, PropId};
use lustral_term::{Evaluator, Sort, TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;

use super::Ic3;
use super::attempt::{Attempt, Progress};
use super::refine::sums;
use crate::board::{Board, Finding, Found, Lemma, News};
use crate::engine::{Engine, Stop};
use crate::learn::tests::Builder;
use crate::task::Task;

/// Runs the engine to its end: what it found, in order, and why it stopped.
fn run(mut task: Task) -> (Vec<Finding>, Stop, Task) {
    let found = Arc::new(std::sync::Mutex::new(Vec::new()));
    let sink = found.clone();
    let tell = move |news| {
        if let News::Finding(finding) = news {
            sink.lock().expect("no holder panics").push(finding);
        }
    };
    let old = task.board.lemmas_after(0);
    task.board = Arc::new(Board::new(task.system.properties.len(), Box::new(tell)));
    old.iter().for_each(|lemma| task.board.post_lemma(Lemma::clone(lemma)));
    let mut engine = Ic3::new(&task).expect("the solver starts");
    let stop = loop {
        if let Some(stop) = engine.advance() {
            break stop;
        }
    };
    drop(engine);
    let found = std::mem::take(&mut *found.lock().expect("no holder panics"));
    (found, stop, task)
}

/// The length of the execution that was found, which must be one.
fn refuted(task: &Task, finding: &Finding) -> usize {
    let Found::Execution(length, inputs) = &finding.found else { panic!("{finding:?}") };
    let system = &task.system;
    let mut state: FxHashMap<VarId, Value> =
        system.memories.iter().map(|m| (m.var, m.initial.clone())).collect();
    for step in 0..*length {
        let value = |var: VarId| match state.get(&var) {
            Some(value) => value.clone(),
            None => inputs.values.get(&(step, var)).cloned().unwrap_or_else(|| system.plain(var)),
        };
        let mut evaluator = Evaluator::new(&system.terms, &inputs.divisions);
        let mut holds = |term| evaluator.eval(term, value).is_true();
        assert!(system.constraints.iter().all(|c| holds(c.term)), "step {step} is blocked");
        assert_eq!(holds(system.property(finding.property).term), step + 1 < *length);
        state = system.memories.iter().map(|m| (m.var, evaluator.eval(m.next, value))).collect();
    }
    *length
}

fn proof(finding: &Finding) -> (&[PropId], &[Predicate]) {
    match &finding.found {
        Found::Proof(Proof::Induction { k: 1, properties, invariants, compression: None }) => {
            (properties, invariants)
        }
        other => panic!("{other:?}"),
    }
}

/// A counter that goes up by some number while it is told to, else stays.
fn counter(builder: &mut Builder, go: TermId, step: i64) -> TermId {
    let n = builder.memory(0);
    let terms = &mut builder.system.terms;
    let step = terms.int(step);
    let more = terms.add(&[n, step]);
    let next = terms.ite(go, more, n);
    builder.next(n, next);
    n
}

/// Two counters, one twice as fast: where the first is 5, the second is 10.
fn doubled() -> Builder {
    let mut builder = Builder::default();
    let go = builder.input(Sort::Bool);
    let (x, y) = (counter(&mut builder, go, 1), counter(&mut builder, go, 2));
    let terms = &mut builder.system.terms;
    let (five, ten) = (terms.int(5), terms.int(10));
    let (there, right) = (terms.eq(x, five), terms.eq(y, ten));
    let ok = terms.implies(there, right);
    builder.property(ok);
    builder
}

#[test]
fn spurious_traces_give_predicates_until_there_is_a_proof() {
    let mut task = doubled().task();
    task.limits.max_k = Some(50);
    let mut attempt = Attempt::new(&task, PropId(0)).expect("the solver starts");
    let before = attempt.predicates.len();
    let until = Moment::now() + std::time::Duration::from_secs(60);
    let progress = attempt.work(until, None).expect("the solver knows");
    assert!(matches!(progress, Progress::Invariant(_)));
    assert!(attempt.refinements >= 2, "{}", attempt.refinements);
    assert!(attempt.predicates.len() >= before + 2);
    let (found, stop, _) = run(task);
    assert_eq!((proof(&found[0]).0, stop), (&[PropId(0)][..], Stop::Done));
}

#[test]
fn counterexamples_are_executions() {
    let mut builder = Builder::default();
    let go = builder.input(Sort::Bool);
    let n = counter(&mut builder, go, 1);
    let m = builder.memory(0);
    let i = builder.input(Sort::Int);
    builder.next(m, i);
    let terms = &mut builder.system.terms;
    let three = terms.int(3);
    let (some, above) = (terms.eq(n, three), terms.lt(n, m));
    let bad = terms.and([some, above, go]);
    let ok = terms.not(bad);
    builder.property(ok);
    let (found, stop, task) = run(builder.task());
    assert_eq!((refuted(&task, &found[0]), stop), (4, Stop::Done));
}

#[test]
fn an_execution_of_one_step_is_one() {
    let mut builder = Builder::default();
    let i = builder.input(Sort::Int);
    let zero = builder.system.terms.int(0);
    let ok = builder.system.terms.le(zero, i);
    builder.property(ok);
    let (found, _, task) = run(builder.task());
    assert_eq!(refuted(&task, &found[0]), 1);
}

/// A counter whose property fails at 5, with a constraint that fails at `end`.
fn blocked(end: i64) -> Builder {
    let mut builder = Builder::default();
    let n = counter(&mut builder, Terms::TRUE, 1);
    let terms = &mut builder.system.terms;
    let (five, end) = (terms.int(5), terms.int(end));
    let (at_five, at_end) = (terms.eq(n, five), terms.eq(n, end));
    let (ok, goes_on) = (terms.not(at_five), terms.not(at_end));
    builder.property(ok);
    builder.constraint(goes_on);
    builder
}

#[test]
fn constraints_end_executions() {
    // Before the step at which the property fails, at that step, and after it.
    for end in [3, 5] {
        let (found, ..) = run(blocked(end).task());
        assert_eq!(proof(&found[0]).0, [PropId(0)], "{end}");
    }
    let (found, _, task) = run(blocked(6).task());
    assert_eq!(refuted(&task, &found[0]), 6);
}

#[test]
fn a_proof_carries_the_lemmas_that_it_needs() {
    // That y is zero is needed, and known from elsewhere.
    let mut builder = Builder::default();
    let (x, y) = (builder.memory(0), builder.memory(0));
    let terms = &mut builder.system.terms;
    let zero = terms.int(0);
    let sum = terms.add(&[x, y]);
    let (ok, lemma) = (terms.eq(x, zero), terms.eq(y, zero));
    builder.next(x, sum);
    builder.property(ok);
    let task = builder.task();
    let predicate = Predicate { terms: Arc::new(task.system.terms.clone()), term: lemma };
    let invariants: Arc<[Predicate]> = Arc::new([predicate.clone()]);
    let (k, properties, compression) = (1, Vec::new(), false);
    task.board.post_lemma(Lemma { predicate, k, properties, invariants, compression });
    let attempt = |task: &Task| {
        let mut attempt = Attempt::new(task, PropId(0)).expect("the solver starts");
        let until = Moment::now() + std::time::Duration::from_secs(60);
        match attempt.work(until, None).expect("the solver knows") {
            Progress::Invariant(cubes) => (cubes.len(), attempt.lemmas.len()),
            _ => panic!("the property holds"),
        }
    };
    assert_eq!(attempt(&task), (0, 1), "the lemma is enough");
    let (found, ..) = run(task);
    let (_, invariants) = proof(&found[0]);
    assert!(invariants.iter().any(|p| p.term == lemma), "{invariants:?}");
}

#[test]
fn what_holds_for_good_is_told() {
    // The property fails; before that, it needs that y is zero.
    let mut builder = Builder::default();
    let go = builder.input(Sort::Bool);
    let n = counter(&mut builder, go, 1);
    let (x, y) = (builder.memory(0), builder.memory(0));
    let terms = &mut builder.system.terms;
    let (four, zero) = (terms.int(4), terms.int(0));
    let sum = terms.add(&[x, y]);
    let (small, still) = (terms.lt(n, four), terms.eq(x, zero));
    let ok = terms.and([small, still]);
    builder.next(x, sum);
    builder.property(ok);
    let (found, _, task) = run(builder.task());
    assert_eq!(refuted(&task, &found[0]), 5);
    let lemmas = task.board.lemmas_after(0);
    assert!(!lemmas.is_empty());
    for lemma in lemmas {
        assert_eq!((lemma.k, &lemma.properties[..], lemma.compression), (1, &[][..], false));
        assert!(lemma.invariants.iter().any(|p| p.same_as(&lemma.predicate)));
    }
}

#[test]
fn a_hard_property_does_not_hold_up_the_others() {
    // The parity of x is no linear predicate: the first goes on for ever.
    let mut builder = Builder::default();
    let go = builder.input(Sort::Bool);
    let x = counter(&mut builder, go, 2);
    let y = counter(&mut builder, go, 1);
    let terms = &mut builder.system.terms;
    let (odd, zero) = (terms.int(100_001), terms.int(0));
    let meets = terms.eq(x, odd);
    let (hard, easy) = (terms.not(meets), terms.le(zero, y));
    builder.property(hard);
    builder.property(easy);
    let mut task = builder.task();
    task.limits.max_k = None;
    let mut engine = Ic3::new(&task).expect("the solver starts");
    while task.board.open().contains(&PropId(1)) {
        assert_eq!(engine.advance(), None);
    }
    assert_eq!(task.board.open(), [PropId(0)]);
    task.cancel.cancel();
    assert_eq!(engine.advance(), None, "it returns soon");
}

#[test]
fn the_depth_limit_is_one() {
    let (found, stop, task) = run({
        let mut task = doubled().task();
        task.limits.max_k = Some(2);
        task
    });
    assert!(found.is_empty());
    assert_eq!(stop, Stop::DepthLimit(2));
    assert_eq!(task.board.depth_of(PropId(0)), 4);
}

/// An upper bound of a random sum of variables with values, which holds.
fn bound(variables: &[TermId], sort: Sort, values: &[i64], random: &mut Random) -> Literal {
    let whole = |n: i64| num_rational::BigRational::from_integer(n.into());
    let mut form = Form::new(sort);
    for (variable, value) in variables.iter().zip(values) {
        let factor = random.below(7) as i64 - 3;
        form.linear.add(*variable, &whole(factor));
        form.linear.constant -= whole(factor * value);
    }
    form.linear.constant -= whole(random.below(3) as i64);
    Literal::Linear(form, Relation::AtMost).normalised()
}

/// Sums are of one sort, and follow from their parts.
#[test]
fn sums_follow_from_their_parts() {
    let mut random = Random::new(3);
    for _ in 0..50 {
        let mut terms = Terms::new();
        let ints: Vec<TermId> = (0..2).map(|i| terms.variable(VarId(i), Sort::Int)).collect();
        let reals: Vec<TermId> = (2..4).map(|i| terms.variable(VarId(i), Sort::Real)).collect();
        let values = [1, -2, 3, 0];
        let mut core = Vec::new();
        for _ in 0..2 {
            core.push(bound(&ints, Sort::Int, &values[..2], &mut random));
            core.push(bound(&reals, Sort::Real, &values[2..], &mut random));
        }
        let mut valuation = Valuation::default();
        valuation.values.insert(VarId(0), Value::from(1));
        valuation.values.insert(VarId(1), Value::from(-2));
        for (var, n) in [(2, 3), (3, 0)] {
            let n = num_rational::BigRational::from_integer(n.into());
            valuation.values.insert(VarId(var), Value::Real(n));
        }
        for literal in sums(&core) {
            let term = literal.term(&mut terms);
            assert!(valuation.evaluator(&terms).holds(term), "{literal:?} of {core:?}");
        }
    }
}
