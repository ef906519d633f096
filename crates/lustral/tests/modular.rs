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
        // Each is checked, so there is one verdict for each, and the property.
        let stated = if format == "lustre" { "check " } else { "guarantee " };
        assert!(valid, "{pasted}");
        assert_eq!(run.verdicts().len(), shown.matches(stated).count() + 1, "{pasted}");
    }
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
