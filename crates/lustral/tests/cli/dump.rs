//! `lustral dump`. What the stages look like is kept in snapshots elsewhere.

use crate::common::{Scratch, cases};

const STAGES: [&str; 6] = ["tokens", "ast", "typed", "equations", "system", "prepared"];

#[test]
fn every_stage_of_every_case() {
    let scratch = Scratch::new();
    for case in cases::read_all(&cases::folder()) {
        let rejected = matches!(case.expected[0].1, cases::Expected::Error(_));
        for stage in STAGES {
            let run = scratch.lustral(&["dump", "--stage", stage, case.path.to_str().unwrap()]);
            let parsed = ["tokens", "ast"].contains(&stage);
            assert_eq!(run.code, if rejected && !parsed { 3 } else { 0 }, "{}", run.stderr);
            assert_eq!(run.stdout.is_empty(), run.code == 3, "{stage} of {}", case.name);
        }
    }
}

/// The printed tree is a program: printed again it is the same, and it means the same.
#[test]
fn the_printed_tree_is_the_program() {
    let scratch = Scratch::new();
    for case in cases::read_all(&cases::folder()) {
        let dump =
            |stage: &str, path: &str| scratch.lustral(&["dump", "--stage", stage, path]).stdout;
        let tree = dump("ast", case.path.to_str().unwrap());
        let printed = scratch.write("printed.lus", &tree);
        let printed = printed.to_str().unwrap();
        assert_eq!(dump("ast", printed), tree, "{}", case.name);
        let typed = |path: &str| without_lines(&dump("typed", path));
        assert_eq!(typed(printed), typed(case.path.to_str().unwrap()), "{}", case.name);
    }
}

/// Properties without a name are known by their line, which changes.
fn without_lines(text: &str) -> String {
    let mut parts = text.split("line ");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |known, part| {
        known + "line " + part.trim_start_matches(|c: char| c.is_ascii_digit())
    })
}

#[test]
fn the_node_can_be_chosen() {
    let scratch = Scratch::new();
    scratch.write(
        "p.lus",
        "node a(x: bool) returns (y: bool);\nlet\n  y = x;\ntel\n\
         node b(x: bool) returns (y: bool);\nlet\n  y = a(x);\ntel\n",
    );
    for stage in ["system", "prepared"] {
        let dump =
            |args: &[&str]| scratch.lustral(&[&["dump", "--stage", stage, "p.lus"], args].concat());
        assert!(dump(&[]).expect(0).stdout.starts_with("-- node b\n"));
        assert!(dump(&["--node", "a"]).expect(0).stdout.starts_with("-- node a\n"));
        let run = dump(&["--node", "c"]).expect(3);
        assert!(run.stderr.contains("there is no node `c`"), "{}", run.stderr);
    }
}

#[test]
fn files_with_errors() {
    let scratch = Scratch::new();
    scratch.write("p.lus", "node main(x: bool) returns (y: bool);\nlet\n  y = x $ 1;\ntel\n");
    for stage in STAGES {
        let run = scratch.lustral(&["dump", "--stage", stage, "p.lus"]).expect(3);
        assert!(run.stderr.contains("p.lus:3:9"), "{stage}: {}", run.stderr);
        scratch.lustral(&["dump", "--stage", stage, "missing.lus"]).expect(1);
    }
}
