//! What must not matter: the names, and the order of the equations.

use std::collections::BTreeMap;

use lustral_syntax::lexer::tokenize;
use lustral_syntax::token::TokenKind;
use lustral_syntax::{Diagnostics, SourceMap};

use crate::engines::Setup;
use crate::verdicts::{Tally, compare};
use lustral_testing::dice::Dice;
use lustral_testing::encoding::accepted;
use lustral_testing::failure::{Failure, expect_equal};
use lustral_testing::generate::in_order;
use lustral_testing::search::search;
use lustral_testing::tree::{Parentheses, Program};

/// Words with a meaning in some places, and names that mean something to solvers.
const KEPT: [&str; 73] = [
    "case",
    "datatype",
    "match",
    "_",
    "check",
    "subrange",
    "enum",
    "struct",
    "of",
    "floor",
    "main",
    "forall",
    "exists",
    "any",
    "uint",
    "sint",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "int32",
    "uint64",
    "lsh",
    "rsh",
    "frame",
    "fi",
    "elsif",
    "last",
    "end",
    "do",
    "done",
    "reset",
    "automaton",
    "state",
    "until",
    "unless",
    "continue",
    "condact",
    "activate",
    "every",
    "initial",
    "default",
    "restart",
    "merge",
    "current",
    "subtype",
    "reachable",
    "provided",
    "from",
    "within",
    "at",
    "imported",
    "con",
    "noc",
    "assume",
    "guarantee",
    "mode",
    "require",
    "ensure",
    "map",
    "set",
    "in",
    "red",
    "fillred",
    "fold",
    "boolred",
    "Lustre",
    "impl",
    "iplus",
    "rplus",
    "minus",
    "plus",
    "with",
];
const STRANGE: [&str; 22] = [
    "ite", "store", "select", "distinct", "push", "pop", "v0_0", "t0_1", "define", "model", "Int",
    "Bool", "Real", "par", "as", "to_real", "first", "property", "line", "bvadd", "x'", "_",
];

/// The verdicts of a program with other names and another order.
pub fn check(program: &Program, seed: u64, tally: &Tally) -> Result<(), Failure> {
    let mut dice = Dice::new(seed ^ 0xabcd);
    let text = program.text(Parentheses::Needed);
    Tally::count(&tally.programs);
    let Some(found) = search(&*accepted(&text)?) else {
        Tally::count(&tally.too_large);
        return Ok(());
    };
    let other_names = accepted(&renamed(&text, &mut dice))?;
    let again = search(&other_names);
    expect_equal("renaming", &again.as_ref(), &Some(&found), || "the search".into())?;
    compare(&other_names, &found, &[Setup::usual()], tally)?;

    let mut other_order = program.clone();
    for node in other_order.nodes_mut() {
        dice.shuffle(&mut node.items);
    }
    dice.shuffle(&mut other_order.declarations);
    in_order(&mut other_order);
    let other_order = accepted(&other_order.text(Parentheses::All))?;
    let Some(again) = search(&other_order) else {
        return Err(Failure::new("order", "there are more states in another order"));
    };
    // Properties and instances are listed in another order.
    let sorted = |list: &[Option<usize>]| {
        let mut list = list.to_vec();
        list.sort_unstable();
        list
    };
    let fails = (sorted(&again.fails), again.blocks);
    expect_equal("order", &fails, &(sorted(&found.fails), found.blocks), || "the search".into())?;
    compare(&other_order, &again, &[Setup::usual()], tally)
}

/// The text with every name replaced by another, the same for the same.
fn renamed(text: &str, dice: &mut Dice) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("random.lus", text);
    let tokens = tokenize(file, text, &mut Diagnostics::new());
    let mut strange = STRANGE.to_vec();
    // In a pattern it is no name.
    strange.retain(|name| *name != "_" || !text.contains("match "));
    dice.shuffle(&mut strange);
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    let mut out = String::new();
    let mut end = 0;
    for token in tokens {
        let range = token.span.range();
        out.push_str(&text[end..range.start]);
        end = range.end;
        let word = &text[range];
        if token.kind != TokenKind::Identifier || KEPT.contains(&word) {
            out.push_str(word);
            continue;
        }
        let count = names.len();
        let name = names.entry(word).or_insert_with(|| match strange.pop() {
            Some(name) if dice.chance(50) => name.to_string(),
            _ => format!("Name_{count}'"),
        });
        out.push_str(name);
    }
    out
}
