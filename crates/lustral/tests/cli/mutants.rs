//! `--mutants`: which small changes of a program its properties notice.

use serde_json::Value;

use crate::common::{Run, Scratch};

const COUNTER: &str = "\
const most = 5;
node count(x: bool) returns (n: int);
let
  n = 0 -> if x and pre n < most then pre n + 1 else pre n;
tel
node main(x, c: bool; i: int) returns (n: int; spare: int);
let
  n = count(x);
  spare = if c then i else 0;
  check \"low\" n <= 5;
  check \"not negative\" n >= 0;
  check \"false\" n < 3;
tel
";

/// The mutants of a list, as `line text as other`.
fn listed(event: &Value, key: &str) -> Vec<String> {
    let one = |m: &Value| {
        let (text, becomes) = (m["text"].as_str().unwrap(), m["becomes"].as_str().unwrap());
        format!("{} {text} as {becomes}", m["line"])
    };
    event[key].as_array().unwrap().iter().map(one).collect()
}

fn mutants(run: &Run) -> Value {
    let [event] = &run.events("mutants")[..] else { panic!("one line: {}", run.stdout) };
    event.clone()
}

#[test]
fn what_no_property_notices_is_listed() {
    let run = Scratch::new().check(COUNTER, &["--mutants", "--deterministic"]).expect(40);
    let found = mutants(&run);
    assert_eq!(listed(&found, "undecided"), [""; 0]);
    // Nothing is stated of `spare`, nor of what is counted, but that it stays between bounds.
    let survivors = listed(&found, "survivors");
    assert_eq!(
        survivors,
        [
            "1 5 as 4",
            "4 0 as 1",
            "4 0 -> if x and pre n < most then pre n + 1 else pre n as 0",
            "4 x and pre n < most as false",
            "4 1 as 0",
            "9 c as false",
            "9 c as true",
            "9 0 as 1",
        ],
        "{found}"
    );
    let killed = found["killed"].as_u64().unwrap() as usize;
    assert_eq!(found["mutants"].as_u64().unwrap() as usize, survivors.len() + killed);
    assert_eq!(found["left"], 0);
    // Of those that are killed each is counted once, and what is false notices nothing.
    let by: Vec<(&str, u64)> = found["properties"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| (p["property"].as_str().unwrap(), p["killed"].as_u64().unwrap()))
        .collect();
    assert_eq!(by.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["low", "not negative"]);
    assert_eq!(by.iter().map(|(_, n)| *n as usize).sum::<usize>(), killed);
    assert!(by.iter().all(|(_, n)| *n > 0), "{by:?}");
}

/// A survivor, put in the text by hand, is valid; what is killed is not.
#[test]
fn what_is_said_of_a_mutant_is_so_of_its_text() {
    let scratch = Scratch::new();
    let without = COUNTER.replace("  check \"false\" n < 3;\n", "");
    for (from, to, code) in [
        ("0 -> if", "1 -> if", 0),
        ("const most = 5", "const most = 4", 0),
        ("const most = 5", "const most = 6", 40),
        ("pre n < most", "pre n <= most", 40),
        ("pre n + 1", "pre n - 1", 40),
        ("x and pre n < most", "x or pre n < most", 40),
    ] {
        scratch.check(&without.replace(from, to), &[]).expect(code);
    }
}

#[test]
fn so_many_as_are_asked_for() {
    let scratch = Scratch::new();
    let all = mutants(&scratch.check(COUNTER, &["--mutants", "--deterministic"]));
    let some = mutants(&scratch.check(COUNTER, &["--mutants=3", "--deterministic"]));
    assert_eq!(some["mutants"], 3);
    assert_eq!(some["left"], all["mutants"].as_u64().unwrap() - 3);
}

/// Where properties do not hold, there is nothing to notice by; what is asserted, and what properties say
/// themselves, is not changed; and where an assertion leaves no execution, that is noticed.
#[test]
fn what_is_changed_and_what_is_not() {
    let scratch = Scratch::new();
    let run = scratch.check(
        "node main(x: int) returns (y: int); let y = x + 1; check y > 0; tel",
        &["--mutants", "--deterministic"],
    );
    assert!(run.expect(40).events("mutants").is_empty());
    let text = "node main(x: int) returns (y: int); var b: bool; let y = x + 1; b = x > 3;
        assert b and x < 5; check y > 4 and y < 9; tel";
    let found = mutants(&scratch.check(text, &["--mutants", "--deterministic"]).expect(0));
    // `x > 4` leaves no execution.
    assert_eq!(listed(&found, "survivors"), ["1 1 as 2"]);
    assert_eq!(found["killed"], 5, "{found}");
}

#[test]
fn states_of_automata_and_clocked_calls() {
    let text = "\
node count(x: bool) returns (n: int);
let n = 0 -> if x then pre n + 1 else pre n; tel
node main(go: bool) returns (n: int; m: int);
let
  automaton light
  state Red do n = 1; until go then Green
  state Green do n = 2; until not go then Red
  end;
  m = condact(go, count(true), 0);
  check \"small\" n >= 1 and n <= 2;
  check \"counts\" m >= 0;
tel
";
    let run = Scratch::new().check(text, &["--mutants", "--deterministic"]).expect(0);
    let found = mutants(&run);
    let survivors = listed(&found, "survivors");
    for expected in ["7 not go as go", "6 1 as 2"] {
        assert!(survivors.iter().any(|s| s == expected), "{expected}: {survivors:?}");
    }
    assert!(!survivors.iter().any(|s| s == "6 1 as 0" || s == "7 2 as 3"), "{survivors:?}");
    // What is not written is not changed: `last x` is a choice between what was and what came first.
    let text =
        "node main(c: bool) returns (x: int); let last x = 3; when c then x = last x + 1; end
        check x >= 3; tel";
    let found = mutants(&Scratch::new().check(text, &["--mutants", "--deterministic"]).expect(0));
    assert_eq!(listed(&found, "survivors"), ["1 3 as 4", "1 1 as 0", "1 1 as 2"]);
}

#[test]
fn people_read_it_and_it_is_in_the_report() {
    let scratch = Scratch::new();
    scratch.write("p.lus", COUNTER);
    let args = ["check", "--deterministic", "p.lus", "--mutants", "--report", "out"];
    let run = scratch.lustral(&args).expect(40);
    assert!(run.stdout.contains(" killed, 8 survive\n"), "{}", run.stdout);
    assert!(run.stdout.contains("  survives   9:14  `c` as `false`\n"), "{}", run.stdout);
    assert!(run.stdout.contains("  survives   4:7 of `count`  `0` as `1`\n"), "{}", run.stdout);
    let read = |name: &str| std::fs::read_to_string(scratch.path().join("out").join(name)).unwrap();
    let report: Value = serde_json::from_str(&read("report.json")).unwrap();
    assert_eq!(report["mutants"][0]["survivors"].as_array().unwrap().len(), 8);
    let page = read("index.html");
    assert!(page.contains("What the properties notice"), "{page}");
    assert!(page.contains("<span class=\"survives\">3 not noticed</span>"), "{page}");
}

/// A mutant is looked at in what is left of the time.
#[test]
fn the_time_limit_is_kept() {
    let mut text = String::from("node main(x: bool) returns (n0");
    (1..300).for_each(|i| text += &format!(", n{i}"));
    text += ": int);\nlet\n  n0 = 0;\n";
    for i in 1..300 {
        let before = i - 1;
        text += &format!(
            "  n{i} = 0 -> if x and pre n{i} < {i} then pre n{i} + 1 else pre n{before};\n"
        );
    }
    text += "  check \"p\" n299 >= 0;\ntel\n";
    let run = Scratch::new().check(&text, &["--mutants", "--timeout", "4"]);
    assert!(run.time < std::time::Duration::from_secs(4) + crate::common::GRACE, "{:?}", run.time);
    let events = run.events("mutants");
    assert!(events.iter().all(|event| event["left"].as_u64().unwrap() > 0), "{events:?}");
}
