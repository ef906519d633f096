//! Programs with one mistake of syntax at every place: one token left out, taken
//! twice or exchanged. Nothing panics, a mistake has few messages, and what is
//! wrong elsewhere is still found.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;

use common::{Checked, check_text, corpus};
use lustral_syntax::lexer::tokenize;
use lustral_syntax::token::TokenKind;
use lustral_syntax::{Diagnostics, FileId};

/// What a token is exchanged for.
const OTHERS: [&str; 6] = [";", "(", "tel", "node", "x", "="];

/// Every text with one token changed, and where.
fn mutants(text: &str) -> Vec<(String, usize)> {
    let tokens = tokenize(FileId(0), text, &mut Diagnostics::new());
    let mut found = Vec::new();
    for token in tokens.iter().filter(|t| t.kind != TokenKind::End) {
        let range = token.span.range();
        let word = &text[range.clone()];
        let twice = format!("{word} {word}");
        let others = ["", &twice].into_iter().chain(OTHERS).filter(|other| *other != word);
        for other in others {
            let mutant = format!("{} {other} {}", &text[..range.start], &text[range.end..]);
            found.push((mutant, range.start));
        }
    }
    found
}

/// A node of its own, with mistakes of each kind, each of which must be found
/// whatever is wrong with the program that it is put before or after.
const PLANTED: &str = "\
node planted_first(planted_x: int) returns (planted_y: int; planted_z: bool);
var planted_a, planted_b: int;
let
  planted_y = planted_x + true;
  planted_nowhere = planted_x;
  planted_a, planted_b = planted_x;
tel
node planted_second(planted_x: int) returns (planted_y: int);
var planted_a: int;
let
  planted_a = planted_y + planted_x;
  planted_y = planted_a;
tel
";

const PLANTED_CODES: [(&str, usize); 5] =
    [("definition", 1), ("type", 4), ("undeclared", 5), ("arity", 6), ("causality", 12)];

fn finds_planted(checked: &Checked, first_line: usize) -> Result<(), String> {
    for (code, line) in PLANTED_CODES {
        if !checked.errors.iter().any(|e| e.code == code && e.line == first_line + line - 1) {
            return Err(format!("{code} of line {line} is not found"));
        }
    }
    Ok(())
}

/// Programs without packages. Where these begin and end a mistake has more messages, and may hide what is
/// behind it: not yet as well recovered from as nodes are.
fn without_packages() -> Vec<(String, String)> {
    let mut found = corpus();
    let has_package = |text: &str| {
        text.lines().any(|line| line.starts_with("package ") || line.starts_with("model "))
    };
    found.retain(|(_, text)| !has_package(text));
    found
}

#[test]
fn nothing_panics_in_packages() {
    for (_, text) in corpus().into_iter().filter(|(_, text)| text.contains("\npackage ")) {
        for (mutant, _) in mutants(&text) {
            let checked = check_text(&mutant);
            assert!(!checked.errors.is_empty() || checked.ast.declarations().next().is_some());
        }
    }
}

#[test]
fn a_mistake_hides_nothing_in_another_node() {
    for (name, text) in without_packages() {
        for (mutant, at) in mutants(&text) {
            let before = check_text(&format!("{PLANTED}{mutant}\n"));
            let show = |checked: &Checked| format!("{name} at {at}\n{mutant}\n{checked}");
            if let Err(missing) = finds_planted(&before, 1) {
                panic!("{missing} before {}", show(&before));
            }
            let after = check_text(&format!("{mutant}\n{PLANTED}"));
            if let Err(missing) = finds_planted(&after, mutant.matches('\n').count() + 2) {
                panic!("{missing} after {}", show(&after));
            }
        }
    }
}

/// How many errors there are, those that say the same of one name counted once.
fn different(checked: &Checked) -> usize {
    let messages = checked.errors.iter().map(|error| error.message.replace("the flow ", ""));
    messages.collect::<BTreeSet<String>>().len()
}

#[test]
fn a_mistake_has_few_messages() {
    let (mut all, mut many, mut worst) = (0, 0, BTreeSet::new());
    for (name, text) in without_packages() {
        let before = different(&check_text(&text));
        let many_before = many;
        for (mutant, at) in mutants(&text) {
            let checked = check_text(&mutant);
            let more = different(&checked).saturating_sub(before);
            // The most are those of a contract whose opening word is gone.
            assert!(more <= 8, "{more} errors: {name} at {at}\n{mutant}\n{checked}");
            all += 1;
            many += usize::from(more > 2);
        }
        worst.insert((many - many_before, name));
    }
    let worst: Vec<_> = worst.into_iter().rev().take(8).collect();
    assert!(many * 100 < all, "{many} of {all} have more than two errors, most in {worst:?}");
}
