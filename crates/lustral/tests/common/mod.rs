//! What the tests of the program share: running it, and reading what it says.

#![allow(dead_code)] // every test target uses a part of this
#![allow(clippy::unwrap_used)]

pub mod cases;

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use jsonschema::Validator;
use rustix::param::clock_ticks_per_second;
use serde_json::Value;
use tempfile::TempDir;

/// No call may take longer than this, on a busy machine and unoptimised.
pub const LIMIT: Duration = Duration::from_secs(60);

/// How much later than promised a busy machine may let things happen: far less
/// than what a run would take that does not keep the promise.
pub const GRACE: Duration = Duration::from_secs(10);

/// What a call did.
#[derive(Debug)]
pub struct Run {
    /// As a shell gives it: 128 and the number of the signal if one ended it.
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    pub time: Duration,
    /// The processor time of the process, without that of its children.
    pub work: Duration,
}

impl Run {
    /// The lines of the standard output, each an object that follows the schema.
    #[track_caller]
    pub fn json(&self) -> Vec<Value> {
        self.stdout.lines().map(json_line).collect()
    }

    /// The lines of one event.
    #[track_caller]
    pub fn events(&self, event: &str) -> Vec<Value> {
        self.json().into_iter().filter(|line| line["event"] == event).collect()
    }

    /// Property and verdict, in the order shown.
    #[track_caller]
    pub fn verdicts(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_string();
        let pair = |line: &Value| (text(&line["property"]), text(&line["verdict"]));
        self.events("verdict").iter().map(pair).collect()
    }

    /// Fails with all that is known unless the exit code is this one.
    #[track_caller]
    pub fn expect(self, code: i32) -> Run {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
}

/// A line of `check --json`, checked against the schema of the program.
#[track_caller]
pub fn json_line(line: &str) -> Value {
    static SCHEMA: OnceLock<Validator> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| {
        let schema = lustral(&["schema"]).expect(0).stdout;
        jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap()
    });
    let value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e} in {line:?}"));
    if let Err(error) = schema.validate(&value) {
        panic!("{error} in {line}");
    }
    value
}

/// The program, with nothing from the environment that would change what it shows.
pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lustral"));
    for name in ["NO_COLOR", "COLUMNS", "TERM", "RUST_BACKTRACE", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

/// Calls the program.
#[track_caller]
pub fn lustral(args: &[&str]) -> Run {
    let mut command = command();
    command.args(args);
    run(command, LIMIT)
}

/// Runs a command to its end; fails if that takes too long.
#[track_caller]
pub fn run(mut command: Command, limit: Duration) -> Run {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = Instant::now();
    finish(command.spawn().unwrap(), started, limit)
}

/// The same where a panic is what was asked for, and its message is no mistake.
#[track_caller]
pub fn run_with_faults(mut command: Command, limit: Duration) -> Run {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = Instant::now();
    wait(command.spawn().unwrap(), started, limit)
}

/// Waits for a child that must not panic; fails if that takes too long.
#[track_caller]
pub fn finish(child: Child, started: Instant, limit: Duration) -> Run {
    let run = wait(child, started, limit);
    assert!(!run.stderr.contains("panicked at"), "{}", run.stderr);
    run
}

#[track_caller]
fn wait(mut child: Child, started: Instant, limit: Duration) -> Run {
    let stdout = child.stdout.take().map(reader);
    let stderr = child.stderr.take().map(reader);
    let mut work = Duration::ZERO;
    let status = loop {
        // Of a process that is gone there is nothing to read.
        work = work.max(processor_time(&child));
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if started.elapsed() > limit => {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("not done after {limit:?}");
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let time = started.elapsed();
    let text = |thread: Option<JoinHandle<String>>| thread.map(|t| t.join().unwrap());
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap());
    let (stdout, stderr) = (text(stdout).unwrap_or_default(), text(stderr).unwrap_or_default());
    Run { code, stdout, stderr, time, work }
}

/// The processor time that a process has had so far, without that of its
/// children: a busy machine does not make it longer. (From `/proc` of Linux;
/// elsewhere, none.)
pub fn processor_time(child: &Child) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    // The name of the program may have anything in it, and ends with a parenthesis.
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    // In user mode and in the kernel.
    let ticks = |i: usize| fields.get(i).and_then(|field| field.parse().ok()).unwrap_or(0.0);
    Duration::from_secs_f64((ticks(11) + ticks(12)) / clock_ticks_per_second() as f64)
}

fn reader(mut stream: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("the program writes UTF-8");
        text
    })
}

/// A folder of its own for a test, removed at the end.
pub struct Scratch(TempDir);

impl Scratch {
    pub fn new() -> Scratch {
        Scratch(TempDir::with_prefix("lustral-test-").unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and its folders.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// Writes a small program that can be run, such as a solver that misbehaves.
    pub fn script(&self, name: &str, body: &str) -> PathBuf {
        use std::os::unix::fs::OpenOptionsExt;
        let path = self.path().join(name);
        let mut options = std::fs::OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(0o755).open(&path);
        file.unwrap().write_all(format!("#!/bin/sh\n{body}\n").as_bytes()).unwrap();
        path
    }

    /// A call of the program in this folder: files are named as they were written.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = command();
        command.current_dir(self.path()).args(args);
        command
    }

    /// Calls the program in this folder.
    #[track_caller]
    pub fn lustral(&self, args: &[&str]) -> Run {
        run(self.command(args), LIMIT)
    }

    /// Writes a program and checks it, with JSON Lines as the answer.
    #[track_caller]
    pub fn check(&self, program: &str, args: &[&str]) -> Run {
        self.write("program.lus", program);
        self.lustral(&[&["check", "--json", "program.lus"], args].concat())
    }
}

/// A node `main` with an input of each type, and these equations and properties.
pub fn node(body: &str) -> String {
    format!("node main(b: bool; i: int; r: real) returns (ok: bool);\nlet\n{body}\ntel\n")
}

/// A random number generator that meets no number in time: bounded model
/// checking goes on for ever. The other properties are easy.
pub const HARD: &str = "\
node main(x: bool) returns (ok: bool);
var n: int;
let
  n = 0 -> (pre n * 1103515245 + 12345) mod 2147483648;
  ok = n <> 77777;
  --%PROPERTY ok;
  --%PROPERTY \"easy\" x = x;
  --%PROPERTY \"wrong\" x;
tel
";

/// Fails unless the solver is there that the tests use besides the built-in one.
#[track_caller]
pub fn require_cvc5() {
    let found = Command::new("cvc5").arg("--version").output();
    assert!(
        found.is_ok_and(|output| output.status.success()),
        "this test needs `cvc5` on the PATH: `cargo xtask test` installs it"
    );
}
