//! Comparing an answer with what is expected.

use super::answer::{Answer, Verdict};
use super::table::Expected;

/// What became of one run of a tool on a program.
#[derive(Clone, Debug)]
pub struct Measure {
    /// The answer. Beside a failure, only what the failure cannot have spoilt.
    pub answer: Option<Answer>,
    /// Why the run did not end as it should.
    pub failure: Option<String>,
    /// Wall time in seconds.
    pub wall: f64,
    /// Peak memory in MB.
    pub peak: f64,
    /// Where the time went, if that was asked for: seconds by stage and engine.
    pub shares: Vec<(String, f64)>,
}

/// What an answer is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Decided, and nothing known contradicts it.
    Ok,
    /// Contradicts what is expected; how.
    Wrong(String),
    /// No verdict within the limit.
    Undecided,
    /// The run failed; how.
    Error(String),
    /// Decided what was open.
    New,
}

impl Status {
    /// Whether it counts as solved.
    pub fn solved(&self) -> bool {
        matches!(self, Status::Ok | Status::New)
    }

    /// As tables spell it.
    pub fn text(&self) -> String {
        match self {
            Status::Ok => "ok".into(),
            Status::Wrong(_) => "wrong".into(),
            Status::Undecided => "undecided".into(),
            Status::Error(how) => format!("error: {how}"),
            Status::New => "new".into(),
        }
    }
}

/// A run and its status.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The run.
    pub measure: Measure,
    /// Its status.
    pub status: Status,
}

impl Judged {
    /// Judges a run.
    pub fn new(measure: Measure, expected: Option<Expected>) -> Judged {
        let status = judge(&measure, expected);
        Judged { measure, status }
    }

    /// The verdict, if it counts as solved.
    pub fn solved(&self) -> Option<Verdict> {
        self.measure.answer.as_ref().filter(|_| self.status.solved()).map(|answer| answer.verdict)
    }

    /// The wall time, if it counts as solved.
    pub fn solved_wall(&self) -> Option<f64> {
        self.status.solved().then_some(self.measure.wall)
    }
}

/// A wrong answer stays wrong even if the run failed afterwards.
fn judge(measure: &Measure, expected: Option<Expected>) -> Status {
    if let Some(how) = measure.answer.as_ref().and_then(|a| contradiction(a, expected?)) {
        return Status::Wrong(how);
    }
    if let Some(failure) = &measure.failure {
        return Status::Error(failure.clone());
    }
    match (&measure.answer, expected) {
        (None, _) => Status::Error("no answer".into()),
        (Some(Answer { verdict: Verdict::Unknown, .. }), _) => Status::Undecided,
        (Some(_), Some(Expected::Open)) => Status::New,
        (Some(_), _) => Status::Ok,
    }
}

fn contradiction(answer: &Answer, expected: Expected) -> Option<String> {
    match (answer.verdict, expected) {
        (Verdict::Valid, Expected::Falsifiable(_)) | (Verdict::Falsifiable, Expected::Valid) => {
            Some(format!("{} where {} is expected", answer.verdict.word(), expected.word()))
        }
        (Verdict::Falsifiable, Expected::Falsifiable(Some(step))) => answer
            .depth
            // Later is right too: not all engines look for the first failure.
            .filter(|found| *found < step)
            .map(|found| format!("falsifiable at step {found} where step {step} is the first")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAILS: Option<Expected> = Some(Expected::Falsifiable(None));
    const FAILS_AT_6: Option<Expected> = Some(Expected::Falsifiable(Some(6)));
    const HOLDS: Option<Expected> = Some(Expected::Valid);
    const OPEN: Option<Expected> = Some(Expected::Open);

    fn measure(verdict: Verdict, depth: Option<u64>) -> Measure {
        let answer = Some(Answer { verdict, depth, engine: String::new() });
        Measure { answer, failure: None, wall: 1.0, peak: 1.0, shares: Vec::new() }
    }

    #[test]
    fn the_table_of_judgements() {
        let valid = measure(Verdict::Valid, Some(1));
        let at_5 = measure(Verdict::Falsifiable, Some(5));
        let at_6 = measure(Verdict::Falsifiable, Some(6));
        let somewhere = measure(Verdict::Falsifiable, None);
        let unknown = measure(Verdict::Unknown, None);
        for (measure, expected, status) in [
            (&valid, HOLDS, "ok"),
            (&valid, FAILS, "wrong"),
            (&valid, FAILS_AT_6, "wrong"),
            (&valid, OPEN, "new"),
            (&valid, None, "ok"),
            (&at_6, HOLDS, "wrong"),
            (&at_6, FAILS, "ok"),
            (&at_6, FAILS_AT_6, "ok"),
            (&at_5, FAILS_AT_6, "wrong"),
            (&somewhere, FAILS_AT_6, "ok"),
            (&at_5, OPEN, "new"),
            (&at_5, None, "ok"),
            (&unknown, HOLDS, "undecided"),
            (&unknown, FAILS_AT_6, "undecided"),
            (&unknown, OPEN, "undecided"),
            (&unknown, None, "undecided"),
        ] {
            assert_eq!(judge(measure, expected).text(), status, "{measure:?} {expected:?}");
        }
    }

    #[test]
    fn a_failure_is_an_error_unless_the_answer_was_wrong_already() {
        let failure = Some("overrun".to_string());
        let silent = Measure { answer: None, failure, wall: 12.0, peak: 1.0, shares: Vec::new() };
        assert_eq!(judge(&silent, OPEN).text(), "error: overrun");
        let refuted = Measure { answer: Some(Answer::bare(Verdict::Falsifiable)), ..silent };
        assert_eq!(judge(&refuted, FAILS_AT_6).text(), "error: overrun");
        assert_eq!(judge(&refuted, OPEN).text(), "error: overrun");
        assert_eq!(judge(&refuted, HOLDS).text(), "wrong");
    }

    #[test]
    fn only_ok_and_new_are_solved() {
        let valid = |expected| Judged::new(measure(Verdict::Valid, None), expected).solved();
        assert_eq!(valid(HOLDS), Some(Verdict::Valid));
        assert_eq!(valid(OPEN), Some(Verdict::Valid));
        assert_eq!(valid(FAILS), None);
        assert_eq!(Judged::new(measure(Verdict::Unknown, None), OPEN).solved(), None);
    }
}
