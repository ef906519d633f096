//! Names that hide others: where the same word means two things, the nearer one counts.

#![allow(clippy::unwrap_used)]

mod common;

use common::check_text;
use lustral_sema::interp::{Machine, Zeros};
use lustral_sema::{InstanceTree, Value};
use num_bigint::BigInt;

fn codes(text: &str) -> Vec<&'static str> {
    check_text(text).errors.into_iter().map(|found| found.code).collect()
}

/// Whether the properties and clauses of the node `main` hold at the first step.
fn holds(text: &str, inputs: &[i64]) -> Vec<bool> {
    let checked = check_text(text);
    assert!(checked.errors.is_empty(), "{text}\n{checked}");
    let program = checked.analysis.program();
    let root = program.node_named("main").unwrap();
    let tree = InstanceTree::new(program, root).unwrap();
    let mut machine = Machine::new(program, &tree);
    let inputs: Vec<Value> = inputs.iter().map(|n| Value::Int(BigInt::from(*n))).collect();
    machine.step(&inputs, &mut Zeros);
    let wanted = lustral_sema::instances::Wanted::STATED;
    let all = lustral_sema::instances::properties(program, &tree, wanted);
    all.iter().map(|property| machine.holds(property)).collect()
}

#[test]
fn a_flow_hides_a_constant_in_the_bounds_of_a_quantifier() {
    let flow = "const n = 0;\nnode main(n: int) returns (ok: bool);\n\
                let ok = forall (i: int) 0 <= i and i < n => false; check ok; tel";
    assert_eq!([holds(flow, &[0]), holds(flow, &[3])], [[true], [false]]);
    let variable = "const i = 0;\nnode main() returns (ok: bool);\nlet ok = forall (i, j: int) \
                    0 <= i and i < 5 and 0 <= j and j < i => false; check ok; tel";
    assert_eq!(holds(variable, &[]), [false]);
    let outer = "node main() returns (ok: bool);\nlet ok = forall (i: int) 0 <= i and i <= 0 => \
                 (forall (i, j: int) 0 <= i and i < 5 and 0 <= j and j < i => false); check ok; tel";
    assert_eq!(holds(outer, &[]), [false]);
    let constant = "const n = 3;\nnode main() returns (ok: bool);\n\
                    let ok = exists (i: int) 0 <= i and i < n and i = 2; check ok; tel";
    assert_eq!(holds(constant, &[]), [true]);
}

#[test]
fn what_an_empty_quantifier_chooses_is_forgotten() {
    let text = "node main(x: int) returns (ok: bool);\nlet ok = (forall (i: int) 0 <= i and i < 0 \
                => any { y: int | y > 0 } > i) and (x + 0 + 0 + 0 > 0); check ok; tel";
    let checked = check_text(text);
    let program = checked.analysis.program();
    assert!(program.node(program.node_named("main").unwrap()).asserts.is_empty());
    assert_eq!(holds(text, &[-1]), [false]);
}

#[test]
fn constant_inputs_have_no_part_in_imported_contracts() {
    let text = "contract c(n: int) returns (y: int); let guarantee \"g\" y = n; tel\n\
                node f(const n: int; x: int) returns (y: int);\n\
                con import c(x) returns (y); noc\nlet y = n; tel\n\
                node main(x: int) returns (z: int); let z = f(3, x); tel";
    assert_eq!(holds(text, &[3]), [true]);
    assert_eq!(holds(text, &[4]), [false]);
}

#[test]
fn a_ghost_may_be_used_before_its_declaration() {
    let text = "node main(x: int) returns (y: int);\n\
                con guarantee y < lim; var lim = 10; noc\nlet y = x; tel";
    assert_eq!(holds(text, &[9]), [true]);
    assert_eq!(holds(text, &[10]), [false]);
    let circle = "node main(x: int) returns (y: int);\n\
                  con var a = b; var b = a; guarantee a = b; noc\nlet y = x; tel";
    assert!(!codes(circle).is_empty());
    let forward = "node main(x: int) returns (y: int);\n\
                   con var a = b; var b = 1; guarantee a = b; noc\nlet y = x; tel";
    assert!(!codes(forward).is_empty());
}

#[test]
fn a_contract_has_one_declaration() {
    let text = "contract c(a: int) returns (b: int); let guarantee b = a; tel\n\
                contract c(a: int) returns (b: int); let guarantee b > a; tel\n\
                node main(x: int) returns (y: int);\ncon import c(x) returns (y); noc\n\
                let y = x; tel";
    assert_eq!(codes(text), ["duplicate"]);
    let twice = "contract c(a: int) returns (a: int); let guarantee a = a; tel\n\
                 node main(x: int) returns (y: int);\ncon import c(x) returns (y); noc\n\
                 let y = x; tel";
    assert_eq!(codes(twice), ["duplicate"]);
}

#[test]
fn a_node_without_a_body_has_no_local_flows() {
    let text = "node imported f(x: int) returns (y: int);\nvar z: int;\n\
                node main(x: int) returns (y: int);\nlet y = f(x); tel";
    assert!(!codes(text).is_empty());
}

#[test]
fn deep_and_many_quantifiers_end() {
    let deep = format!("{}0{}", "any { x: int | x > ".repeat(5_000), " }".repeat(5_000));
    let text = format!("node main() returns (y: int);\nlet y = {deep}; tel");
    assert!(!codes(&text).is_empty());
    let many = "node main() returns (ok: bool);\nlet ok = forall (i: int) 0 <= i and i < 1000 => \
                (forall (j: int) 0 <= j and j < 1000 => i + j >= 0); tel";
    assert_eq!(codes(many), ["type"]);
}

#[test]
fn what_needs_the_values_of_constant_inputs_needs_them_of_its_own() {
    let text = "node g(const n: int; x: int) returns (y: int);\nvar a: int^n;\n\
                let a = x^n; y = a[0]; tel\n\
                node f(const n: int; x: int) returns (y: int);\nlet y = g(n, x); tel\n\
                node main(x: int) returns (y: int);\nlet y = f(2, x); check y = x; tel";
    let checked = check_text(text);
    assert!(checked.errors.is_empty(), "{checked}");
    let program = checked.analysis.program();
    let template = |name: &str| program.node(program.node_named(name).unwrap()).template;
    assert!(template("g") && template("f") && !template("main"));
    assert_eq!(holds(text, &[7]), [true]);
}

#[test]
fn a_node_with_the_word_of_a_query_is_not_taken_for_it() {
    let node = "node reachable(x: bool) returns (y: bool); let y = x; tel\n";
    let main = |check: &str| format!("{node}node main(x: bool) returns ();\nlet {check}; tel\n");
    assert_eq!(codes(&main("check reachable(x) or not x")), ["syntax"]);
    assert_eq!(codes(&main("check (reachable(x)) or not x")), [""; 0]);
}

#[test]
fn names_of_packages_are_looked_up_from_the_inside() {
    let nested = "package A const n: int = 1; const k: int = 10; package B const n: int = 2;\n\
                  node sum(k: int) returns (y: int); let y = n + A::n + k + A::k; tel end; end;\n\
                  const n: int = 100;\nnode main(x: int) returns (ok: bool);\n\
                  let ok = A::B::sum(x) + n = 113 + x; check ok; tel";
    assert_eq!(holds(nested, &[4]), [true]);
    let used = "package A const n: int = 1; end package B uses A; body const m: int = n; end\n\
                node main(x: int) returns (ok: bool); let ok = B::m = 1; check ok; tel";
    assert_eq!(holds(used, &[0]), [true]);
    assert_eq!(codes(&used.replace("uses A;", "")), ["not-constant"]);
    let provided = "package A provides const n: int; body const n = 1; const m = 2; end\n\
                    node main(x: int) returns (ok: bool); let ok = x = A::m; check ok; tel";
    assert_eq!(codes(provided), ["undeclared"]);
    assert_eq!(holds(&provided.replace("A::m", "A::n"), &[1]), [true]);
}

#[test]
fn what_a_model_needs_is_given() {
    let text = |given: &str| {
        format!(
            "model M needs type t; const c: t; provides node f(x: t) returns (y: t);\n\
             body node f(x: t) returns (y: t); let y = c -> x; tel end\n\
             package P = M({given});\nnode main(x: int) returns (ok: bool);\n\
             let ok = P::f(x) = 3; check ok; tel"
        )
    };
    for given in ["int, 3", "type t = int; const c = 3", "c = 3, t = int", "t = int; 1 + 2"] {
        assert_eq!(holds(&text(given), &[0]), [true], "{given}");
    }
    assert_eq!(codes(&text("int")), ["arity"]);
    assert_eq!(codes(&text("int, 3, 4")), ["arity"]);
    assert_eq!(codes(&text("int, c = true")), ["type"]);
    assert_eq!(codes(&text("3, 3"))[0], "type");
    assert_eq!(codes(&text("int, 3, d = 1"))[0], "undeclared");
    assert_eq!(codes(&text("int, 3").replace("= M(", "= N("))[0], "undeclared");
}
