//! `lustral houdini`: what becomes of candidates, and why.

use serde_json::Value;

use crate::common::{Run, Scratch, lustral};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/houdini");

/// By round: the node that was verified, and what was removed.
fn rounds(run: &Run) -> Vec<(String, Vec<String>)> {
    let said: Vec<String> = run.events("candidate").iter().map(said).collect();
    let removed = |round: &Value| {
        let numbers = round["removed"].as_array().unwrap().iter();
        numbers.map(|n| said[n.as_u64().unwrap() as usize - 1].clone()).collect()
    };
    let rounds = run.events("round");
    rounds.iter().map(|r| (r["verified"].as_str().unwrap().into(), removed(r))).collect()
}

fn said(candidate: &Value) -> String {
    let kind = match candidate["kind"].as_str().unwrap() {
        "invariant" => String::new(),
        kind => format!("{kind} "),
    };
    format!(
        "{}: {kind}{}",
        candidate["node"].as_str().unwrap(),
        candidate["candidate"].as_str().unwrap()
    )
}

/// The candidates with some outcome.
fn with(run: &Run, outcome: &str) -> Vec<String> {
    let all = run.events("candidate");
    all.iter().filter(|c| c["outcome"] == outcome).map(said).collect()
}

fn find(run: &Run, text: &str) -> Value {
    run.events("candidate").into_iter().find(|c| said(c) == text).unwrap()
}

fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect()
}

/// The lecture's loop: its four iterations, what each kills, and what remains.
#[test]
fn the_loop_of_the_lecture_goes_as_it_is_told_there() {
    let file = format!("{FOLDER}/loop.lus");
    // Enough to reach step 10,000 on a busy machine.
    let run = lustral(&["houdini", "--json", "--executions", "8", &file]).expect(0);
    let round = |list: &[&str]| {
        ("foo".to_string(), list.iter().map(|c| format!("foo: {c}")).collect::<Vec<_>>())
    };
    assert_eq!(
        rounds(&run),
        [
            round(&["i <> 0", "i > 0"]),
            round(&["i = 0", "x <> y"]),
            round(&["i < 10000"]),
            round(&[])
        ]
    );
    assert_eq!(with(&run, "kept"), ["foo: i >= 0", "foo: i <= 10000"]);
    // It is an invariant, and still not inductive.
    assert_eq!(with(&run, "not_inductive"), ["foo: x <> y"]);
    // Chains of causes lead back to what fails at the first step.
    let unequal = find(&run, "foo: x <> y");
    assert_eq!(numbers(&unequal["removal"]["because"]), [2, 4]);
    assert_eq!(unequal["removal"]["steps"]["steps"], 2);
    let zero = find(&run, "foo: i <> 0");
    assert!(numbers(&zero["removal"]["because"]).is_empty());
    assert_eq!((&zero["step"], &zero["removal"]["steps"]["steps"]), (&0.into(), &1.into()));
    assert_eq!(find(&run, "foo: i = 0")["step"], 1);
}

/// The lecture's procedures: who is verified, what is killed where, and what remains.
#[test]
fn the_procedures_of_the_lecture_go_as_they_are_told_there() {
    let file = format!("{FOLDER}/procedures.lus");
    let run = lustral(&["houdini", "--json", &file]).expect(0);
    let round = |node: &str, list: &[&str]| {
        (node.to_string(), list.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    assert_eq!(
        rounds(&run),
        [
            round("foo", &["bar: requires x mod 2 = 0", "foo: ensures fx >= 0"]),
            round("bar", &[]),
            round("main", &["foo: requires x mod 2 = 0"]),
            round("foo", &[]),
        ]
    );
    let kept = [
        "foo: requires y = 2 * x",
        "foo: ensures fy = 2 * fx",
        "foo: ensures fy mod 2 = 0",
        "bar: requires y = 2 * x",
        "bar: ensures by = 2 * bx",
        "bar: ensures by mod 2 = 0",
        "main: y = 2 * x",
    ];
    assert_eq!(with(&run, "kept"), kept);
    // It is false whatever else is assumed: no removal is to blame.
    let even = find(&run, "foo: requires x mod 2 = 0");
    assert_eq!(
        (&even["removal"]["call"], &even["removal"]["because"]),
        (&"foo".into(), &Value::Array(vec![]))
    );
}

#[test]
fn the_page_tells_the_same() {
    let scratch = Scratch::new();
    let page = scratch.path().join("page.html");
    let file = format!("{FOLDER}/loop.lus");
    let run = lustral(&["houdini", "--table", "--html", page.to_str().unwrap(), &file]).expect(0);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("2 of 7 candidates are left"), "{page}");
    assert!(
        page.contains("remove <a href=\"#c2\"><code>i &lt;&gt; 0</code></a>, <a href=\"#c4\">")
    );
    assert!(page.contains("because <a href=\"#c2\">"));
    let left = "<li><code>foo</code>: <a href=\"#c3\"><code>i &gt;= 0</code></a>, \
                <a href=\"#c6\"><code>i &lt;= 10000</code></a></li>";
    assert!(page.contains(left), "{page}");
    assert!(run.stdout.contains("round 3: foo with 3 left: removed i < 10000"), "{}", run.stdout);
    assert!(run.stdout.contains("because i = 0 of foo was removed in round 2"), "{}", run.stdout);
    assert!(!run.stdout.contains("step    0"), "{}", run.stdout);
}

const COUNT: &str = "\
node count(up: bool) returns (n: int);
let
  n = 0 -> if up and pre n < 10 then pre n + 1 else pre n;
  check n <= 10;
  check \"small\" n <= 9;
tel
";

/// Candidates of files and templates, and what the program states.
#[test]
fn candidates_come_from_everywhere() {
    let scratch = Scratch::new();
    scratch.write("count.lus", COUNT);
    scratch.write("guess", "node count\n  n >= 0;\n  ensures n <> 11;\n  requires up;\n");
    let run =
        scratch.lustral(&["houdini", "--json", "--candidates", "guess", "count.lus"]).expect(30);
    let kept = with(&run, "kept");
    assert_eq!(kept, ["count: n >= 0", "count: ensures n <> 11", "count: property line 4"]);
    assert_eq!(with(&run, "false"), ["count: property small"]);
    assert_eq!(find(&run, "count: property small")["step"], 10);
    assert_eq!(with(&run, "not_tried"), ["count: requires up"]);
    assert!(run.events("candidate")[0]["origin"].as_str().unwrap().ends_with("guess"));
    // Nobody proposes anything: templates do.
    let run = scratch.lustral(&["houdini", "--json", "count.lus"]).expect(30);
    let guesses = run.events("candidate");
    assert!(guesses.iter().any(|c| c["origin"] == "templates" && c["outcome"] == "kept"));
    let run =
        scratch.lustral(&["houdini", "--json", "--templates", "none", "count.lus"]).expect(30);
    assert!(run.events("candidate").iter().all(|c| c["kind"] == "property"));
}

/// Words before candidates are words only where an expression follows, and candidates keep
/// to what they stand for.
#[test]
fn requires_and_ensures_are_about_the_interface() {
    let scratch = Scratch::new();
    let program = "\
node f(requires: int) returns (ensures: int);
var l: int;
let
  l = requires;
  ensures = l;
  --%CANDIDATE ensures = requires;
  --%CANDIDATE requires + 1 > 0;
  --%CANDIDATE ensures ensures = requires;
  --%CANDIDATE requires l > 0;
  --%CANDIDATE requires true -> pre requires > 0;
  --%CANDIDATE ensures l > 0;
tel
node main(x: int) returns (y: int);
let y = f(x); tel
";
    scratch.write("f.lus", program);
    let run = scratch.lustral(&["houdini", "--json", "f.lus"]).expect(0);
    assert_eq!(with(&run, "kept"), ["f: ensures = requires", "f: ensures ensures = requires"]);
    assert_eq!(with(&run, "false"), ["f: requires + 1 > 0"]);
    let skipped = run.events("diagnostic");
    assert_eq!(skipped.len(), 3, "{skipped:?}");
    for skipped in skipped {
        assert!(skipped["message"].as_str().unwrap().ends_with("the candidate is skipped"));
    }
}

#[test]
fn what_cannot_be_explained_is_said() {
    let scratch = Scratch::new();
    let blocked = "node main(x: bool) returns (n: int);
let n = 0 -> pre n + 1; assert n < 3; --%CANDIDATE n < 3; tel
";
    scratch.write("blocked.lus", blocked);
    let run = scratch.lustral(&["houdini", "blocked.lus"]).expect(30);
    assert!(run.stderr.contains("nothing is known of the candidates"), "{}", run.stderr);
    scratch.write("none.lus", "node main(x: bool) returns (y: bool);\nlet y = x; tel\n");
    let run = scratch.lustral(&["houdini", "--templates", "none", "none.lus"]).expect(0);
    assert!(run.stdout.contains("0 of 0 candidates"), "{}", run.stdout);
}

#[test]
fn candidates_are_shown_with_their_parentheses() {
    let scratch = Scratch::new();
    scratch.write(
        "p.lus",
        "node main(x: bool) returns (c: uint8);\nlet\n  \
         c = (uint8 0) -> if x then pre c else (uint8 1);\n  check c <= (uint8 1);\n  \
         --%CANDIDATE c <= (uint8 1);\ntel\n",
    );
    let run = scratch.lustral(&["houdini", "--json", "p.lus"]).expect(0);
    assert_eq!(said(&run.events("candidate")[0]), "main: c <= (uint8 1)");
}

#[test]
fn the_end_of_the_time_is_no_internal_error() {
    let scratch = Scratch::new();
    scratch.write(
        "p.lus",
        "type p = struct { x: int; y: int };\ntype s = struct { a, b: p };\n\
         node main(s: s^3; i: int; p: p) returns (t, u: s^3);\nlet\n  \
         t = s[i := s[i][a := p]];\n  u = s -> pre t;\n  check t = s;\ntel\n",
    );
    let run = scratch.lustral(&["houdini", "--timeout", "1", "p.lus"]);
    assert!(!run.stderr.contains("internal error"), "{}", run.stderr);
}
