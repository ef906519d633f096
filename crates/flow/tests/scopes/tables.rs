//! Small programs with the traces that they must have.

use lustral_kernel::{ExprKind, FlowId, Program, ScopeId};
use lustral_sema::InstanceId;
use lustral_sema::program::BinaryOp;
use lustral_system::Origin;
use lustral_term::Value;

use crate::build::{BOOL, Build, INT, program};
use crate::compare::{Count, compare};
use crate::definition::V;

/// Runs a program on rows of `0` and `1`, one for each input; the result is a
/// flow of the root, with `.` where it is not present.
fn run(program: &Program, inputs: &[&str], flow: &str) -> String {
    let input = |position: usize, step: usize| V::B(inputs[position].as_bytes()[step] == b'1');
    let steps = inputs[0].len();
    let (system, trace) = compare(program, &input, 1, steps, &mut Count::default());
    let stream = system.instance(InstanceId::ROOT).streams.iter().find(|s| s.name == flow).unwrap();
    let value = |t| {
        if stream.active.is_none_or(|a| trace.value(t, a).is_true()) {
            match trace.value(t, stream.var) {
                Value::Int(n) => n.to_string(),
                Value::Bool(b) => u8::from(*b).to_string(),
                other => panic!("{other:?}"),
            }
        } else {
            ".".into()
        }
    };
    (0..steps).map(value).collect()
}

/// A node that counts its steps.
fn counting() -> Build {
    let mut build = Build::new("count", &[], &[("n", INT)]);
    let counter = build.counter("k", ScopeId::NODE);
    let counted = build.flow(counter);
    build.define(FlowId(0), counted);
    build
}

#[test]
fn a_scope_counts_its_own_steps_and_holds_between_them() {
    let mut build = Build::new("main", &[("c", BOOL)], &[("y", INT)]);
    let c = build.flow(FlowId(0));
    let inner = build.scope(ScopeId::NODE, Some(c), None);
    let n = build.counter("n", inner);
    let default = build.int(0);
    let held = build.node.hold(n, default, "held".into());
    let held = build.flow(held);
    build.define(FlowId(1), held);
    let program = program(vec![build]);
    assert_eq!(run(&program, &["0110010"], "n"), ".12..3.");
    assert_eq!(run(&program, &["0110010"], "y"), "0122233");
}

#[test]
fn a_reset_makes_a_step_the_first_and_is_sampled() {
    let mut build = Build::new("main", &[("c", BOOL), ("r", BOOL)], &[("y", BOOL)]);
    let (c, r) = (build.flow(FlowId(0)), build.flow(FlowId(1)));
    let inner = build.scope(ScopeId::NODE, Some(c), Some(r));
    build.counter("n", inner);
    build.define(FlowId(2), c);
    let program = program(vec![build]);
    // The reset at step 3 comes where the scope is not active, and is lost.
    assert_eq!(run(&program, &["1110111", "0001010"], "n"), "123.412");
}

#[test]
fn a_reset_reaches_scopes_that_are_not_active() {
    let mut build = Build::new("main", &[("c", BOOL), ("r", BOOL)], &[("y", BOOL)]);
    let (c, r) = (build.flow(FlowId(0)), build.flow(FlowId(1)));
    let outer = build.scope(ScopeId::NODE, None, Some(r));
    let inner = build.scope(outer, Some(c), None);
    build.counter("n", outer);
    build.counter("m", inner);
    build.define(FlowId(2), c);
    let program = program(vec![build]);
    assert_eq!(run(&program, &["1110111", "0001000"], "n"), "1231234");
    assert_eq!(run(&program, &["1110111", "0001000"], "m"), "123.123");
}

#[test]
fn a_call_lives_on_the_clock_of_its_scope() {
    let mut build = Build::new("main", &[("c", BOOL)], &[("y", BOOL)]);
    let c = build.flow(FlowId(0));
    let not_c = build.not(c);
    let (on, off) =
        (build.scope(ScopeId::NODE, Some(c), None), build.scope(ScopeId::NODE, Some(not_c), None));
    for (name, scope) in [("a", on), ("b", off)] {
        let call = build.call(0, scope, Vec::new());
        let flow = build.local(name, &INT, scope);
        let output = build.push(ExprKind::Output(call, 0), &INT);
        build.define(flow, output);
    }
    build.define(FlowId(1), c);
    let program = program(vec![counting(), build]);
    assert_eq!(run(&program, &["0110010"], "a"), ".12..3.");
    assert_eq!(run(&program, &["0110010"], "b"), "1..23.4");
}

#[test]
fn claims_count_at_active_steps_only() {
    let mut build = Build::new("main", &[("c", BOOL)], &[("y", BOOL)]);
    let c = build.flow(FlowId(0));
    let inner = build.scope(ScopeId::NODE, Some(c), None);
    let n = build.counter("n", inner);
    let (n, two) = (build.flow(n), build.int(2));
    let small = build.binary(BinaryOp::Less, n, two, &BOOL);
    build.constrain(inner, small);
    build.show(inner, small);
    build.define(FlowId(1), c);
    let program = program(vec![build]);
    let input = |_: usize, step: usize| V::B(b"0101"[step] == b'1');
    let (system, trace) = compare(&program, &input, 1, 4, &mut Count::default());
    let holds = |term| (0..4).map(|t| trace.eval(&system, t, term).is_true()).collect::<Vec<_>>();
    assert_eq!(holds(system.constraints[0].term), [true, true, true, false]);
    assert_eq!(holds(system.properties[0].term), [true, true, true, false]);
}

/// Scopes cost what they need: no memory without an activation, and none at all
/// on the clock of the execution.
#[test]
fn only_activations_have_a_memory() {
    let mut build = Build::new("main", &[("c", BOOL)], &[("y", BOOL)]);
    let c = build.flow(FlowId(0));
    let restarting = build.scope(ScopeId::NODE, None, Some(c));
    let clocked = build.scope(restarting, Some(c), None);
    build.counter("n", restarting);
    build.counter("m", clocked);
    build.define(FlowId(1), c);
    let program = program(vec![build]);
    let input = |_: usize, _: usize| V::B(true);
    let (system, _) = compare(&program, &input, 1, 3, &mut Count::default());
    let memories = system.memories.iter().map(|m| system.variable(m.var).origin);
    let flags = memories.filter(|o| matches!(o, Origin::Clock { .. })).count();
    assert_eq!((flags, system.memories.len()), (1, 4));
}

/// What looks at each node by itself takes all to begin together.
#[test]
fn nodes_one_by_one_are_declined() {
    let mut build = Build::new("main", &[("c", BOOL)], &[("y", BOOL)]);
    let c = build.flow(FlowId(0));
    build.scope(ScopeId::NODE, Some(c), None);
    build.define(FlowId(1), c);
    let program = program(vec![counting(), build]);
    let nodes = lustral_flow::called_first(&program, &[lustral_sema::NodeId(1)]);
    let declined = program.all_on_one_clock(&nodes);
    let message = "parts of the node `main` have a clock of their own";
    assert_eq!(declined.unwrap_err().to_string(), message);
}
