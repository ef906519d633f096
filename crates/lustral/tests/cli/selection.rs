//! Which nodes and properties are checked.

use crate::common::{Run, Scratch};

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

/// Node, property and verdict, sorted.
fn verdicts(run: &Run) -> Vec<String> {
    let line = |v: &serde_json::Value| {
        let part = |name: &str| v[name].as_str().unwrap().to_string();
        format!("{} {} {}", part("node"), part("property"), part("verdict"))
    };
    let mut list: Vec<String> = run.events("verdict").iter().map(line).collect();
    list.sort();
    list
}

#[track_caller]
fn assert_checks(program: &str, args: &[&str], expected: &[&str]) -> Run {
    let run = Scratch::new().check(program, &[args, &["--outputs"]].concat());
    assert_eq!(verdicts(&run), expected, "{}", run.stdout);
    run
}

const FIRST: [&str; 2] = ["first helper.small falsifiable", "first ok valid"];
const SECOND: [&str; 2] = ["second a falsifiable", "second b valid"];

#[test]
fn every_node_that_no_other_calls_is_checked() {
    assert_checks(PROGRAM, &[], &[FIRST, SECOND].concat()).expect(40);
}

#[test]
fn the_second_node_decides_the_exit_code_too() {
    let program = "\
node a(x: bool) returns (p: bool);\nlet p = true; tel\n\
node b(x: bool) returns (q: bool);\nlet q = x; tel\n";
    assert_checks(program, &[], &["a p valid", "b q falsifiable"]).expect(40);
}

#[test]
fn nodes_are_checked_by_name() {
    assert_checks(PROGRAM, &["--node", "first"], &FIRST).expect(40);
    assert_checks(PROGRAM, &["--node", "second"], &SECOND).expect(40);
    assert_checks(PROGRAM, &["--node", "helper"], &["helper small falsifiable"]).expect(40);
}

#[test]
fn several_nodes_are_checked_by_name() {
    let both = ["--node", "second", "--node", "first"];
    assert_checks(PROGRAM, &both, &[FIRST, SECOND].concat()).expect(40);
}

#[test]
fn properties_of_called_nodes_can_be_left_out() {
    let run =
        assert_checks(PROGRAM, &["--called-nodes", "off", "--node", "first"], &["first ok valid"]);
    run.expect(0);
}

#[test]
fn marked_nodes_are_checked_and_no_others() {
    for mark in ["--%MAIN;", "--%MAIN", "--!MAIN;", "--!MAIN : true;"] {
        let program = PROGRAM.replace("  n = x;\n", &format!("  n = x;\n  {mark}\n"));
        assert_checks(&program, &[], &SECOND).expect(40);
    }
    let marked = PROGRAM.replace("  y = x + 1;\n", "  y = x + 1;\n  --%MAIN;\n");
    assert_checks(&marked, &[], &["helper small falsifiable"]).expect(40);
    assert_checks(&marked, &["--node", "first"], &FIRST).expect(40);
}

#[test]
fn several_marked_nodes_are_all_checked() {
    let program = PROGRAM
        .replace("  n = x;\n", "  n = x;\n  --%MAIN;\n")
        .replace("  y = x + 1;\n", "  y = x + 1;\n  --%MAIN;\n");
    let all = [&["helper small falsifiable"][..], &SECOND].concat();
    assert_checks(&program, &[], &all).expect(40);
}

#[test]
fn a_node_without_properties_is_checked_by_its_boolean_outputs() {
    let run = Scratch::new().check(PROGRAM, &["--node", "second", "--outputs"]);
    let notes = run.events("note");
    let message = notes[0]["message"].as_str().unwrap();
    assert_eq!(message, "node `second` states no property: its boolean outputs are checked");
    let stated = Scratch::new().check(PROGRAM, &["--node", "first", "--outputs"]);
    assert!(stated.events("note").is_empty());
}

#[test]
fn boolean_outputs_are_no_properties_unless_asked_for() {
    let run = Scratch::new().check(PROGRAM, &[]).expect(40);
    assert_eq!(verdicts(&run), FIRST);
    let run = Scratch::new().check(PROGRAM, &["--node", "second"]).expect(0);
    assert!(verdicts(&run).is_empty());
    let message = run.events("note")[0]["message"].as_str().unwrap().to_string();
    assert!(message.contains("nothing to check") && message.contains("--outputs"), "{message}");
}

#[test]
fn a_node_with_nothing_to_check_is_mentioned_if_it_was_asked_for() {
    let run = Scratch::new().check(PROGRAM, &["--node", "spare"]).expect(0);
    let message = run.events("note")[0]["message"].as_str().unwrap().to_string();
    assert!(message.starts_with("node `spare` has nothing to check"), "{message}");
    let only = "node spare(x: int) returns (y: int);\nlet\n  y = x;\ntel\n";
    let run = Scratch::new().check(only, &[]).expect(0);
    assert_eq!(run.events("note").len(), 1);
    let compositional = Scratch::new().check(only, &["--compositional"]).expect(0);
    assert_eq!(compositional.events("note").len(), 1);
}

#[test]
fn a_node_that_is_not_there_is_named_and_a_similar_one_offered() {
    let message = |name: &str| {
        let run = Scratch::new().check(PROGRAM, &["--node", name]).expect(3);
        run.events("note")[0]["message"].as_str().unwrap().to_string()
    };
    assert_eq!(message("frist2"), "there is no node `frist2`");
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
    assert_checks(program, &[], &names).expect(40);
}
