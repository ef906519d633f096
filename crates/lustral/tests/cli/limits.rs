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
        &["check", "--ivc=all", "--mcs", "--timeout", "1"],
        &["tests", "--timeout", "1"],
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

/// A node that needs all of the time leaves some to those after it.
#[test]
fn hard_nodes_leave_time_to_others() {
    let scratch = Scratch::new();
    let cubes = "x * x * x + y * y * y <> z * z * z or x < 1 or y < 1 or z < 1";
    let text = format!(
        "node hard(x, y, z: int) returns (b: bool);\nlet b = {cubes}; check \"hard\" b; tel\n\
         node easy(n: int) returns (b: bool);\nlet b = n + n = 2 * n; check \"easy\" b; tel\n"
    );
    for options in [&[][..], &["--every-node", "--compositional"]] {
        let run = scratch.check(&text, &[&["--timeout", "4"], options].concat()).expect(30);
        let verdicts = run.verdicts();
        assert_eq!(verdicts.len(), 2, "{verdicts:?}");
        let of = |name: &str| verdicts.iter().find(|(property, _)| property == name).unwrap();
        assert_eq!(of("easy").1, "valid", "{options:?}: {verdicts:?}");
        assert_eq!(of("hard").1, "unknown", "{options:?}: {verdicts:?}");
        assert!(run.time < Duration::from_secs(4) + GRACE, "{options:?}: {:?}", run.time);
    }
}

/// Many properties, of which each is looked at by itself: when the time is up nothing is begun for
/// those that are left, and each is accounted for.
#[test]
fn limits_with_many_properties() {
    let scratch = Scratch::new();
    let mut text = String::new();
    for i in 0..250 {
        let _ = writeln!(
            text,
            "node m{i}(x: int) returns (y: int; z: bool);
             let y = 0 -> if x > {i} then pre y + 1 else pre y; z = y >= 0; check z; tel"
        );
    }
    let flows = |name: &str| (0..250).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(", ");
    let (a, z) = (flows("a"), flows("z"));
    let _ = writeln!(text, "node main(x: int) returns ({a}: int; {z}: bool); let");
    for i in 0..250 {
        let _ = writeln!(text, "(a{i}, z{i}) = m{i}(x);");
    }
    text += "tel\n";
    let file = scratch.write("many.lus", &text);
    let file = file.to_str().unwrap();
    for command in [
        &["check", "--json", "--ivc=all", "--timeout", "2"][..],
        &["tests", "--timeout", "1"],
        &["diff", "--timeout", "1", file],
    ] {
        let run = lustral(&[command, &[file]].concat());
        assert!(run.time < Duration::from_secs(2) + GRACE, "{command:?}: {:?}", run.time);
        assert!([0, 30].contains(&run.code), "{command:?}: {}{}", run.stdout, run.stderr);
        if command[0] == "check" {
            let valid = run.events("verdict").iter().filter(|v| v["verdict"] == "valid").count();
            let cores = run.events("core");
            assert_eq!(cores.len(), valid, "each valid property has a line");
            let open = cores.iter().filter(|core| core["cores"].as_array().unwrap().is_empty());
            open.for_each(|core| assert_eq!(core["reason"], "the time was up"));
        }
    }
}
