//! The learners, each alone, on the examples that teach them.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};

use common::lustral;

const LEARNERS: [&str; 3] = ["houdini", "sorcar", "h-houdini"];

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/learning");
    let mut list: Vec<PathBuf> =
        folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    list.sort();
    list
}

fn verdict(path: &Path, args: &[&str]) -> (String, String) {
    let limits = ["check", "--json", "--timeout", "20", "--max-k", "12"];
    let run = lustral(&[&limits[..], args, &[path.to_str().unwrap()]].concat());
    let verdicts = run.events("verdict");
    assert_eq!(verdicts.len(), 1, "{}", path.display());
    let text = |key: &str| verdicts[0][key].as_str().unwrap_or_default().to_string();
    (text("verdict"), text("engine"))
}

#[test]
fn each_learner_proves_each_example() {
    assert_eq!(examples().len(), 9);
    for path in examples() {
        for engine in LEARNERS {
            for prepare in ["on", "off"] {
                let found = verdict(&path, &["--engine", engine, "--prepare", prepare]);
                let expected = ("valid".to_string(), engine.to_string());
                assert_eq!(found, expected, "{} --prepare {prepare}", path.display());
            }
        }
    }
}

#[test]
fn induction_alone_does_not() {
    let plain = ["--engine", "k-induction", "--compression", "off"];
    let undecided = |path: &&PathBuf| verdict(path, &plain).0 == "unknown";
    let undecided: Vec<PathBuf> = examples().iter().filter(undecided).cloned().collect();
    let names: Vec<&str> =
        undecided.iter().map(|path| path.file_stem().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["sum", "tokens"]);
}

/// Another oracle finds abducts too; what it says is checked like all else.
#[test]
fn abducts_of_another_solver_prove_as_well() {
    for name in ["sum", "tokens", "delays"] {
        let path = examples().into_iter().find(|p| p.file_stem().unwrap() == name).unwrap();
        let found = verdict(&path, &["--engine", "h-houdini", "--abduction", "cvc5"]);
        assert_eq!(found, ("valid".to_string(), "h-houdini".to_string()), "{name}");
    }
}

/// What a node guarantees, pasted into it, is proved.
#[test]
fn invariants_can_be_pasted_back() {
    let scratch = common::Scratch::new();
    for path in examples() {
        let shown = lustral(&["invariants", "--format", "lustre", path.to_str().unwrap()]);
        assert_eq!(shown.code, 0, "{}: {}", path.display(), shown.stderr);
        let mut program = std::fs::read_to_string(&path).unwrap();
        let mut pasted = 0;
        for block in shown.stdout.split("-- node ").skip(1) {
            let (node, checks) = block.split_once('\n').unwrap();
            let header = program.find(&format!("node {node}(")).unwrap();
            let end = header + program[header..].find("tel").unwrap();
            pasted += checks.lines().count();
            program.insert_str(end, checks);
        }
        let run = scratch.check(&program, &["--timeout", "20"]);
        let verdicts = run.events("verdict");
        assert!(verdicts.len() > pasted.min(1), "{}", path.display());
        assert!(verdicts.iter().all(|v| v["verdict"] == "valid"), "{}\n{program}", path.display());
    }
}

/// What a called node guarantees may not rest on arguments that only its
/// callers could promise.
#[test]
fn subranges_of_inputs_are_not_promised_by_callers() {
    let scratch = common::Scratch::new();
    let program = "\
node inner(x: subrange [0, 10] of int) returns (y: int);
let y = x + 1; tel
node outer(a: int) returns (count: int);
var z: int;
let
  z = inner(a);
  count = 0 -> if z > 11 then 5 else pre count;
tel
";
    let path = scratch.write("program.lus", program);
    let shown = lustral(&["invariants", "--json", path.to_str().unwrap()]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    let about_outer: Vec<String> = shown
        .events("invariant")
        .iter()
        .filter(|line| line["node"] == "outer")
        .map(|line| line["expression"].as_str().unwrap().to_string())
        .collect();
    assert!(!about_outer.iter().any(|text| text == "count = 0"), "{about_outer:?}");
    assert!(!about_outer.is_empty());
}

/// Two nodes, one text: all names are different.
#[test]
fn functions_of_all_nodes_fit_one_script() {
    let tanks = "\
node a(i: int) returns (x: int);
let x = 0 -> if pre x >= 5 then 0 else pre x + 1; tel
node b(i: int) returns (x: int);
let x = 1 -> if pre x >= 7 then 1 else pre x + 1; tel
node m(i: int) returns (x, y: int);
let x = a(i); y = b(i); tel
";
    let scratch = common::Scratch::new();
    let path = scratch.write("program.lus", tanks);
    let shown = lustral(&["invariants", "--format", "smt2", path.to_str().unwrap()]);
    let name = |line: &str| line.split_whitespace().nth(1).map(ToString::to_string);
    let definitions = shown.stdout.lines().filter(|line| line.starts_with("(de"));
    let names: Vec<String> = definitions.filter_map(name).collect();
    let different: std::collections::BTreeSet<&String> = names.iter().collect();
    assert!(names.len() > 4);
    assert_eq!(names.len(), different.len(), "{}", shown.stdout);
}

/// Of a node without executions everything could be said, so nothing is.
#[test]
fn nothing_is_said_of_a_node_without_executions() {
    let scratch = common::Scratch::new();
    let program = "\
node main(x: int) returns (y: int);
let
  y = x;
  assert x > 0;
  assert x < 0;
tel
";
    let path = scratch.write("program.lus", program);
    let shown = lustral(&["invariants", path.to_str().unwrap()]);
    assert_eq!(shown.code, 30);
    assert!(shown.stderr.contains("contradict"), "{}", shown.stderr);
    assert!(!shown.stdout.contains("node main"), "{}", shown.stdout);
}
