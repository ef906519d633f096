//! `check --compositional`: nodes against summaries of what they call.

#![allow(clippy::unwrap_used)]

mod certificates;
mod contracts;
#[path = "../common/mod.rs"]
mod common;

use std::fmt::Write;

use common::{Run, cases, lustral};
use serde_json::Value;
use tempfile::TempDir;

const COUNTER: &str = "node counter(up: bool) returns (n: int);
let
  n = 0 -> if up and pre n < 5 then pre n + 1 else if pre n > 0 then pre n - 1 else pre n;
tel
";

/// Checks a text node by node.
fn check(text: &str, more: &[&str]) -> Run {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("p.lus");
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let limit: &[&str] = if more.contains(&"--timeout") { &[] } else { &["--timeout", "30"] };
    lustral(&[&["check", "--compositional", "--json"], limit, more, &[file]].concat())
}

/// The only verdict on a property of a node.
#[track_caller]
fn verdict(run: &Run, node: &str, property: &str) -> Value {
    let is_it = |v: &&Value| v["node"] == node && v["property"] == property;
    let verdicts = run.events("verdict");
    let found: Vec<&Value> = verdicts.iter().filter(is_it).collect();
    assert_eq!(found.len(), 1, "{node}.{property}: {verdicts:?}");
    found[0].clone()
}

fn abstracted(verdict: &Value) -> Vec<String> {
    let list = verdict["composition"]["abstracted"].as_array().unwrap();
    list.iter().map(|v| v.as_str().unwrap().to_string()).collect()
}

/// Counters one after the other, with a property of the last.
fn chain(calls: usize, bound: usize) -> String {
    let mut text = format!("{COUNTER}node main(up: bool) returns (ok: bool);\nvar");
    let names: Vec<String> = (0..calls).map(|i| format!("c{i}")).collect();
    let _ = writeln!(text, " {}: int;\nlet\n  c0 = counter(up);", names.join(", "));
    for i in 1..calls {
        let _ = writeln!(text, "  c{i} = counter(c{} > 2);", i - 1);
    }
    let _ = writeln!(text, "  ok = c{} <= {bound};\n  --%PROPERTY ok;\ntel", calls - 1);
    text
}

#[test]
fn a_summary_is_enough() {
    let run = check(&chain(1000, 5), &[]).expect(0);
    let valid = verdict(&run, "main", "ok");
    assert_eq!(abstracted(&valid).len(), 1000);
    assert_eq!(valid["composition"]["guarantees"][0]["node"], "counter");
}

#[test]
fn what_fails_in_a_cut_system_may_fail_in_the_program() {
    let run = check(&chain(2, 0), &[]).expect(40);
    let refuted = verdict(&run, "main", "ok");
    assert_eq!(refuted["verdict"], "falsifiable");
    // An execution of the whole program, with the flows of all instances.
    assert_eq!(refuted["trace"]["instances"].as_array().unwrap().len(), 3);
}

/// What a call does inside cannot be said about its outputs: it is inlined.
#[test]
fn a_summary_that_is_too_weak_is_refined() {
    let text = "
node hidden(x: int) returns (y: bool);
var s: int;
let
  s = 0 -> if x > pre s then x else pre s;
  y = s > 100;
tel
node other(b: bool) returns (n: int);
let
  n = 1 -> pre n + 1;
tel
node main(x: int; b: bool) returns (same, positive, wrong: bool);
var u, v: bool; n: int;
let
  u = hidden(x);
  v = hidden(x);
  n = other(b);
  same = (u = v);
  positive = n > 0;
  wrong = true -> not u or pre u;
  --%PROPERTY same;
  --%PROPERTY positive;
  --%PROPERTY wrong;
tel
";
    let run = check(text, &[]).expect(40);
    let same = verdict(&run, "main", "same");
    assert_eq!(same["verdict"], "valid");
    assert!(!abstracted(&same).iter().any(|path| path.starts_with("hidden")), "{same}");
    let positive = verdict(&run, "main", "positive");
    assert_eq!(positive["verdict"], "valid");
    assert!(abstracted(&positive).contains(&"other".to_string()), "{positive}");
    assert_eq!(verdict(&run, "main", "wrong")["verdict"], "falsifiable");
}

#[test]
fn assertions_of_called_nodes_hold_for_their_callers() {
    let text = "
node acc(x: int) returns (s: int);
let
  assert x >= 0;
  s = x -> pre s + x;
tel
node main(x: int) returns (ok, wrong: bool);
var s: int;
let
  s = acc(x);
  ok = s >= x and x >= 0;
  wrong = x <= 7;
  --%PROPERTY ok;
  --%PROPERTY wrong;
tel
";
    let run = check(text, &[]).expect(40);
    assert_eq!(verdict(&run, "main", "ok")["verdict"], "valid");
    let wrong = verdict(&run, "main", "wrong");
    assert_eq!(wrong["verdict"], "falsifiable");
}

#[test]
fn assertions_that_leave_nothing_are_found_across_calls() {
    let text = "
node positive(x: int) returns (y: int);
let
  assert x > 0;
  y = x;
tel
node main(x: int) returns (ok: bool);
var y: int;
let
  assert x < 0;
  y = positive(x);
  ok = y = 3;
  --%PROPERTY ok;
tel
";
    let run = check(text, &[]).expect(30);
    assert_eq!(verdict(&run, "main", "ok")["vacuous"], true);
}

#[test]
fn properties_of_called_nodes_hold_at_every_call_or_in_their_place() {
    let text = format!(
        "{COUNTER}
node half(x: int) returns (y: int);
let
  y = x div 2;
  --%PROPERTY \"small\" 2 * y <= x;
  --%PROPERTY \"positive\" y >= 0;
tel
node two(up: bool) returns (y: int);
let
  y = half(counter(up));
tel
node main(up: bool) returns (y: int);
let
  y = two(up) + two(not up) + half(3);
tel
"
    );
    let run = check(&text, &[]).expect(0);
    let small = verdict(&run, "half", "small");
    assert_eq!(small["composition"]["every_call"], true);
    // Where it is called by `two`, once for both calls of that.
    let inside = verdict(&run, "two", "half.positive");
    assert_eq!(inside["composition"]["every_call"], true);
    let constant = verdict(&run, "main", "half.positive");
    assert_eq!(constant["composition"]["every_call"], false);
    assert_eq!(run.events("verdict").len(), 3);
}

/// That arguments are in range is a property of the callers.
#[test]
fn subranges_of_inputs_are_not_assumed_of_calls() {
    let text = "
node f(x: subrange [0, 9] of int) returns (y: int);
let
  y = x + (0 -> pre x);
  --%PROPERTY \"low\" y <= 18;
tel
node main(i: int) returns (ok: bool);
let
  ok = f(i) <= 18;
  --%PROPERTY ok;
tel
";
    let run = check(text, &[]).expect(40);
    for property in ["ok", "f.low", "f.subrange(x)"] {
        assert_eq!(verdict(&run, "main", property)["verdict"], "falsifiable", "{property}");
    }
}

/// What holds for want of executions is said to, of called nodes too.
#[test]
fn a_called_node_that_blocks_is_warned_of() {
    let text = "\
node low(x: int) returns (y: int);
let
  assert true -> false;
  y = x;
  check \"late\" true -> y > 100;
tel
node main(x: int) returns (y: int);
let
  y = low(x);
  check \"too\" true -> y > 7;
tel
";
    let run = check(text, &[]).expect(0);
    for verdict in run.events("verdict") {
        assert!(verdict["warnings"].to_string().contains("blocks at step 1"), "{verdict}");
    }
}

/// What is certain is shown at once, not when the whole node is done.
#[test]
fn verdicts_do_not_wait_for_the_others() {
    let run = check(common::HARD, &["--timeout", "6"]).expect(40);
    let seconds = |property: &str| verdict(&run, "main", property)["seconds"].as_f64().unwrap();
    for property in ["easy", "wrong"] {
        let (early, late) = (seconds(property), seconds("ok"));
        assert!(early + 1.0 < late, "{property} after {early} s, the last after {late} s");
    }
}

#[test]
fn text_and_page_name_the_abstracted_calls() {
    let folder = TempDir::new().unwrap();
    let (file, page) = (folder.path().join("p.lus"), folder.path().join("p.html"));
    std::fs::write(&file, chain(2, 5)).unwrap();
    let [file, page] = [&file, &page].map(|p| p.to_str().unwrap());
    let run = lustral(&["check", "--compositional", "--html", page, file]).expect(0);
    assert!(run.stdout.contains("abstracted calls: counter[1], counter[2]"), "{}", run.stdout);
    assert!(run.stdout.contains("counter: n <= 5"), "{}", run.stdout);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("Abstracted calls: counter[1], counter[2]"));
}

/// The verdict on a property of an instance: its own, or that on all calls of
/// the node it is in, or of one on the way to it.
fn about<'v>(verdicts: &'v [Value], root: &str, name: &str) -> Option<&'v Value> {
    let (mut node, mut rest) = (root.to_string(), name);
    loop {
        let is_it = |v: &&Value| v["node"] == *node && v["property"] == rest;
        if let Some(found) = verdicts.iter().find(is_it) {
            return Some(found);
        }
        let (head, tail) = rest.split_once('.')?;
        node = head.split('[').next().unwrap().to_string();
        rest = tail;
    }
}

/// Warnings of a verdict, but for what is said only where it was found out in time.
fn warnings(verdict: &Value) -> Vec<&Value> {
    let all = verdict["warnings"].as_array().unwrap();
    all.iter().filter(|w| !w.as_str().unwrap().ends_with("(says-nothing)")).collect()
}

/// Node by node, the cases have the verdicts that they have as a whole.
#[test]
fn the_cases_have_the_same_verdicts() {
    for case in cases::read_all(&cases::folder()) {
        let path = case.path.to_str().unwrap();
        let args = ["check", "--json", "--timeout", "30", path];
        let whole = lustral(&args);
        let parts = lustral(&[&args[..], &["--compositional"]].concat());
        assert_eq!(whole.code, parts.code, "{path}: {}", parts.stdout);
        let verdicts = parts.events("verdict");
        for expected in whole.events("verdict") {
            let [node, name] = ["node", "property"].map(|key| expected[key].as_str().unwrap());
            let found = about(&verdicts, node, name);
            let found = found.unwrap_or_else(|| panic!("{path}: {name} has no verdict"));
            for key in ["verdict", "vacuous"] {
                assert_eq!(found[key], expected[key], "{path}: {name}");
            }
            assert_eq!(warnings(found), warnings(&expected), "{path}: {name}");
        }
    }
}

/// A call whose input depends on its own output is given something else in a
/// spurious execution, so its inputs say nothing about who is to blame.
#[test]
fn a_call_that_is_given_its_own_output_is_to_blame() {
    let text = "node f(c, d: bool) returns (a, b: bool);\nvar h: int;\n\
                let\n  h = 0 -> if pre h >= 4 then 0 else pre h + 1;\n  \
                a = h = 2 or (c and h = 4);\n  b = d and h = 1;\ntel\n\
                node main(x: bool; p, q, r: int) returns (m: int);\nvar a, b: bool;\n\
                let\n  a, b = f(x, a);\n  m = 0 -> if a then 0 else pre m + 1;\n  \
                check \"P1\" m <= 4;\n  \
                check \"P2\" not (p*p*p + q*q*q + r*r*r = 42);\ntel\n";
    // Nobody decides the other one: a round that repeats itself takes all its time.
    let run = check(text, &["--timeout", "12"]);
    assert_eq!(verdict(&run, "main", "P1")["verdict"], "valid");
}

/// A node that runs at times is looked at once, and known by what it guarantees where it runs.
#[test]
fn calls_on_slower_clocks_are_cut() {
    let text = "node count(x: bool) returns (n: int);
con guarantee \"pos\" n >= 0; noc
let n = (if x then 1 else 0) -> pre n + (if x then 1 else 0); tel
node main(c, r, x: bool) returns (m, k: int);
let
  m = condact(c, count(x), 0);
  k = (restart count every r)(x);
  check \"m\" m >= 0;
  check \"k\" k >= 0;
tel
";
    let run = check(text, &[]).expect(0);
    assert_eq!(verdict(&run, "count", "pos")["verdict"], "valid");
    for name in ["m", "k"] {
        let found = verdict(&run, "main", name);
        assert_eq!(found["verdict"], "valid");
        assert!(!found["composition"]["abstracted"].as_array().unwrap().is_empty(), "{found}");
    }
    // It grows until it begins anew.
    let text = text.replace("check \"k\" k >= 0;", "check \"k\" true -> k >= pre k;");
    let run = check(&text, &[]).expect(40);
    assert_eq!(verdict(&run, "main", "k")["verdict"], "falsifiable");
}

/// Flows of an interface on slower clocks: what their node does is looked at in place.
#[test]
fn interfaces_on_slower_clocks_are_unfolded() {
    let text = "node slow(c: bool; x: int when c) returns (y: int when c);
let y = (if x > 0 then x else 0) -> pre y + (if x > 0 then x else 0); tel
node twice(c: bool; x: int) returns (y: int);
let y = current(slow(c, x when c)); tel
node main(c: bool; x: int) returns (m: int);
let
  m = twice(true -> c, x);
  check \"m\" m >= 0;
tel
";
    let run = check(text, &[]).expect(0);
    assert_eq!(verdict(&run, "main", "m")["verdict"], "valid");
}

/// What a node owes only where nobody calls it is not looked for in what it calls.
#[test]
fn properties_of_calls_that_are_never_cut() {
    let text = "node f(x: int) returns (y: int);
con assume \"positive\" x > 0; noc
let y = x; check \"same\" y = x; tel
node g(x: int) returns (y: int);
let y = f(x); tel
node main(x: int) returns (y: int);
let y = g(if x > 0 then x else 1); check \"y\" y > 0; tel
";
    let run = check(text, &[]).expect(0);
    assert_eq!(verdict(&run, "main", "y")["verdict"], "valid");
}

/// What an output is a copy of is seen by callers, its own definition is not.
#[test]
fn an_output_that_copies_a_local_hides_what_that_remembers() {
    let text = "node sat(x: int) returns (y: int);
let y = if x > 10 then 10 else x; tel
node hold(x: int) returns (y: int);
var z: int;
let y = z; z = 0 -> pre sat(z + x); tel
node mid(x: int) returns (y: int);
let y = hold(x); tel
node main(x: int) returns (ok: bool);
let
  ok = mid(x) <= 10;
  --%PROPERTY ok;
tel
";
    let run = check(text, &[]).expect(0);
    assert_eq!(verdict(&run, "main", "ok")["verdict"], "valid");
}
