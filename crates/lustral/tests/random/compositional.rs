//! `check --compositional` says what an explicit search of all states finds.

use std::collections::HashMap;
use std::process::Command;

use serde_json::Value;

use crate::engines::{MAX_K, Verdict};
use crate::verdicts::Tally;
use lustral_testing::encoding::accepted;
use lustral_testing::failure::Failure;
use lustral_testing::search::search;
use lustral_testing::tree::{Parentheses, Program};

/// Searches a program and compares the program `lustral` with what is found.
pub fn check(program: &Program, tally: &Tally) -> Result<usize, Failure> {
    let text = program.text(Parentheses::Needed);
    let unit = accepted(&text)?;
    Tally::count(&tally.programs);
    let Some(found) = search(&unit) else {
        Tally::count(&tally.too_large);
        return Ok(0);
    };
    let said = run(&text, &["--compositional"])?;
    let mut abstracted = 0;
    for (i, property) in unit.properties.iter().enumerate() {
        let name = &property.name;
        let wrong = |text: String| Err(Failure::new("compositional", format!("`{name}` {text}")));
        let Some(line) = about(&said, &unit.system.root().node, name) else {
            return wrong("has no verdict".into());
        };
        abstracted += line["composition"]["abstracted"].as_array().map_or(0, Vec::len);
        let verdict = verdict(line);
        tally.verdict(&verdict);
        let good = match (&verdict, found.fails[i]) {
            (Verdict::Unknown(reason), _) if reason.contains("internal error") => false,
            (Verdict::Unknown(reason), _) if found.blocks == Some(0) => reason.contains("vacuous"),
            // Nothing is said of what there is not.
            _ if found.blocks == Some(0) => false,
            (Verdict::Falsified(step), Some(least)) => *step >= least,
            (Verdict::Unknown(_), Some(least)) => least >= MAX_K,
            (Verdict::Unknown(_), None) => true,
            (Verdict::Valid, fails) => fails.is_none(),
            (Verdict::Declined, _) | (Verdict::Falsified(_), None) => false,
        };
        if !good {
            return wrong(format!("fails first at {:?}, but is {verdict:?}", found.fails[i]));
        }
    }
    Ok(abstracted)
}

/// The verdict of a line.
pub fn verdict(line: &Value) -> Verdict {
    match line["verdict"].as_str() {
        Some("valid" | "unreachable") => Verdict::Valid,
        Some("falsifiable" | "reachable") => {
            Verdict::Falsified(line["step"].as_u64().unwrap() as usize)
        }
        _ => Verdict::Unknown(line["reason"].as_str().unwrap().into()),
    }
}

/// The verdicts of a check by node and property.
pub fn run(text: &str, options: &[&str]) -> Result<HashMap<(String, String), Value>, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.lus");
    std::fs::write(&file, text).unwrap();
    let depth = MAX_K.to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_lustral"))
        .args(["check", "--json", "--timeout", "30", "--max-k", &depth])
        .args(options)
        .arg(&file)
        .output()
        .unwrap();
    if !matches!(output.status.code(), Some(0 | 30 | 40)) {
        let text = format!("{:?}: {}", output.status, String::from_utf8_lossy(&output.stderr));
        return Err(Failure::new("compositional", text));
    }
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let verdicts = lines.filter(|line| line["event"] == "verdict");
    Ok(verdicts.map(|line| ((text(&line["node"]), text(&line["property"])), line)).collect())
}

/// The verdict on a property of an instance: its own, or that on all calls of
/// the node it is in, or of one on the way to it.
pub fn about<'v>(
    said: &'v HashMap<(String, String), Value>,
    root: &str,
    name: &str,
) -> Option<&'v Value> {
    let mut node = root.to_string();
    let mut rest = name;
    loop {
        if let Some(line) = said.get(&(node, rest.to_string())) {
            return Some(line);
        }
        let (head, tail) = rest.split_once('.')?;
        node = head.split('[').next().unwrap_or(head).to_string();
        rest = tail;
    }
}
