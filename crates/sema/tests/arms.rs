//! Choices by pattern: which arms there have to be, and which are for nothing.

mod common;

use common::check_text;

/// What is said of `y = …`, where `m` is of an enumeration of three values and `d` is data.
fn said(expr: &str) -> String {
    let text = format!(
        "type t = enum {{ A, B, C }};\ndatatype p = P (a: t, b: t) | Q;\n\
         node main(m: t; d: p) returns (y: int);\nlet y = {expr}; tel\n"
    );
    let checked = check_text(&text);
    let errors = checked.errors.iter().map(|found| format!("error: {}", found.message));
    let warnings = checked.warnings.iter().map(|found| format!("warning: {}", found.message));
    errors.chain(warnings).collect::<Vec<_>>().join("; ")
}

#[test]
fn every_value_has_an_arm() {
    assert_eq!(said("case m of (A => 1) (B => 2) (C => 3)"), "");
    assert_eq!(said("case m of (A => 1) (_ => 2)"), "");
    assert_eq!(said("case m of (A => 1) (C => 2)"), "error: this `case` has no arm for `B`");
    assert_eq!(said("match m with A : 1 | C : 2 end"), "error: this `match` has no arm for `B`");
    let nested = "match d with P(A, _) : 1 | P(_, B) : 2 | Q : 3 end";
    assert_eq!(said(nested), "error: this `match` has no arm for `P(B, A)`");
}

#[test]
fn every_arm_has_a_value() {
    let never = |word: &str| format!("warning: this arm of `{word}` is never chosen");
    let twice = "error: this `case` has two arms for the same values";
    assert_eq!(said("case m of (A => 1) (A => 2) (_ => 3)"), twice);
    assert_eq!(said("case m of (A => 1) (_ => 2) (_ => 3)"), twice);
    assert_eq!(said("case m of (A => 1) (B => 2) (C => 3) (_ => 4)"), never("case"));
    assert_eq!(said("case m of (_ => 1) (B => 2)"), never("case"));
    assert_eq!(said("match m with A : 1 | B : 2 | C : 3 | _ : 4 end"), never("match"));
    assert_eq!(said("match m with A : 1 | A : 2 | _ : 4 end"), never("match"));
    assert_eq!(said("match m with n : 1 | B : 2 end"), never("match"));
    let nested = "match d with P(A, _) : 1 | P(_, A) : 2 | P(A, B) : 3 | _ : 4 end";
    assert_eq!(said(nested), never("match"));
    // Each of these has a value that none before it has.
    assert_eq!(said("match d with P(A, _) : 1 | P(_, A) : 2 | P(_, _) : 3 | Q : 4 end"), "");
}

/// What is said of `y = …`, where `m` is of an enumeration with longer names.
fn said_of_names(expr: &str) -> String {
    let text = format!(
        "type t = enum {{ Start, Stop, Idle }};\ndatatype p = Pair (a: t, n: int) | Nothing;\n\
         node main(m: t; d: p) returns (y: int);\nlet y = {expr}; tel\n"
    );
    let checked = check_text(&text);
    assert_eq!(checked.errors.first().map(|error| &error.message), None);
    checked.warnings.iter().map(|found| found.message.clone()).collect::<Vec<_>>().join("; ")
}

#[test]
fn names_that_are_almost_constructors() {
    let like = |name: &str| format!("`{name}` is no constructor: it stands for any value");
    assert_eq!(said_of_names("match m with Start : 1 | idle : 2 end"), like("idle"));
    assert_eq!(said_of_names("match m with Start : 1 | Stopp : 2 end"), like("Stopp"));
    let nested = "match d with Pair(Strat, n) : n | _ : 4 end";
    assert_eq!(said_of_names(nested), like("Strat"));
    assert_eq!(said_of_names("match d with Pair(_, _) : 1 | nothing : 2 end"), like("nothing"));
    // A name that is used, one that is like none, a short one, one of a number.
    assert_eq!(
        said_of_names("match m with Start : 1 | idle : if idle = Stop then 2 else 3 end"),
        ""
    );
    assert_eq!(said_of_names("match m with Start : 1 | other : 2 end"), "");
    assert_eq!(said_of_names("match m with Start : 1 | id : 2 end"), "");
    assert_eq!(said_of_names("match d with Pair(_, stop) : 1 | _ : 2 end"), "");
}
