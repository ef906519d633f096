//! `--report`: what a safety case needs, the same in every run that finds the same.

use std::fs;

use serde_json::Value;

use crate::common::Scratch;

const PROGRAM: &str = "\
node main(x, c: bool; i: int) returns (n: int; spare: int);
let
  n = 0 -> if x and pre n < 5 then pre n + 1 else pre n;
  spare = if c then i else 0;
  assert i >= 0;
  check \"low\" n <= 5;
  check \"spare\" spare >= 0;
  check \"never\" n < 2 or c;
  check \"untouched\" true;
tel
";

fn report(scratch: &Scratch, folder: &str, more: &[&str]) -> (String, String) {
    let args = [&["check", "--deterministic", "--report", folder, "p.lus"], more].concat();
    scratch.lustral(&args).expect(40);
    let read = |name: &str| fs::read_to_string(scratch.path().join(folder).join(name)).unwrap();
    (read("report.json"), read("index.html"))
}

#[test]
fn a_report_says_what_was_run_and_what_it_rests_on() {
    let scratch = Scratch::new();
    scratch.write("p.lus", PROGRAM);
    let (text, page) = report(&scratch, "first", &[]);
    let found: Value = serde_json::from_str(&text).unwrap();
    let input = &found["inputs"][0];
    assert_eq!(input["file"], "p.lus");
    assert_eq!(input["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(found["run"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(found["run"]["solvers"][0]["role"], "search and check");
    assert_eq!(found["run"]["options"], serde_json::json!(["--deterministic", "p.lus"]));
    let verdicts = found["verdicts"].as_array().unwrap();
    let words: Vec<&str> = verdicts.iter().map(|v| v["verdict"].as_str().unwrap()).collect();
    assert_eq!(words, ["valid", "valid", "falsifiable", "valid"], "in the order of the text");
    let folder = verdicts[0]["certificate"]["folder"].as_str().unwrap();
    assert!(scratch.path().join("first").join(folder).join("manifest.json").exists(), "{folder}");
    let statements = &verdicts[1]["rests_on"]["statements"];
    assert_eq!(statements[0]["line"], 5, "{statements}");
    assert_eq!(found["cores"].as_array().unwrap().len(), 3);
    assert_eq!(found["coverage"][0]["equations"], 2);
    assert_eq!(found["summary"]["valid"], 3);
    for needed in ["What was run", input["sha256"].as_str().unwrap(), "What the properties need"] {
        assert!(page.contains(needed), "no {needed} on the page");
    }
    assert!(page.contains("<tr class=\"needed\" title=\"low\"><th>3</th>"), "{page}");
    // Verdicts have lists of facts, of which each takes a narrow column: what was run is none of these.
    assert!(page.contains("<section class=\"ran\">\n<h2>What was run</h2>\n<table>"), "{page}");
    assert!(page.contains("details::details-content"), "on paper nothing can be unfolded");
}

#[test]
fn two_reports_can_be_compared() {
    let scratch = Scratch::new();
    scratch.write("p.lus", PROGRAM);
    let first = report(&scratch, "first", &[]);
    assert_eq!(first, report(&scratch, "second", &[]));
    let changed = PROGRAM.replace("pre n < 5", "pre n < 4");
    scratch.write("p.lus", changed);
    let (text, _) = report(&scratch, "second", &[]);
    let differ = |(a, b): &(&str, &str)| a != b;
    let lines = first.0.lines().zip(text.lines()).filter(differ).count();
    assert!((1..=4).contains(&lines), "{lines} lines differ: the hash, and what the proof says");
}

#[test]
fn equations_that_no_property_needs_are_marked() {
    let scratch = Scratch::new();
    let program = PROGRAM.replace("  check \"spare\" spare >= 0;\n", "");
    scratch.write("p.lus", program);
    let (text, page) = report(&scratch, "first", &[]);
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(found["coverage"][0]["uncovered"][0]["line"], 4);
    assert!(page.contains("<tr class=\"bare\" title=\"\"><th>4</th>"), "{page}");
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let scratch = Scratch::new();
    scratch.write("p.lus", PROGRAM);
    scratch.write("file", "in the way");
    let run = scratch.lustral(&["check", "--report", "file", "p.lus"]).expect(1);
    assert!(run.stderr.contains("error: cannot write to file"), "{}", run.stderr);
}
