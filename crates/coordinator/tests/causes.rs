//! Causes of counterexamples: with the values of a cause every execution fails, and with any of them changed
//! or left out some does not.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lustral_base::Cancel;
use lustral_certify::{
    Answer, Cause, Checked, ClaimedCause, ProofChecker, Replay, Unit, check_trace,
};
use lustral_coordinator::{Event, Faults, Job, Options, Run};
use lustral_engines::{EngineChoice, engines};
use lustral_sema::instances::Wanted;
use lustral_system::{Goal, Trace, TransitionSystem};
use lustral_term::{Value, VarId};
use lustral_testing::Dice;
use lustral_testing::{
    Encoded, Failure, Parentheses, Profile, each_program, encoding, execution::Execution,
};

/// Two counters of which the property reads one, and an input that nothing reads.
const COUNTERS: &str = "\
node main(a, b, unread: bool; x: int) returns (n, m: int);
let
  n = (0 -> pre n) + (if a then 1 else 0);
  m = (0 -> pre m) + (if b then 1 else 0);
  check \"few\" n < 3 or x <= 7;
tel
";

/// The value of a division by zero decides, and a first value.
const OPEN: &str = "\
node main(x: int) returns (y, z: int);
let
  y = x div 0;
  z = pre x;
  check \"quotient\" x <> 5 or y < 3;
  check \"first\" z < 3 or x > 0;
tel
";

fn unit(text: &str) -> Arc<Unit> {
    let Encoded { unit, kernel, .. } = encoding::accepted(text).unwrap();
    let root = unit.program.node_named("main").unwrap();
    Arc::new(Unit::new(&Arc::new(kernel), root, Wanted::ALL).unwrap())
}

/// The counterexamples that are found.
fn falsified(unit: &Arc<Unit>, faults: Faults) -> Vec<Checked<Answer>> {
    let job = Job {
        unit: unit.clone(),
        cut: None,
        partial: false,
        lemmas: Vec::new(),
        store: None,
        patience: Some(Duration::from_secs(5)),
        cancel: Cancel::new(),
    };
    let engines = vec![EngineChoice(&engines::bmc::ENGINE)];
    let options = Options { engines, max_k: Some(4), faults, ..Options::default() };
    let found = Run::start(job, &options).filter_map(|event| match event {
        Event::Checked(result) => result.answer.ok(),
        _ => None,
    });
    found.filter(|answer| matches!(answer.get(), Answer::Falsifiable(_))).collect()
}

fn trace(answer: &Checked<Answer>) -> &Trace {
    let Answer::Falsifiable(trace) = answer.get() else { unreachable!("chosen so") };
    trace
}

/// The names of the values, with the steps.
fn named(system: &TransitionSystem, cause: &Cause) -> Vec<String> {
    let name = |(step, var): &(usize, VarId)| format!("{} {step}", system.variable(*var).name);
    let mut names: Vec<String> = cause.values().iter().map(name).collect();
    names.sort();
    names
}

#[test]
fn only_what_matters_is_the_cause() {
    let unit = unit(COUNTERS);
    let found = falsified(&unit, Faults::default());
    let cause = found[0].cause().unwrap();
    assert_eq!(named(&unit.system, cause), ["a 0", "a 1", "a 2", "x 2"]);
    assert!(cause.minimal && cause.divisions().is_empty());
    let saved = cause.saved().unwrap();
    assert_eq!(saved.len(), 1, "one value is enough: {saved:?}");
}

#[test]
fn what_the_program_leaves_open_may_be_the_cause() {
    let unit = unit(OPEN);
    let found = falsified(&unit, Faults::default());
    assert_eq!(found.len(), 2);
    for answer in &found {
        let cause = answer.cause().unwrap();
        match &*unit.system.property(answer.property()).name {
            "quotient" => {
                assert_eq!(named(&unit.system, cause), ["x 0"]);
                assert_eq!(cause.divisions().len(), 1);
            }
            _ => assert_eq!(cause.values().len(), 2, "{:?}", named(&unit.system, cause)),
        }
    }
}

#[test]
fn less_than_the_cause_is_refused() {
    let unit = unit(COUNTERS);
    let answer = &falsified(&unit, Faults::default())[0];
    let cause = answer.cause().unwrap();
    let mut checker = ProofChecker::new(&Cancel::new()).unwrap();
    let mut claim = |values: Vec<(usize, VarId)>| {
        let claimed = ClaimedCause { values, divisions: Vec::new(), minimal: true, saved: None };
        let fresh = check_trace(unit.context(), answer.property(), trace(answer).clone()).unwrap();
        assert!(fresh.cause().is_none());
        let time = Duration::from_secs(10);
        checker.with_cause(unit.context(), fresh, claimed, time).cause().is_some()
    };
    assert!(claim(cause.values().to_vec()));
    for left_out in 0..cause.values().len() {
        let mut fewer = cause.values().to_vec();
        fewer.remove(left_out);
        assert!(!claim(fewer), "without value {left_out}");
    }
    assert!(!claim(Vec::new()));
}

#[test]
fn no_answer_is_lost_to_its_cause() {
    let unit = unit(COUNTERS);
    let found = falsified(&unit, Faults::at("cause"));
    assert_eq!(found.len(), 1);
    assert!(found[0].cause().is_none());
}

/// An execution with other values than those of the cause.
fn varied(system: &TransitionSystem, trace: &Trace, cause: &Cause, other: &Execution) -> Trace {
    let kept = |step, var| cause.values().contains(&(step, var));
    let value = |step, var| {
        if kept(step, var) { trace.value(step, var).clone() } else { other.free(system, step, var) }
    };
    Trace::run(system, trace.len(), trace.answers.clone(), value)
}

fn is_execution(system: &TransitionSystem, trace: &Trace) -> bool {
    let holds = |step, term| trace.eval(system, step, term) == Value::Bool(true);
    (0..trace.len()).all(|step| system.constraints.iter().all(|c| holds(step, c.term)))
}

/// With its values, whatever the others are; and the change that saves is one.
#[test]
fn the_cause_alone_forces_the_failure() {
    let (causes, executions) = (AtomicUsize::new(0), AtomicUsize::new(0));
    each_program("causes", 40, Profile::mixed, |program, seed| {
        let text = program.text(Parentheses::Needed);
        let Encoded { unit: front, kernel, .. } = encoding::accepted(&text)?;
        let root = front.program.node_named("main").unwrap();
        let Ok(unit) = Unit::new(&Arc::new(kernel), root, Wanted::ALL) else { return Ok(()) };
        let unit = Arc::new(unit);
        let mut dice = Dice::new(seed);
        for answer in falsified(&unit, Faults::default()) {
            let Some(cause) = answer.cause() else { continue };
            causes.fetch_add(1, Ordering::Relaxed);
            let (trace, system) = (trace(&answer), &unit.system);
            let property = system.property(answer.property());
            assert_eq!(property.goal, Goal::Always);
            for _ in 0..20 {
                let other = Execution::random(&front, &mut dice, trace.len());
                let varied = varied(system, trace, cause, &other);
                if !is_execution(system, &varied) {
                    continue;
                }
                executions.fetch_add(1, Ordering::Relaxed);
                if varied.eval(system, trace.len() - 1, property.term) != Value::Bool(false) {
                    let what =
                        format!("{:?} is no cause of {}", named(system, cause), property.name);
                    return Err(Failure::new("a cause that forces nothing", what));
                }
            }
            if let Some(changes) = cause.saved() {
                let changed = |step, var| {
                    let other = changes.iter().find(|c| (c.step, c.var) == (step, var));
                    other.map_or_else(|| trace.value(step, var).clone(), |c| c.value.clone())
                };
                let run = Trace::run(system, trace.len(), trace.answers.clone(), changed);
                assert!(Replay::new(unit.context(), run).is_ok(), "{text}");
            }
        }
        Ok(())
    });
    if std::env::var_os("LUSTRAL_SEEDS").is_none() {
        let (causes, executions) = (causes.into_inner(), executions.into_inner());
        assert!(causes >= 10 && executions >= 100, "{causes} causes, {executions} executions");
    }
}
