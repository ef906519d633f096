//! Programs whose invariants are local: what each part needs is about its own memories.

use std::fmt::Write;

use super::programs::{Family, each};
use crate::bench::table::Expected;

/// All of them.
pub const FAMILIES: [Family; 4] = [
    Family {
        name: "chain",
        what: "cells of two counters, each fed by the one before in the same step, a property of all",
        smallest: 4,
        largest: 1536,
        expected: Expected::Valid,
        text: chain,
    },
    Family {
        name: "links",
        what: "the same cells, each fed by what the one before was a step ago",
        smallest: 4,
        largest: 1536,
        expected: Expected::Valid,
        text: links,
    },
    Family {
        name: "laws",
        what: "independent laws x + y = c, one property about all",
        smallest: 4,
        largest: 1536,
        expected: Expected::Valid,
        text: laws,
    },
    Family {
        name: "resumed",
        what: "states of an automaton that go on where they were, each with two counters, a property of one",
        smallest: 4,
        largest: 512,
        expected: Expected::Valid,
        text: resumed,
    },
];

fn cells(n: usize, feed: &str) -> String {
    let flows = each(n, ", ", "k#, o#");
    let calls = each(n, "\n", &format!("  k#, o# = cell({feed});"));
    let goal = each(n, " and ", "k#");
    format!(
        "node cell(x: bool) returns (ok: bool; o: bool);\nvar a, b: int;\nlet\n  \
         a = 0 -> if x and pre a < 10 then pre a + 1 else if pre a >= 10 then 0 else pre a;\n  \
         b = 10 -> if x and pre a < 10 then pre b - 1 else if pre a >= 10 then 10 else pre b;\n  \
         o = a = 10;\n  ok = b >= 0 and a + b = 10;\ntel\n\
         node top(x: bool) returns (ok: bool);\nvar o0, {flows}: bool;\nlet\n  o0 = x;\n{calls}\n  \
         ok = {goal};\n  --%MAIN;\n  --%PROPERTY ok;\ntel\n"
    )
}

fn chain(n: usize) -> String {
    cells(n, "o@")
}

fn links(n: usize) -> String {
    cells(n, "false -> pre o@")
}

fn laws(n: usize) -> String {
    let (inputs, flows) = (each(n, ", ", "u#"), each(n, ", ", "x#, y#"));
    let bodies = each(
        n,
        "\n",
        "  x# = # -> if u# then pre x# + 1 else pre x#;\n  y# = 5 -> if u# then pre y# - 1 else pre y#;",
    );
    let goal = (1..=n).map(|i| format!("x{i} + y{i} = {}", i + 5)).collect::<Vec<_>>();
    format!(
        "node top({inputs}: bool) returns (ok: bool);\nvar {flows}: int;\nlet\n{bodies}\n  \
         ok = {};\n  --%PROPERTY ok;\ntel\n",
        goal.join(" and ")
    )
}

fn resumed(n: usize) -> String {
    let mut text = String::from(
        "node top(go, up: bool) returns (x: int; first: bool);\nlet\n  automaton ring\n",
    );
    for i in 0..n {
        let _ = writeln!(
            text,
            "  state S{i} do\n    var a, b: int;\n    let\n      \
             a = 0 -> if up and pre a < 9 then pre a + 1 else if up then 0 else pre a;\n      \
             b = 0 -> if up and pre a < 9 then pre b + 3 else if up then 0 else pre b;\n      \
             x = b; first = {};\n    tel\n  until go continue S{}",
            i == 0,
            (i + 1) % n
        );
    }
    text.push_str("  end;\n  check first => x <= 27;\ntel\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_what_they_say() {
        assert_eq!(chain(5).matches("= cell(").count(), 5);
        assert!(chain(2).contains("k2, o2 = cell(o1);"));
        assert!(links(2).contains("cell(false -> pre o1)"));
        assert!(laws(3).contains("x3 + y3 = 8"));
        assert_eq!(resumed(7).matches("continue").count(), 7);
    }
}
