//! The examples of the README: each is decided, and says what its comments say.

use std::path::Path;

use crate::common::{Scratch, lustral};

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

/// Requirements over the past in a contract node: unrealizable, repaired, and kept by a node.
#[test]
fn requirements_over_the_past() {
    let path = |name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/contracts");
        folder.join(name).display().to_string()
    };
    let found = lustral(&["realize", &path("pump.lus")]).expect(40);
    let conflict = "cannot be kept together: Requirements.R3, Requirements.R6\n";
    assert!(found.stdout.contains(conflict), "{}", found.stdout);
    let repaired = path("pump-repaired.lus");
    let run = lustral(&["check", "--json", &repaired]).expect(0);
    let verdicts = run.events("verdict");
    let of = |name: &str| {
        verdicts.iter().filter(|v| v["property"] == *format!("Requirements.{name}")).count()
    };
    for name in ["R1", "R2", "R3", "R4", "R5", "R6"] {
        assert_eq!(of(name), 1, "{name}: {verdicts:?}");
    }
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

/// What `current` would be before there is a value is shown only where somebody reads it.
#[test]
fn choices_that_nobody_reads_are_not_shown() {
    let choices = |text: &str| {
        let scratch = Scratch::new();
        scratch.write("p.lus", text);
        let run = scratch.lustral(&["check", "p.lus"]).expect(40);
        // A row of the execution: the cause and what would have saved it name the step.
        let is_row = |line: &str| line.contains("(first value of") && !line.contains(" at step ");
        run.stdout.lines().filter(|line| is_row(line)).count()
    };
    let program = |clock: &str| {
        format!(
            "node main(c: bool; x: int) returns (y: int); var d: bool; s: int when d;
            let d = {clock}; s = x when d; y = current(s); check y < 5; tel"
        )
    };
    assert_eq!(choices(&program("true -> c")), 0);
    assert_eq!(choices(&program("false -> c")), 1);
}

/// With `--explain` it is said which states and transitions are reached; one that never is has a
/// warning, and the exit code is that of the verdicts. Executions mark the transitions taken.
#[test]
fn unreachable_states_are_warnings() {
    let text = "node main(c: bool) returns (y: int);
        let
          automaton
          state Off do y = 0; until c then On | y > 0 then Off
          state On do y = 1 -> pre y + 1; unless false continue Off until y >= 3 then Off
          state Never do y = -1; until c then Off
          end;
          check \"small\" y < 3;
        tel";
    let path = std::env::temp_dir().join(format!("lustral-states-{}.lus", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let run = lustral(&["check", "--explain", path.to_str().unwrap()]).expect(40);
    let all = format!("{}{}", run.stdout, run.stderr);
    std::fs::remove_file(&path).unwrap();
    for wanted in [
        "state On of automaton at step 1",
        "transition Off->On of automaton at step 0",
        "state Never of automaton (line 6) is unreachable",
        "transition Never->Off of automaton (line 6) is unreachable",
        "transition Off->Off of automaton (line 4) is unreachable",
        "transition On->Off:continue of automaton (line 5) is unreachable",
        "automaton until",
    ] {
        assert!(all.contains(wanted), "{wanted}: {all}");
    }
    assert!(!all.contains("state Off of automaton (line"), "{all}");
}
