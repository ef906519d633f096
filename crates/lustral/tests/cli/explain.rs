//! Explanations of proofs: text, JSON Lines and the page.

use serde_json::Value;

use crate::common::{Scratch, node};

/// Two values that are passed to and fro, and a sum of one of them.
const CIRCLE: &str = "\
node main(c: bool) returns (t: int);
var a, b: int;
let
  a = 0 -> if c then pre b else pre a;
  b = 0 -> if c then pre a + 1 else pre b;
  t = 0 -> pre t + pre a;
  --%PROPERTY \"<total>\" t >= 0;
tel
";

fn explained(program: &str, args: &[&str]) -> String {
    let scratch = Scratch::new();
    scratch.write("p.lus", program);
    scratch.lustral(&[&["check", "--explain", "p.lus"], args].concat()).expect(0).stdout
}

#[test]
fn what_is_inductive_alone_is_by_itself() {
    let program = node("  ok = true -> pre ok;\n  --%PROPERTY ok;");
    let text = explained(&program, &["--prepare", "off", "--engine", "k-induction"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[2..4], ["  because, step by step:", "  ok  (by itself)"], "{text}");
    assert_eq!(lines.len(), 5, "{text}");
}

#[test]
fn what_every_step_shows_needs_nothing() {
    let text = explained(&node("  ok = i = i;\n  --%PROPERTY ok;"), &[]);
    assert!(text.contains("\n  ok  (from the program alone)\n"), "{text}");
    // An assertion is no part of what happens: it must not be passed over.
    let asserted = explained(&node("  assert i > 0;\n  ok = i > 0;\n  --%PROPERTY ok;"), &[]);
    let ground = "\n  ok  (from the program with what it asserts and assumes)\n";
    assert!(asserted.contains(ground), "{asserted}");
}

#[test]
fn more_steps_and_different_states_are_told() {
    let two = "node main() returns (a: bool);\nvar b, c: bool;\nlet\n  a = true -> pre b;\n  \
               b = true -> pre a;\n  c = a and b;\n  --%PROPERTY a;\ntel\n";
    let text =
        explained(two, &["--engine", "k-induction", "--prepare", "off", "--compression", "off"]);
    assert!(text.contains("\n  because, from 2 steps to the next:\n  a  (by itself)\n"), "{text}");
    let stays = "node main(i: bool) returns (ok: bool);\nvar s: int;\nlet\n  s = 0 -> pre s;\n  \
                 ok = s <> 5 or i;\n  --%PROPERTY ok;\ntel\n";
    let text = explained(stays, &["--engine", "k-induction", "--prepare", "off"]);
    assert!(text.contains("to the next, all in different states:\n"), "{text}");
}

#[test]
fn lines_fit_the_terminal() {
    let name = "counts the steps at which the input is true ".repeat(3);
    let program = format!(
        "node main(c: bool) returns (t: int);\nvar a: int;\nlet\n  \
         a = 0 -> if c then pre a + 1 else pre a;\n  t = 0 -> pre t + pre a;\n  \
         --%PROPERTY \"{name}\" a >= 0;\n  --%PROPERTY \"total\" t >= 0;\ntel\n"
    );
    let scratch = Scratch::new();
    scratch.write("p.lus", program);
    // Without the bounds of the memories, one property needs the other.
    let args = ["check", "--explain", "--engine", "k-induction", "--prepare", "slice", "p.lus"];
    let mut command = scratch.command(&args);
    command.env("COLUMNS", "60");
    let text = crate::common::run(command, crate::common::LIMIT).expect(0).stdout;
    let tree: Vec<&str> = text.lines().filter(|line| line.contains('─')).collect();
    assert!(
        tree.iter().any(|line| line.contains('…') && line.ends_with("  (by itself)")),
        "{text}"
    );
    assert!(tree.iter().all(|line| line.chars().count() <= 60), "{text}");
}

#[test]
fn json_has_the_facts_and_what_they_need() {
    let run = Scratch::new().check(CIRCLE, &["--explain", "--engine", "houdini"]).expect(0);
    let verdict = &run.events("verdict")[0];
    let facts = verdict["explanation"].as_array().unwrap();
    let invariants = verdict["certificate"]["invariants"].as_array().unwrap();
    assert_eq!(facts[0]["fact"], "<total>");
    let others: Vec<&Value> = facts[1..].iter().map(|fact| &fact["fact"]).collect();
    assert_eq!(others, invariants.iter().collect::<Vec<_>>());
    assert!(facts.len() > 1);
    let mut needed = vec![false; facts.len()];
    for fact in facts {
        for other in fact["needs"].as_array().unwrap() {
            needed[other.as_u64().unwrap() as usize] = true;
        }
    }
    assert!(needed[1..].iter().all(|needed| *needed), "{verdict}");
    let plain = Scratch::new().check(CIRCLE, &["--engine", "houdini"]).expect(0);
    assert!(plain.events("verdict")[0].get("explanation").is_none(), "nobody asked for it");
}

#[test]
fn the_schema_rejects_explanations_that_are_none() {
    let schema = serde_json::from_str(&lustral_report::event::schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let run = Scratch::new().check(CIRCLE, &["--explain", "--engine", "houdini"]).expect(0);
    let good = run.events("verdict")[0].clone();
    assert!(validator.is_valid(&good));
    for (place, value) in [
        ("/explanation/0/needs/0", Value::from(-1)),
        ("/explanation/0/needs", Value::from("1")),
        ("/explanation/0/fact", Value::from(1)),
        ("/explanation", serde_json::json!([])),
        ("/verdict", Value::from("unknown")),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap() = value;
        assert!(!validator.is_valid(&bad), "{place}");
    }
}

#[test]
fn the_page_has_the_graph() {
    let scratch = Scratch::new();
    scratch.write("p.lus", CIRCLE);
    let args = ["check", "--explain", "--engine", "houdini", "--html", "out.html", "p.lus"];
    scratch.lustral(&args).expect(0);
    let page = std::fs::read_to_string(scratch.path().join("out.html")).unwrap();
    for text in ["<summary>Explanation, ", "<title>&lt;total&gt;</title>", "&gt;= 0"] {
        assert!(page.contains(text), "{text} is missing");
    }
    assert!(!page.contains("<total>"));
    scratch.lustral(&["check", "--engine", "houdini", "--html", "out.html", "p.lus"]).expect(0);
    let page = std::fs::read_to_string(scratch.path().join("out.html")).unwrap();
    assert!(!page.contains("Explanation"), "nobody asked for it");
}

#[test]
fn certificates_of_explained_proofs_are_accepted() {
    let scratch = Scratch::new();
    scratch.write("p.lus", CIRCLE);
    scratch.lustral(&["check", "--explain", "--certificate", "out", "p.lus"]).expect(0);
    scratch.lustral(&["certify", "out"]).expect(0);
}
