//! Exit codes, and which of them wins.

use crate::common::{Scratch, lustral, node};

const VALID: &str = "  ok = b = b;\n  --%PROPERTY ok;";
const FALSIFIABLE: &str = "  ok = b;\n  --%PROPERTY ok;";

const REJECTED: &str = "  ok = i;";

fn files() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("valid.lus", node(VALID));
    scratch.write("falsifiable.lus", node(FALSIFIABLE));
    scratch.write("rejected.lus", node(REJECTED));
    scratch
}

#[test]
fn each_outcome_has_its_code() {
    let files = files();
    files.lustral(&["check", "valid.lus"]).expect(0);
    files.lustral(&["check", "falsifiable.lus"]).expect(40);
    files.lustral(&["check", "--engine", "bmc", "--max-k", "2", "valid.lus"]).expect(30);
    files.lustral(&["check", "rejected.lus"]).expect(3);
    files.lustral(&["check", "missing.lus"]).expect(1);
    files.lustral(&["check", "."]).expect(1);
    files.lustral(&["check"]).expect(2);
}

#[test]
fn the_worst_of_several_files_counts_and_all_are_shown() {
    let files = files();
    let check = |args: &[&str]| files.lustral(&[&["check", "--json"], args].concat());
    let all = ["missing.lus", "rejected.lus", "falsifiable.lus", "valid.lus"];
    let run = check(&all).expect(1);
    assert_eq!(run.events("verdict").len(), 2);
    assert!(run.stderr.contains("missing.lus"));
    check(&all[1..]).expect(3);
    check(&all[2..]).expect(40);
    check(&["valid.lus", "falsifiable.lus"]).expect(40);
    check(&["valid.lus", "valid.lus"]).expect(0);
    // Model checking alone proves nothing: what is valid stays unknown.
    check(&["--engine", "bmc", "--max-k", "2", "falsifiable.lus", "valid.lus"]).expect(40);
    check(&["--engine", "bmc", "--max-k", "2", "valid.lus", "rejected.lus"]).expect(3);
}

#[test]
fn wrong_usage_says_what_is_right() {
    let files = files();
    let wrong = |args: &[&str], hint: &str| {
        let run = files.lustral(args).expect(2);
        assert!(run.stderr.contains(hint), "{}", run.stderr);
        assert!(run.stdout.is_empty());
    };
    wrong(&[], "Usage: lustral");
    wrong(&["chekc"], "check");
    wrong(&["valid.lus"], "`lustral check valid.lus`");
    wrong(&["check", "--engine", "guess", "valid.lus"], "bmc, k-induction");
    wrong(&["check", "--solver", "guess", "valid.lus"], "z3-builtin, z3, cvc5");
    wrong(&["check", "--timeout", "soon", "valid.lus"], "a number of seconds");
    wrong(&["check", "--timeout", "NaN", "valid.lus"], "a number of seconds");
    wrong(&["check", "--timeout=-1", "valid.lus"], "a number of seconds");
    wrong(&["check", "--prepare", "maybe", "valid.lus"], "on, off");
    wrong(&["check", "--max-k", "many", "valid.lus"], "--max-k");
    wrong(&["dump", "valid.lus"], "--stage");
    wrong(
        &["dump", "--stage", "soup", "valid.lus"],
        "tokens, ast, typed, equations, system, prepared",
    );
    wrong(&["simulate", "--format", "xml", "valid.lus"], "table, csv, json, vcd");
    wrong(&["certify"], "<DIR>");
}

#[test]
fn what_cannot_be_written_is_a_failure_after_the_verdicts() {
    let files = files();
    for option in ["--html", "--certificate"] {
        let run = files.lustral(&["check", option, "valid.lus/below", "valid.lus"]).expect(1);
        assert!(run.stdout.contains("valid       ok"), "{}", run.stdout);
        assert!(run.stderr.contains("cannot write"), "{}", run.stderr);
    }
}

#[test]
fn a_run_without_a_verdict_is_no_success() {
    // The time is up before the first node is looked at.
    let run = files().lustral(&["check", "--json", "--timeout", "0.000001", "valid.lus"]);
    assert_eq!(run.code, 30, "{}", run.stdout);
}

#[test]
fn a_solver_that_is_not_there_is_a_failure() {
    let files = files();
    files.write("certificate/manifest.json", "{}");
    let run = files.lustral(&["check", "--solver", "./none", "valid.lus"]).expect(1);
    assert!(run.stderr.contains("`./none`"), "{}", run.stderr);
    let run = files.lustral(&["check", "--json", "--solver", "./none", "valid.lus"]).expect(1);
    assert_eq!(run.json().last().unwrap()["event"], "summary");
    assert!(run.events("note")[0]["message"].as_str().unwrap().contains("`./none`"));
    files.lustral(&["certify", "--solver", "./none", "certificate"]).expect(1);
}

#[test]
fn version() {
    assert!(lustral(&["--version"]).expect(0).stdout.starts_with("lustral "));
}
