//! Primal-dual Houdini: what it says of the paper's figures, and how.

use serde_json::{Value, json};

use crate::common::{Scratch, lustral};

fn example(name: &str) -> String {
    format!("{}/../../examples/pdh/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The verdict on an example, and how the search went.
fn search(name: &str, args: &[&str]) -> (Value, Value) {
    let file = example(name);
    // Preparation would find the bounds by itself.
    let how = ["check", "--json", "--engine", "pdh", "--explain", "--prepare", "off", &file];
    let run = lustral(&[&how[..], args].concat());
    let verdict = run.events("verdict").remove(0);
    let note = verdict["notes"][0].clone();
    (verdict, note)
}

/// The part of a note with this name.
fn section(note: &Value, name: &str) -> Value {
    let sections = note["sections"].as_array().unwrap();
    sections.iter().find(|section| section["name"] == name).cloned().unwrap_or_default()
}

#[test]
fn figure_1a_is_1_provable_in_the_order_of_the_paper() {
    let (verdict, search) = search("figure1a.lus", &["--width", "1"]);
    assert_eq!(verdict["verdict"], "valid");
    assert_eq!((&search["answer"], &search["engine"]), (&json!("provable"), &json!("pdh")));
    assert!(search["summary"].as_str().unwrap().starts_with("1-provable, after"));
    let order = json!([["c >= 0"], ["b >= 0"], ["a >= 0  (the property)"]]);
    assert_eq!(section(&search, "steps")["groups"], order);
}

#[test]
fn figure_1b_is_provable_with_width_3_only() {
    for (width, answer) in [("1", "safe"), ("2", "safe"), ("3", "provable")] {
        let (verdict, search) = search("figure1b.lus", &["--width", width]);
        assert_eq!(verdict["verdict"], "valid");
        assert_eq!(search["answer"], answer, "width {width}");
        let name = if answer == "safe" { "invariant" } else { "steps" };
        let steps = section(&search, name)["groups"].clone();
        let steps = steps.as_array().unwrap();
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].as_array().unwrap().len(), 3);
    }
}

#[test]
fn what_has_no_proof_of_the_width_is_unknown_with_the_states() {
    let (verdict, search) = search("figure1a.lus", &["--templates", "none", "--width", "1"]);
    assert_eq!(verdict["verdict"], "unknown");
    let reason = verdict["reason"].as_str().unwrap();
    // It says which predicates no proof was found from: others may prove it.
    let from = "not provable by steps of width 1 from literals about boolean memories, whether";
    assert!(reason.starts_with(from), "{reason}");
    assert_eq!(search["answer"], "unprovable");
    let section = section(&search, "states");
    let states = section["states"].as_array().unwrap();
    let memories = section["memories"].as_array().unwrap();
    assert!(!states.is_empty());
    assert!(states.iter().all(|s| s.as_array().unwrap().len() == memories.len()));
}

#[test]
fn rounds_are_a_table_that_only_grows() {
    let file = example("figure1a.lus");
    let how = ["check", "--engine", "pdh", "--explain", "--prepare", "off", &file];
    let text = lustral(&how);
    let text = text.expect(0).stdout;
    let wanted = [
        "  1-provable, after 2 rounds of states against predicates:\n",
        "    round width | states abstract reachable | predicates invariant provable\n",
        "      1. c >= 0\n      2. b >= 0\n      3. a >= 0  (the property)\n",
    ];
    for part in wanted {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn a_failure_is_an_execution() {
    let program = "node main(i: bool) returns (x: int);\nlet\n  \
                   x = 0 -> if i then pre x + 1 else pre x;\n  --%PROPERTY x < 3;\ntel\n";
    let run = Scratch::new().check(program, &["--engine", "pdh", "--explain"]).expect(40);
    let verdict = &run.events("verdict")[0];
    assert_eq!(verdict["notes"][0]["answer"], "unsafe");
    assert!(verdict["step"].as_u64().unwrap() >= 3);
}

#[test]
fn what_preparation_found_is_given() {
    let file = example("figure1a.lus");
    let how = ["check", "--engine", "pdh", "--explain", &file];
    let run = lustral(&[&how[..], &["--json"]].concat()).expect(0);
    let search = run.events("verdict")[0]["notes"][0].clone();
    // The property alone is not inductive: `a` grows by `b`, and `b` by `c`.
    assert_eq!(section(&search, "steps")["groups"], json!([["a >= 0  (the property)"]]));
    let given = section(&search, "given")["groups"].clone();
    let given = given.as_array().unwrap();
    // The order of summands is nobody's business.
    let of_b = ["true -> pre (c + b) >= 0", "true -> pre (b + c) >= 0"];
    assert!(of_b.iter().any(|fact| given.contains(&json!([fact]))), "{given:?}");
    let text = lustral(&how).expect(0).stdout;
    let part = "  given, as preparation found it:\n         ";
    assert!(text.contains(part), "{text}");
    let without = lustral(&[&how[..], &["--prepare", "off"]].concat()).expect(0).stdout;
    assert!(!without.contains("given"), "{without}");
}

#[test]
fn declared_types_are_not_said_to_be_found() {
    let program = "type t = enum { A, B, C };\nnode main(i: bool) returns (m: t);\nlet\n  \
                   m = A -> if i then B else pre m;\n  --%PROPERTY m <> C;\ntel\n";
    let options = ["--engine", "pdh", "--explain", "--prepare", "off"];
    let run = Scratch::new().check(program, &options).expect(0);
    let note = &run.events("verdict")[0]["notes"][0];
    assert_eq!(section(note, "given")["groups"], json!([]));
}

#[test]
fn values_have_names_where_flows_of_two_nodes_meet() {
    let file = example("../crossing.lus");
    let how = ["check", "--engine", "pdh", "--explain", &file];
    let text = lustral(&how).expect(40).stdout;
    assert!(text.contains("pre gate <> Open"), "{text}");
    assert!(!text.contains("<> pre gate"), "{text}");
}

#[test]
fn widths_are_small_numbers() {
    for width in ["0", "9", "x"] {
        let file = example("figure1a.lus");
        let run = lustral(&["check", "--width", width, &file]).expect(2);
        assert!(run.stderr.contains("not a number from 1 to 8"), "{}", run.stderr);
    }
}

#[test]
fn a_depth_limit_is_the_reason_where_it_is() {
    let file = format!("{}/../../examples/buffer.lus", env!("CARGO_MANIFEST_DIR"));
    let run = lustral(&["check", "--json", "--engine", "pdh", "--max-k", "1", &file]).expect(30);
    let verdicts = run.events("verdict");
    let open: Vec<&Value> = verdicts.iter().filter(|v| v["verdict"] == "unknown").collect();
    assert_eq!(open.len(), 1);
    assert!(open[0]["reason"].as_str().unwrap().contains("up to depth 1"), "{}", open[0]);
}

/// The steps of the execution that it finds divide by zero, each as it likes.
#[test]
fn steps_that_divide_by_zero_must_agree() {
    let scratch = Scratch::new();
    let program = "node main(a: int) returns (first, kept: int);\n\
                   let\n  first = a -> pre first;\n  kept = (a div 0) -> pre kept;\n  \
                   check \"same\" a = first => a div 0 = kept;\ntel\n";
    let run = scratch.check(program, &["--engine", "pdh"]).expect(30);
    let reason = run.events("verdict")[0]["reason"].to_string();
    assert!(reason.contains("need functions that differ"), "{reason}");
}

/// An option that changes nothing is not taken in silence.
#[test]
fn triples_are_not_for_pdh() {
    let file = example("figure1a.lus");
    let run = lustral(&["check", "--engine", "pdh", "--templates", "bounds,triples", &file]);
    let said = "`--templates triples` makes no difference: pdh has no such predicates";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let run = lustral(&["check", "--engine", "pdh,houdini", "--templates", "triples", &file]);
    assert!(!run.stderr.contains("makes no difference"), "{}", run.stderr);
}
