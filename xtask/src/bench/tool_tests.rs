//! Tests of calling tools and reading their runs.

use std::path::Path;
use std::time::Duration;

use super::answer::Verdict;
use super::judge::Measure;
use super::process::{Ended, Ending};
use super::tool::{Tool, words};

const REFUTED: &str = concat!(
    r#"{"event":"verdict","verdict":"falsifiable","step":3,"engine":"bmc"}"#,
    "\n",
    r#"{"event":"summary"}"#
);

fn lustral() -> Tool {
    Tool::lustral("lustral".into(), 2.5, words("--engine 'h-houdini'").unwrap())
}

fn other() -> Tool {
    Tool::Other {
        words: words("tool -t {timeout} --in={file}").unwrap(),
        timeout: 10.0,
        valid: "valid".into(),
        falsifiable: "invalid".into(),
    }
}

fn read(tool: &Tool, ending: Ending, stdout: &str, stderr: &str) -> Measure {
    let (stdout, stderr) = (stdout.into(), stderr.into());
    let ended = Ended { ending, wall: Duration::from_secs(1), peak: 5_000_000, stdout, stderr };
    tool.read(&ended).unwrap()
}

fn failure(tool: &Tool, ending: Ending, stdout: &str, stderr: &str) -> String {
    read(tool, ending, stdout, stderr).failure.unwrap()
}

fn arguments(tool: &Tool) -> Vec<String> {
    let command = tool.command(Path::new("a b.lus"));
    command.get_args().map(|word| word.to_string_lossy().into_owned()).collect()
}

#[test]
fn calls() {
    let ours = ["check", "--json", "--timeout", "2.5", "--engine", "h-houdini", "a b.lus"];
    assert_eq!(arguments(&lustral()), ours);
    assert_eq!(arguments(&other()), ["-t", "10", "--in=a b.lus"]);
}

#[test]
fn command_lines_are_split() {
    assert_eq!(words(" a  'b c'd \"\" ").unwrap(), ["a", "b cd", ""]);
    assert!(words("").unwrap().is_empty());
    assert!(words("a 'b").is_err());
}

#[test]
fn an_answer_of_lustral() {
    let measure = read(&lustral(), Ending::Exit(40), REFUTED, "a warning");
    let answer = measure.answer.unwrap();
    assert_eq!((answer.verdict, answer.depth), (Verdict::Falsifiable, Some(3)));
    assert_eq!((measure.failure, measure.wall, measure.peak), (None, 1.0, 5.0));
}

#[test]
fn failures_of_lustral() {
    let tool = lustral();
    assert!(failure(&tool, Ending::Exit(0), REFUTED, "").contains("the verdict is falsifiable"));
    assert_eq!(failure(&tool, Ending::Overrun, "", "late"), "overrun");
    let panic = failure(&tool, Ending::Exit(101), "", "\nthread panicked\nat x");
    assert_eq!(panic, "exit code 101: thread panicked");
    assert_eq!(failure(&tool, Ending::Signal(11), "", ""), "signal 11");
    let diagnostic = r#"{"event":"diagnostic","severity":"error","message":"no such node"}"#;
    assert_eq!(failure(&tool, Ending::Exit(3), diagnostic, ""), "exit code 3: no such node");
    // What was refuted before the crash is kept, to be compared.
    let kept = read(&tool, Ending::Signal(11), REFUTED, "").answer.unwrap();
    assert_eq!((kept.verdict, kept.depth), (Verdict::Falsifiable, None));
}

#[test]
fn answers_of_another_tool() {
    let verdict = |code, text, complaint| {
        let measure = read(&other(), Ending::Exit(code), text, complaint);
        measure.answer.map(|answer| answer.verdict).ok_or(measure.failure.unwrap_or_default())
    };
    assert_eq!(verdict(20, "p is valid", ""), Ok(Verdict::Valid));
    assert_eq!(verdict(10, "p is invalid", ""), Ok(Verdict::Falsifiable));
    assert_eq!(verdict(30, "gave up", ""), Ok(Verdict::Unknown));
    assert_eq!(verdict(2, "", "bad option"), Err("exit code 2: bad option".into()));
}
