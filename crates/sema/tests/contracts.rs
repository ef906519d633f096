//! Contracts: what they say of a node, and what they may not say.

mod common;

use common::check_text;
use lustral_sema::obligations::{ObligationKind, ObligationRole, obligations};

/// The obligations of the node `f`, as kind and name.
fn obliged(text: &str) -> Vec<(ObligationKind, String)> {
    let checked = check_text(text);
    assert!(checked.errors.is_empty(), "{text}\n{checked}");
    let program = checked.analysis.program();
    let node = program.node_named("f").expect("there is a node `f`");
    obligations(program, node).into_iter().map(|o| (o.kind, o.name)).collect()
}

fn errors(text: &str) -> Vec<(&'static str, String)> {
    check_text(text).errors.into_iter().map(|found| (found.code, found.message)).collect()
}

#[test]
fn both_forms_and_all_items() {
    let contract = "  const k: int = 3;\n  var total: int = x + (0 -> pre total);\n\
                    assume \"small\" x < k;\n  weakly assume x >= 0;\n  guarantee y >= 0;\n\
                    mode low (require x < 2; require true; ensure y = x; ensure y < k;);\n\
                    mode high (require not ::low; ensure \"more\" total >= 0;);";
    for (open, close) in [("con", "noc"), ("(*@contract", "*)"), ("/*@contract", "*/")] {
        let text = format!(
            "node f(x: int) returns (y: int);\n{open}\n{contract}\n{close}\nlet y = x; tel"
        );
        use ObligationKind::{Assume, Ensure, Guarantee, Occurs, OneMode};
        let expected = [
            (Occurs, "mode low"),
            (Occurs, "mode high"),
            (Assume, "small"),
            (Assume, "line 6"),
            (Guarantee, "line 7"),
            (Ensure, "low"),
            (Ensure, "high"),
            (OneMode, "one mode active"),
        ];
        let expected = expected.map(|(kind, name)| (kind, name.to_string()));
        assert_eq!(obliged(&text)[..8], expected, "{open}");
    }
    assert_eq!(ObligationKind::Assume.role(), ObligationRole::Given);
    assert_eq!(ObligationKind::Guarantee.role(), ObligationRole::Shown);
}

#[test]
fn contracts_are_imported_with_names_of_their_own() {
    let text = "
contract inner(a: int) returns (b: int);
let var t: int = a; guarantee \"in\" b >= t; mode m (require a > 0; ensure b > 0;); tel
contract outer(a: int) returns (b: int);
let
  import inner(a + 1) returns (b);
  var t: bool = ::inner::m;
  guarantee \"out\" t => b > 0;
tel
node f(x: int) returns (y: int);
con
  import outer(x) returns (y);
  var t: int = y;
  guarantee \"own\" t = y;
noc
let y = x + 1; tel";
    let names: Vec<String> = obliged(text).into_iter().map(|(_, name)| name).collect();
    let modes = ["mode outer.inner.m"];
    let clauses = ["own", "outer.out", "outer.inner.in", "outer.inner.m", "one mode active"];
    assert_eq!(names, [&modes[..], &clauses].concat());
}

#[test]
fn a_contract_speaks_of_the_interface() {
    let node = |contract: &str| {
        format!(
            "node f(x: int) returns (y: int);\ncon\n{contract}\nnoc\nvar z: int;\n\
             let z = x; y = z; tel"
        )
    };
    assert_eq!(errors(&node("guarantee z > 0;"))[0].0, "undeclared");
    assert_eq!(errors(&node("assume y > 0;"))[0].0, "causality");
    assert_eq!(errors(&node("var g: int = y; assume g > 0;"))[0].0, "causality");
    assert_eq!(errors(&node("mode m (require y > 0; ensure true;);"))[0].0, "causality");
    assert_eq!(errors(&node("assume true -> pre y > 0;")), []);
    assert_eq!(errors(&node("guarantee x;"))[0].0, "type");
    assert_eq!(errors(&node("import c(x) returns (y);"))[0].0, "undeclared");
    assert_eq!(errors(&node("var x: int = 1;"))[0].0, "duplicate");
    assert_eq!(errors(&node("mode m (); mode m ();"))[0].0, "duplicate");
    assert_eq!(errors(&node("var a: int, b: int = (x, y); guarantee a = x and b = y;")), []);
    assert_eq!(errors(&node("var a, b: int = x;"))[0].0, "arity");
}

/// Constants of contracts may be made of later ones; what is none has one error, whoever uses it.
#[test]
fn constants_of_contracts() {
    let with = |items: &str| {
        format!(
            "node le(const n: int; x: int) returns (b: bool); let b = x <= n; tel\n\
             contract c(const k: int; a: int^k) returns (b: int);\n\
             let guarantee le(k, b) or a[k - 1] = b; tel\n\
             node f(const p: int; x: int; a: int^3) returns (y: int);\ncon {items} noc\nlet y = x; tel"
        )
    };
    for items in [
        "const a1: int = b1 + 1; const b1 = 2; var v: int^a1 = a; guarantee le(a1, x);",
        "const k: int = 3; const w: int^k = 1^k; guarantee x >= w[0] or true;",
        "import c(3, a) returns (y);",
        "const k = 2; import c(k + 1, a) returns (y);",
        "const q: int = p + 1; guarantee le(q, x);",
    ] {
        assert_eq!(errors(&with(items)), [], "{items}");
    }
    for items in [
        "const k: int = x; guarantee le(k, x); var v: int^k = x^k;",
        "const k: int = 0 -> 1; guarantee le(k, x);",
        "import c(x, a) returns (y);",
    ] {
        let found = errors(&with(items));
        assert!(found.iter().all(|(code, _)| *code == "not-constant"), "{items}: {found:?}");
        assert!((1..=3).contains(&found.len()), "{items}: {found:?}");
    }
    let circle = with("const k: int = l; const l: int = k; guarantee le(k, x);");
    assert_ne!(errors(&circle), []);
}

#[test]
fn imports_end() {
    let text = "
contract c(a: int) returns (b: int); let import d(a) returns (b); tel
contract d(a: int) returns (b: int); let import c(a) returns (b); tel
node f(x: int) returns (y: int);
con import c(x) returns (y); noc
let y = x; tel";
    assert_eq!(errors(text)[0].0, "recursion");
}

#[test]
fn a_mistake_in_a_contract_hides_none_elsewhere() {
    let text = "node f(x: int) returns (y: int);\ncon guarantee x > ; assume x > true; noc\n\
                let y = x; tel\nnode g(x: int) returns (y: bool);\nlet y = x; tel";
    let found: Vec<&str> = errors(text).into_iter().map(|(code, _)| code).collect();
    assert_eq!(found, ["syntax", "type", "type"]);
}

#[test]
fn any_is_a_choice_that_satisfies_its_condition() {
    let node = |body: &str| format!("node f(x: int) returns (y: int);\nlet y = {body}; tel");
    assert_eq!(errors(&node("any { z: int | z > x and z < x + 3 }")), []);
    assert_eq!(errors(&node("1 + any { z: int | any { w: int | w > z } > x }")), []);
    assert_eq!(errors(&node("any { z: int | z }"))[0].0, "type");
    assert_eq!(errors(&node("any { z: bool | z }"))[0].0, "type");
    assert_eq!(errors(&node("any { z: int | z > 0 } + z"))[0].0, "undeclared");
    let function = "function f(x: int) returns (y: int);\nlet y = any { z: int | true }; tel";
    assert_eq!(errors(function)[0].0, "type");
    let checked = check_text(&node("any { z: int | z > x }"));
    let program = checked.analysis.program();
    assert_eq!(program.node(program.node_named("f").unwrap()).asserts.len(), 1);
}

#[test]
fn what_callers_owe_is_about_the_past_also_through_calls() {
    let f = "node sum(now, before: int) returns (s: int);\nlet s = now + (0 -> pre before); tel\n";
    let with = |owed: &str| {
        format!("{f}node f(x: int) returns (y: int);\ncon var g: int = {owed}; noc\nlet y = x; tel")
    };
    for (ghost, allowed) in [("sum(x, y)", true), ("sum(y, x)", false), ("0 -> pre y", true)] {
        for item in ["assume g > 0;", "mode m (require g > 0; ensure true;);"] {
            let text = with(ghost).replace("noc", &format!("{item} noc"));
            let found = errors(&text);
            let message = "this depends on the output `y` at the same step".to_string();
            let expected = if allowed { vec![] } else { vec![("causality", message)] };
            assert_eq!(found, expected, "{text}");
        }
    }
}

/// What a contract does not see, and what the body does not.
#[test]
fn names_on_the_other_side() {
    let text = "node f(x: int) returns (y: int);\ncon\n  mode low (require x < 2; ensure y = x;);\n  \
                guarantee hidden > 0;\nnoc\nvar hidden: int;\nlet\n  hidden = x;\n  y = hidden;\n  \
                check ::low => y < 2;\ntel";
    let checked = check_text(text);
    let shown: String = checked.analysis.diagnostics().iter().map(|d| format!("{d:?}")).collect();
    assert!(shown.contains("a contract sees inputs, outputs and ghost flows"), "{shown}");
    assert!(shown.contains("modes are known in contracts"), "{shown}");
}
