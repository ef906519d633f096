//! Programs with n nodes that have contracts, for `--lustral-args "--compositional"`.

use super::programs::{Family, each};
use crate::bench::table::Expected;

/// All of them.
pub const FAMILIES: [Family; 3] = [
    family("stages", "nodes with guarantees, each fed by the one before", stages),
    family("owed", "the same, each with an assumption about what it is given", owed),
    family("beside", "nodes with contracts, side by side", beside),
];

const fn family(name: &'static str, what: &'static str, text: fn(usize) -> String) -> Family {
    Family { name, what, smallest: 4, largest: 1_024, expected: Expected::Valid, text }
}

/// Between 0 and 10.
const CLAMPED: &str = "if # < 0 then 0 else if # > 10 then 10 else #";

/// Each follows what it is given by steps of one.
const FOLLOWS: &str =
    "l -> if l > pre y then pre y + 1 else if l < pre y then pre y - 1 else pre y";

/// What such a node says and does: `assumes` is an item of its contract, `c` what it is given, and `l`
/// what it follows.
fn node(assumes: &str, c: &str, l: &str) -> String {
    format!(
        "(x: int) returns (y: int);\ncon\n{assumes}  guarantee \"bounded\" 0 <= y and y <= 10;\n  \
         guarantee \"still\" true -> y - pre y <= 10;\nnoc\nvar c, l: int;\nlet\n  c = {c};\n  \
         l = {l};\n  y = {FOLLOWS};\ntel\n"
    )
}

fn chain(n: usize, assumes: &str, l: &str, given: &str) -> String {
    let first = format!("node s1{}", node(assumes, "x", l));
    let others =
        (2..=n).map(|i| format!("node s{i}{}", node(assumes, &format!("s{}(x)", i - 1), l)));
    let others: String = others.collect();
    format!(
        "{first}{others}node top(x: int) returns (y: int);\nvar a: int;\nlet\n  a = {given};\n  \
         y = s{n}(a);\n  check 0 <= y;\n  --%MAIN;\ntel\n"
    )
}

fn stages(n: usize) -> String {
    chain(n, "", &CLAMPED.replace('#', "c"), "x")
}

fn owed(n: usize) -> String {
    let assumes = "  assume \"in\" 0 <= x and x <= 10;\n";
    chain(n, assumes, "c", &CLAMPED.replace('#', "x"))
}

fn beside(n: usize) -> String {
    let nodes = each(n, "", &format!("node s#{}", node("", "x", "if c < 0 then 0 else 10")));
    let (flows, sum) = (each(n, ", ", "y#"), each(n, " + ", "y#"));
    let calls = each(n, "\n", "  y# = s#(x);");
    format!(
        "{nodes}node top(x: int) returns (y: int);\nvar {flows}: int;\nlet\n{calls}\n  y = {sum};\n  \
         check y >= 0;\n  --%MAIN;\ntel\n"
    )
}
