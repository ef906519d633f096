//! Modular invariants of the two counters: ours pass, misprinted ones do not.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};

use common::{Scratch, lustral};
use lustral_base::Cancel;
use lustral_certify::{CutProgram, ProofChecker, Rejected};
use lustral_horn::{Model, ModularClauses, Selection};
use lustral_sema::instances::Wanted;
use lustral_sema::{analyse, select};
use lustral_syntax::{Diagnostics, NoFiles, SourceMap, parse_program};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/modular").join(name)
}

/// The clauses of the counters with a reset: `int_counter` is node 1,
/// `gray_counter` node 2, `top` node 3.
fn clauses() -> ModularClauses {
    let mut sources = SourceMap::new();
    let text = std::fs::read_to_string(example("counters.lus")).unwrap();
    let main = sources.add("counters.lus", text);
    let mut diagnostics = Diagnostics::new();
    let tree = parse_program(&mut sources, main, &NoFiles, &mut diagnostics);
    let program = analyse(&sources, &tree, &mut diagnostics);
    let root = select::roots(&program, &[]).unwrap()[0];
    let wanted = Wanted::ALL;
    let kernel = lustral_kernel::translate(&program.into(), &sources).into();
    let nodes = CutProgram::below(&kernel, root, wanted, &|_| String::new()).unwrap();
    ModularClauses::new(&nodes, &Selection::all(&nodes), false)
}

/// Definitions of predicates; what is not defined always holds.
fn check(definitions: &[&str]) -> Result<(), String> {
    let clauses = clauses().clauses;
    let model = Model::read(&clauses, &format!("(and {})", definitions.join("\n"))).unwrap();
    let defined = model.definitions.iter().filter(|d| !d.conjuncts().is_empty()).count();
    assert_eq!(defined, definitions.len(), "all definitions are read");
    let mut checker = ProofChecker::new(&Cancel::new()).unwrap();
    checker.check_model(&clauses, &model, false).map_err(|rejected| match rejected {
        Rejected::Obligation(clause) => clause,
        other => panic!("{other}"),
    })
}

const INT_FIRST: &str = "(= (I_1 reset out after) (and (= after 0) (not out)))";
const GRAY_FIRST: &str = "(= (I_2 reset out b a) (and (not out) (not b) (not a)))";

#[test]
fn the_printed_invariants_of_the_int_counter_do_not_hold() {
    assert_eq!(check(&[INT_FIRST]), Ok(()));
    // The first part: a negative count stays negative.
    let parts = [
        ("(=> (< time 3) (>= next 0))", false),
        ("(=> out (<= time 1))", true),
        ("(or (<= next 0) (not (<= time 3)) (not (>= time 3)))", true),
        ("(or (not (>= time 3)) (>= next 0))", true),
    ];
    for (part, holds) in parts {
        let step = format!("(= (T_1 reset out time next) {part})");
        let found = check(&[INT_FIRST, &step]);
        if holds {
            assert_eq!(found, Ok(()), "{part}")
        } else {
            assert!(found.unwrap_err().contains("int_counter"), "{part}")
        }
    }
    let all: Vec<&str> = parts.iter().map(|(part, _)| *part).collect();
    let step = format!("(= (T_1 reset out time next) (and {}))", all.join(" "));
    assert!(check(&[INT_FIRST, &step]).unwrap_err().contains("int_counter"));
}

#[test]
fn the_printed_invariants_of_the_gray_counter_do_not_hold() {
    assert_eq!(check(&[GRAY_FIRST]), Ok(()));
    // None of them holds where the counter is reset.
    for part in ["(= b2 a)", "(= (not a2) b)", "(= (not out) (or (not a) a2))"] {
        let step = format!("(= (T_2 reset out b a b2 a2) {part})");
        let found = check(&[GRAY_FIRST, &step]);
        assert!(found.unwrap_err().contains("gray_counter"), "{part}");
    }
    let exact = "(= (T_2 reset out b a b2 a2) \
                 (and (= b2 (and a (not reset))) (= a2 (and (not b) (not reset))) \
                 (= out (and a2 b2))))";
    assert_eq!(check(&[GRAY_FIRST, exact]), Ok(()));
}

/// What the steps of the program are, exactly; for whatever `Main` may be.
const EXACT: [&str; 6] = [
    "(= (I_1 reset out after) (and (= after 0) (not out)))",
    "(= (T_1 reset out time next) (and (= next (ite (or reset (= time 3)) 0 (+ time 1))) \
     (= out (= next 2))))",
    GRAY_FIRST,
    "(= (T_2 reset out b a b2 a2) (and (= b2 (and a (not reset))) \
     (= a2 (and (not b) (not reset))) (= out (and a2 b2))))",
    "(= (I_3 reset same holds b a t) (and (not b) (not a) (= t 0) same holds))",
    "(= (T_3 reset same holds b a t b2 a2 t2) (and (= b2 (and a (not reset))) \
     (= a2 (and (not b) (not reset))) (= t2 (ite (or reset (= t 3)) 0 (+ t 1))) \
     (= same (= (and a2 b2) (= t2 2))) (= holds same)))",
];

fn with_main(main: &str) -> Result<(), String> {
    let main = format!("(= (Main reset same holds b a t) {main})");
    check(&[&EXACT[..], &[&main]].concat())
}

#[test]
fn the_printed_monolithic_invariant_is_not_inductive() {
    let right = "(and holds same (<= 0 t) (<= t 3) (= a (or (= t 1) (= t 2))) \
                 (= b (or (= t 2) (= t 3))))";
    assert_eq!(with_main(right), Ok(()));
    let printed = "(let ((tmp (not (or (not (<= t 0)) (not (>= t 0)))))) (and same \
                   (or tmp a b reset) (or (<= t 2) (not a) (not reset)) (<= t 3) \
                   (or (>= t 3) (not b) a) (or (>= t 2) (not b) (not a))))";
    assert!(with_main(printed).unwrap_err().contains("the program goes on"));
}

#[test]
fn definitions_about_something_else_are_rejected() {
    // A definition of the wrong sort never gets that far.
    let clauses = clauses().clauses;
    assert!(Model::read(&clauses, "(= (I_1 a b c) (and a c))").is_none());
    assert!(Model::read(&clauses, "(= (I_1 a b) a)").is_none());
    let mut model = Model::always(&clauses);
    let mut more = Model::always(&clauses);
    model.definitions.pop();
    let mut checker = ProofChecker::new(&Cancel::new()).unwrap();
    assert!(checker.check_model(&clauses, &model, false).is_err());
    let other = &mut more.definitions[0];
    other.term = other.terms.variable(lustral_term::VarId(99), lustral_term::Sort::Bool);
    assert!(checker.check_model(&clauses, &more, false).is_err());
}

#[test]
fn both_counters_and_the_top_have_invariants() {
    for name in ["counters.lus", "free_counters.lus"] {
        let file = example(name);
        let run = lustral(&["invariants", "--modular", "--json", file.to_str().unwrap()]);
        let run = run.expect(0);
        assert!(run.stderr.is_empty(), "{}", run.stderr);
        let lines = run.events("modular_invariant");
        let known = |node: &str, predicate: &str| {
            lines.iter().any(|l| l["node"] == node && l["predicate"] == predicate)
        };
        for node in ["gray_counter", "int_counter", "top"] {
            assert!(known(node, "I") && known(node, "T"), "{name}: {node}");
        }
        assert!(known("int_counter", "Inv") && known("top", "Inv"), "{name}");
        let bound = lines.iter().any(|l| l["expression"] == "true -> pre time <= 3");
        assert!(bound, "{name}: {}", run.stdout);
    }
}

/// Every expression that is shown can be pasted into its node, and is valid.
#[test]
fn expressions_and_contracts_can_be_pasted() {
    let source = std::fs::read_to_string(example("counters.lus")).unwrap();
    for format in ["lustre", "contract"] {
        let file = example("counters.lus");
        let shown =
            lustral(&["invariants", "--modular", "--format", format, file.to_str().unwrap()]);
        let shown = shown.expect(0).stdout;
        let mut pasted = source.clone();
        for block in shown.split("-- node ").skip(1) {
            let (node, text) = block.split_once('\n').unwrap();
            let header = pasted.find(&format!("node {node}(")).unwrap();
            let place = match format {
                // Before the end of the body, or after the header.
                "lustre" => header + pasted[header..].find("\ntel").unwrap() + 1,
                _ => header + pasted[header..].find(";\n").unwrap() + 2,
            };
            assert!(text.contains("check ") || text.contains("guarantee "), "{text}");
            pasted.insert_str(place, text);
        }
        let scratch = Scratch::new();
        scratch.write("pasted.lus", &pasted);
        let run = scratch.lustral(&["check", "--json", "pasted.lus"]).expect(0);
        let valid = run.verdicts().iter().all(|(_, verdict)| verdict == "valid");
        // Each is checked, so there is one verdict for each, and the property; more where a contract calls nodes.
        let stated = if format == "lustre" { "check " } else { "guarantee " };
        assert!(valid, "{pasted}");
        assert!(run.verdicts().len() > shown.matches(stated).count(), "{pasted}");
    }
}

/// Where the contracts of a text have their places: behind the header of each node.
fn with_contracts(source: &str, shown: &str) -> String {
    let mut pasted = source.to_string();
    for block in shown.split("-- node ").skip(1) {
        let (node, text) = block.split_once('\n').unwrap();
        let header = pasted.find(&format!("node {node}(")).unwrap();
        let place = header + pasted[header..].find(";\n").unwrap() + 2;
        pasted.insert_str(place, text);
    }
    pasted
}

/// The program with nodes that have nothing but their contracts, all but the last.
fn without_bodies(pasted: &str) -> String {
    let main = pasted.rfind("\nnode ").unwrap() + 1;
    let (called, last) = pasted.split_at(main);
    let mut left = String::new();
    for node in called.split_inclusive("\ntel\n") {
        let body = node.find("*)\n").unwrap() + 3;
        let at = node.find("node ").unwrap();
        left += &format!("{}node imported {}", &node[..at], &node[at + 5..body]);
    }
    // The contract of the last node may call others, to which these are not the same any more.
    let (header, rest) = last.split_once(";\n").unwrap();
    let body = if rest.starts_with("(*@") { rest.split_once("*)\n").unwrap().1 } else { rest };
    format!("{left}{header};\n{body}")
}

/// Nodes with memory of several types, by themselves and one below the other.
const STATEFUL: [&str; 4] = [
    "type mode = enum { off, on };\nnode device(b: bool) returns (busy: bool);\nvar m: mode; n: int;\nlet\n  \
     m = off -> if b then on else if pre n >= 3 then off else pre m;\n  \
     n = 0 -> if m = off then 0 else if pre n < 3 then pre n + 1 else pre n;\n  busy = m = on;\ntel\n\
     node main(b: bool) returns (ok: bool);\nvar was: bool;\nlet\n  ok = device(false -> false) => was;\n  \
     was = false -> pre b or pre was;\n  check \"never busy\" ok;\ntel\n",
    "node sum(x: int) returns (s: int);\nvar t: int;\nlet\n  t = (0 -> pre t) + (if x > 0 then x else 0);\n  \
     s = t + 1;\ntel\nnode twice(x: int) returns (y: int);\nlet\n  y = sum(x) + sum(-x);\ntel\n\
     node main(x: int) returns (ok: bool);\nlet\n  ok = twice(x) >= 2;\n  check \"grows\" ok;\ntel\n",
    "node both(x: int) returns (low, high: int);\nlet\n  low = x -> if x < pre low then x else pre low;\n  \
     high = x -> if x > pre high then x else pre high;\ntel\n\
     node range(x: int) returns (wide: int);\nvar a, b: int;\nlet\n  a, b = both(x);\n  wide = b - a;\ntel\n\
     node main(x: int) returns (ok: bool);\nlet\n  ok = range(x) >= 0;\n  check \"not negative\" ok;\ntel\n",
    "node delay(x: real) returns (y: real);\nvar l: real^2;\nlet\n  l[i] = if i = 0 then x else (0.0 -> pre l[i - 1]);\n  \
     y = 0.0 -> pre l[1];\ntel\n\
     node main(b: bool) returns (ok: bool);\nvar r: real;\nlet\n  r = if b then 1.0 else 0.5;\n  \
     ok = delay(r) <= 1.0;\n  check \"bounded\" ok;\ntel\n",
];

/// A contract with ghost flows says as much as the body: it is kept by the node, and proves the same of those
/// who call it when the bodies are gone.
#[test]
fn contracts_prove_what_bodies_prove() {
    let examples = ["counters.lus", "free_counters.lus"].map(|name| {
        let text = std::fs::read_to_string(example(name)).unwrap();
        text[text.find("node ").unwrap()..].replace("\n\n", "\n")
    });
    let mut with_ghosts = 0;
    for source in examples.iter().map(String::as_str).chain(STATEFUL) {
        let scratch = Scratch::new();
        scratch.write("p.lus", source);
        let shown = scratch.lustral(&["invariants", "--format", "contract", "p.lus"]).expect(0);
        with_ghosts += usize::from(shown.stdout.contains("  var ghost_"));
        assert!(!shown.stdout.contains("only the node knows"), "{}", shown.stdout);
        let pasted = with_contracts(source, &shown.stdout);
        let bare = without_bodies(&pasted);
        for text in [pasted, bare] {
            scratch.write("q.lus", &text);
            for options in [&[][..], &["--compositional"]] {
                let all = [&["check", "--json", "q.lus"], options].concat();
                let run = scratch.lustral(&all).expect(0);
                assert!(!run.verdicts().is_empty(), "{text}");
                assert!(run.verdicts().iter().all(|(_, verdict)| verdict == "valid"), "{text}");
            }
        }
    }
    assert!(with_ghosts >= 3, "{with_ghosts}");
}

/// What is left open by a node is not copied: a ghost call would do something else.
#[test]
fn what_is_left_open_is_no_ghost() {
    let source = "node any(x: int) returns (y: int);\nvar f: int;\nlet\n  f = pre x;\n  y = f;\ntel\n\
                  node main(x: int) returns (y: int);\nvar k: int;\nlet\n  k = any(x);\n  y = k - k;\n  \
                  check y = 0;\ntel\n";
    let scratch = Scratch::new();
    scratch.write("p.lus", source);
    let shown = scratch.lustral(&["invariants", "--format", "contract", "p.lus"]).expect(0).stdout;
    assert!(!shown.contains("= any("), "{shown}");
    scratch.write("q.lus", with_contracts(source, &shown));
    scratch.lustral(&["check", "q.lus"]).expect(0);
}

/// Where a property fails, what nodes guarantee is shown all the same.
#[test]
fn a_property_that_fails() {
    let scratch = Scratch::new();
    scratch.write(
        "p.lus",
        "node count(up: bool) returns (n: int);\nlet\n  n = 0 -> if up then pre n + 1 else pre n;\n\
         tel\n\nnode main(up: bool) returns (ok: bool);\nlet\n  ok = count(up) < 2;\n  \
         --%PROPERTY ok;\ntel\n",
    );
    let run = scratch.lustral(&["invariants", "--modular", "p.lus"]).expect(30);
    assert!(run.stderr.contains("Spacer one fails"), "{}", run.stderr);
    assert!(run.stdout.contains("n >= 0"), "{}", run.stdout);
    let smt2 = scratch.lustral(&["invariants", "--modular", "--format", "smt2", "p.lus"]);
    assert!(smt2.expect(30).stdout.contains("(define-fun Inv_1 ((a1 Int)) Bool"));
}
