//! The learners, each alone, on the examples that teach them.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};

use common::{Scratch, lustral};

const LEARNERS: [&str; 3] = ["houdini", "sorcar", "h-houdini"];

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/learning");
    let mut list: Vec<PathBuf> =
        folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    list.sort();
    list
}

fn verdict(path: &Path, args: &[&str]) -> (String, String) {
    verdict_within("20", path, args)
}

fn verdict_within(seconds: &str, path: &Path, args: &[&str]) -> (String, String) {
    let limits = ["check", "--json", "--timeout", seconds, "--max-k", "12"];
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
    let passes = "memories,sofar,slice";
    let plain = ["--engine", "k-induction", "--compression", "off", "--prepare", passes];
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
    let scratch = Scratch::new();
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
    let scratch = Scratch::new();
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
    let scratch = Scratch::new();
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
    let scratch = Scratch::new();
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

/// The lines about a node: the expression, and what it rests on.
fn invariants_of(path: &Path, node: &str) -> Vec<(String, Vec<String>)> {
    let shown = lustral(&["invariants", "--json", path.to_str().unwrap()]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_string();
    let given = |line: &serde_json::Value| {
        line["given"].as_array().into_iter().flatten().map(text).collect::<Vec<String>>()
    };
    let events = shown.events("invariant");
    let lines = events.iter().filter(|line| line["node"] == node);
    lines.map(|line| (text(&line["expression"]), given(line))).collect()
}

const GIVEN: &str = "\
node limited(x: int) returns (y: int);
let y = 0 -> if x > 5 then pre y else x; tel
node count(up: bool) returns (n: int);
let n = 0 -> if up and pre n < 10 then pre n + 1 else 0; tel
node main(up: bool) returns (a, b: int);
let a = count(up); b = limited(a); tel
";

/// What all calls of a node establish of its inputs says more of its outputs,
/// but it is no guarantee of the node.
#[test]
fn a_node_rests_on_what_every_call_gives_it() {
    let scratch = Scratch::new();
    let path = scratch.write("program.lus", GIVEN);
    let found = invariants_of(&path, "limited");
    let given = vec!["x >= 0".to_string(), "x <= 10".to_string()];
    assert!(found.contains(&("y >= 0".to_string(), given)), "{found:?}");
    assert!(found.contains(&("y <= 5".to_string(), Vec::new())), "{found:?}");
    let path = path.to_str().unwrap();
    let pasted = lustral(&["invariants", "--format", "lustre", path]).stdout;
    assert!(pasted.contains("y <= 5;") && !pasted.contains("y >= 0;"), "{pasted}");
    assert!(pasted.contains("-- then: y >= 0"), "{pasted}");
    // A node that is asked for may be called from anywhere.
    let alone = lustral(&["invariants", "--node", "limited", path]).stdout;
    assert!(alone.contains("y <= 5") && !alone.contains("y >= 0"), "{alone}");
    // So may one of whose calls another gives it something else.
    let other = format!("{GIVEN}node other(i: int) returns (o: int); let o = limited(i); tel\n");
    let path = scratch.write("other.lus", &other);
    let found = invariants_of(&path, "limited");
    assert!(!found.iter().any(|(text, _)| text == "y >= 0"), "{found:?}");
}

/// What a node is given may be what it gave at the step before.
#[test]
fn a_circle_through_time_is_no_obstacle() {
    let program = "\
node largest(x: int) returns (m: int);
let m = x -> if x > pre m then x else pre m; tel
node main(go: bool) returns (s: int);
let s = largest(0 -> if go and pre s < 10 then pre s + 1 else pre s); tel
";
    let scratch = Scratch::new();
    let path = scratch.write("program.lus", program);
    let found = invariants_of(&path, "largest");
    let bound = found.iter().find(|(text, _)| text == "m <= 10");
    assert!(bound.is_some_and(|(_, given)| given.contains(&"x <= 10".into())), "{found:?}");
}

/// Nodes are learned side by side; nobody can tell from the result.
#[test]
fn what_is_learned_of_nodes_is_the_same_in_every_run() {
    let scratch = Scratch::new();
    let path = scratch.write("program.lus", GIVEN);
    let run = || lustral(&["invariants", path.to_str().unwrap()]).stdout;
    let first = run();
    assert!(first.contains("given"), "{first}");
    (0..3).for_each(|_| assert_eq!(run(), first));
}

/// Something gets lost, so there is no conservation law, and three numbers matter.
#[test]
fn what_three_numbers_say_together_is_found() {
    let program = "\
node main(issue, lose, finish: bool) returns (ok: bool);
var issued, pending, done: int;
let
  issued = 0 -> if issue or lose then pre issued + 1 else pre issued;
  pending = 0 -> if issue then pre pending + 1
                 else if finish and pre pending > 0 then pre pending - 1 else pre pending;
  done = 0 -> if not issue and finish and pre pending > 0 then pre done + 1 else pre done;
  ok = done <= issued;
  --%PROPERTY ok;
tel
";
    let scratch = Scratch::new();
    let path = scratch.write("program.lus", program);
    for engine in LEARNERS {
        let with = verdict(&path, &["--engine", engine]);
        assert_eq!(with, ("valid".to_string(), engine.to_string()));
        let all = "implications,bounds,octagons,modes,affine,atoms,streams";
        let without = verdict(&path, &["--engine", engine, "--templates", all]);
        assert_eq!(without.0, "unknown", "{engine}");
    }
}

/// A sum is a multiple of 4, and a counter stays below 13: bits and bounds of words.
#[test]
fn bounds_and_bits_of_machine_integers_are_learned() {
    let program = "\
node main(en: bool) returns (s, c, t: uint32);
let
  s = (uint32 0) -> if en then pre s + (uint32 4) else if pre s > (uint32 1000) then (uint32 16) else pre s;
  c = (uint32 0) -> if pre c = (uint32 12) then (uint32 0) else pre c + (uint32 1);
  t = (uint32 0) -> if pre c > (uint32 100) then (uint32 7) else pre t;
  --%MAIN;
  check \"odd\" s <> (uint32 17);
  check \"never\" t = (uint32 0);
  check \"far\" c <> (uint32 40);
tel
";
    let scratch = Scratch::new();
    let path = scratch.write("program.lus", program);
    for engine in ["houdini", "sorcar"] {
        let limits = ["check", "--json", "--timeout", "20", "--engine", engine];
        let run = lustral(&[&limits[..], &[path.to_str().unwrap()]].concat());
        let verdicts = run.events("verdict");
        assert_eq!(verdicts.len(), 3);
        assert!(verdicts.iter().all(|v| v["verdict"] == "valid"), "{engine}: {verdicts:?}");
    }
}

/// A main node may run by itself, whoever else calls it: then nobody gives it
/// anything, and what it gives to others is not limited to what callers do.
#[test]
fn a_main_node_is_given_nothing() {
    let scratch = Scratch::new();
    scratch.write(
        "two.lus",
        "node sum(x: int) returns (y: int);
         let y = 0 -> pre y + x; tel
         node main(x: int) returns (y: int);
         let --%MAIN;
           y = sum(if 3 * x - 7 * (0 -> pre x) = 1234561 then -1 else 1);
         tel
         node other(z: bool) returns (y: int);
         let --%MAIN;
           y = main(3);
         tel",
    );
    let run = scratch.lustral(&["invariants", "two.lus"]).expect(0);
    assert!(!run.stdout.contains("given"), "{}", run.stdout);
}

/// Two counters that go together, so that a property of one needs both.
const COUNTERS: &str = "a = 0 -> if u and pre a < 9 then pre a + 1 else if u then 0 else pre a;\n    \
    b = 0 -> if u and pre a < 9 then pre b + 3 else if u then 0 else pre b;\n";

/// A call that has not run yet keeps memories that mean nothing: what is learned of them holds
/// once it has run.
#[test]
fn calls_on_slower_clocks_are_learned_about() {
    let folder = Scratch::new();
    let text = format!(
        "node counters(u: bool) returns (a, b: int);\nlet {COUNTERS} tel\n\
         node top(c, u: bool) returns (a, b: int);\n\
         let (a, b) = condact(c, counters(u), 0, 0); check b <= 27; tel"
    );
    let path = folder.write("slow.lus", &text);
    for engine in LEARNERS {
        let found = verdict(&path, &["--engine", engine]);
        assert_eq!(found, ("valid".to_string(), engine.to_string()));
    }
    let wrong = folder.write("wrong.lus", text.replace("b <= 27", "b <= 26"));
    let brief = ["--engine", "sorcar"];
    assert_ne!(verdict(&wrong, &brief).0, "valid");
}

/// States of an automaton that go on where they were; the property needs the counters of one.
fn resumed(states: usize) -> String {
    let state = |i: usize| {
        let (first, next) = (i == 0, (i + 1) % states);
        format!(
            "  state S{i} do\n    var a, b: int;\n    let {COUNTERS} x = b; first = {first};\n    tel\n  \
             until go continue S{next}\n"
        )
    };
    let all: String = (0..states).map(state).collect();
    format!(
        "node top(go, u: bool) returns (x: int; first: bool);\nlet\n  automaton ring\n{all}  end;\n  \
         check first => x <= 27;\ntel\n"
    )
}

#[test]
fn what_one_state_needs_is_found_among_many() {
    let folder = Scratch::new();
    for states in [2, 10] {
        let path = folder.write("states.lus", resumed(states));
        for engine in ["sorcar", "h-houdini"] {
            let found = verdict(&path, &["--engine", engine]);
            assert_eq!(found, ("valid".to_string(), engine.to_string()), "{states} states");
        }
    }
}

/// Where all that could be said of many numbers takes too long, there is what can be said of each.
#[test]
fn many_independent_counters_are_not_all_or_nothing() {
    let folder = Scratch::new();
    let list = |text: &dyn Fn(usize) -> String, between: &str| {
        (0..18).map(text).collect::<Vec<_>>().join(between)
    };
    let text = format!(
        "node top({}: bool) returns ({}: int);\nlet\n{}\ntel\n",
        list(&|i| format!("i{i}"), ", "),
        list(&|i| format!("a{i}"), ", "),
        list(&|i| format!("  a{i} = 0 -> if i{i} then pre a{i} + 1 else pre a{i};"), "\n"),
    );
    let path = folder.write("counters.lus", &text);
    let run = lustral(&["invariants", "--timeout", "12", path.to_str().unwrap()]);
    for i in 0..18 {
        assert!(run.stdout.contains(&format!("a{i} >= 0")), "{}", run.stdout);
    }
}

/// What says *or* of several numbers is none of the templates.
#[test]
fn trees_prove_what_templates_do_not() {
    let folder = Scratch::new();
    let path = folder.write(
        "or.lus",
        "node top(i, j, k, t: bool) returns (ok: bool);\n\
         var x, y, w: int; bad: bool;\n\
         let\n\
         x = 0 -> if i and pre x < 10 then pre x + 1 else pre x;\n\
         w = 0 -> if j and (pre x >= 10 or pre y <= 0) then 1 else pre w;\n\
         y = 0 -> if k and not j and (pre x >= 10 or pre w <= 0) then 1 else pre y;\n\
         bad = false -> pre bad or t and pre x < 10 and pre w > 0 and pre y > 0;\n\
         ok = not bad;\n\
         check ok;\n\
         tel\n",
    );
    for engine in LEARNERS {
        let (found, _) = verdict_within("3", &path, &["--engine", engine]);
        assert_eq!(found, "unknown", "{engine}");
    }
    let found = verdict(&path, &["--engine", "ice"]);
    assert_eq!(found, ("valid".to_string(), "ice".to_string()));
}
