//! Candidates for invariants: in programs, from files, from earlier runs.

use serde_json::Value;

use crate::common::{LIMIT, Run, Scratch, run};

/// Only multiples of three are reached, which no template says.
fn thirds(extra: &str) -> String {
    format!(
        "node step(b: bool) returns (x: int);
let
  x = 0 -> if b then pre x + 6 else pre x - 9;
{extra}tel
node main(b: bool; i: int) returns (ok: bool);
let
  ok = step(b) <> 3 * i + 1;
  --%PROPERTY ok;
tel
"
    )
}

/// A bound that is not inductive, but with another one it is.
const BOUND: &str = "\
node main(b: bool) returns (ok: bool);
var x: int;
let
  x = 0 -> if b then (if pre x = 10 then 0 else pre x + 1) else pre x;
  ok = x <> 15;
  --%PROPERTY ok;
tel
";

const LIMITS: [&str; 4] = ["--max-k", "4", "--timeout", "40"];

#[track_caller]
fn expect(run: &Run, verdict: &str) {
    let verdicts: Vec<String> = run.verdicts().into_iter().map(|(_, v)| v).collect();
    assert_eq!(verdicts, [verdict], "{}{}", run.stdout, run.stderr);
}

/// A run with the limits, or with an engine and no templates.
#[track_caller]
fn check(scratch: &Scratch, program: &str, args: &[&str]) -> Run {
    scratch.check(program, &[&LIMITS, args].concat())
}

const BARE: [&str; 6] =
    ["--engine", "sorcar", "--templates", "none", "--prepare", "memories,sofar,slice"];

/// The verdicts with nothing that depends on time or on who was first.
fn essence(run: &Run) -> Vec<Value> {
    let mut list = run.events("verdict");
    for line in &mut list {
        let object = line.as_object_mut().unwrap();
        object.remove("seconds");
    }
    list
}

#[test]
fn a_candidate_of_the_program_proves_what_templates_do_not() {
    let scratch = Scratch::new();
    expect(&check(&scratch, &thirds(""), &["--engine", "sorcar"]), "unknown");
    for form in ["--%CANDIDATE x mod 3 = 0;", "--!CANDIDATE : x mod 3 = 0;"] {
        expect(&check(&scratch, &thirds(&format!("  {form}\n")), &[]).expect(0), "valid");
    }
    // Looking back works as well, for every engine of the family.
    let back = thirds("  --%CANDIDATE true -> pre x mod 3 = 0;\n");
    for engine in ["houdini", "sorcar", "h-houdini"] {
        expect(&check(&scratch, &back, &["--engine", engine]).expect(0), "valid");
    }
}

#[test]
fn a_candidate_from_a_file_does_too() {
    let scratch = Scratch::new();
    scratch.write("guess", "-- a guess\nnode step\n  x mod 3 = 0; (* and *)\n  x mod 3 <> 1;\n");
    let run = check(&scratch, &thirds(""), &["--candidates", "guess"]).expect(0);
    expect(&run, "valid");
    assert!(run.events("diagnostic").is_empty());
    // The file is no part of what a certificate is about.
    check(&scratch, &thirds(""), &["--candidates", "guess", "--certificate", "c"]).expect(0);
    let manifests = walk(&scratch.path().join("c"));
    assert!(manifests.iter().any(|text| text.contains("program.lus")));
    assert!(!manifests.iter().any(|text| text.contains("guess")));
    let missing = check(&scratch, &thirds(""), &["--candidates", "nothing"]);
    assert!(missing.stderr.contains("cannot read nothing"), "{}", missing.stderr);
    assert_eq!(missing.code, 1);
}

/// The texts of all files below a folder.
fn walk(folder: &std::path::Path) -> Vec<String> {
    let mut texts = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(path.read_dir().unwrap().map(|e| e.unwrap().path()))
        } else {
            texts.push(std::fs::read_to_string(path).unwrap())
        }
    }
    texts
}

#[test]
fn wrong_and_contradictory_candidates_do_no_harm() {
    let scratch = Scratch::new();
    let wrong = "node main\n  x > 0; x < 0; false; x = 5; true -> pre x > x;\n  ok = false;\n";
    scratch.write("wrong", wrong);
    expect(&check(&scratch, BOUND, &["--candidates", "wrong"]).expect(0), "valid");
    let false_property = BOUND.replace("x <> 15", "x <> 3");
    let bare = check(&scratch, &false_property, &["--engine", "bmc"]).expect(40);
    let with = check(&scratch, &false_property, &["--engine", "bmc", "--candidates", "wrong"]);
    assert_eq!(essence(&bare), essence(&with.expect(40)));
    for engine in ["houdini", "sorcar", "h-houdini"] {
        let run = check(&scratch, &false_property, &["--engine", engine, "--candidates", "wrong"]);
        expect(&run.expect(40), "falsifiable");
    }
}

#[test]
fn what_does_not_fit_in_a_file_is_a_warning() {
    let scratch = Scratch::new();
    let file = "x;\nnode nobody\n  x > 0;\nnode main\n  x + 1;\n  zz > 0;\n  x > ;\n  \
                pre x >= 0;\n  main(b);\n  0 <= x and x <= 10;\n";
    scratch.write("guess", file);
    let args = [&BARE[..], &["--candidates", "guess"]].concat();
    let run = check(&scratch, BOUND, &args).expect(0);
    expect(&run, "valid");
    let remarks = run.events("diagnostic");
    let lines: Vec<u64> = remarks.iter().map(|d| d["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [1, 2, 5, 6, 7, 8, 9], "{remarks:?}");
    assert!(remarks.iter().all(|d| d["severity"] == "warning" && d["file"] == "guess"));
    // The same file as that of an earlier run is nobody's mistake.
    let args = [&BARE[..], &["--invariants-in", "guess"]].concat();
    let run = check(&scratch, BOUND, &args).expect(0);
    assert!(run.events("diagnostic").is_empty() && run.stderr.is_empty());
    let run = check(&scratch, BOUND, &[&args[..], &["-v"]].concat()).expect(0);
    assert!(run.stderr.contains("skipped"), "{}", run.stderr);
}

#[test]
fn mistakes_in_candidates_of_the_program_are_warnings() {
    let scratch = Scratch::new();
    let with = |text: &str| BOUND.replace("  --%P", &format!("  --%CANDIDATE {text};\n  --%P"));
    for (text, code) in [("x", "type"), ("y > 0", "undeclared"), ("main(b)", "unsupported")] {
        let run = check(&scratch, &with(text), &[]).expect(0);
        let found = run.events("diagnostic");
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0]["code"], code, "{found:?}");
        assert_eq!(found[0]["severity"], "warning");
        assert!(found[0]["line"].as_u64().is_some_and(|line| line > 1), "{found:?}");
    }
    let run = check(&scratch, &with("pre x >= 0"), &[]).expect(0);
    assert_eq!(run.events("diagnostic")[0]["code"], "unguarded-pre");
    let outside = format!("--%CANDIDATE true;\n{BOUND}");
    assert_eq!(check(&scratch, &outside, &[]).expect(3).events("diagnostic").len(), 1);
}

#[test]
fn candidates_are_printed_and_change_nothing_else() {
    let scratch = Scratch::new();
    scratch.write("with.lus", thirds("  --!CANDIDATE true -> pre x mod 3 = 0;\n"));
    scratch.write("without.lus", thirds(""));
    let printed = scratch.lustral(&["dump", "--stage", "ast", "with.lus"]).expect(0).stdout;
    assert!(printed.contains("  --%CANDIDATE true -> pre x mod 3 = 0;\n"), "{printed}");
    let dump = |stage, file| scratch.lustral(&["dump", "--stage", stage, file]).expect(0).stdout;
    assert!(dump("typed", "with.lus").contains("candidate e"));
    assert_eq!(dump("system", "with.lus"), dump("system", "without.lus"));
    let run = |file| scratch.lustral(&["simulate", file, "--all", "--seed", "3"]).expect(0).stdout;
    assert_eq!(run("with.lus"), run("without.lus"));
}

#[test]
fn templates_are_chosen_by_name() {
    let scratch = Scratch::new();
    // Interval analysis would find the bound as well.
    let passes = ["--engine", "houdini", "--prepare", "memories,sofar,slice"];
    let run = |list| check(&scratch, BOUND, &[&passes[..], &["--templates", list]].concat());
    expect(&run("none").expect(30), "unknown");
    expect(&run("bounds").expect(0), "valid");
    expect(&run("all").expect(0), "valid");
    expect(&run("none, bounds,affine").expect(0), "valid");
    let wrong = run("bounds,hexagons").expect(2);
    assert!(wrong.stderr.contains("no kind `hexagons`"), "{}", wrong.stderr);
    assert!(wrong.stderr.contains("octagons"), "{}", wrong.stderr);
}

#[test]
fn invariants_go_from_run_to_run() {
    let scratch = Scratch::new();
    let out = ["--engine", "houdini", "--invariants-out", "found"];
    check(&scratch, BOUND, &out).expect(0);
    let text = std::fs::read_to_string(scratch.path().join("found")).unwrap();
    assert!(text.contains("node main\n  ") && text.contains("x <= 10;"), "{text}");
    let again = [&BARE[..], &["--invariants-in", "found"]].concat();
    expect(&check(&scratch, BOUND, &again).expect(0), "valid");
    expect(&check(&scratch, BOUND, &BARE).expect(30), "unknown");
    // For another program it is of no use, and there need be no file.
    expect(&check(&scratch, &BOUND.replace("= 10", "= 12"), &again).expect(30), "unknown");
    expect(&check(&scratch, &BOUND.replace('x', "y"), &again).expect(30), "unknown");
    let nothing = [&BARE[..], &["--invariants-in", "nothing"]].concat();
    expect(&check(&scratch, BOUND, &nothing).expect(30), "unknown");
    let unwritable = check(&scratch, BOUND, &["--invariants-out", "no/such/folder"]);
    assert!(unwritable.expect(1).stderr.contains("cannot write"));
}

#[test]
fn a_cache_knows_nodes_by_their_text() {
    let scratch = Scratch::new();
    check(&scratch, BOUND, &["--engine", "houdini", "--cache=kept"]).expect(0);
    let folder = scratch.path().join("kept");
    let files = || folder.read_dir().unwrap().map(|e| e.unwrap().path()).collect::<Vec<_>>();
    assert_eq!(files().len(), 1);
    let bare = [&BARE[..], &["--cache=kept"]].concat();
    expect(&check(&scratch, BOUND, &bare).expect(0), "valid");
    // Comments and the order of files do not matter, the text does.
    expect(&check(&scratch, &format!("-- again\n{BOUND}"), &bare).expect(0), "valid");
    let changed = BOUND.replace("= 10", "= 12");
    expect(&check(&scratch, &changed, &bare).expect(30), "unknown");
    check(&scratch, &changed, &["--engine", "houdini", "--cache=kept"]).expect(0);
    assert_eq!(files().len(), 2);
    // What is wrong in it does no harm.
    for file in files() {
        std::fs::write(file, "node main\n  x = 15; x <= 3; ok > ; \u{1F980}").unwrap();
    }
    let run = check(&scratch, BOUND, &["--cache=kept"]).expect(0);
    expect(&run, "valid");
    assert!(run.events("diagnostic").is_empty() && run.stderr.is_empty());
    // A cache that cannot be written is no reason to have no verdict.
    scratch.write("file", "");
    let run = check(&scratch, BOUND, &["--engine", "houdini", "--cache=file"]).expect(0);
    assert!(run.stdout.contains("cannot write the cache"), "{}", run.stdout);
}

#[test]
fn a_cache_without_a_folder_is_that_of_the_user() {
    let scratch = Scratch::new();
    scratch.write("a.lus", BOUND);
    let args = ["check", "--engine", "houdini", "--cache", "a.lus"];
    let with = |variable: &str, value: &str| {
        let mut command = scratch.command(&args);
        command.env_remove("XDG_CACHE_HOME").env_remove("HOME").env(variable, value);
        run(command, LIMIT)
    };
    let folder = scratch.path().to_str().unwrap();
    let count = |path: &str| scratch.path().join(path).read_dir().map_or(0, Iterator::count);
    with("XDG_CACHE_HOME", folder).expect(0);
    assert_eq!((count("lustral"), count(".cache/lustral")), (1, 0));
    with("HOME", folder).expect(0);
    assert_eq!(count(".cache/lustral"), 1);
    let nowhere = with("HOME", "").expect(2);
    assert!(nowhere.stderr.contains("`--cache` needs a folder"), "{}", nowhere.stderr);
}

#[test]
fn options_that_nobody_looks_at_are_named() {
    let scratch = Scratch::new();
    scratch.write("a.lus", BOUND);
    let warnings = |args: &[&str]| {
        let run = scratch.lustral(&[&["check", "--timeout", "5"], args, &["a.lus"]].concat());
        run.stderr.matches("makes no difference").count()
    };
    assert_eq!(warnings(&["--width", "2", "--abduction", "core"]), 1);
    assert_eq!(warnings(&["--width", "2", "--engine", "pdh"]), 0);
    assert_eq!(warnings(&["--templates", "bounds"]), 0);
    assert_eq!(warnings(&["--templates", "bounds", "--engine", "k-induction"]), 1);
    let some = ["--templates", "bounds", "--engine", "k-induction", "--compositional"];
    assert_eq!(warnings(&some), 0, "something is learned of called nodes");
    assert_eq!(warnings(&["--bmc-solver", "z3-builtin", "--engine", "horn"]), 1);
    assert_eq!(warnings(&["--bmc-solver", "z3-builtin", "--engine", "sorcar"]), 0);
}

/// The invariants of a node, as `invariants --json` says them.
fn invariants(run: &Run, node: &str) -> Vec<String> {
    let all = run.events("invariant");
    let own = all.iter().filter(|line| line["node"] == node);
    own.map(|line| line["expression"].as_str().unwrap().to_string()).collect()
}

#[test]
fn invariants_are_learned_from_candidates_too() {
    let scratch = Scratch::new();
    scratch.write("plain.lus", thirds(""));
    let run = scratch.lustral(&["invariants", "--json", "plain.lus"]).expect(0);
    assert!(!invariants(&run, "step").contains(&"x mod 3 = 0".into()));
    scratch.write("guessed.lus", thirds("  --%CANDIDATE x mod 3 = 0;\n"));
    scratch.write("guess", "node step\n  x mod 3 = 0;\n");
    for args in [&["guessed.lus"][..], &["--candidates", "guess", "plain.lus"]] {
        let run = scratch.lustral(&[&["invariants", "--json"][..], args].concat()).expect(0);
        assert!(invariants(&run, "step").contains(&"x mod 3 = 0".into()), "{}", run.stdout);
    }
}

/// What every call gives a node, where no template says it.
#[test]
fn invariants_are_learned_from_what_is_required() {
    let program = "\
node half(x: int) returns (y: int);
let
  y = 0 -> pre y + x;
  --%CANDIDATE requires x mod 2 = 0;
  --%CANDIDATE ensures y mod 2 = 0;
tel
node main(i: int) returns (y: int);
let y = half(2 * i); tel
";
    let scratch = Scratch::new();
    scratch.write("half.lus", program);
    let run = scratch.lustral(&["invariants", "half.lus"]).expect(0);
    assert!(run.stdout.contains("given x mod 2 = 0"), "{}", run.stdout);
    assert!(run.stdout.contains("    y mod 2 = 0"), "{}", run.stdout);
}

/// What can be seen of a node from outside is said even if its equations say it.
#[test]
fn invariants_say_what_callers_do_not_see() {
    let program = "\
node sat(x: int) returns (y: int);
let y = if x < 0 then 0 else if x > 100 then 100 else x; tel
node sum(x: int) returns (y: int);
let y = sat(x) + sat(x + 1); check y <= 200; tel
";
    let scratch = Scratch::new();
    scratch.write("sat.lus", program);
    let run = scratch.lustral(&["invariants", "--json", "sat.lus"]).expect(0);
    for (node, most) in [("sat", "y <= 100"), ("sum", "y <= 200")] {
        let known = invariants(&run, node);
        for fact in ["y >= 0", most] {
            assert!(known.contains(&fact.into()), "{node}: {known:?}");
        }
        // Nothing is said that says nothing.
        for fact in known {
            let (left, right) = fact.split_once(" = ").unwrap_or((&fact, ""));
            assert_ne!(left, right);
        }
    }
    // All of it is more.
    let all = scratch.lustral(&["invariants", "--json", "--all", "sat.lus"]).expect(0);
    assert!(all.events("invariant").len() >= run.events("invariant").len());
}

/// Cells that hand on what they count: more numbers than are paired.
fn many(cells: usize) -> String {
    let each = |text: &dyn Fn(usize) -> String, between: &str| {
        (0..cells).map(text).collect::<Vec<_>>().join(between)
    };
    format!(
        "node top(u: int) returns (y: int);\nvar {}: int;\nlet\n{}\n  y = x0;\n  \
         check ({}) mod 3 <> 1;\ntel\n",
        each(&|i| format!("x{i}"), ", "),
        each(
            &|i| format!(
                "  x{i} = 0 -> if u = {i} then pre x{i} + 3 else pre x{};",
                (i + 1) % cells
            ),
            "\n"
        ),
        each(&|i| format!("x{i}"), " + "),
    )
}

/// What a limit leaves out may be what is needed, so it is said that it was reached.
#[test]
fn limits_that_are_reached_are_told() {
    let scratch = Scratch::new();
    let told = |program: &str, engine: &str| {
        let args = ["--engine", engine, "--templates", "octagons,affine", "--timeout", "2"];
        let run = scratch.check(program, &args).expect(30);
        run.events("verdict")[0]["notes"].to_string().contains("20 of 24 numbers are in sums")
    };
    for engine in ["houdini", "sorcar", "h-houdini"] {
        assert!(told(&many(24), engine), "{engine}");
        assert!(!told(&many(5), engine), "{engine}");
    }
    // Of an answer nobody needs to know.
    let proved = scratch.check(&many(24).replace("mod 3 <> 1", ">= -1"), &["--engine", "sorcar"]);
    assert!(!proved.stdout.contains("did not try"), "{}", proved.stdout);
    // A ring that hands its numbers round, so that they have few values.
    let ring = (0..21).map(|i| format!("  x{i} = {i} -> pre x{};\n", (i + 1) % 21));
    let names = (0..21).map(|i| format!("x{i}")).collect::<Vec<_>>().join(", ");
    let ring: String = ring.collect();
    let program =
        format!("node top() returns (y: int);\nvar {names}: int;\nlet\n{ring}  y = x0;\ntel\n");
    scratch.write("ring.lus", program);
    let run = scratch.lustral(&["invariants", "--timeout", "30", "ring.lus"]).expect(0);
    let said = format!("{}{}", run.stdout, run.stderr);
    assert!(said.contains("not all candidates of the templates were tried"), "{said}");
}

/// Of nodes that call nodes that call others the ranges are known all the way up.
#[test]
fn ranges_are_known_through_nested_calls() {
    let program = "\
node count(up: bool) returns (n: int);
let n = 0 -> if up and pre n < 10 then pre n + 1 else 0; tel
node twice(up: bool) returns (y, m: int);
let m = count(up); y = 2 * m; tel
node outer(up: bool) returns (z: int);
var a, b: int;
let a, b = twice(up); z = a + b; tel
";
    let scratch = Scratch::new();
    scratch.write("nested.lus", program);
    let run = scratch.lustral(&["invariants", "--json", "nested.lus"]).expect(0);
    for (node, range) in [("count", ["n >= 0", "n <= 10"]), ("outer", ["z >= 0", "z <= 30"])] {
        let known = invariants(&run, node);
        assert!(range.iter().all(|fact| known.contains(&(*fact).into())), "{node}: {known:?}");
    }
}

/// The time is up, but the candidates were tried before.
#[test]
fn that_no_candidates_are_enough_is_the_reason() {
    let scratch = Scratch::new();
    for engine in ["houdini", "sorcar"] {
        let args = ["--engine", engine, "--templates", "none", "--timeout", "2"];
        let run = scratch.check(&thirds(""), &args).expect(30);
        assert!(
            run.stdout.contains("no conjunction of the candidates proves it"),
            "{}",
            run.stdout
        );
    }
}

/// Cells whose counters stay together, and count what would be wrong by a quotient, so that no comparison of the
/// program says it: there are more numbers in all cells than are paired.
fn cells(count: usize) -> String {
    let calls: String = (0..count).map(|i| format!("  d{i} = cell(x = {i}, 3);\n")).collect();
    let list =
        |between: &str| (0..count).map(|i| format!("d{i}")).collect::<Vec<_>>().join(between);
    format!(
        "node cell(x: bool; most: int) returns (d: int);\nvar a, b: int;\nlet\n  \
         a = 0 -> if x and pre a - pre b < pre most then pre a + 1 else pre a;\n  \
         b = 0 -> if not x and pre b < pre a then pre b + 1 else pre b;\n  \
         d = 0 -> pre d + (pre a - pre b) div 4;\ntel\n\
         node top(x: int) returns (ok: bool);\nvar {}: int;\nlet\n{calls}  ok = {} = 0;\n  \
         --%MAIN;\n  check ok;\ntel\n",
        list(", "),
        list(" + "),
    )
}

/// What is learned of a node, for what every call gives it, is tried at every call, of which there may be more than
/// limits on candidates allow for.
#[test]
fn what_is_learned_of_nodes_is_tried_at_every_call() {
    let scratch = Scratch::new();
    let program = cells(9);
    let plain = ["--engine", "sorcar", "--timeout", "3"];
    scratch.check(&program, &plain).expect(30);
    let run = scratch.check(&program, &["--engine", "sorcar", "--learn-nodes"]);
    expect(&run, "valid");
    // Whoever checks the node by itself gives it nothing.
    let stated = program.replace("div 4;\ntel", "div 4;\n  check d = 0;\ntel");
    let alone = scratch.check(&stated, &["--node", "cell", "--learn-nodes"]);
    expect(&alone, "falsifiable");
}
