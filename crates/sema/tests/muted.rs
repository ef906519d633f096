//! What is reported of broken programs, and what is not because it follows from
//! something else.

#![allow(clippy::unwrap_used)]

mod common;

use common::check_text;

/// The code and the line of each error.
#[track_caller]
fn check(program: &str, expected: &[(&str, usize)]) {
    let checked = check_text(program);
    let found: Vec<(&str, usize)> = checked.errors.iter().map(|e| (e.code, e.line)).collect();
    assert_eq!(found, expected, "\n{program}\n{checked}");
}

#[test]
fn a_missing_semicolon_hides_nothing() {
    check(
        "node a(x: int) returns (y: int);\nlet\n  y = x\ntel\n\
         node b(x: int) returns (y: bool);\nlet\n  y = x + 1;\ntel\n",
        &[("syntax", 3), ("type", 7)],
    );
    // In the same node, and the next equation counts.
    check(
        "node a(x: int) returns (y, z: int; b: bool);\nlet\n  y = x\n  z = y;\n  b = z;\ntel\n",
        &[("syntax", 3), ("type", 5)],
    );
}

#[test]
fn an_expression_with_a_mistake_agrees_with_everything() {
    let node = |body: &str| {
        format!("node a(x: int; b: bool) returns (y: int; ok: bool);\nlet\n{body}\ntel\n")
    };
    check(&node("  y = x + ;\n  ok = y = y;"), &[("syntax", 3)]);
    check(&node("  y = (x + missing) * 2;\n  ok = b;"), &[("undeclared", 3)]);
    check(&node("  y = if missing then x else b;\n  ok = b;"), &[("undeclared", 3)]);
    check(&node("  y x;\n  ok = b;"), &[("syntax", 3)]);
    check(&node("  = x;\n  ok = b;"), &[("syntax", 3)]);
    check(&node("  y, ok = f(x, );"), &[("syntax", 3)]);
}

#[test]
fn a_header_that_was_read_counts() {
    check(
        "node a(x: int) returns (y: int);\nlet\n  y = ;\ntel\n\
         node b(x: int) returns (y: int; z: bool);\nlet\n  y = a(x);\n  z = a(x, x);\ntel\n",
        &[("syntax", 3), ("arity", 8)],
    );
    // Bodies that are missing altogether.
    check(
        "node a(x: int) returns (y: int);\n\
         node b(x: int) returns (y: int);\nlet\n  y = a(x);\ntel\n",
        &[("syntax", 2)],
    );
}

#[test]
fn a_header_with_a_mistake_is_not_held_against_callers() {
    check(
        "node a(x: int; ) : int) returns (y: int);\nlet\n  y = q;\ntel\n\
         node b(x: int) returns (y: int);\nlet\n  y = a(x, x, x);\ntel\n",
        &[("syntax", 1)],
    );
    check(
        "node (x: int) returns (y: int);\nlet\n  y = x;\ntel\n\
         node b(x: int) returns (y: int);\nlet\n  y = a(x);\ntel\n",
        &[("syntax", 1)],
    );
    check(
        "nod a(x: int) returns (y: int);\nlet\n  y = x;\ntel\n\
         node b(x: int) returns (y: int; z: bool);\nlet\n  y = a(x);\n  z = y;\ntel\n",
        &[("syntax", 1), ("type", 8)],
    );
}

#[test]
fn what_a_broken_declaration_may_declare_is_not_undeclared() {
    let uses = "node b(x: t) returns (y: t; ok: bool);\nlet\n  y = c;\n  ok = nowhere;\ntel\n";
    let found = [("syntax", 1), ("undeclared", 5)];
    check(&format!("type t = enum {{ c, d;\n{uses}"), &[("syntax", 1)]);
    check(&format!("const c = ; type t = int;\n{uses}"), &found);
    check(&format!("const c : = 3; type t = int;\n{uses}"), &found);
    check(&format!("cnst c = 3; type t = int;\n{uses}"), &found);
    check(&format!("type t = ; const c = 1;\n{uses}"), &found);
    check(&format!("include \"nowhere.lus\"\n{uses}"), &[("include", 1)]);
}

#[test]
fn a_comment_that_is_never_closed_is_one_mistake() {
    check(
        "node b(x: int) returns (y: int; z: bool);\nlet\n  z = x;\n  y = a(x);\n\
         (* tel\nnode a(x: int) returns (y: int);\nlet\n  y = x;\ntel\n",
        &[("type", 3), ("syntax", 5)],
    );
}

#[test]
fn causality_is_judged_where_it_can_be() {
    let cycle = "node c(x: int) returns (y: int);\nvar a: int;\nlet\n  a = y;\n  y = a;\ntel\n";
    check(
        &format!("{cycle}node b(x: int) returns (y: int);\nlet\n  y = x + true;\ntel\n"),
        &[("causality", 5), ("type", 9)],
    );
    // What a node does whose body has an error nobody knows: no cycle through it.
    check(
        "node a(x: int) returns (y: int);\nlet\n  y = x + true;\ntel\n\
         node b(x: int) returns (y: int);\nlet\n  y = a(y);\ntel\n",
        &[("type", 3)],
    );
}

#[test]
fn a_flow_that_is_declared_twice_has_no_type() {
    check(
        "node a(x: int; x: bool) returns (y: int);\nlet\n  y = x + 1;\ntel\n",
        &[("duplicate", 1)],
    );
}
