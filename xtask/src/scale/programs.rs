//! Programs that grow with a number.

use crate::bench::table::Expected;

/// Programs of one shape, of any size.
pub struct Family {
    /// Its name, also that of its plot.
    pub name: &'static str,
    /// What grows.
    pub what: &'static str,
    /// The smallest size that is run.
    pub smallest: usize,
    /// The largest: what is larger is no program that anybody has.
    pub largest: usize,
    /// The verdict.
    pub expected: Expected,
    /// The program of a size.
    pub text: fn(usize) -> String,
}

const LARGEST: usize = 16_384;

/// All of them.
pub const FAMILIES: [Family; 8] = [
    Family {
        name: "counters",
        what: "counters with inputs of their own, one property about all",
        smallest: 4,
        largest: LARGEST,
        expected: Expected::Valid,
        text: counters,
    },
    Family {
        name: "properties",
        what: "counters with a property each",
        smallest: 4,
        largest: LARGEST,
        expected: Expected::Valid,
        text: properties,
    },
    Family {
        name: "calls",
        what: "nodes that call each other, one inside the other",
        smallest: 4,
        largest: LARGEST,
        expected: Expected::Valid,
        text: calls,
    },
    Family {
        name: "register",
        what: "bits of two shift registers, one with the negated input",
        smallest: 4,
        largest: LARGEST,
        expected: Expected::Valid,
        text: register,
    },
    Family {
        name: "modes",
        what: "modes of a ring, with a counter that only some change",
        smallest: 4,
        largest: LARGEST,
        expected: Expected::Valid,
        text: modes,
    },
    Family {
        name: "depth",
        what: "steps to a counterexample that is easy to stumble on",
        smallest: 4,
        largest: LARGEST,
        expected: Expected::Falsifiable(None),
        text: depth,
    },
    Family {
        name: "lock",
        what: "steps to a counterexample with one way to it",
        smallest: 4,
        largest: LARGEST,
        expected: Expected::Falsifiable(None),
        text: lock,
    },
    Family {
        name: "ladder",
        what: "counters in a row, each at most as large as the one before",
        smallest: 4,
        largest: LARGEST,
        expected: Expected::Valid,
        text: ladder,
    },
];

/// `text` for 1 to n, with the number in place of `#` and the one before in
/// place of `@`.
pub fn each(n: usize, between: &str, text: &str) -> String {
    let one = |i: usize| text.replace('#', &i.to_string()).replace('@', &(i - 1).to_string());
    (1..=n).map(one).collect::<Vec<_>>().join(between)
}

fn counters(n: usize) -> String {
    let (inputs, flows) = (each(n, ", ", "r#"), each(n, ", ", "c#"));
    let bodies = each(n, "\n", "  c# = 0 -> if r# or pre c# >= 10 then 0 else pre c# + 1;");
    let goal = each(n, " and ", "c# <= 10");
    format!(
        "node top({inputs}: bool) returns (ok: bool);\nvar {flows}: int;\nlet\n{bodies}\n  ok = {goal};\n  --%PROPERTY ok;\ntel\n"
    )
}

fn properties(n: usize) -> String {
    let (inputs, flows) = (each(n, ", ", "r#"), each(n, ", ", "c#"));
    let bodies = each(n, "\n", "  c# = 0 -> if r# or pre c# >= 10 then 0 else pre c# + 1;");
    let goals = each(n, "\n", "  --%PROPERTY c# <= 10;");
    format!("node top({inputs}: bool) returns ({flows}: int);\nlet\n{bodies}\n{goals}\ntel\n")
}

fn calls(n: usize) -> String {
    let first = "node f0(x: bool) returns (y: int);\nlet y = if x then 1 else 0; tel\n";
    let nodes = each(
        n,
        "",
        "node f#(x: bool) returns (y: int);\nvar h: int;\n\
         let h = f@(x); y = h -> if pre y >= h then pre y else h; tel\n",
    );
    format!(
        "{first}{nodes}node top(x: bool) returns (ok: bool);\nlet ok = f{n}(x) <= 1; --%MAIN;\n--%PROPERTY ok;\ntel\n"
    )
}

fn register(n: usize) -> String {
    let flows = format!("{}: bool", each(n, ", ", "s#, t#"));
    let bodies = each(n, "\n", "  s# = false -> pre s@;\n  t# = true -> pre t@;");
    format!(
        "node top(s0: bool) returns (ok: bool);\nvar t0: bool; {flows};\nlet\n  t0 = not s0;\n\
         {bodies}\n  ok = s{n} <> t{n};\n  --%PROPERTY ok;\ntel\n"
    )
}

fn modes(n: usize) -> String {
    let names = each(n, ", ", "M#");
    let ring = each(n - 1, " else ", "if pre m = M# then M+");
    let ring = (1..n).fold(ring, |text, i| text.replacen("M+", &format!("M{}", i + 1), 1));
    format!(
        "type mode = enum {{ {names} }};\nnode top(go: bool) returns (ok: bool);\n\
         var m: mode; c: int;\nlet\n  m = M1 -> if not go then pre m else {ring} else M1;\n  \
         c = 0 -> if m = M1 then 0 else if m = M2 and pre c < 5 then pre c + 1 else pre c;\n  \
         ok = c >= 0 and c <= 5 and (m = M1 => c = 0);\n  --%PROPERTY ok;\ntel\n"
    )
}

fn depth(n: usize) -> String {
    format!(
        "node top(go: bool) returns (ok: bool);\nvar c: int;\nlet\n  \
         c = 0 -> if go then pre c + 1 else pre c;\n  ok = c < {n};\n  --%PROPERTY ok;\ntel\n"
    )
}

fn lock(n: usize) -> String {
    format!(
        "node top(key: int) returns (ok: bool);\nvar c: int;\nlet\n  \
         c = 0 -> if key = 7 * pre c + 3 then pre c + 1 else 0;\n  \
         ok = c < {n};\n  --%PROPERTY ok;\ntel\n"
    )
}

fn ladder(n: usize) -> String {
    let flows = each(n, ", ", "c#");
    let bodies =
        each(n, "\n", "  c# = 0 -> if go and pre c# < pre c@ then pre c# + 1 else pre c#;");
    format!(
        "node top(up, go: bool) returns (ok: bool);\nvar c0, {flows}: int;\nlet\n  \
         c0 = 0 -> if up then pre c0 + 1 else pre c0;\n{bodies}\n  ok = c{n} <= c0;\n  --%PROPERTY ok;\ntel\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_what_they_say() {
        assert_eq!(counters(3).matches("if r").count(), 3);
        assert_eq!(properties(5).matches("--%PROPERTY").count(), 5);
        assert_eq!(calls(4).matches("node ").count(), 4 + 2);
        assert_eq!(register(6).matches("-> pre").count(), 12);
        assert!(modes(3).contains("if pre m = M1 then M2 else if pre m = M2 then M3 else M1;"));
    }
}
