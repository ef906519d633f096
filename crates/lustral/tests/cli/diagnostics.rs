//! Diagnostics: several in one run, each where it belongs.

use crate::common::{Scratch, node};

/// Code and line of each diagnostic, in the order shown.
fn places(program: &str) -> Vec<(String, u64)> {
    let run = Scratch::new().check(program, &[]);
    let place = |d: &serde_json::Value| {
        (d["code"].as_str().unwrap().to_string(), d["line"].as_u64().unwrap())
    };
    run.events("diagnostic").iter().map(place).collect()
}

#[track_caller]
fn assert_places(program: &str, expected: &[(&str, u64)]) {
    let expected: Vec<(String, u64)> =
        expected.iter().map(|(code, line)| ((*code).to_string(), *line)).collect();
    assert_eq!(places(program), expected);
}

/// What most languages write between parameters is said once, and hides nothing.
#[test]
fn commas_between_declarations_are_read_as_they_are_meant() {
    let program = "\
node add(a: int, b: int) returns (c: int, d: bool);
let c = a + b; d = c; tel
node main(x: int) returns (y: int; z: bool);
let (y, z) = add(x, 1); tel
";
    assert_places(program, &[("syntax", 1), ("syntax", 1), ("type", 2)]);
}

#[test]
fn several_errors_of_meaning_in_one_run() {
    let program = "\
const c = 1 + true;
type t = colour;
node main(x: int; x: bool) returns (y: int; z: bool);
var unused: int;
let
  y = x + 1.5;
  z = other(x);
  y = 3;
  q = 4;
  x = 5;
tel
";
    let found = places(program);
    for expected in [
        ("type", 1),
        ("undeclared", 2),
        ("duplicate", 3),
        ("definition", 4),
        ("undeclared", 7),
        ("definition", 8),
        ("undeclared", 9),
        ("definition", 10),
    ] {
        let (code, line) = expected;
        assert!(found.contains(&(code.to_string(), line)), "{expected:?} is not in {found:?}");
    }
    assert!(found.is_sorted_by_key(|(_, line)| *line), "{found:?}");
}

#[test]
fn several_errors_of_grammar_in_one_run() {
    let program = "\
node a(x: int) returns (y: int)
let
  y = x + ;
  y = (x;
tel
nod b(x: int) returns (y: int);
let
  y = x
tel
node c(x: int) returns (y: int);
let
  y = x x;
tel
";
    let found = places(program);
    assert!(found.iter().all(|(code, _)| code == "syntax"), "{found:?}");
    let lines: Vec<u64> = found.iter().map(|(_, line)| *line).collect();
    for line in [3, 4, 6, 12] {
        assert!(lines.contains(&line), "nothing at line {line}: {found:?}");
    }
}

#[test]
fn one_mistake_is_one_error() {
    assert_places(&node("  ok = i + 1 > missing;"), &[("undeclared", 3)]);
    assert_places(&node("  ok = (b + 1) * 2 > 3;"), &[("type", 3)]);
    assert_places(&node("  ok = b\n  assert b;"), &[("syntax", 3)]);
    assert_places(&node("  ok = if b then i else r > 2.0;"), &[("type", 3)]);
    assert_places("node main(x: bool) returns (y: bool);\nlet\n  y = x;\n", &[("syntax", 4)]);
}

#[test]
fn errors_are_counted_for_people() {
    let scratch = Scratch::new();
    scratch.write("p.lus", node("  ok = i;\n  --%PROPERTY none;"));
    let run = scratch.lustral(&["check", "p.lus"]).expect(3);
    assert!(run.stderr.contains("the program is rejected: 2 errors\n"), "{}", run.stderr);
    assert!(run.stderr.contains(" --> p.lus:3:8\n"), "{}", run.stderr);
    scratch.write("p.lus", node("  ok = i;"));
    let run = scratch.lustral(&["check", "p.lus"]).expect(3);
    assert!(run.stderr.contains("the program is rejected: 1 error\n"), "{}", run.stderr);
}

#[test]
fn a_rejected_program_is_not_one_with_nothing_to_check() {
    let scratch = Scratch::new();
    scratch.write("p.lus", node("  ok = i;"));
    let run = scratch.lustral(&["check", "p.lus"]).expect(3);
    assert!(!run.stdout.contains("nothing to check"), "{}", run.stdout);
}

#[test]
fn thousands_of_errors_are_cut_short() {
    let scratch = Scratch::new();
    scratch.write("p.lus", node(&"  ok = missing;\n".repeat(5_000)));
    let run = scratch.lustral(&["check", "p.lus"]).expect(3);
    assert!(run.stderr.lines().count() < 2_000);
    assert!(run.stderr.contains(" more\n"), "{}", &run.stderr[run.stderr.len() - 200..]);
}

#[test]
fn warnings_do_not_reject() {
    let program = node("  ok = pre b or i div 0 = 1 or true;\n  --%PROPERTY ok;");
    assert_places(&program, &[("unguarded-pre", 3), ("division-by-zero", 3)]);
    Scratch::new().check(&program, &[]).expect(0);
}

/// Habits from other languages: one error for each, with what to write.
#[test]
fn operators_of_other_languages() {
    let program = "node main(a, b: bool; x: int) returns (ok: bool);\nlet\n  \
                   ok = (a && !b) || x == 1 and x != 2;\ntel\n";
    let run = Scratch::new().check(program, &["--dialect", "v6"]).expect(3);
    let found = run.events("diagnostic");
    let help: Vec<&str> = found.iter().map(|d| d["help"].as_str().unwrap()).collect();
    let write = |word: &str| format!("write `{word}` instead");
    assert_eq!(help, ["and", "not", "or", "=", "<>"].map(write), "{found:?}");
    // In the dialect that has some of them, they are for machine integers.
    let program = "node main(a, b: bool) returns (ok: bool);\nlet\n  ok = a && b;\ntel\n";
    let run = Scratch::new().check(program, &[]).expect(3);
    let found = run.events("diagnostic");
    let help: Vec<&str> = found.iter().map(|d| d["help"].as_str().unwrap()).collect();
    assert_eq!(help, ["of truth values write `and`"], "{found:?}");
}

/// What is wrong is said once.
#[test]
fn a_vacuous_verdict_gives_its_reason_once() {
    let program = "node main(x: int) returns (ok: bool);\nlet\n  assert x > x;\n  ok = true;\n  check ok;\ntel\n";
    let scratch = Scratch::new();
    let json = scratch.check(program, &[]).expect(30);
    assert_eq!(json.events("verdict")[0]["vacuous"], true);
    assert_eq!(json.events("verdict")[0]["warnings"], serde_json::json!([]));
    let text = scratch.lustral(&["check", "program.lus"]).expect(30).stdout;
    assert_eq!(text.matches("contradict").count(), 1, "{text}");
}

/// An arm of `match` has steps of its own: the first of them may be later than that of the node.
#[test]
fn an_arrow_outside_of_an_arm_guards_nothing_in_it() {
    let arm = |value: &str| {
        format!(
            "datatype o = N | S (v: int);\nnode main(x: o; k: int) returns (y: int);\nlet\n  \
             y = 0 -> match x with | N : 0 | S (v) : {value} end;\n  check y = y;\ntel\n"
        )
    };
    assert_places(&arm("pre k + v"), &[("unguarded-pre", 4)]);
    assert_places(&arm("0 -> pre k + v"), &[]);
}
