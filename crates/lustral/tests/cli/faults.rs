//! Faults on request (`cargo xtask faults` has thousands): wherever something panics, and whatever thread is not
//! started, nothing wrong is said, and nothing looks like an answer that is none.

use crate::common::{LIMIT, Scratch, run_with_faults};

const TWO: &str = "\
node main(x: bool) returns (n: int);
let
  n = 0 -> if x and pre n < 5 then pre n + 1 else pre n;
  check \"low\" n <= 5;
  check \"lower\" n <= 3;
tel
";

/// The verdict of each property is the right one, or unknown; without any, or with one that is unknown because
/// something broke, the exit code is not that of an answer.
fn judge(fault: &str) {
    let scratch = Scratch::new();
    scratch.write("p.lus", TWO);
    let mut command = scratch.command(&["check", "--json", "--timeout", "10", "p.lus"]);
    command.env("LUSTRAL_FAULT", fault);
    let done = run_with_faults(command, LIMIT);
    let verdicts = done.verdicts();
    for (property, word) in &verdicts {
        let right = if property == "low" { "valid" } else { "falsifiable" };
        assert!(word == right || word == "unknown", "{fault}: {property} is {word}");
    }
    let open = verdicts.iter().filter(|(_, word)| word == "unknown").count();
    let expected: &[i32] = match (verdicts.len(), open) {
        (2, 0) => &[40, 1],
        (2, 1) if verdicts.contains(&("lower".into(), "falsifiable".into())) => &[40, 1],
        (2, _) => &[30, 1],
        _ => &[1],
    };
    assert!(expected.contains(&done.code), "{fault}: {verdicts:?} and {}", done.code);
    assert_eq!(done.events("summary").len(), 1, "{fault}: {}", done.stderr);
}

#[test]
fn a_panic_anywhere_is_no_answer() {
    for number in [1, 2, 3, 4, 5, 6, 8, 11, 16, 24, 35] {
        judge(&format!("work {number}"));
    }
}

#[test]
fn a_thread_that_is_not_started_is_no_answer() {
    for number in [1, 2, 3, 4, 5, 6, 7, 9, 12] {
        judge(&format!("thread {number}"));
    }
}
