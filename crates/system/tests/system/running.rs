//! Systems run step by step.

use lustral_system::{Answers, Runner, Trace};
use lustral_term::{Value, VarId, ZeroMeaning};

use crate::example::{self, counter};

/// Counts up by two; resets at the given steps.
fn free(resets: &[usize], step: usize, var: VarId) -> Value {
    match var {
        example::RESET => resets.contains(&step).into(),
        _ => 2.into(),
    }
}

#[test]
fn steps_follow_each_other() {
    let system = counter();
    let trace = Trace::run(&system, 5, Answers::default(), |step, var| free(&[3], step, var));
    let counts: Vec<Value> = (0..5).map(|step| trace.value(step, example::N).clone()).collect();
    assert_eq!(counts, [0, 2, 4, 0, 2].map(Value::from));
    let first: Vec<Value> = (0..5).map(|step| trace.value(step, example::FIRST).clone()).collect();
    assert_eq!(first, [true, false, false, false, false].map(Value::from));
    assert!(trace.eval(&system, 4, system.properties[0].term).is_true());
}

#[test]
fn a_run_can_begin_anywhere() {
    let system = counter();
    let state = |var| match var {
        example::FIRST => Some(Value::Bool(false)),
        example::LAST => Some(Value::from(-5)),
        _ => None,
    };
    let mut runner = Runner::from_state(&system, &ZeroMeaning, state);
    let values = runner.step(|var| free(&[], 0, var));
    assert_eq!(values[example::N.index()], (-3).into());
    assert_eq!(values[example::OK.index()], false.into());
}

/// What the user asserts does not stop a runner: others judge its steps.
#[test]
fn constraints_are_not_looked_at() {
    let system = counter();
    let trace = Trace::run(&system, 1, Answers::default(), |_, var| match var {
        example::RESET => true.into(),
        _ => 3.into(),
    });
    assert!(!trace.eval(&system, 0, system.constraints[0].term).is_true());
}
