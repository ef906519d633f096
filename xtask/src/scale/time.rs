//! Programs with n modes of an automaton, and with n calls on slower clocks.

use std::fmt::Write;

use super::programs::Family;
use crate::bench::table::Expected;

/// All of them.
pub const FAMILIES: [Family; 2] = [
    Family {
        name: "states",
        what: "states of an automaton, each with a counter, a property of one",
        smallest: 4,
        largest: 512,
        expected: Expected::Valid,
        text: states,
    },
    Family {
        name: "clocked",
        what: "calls that run at times, a property of each",
        smallest: 4,
        largest: 512,
        expected: Expected::Valid,
        text: clocked,
    },
];

/// Each state counts its own steps up to ten and then goes on to the next.
fn states(n: usize) -> String {
    let mut text =
        String::from("node top(go: bool) returns (x: int; first: bool);\nlet\n  automaton ring\n");
    for i in 0..n {
        let next = (i + 1) % n;
        let _ = writeln!(
            text,
            "  state S{i} do\n    var c: int;\n    let\n      c = 0 -> if pre c < 10 then pre c + 1 else 0;\n      \
             x = c + {i};\n      first = {};\n    tel\n  until go and c >= 3 then S{next}",
            i == 0
        );
    }
    text.push_str("  end;\n  check first => 0 <= x and x <= 10;\ntel\n");
    text
}

/// Each call has a clock of its own.
fn clocked(n: usize) -> String {
    let flows: Vec<String> = (0..n).map(|i| format!("y{i}")).collect();
    let mut text = format!(
        "node count() returns (c: int);\nlet\n  c = 0 -> if pre c < 10 then pre c + 1 else 0;\ntel\n\n\
         node top(on: bool^{n}) returns ({}: int);\nlet\n",
        flows.join(", ")
    );
    for i in 0..n {
        let _ = writeln!(
            text,
            "  y{i} = condact(on[{i}], count(), 0);\n  check 0 <= y{i} and y{i} <= 10;"
        );
    }
    text.push_str("tel\n");
    text
}
