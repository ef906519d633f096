//! The examples of the README: each is decided, and says what its comments say.

use std::path::Path;

use crate::common::lustral;

/// The verdicts on an example, by the words of its properties.
fn verdicts(name: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let run = lustral(&["check", "--json", path.to_str().unwrap()]).expect(40);
    let word = |key: &str, verdict: &serde_json::Value| verdict[key].as_str().unwrap().to_string();
    let verdicts = run.events("verdict");
    verdicts.iter().map(|v| (word("property", v), word("verdict", v))).collect()
}

/// All properties of an example are as wanted but one, which the text calls wrong.
fn one_is_wrong(name: &str, wrong: &str, count: usize) {
    let all = verdicts(name);
    assert_eq!(all.len(), count, "{all:?}");
    for (property, verdict) in all {
        let wanted: &[&str] =
            if property == wrong { &["falsifiable"] } else { &["valid", "reachable"] };
        assert!(wanted.contains(&&*verdict), "{property} of {name} is {verdict}");
    }
}

#[test]
fn automata_and_clocks() {
    one_is_wrong("cruise.lus", "never full throttle", 5);
    one_is_wrong("elevator.lus", "the door closes soon", 6);
    one_is_wrong("multirate.lus", "the level is what is wanted", 7);
}

/// A row says which state an automaton is in; how its states are kept is of no interest.
#[test]
fn states_are_rows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/elevator.lus");
    let run = lustral(&["check", path.to_str().unwrap()]).expect(40);
    let is_row =
        |name: &str| run.stdout.lines().any(|line| line.starts_with(&format!("    {name}")));
    assert!(is_row("car ") && is_row("door "), "{}", run.stdout);
    for hidden in ["car restarts", "door before", "door restarts"] {
        assert!(!run.stdout.contains(hidden), "{}", run.stdout);
    }
}
