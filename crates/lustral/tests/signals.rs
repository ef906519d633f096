//! Signals and time limits. A target of its own: the tests measure times, and
//! must not run beside those that keep the machine busy.

#![allow(clippy::unwrap_used)]

mod common;

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use common::{GRACE, HARD, LIMIT, Scratch, finish, json_line, processor_time};

/// One query that no solver answers: a sum of two cubes.
const ENDLESS: &str = "\
node main(a, b, c: int) returns (ok: bool);
let
  ok = a > 2 and b > 2 and c > 2 => a * a * a + b * b * b <> c * c * c;
  --%PROPERTY ok;
tel
";

/// The most work, on all threads together, after a run should have ended: far less
/// than a query takes that is not broken off, on a busy machine too.
const PROMPT: Duration = Duration::from_secs(1);

/// Sends a signal once `lines` lines are out; the run must end with this code
/// soon, long before its time limit, and must say what it knows.
fn interrupt(program: &str, args: &[&str], lines: usize, signal: Signal, code: i32) {
    let scratch = Scratch::new();
    scratch.write("p.lus", program);
    let args = [&["check", "--json", "--timeout", "40", "p.lus"], args].concat();
    let mut command = scratch.command(&args);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut said: Vec<String> = output.by_ref().take(lines).collect();
    // A query is under way by now, most likely.
    std::thread::sleep(Duration::from_millis(500));
    let before = processor_time(&child);
    kill_process(Pid::from_child(&child), signal).unwrap();
    let sent = Instant::now();
    let run = finish(child, sent, LIMIT).expect(code);
    assert!(run.time < GRACE, "ended after {:?}", run.time);
    let work = run.work.saturating_sub(before);
    assert!(work < PROMPT, "it went on for {work:?}");
    said.extend(output);
    let said: Vec<_> = said.iter().map(|line| json_line(line)).collect();
    assert_eq!(said.last().unwrap()["event"], "summary");
    let verdicts: Vec<_> = said.iter().filter(|line| line["event"] == "verdict").collect();
    assert_eq!(verdicts.len(), program.matches("PROPERTY").count(), "{said:?}");
    let open: Vec<_> = verdicts.iter().filter(|v| v["verdict"] == "unknown").collect();
    assert_eq!(open.len(), verdicts.len() - lines, "{said:?}");
    assert!(open.iter().all(|v| v["reason"] == "the run was interrupted"), "{said:?}");
}

#[test]
fn control_c_between_queries() {
    interrupt(HARD, &[], 2, Signal::INT, 130);
}

#[test]
fn control_c_during_a_query() {
    interrupt(ENDLESS, &[], 0, Signal::INT, 130);
}

#[test]
fn control_c_while_another_solver_works() {
    common::require_cvc5();
    interrupt(ENDLESS, &["--solver", "cvc5"], 0, Signal::INT, 130);
}

#[test]
fn a_request_to_end() {
    interrupt(HARD, &[], 2, Signal::TERM, 143);
    interrupt(ENDLESS, &[], 0, Signal::TERM, 143);
}

#[test]
fn the_time_limit_is_kept() {
    for (program, limit) in [(HARD, 1.0), (ENDLESS, 1.0), (ENDLESS, 0.25), (HARD, 0.001)] {
        // One works at a time, so that there is no more work than time.
        let run = Scratch::new().check(program, &["--jobs", "1", "--timeout", &limit.to_string()]);
        let limit = Duration::from_secs_f64(limit);
        assert!(run.time < limit + GRACE, "{limit:?}: {:?}", run.time);
        assert!(run.work < limit + PROMPT, "{limit:?}: {:?} of work", run.work);
        let verdicts = run.events("verdict");
        assert_eq!(verdicts.len(), program.matches("PROPERTY").count());
        let open: Vec<_> = verdicts.iter().filter(|v| v["verdict"] == "unknown").collect();
        assert!(!open.is_empty());
        assert!(open.iter().all(|v| v["reason"] == "the time limit was reached"), "{open:?}");
    }
}

#[test]
fn each_file_has_the_time_for_itself() {
    let scratch = Scratch::new();
    scratch.write("hard.lus", ENDLESS);
    scratch.write(
        "easy.lus",
        "node main(x: int) returns (ok: bool);\nlet\n  ok = x = x;\n  check ok;\ntel\n",
    );
    let args = ["check", "--json", "--timeout", "0.5", "hard.lus", "easy.lus"];
    let run = scratch.lustral(&args).expect(30);
    assert_eq!(run.verdicts()[1], ("ok".into(), "valid".into()));
}

#[test]
fn a_hard_property_does_not_hold_up_the_easy_ones() {
    let program = ENDLESS.replace("tel", "  check \"easy\" a = a;\n  check \"wrong\" a > 0;\ntel");
    let run = Scratch::new().check(&program, &["--timeout", "3"]).expect(40);
    let verdict = |name: &str| run.verdicts().into_iter().find(|(n, _)| n == name).unwrap().1;
    assert_eq!(verdict("wrong"), "falsifiable");
    assert_eq!(verdict("easy"), "valid");
}

/// Terms that are too hard are so for the whole session of a solver, even where
/// no query is about them.
#[test]
fn several_hard_properties_do_not_hold_up_the_easy_ones() {
    let mut program = "node main(a, b, c: int; x: bool) returns (ok: bool);\nvar n: int;\nlet\n  \
                       n = 0 -> if x then pre n + 1 else pre n;\n  ok = true;\n"
        .to_string();
    for least in 2..6 {
        program += &format!(
            "  check \"hard {least}\" a > {least} and b > {least} and c > 2 => \
             a * a * a + b * b * b <> c * c * c;\n"
        );
    }
    program += "  check \"easy\" n >= 0;\n  check \"wrong\" n < 3;\ntel\n";
    let run = Scratch::new().check(&program, &["--timeout", "15"]).expect(40);
    let verdicts = run.events("verdict");
    let of = |name: &str| verdicts.iter().find(|v| v["property"] == name).unwrap();
    assert_eq!(of("wrong")["step"], 3, "{}", run.stdout);
    assert_eq!(of("easy")["verdict"], "valid", "{}", run.stdout);
}

/// Engines that take turns on one thread cannot wait for each other.
#[test]
fn hard_properties_do_not_make_engines_wait_for_each_other() {
    let cubes = |n: u32| format!("  check \"h{n}\" (x*x*x + y*y*y + z*z*z <> {n}) -> c >= 0;\n");
    let hard: String = [33, 42, 114, 165, 390].into_iter().map(cubes).collect();
    let program = format!(
        "node main(x, y, z, i: int) returns (n: int);\nvar a, b, c, d: int;\nlet\n  \
         a = (if i > 4 then i else 1) -> pre b;\n  b = (if i > 5 then i else 2) -> pre a;\n  \
         c = 0 -> pre c + pre d;\n  d = 1 -> pre d + 1;\n  n = a;\n  \
         check \"easy\" a > 0;\n{hard}tel\n"
    );
    let engines = ["--timeout", "10", "--engine", "bmc", "--engine", "k-induction"];
    let run = Scratch::new().check(&program, &engines);
    assert!(run.verdicts().contains(&("easy".into(), "valid".into())), "{:?}", run.verdicts());
}
