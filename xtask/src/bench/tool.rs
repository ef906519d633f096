//! The tools that are run: how they are called, how their output is read.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::answer::{Answer, Verdict, beginning};
use super::judge::Measure;
use super::process::{Ended, Ending};

/// A tool, and all its arguments but the file.
#[derive(Clone, Debug)]
pub enum Tool {
    /// Lustral itself.
    Lustral {
        /// The binary.
        binary: PathBuf,
        /// Its arguments before the file.
        arguments: Vec<String>,
    },
    /// Some other tool.
    Other {
        /// Program and arguments, with `{file}` and `{timeout}` to be replaced.
        words: Vec<String>,
        /// Seconds.
        timeout: f64,
        /// Output that means valid.
        valid: String,
        /// Output that means falsifiable; looked for first, since `invalid`
        /// contains `valid`.
        falsifiable: String,
    },
}

impl Tool {
    /// Lustral, with further arguments.
    pub fn lustral(binary: PathBuf, timeout: f64, further: Vec<String>) -> Tool {
        let mut arguments =
            vec!["check".into(), "--json".into(), "--timeout".into(), timeout.to_string()];
        arguments.extend(further);
        Tool::Lustral { binary, arguments }
    }

    /// The call for a file.
    pub fn command(&self, file: &Path) -> Command {
        match self {
            Tool::Lustral { binary, arguments } => {
                let mut command = Command::new(binary);
                command.args(arguments).arg(file);
                command
            }
            Tool::Other { words, timeout, .. } => {
                let file = file.to_string_lossy();
                let mut words = words.iter().map(|word| {
                    word.replace("{file}", &file).replace("{timeout}", &timeout.to_string())
                });
                let mut command = Command::new(words.next().unwrap_or_default());
                command.args(words);
                command
            }
        }
    }

    /// What a run says. `None` if it was interrupted.
    pub fn read(&self, ended: &Ended) -> Option<Measure> {
        let (answer, failure) = match ended.ending {
            Ending::Interrupted => return None,
            Ending::Exit(code) => match self.answer(ended, code) {
                Ok(answer) => (Some(answer), None),
                Err(failure) => (self.cut_answer(ended), Some(failure)),
            },
            Ending::Overrun => (self.cut_answer(ended), Some("overrun".into())),
            Ending::Signal(signal) => {
                let failure = with_complaint(format!("signal {signal}"), ended);
                (self.cut_answer(ended), Some(failure))
            }
        };
        let (wall, peak) = (ended.wall.as_secs_f64(), ended.peak as f64 / 1e6);
        let shares = shares(&ended.stdout);
        Some(Measure { answer, failure, wall, peak, shares })
    }

    /// The answer of a run that ended by itself.
    fn answer(&self, ended: &Ended, code: i32) -> Result<Answer, String> {
        match self {
            Tool::Lustral { .. } if matches!(code, 0 | 30 | 40) => {
                let answer = Answer::from_json_lines(&ended.stdout)?;
                if answer.verdict.exit_code() == code {
                    return Ok(answer);
                }
                Err(format!("exit code {code}, yet the verdict is {}", answer.verdict.word()))
            }
            Tool::Lustral { .. } => Err(with_complaint(format!("exit code {code}"), ended)),
            Tool::Other { valid, falsifiable, .. } => {
                let says = |text: &str| ended.stdout.contains(text);
                if says(falsifiable) {
                    Ok(Answer::bare(Verdict::Falsifiable))
                } else if says(valid) {
                    Ok(Answer::bare(Verdict::Valid))
                } else if code == 0 || ended.stderr.trim().is_empty() {
                    // Many tools have an exit code of their own for "unknown".
                    Ok(Answer::bare(Verdict::Unknown))
                } else {
                    Err(with_complaint(format!("exit code {code}"), ended))
                }
            }
        }
    }

    fn cut_answer(&self, ended: &Ended) -> Option<Answer> {
        match self {
            Tool::Lustral { .. } => Answer::from_cut_json_lines(&ended.stdout),
            Tool::Other { .. } => None,
        }
    }
}

/// The seconds of each stage and engine, from the profile among JSON lines.
fn shares(text: &str) -> Vec<(String, f64)> {
    let events = text.lines().filter(|line| line.contains("\"profile\""));
    let event = events.filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let Some(profile) = event.into_iter().find(|event| event["event"] == "profile") else {
        return Vec::new();
    };
    let list = profile["shares"].as_array().into_iter().flatten();
    list.filter_map(|share| {
        let (who, what) = (share["who"].as_str()?, share["what"].as_str()?);
        // Stages are parts of a whole, and of engines all that they did.
        let name = match who {
            "stages" => format!("stage {what}"),
            who if what == "all" => who.to_string(),
            _ => return None,
        };
        Some((name, share["seconds"].as_f64()?))
    })
    .collect()
}

/// Adds the first thing the tool complained of: on standard error, or in the
/// diagnostics among its JSON lines.
fn with_complaint(failure: String, ended: &Ended) -> String {
    let diagnostic = || {
        let events = ended.stdout.lines().filter_map(|line| serde_json::from_str(line).ok());
        events.into_iter().find_map(|event: serde_json::Value| {
            let complaint = event["event"] == "diagnostic" && event["severity"] == "error";
            complaint.then(|| event["message"].as_str().map(beginning)).flatten()
        })
    };
    let first = ended.stderr.lines().find(|line| !line.trim().is_empty()).map(beginning);
    match first.or_else(diagnostic) {
        Some(complaint) => format!("{failure}: {complaint}"),
        None => failure,
    }
}

/// Splits a command line at spaces; quotes of both kinds hold words together.
///
/// # Errors
/// If a quote is not closed.
pub fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match quote {
            Some(open) if open == character => quote = None,
            Some(_) => word.get_or_insert_default().push(character),
            None if character == '\'' || character == '"' => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            None if character.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    match quote {
        Some(open) => Err(format!("{open} is not closed in: {line}")),
        None => Ok(words),
    }
}
