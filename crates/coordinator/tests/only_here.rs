//! The coordinator exists once: what engines are given is put together in the
//! engines' own constructor and here, and nowhere else.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

/// The files in which a task may be put together, below the project's folder.
const ALLOWED: [&str; 2] = ["crates/engines/src/", "crates/coordinator/src/run.rs"];

/// All Rust files below a folder but what was built.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap_or_default().to_string();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                pending.push(path);
            } else if name.ends_with(".rs") {
                found.push(path);
            }
        }
    }
    found
}

/// Whether a line begins a value of the type `Task`, or starts engines.
fn coordinates(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let literal = code.match_indices("Task {").any(|(at, _)| {
        let before = code[..at].trim_end();
        let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let own_name = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        !own_name && !["struct", "impl", "for"].contains(&word)
    });
    literal || code.contains("Board::new(") || code.contains("Task::new(")
}

#[test]
fn tasks_are_put_together_in_one_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let mut seen = 0;
    for file in sources(&root.join("crates")) {
        let name = file.strip_prefix(&root).unwrap().to_str().unwrap().to_string();
        let text = std::fs::read_to_string(&file).unwrap();
        let found = text.lines().filter(|line| coordinates(line)).count();
        seen += found;
        let allowed = ALLOWED.iter().any(|allowed| name.starts_with(allowed));
        let this = name.ends_with("tests/only_here.rs");
        assert!(found == 0 || allowed || this, "{name} puts a task for engines together");
    }
    assert!(seen > 1, "the test sees something");
}

#[test]
fn the_test_tells_values_from_types() {
    for line in [
        "let task = Task {",
        "    Task {",
        "engines::Task { system,",
        "x(Board::new(3",
        "Task::new(a",
    ] {
        assert!(coordinates(line), "{line}");
    }
    for line in
        ["pub struct Task {", "impl Task {", "impl Clone for Task {", "SubTask {", "// Task {"]
    {
        assert!(!coordinates(line), "{line}");
    }
}
