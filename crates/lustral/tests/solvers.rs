//! Other solvers: cvc5, and solvers that misbehave in every way. None may
//! cause a wrong verdict, hold up the run, or stay behind.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use common::cases::{self, Expected};
use common::{GRACE, Run, Scratch, lustral, require_cvc5};

/// Only engines that ask a solver: others find counterexamples without one.
const BY_SOLVER: [&str; 2] = ["--engine", "k-induction"];

/// Small cases of every kind.
const SAMPLE: &[&str] = &[
    "arrow-chain",
    "assert-blocks-later",
    "assert-contradictory",
    "div-zero-arbitrary",
    "divmod-variable-divisor",
    "fibonacci",
    "int-real-casts",
    "names-of-solvers",
    "pre-twice",
    "property-forms",
    "real-exact",
    "several-verdicts",
    "subrange-not-assumed",
];

/// The verdicts that a test accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Accepted {
    Right,
    RightOrUnknown,
}

#[test]
fn the_report_says_which_solver_answered() {
    require_cvc5();
    let scratch = Scratch::new();
    scratch.write(
        "a.lus",
        "node main(x: int) returns (small, kept: bool);\n\
         var n: int;\n\
         let\n  n = 0 -> if x > 0 then pre n + 1 else pre n;\n\
         small = n < 3;\n  kept = n >= 0;\n\
         --%PROPERTY small;\n--%PROPERTY kept;\ntel\n",
    );
    let args = ["check", "--engine", "bmc", "--engine", "k-induction", "--bmc-solver", "cvc5"];
    let run = scratch.lustral(&[&args[..], &["a.lus"]].concat()).expect(40);
    assert!(run.stdout.contains("fails at step 3, bmc with cvc5"), "{}", run.stdout);
    assert!(!run.stdout.contains("k-induction with"), "{}", run.stdout);
    let run = scratch.lustral(&[&args[..], &["--json", "a.lus"]].concat()).expect(40);
    let mut solvers: Vec<_> = run.events("verdict").iter().map(|v| v["solver"].clone()).collect();
    solvers.sort_by_key(ToString::to_string);
    assert_eq!(solvers, ["cvc5", "z3-builtin"]);
    let args = ["check", "--engine", "simulation", "--timeout", "2", "--json", "a.lus"];
    let run = scratch.lustral(&args);
    let verdicts = run.events("verdict");
    assert!(verdicts.iter().all(|v| v.get("solver").is_none()), "{}", run.stdout);
}

/// What is wrong with the verdicts that cvc5 leads to on a case: those that are
/// not the right ones, or `unknown`, as the caller says.
fn faults(name: &str, accepted: Accepted) -> Vec<String> {
    let case = cases::named(name);
    let path = case.path.to_str().unwrap();
    let args = ["check", "--json", "--solver", "cvc5", "--max-k", "32", "--timeout", "3", path];
    let run = lustral(&[&args[..], &BY_SOLVER].concat());
    let verdicts = run.events("verdict");
    let mut faults = Vec::new();
    for (property, expected) in &case.expected {
        let verdict = verdicts.iter().find(|v| v["property"] == property.as_str()).unwrap();
        let right = match expected {
            Expected::Valid => verdict["verdict"] == "valid",
            Expected::Falsified(step) => verdict["step"] == *step,
            Expected::Vacuous => verdict["vacuous"] == true,
            Expected::Reached(step) => verdict["step"] == *step,
            Expected::Unreachable => verdict["verdict"] == "unreachable",
            Expected::Error(_) => unreachable!("no such case is in the sample"),
        };
        let tolerated = accepted == Accepted::RightOrUnknown && verdict["verdict"] == "unknown";
        if !right && !tolerated {
            faults.push(format!("{name}: {property} should be {expected:?}, is {verdict}"));
        }
    }
    faults
}

#[test]
fn cvc5_is_never_wrong() {
    require_cvc5();
    let faults: Vec<String> =
        SAMPLE.iter().flat_map(|name| faults(name, Accepted::RightOrUnknown)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn cvc5_gives_the_verdicts() {
    require_cvc5();
    let faults: Vec<String> =
        SAMPLE.iter().flat_map(|name| faults(name, Accepted::Right)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A counterexample that is no fraction cannot be shown: that property stays
/// unknown, and the others are decided all the same.
#[test]
fn irrational_values() {
    let program = "node main(x: real) returns (ok: bool);\nlet\n  ok = x * x <> 2.0;\n  \
                   --%PROPERTY ok;\n  --%PROPERTY \"easy\" x = x;\n  \
                   --%PROPERTY \"wrong\" x < 3.0;\ntel\n";
    let run = Scratch::new().check(program, &["--timeout", "5"]).expect(40);
    let mut verdicts = run.verdicts();
    verdicts.sort();
    let expected = [("easy", "valid"), ("ok", "unknown"), ("wrong", "falsifiable")];
    assert_eq!(verdicts, expected.map(|(name, word)| (name.to_string(), word.to_string())));
    assert!(!run.stdout.contains("nonsense"), "{}", run.stdout);
}

/// A proof under an assertion that only a root satisfies is right, but not
/// about any execution that could be found; a counterexample is an execution.
#[test]
fn assertions_that_need_roots() {
    let warned = |program: &str, property: &str| {
        let run = Scratch::new().check(program, &["--timeout", "2"]);
        let verdicts = run.events("verdict");
        let verdict = verdicts.iter().find(|v| v["property"] == property).unwrap().clone();
        let about = |w: &serde_json::Value| w.as_str().unwrap().contains("with exact values");
        let warnings = verdict["warnings"].as_array().unwrap();
        (verdict["verdict"].as_str().unwrap().to_string(), warnings.iter().any(about))
    };
    let program = "node main(x: real) returns (ok: bool);\nlet\n  assert x * x = 2.0;\n  \
                   ok = x < 2.0;\n  --%PROPERTY ok;\n  --%PROPERTY \"first\" false -> true;\ntel\n";
    assert_eq!(warned(program, "ok"), ("valid".into(), true));
    assert_eq!(warned(program, "first"), ("unknown".into(), false));
    let fraction = program.replace("= 2.0", "= 2.25");
    assert_eq!(warned(&fraction, "ok"), ("valid".into(), false));
    assert_eq!(warned(&fraction, "first"), ("falsifiable".into(), false));
}

/// One property that holds, one that fails at step 3, one that fails at once.
const PROGRAM: &str = "\
node main(x: bool) returns (good, bad: bool);
var n: int;
let
  n = 0 -> pre n + 1;
  good = n >= 0;
  bad = n < 3;
  --%PROPERTY good;
  --%PROPERTY bad;
  --%PROPERTY \"input\" x;
tel
";

const TIMEOUT: f64 = 2.0;

/// Runs the program with a solver made of these lines of shell; sees to it
/// that the time is kept and no verdict is wrong. Gives what is left behind,
/// which is then ended.
#[track_caller]
fn play(body: &str) -> (Run, Vec<String>) {
    let scratch = Scratch::new();
    scratch.write("p.lus", PROGRAM);
    scratch.script("solver", body);
    let timeout = TIMEOUT.to_string();
    let args = ["check", "--json", "--solver", "./solver", "--timeout", &timeout, "p.lus"];
    let mut command = scratch.command(&[&args[..], &BY_SOLVER].concat());
    command.env(MARKER, scratch.path());
    let run = common::run(command, common::LIMIT);
    let left = left_behind(scratch.path().to_str().unwrap());
    assert!(run.time < Duration::from_secs_f64(TIMEOUT) + GRACE, "{:?}", run.time);
    for (property, verdict) in run.verdicts() {
        let wrong = if property == "good" { "falsifiable" } else { "valid" };
        assert_ne!(verdict, wrong, "{property}: {}", run.stdout);
    }
    assert_eq!(run.verdicts().len(), 3);
    (run, left)
}

/// The same, and nothing may be left behind.
#[track_caller]
fn misbehave(body: &str) -> Run {
    let (run, left) = play(body);
    assert!(left.is_empty(), "left behind: {left:?}");
    run
}

/// All that a call starts has this in its environment, whatever it becomes.
const MARKER: &str = "LUSTRAL_TEST_MARKER";

/// The processes of a call that are still there after a moment; ends them.
fn left_behind(mark: &str) -> Vec<String> {
    let started = Instant::now();
    loop {
        let left = processes(mark);
        if left.is_empty() || started.elapsed() > Duration::from_secs(3) {
            for (id, _) in &left {
                let _ = kill_process(Pid::from_raw(*id).unwrap(), Signal::KILL);
            }
            return left.into_iter().map(|(_, line)| line).collect();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The processes of a call, by their command lines. Those that have ended and
/// wait for a parent have no environment any more.
fn processes(mark: &str) -> Vec<(i32, String)> {
    let mark = format!("{MARKER}={mark}");
    let line = |entry: fs::DirEntry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        let read = |name: &str| fs::read(entry.path().join(name)).ok();
        let environment = read("environ")?;
        let marked = environment.split(|byte| *byte == 0).any(|v| v == mark.as_bytes());
        let line = String::from_utf8_lossy(&read("cmdline")?).replace('\0', " ");
        marked.then_some((id, line))
    };
    fs::read_dir("/proc").unwrap().flatten().filter_map(line).collect()
}

#[track_caller]
fn assert_all_unknown(run: Run) -> Run {
    let run = run.expect(30);
    assert!(run.verdicts().iter().all(|(_, verdict)| verdict == "unknown"), "{}", run.stdout);
    run
}

/// Answers every query with this, every question for values with that.
fn answers(query: &str, values: &str) -> String {
    format!(
        "while read -r line; do\n  case $line in\n    *check-sat*) {query};;\n    \
         *get-value*) name=${{line#*\"(get-value (\"}}; name=${{name%??}}; {values};;\n    \
         *get-*) echo '()';;\n  esac\ndone"
    )
}

#[test]
fn nonsense() {
    assert_all_unknown(misbehave(&answers("echo 'it depends'", "echo '(a (b))'")));
    assert_all_unknown(misbehave(&answers("echo '(sat)'", ":")));
    assert_all_unknown(misbehave("while read -r line; do echo '((('; done"));
    assert_all_unknown(misbehave("while read -r line; do echo ')'; done"));
    assert_all_unknown(misbehave("while read -r line; do printf '\\000\\377\\n'; done"));
    assert_all_unknown(misbehave(&answers("echo '(error \"no\")'", ":")));
}

#[test]
fn death() {
    assert_all_unknown(misbehave("exit 0"));
    assert_all_unknown(misbehave("exit 3"));
    assert_all_unknown(misbehave("kill -SEGV $$"));
    assert_all_unknown(misbehave(&answers("exit 0", ":")));
    assert_all_unknown(misbehave(&answers("echo sat", "exit 0")));
}

/// Solvers that never answer; the last does not end when it is asked to.
fn silent() -> [String; 3] {
    let stubborn = "trap '' TERM INT HUP\nwhile :; do sleep 1; done";
    ["exec sleep 60".into(), answers("sleep 60", ":"), stubborn.into()]
}

#[test]
fn silence() {
    for body in silent() {
        assert_all_unknown(play(&body).0);
    }
}

/// Simulation goes on without a solver until the time is up; but that is not why there is
/// no answer.
#[test]
fn a_solver_that_does_not_work_is_the_reason() {
    let scratch = Scratch::new();
    scratch.write("a.lus", "node main(x: bool) returns (n: int);\nlet\n  n = 0 -> if x then pre n + 1 else pre n;\n  check n >= 0;\ntel\n");
    let args = ["check", "--json", "--timeout", "2", "--solver", "false"];
    let run =
        scratch.lustral(&[&args[..], &["--engine", "k-induction,simulation", "a.lus"]].concat());
    let verdict = &run.expect(30).events("verdict")[0];
    assert_eq!(verdict["reason_code"], "solver", "{verdict}");
}

#[test]
fn silent_solvers_do_not_stay_behind() {
    silent().iter().for_each(|body| drop(misbehave(body)));
}

#[test]
fn children_of_a_solver_do_not_stay_behind() {
    assert_all_unknown(misbehave("sleep 30 &\nexec sleep 60"));
    assert_all_unknown(misbehave("sleep 30 &\nexit 0"));
    assert_all_unknown(misbehave(&format!("sleep 30 &\n{}", answers("echo unknown", ":"))));
}

#[test]
fn endless_answers() {
    assert_all_unknown(misbehave("exec yes '('"));
    assert_all_unknown(misbehave("exec yes 'sat'"));
    assert_all_unknown(misbehave("exec yes ''"));
    assert_all_unknown(misbehave("exec tr '\\000' a </dev/zero"));
}

#[test]
fn doubt() {
    let run = assert_all_unknown(misbehave(&answers("echo unknown", "echo '((x 0))'")));
    let reason = run.events("verdict")[0]["reason"].as_str().unwrap().to_string();
    assert!(reason.contains("the solver gave no answer"), "{reason}");
}

#[test]
fn sat_with_a_wrong_model() {
    for values in [
        "echo \"(($name 0))\"",
        "echo \"(($name true))\"",
        "echo \"(($name false))\"",
        "echo \"(($name (- 5)))\"",
        "echo \"(($name (/ 1 0)))\"",
        "echo '((another true))'",
        "case $name in t*) echo \"(($name false))\";; *) echo \"(($name 7))\";; esac",
        "echo '(error \"no model\")'",
        ":",
    ] {
        let run = misbehave(&answers("echo sat", values));
        assert!([30, 1, 40].contains(&run.code), "{values}: {}", run.stdout);
    }
}

#[test]
fn unsat_to_everything() {
    let run = misbehave(&answers("echo unsat", ":")).expect(1);
    assert!(run.events("note").iter().any(|note| {
        let message = note["message"].as_str().unwrap();
        message.contains("internal error") && message.contains("did not pass its check")
    }));
}

/// That nothing can happen is checked before it is said, by `invariants` too.
#[test]
fn that_there_is_no_execution_is_not_taken_on_trust() {
    let scratch = Scratch::new();
    let text = "node main(x: int) returns (n: int);\nlet\n  n = 0 -> pre n + 1;\n  \
                assert x > n;\ntel\n";
    scratch.write("p.lus", text);
    let liar = scratch.script("liar", &answers("echo unsat", ":"));
    let liar = liar.to_str().unwrap();
    for more in [&[][..], &["--modular"]] {
        let args = [&["invariants", "--timeout", "20", "--solver", liar], more, &["p.lus"]];
        let run = scratch.lustral(&args.concat());
        let said = run.stdout + &run.stderr;
        assert!(!said.contains("execution"), "{said}");
    }
}

/// A solver that is slow at first: properties are put aside, tried again one
/// by one, and come back, and no answer is different for that. The assertion
/// ends all executions after the step at which `bad` fails.
#[test]
fn a_slow_start() {
    require_cvc5();
    for slow in [2, 4, 6] {
        let scratch = Scratch::new();
        let program = PROGRAM.replace("  good =", "  assert n <= 3;\n  good =");
        scratch.write("p.lus", program);
        scratch.write("count", "0");
        let delay = format!(
            "while IFS= read -r line; do\n  case $line in *assuming*)\n    read -r n <count\n    \
             [ \"$n\" -lt {slow} ] && sleep 1\n    echo $((n + 1)) >count;;\n  esac\n  \
             printf '%s\\n' \"$line\"\ndone | cvc5 --incremental --produce-models --lang=smt2"
        );
        scratch.script("solver", &delay);
        let args = ["check", "--json", "--solver", "./solver", "--engine", "bmc", "p.lus"];
        let run = scratch.lustral(&args).expect(40);
        let verdicts = run.events("verdict");
        let of = |name: &str| verdicts.iter().find(|v| v["property"] == name).unwrap();
        assert_eq!(of("good")["verdict"], "valid", "{slow}: {}", run.stdout);
        assert_eq!(of("bad")["step"], 3, "{slow}: {}", run.stdout);
        assert_eq!(of("input")["step"], 0, "{slow}: {}", run.stdout);
    }
}

/// What a solver says at random is checked like all else.
#[test]
fn sat_and_unsat_in_turn() {
    let turn = "if [ \"$odd\" ]; then odd=; echo sat; else odd=1; echo unsat; fi";
    misbehave(&answers(turn, "echo \"(($name false))\""));
    misbehave(&answers(turn, "echo \"(($name 1))\""));
}
