//! The engine for Horn clauses and its workers: what they say is never taken on
//! trust, and none of them stays behind.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_certify::Answer;
use lustral_coordinator::{CheckResult, Event, Job, Options, Run, Unit};
use lustral_engines::{EngineChoice, Lemma, Passes, engines, prepare};
use lustral_sema::instances::Wanted;
use lustral_smt::WorkerCommand;
use lustral_system::{Predicate, Proof, Reason};
use lustral_term::{Sort, Terms, VarId};
use lustral_testing::{Encoded, encoding};
use rustix::process::{Pid, Signal, kill_process};

use common::{GRACE, HARD, Scratch};

/// A counter, and a property that is not inductive. The state is the flag of
/// the first step and the counter.
const COUNTER: &str = "\
node main(x: bool) returns (ok: bool);
var n: int;
let
  n = 0 -> if pre n = -10 then 0 else pre n - 2;
  ok = n <> -7;
  --%PROPERTY ok;
tel
";

fn unit(text: &str) -> Unit {
    let Encoded { unit, kernel, .. } = encoding::accepted(text).unwrap();
    let root = unit.program.node_named("main").unwrap();
    Unit::new(&Arc::new(kernel), root, Wanted::ALL).unwrap()
}

/// What became of a run of the engine.
struct Outcome {
    findings: Vec<CheckResult>,
    /// Why properties are open, if the engine ended by itself.
    reason: Option<Reason>,
}

impl Outcome {
    #[track_caller]
    fn expect_nothing(&self) -> &Outcome {
        assert!(self.findings.is_empty(), "{:?}", self.findings);
        self
    }

    #[track_caller]
    fn expect_reason(&self, part: &str) {
        let reason = self.expect_nothing().reason.as_ref().expect("it ends by itself").to_string();
        assert!(reason.contains(part), "{reason}");
    }
}

/// Runs the engine alone on a program, with some command as worker.
fn run(
    program: &str,
    worker: Option<WorkerCommand>,
    lemmas: Vec<Lemma>,
    time: Duration,
) -> Outcome {
    let options = Options {
        engines: vec![EngineChoice(&engines::horn::ENGINE)],
        prepare: Passes::DEFAULT,
        minimise: false,
        worker,
        ..Options::default()
    };
    let cancel = Cancel::with_deadline(Some(Instant::now() + time));
    let (unit, cut) = (Arc::new(unit(program)), None);
    let job = Job { unit, cut, partial: false, lemmas, store: None, patience: None, cancel };
    let mut run = Run::start(job, &options);
    let (mut findings, mut ended) = (Vec::new(), false);
    for event in run.by_ref() {
        match event {
            Event::Checked(result) => findings.push(*result),
            Event::Ended(left) => ended = left == 0,
            Event::Progress(_) => {}
            Event::Execution(_) | Event::Broken(_) => panic!("{event:?}"),
        }
    }
    let reason = run.finish().pop().map(|open| open.reason).filter(|_| ended);
    Outcome { findings, reason }
}

/// Runs the engine on the counter with a worker made of these lines of shell;
/// sees to it that nothing stays behind.
#[track_caller]
fn play_with(body: &str, lemmas: Vec<Lemma>, time: Duration) -> Outcome {
    play_on(COUNTER, body, lemmas, time)
}

#[track_caller]
fn play_on(program: &str, body: &str, lemmas: Vec<Lemma>, time: Duration) -> Outcome {
    let scratch = Scratch::new();
    let worker = WorkerCommand { program: scratch.script("worker", body), args: Vec::new() };
    let outcome = run(program, Some(worker), lemmas, time);
    expect_none_left(scratch.path().to_str().unwrap());
    outcome
}

#[track_caller]
fn play(body: &str) -> Outcome {
    play_with(body, Vec::new(), Duration::from_secs(20))
}

/// A worker that reads all and gives an answer.
fn answer(word: &str, text: &str) -> String {
    format!("cat >/dev/null\ncat <<'X'\n{word}\n{text}\nend\nX")
}

/// The processes whose command lines contain a text.
fn processes(text: &str) -> Vec<String> {
    let line = |entry: std::fs::DirEntry| {
        entry.file_name().to_str()?.parse::<u32>().ok()?;
        let bytes = std::fs::read(entry.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&bytes).replace('\0', " ");
        line.contains(text).then_some(line)
    };
    std::fs::read_dir("/proc").unwrap().flatten().filter_map(line).collect()
}

#[track_caller]
fn expect_none_left(text: &str) {
    let started = Instant::now();
    while !processes(text).is_empty() {
        let left = processes(text);
        assert!(started.elapsed() < GRACE, "left behind: {left:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn nonsense() {
    play("cat >/dev/null; echo 'it depends'").expect_reason("nonsense");
    play("cat >/dev/null; echo '((('").expect_reason("nonsense");
    play("cat >/dev/null; printf '\\000\\377\\n'").expect_reason("nonsense");
    play(&answer("maybe", "")).expect_reason("nonsense");
    play(&answer("invariant", "")).expect_reason("without quantifiers");
    play(&answer("invariant", ")")).expect_reason("without quantifiers");
    play(&answer("unknown", "no idea")).expect_reason("no idea");
}

#[test]
fn death() {
    play("exit 0").expect_reason("ended unexpectedly");
    play("exit 3").expect_reason("ended unexpectedly");
    play("cat >/dev/null; kill -SEGV $$").expect_reason("ended unexpectedly");
    // Half an answer is none.
    let invariant = "(forall ((A Bool) (B Int)) (= (state A B) (= (mod B 2) 0)))";
    play(&format!("cat >/dev/null; printf 'invariant\\n{invariant}\\n'")).expect_reason("nonsense");
}

#[test]
fn silence() {
    for body in
        ["exec sleep 60", "cat >/dev/null; sleep 60", "trap '' TERM INT; while :; do :; done"]
    {
        play_with(body, Vec::new(), Duration::from_secs(1)).expect_nothing();
    }
    play_with("exec yes", Vec::new(), Duration::from_secs(5)).expect_nothing();
}

#[test]
fn a_worker_has_limited_memory() {
    let gibibyte = (1 << 20).to_string();
    play("cat >/dev/null; echo unknown; ulimit -v; echo end").expect_reason(&gibibyte);
}

#[test]
fn there_is_no_worker() {
    let time = Duration::from_secs(20);
    run(COUNTER, None, Vec::new(), time).expect_reason("its program is not known");
    let program = Path::new("/nowhere/worker").to_path_buf();
    let worker = WorkerCommand { program, args: Vec::new() };
    run(COUNTER, Some(worker), Vec::new(), time).expect_reason("/nowhere/worker");
}

/// What a worker says that the state is.
fn claim(body: &str) -> String {
    let text = format!(
        "(and (= failure false) (forall ((A Bool) (B Int)) (! (= (state A B) {body}) :weight 0)))"
    );
    answer("invariant", &text)
}

#[test]
fn a_wrong_invariant_is_not_posted() {
    play(&claim("(or A (not (= B (- 3))))")).expect_reason("does not imply");
    play(&claim("(not (= B (- 5)))")).expect_reason("not inductive");
    play(&claim("false")).expect_reason("initially");
    play(&claim("(and (>= B 0) (<= B 0))")).expect_reason("not inductive");
    play(&claim("(exists ((x Int)) (= B (* 2 x)))")).expect_reason("without quantifiers");
    play(&claim("(= B C)")).expect_reason("without quantifiers");
    play(&claim("(and B A)")).expect_reason("without quantifiers");
    // About another predicate, or of another arity.
    play(&answer("invariant", "(forall ((A Bool)) (= (state A) true))")).expect_reason("without");
    play(&answer("invariant", "(= failure false)")).expect_reason("without quantifiers");
}

/// The property fails at the last step that the assertion allows: what is
/// checked of an invariant must not rely on a step after it.
#[test]
fn an_execution_may_end_at_the_failure() {
    let program = "\
node main(x: bool) returns (ok: bool);
var n: int;
let
  n = 0 -> pre n + 1;
  assert n <= 3;
  ok = n < 3;
  --%PROPERTY ok;
tel
";
    let time = Duration::from_secs(20);
    play_on(program, &claim("(or A (<= B 10))"), Vec::new(), time).expect_reason("does not imply");
}

/// The proof that was found, which passed its check.
#[track_caller]
fn expect_proof(outcome: &Outcome) -> Proof {
    let [CheckResult { answer: Ok(answer), engine, .. }] = &outcome.findings[..] else {
        panic!("{:?} {:?}", outcome.findings, outcome.reason);
    };
    assert_eq!(*engine, "horn");
    let Answer::Valid(certificate) = answer.get() else { panic!("{answer:?}") };
    certificate.proof.clone()
}

#[test]
fn a_right_invariant_is_posted() {
    for body in [
        "(= (mod B 2) 0)",
        "(or A (= (- B (* 2 (div B 2))) 0))",
        "(let ((a!1 (* (- 1) B))) (let ((a!2 (mod a!1 2))) (and (>= B (- 10)) (= a!2 0))))",
        "(ite A (= B 0) (and (<= B 0) (= (mod B 2) 0)))",
        "(<= (to_real (mod B 2)) (/ 1.0 3.0))",
    ] {
        expect_proof(&play(&claim(body)));
    }
}

#[test]
fn a_wrong_derivation_is_not_posted() {
    let derivation = "failure\n(state false 0)\n(state true 0)";
    play_with(&answer("derivation", derivation), Vec::new(), Duration::from_secs(20))
        .expect_reason("no execution");
    play(&answer("derivation", "failure\n(state)\n(other 1)")).expect_reason("no execution");
    play(&answer("derivation", "failure\n((")).expect_reason("no execution");
}

/// A lemma about the counter, with its proof.
fn lemma(compression: bool) -> Lemma {
    let system = prepare(&unit(COUNTER).system).system;
    let counter = system
        .memories
        .iter()
        .map(|m| m.var)
        .find(|v: &VarId| system.variable(*v).sort == Sort::Int);
    let mut terms = Terms::new();
    let n = terms.variable(counter.unwrap(), Sort::Int);
    let (zero, two) = (terms.int(0), terms.int(2));
    let rest = terms.modulo(n, two);
    let term = terms.eq(rest, zero);
    let predicate = Predicate { terms: Arc::new(terms), term };
    let invariants = vec![predicate.clone()];
    Lemma { predicate, k: 3, properties: Vec::new(), invariants: invariants.into(), compression }
}

#[test]
fn lemmas_become_part_of_the_proof() {
    // By itself this says nothing; with the lemma it is enough.
    play(&claim("true")).expect_reason("does not imply");
    let time = Duration::from_secs(20);
    let proof = expect_proof(&play_with(&claim("true"), vec![lemma(false)], time));
    let Proof::Induction { k, invariants, .. } = proof else { panic!("{proof:?}") };
    // The lemma and its k.
    assert_eq!(k, 3);
    assert!(!invariants.is_empty());
    // One that holds by compression cannot be used.
    play_with(&claim("true"), vec![lemma(true)], time).expect_reason("does not imply");
}

#[test]
fn lemmas_reach_the_worker() {
    let given = |lemmas| {
        let scratch = Scratch::new();
        let text = scratch.path().join("given");
        play_with(&format!("cat >{}", text.display()), lemmas, Duration::from_secs(20));
        std::fs::read_to_string(text).unwrap()
    };
    let (without, with) = (given(Vec::new()), given(vec![lemma(false)]));
    // The remainder comes as a new variable.
    assert!(!without.contains("(declare-var q"), "{without}");
    assert!(with.contains("(declare-var q"), "{with}");
    assert!(without.contains("option fp.engine spacer\n"));
}

/// Programs that it decides alone, and what they are about.
#[test]
fn real_workers() {
    let program = "\
node main(x: bool; r: real; i: int) returns (ok: bool);
var n, q: int; s, t: real; w: int; b: bool;
let
  n = 0 -> if pre n = -10 then 0 else pre n - 2;
  q = 0 -> (pre q + 3) mod 6;
  s = 0.25 -> if x then -(pre s) else pre s / 2.0;
  t = 0.0 -> if pre t > 3.0 then 0.5 else pre t + 0.5;
  w = 1 -> if b then pre w + 2 else pre w;
  b = true -> not pre b;
  ok = true;
  assert i >= 0 and i <= 9;
  check \"negative\" n <> -7 and n >= -10;
  check \"remainder\" q <> 4 and q <> 5;
  check \"quotient\" i div 10 = 0;
  check \"product\" s <= 1.0 and s >= -1.0;
  check \"sum\" t <= 3.5;
  check \"odd\" w mod 2 = 1;
  check \"late\" t < 3.0;
  check \"whole\" int(r) <= 5;
tel
";
    let run = Scratch::new().check(program, &["--engine", "horn", "--timeout", "40"]).expect(40);
    for verdict in run.events("verdict") {
        let name = verdict["property"].as_str().unwrap();
        let wrong = ["late", "whole"].contains(&name);
        assert_eq!(verdict["verdict"], if wrong { "falsifiable" } else { "valid" }, "{verdict}");
        assert_eq!(verdict["engine"], "horn");
        if name == "late" {
            assert_eq!(verdict["step"], 6, "{verdict}");
        }
    }
}

/// An assertion that has nothing to do with a property can still end all
/// executions before it fails.
#[test]
fn assertions_that_block() {
    let program = "\
node main(x: int) returns (ok: bool);
var n, m: int;
let
  n = 0 -> pre n + 1;
  m = 0 -> pre m + 1;
  ok = true;
  assert m < 5;
  check \"in_time\" n < 5;
  check \"too_late\" n < 4;
tel
";
    let args = ["--engine", "horn", "--timeout", "20", "--prepare", "off"];
    let run = Scratch::new().check(program, &args).expect(40);
    let mut verdicts = run.verdicts();
    verdicts.sort();
    let expected = [("in_time", "valid"), ("too_late", "falsifiable")];
    assert_eq!(verdicts, expected.map(|(name, word)| (name.to_string(), word.to_string())));
}

/// One property that Spacer never decides does not keep it from the others.
#[test]
fn a_hard_property_does_not_hold_up_the_easy_ones() {
    let run = Scratch::new().check(HARD, &["--engine", "horn", "--timeout", "6"]).expect(40);
    let verdict = |name: &str| run.verdicts().into_iter().find(|(n, _)| n == name).unwrap().1;
    assert_eq!(verdict("easy"), "valid");
    assert_eq!(verdict("wrong"), "falsifiable");
    assert_eq!(verdict("ok"), "unknown");
}

/// The limit on depths holds for it too.
#[test]
fn the_depth_limit() {
    let program = "\
node main(x: bool) returns (ok: bool);
var n: int;
let
  n = 0 -> if x then pre n + 1 else pre n;
  ok = n <> 50;
  --%PROPERTY ok;
tel
";
    let args = ["--engine", "horn", "--max-k", "3", "--timeout", "40"];
    let run = Scratch::new().check(program, &args).expect(30);
    let reason = run.events("verdict")[0]["reason"].as_str().unwrap().to_string();
    assert!(reason.contains("up to depth 3"), "{reason}");
}

/// That one engine is not for a property is not why it stays open.
#[test]
fn what_is_not_linear_is_left_to_others() {
    let program = "\
node main(x: int) returns (ok: bool);
var n: int;
let
  n = 1 -> if x = 0 then pre n else x * x + 1;
  ok = n <> 2000000;
  --%PROPERTY ok;
tel
";
    let scratch = Scratch::new();
    let reason = |args: &[&str]| {
        let args = [&["--max-k", "2", "--timeout", "40"], args].concat();
        let run = scratch.check(program, &args).expect(30);
        run.events("verdict")[0]["reason"].as_str().unwrap().to_string()
    };
    assert!(reason(&["--engine", "horn"]).contains("product or quotient of variables"));
    let engines = ["--engine", "horn", "--engine", "bmc"];
    assert!(reason(&engines).contains("up to depth 2"), "{}", reason(&engines));
}

/// Waits for a worker of the program, ends the program, and looks for it again.
#[track_caller]
fn end_by(signal: Signal) {
    let scratch = Scratch::new();
    scratch.write("p.lus", HARD);
    let mut command = scratch.command(&["check", "--engine", "horn", "p.lus"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let worker = format!("worker --parent {} horn", child.id());
    let started = Instant::now();
    while processes(&worker).is_empty() {
        assert!(started.elapsed() < Duration::from_secs(20), "no worker was started");
        std::thread::sleep(Duration::from_millis(5));
    }
    kill_process(Pid::from_child(&child), signal).unwrap();
    child.wait().unwrap();
    expect_none_left(&worker);
}

#[test]
fn a_program_that_is_killed_leaves_no_worker() {
    (0..5).for_each(|_| end_by(Signal::KILL));
}

#[test]
fn a_program_that_is_stopped_leaves_no_worker() {
    end_by(Signal::INT);
    end_by(Signal::TERM);
}

/// A worker without the parent that it was told of answers nothing.
#[test]
fn an_orphan_ends() {
    let mut command = common::command();
    command.args(["worker", "--parent", "1", "horn"]);
    let run = common::run(command, common::LIMIT);
    assert_eq!((run.code, &*run.stdout), (1, ""));
}
