//! Which nodes and properties are checked.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use lustral_session::report::Outcome;
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

/// Holds for all sizes that are tried; fails from three elements on; fails for one element.
const SIZES: &str = "\
node main(const n: int; a: bool^n) returns (s: int^n);
let
  s[i] = (if a[i] then 1 else 0) + (if i = 0 then 0 else s[i - 1]);
  check \"whole\" s[n - 1] <= n;
  check \"few\" s[n - 1] < 3;
  check reachable \"two\" s[n - 1] = 2;
  check reachable \"ten\" s[n - 1] = 10;
tel
";

#[test]
fn sizes_without_bounds_leave_open_what_holds_for_those_that_are_tried() {
    for text in [
        SIZES.to_string(),
        SIZES.replace("const n: int; ", "").replace("node main", "const n: int;\nnode main"),
    ] {
        for compositional in [false, true] {
            let selection = Selection { compositional, ..Selection::default() };
            let options = CheckOptions { selection, ..CheckOptions::default() };
            let mut of_the_node = Vec::new();
            let mut fails = Vec::new();
            for event in Check::new(Request::text("sizes.lus", &*text), options) {
                let Event::Verdict(verdict) = event else { continue };
                if verdict.node == "main" {
                    of_the_node.push(format!("{} {}", verdict.property, verdict.word()));
                } else if verdict.word() == "falsifiable" {
                    fails.push(verdict.node.clone());
                }
            }
            assert_eq!(of_the_node, ["whole unknown", "ten unknown"], "{text}");
            let third = if text.starts_with("const") { "main<<n = 3>>" } else { "main<<3>>" };
            assert!(fails.contains(&third.to_string()), "{fails:?}");
        }
    }
}

/// What a node states that is called with the size of its caller.
const CALLED: &str = "\
node helper(x: int) returns (y: int); let y = x; check \"same\" y = x; tel
node sum(const n: int; a: bool^n) returns (s: int^n);
let
  s[i] = (if a[i] then 1 else 0) + (if i = 0 then 0 else s[i - 1]);
  check \"inner\" s[n - 1] <= n;
  check \"few\" s[n - 1] < 3;
tel
node main(const n: int; a: bool^n) returns (t: int);
let
  t = helper(sum(n, a)[n - 1]);
tel
";

/// What is said of nodes that stand for no value.
fn said_of_all(text: &str, selection: Selection) -> Vec<String> {
    let options = CheckOptions { selection, ..CheckOptions::default() };
    let mut said = Vec::new();
    for event in Check::new(Request::text("sizes.lus", text), options) {
        let Event::Verdict(verdict) = event else { continue };
        if !verdict.node.contains("<<") {
            let (node, property, word) = (&verdict.node, &verdict.property, verdict.word());
            said.push(format!("{node} {property} {word}"));
        }
    }
    said
}

#[test]
fn what_called_nodes_state_is_open_for_other_sizes_too() {
    let free = CALLED.replace("const n: int; ", "").replace("sum(n, ", "sum(");
    for text in [CALLED.to_string(), format!("const n: int;\n{free}")] {
        let whole = said_of_all(&text, Selection::default());
        assert_eq!(whole, ["main helper.same unknown", "main sum.inner unknown"], "{text}");
        let compositional = Selection { compositional: true, ..Selection::default() };
        let by_nodes = said_of_all(&text, compositional);
        assert_eq!(
            by_nodes,
            ["helper same valid", "sum inner unknown", "sum few unknown"],
            "{text}"
        );
    }
}

#[test]
fn a_size_that_was_chosen_stands_for_itself() {
    let chosen = |names: &[&str]| Selection {
        nodes: names.iter().map(ToString::to_string).collect(),
        ..Selection::default()
    };
    assert!(said_of_all(CALLED, chosen(&["main<<2>>"])).is_empty());
    let both = said_of_all(CALLED, chosen(&["main<<2>>", "main"]));
    assert_eq!(both, ["main helper.same unknown", "main sum.inner unknown"]);
}

/// The reasons why nothing is known of the node `main`, or what is wrong with the program.
fn reasons(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for event in Check::new(Request::text("sizes.lus", text), CheckOptions::default()) {
        match event {
            Event::Diagnostics(wrong) => {
                found.extend(wrong.list.iter().map(|d| format!("error: {}", d.message)));
            }
            Event::Verdict(verdict) if verdict.node == "main" => match verdict.outcome() {
                Outcome::Unknown { reason, .. } => found.push(reason.clone()),
                _ => panic!("{} is settled", verdict.property),
            },
            _ => {}
        }
    }
    found
}

#[test]
fn sizes_for_which_a_program_has_no_meaning_are_not_tried() {
    let by_type = "node main(const n: int; a: bool^(n - 1)) returns (t: bool);
        let t = a[0]; check \"ok\" a[0] => t; tel";
    let by_body = "node main(const n: int; a: bool^n) returns (t: bool); var b: bool^(n - 1);
        let b = true^(n - 1); t = a[0] and b[0]; check \"ok\" t => a[0]; tel";
    let by_call =
        "node sub(const k: int; a: bool) returns (b: bool^(k - 1)); let b = a^(k - 1); tel
        node main(const n: int; a: bool^n) returns (t: bool);
        let t = sub(n, a[0])[0]; check \"ok\" t => a[0]; tel";
    let below = "node sub(const k: int; a: bool) returns (b: bool); var c: bool^(k - 1);
        let c = a^(k - 1); b = c[0]; tel
        node main(const n: int; a: bool^n) returns (t: bool);
        let t = sub(n, a[0]); check \"ok\" t => a[0]; tel";
    let free = "const n: int; node main(a: bool^(n - 1)) returns (t: bool);
        let t = a[0]; check \"ok\" a[0] => t; tel";
    let looked = "it holds for n = 1 to 4 (but not n = 1, for which the program has an error); \
                  other values were not checked";
    for text in [by_type, by_body, by_call, below, free] {
        assert_eq!(reasons(text), [looked], "{text}");
        let none = reasons(&text.replace("- 1", "- 9"));
        assert!(none.iter().all(|found| found.starts_with("error: an array cannot")), "{none:?}");
        assert!(!none.is_empty(), "{text}");
        // Where the values are all that there are, each counts.
        let all = text.replace("const n: int", "const n: subrange [1, 3] of int");
        let all = reasons(&all);
        assert!(
            all.iter().any(|found| found == "error: an array cannot have 0 elements"),
            "{all:?}"
        );
    }
}

#[test]
fn properties_are_checked_by_name() {
    let only = |names: &[&str]| Selection {
        properties: names.iter().map(ToString::to_string).collect(),
        ..named(&[])
    };
    assert_checks(PROGRAM, only(&["ok"]), &["first ok valid"]);
    assert_checks(PROGRAM, only(&["helper.small", "b"]), &[FIRST[0], SECOND[1]]);
    // Nothing is said of nodes that have none of them.
    assert!(
        remarks(&check(PROGRAM, only(&["b"])))
            .iter()
            .all(|r| !matches!(r, Remark::NothingToCheck { .. }))
    );
}

#[test]
fn a_property_that_does_not_exist_is_told() {
    let asked = |names: &[&str]| {
        let properties = names.iter().map(ToString::to_string).collect();
        let events = check(PROGRAM, Selection { properties, ..named(&[]) });
        let told: Vec<String> = remarks(&events).iter().map(ToString::to_string).collect();
        (verdicts(&events), told)
    };
    let (found, told) = asked(&["a", "helper.smal"]);
    assert_eq!(found, ["second a falsifiable"]);
    assert!(
        told.contains(&"there is no property `helper.smal` (is `helper.small` meant?)".to_string())
    );
    let (found, told) = asked(&["whatever"]);
    assert!(found.is_empty());
    let listed = "there is no property `whatever`; there are `ok`, `helper.small`, `a`, `b`";
    assert!(told.iter().any(|t| t == listed), "{told:?}");
}
