//! Tokens, trees, and what is made of texts with mistakes, kept as files in
//! `snapshots`. After a change: look at each difference, then accept it with
//! `INSTA_UPDATE=always cargo test -p lustral-syntax --test snapshots`.

#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::path::Path;

use lustral_syntax::lexer::show_tokens;
use lustral_syntax::printer::print_program;
use lustral_syntax::{Diagnostics, NoFiles, SourceMap, parse_program};

fn keep(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The small programs that all stages are shown on.
fn programs() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lustral/tests/programs");
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    let mut all: Vec<(String, String)> = std::fs::read_dir(folder).unwrap().map(read).collect();
    all.sort();
    assert!(all.len() >= 6, "the programs are not where they were");
    all
}

#[test]
fn tokens() {
    for (name, text) in programs() {
        let mut sources = SourceMap::new();
        let file = sources.add(name.clone(), text);
        let mut diagnostics = Diagnostics::new();
        let shown = show_tokens(&sources, file, &mut diagnostics);
        assert!(!diagnostics.has_errors(), "{name}");
        keep(&format!("{name}-tokens"), &shown);
    }
}

#[test]
fn trees() {
    for (name, text) in programs() {
        let mut sources = SourceMap::new();
        let file = sources.add(name.clone(), text);
        let mut diagnostics = Diagnostics::new();
        let program = parse_program(&mut sources, file, &NoFiles, &mut diagnostics);
        assert!(!diagnostics.has_errors(), "{name}");
        keep(&format!("{name}-ast"), &print_program(&program));
    }
}

/// Texts with a mistake, each of its own kind.
const MISTAKES: &[(&str, &str)] = &[
    (
        "equations",
        "node f(x: int) returns (a, b, c, d: int);\nlet\n  a = x\n  b = x +;\n  c x;\n  = 3;\n  d = (x;\ntel\n",
    ),
    (
        "header",
        "node f(x int; y: ; : bool; z: real) retuns (a: int, b: bool);\nlet\n  a = x;\ntel\n",
    ),
    ("names", "node (x: int) returns (y: int);\nlet\n  y = x;\ntel\nconst = 3;\ntype = int;\n"),
    ("locals", "node f(x: int) returns (y: int);\nvar a b: int; c: bool\nlet\n  y = x;\ntel\n"),
    (
        "no-let",
        "node f(x: int) returns (y: int);\nvar a: int;\n  a = x;\n  y = a;\ntel\nconst c = 1;\n",
    ),
    (
        "no-tel",
        "node f(x: int) returns (y: int);\nlet\n  y = x;\n\nnode g(x: int) returns (y: int);\nlet\n  y = x;\ntel\n",
    ),
    (
        "tel-too-early",
        "node f(x: int) returns (y, z: int);\nlet\n  y = x;\ntel\n  z = y;\ntel\nconst c = 1;\n",
    ),
    (
        "globals",
        "type t = enum { A, ;\nconst a = ; b : int = 2;\nconst c : = 3;\ntype u = int\ntype v = subrange [0, ] of int;\n",
    ),
    (
        "no-keyword",
        "nod f(x: int) returns (y: int);\nlet\n  y = x;\ntel\nnode g(x: int) returns (y: int);\nlet\n  y = x;\ntel\n",
    ),
    (
        "unclosed-comment",
        "node f(x: int) returns (y: int);\nlet\n  y = x; (* tel\nnode g(x: int)\n",
    ),
];

#[test]
fn recovery() {
    for (name, text) in MISTAKES {
        let mut sources = SourceMap::new();
        let file = sources.add(*name, *text);
        let mut diagnostics = Diagnostics::new();
        let program = parse_program(&mut sources, file, &NoFiles, &mut diagnostics);
        let mut shown = format!("{text}\n");
        for diagnostic in diagnostics.sorted() {
            let at = sources.line_column(diagnostic.primary.span);
            let _ = writeln!(shown, "{}:{} {}", at.line, at.column, diagnostic.message);
        }
        for gap in &program.trees[0].gaps {
            let _ = writeln!(shown, "gap {:?} {:?}", gap.kind, sources.text(gap.span));
        }
        for (_, node) in program.nodes() {
            let _ = writeln!(shown, "node {:?} {:?}", node.name.name, node.gaps);
        }
        let _ = write!(shown, "\n{}", print_program(&program));
        keep(&format!("recovery-{name}"), &shown);
    }
}
