//! What the stages, the report and the diagnostics look like, kept as files in
//! `snapshots`. After a change: look at each difference, then accept it with
//! `INSTA_UPDATE=always cargo test -p lustral --test snapshots`.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;

use common::{Scratch, cases};

/// Runs a test for each small program in `programs`, in their folder.
fn for_each_program(show: impl Fn(&Scratch, &str) -> String, suffix: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    for path in cases::programs(&folder) {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let scratch = Scratch::new();
        let file = format!("{name}.lus");
        scratch.write(&file, std::fs::read(&path).unwrap());
        keep(&format!("{name}-{suffix}"), &show(&scratch, &file));
    }
}

fn keep(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(r"\b\d+\.\d\d s\b", "[time]");
    settings.add_filter(r"by Lustral \d+\.\d+\.\d+", "by Lustral [version]");
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn stages() {
    for stage in ["system", "prepared"] {
        let show = |scratch: &Scratch, file: &str| {
            scratch.lustral(&["dump", "--stage", stage, file]).expect(0).stdout
        };
        for_each_program(show, stage);
    }
}

/// Horn clauses, node by node and flattened, in both dialects.
#[test]
fn horn_clauses() {
    let show = |scratch: &Scratch, file: &str| {
        let run = |args: &[&str]| scratch.lustral(&[&["horn", file], args].concat()).expect(0);
        run(&[]).stdout
    };
    for_each_program(show, "horn");
    let scratch = Scratch::new();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/modular/counters.lus");
    scratch.write("counters.lus", std::fs::read(example).unwrap());
    let dialects: [(&str, &[&str]); 3] = [
        ("counters-horn", &[]),
        ("counters-horn-inline", &["--inline"]),
        ("counters-horn-rules", &["--format", "z3-rules"]),
    ];
    for (name, args) in dialects {
        let run = scratch.lustral(&[&["horn", "counters.lus"], args].concat());
        keep(name, &run.expect(0).stdout);
    }
}

#[test]
fn reports() {
    let show = |scratch: &Scratch, file: &str| {
        let run = scratch.lustral(&["check", "--engine", "k-induction", "--max-k", "8", file]);
        format!("{}{}exit code {}\n", run.stderr, in_order(&run.stdout), run.code)
    };
    for_each_program(show, "report");
}

/// The example of `docs/explanations.md`.
#[test]
fn explanation() {
    let scratch = Scratch::new();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tank.lus");
    scratch.write("tank.lus", std::fs::read(example).unwrap());
    let run = scratch.lustral(&["check", "--explain", "--engine", "k-induction", "tank.lus"]);
    keep("tank-explanation", &in_order(&run.expect(0).stdout));
}

/// The verdicts in the order of their names: that in which they are found is
/// not always the same.
fn in_order(report: &str) -> String {
    let mut blocks = vec![String::new()];
    for line in report.split_inclusive('\n') {
        let word = line.split(' ').next().unwrap();
        let begins = ["valid", "falsifiable", "unknown", "vacuous"].contains(&word);
        if begins || line.contains("  in ") {
            blocks.push(String::new());
        }
        blocks.last_mut().unwrap().push_str(line);
    }
    let last = blocks.len() - 1;
    blocks[1..last].sort_by_key(|block| block[12..].to_string());
    blocks.concat()
}

/// Programs that are rejected, or warned of, each for one reason.
const MISTAKES: &[(&str, &str)] = &[
    (
        "missing-semicolon",
        "node main(x: bool) returns (y: bool);\nlet\n  y = x\n  assert x;\ntel\n",
    ),
    ("missing-tel", "node main(x: bool) returns (y: bool);\nlet\n  y = x;\n"),
    ("equals-twice", "node main(x: int) returns (y: bool);\nlet\n  y = x == 1;\ntel\n"),
    ("operators-of-c", "node main(x: int) returns (y: bool);\nlet\n  y = x != 0 && x < 5;\ntel\n"),
    ("reserved-word", "node main(pre: bool) returns (y: bool);\nlet\n  y = true;\ntel\n"),
    ("undeclared", "node main(speed: int) returns (y: bool);\nlet\n  y = sped > 3;\ntel\n"),
    ("undeclared-node", "node main(x: int) returns (y: int);\nlet\n  y = f(x);\ntel\n"),
    ("mixed-numbers", "node main(x: int; r: real) returns (y: real);\nlet\n  y = r + x;\ntel\n"),
    (
        "wrong-condition",
        "node main(x: int) returns (y: int);\nlet\n  y = if x then 1 else 2;\ntel\n",
    ),
    ("defined-twice", "node main(x: int) returns (y: int);\nlet\n  y = x;\n  y = 2;\ntel\n"),
    ("not-defined", "node main(x: int) returns (y, z: int);\nlet\n  y = x;\ntel\n"),
    ("input-defined", "node main(x: int) returns (y: int);\nlet\n  y = x;\n  x = 2;\ntel\n"),
    (
        "cycle-through-call",
        "node id(x: int) returns (y: int);\nlet\n  y = x;\ntel\n\n\
         node main(x: int) returns (y: int);\nvar a: int;\nlet\n  a = y + x;\n  y = id(a);\ntel\n",
    ),
    (
        "arity",
        "node two(a, b: int) returns (c, d: int);\nlet\n  c, d = (a, b);\ntel\n\n\
         node main(x: int) returns (y: int);\nlet\n  y = two(x);\ntel\n",
    ),
    (
        "recursion",
        "node a(x: int) returns (y: int);\nlet\n  y = b(x);\ntel\n\n\
         node b(x: int) returns (y: int);\nlet\n  y = a(x);\ntel\n",
    ),
    (
        "empty-range",
        "type t = subrange [3, 1] of int;\n\nnode main(x: t) returns (y: bool);\nlet\n  y = true;\ntel\n",
    ),
    (
        "not-constant",
        "type t = subrange [0, n] of int;\n\nnode main(n: int) returns (y: t);\nlet\n  y = n;\ntel\n",
    ),
    (
        "property-not-boolean",
        "node main(x: int) returns (y: int);\nlet\n  y = x;\n  --%PROPERTY y;\ntel\n",
    ),
    (
        "unguarded",
        "node main(x: int) returns (ok: bool);\nlet\n  ok = pre x > 0;\n  check \"p\" ok;\ntel\n",
    ),
    (
        "clocks",
        "node main(x: int; c: bool) returns (y: int);\nlet\n  y = current(x when c) + (x when not c);\ntel\n",
    ),
    ("no-node", "const c = 1;\n"),
];

#[test]
fn diagnostics() {
    for (name, program) in MISTAKES {
        let scratch = Scratch::new();
        let file = format!("{name}.lus");
        scratch.write(&file, program);
        let run = scratch.lustral(&["check", "--max-k", "1", &file]);
        let numbered: Vec<String> =
            (1..).zip(program.lines()).map(|(n, line)| format!("{n} {line}")).collect();
        let text = format!("{}\n\n{}exit code {}\n", numbered.join("\n"), run.stderr, run.code);
        keep(&format!("diagnostic-{name}"), &text);
    }
}
