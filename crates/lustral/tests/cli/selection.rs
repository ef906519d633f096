//! Which nodes and properties are checked, as it is asked for and as the run ends;
//! the rest is tested in the library.

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
fn arguments_say_what_is_checked() {
    assert_checks(PROGRAM, &[], &[FIRST, SECOND].concat()).expect(40);
    let both = ["--node", "second", "--node", "first"];
    assert_checks(PROGRAM, &both, &[FIRST, SECOND].concat()).expect(40);
    let alone = ["--called-nodes", "off", "--node", "first"];
    assert_checks(PROGRAM, &alone, &["first ok valid"]).expect(0);
}

#[test]
fn the_second_node_decides_the_exit_code_too() {
    let program = "\
node a(x: bool) returns (p: bool);\nlet p = true; tel\n\
node b(x: bool) returns (q: bool);\nlet q = x; tel\n";
    assert_checks(program, &[], &["a p valid", "b q falsifiable"]).expect(40);
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
fn a_node_with_nothing_to_check_is_no_error() {
    let only = "node spare(x: int) returns (y: int);\nlet\n  y = x;\ntel\n";
    for more in [&[][..], &["--compositional"], &["--node", "spare"]] {
        let run = Scratch::new().check(only, more).expect(0);
        assert_eq!(run.events("note").len(), 1, "{more:?}");
    }
}

#[test]
fn a_node_that_is_not_there_is_rejected() {
    let run = Scratch::new().check(PROGRAM, &["--node", "fist"]).expect(3);
    let message = run.events("note")[0]["message"].as_str().unwrap().to_string();
    assert_eq!(message, "there is no node `fist` (is `first` meant?)");
}

/// A size without bounds: no command may end as if all sizes had been looked at.
#[test]
fn no_command_takes_some_sizes_for_all() {
    let files = Scratch::new();
    files.write(
        "called.lus",
        "node sum(const n: int; a: bool^n) returns (s: bool); let s = a[0]; check \"p\" s => a[0]; tel
         node main(const n: int; a: bool^n) returns (t: bool); let t = sum(n, a); tel",
    );
    files.write(
        "open.lus",
        "node imported main(const n: int; a: bool^n) returns (t: int); con guarantee t > n; noc",
    );
    // Of four sizes that are tried one is left.
    files.write(
        "one.lus",
        "node main(const n: int; a: bool^(n - 3)) returns (t: bool);
         let t = a[0]; check \"p\" t => a[0]; tel",
    );
    for file in ["called.lus", "one.lus"] {
        for options in [&["check"][..], &["check", "--compositional"], &["invariants"]] {
            files.lustral(&[options, &[file]].concat()).expect(30);
        }
        files.lustral(&["check", "--node", "main<<4>>", file]).expect(0);
        files.lustral(&["horn", file]).expect(3);
        files.lustral(&["horn", "--node", "main<<4>>", file]).expect(0);
        files.lustral(&["simulate", file]).expect(3);
        files.lustral(&["simulate", "--node", "main<<4>>", file]).expect(0);
        files.lustral(&["check", "--html", "page.html", file]).expect(30);
        let page = std::fs::read_to_string(files.path().join("page.html")).unwrap();
        assert!(page.contains("other values were not checked"));
    }
    let run = files.lustral(&["realize", "open.lus"]).expect(30);
    assert!(run.stderr.contains("other values were not looked at"), "{}", run.stderr);
    files.lustral(&["realize", "--node", "main<<2>>", "open.lus"]).expect(0);
}

#[test]
fn one_property_of_many_is_checked_alone() {
    assert_checks(PROGRAM, &["--property", "b"], &SECOND[1..]).expect(0);
    let run = assert_checks(PROGRAM, &["--property", "bb"], &[]).expect(3);
    assert!(run.stdout.contains("there is no property `bb` (is `b` meant?)"), "{}", run.stdout);
    Scratch::new().check(PROGRAM, &["--property", "b", "--compositional"]).expect(2);
}
