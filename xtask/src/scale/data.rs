//! Programs with arrays of n elements, and with machine integers of n bits.

use super::programs::Family;
use crate::bench::table::Expected;

/// All of them.
pub const FAMILIES: [Family; 8] = [
    family("shift", "elements of a shift register, true to the last", Expected::Valid, shift),
    family("shifted", "elements of a shift register, wrong", WRONG, shifted),
    family("table", "entries of a table, looked up by an input", Expected::Valid, table),
    family("entries", "entries of a table, one of them wrong", WRONG, entries),
    family("memory", "cells of a memory, written and read by inputs", Expected::Valid, memory),
    family("cells", "cells of a memory, one of them wrong", WRONG, cells),
    Family { largest: 64, ..family("sums", "bits of a sum that saturates", Expected::Valid, sums) },
    Family { largest: 64, ..family("products", "bits of a product", Expected::Valid, products) },
];

const WRONG: Expected = Expected::Falsifiable(None);

const fn family(
    name: &'static str,
    what: &'static str,
    expected: Expected,
    text: fn(usize) -> String,
) -> Family {
    Family { name, what, smallest: 8, largest: 12_288, expected, text }
}

fn register(n: usize, goal: &str) -> String {
    format!(
        "node top(x: int) returns (y: int);\nvar a: int^{n};\nlet\n  assert x >= 0;\n  \
         a[i] = if i = 0 then x else 0 -> pre a[i - 1];\n  y = a[{}];\n  check {goal};\ntel\n",
        n - 1
    )
}

fn shift(n: usize) -> String {
    register(n, "y >= 0")
}

fn shifted(n: usize) -> String {
    register(n, "a[3] < 5")
}

fn lookup(n: usize, goal: &str) -> String {
    let entries: Vec<String> = (0..n).map(|i| (i * 7919 % 1000).to_string()).collect();
    format!(
        "const T = [{}];\nnode top(i: subrange [0, {}] of int) returns (y: int);\nlet\n  \
         y = T[i];\n  check {goal};\ntel\n",
        entries.join(", "),
        n - 1
    )
}

fn table(n: usize) -> String {
    lookup(n, "0 <= y and y < 1000")
}

fn entries(n: usize) -> String {
    lookup(n, &format!("y <> {}", n / 2 * 7919 % 1000))
}

fn cells_of(n: usize, goal: &str) -> String {
    let last = n - 1;
    format!(
        "node top(i, j: subrange [0, {last}] of int; v: subrange [0, 9] of int) returns (y: int);\n\
         var m: int^{n};\nlet\n  m = (0^{n} -> pre m)[i := v];\n  y = m[j];\n  check {goal};\ntel\n"
    )
}

fn memory(n: usize) -> String {
    cells_of(n, "0 <= y and y <= 9")
}

fn cells(n: usize) -> String {
    cells_of(n, "y < 9")
}

fn sums(n: usize) -> String {
    format!(
        "type word = uint<{n}>;\nnode top(x: word) returns (s: word);\nvar t: word;\nlet\n  \
         t = (uint@<{n}> 0) -> pre s;\n  s = if t + x < t then !(uint@<{n}> 0) else t + x;\n  \
         check s >= t and s >= x;\ntel\n"
    )
}

fn products(n: usize) -> String {
    format!(
        "type word = uint<{n}>;\nnode top(x: word) returns (p: word);\nlet\n  \
         p = x * (x + (uint@<{n}> 1));\n  check p && (uint@<{n}> 1) = (uint@<{n}> 0);\ntel\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_what_they_say() {
        assert!(shift(8).contains("int^8") && shift(8).contains("a[7]"));
        assert_eq!(table(10).matches(", ").count(), 9 + 1);
        assert!(entries(100).contains("y <> 950"));
        assert!(cells(32).contains("[0, 31]"));
        assert!(sums(12).contains("uint<12>") && products(12).contains("uint<12>"));
    }
}
