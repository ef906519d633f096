//! The documentation names the engines that there are.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;

use lustral_engines::EngineChoice;

/// The names between backquotes in a text.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn the_table_of_the_architecture_is_the_list() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, section) = text.split_once("\n## The engines\n").unwrap();
    let rows = section.trim_start().lines().take_while(|line| line.starts_with('|')).skip(2);
    let mut named = BTreeSet::new();
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        named.extend(quoted(cells[1]));
        for module in quoted(cells[2]) {
            let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
            let exists = |folder: &str| src.join(folder).join(module).exists();
            assert!(exists("") || exists("engines"), "there is no {module}");
        }
    }
    let listed: BTreeSet<&str> = EngineChoice::ALL.iter().map(|engine| engine.name()).collect();
    assert_eq!(named, listed);
}
