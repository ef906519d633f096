//! What Lustral does not have yet is named, where it stands.

use std::path::Path;

use serde_json::Value;

use crate::common::{Run, cases, lustral};

/// The programs of `tests/unsupported`, with the line of the first thing that
/// Lustral does not have, and what it is called.
const UNSUPPORTED: &[(&str, u64, &str)] = &[
    ("automaton-final", 6, "final states"),
    ("automaton-fork", 6, "forks of transitions"),
    ("automaton-synchro", 5, "synchronised transitions"),
    ("control", 2, "contracts of Heptagon"),
    ("data-type", 2, "recursive data types"),
    ("history", 5, "histories"),
    ("map", 3, "sets and maps of types with conditions that are no bounds of integers"),
    ("recursion", 2, "recursive functions"),
];

fn unsupported() -> Vec<(Run, u64, &'static str)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/unsupported");
    assert_eq!(cases::programs(&folder).len(), UNSUPPORTED.len());
    let check = |(name, line, what): &(&str, u64, &'static str)| {
        let path = folder.join(format!("{name}.lus"));
        (lustral(&["check", "--json", path.to_str().unwrap()]), *line, *what)
    };
    UNSUPPORTED.iter().map(check).collect()
}

/// The diagnostics that are no warnings.
fn errors(run: &Run) -> Vec<Value> {
    let mut all = run.events("diagnostic");
    all.retain(|diagnostic| diagnostic["severity"] == "error");
    all
}

pub fn what_is_not_supported_is_named_where_it_stands() {
    for (run, line, what) in unsupported() {
        let run = run.expect(3);
        let first = &errors(&run)[0];
        let message = first["message"].as_str().unwrap();
        assert_eq!((&first["code"], &first["line"]), (&"unsupported".into(), &line.into()));
        assert!(message.starts_with(what), "{message}");
        assert!(run.events("verdict").is_empty());
    }
}

pub fn what_is_not_supported_is_no_syntax_error() {
    for (run, ..) in unsupported() {
        let codes: Vec<Value> = errors(&run).iter().map(|d| d["code"].clone()).collect();
        assert!(codes.iter().all(|code| code == "unsupported"), "{}", run.stdout);
    }
}
