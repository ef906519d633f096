//! The standard streams: flushed as verdicts come, and what happens when they
//! cannot be written.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::common::{HARD, LIMIT, Scratch, finish, node};

fn full() -> Stdio {
    Stdio::from(File::options().write(true).open("/dev/full").unwrap())
}

#[test]
fn a_full_disk_is_a_failure() {
    let scratch = Scratch::new();
    scratch.write("p.lus", node("  ok = true;\n  --%PROPERTY ok;"));
    for args in [
        &["check", "p.lus"][..],
        &["check", "--json", "p.lus"],
        &["simulate", "p.lus"],
        &["dump", "--stage", "ast", "p.lus"],
        &["schema"],
    ] {
        let mut command = scratch.command(args);
        let started = Instant::now();
        let child = command.stdout(full()).stderr(Stdio::piped()).spawn().unwrap();
        let run = finish(child, started, LIMIT).expect(1);
        assert!(run.stderr.contains("cannot write the output: No space left"), "{}", run.stderr);
    }
}

#[test]
fn a_full_disk_for_messages_does_not_change_the_answer() {
    let scratch = Scratch::new();
    scratch.write("p.lus", node("  ok = pre b;\n  --%PROPERTY ok;"));
    let mut command = scratch.command(&["check", "-v", "p.lus"]);
    let started = Instant::now();
    let child = command.stdout(Stdio::piped()).stderr(full()).spawn().unwrap();
    let run = finish(child, started, LIMIT).expect(40);
    assert!(run.stdout.contains("falsifiable ok"));
}

#[test]
fn a_dash_is_the_standard_input() {
    let scratch = Scratch::new();
    for (body, code, said) in [("  ok = true;", 0, "valid       ok"), ("  ok = i;", 3, "--> -:")] {
        let mut command = scratch.command(&["check", "-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let started = Instant::now();
        let mut child = command.spawn().unwrap();
        let program = node(&format!("{body}\n  --%PROPERTY ok;"));
        child.stdin.take().unwrap().write_all(program.as_bytes()).unwrap();
        let run = finish(child, started, LIMIT).expect(code);
        assert!(run.stdout.contains(said) || run.stderr.contains(said), "{}", run.stderr);
    }
}

/// Checks a program that has easy verdicts and a hard one.
fn start_hard(timeout: &str) -> (Scratch, Child) {
    let scratch = Scratch::new();
    scratch.write("p.lus", HARD);
    let mut command = scratch.command(&["check", "--json", "--timeout", timeout, "p.lus"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    (scratch, child)
}

#[test]
fn verdicts_are_written_as_they_are_found() {
    let (_scratch, mut child) = start_hard("30");
    let started = Instant::now();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..2 {
        let line = crate::common::json_line(&lines.next().unwrap().unwrap());
        assert_eq!(line["event"], "verdict");
    }
    assert!(started.elapsed() < Duration::from_secs(10), "the hard one is still under way");
    assert!(child.try_wait().unwrap().is_none());
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_run() {
    let (_scratch, mut child) = start_hard("2");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    drop(lines);
    let started = Instant::now();
    let run = finish(child, started, LIMIT);
    assert_ne!(run.code, 0);
    assert_eq!(run.stderr, "", "a closed pipe needs no message");
}

#[test]
fn a_pipe_that_is_closed_from_the_start() {
    let scratch = Scratch::new();
    scratch.write("p.lus", node("  ok = true;\n  --%PROPERTY ok;"));
    for args in [&["check", "p.lus"][..], &["dump", "--stage", "tokens", "p.lus"], &["schema"]] {
        let (reading, writing) = std::io::pipe().unwrap();
        drop(reading);
        let started = Instant::now();
        let mut command = scratch.command(args);
        let child = command.stdout(writing).stderr(Stdio::piped()).spawn().unwrap();
        assert_ne!(finish(child, started, LIMIT).code, 0, "{args:?}");
    }
}

#[test]
fn a_closed_pipe_stops_the_search_soon() {
    let (_scratch, mut child) = start_hard("20");
    drop(child.stdout.take());
    let started = Instant::now();
    finish(child, started, Duration::from_secs(10));
}
