//! Every command keeps its time limit, however large the program.

use std::fmt::Write;
use std::time::Duration;

use crate::common::{GRACE, Scratch, lustral};

/// Nodes that call each other in a row: what is known of a state grows with the square of their
/// number, its names with the cube.
fn row(nodes: usize) -> String {
    let mut text = String::from(
        "node n0(x: bool) returns (y: int); let y = 0 -> if x then pre y + 1 else pre y;
         check y >= 0; tel\n",
    );
    for i in 1..nodes {
        let _ = writeln!(
            text,
            "node n{i}(x: bool) returns (y: int);
             let y = n{}(x) + (0 -> if x then pre y else 1); check y >= 0; tel",
            i - 1
        );
    }
    text
}

#[test]
fn limits_of_all_commands() {
    let scratch = Scratch::new();
    let file = scratch.write("row.lus", row(250));
    let file = file.to_str().unwrap();
    for command in [
        &["invariants", "--timeout", "1"][..],
        &["invariants", "--modular", "--timeout", "1"],
        &["horn", "--timeout", "0.01"],
        &["horn", "--inline", "--timeout", "0.01"],
        &["check", "--timeout", "1"],
        &["check", "--compositional", "--timeout", "1"],
    ] {
        let run = lustral(&[command, &[file]].concat());
        assert!(run.time < Duration::from_secs(1) + GRACE, "{command:?}: {:?}", run.time);
        assert!([0, 30].contains(&run.code), "{command:?}: {}{}", run.stdout, run.stderr);
    }
    let run = lustral(&["horn", "--timeout", "0.001", file]).expect(30);
    assert!(run.stdout.is_empty() && run.stderr.contains("the time limit"), "{}", run.stderr);
}

#[test]
fn comments_are_not_most_of_the_clauses() {
    let scratch = Scratch::new();
    let file = scratch.write("row.lus", row(60));
    let text = lustral(&["horn", file.to_str().unwrap()]).expect(0).stdout;
    let comments: usize = text.lines().filter(|line| line.starts_with(';')).map(str::len).sum();
    assert!(comments < 2 * (text.len() - comments), "{comments} of {}", text.len());
    assert!(text.contains("n58.n57.….n1.n0.pre y, line 1"), "the ends of a path are named");
}
