//! What a tool answers about a file, read from its output.

use serde_json::Value;

/// The verdict on all properties of a file together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All hold.
    Valid,
    /// One fails.
    Falsifiable,
    /// None fails, but not all are decided.
    Unknown,
}

impl Verdict {
    /// As lustral spells it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Valid => "valid",
            Verdict::Falsifiable => "falsifiable",
            Verdict::Unknown => "unknown",
        }
    }

    /// The exit code that lustral gives with it.
    pub fn exit_code(self) -> i32 {
        match self {
            Verdict::Valid => 0,
            Verdict::Falsifiable => 40,
            Verdict::Unknown => 30,
        }
    }

    fn parse(word: &str) -> Option<Verdict> {
        [Verdict::Valid, Verdict::Falsifiable, Verdict::Unknown]
            .into_iter()
            .find(|verdict| verdict.word() == word)
    }
}

/// A verdict, and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The step of a counterexample, or the k of a proof.
    pub depth: Option<u64>,
    /// The engine, where the tool names one.
    pub engine: String,
}

impl Answer {
    /// A verdict without any detail.
    pub fn bare(verdict: Verdict) -> Answer {
        Answer { verdict, depth: None, engine: String::new() }
    }

    /// Reads the JSON Lines of a run of lustral that came to its end.
    ///
    /// # Errors
    /// If they break the schema.
    pub fn from_json_lines(text: &str) -> Result<Answer, String> {
        let mut answers = Vec::new();
        let mut complete = false;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let event: Value =
                serde_json::from_str(line).map_err(|_| format!("no JSON: {}", beginning(line)))?;
            match event["event"].as_str() {
                Some("verdict") => answers.push(one_property(&event)?),
                Some("summary") => complete = true,
                Some(_) => {}
                None => return Err(format!("no event: {}", beginning(line))),
            }
        }
        if !complete {
            return Err("the summary is missing".into());
        }
        all_properties(answers).ok_or_else(|| "no verdict".into())
    }

    /// Reads what a run has left that did not come to its end: a property that
    /// was refuted stays refuted, the rest says nothing about the file.
    pub fn from_cut_json_lines(text: &str) -> Option<Answer> {
        let refuted = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .any(|event| event["event"] == "verdict" && event["verdict"] == "falsifiable");
        refuted.then(|| Answer::bare(Verdict::Falsifiable))
    }
}

fn one_property(event: &Value) -> Result<Answer, String> {
    let word = event["verdict"].as_str().unwrap_or_default();
    let verdict = Verdict::parse(word).ok_or_else(|| format!("`{word}` is no verdict"))?;
    let depth = match verdict {
        Verdict::Valid => event["k"].as_u64(),
        Verdict::Falsifiable => {
            Some(event["step"].as_u64().ok_or("a falsifiable property without its step")?)
        }
        Verdict::Unknown => None,
    };
    let engine = event["engine"].as_str().unwrap_or_default().to_string();
    Ok(Answer { verdict, depth, engine })
}

/// Falsifiable with the earliest step if one is; unknown if one is; else valid,
/// with the largest k.
fn all_properties(answers: Vec<Answer>) -> Option<Answer> {
    let of = |verdict| answers.iter().filter(move |answer| answer.verdict == verdict);
    if let Some(earliest) = of(Verdict::Falsifiable).min_by_key(|answer| answer.depth) {
        return Some(earliest.clone());
    }
    if of(Verdict::Unknown).next().is_some() {
        return Some(Answer::bare(Verdict::Unknown));
    }
    let depth = answers.iter().map(|answer| answer.depth).max()?;
    let mut engines: Vec<&str> = answers.iter().map(|answer| answer.engine.as_str()).collect();
    engines.sort_unstable();
    engines.dedup();
    Some(Answer { verdict: Verdict::Valid, depth, engine: engines.join(",") })
}

/// The beginning of a line, for a message.
pub fn beginning(line: &str) -> String {
    const LONGEST: usize = 160;
    let line = line.trim();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUMMARY: &str = r#"{"event":"summary"}"#;

    fn line(verdict: &str, detail: &str) -> String {
        format!(r#"{{"event":"verdict","property":"p","verdict":"{verdict}"{detail}}}"#) + "\n"
    }

    fn read(lines: &[String]) -> Result<Answer, String> {
        Answer::from_json_lines(&(lines.concat() + SUMMARY))
    }

    #[test]
    fn one_verdict() {
        let answer = read(&[line("valid", r#","k":2,"engine":"houdini","seconds":0.1"#)]).unwrap();
        let expected = Answer { verdict: Verdict::Valid, depth: Some(2), engine: "houdini".into() };
        assert_eq!(answer, expected);
    }

    #[test]
    fn several_verdicts_make_one() {
        let valid = line("valid", r#","k":1,"engine":"ic3""#);
        let later = line("valid", r#","k":3,"engine":"bmc""#);
        let unknown = line("unknown", r#","reason":"time""#);
        let early = line("falsifiable", r#","step":4,"engine":"bmc""#);
        let late = line("falsifiable", r#","step":7,"engine":"ic3""#);

        let all_valid = read(&[valid.clone(), later]).unwrap();
        assert_eq!((all_valid.depth, all_valid.engine.as_str()), (Some(3), "bmc,ic3"));
        assert_eq!(read(&[valid.clone(), unknown.clone()]).unwrap().verdict, Verdict::Unknown);
        let refuted = read(&[late, unknown, early, valid]).unwrap();
        assert_eq!(refuted.verdict, Verdict::Falsifiable);
        assert_eq!((refuted.depth, refuted.engine.as_str()), (Some(4), "bmc"));
    }

    #[test]
    fn other_events_are_passed_over() {
        let note = "{\"event\":\"note\",\"message\":\"m\"}\n\n".to_string();
        assert_eq!(read(&[note, line("valid", "")]).unwrap(), Answer::bare(Verdict::Valid));
    }

    #[test]
    fn broken_output_is_no_answer() {
        assert!(read(&[]).unwrap_err().contains("no verdict"));
        assert!(read(&["hello\n".into()]).unwrap_err().contains("no JSON: hello"));
        assert!(read(&[line("falsifiable", "")]).unwrap_err().contains("step"));
        assert!(read(&[line("true", "")]).unwrap_err().contains("`true`"));
        let cut = Answer::from_json_lines(&line("valid", ""));
        assert!(cut.unwrap_err().contains("summary"));
    }

    #[test]
    fn only_a_refutation_survives_a_cut() {
        let valid = line("valid", "");
        let refuted = line("falsifiable", r#","step":1"#) + r#"{"event":"ver"#;
        assert_eq!(Answer::from_cut_json_lines(&valid), None);
        let kept = Answer::from_cut_json_lines(&(valid + &refuted));
        assert_eq!(kept, Some(Answer::bare(Verdict::Falsifiable)));
    }
}
