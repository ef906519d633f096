//! Clocks: which programs have one for each flow, and what these mean step by step. The
//! tables are worked out by hand from the rules of the language.

#![allow(clippy::unwrap_used)]

mod common;

use common::check_text;
use lustral_sema::interp::{Machine, Zeros};
use lustral_sema::{InstanceId, InstanceTree, Value};
use num_bigint::BigInt;

const COUNT: &str = "node count() returns (n: int); let n = 0 -> pre n + 1; tel\n\
                     node sum(x: int) returns (y: int); let y = x -> pre y + x; tel\n";

/// The node `main` with some flows and equations, below inputs `c, r: bool; x: int`.
fn main_node(locals: &str, body: &str) -> String {
    format!("{COUNT}node main(c, r: bool; x: int) returns ();\nvar {locals}\nlet {body} tel\n")
}

/// The values of a local flow where `c` and `r` are true at the steps marked with `1`, and
/// `x` counts from 10; `.` where it has none.
fn row(locals: &str, body: &str, flow: &str, (c, r): (&str, &str)) -> String {
    let text = main_node(locals, body);
    let checked = check_text(&text);
    assert!(checked.errors.is_empty(), "{text}\n{checked}");
    let program = checked.analysis.program();
    let root = program.node_named("main").unwrap();
    let tree = InstanceTree::new(program, root).unwrap();
    let stream = program.node(root).stream_named(flow).unwrap();
    let mut machine = Machine::new(program, &tree);
    let mut shown = Vec::new();
    for (step, (c, r)) in c.bytes().zip(r.bytes()).enumerate() {
        let x = Value::Int(BigInt::from(step + 10));
        machine.step(&[Value::Bool(c == b'1'), Value::Bool(r == b'1'), x], &mut Zeros);
        let value = machine.value(InstanceId::ROOT, stream, 0);
        shown.push(value.map_or(".".to_string(), ToString::to_string));
    }
    shown.join(" ")
}

#[test]
fn calls_run_at_times() {
    let held = |call: &str, c, r| row("y: int;", &format!("y = {call};"), "y", (c, r));
    assert_eq!(held("condact(c, count(), -1)", "01011", "00000"), "-1 0 0 1 2");
    assert_eq!(held("condact(c, sum(x), 0)", "01011", "00000"), "0 11 11 24 38");
    // The argument has the past of every step.
    assert_eq!(held("condact(c, sum(0 -> pre x), 0)", "00101", "00000"), "0 0 11 11 24");
    assert_eq!(held("(restart count every r)()", "00000", "00100"), "0 1 0 1 2");
    assert_eq!(held("count() every r", "00000", "01010"), "0 0 1 0 1");
    // A reset counts where the node runs.
    let both = "(activate count every c initial default 7 restart every r)()";
    assert_eq!(held(both, "0110111", "1001010"), "7 0 1 1 2 0 1");
    assert_eq!(
        held("condact(c, (restart count every r)(), 7)", "0110111", "1001010"),
        "7 0 1 1 2 0 1"
    );
}

#[test]
fn a_restart_reaches_what_does_not_run() {
    let text = "y = (restart inner every r)(c);";
    let inner = "node inner(d: bool) returns (k: int); let k = condact(d, count(), 9); tel\n";
    let text = format!("{inner}{}", main_node("y: int;", text));
    let checked = check_text(&text);
    assert!(checked.errors.is_empty(), "{checked}");
    let program = checked.analysis.program();
    let tree = InstanceTree::new(program, program.node_named("main").unwrap()).unwrap();
    let stream = program.node_named("main").map(|n| program.node(n).stream_named("y").unwrap());
    let mut machine = Machine::new(program, &tree);
    let mut shown = Vec::new();
    for (c, r) in "1101011".bytes().zip("0001001".bytes()) {
        let x = Value::Int(BigInt::from(0));
        machine.step(&[Value::Bool(c == b'1'), Value::Bool(r == b'1'), x], &mut Zeros);
        shown.push(machine.value(InstanceId::ROOT, stream.unwrap(), 0).unwrap().to_string());
    }
    assert_eq!(shown.join(" "), "0 1 1 0 0 1 0");
}

#[test]
fn sampled_flows_have_their_own_past() {
    let locals = "s, p: int when c; k: int; m: int;";
    let body = "s = x when c; p = (0 when c) -> pre s; k = current s; \
                m = merge c (true -> p) (false -> x when not c);";
    let shown = |flow| row(locals, body, flow, ("01011", "00000"));
    assert_eq!(shown("s"), ". 11 . 13 14");
    assert_eq!(shown("p"), ". 0 . 11 13");
    assert_eq!(shown("k"), "0 11 11 13 14");
    assert_eq!(shown("m"), "10 0 12 11 13");
    // The clock of a local flow is found out, and a call on a slow clock is slow.
    let body = "q = sum(x when c); y = merge(c; q; 0);";
    assert_eq!(row("q, y: int;", body, "q", ("01011", "00000")), ". 11 . 24 38");
    // A clock of a clock.
    let body = "d = r when c; e = (x when c) when d; f = current (current e);";
    let locals = "d: bool when c; e: int when d; f: int;";
    assert_eq!(row(locals, body, "e", ("01111", "01001")), ". 11 . . 14");
    assert_eq!(row(locals, body, "f", ("01101", "01001")), "0 11 11 11 14");
}

/// `x = reset e every r` begins anew all of `e`, what a call in it is given too.
#[test]
fn values_begin_anew_as_a_whole() {
    let value = |body: &str| row("y: int;", body, "y", ("00000", "00100"));
    let whole = "0 1 0 1 3";
    assert_eq!(value("reset y = sum(0 fby (y + 1)); every r"), whole);
    assert_eq!(value("y = reset sum(0 fby (y + 1)) every r;"), whole);
    assert_eq!(value("y = reset (sum(0 fby (y + 1))) every r;"), whole);
    assert_eq!(value("y = sum(0 fby (y + 1)) every r;"), "0 1 2 5 11");
    let restarted = "y = reset (restart sum every c)(0 fby (y + 1)) every r;";
    assert_eq!(value(restarted), whole);
}

#[test]
fn what_is_combined_is_on_one_clock() {
    let error = |locals: &str, body: &str| {
        let checked = check_text(&main_node(locals, body));
        let codes: Vec<&str> = checked.errors.iter().map(|e| e.code).collect();
        codes.join(" ")
    };
    assert_eq!(error("s: int when c;", "s = x when c;"), "");
    assert_eq!(error("s: int when c; y: int;", "s = x when c; y = s + x;"), "clock");
    assert_eq!(error("s: int when c;", "s = x;"), "clock");
    assert_eq!(error("s: int when c;", "s = x when not c;"), "clock");
    // What `on c on r` says of r has to be so.
    assert_eq!(error("s: int :: . on c on r;", "s = x when r;"), "clock");
    let e = "e: bool :: . on r; s: int :: . on c on e;";
    assert_eq!(error(e, "e = c when r; s = (x when r) when e;"), "clock");
    assert_eq!(error("y: int;", "y = merge c (true -> x when c) (false -> 0);"), "");
    // Kind 2 samples a branch that is not sampled; what a call there would mean is less clear.
    let bare = "y = merge c (true -> x) (false -> 0);";
    assert_eq!(error("y: int;", bare), "");
    for dialect in ["v6", "velus"] {
        assert_eq!(error("y: int;", &format!("--%DIALECT {dialect}\n{bare}")), "clock");
    }
    // In these dialects x is an input on the clock of its use, unless another use says otherwise.
    for dialect in ["lustrec", "heptagon"] {
        assert_eq!(error("y: int;", &format!("--%DIALECT {dialect}\n{bare}")), "");
        let also = format!("--%DIALECT {dialect}\n{bare} z = x when not c;");
        assert_eq!(error("y: int; z: int when not c;", &also), "clock");
    }
    let call = error("y: int;", "y = merge c (true -> sum(x)) (false -> 0);");
    assert!(call.starts_with("clock"), "{call}");
    assert_eq!(error("y: int;", "y = current x;"), "clock");
    assert_eq!(error("y: int;", "y = condact(c, sum(x when c), 0);"), "clock");
    assert_eq!(error("y: int;", "y = condact(c, x, 0);"), "clock");
    assert_eq!(error("y: int;", "y = condact(c, sum(x));"), "arity");
    assert_eq!(error("y: int;", "y = condact(x, sum(x), 0);"), "type");
    assert_eq!(error("y: int when x;", "y = 0;"), "type");
    assert_eq!(error("y: int;", "y = merge c (true -> 0);"), "definition");
    assert_eq!(error("a: bool when b; b: bool when a;", "a = true; b = true;"), "clock");
    assert_eq!(error("y: int;", "y = (restart sum every y > 3)(x);"), "causality");
}

/// A branch that is not sampled goes by the steps of the merge, and so do local flows that nothing has on
/// a slower clock.
#[test]
fn branches_that_are_not_sampled() {
    let steps = ("01011", "00000");
    let shown = |locals: &str, body: &str, flow| row(locals, body, flow, steps);
    let counted = "k = 0 -> pre k + 1; y = merge(c; 9; k);";
    assert_eq!(shown("k, y: int;", counted, "k"), "0 1 2 3 4");
    assert_eq!(shown("k, y: int;", counted, "y"), "0 9 2 9 9");
    let before = "y = merge(c; x; 0 -> pre y);";
    assert_eq!(shown("y: int;", before, "y"), "0 11 11 13 14");
    // One is sampled, the other is not; a flow that is made from what is sampled is slower.
    let mixed = "s = (x when c) + 1; t = s + 1; y = merge(c; t; 0 -> pre y);";
    assert_eq!(shown("s, t, y: int;", mixed, "t"), ". 13 . 15 16");
    assert_eq!(shown("s, t, y: int;", mixed, "y"), "0 13 13 15 16");
    let calls = "q = sum(x when c); y = merge(c; q + 1; 0 -> pre y);";
    assert_eq!(shown("q, y: int;", calls, "y"), "0 12 12 25 39");
}

/// All orders of some things.
fn orders<T: Clone>(all: &[T]) -> Vec<Vec<T>> {
    let Some((first, rest)) = all.split_first() else { return vec![Vec::new()] };
    let mut found = Vec::new();
    for order in orders(rest) {
        for at in 0..=order.len() {
            let mut order = order.clone();
            order.insert(at, first.clone());
            found.push(order);
        }
    }
    found
}

/// The row of a flow, or the codes of the errors, which must be the same for every order of
/// the equations.
fn in_any_order(locals: &str, equations: &[&str], flow: &str, steps: (&str, &str)) -> String {
    let one = |order: Vec<&str>| {
        let body = order.concat();
        let errors = codes(&main_node(locals, &body)).join(" ");
        if errors.is_empty() { row(locals, &body, flow, steps) } else { errors }
    };
    let all: Vec<String> = orders(equations).into_iter().map(one).collect();
    assert!(all.iter().all(|row| *row == all[0]), "{equations:?}: {all:?}");
    all[0].clone()
}

#[test]
fn a_reset_that_nothing_determines_is_on_the_clock_of_the_node() {
    let steps = ("011011", "000000");
    // d is true at steps 0, 2 and 4; the call runs at 1, 2, 4 and 5.
    let alone = ["d = true -> not pre d;", "k = count() every d;", "s = k + (x when c);"];
    let locals = "d: bool; k, s, u: int;";
    let with = |other| in_any_order(locals, &[&alone[..], &[other]].concat(), "k", steps);
    assert_eq!(with("u = 0;"), ". 0 0 . 0 1");
    assert_eq!(with("u = if d then x else 0;"), ". 0 0 . 0 1");
    assert_eq!(with("u = sum(0) every d;"), ". 0 0 . 0 1");
    // That only a rule says so is worth a warning; not where somebody says so.
    let warned = |equations: &[&str]| {
        let checked = check_text(&main_node(locals, &equations.concat()));
        checked.warnings.iter().any(|w| w.message.contains("on which clock this reset is"))
    };
    assert!(warned(&[&alone[..], &["u = 0;"]].concat()));
    assert!(!warned(&[&alone[..], &["u = if d then x else 0;"]].concat()));
    // Sampled, it is on the clock of the call: true at steps 1 and 4.
    let slow = ["d = true when c -> not pre d;", alone[1], alone[2]];
    assert_eq!(in_any_order("d: bool; k, s: int;", &slow, "k", steps), ". 0 1 . 0 1");
}

#[test]
fn a_call_that_nothing_determines_is_on_the_clock_of_its_reset() {
    let steps = ("011011", "001001");
    // Of two resets, on the slower clock.
    let two = ["a = count() every r;", "b = count() every (r when c);", "k = a + b;"];
    assert_eq!(in_any_order("a, b, k: int;", &two, "k", steps), ". 0 0 . 2 0");
    assert_eq!(in_any_order("a, b, k: int;", &two, "a", steps), ". 0 0 . 1 0");
    // One that is a reset itself.
    let chain = ["a = count() every (r when c);", "b = sum(x when c) every a = 0;"];
    assert_eq!(in_any_order("a, b: int;", &chain, "b", steps), ". 11 12 . 26 15");
    // On neither of two clocks.
    let neither = ["a = count() every (r when c);", "b = count() every (c when r);", "k = a + b;"];
    assert_eq!(in_any_order("a, b, k: int;", &neither, "k", steps), "clock clock");
    let slower = ["a = sum(x) every (r when c);"];
    assert_eq!(in_any_order("a: int;", &slower, "a", steps), "clock");
}

#[test]
fn what_is_held_resets() {
    let steps = ("011011", "001001");
    // The value that is held, 11 at step 1, is above 11 from step 2 on.
    let held = ["s = x when c;", "k = sum(s) every current s > 11;"];
    assert_eq!(in_any_order("s, k: int;", &held, "k", steps), ". 11 12 . 14 15");
    let held = ["s = x when c;", "d = r when c;", "e = s when d;", "k = sum(current e) every d;"];
    assert_eq!(in_any_order("s, e, k: int; d: bool;", &held, "k", steps), ". 0 12 . 24 15");
}

/// The codes of the errors.
fn codes(text: &str) -> Vec<&'static str> {
    check_text(text).errors.into_iter().map(|found| found.code).collect()
}

#[test]
fn no_condition_takes_the_place_of_another() {
    let twice = |call: &str| codes(&main_node("y: int;", &format!("y = {call};")));
    assert_eq!(twice("condact(c, (activate count every r)(), 0)"), ["clock"]);
    assert_eq!(twice("condact(c, (activate count every r restart every c)(), 0)"), ["clock"]);
    assert_eq!(twice("condact(c, (restart count every r)(), 0)"), [""; 0]);
    let text = "type t = enum { A, B };\nnode main(k: t; x: int) returns (n: int);\n\
                var y: int;\nlet y = x whennot A(k); n = current(y); tel\n";
    assert_eq!(codes(text), ["syntax"]);
}

#[test]
fn bounds_on_steps_are_about_the_steps_of_the_node() {
    let sampled = "s = x when c; check reachable s = 1";
    assert_eq!(codes(&main_node("s: int;", &format!("{sampled};"))), [""; 0]);
    assert_eq!(codes(&main_node("s: int;", &format!("{sampled} at 2;"))), ["clock"]);
    // The same bound beside it, on the clock of the node.
    let beside = "s = x when c; check reachable x = 1 at 2; check reachable current(s) = 1 at 2;";
    assert_eq!(codes(&main_node("s: int;", beside)), [""; 0]);
}

#[test]
fn only_the_interface_of_an_activated_node_is_without_clocks() {
    let inside = "node f(c: bool; x: int) returns (n: int);\nvar y: int when c;\n\
                  let y = x when c; n = current(y); tel\n\
                  node main(d, c: bool; x: int) returns (n: int);\n\
                  let n = condact(d, f(c, x), 0); tel\n";
    assert_eq!(codes(inside), [""; 0]);
}
