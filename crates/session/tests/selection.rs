//! Which nodes and properties are checked.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use lustral_session::{
    Check, CheckOptions, EngineChoice, Event, Remark, Request, SearchOptions, Selection,
};

const PROGRAM: &str = "\
node helper(x: int) returns (y: int);
var small: bool;
let
  y = x + 1;
  small = y < 5;
  --%PROPERTY small;
tel

node first(x: int) returns (ok: bool);
let
  ok = helper(x) > x;
  --%PROPERTY ok;
tel

node second(x: int) returns (a, b: bool; n: int);
let
  a = x > 0;
  b = x = x;
  n = x;
tel

node spare(x: int) returns (y: int);
let
  y = x;
tel
";

const FIRST: [&str; 2] = ["first helper.small falsifiable", "first ok valid"];
const SECOND: [&str; 2] = ["second a falsifiable", "second b valid"];

/// Everything by name, and outputs where nothing is stated.
fn named(nodes: &[&str]) -> Selection {
    let nodes = nodes.iter().map(ToString::to_string).collect();
    Selection { nodes, outputs: true, ..Selection::default() }
}

fn check(text: &str, selection: Selection) -> Vec<Event> {
    let engines = ["bmc", "k-induction"];
    let engines = engines.map(|name| EngineChoice::named(name).unwrap()).to_vec();
    let search = SearchOptions { engines, ..SearchOptions::default() };
    let time = Some(Duration::from_secs(60));
    let options = CheckOptions { selection, search, time, ..CheckOptions::default() };
    Check::new(Request::text("a.lus", text), options).collect()
}

/// Node, property and verdict, sorted.
fn verdicts(events: &[Event]) -> Vec<String> {
    let line = |event: &Event| match event {
        Event::Verdict(v) => Some(format!("{} {} {}", v.node, v.property, v.word())),
        _ => None,
    };
    let mut list: Vec<String> = events.iter().filter_map(line).collect();
    list.sort();
    list
}

fn remarks(events: &[Event]) -> Vec<&Remark> {
    let remarks = events.iter().filter_map(|event| match event {
        Event::Remark { remark, .. } => Some(remark),
        _ => None,
    });
    remarks.collect()
}

#[track_caller]
fn assert_checks(program: &str, selection: Selection, expected: &[&str]) {
    assert_eq!(verdicts(&check(program, selection)), expected);
}

#[test]
fn every_node_that_no_other_calls_is_checked() {
    assert_checks(PROGRAM, named(&[]), &[FIRST, SECOND].concat());
}

#[test]
fn nodes_are_checked_by_name() {
    assert_checks(PROGRAM, named(&["first"]), &FIRST);
    assert_checks(PROGRAM, named(&["second"]), &SECOND);
    assert_checks(PROGRAM, named(&["helper"]), &["helper small falsifiable"]);
    assert_checks(PROGRAM, named(&["second", "first"]), &[FIRST, SECOND].concat());
}

#[test]
fn properties_of_called_nodes_can_be_left_out() {
    let selection = Selection { called_nodes: false, ..named(&["first"]) };
    assert_checks(PROGRAM, selection, &["first ok valid"]);
}

#[test]
fn marked_nodes_are_checked_and_no_others() {
    for mark in ["--%MAIN;", "--%MAIN", "--!MAIN;", "--!MAIN : true;"] {
        let program = PROGRAM.replace("  n = x;\n", &format!("  n = x;\n  {mark}\n"));
        assert_checks(&program, named(&[]), &SECOND);
    }
    let marked = PROGRAM.replace("  y = x + 1;\n", "  y = x + 1;\n  --%MAIN;\n");
    assert_checks(&marked, named(&[]), &["helper small falsifiable"]);
    assert_checks(&marked, named(&["first"]), &FIRST);
}

#[test]
fn properties_of_nodes_that_nobody_calls_are_not_left_out_without_a_word() {
    let program = PROGRAM.replace("  n = x;\n", "  n = x;\n  --%MAIN;\n");
    let events = check(&program, named(&[]));
    let left_out = remarks(&events).into_iter().find_map(|remark| match remark {
        Remark::LeftOut { nodes } => Some(nodes.clone()),
        _ => None,
    });
    assert_eq!(left_out, Some(vec!["helper".to_string(), "first".to_string()]));
    // Who chooses nodes, or leaves none out, hears nothing of it.
    for selection in [named(&["second"]), named(&[])] {
        let program = if selection.nodes.is_empty() { PROGRAM } else { &program };
        let events = check(program, selection);
        assert!(!remarks(&events).iter().any(|r| matches!(r, Remark::LeftOut { .. })));
    }
}

#[test]
fn several_marked_nodes_are_all_checked() {
    let program = PROGRAM
        .replace("  n = x;\n", "  n = x;\n  --%MAIN;\n")
        .replace("  y = x + 1;\n", "  y = x + 1;\n  --%MAIN;\n");
    let all = [&["helper small falsifiable"][..], &SECOND].concat();
    assert_checks(&program, named(&[]), &all);
}

#[test]
fn a_node_without_properties_is_checked_by_its_boolean_outputs() {
    let events = check(PROGRAM, named(&["second"]));
    let said = remarks(&events);
    assert!(matches!(said[..], [Remark::ByOutputs { node }] if node == "second"), "{said:?}");
    assert!(remarks(&check(PROGRAM, named(&["first"]))).is_empty());
}

#[test]
fn boolean_outputs_are_no_properties_unless_asked_for() {
    let stated = |nodes: &[&str]| Selection { outputs: false, ..named(nodes) };
    assert_checks(PROGRAM, stated(&[]), &FIRST);
    let events = check(PROGRAM, stated(&["second"]));
    let said = remarks(&events);
    assert!(verdicts(&events).is_empty());
    assert!(matches!(said[..], [Remark::NothingToCheck { node: Some(n) }] if n == "second"));
    assert!(said[0].to_string().contains("--outputs"), "{}", said[0]);
}

#[test]
fn a_contract_without_a_body_is_nothing_that_could_be_broken() {
    let program = "node imported f(x: int) returns (y: int);\ncon guarantee y > x; noc\n";
    let selection = || Selection { outputs: false, ..named(&["f"]) };
    for compositional in [false, true] {
        let events = check(program, Selection { compositional, ..selection() });
        let said = remarks(&events);
        assert!(matches!(said[..], [Remark::NoBody { node }] if node == "f"), "{said:?}");
        assert!(said[0].to_string().contains("realize"), "{}", said[0]);
    }
}

#[test]
fn a_node_with_nothing_to_check_is_mentioned_if_it_was_asked_for() {
    let events = check(PROGRAM, named(&["spare"]));
    let said = remarks(&events);
    assert!(matches!(said[..], [Remark::NothingToCheck { node: Some(n) }] if n == "spare"));
    let only = "node spare(x: int) returns (y: int);\nlet\n  y = x;\ntel\n";
    for compositional in [false, true] {
        let events = check(only, Selection { compositional, ..named(&[]) });
        assert_eq!(remarks(&events).len(), 1, "{compositional}: {events:?}");
    }
}

#[test]
fn a_node_that_is_not_there_is_named_and_a_similar_one_offered() {
    let message = |name: &str| {
        let events = check(PROGRAM, named(&[name]));
        remarks(&events)[0].to_string()
    };
    assert_eq!(message("fresh22"), "there is no node `fresh22`");
    assert_eq!(message("fist"), "there is no node `fist` (is `first` meant?)");
    assert_eq!(message("secnd"), "there is no node `secnd` (is `second` meant?)");
}

#[test]
fn each_call_has_its_own_properties() {
    let program = "\
node step(x: int) returns (y: int);
let
  y = x + 1;
  --%PROPERTY \"grows\" y > 0;
tel
node main(x: int) returns (z: int);
let
  z = step(1) + step(x) + step(step(2));
tel
";
    let names = [
        "main step[1].grows valid",
        "main step[2].grows falsifiable",
        "main step[3].grows valid",
        "main step[4].grows valid",
    ];
    assert_checks(program, named(&[]), &names);
}
