//! What a run may say in which something went wrong.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Kind;
use crate::bench::process::{Ended, Ending};

/// What a run said.
#[derive(Default, Debug)]
pub struct Said {
    /// The verdicts, by node and property.
    verdicts: BTreeMap<String, Vec<String>>,
    /// The counts at the end: valid, falsifiable, reachable, unreachable, unknown.
    summary: Option<[u64; 5]>,
}

/// The words of verdicts, in the order of the counts.
const WORDS: [&str; 5] = ["valid", "falsifiable", "reachable", "unreachable", "unknown"];

impl Said {
    /// Reads JSON Lines; a line that was cut off is none.
    pub fn read(text: &str) -> Said {
        let mut said = Said::default();
        for event in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let word = |name: &str| event[name].as_str().unwrap_or_default().to_string();
            match word("event").as_str() {
                "verdict" => {
                    let key = format!("{}.{}:{}", word("node"), word("property"), event["line"]);
                    said.verdicts.entry(key).or_default().push(word("verdict"));
                }
                "summary" => said.summary = Some(WORDS.map(|w| event[w].as_u64().unwrap_or(0))),
                _ => {}
            }
        }
        said
    }

    /// Whether it has no verdict.
    pub fn is_empty(&self) -> bool {
        self.verdicts.is_empty()
    }

    fn counted(&self) -> [u64; 5] {
        let all = || self.verdicts.values().flatten();
        WORDS.map(|word| all().filter(|said| *said == word).count() as u64)
    }
}

/// What is wrong with a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Complaint {
    /// It says the opposite of what is known.
    Contradiction,
    /// A property has no verdict, though the run came to its end.
    Lost,
    /// A property has two.
    Twice,
    /// The counts at the end are not those of the verdicts.
    Count,
    /// The exit code is not that of the verdicts.
    Code,
    /// It did not keep its time limit.
    Late,
    /// It was ended by a signal that nobody sent.
    Crash,
}

/// The exit code of valid, of falsifiable, of unknown, and of what could not be done.
const VALID: i32 = 0;
const FALSIFIABLE: i32 = 40;
const UNKNOWN: i32 = 30;
const FAILURE: i32 = 1;
const REJECTED: i32 = 3;

/// The signal with which a program ends that gets no memory.
const ABORT: i32 = 6;

/// How a run ended in which something went wrong, or what is wrong with it.
pub fn judge(kind: Kind, known: &Said, ended: &Ended) -> Result<&'static str, Complaint> {
    let said = Said::read(&ended.stdout);
    for (property, words) in &said.verdicts {
        if words.len() > 1 {
            return Err(Complaint::Twice);
        }
        let before = known.verdicts.get(property).and_then(|words| words.first());
        let decided = |word: &&String| *word != "unknown";
        match (before.filter(decided), words.first().filter(decided)) {
            (Some(before), Some(now)) if before != now => return Err(Complaint::Contradiction),
            _ => {}
        }
    }
    let code = match ended.ending {
        Ending::Exit(code) => code,
        // Rust ends a program that gets no memory so: what it said before stands, and the code is not 0.
        Ending::Signal(ABORT) if kind == Kind::Memory => return Ok("ended without memory"),
        Ending::Signal(_) => return Err(Complaint::Crash),
        Ending::Overrun | Ending::Interrupted => return Err(Complaint::Late),
    };
    if kind == Kind::Output || (kind == Kind::Memory && said.summary.is_none()) {
        // Nothing can be said; that must not look like an answer.
        let silent =
            known.verdicts.is_empty() || code == FAILURE || code == 127 || code == REJECTED;
        return if silent { Ok("nothing said, and an error") } else { Err(Complaint::Code) };
    }
    let is_lost = known.verdicts.keys().any(|property| !said.verdicts.contains_key(property));
    // Where a stage before the engines fails, nobody knows what there is to check: that is an error and said so.
    if is_lost && code != FAILURE {
        return Err(Complaint::Lost);
    }
    if said.summary != Some(said.counted()) {
        return Err(Complaint::Count);
    }
    let [_, falsifiable, _, unreachable, unknown] = said.counted();
    let expected = match (falsifiable + unreachable, unknown) {
        (0, 0) => VALID,
        (0, _) => UNKNOWN,
        _ => FALSIFIABLE,
    };
    // Errors and rejected programs come first in the order of exit codes.
    match code {
        _ if code == expected => {}
        FAILURE if is_lost => return Ok("an error, and not all verdicts"),
        FAILURE => return Ok("an error, and all verdicts"),
        REJECTED if known.verdicts.is_empty() => {}
        _ => return Err(Complaint::Code),
    }
    let same = said.verdicts == known.verdicts;
    Ok(if same { "the same verdicts" } else { "fewer verdicts, the others unknown" })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn text(verdicts: &[(&str, &str)], unknown: u64, valid: u64, falsifiable: u64) -> String {
        let line = |(property, word): &(&str, &str)| {
            format!(
                r#"{{"event":"verdict","node":"n","property":"{property}","line":1,"verdict":"{word}"}}"#
            )
        };
        let mut lines: Vec<String> = verdicts.iter().map(line).collect();
        lines.push(format!(
            r#"{{"event":"summary","valid":{valid},"falsifiable":{falsifiable},"unknown":{unknown}}}"#
        ));
        lines.join("\n")
    }

    fn ended(code: i32, stdout: String) -> Ended {
        let (wall, stderr) = (Duration::ZERO, String::new());
        Ended { ending: Ending::Exit(code), wall, peak: 0, stdout, stderr }
    }

    #[test]
    fn what_is_lost_or_wrong_is_seen() {
        let known = Said::read(&text(&[("p", "valid"), ("q", "falsifiable")], 0, 1, 1));
        let judged = |code, stdout| judge(Kind::Panic, &known, &ended(code, stdout));
        let both = [("p", "valid"), ("q", "falsifiable")];
        assert_eq!(judged(40, text(&both, 0, 1, 1)), Ok("the same verdicts"));
        let less = [("p", "unknown"), ("q", "falsifiable")];
        assert_eq!(judged(40, text(&less, 1, 0, 1)), Ok("fewer verdicts, the others unknown"));
        assert_eq!(judged(1, text(&less, 1, 0, 1)), Ok("an error, and all verdicts"));
        assert_eq!(judged(1, text(&both[1..], 0, 0, 1)), Ok("an error, and not all verdicts"));
        assert_eq!(judged(0, text(&both, 0, 1, 1)), Err(Complaint::Code));
        assert_eq!(judged(40, text(&both, 0, 2, 0)), Err(Complaint::Count));
        assert_eq!(judged(40, text(&both[1..], 0, 0, 1)), Err(Complaint::Lost));
        let opposite = [("p", "falsifiable"), ("q", "falsifiable")];
        assert_eq!(judged(40, text(&opposite, 0, 0, 2)), Err(Complaint::Contradiction));
        let twice = [("p", "valid"), ("p", "valid"), ("q", "falsifiable")];
        assert_eq!(judged(40, text(&twice, 0, 2, 1)), Err(Complaint::Twice));
        let output = judge(Kind::Output, &known, &ended(40, String::new()));
        assert_eq!(output, Err(Complaint::Code), "nobody saw what was found");
    }
}
