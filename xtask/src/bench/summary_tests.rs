//! Tests of the summary.

use super::super::answer::Answer;
use super::super::judge::Measure;
use super::super::table::{Expected, Program};
use super::*;

fn program(name: &str, expected: Option<Expected>) -> Program {
    Program { name: name.into(), path: name.into(), expected }
}

fn judged(verdict: Option<Verdict>, wall: f64, expected: Option<Expected>) -> Judged {
    let failure = verdict.is_none().then(|| "overrun".to_string());
    let measure = Measure {
        answer: verdict.map(Answer::bare),
        failure,
        wall,
        peak: 10.0 * wall,
        shares: Vec::new(),
    };
    Judged::new(measure, expected)
}

fn programs() -> [Program; 5] {
    [
        program("a/1.lus", Some(Expected::Valid)),
        program("a/2.lus", Some(Expected::Falsifiable(None))),
        program("b/3.lus", Some(Expected::Valid)),
        program("b/4.lus", Some(Expected::Open)),
        program("b/5.lus", Some(Expected::Falsifiable(None))),
    ]
}

/// Ok, ok, undecided, error, wrong.
fn rows(programs: &[Program; 5]) -> Vec<Row<'_>> {
    let verdicts = [
        (Some(Verdict::Valid), 1.0),
        (Some(Verdict::Falsifiable), 3.0),
        (Some(Verdict::Unknown), 10.0),
        (None, 12.0),
        (Some(Verdict::Valid), 4.0),
    ];
    let rows = programs.iter().zip(verdicts).enumerate();
    rows.map(|(index, (program, (verdict, wall)))| {
        let ours = judged(verdict, wall, program.expected);
        Row { index, program, ours, other: None }
    })
    .collect()
}

#[test]
fn the_numbers() {
    let programs = programs();
    let rows = rows(&programs);
    let expected = Digest {
        files: 5,
        valid: 1,
        falsifiable: 1,
        wrong: 1,
        undecided: 1,
        errors: 1,
        par2: (1.0 + 3.0 + 3.0 * 20.0) / 5.0,
        median_wall: 4.0,
        mean_wall: 6.0,
        median_peak: 40.0,
        high_peak: 120.0,
        max_peak: 120.0,
        total_wall: 30.0,
    };
    assert_eq!(Digest::of(rows.iter().map(|row| &row.ours), 10.0), expected);
}

#[test]
fn the_text_names_what_needs_a_look() {
    let programs = programs();
    let text = summary(&rows(&programs), 10.0);
    assert!(text.contains("WRONG:\n    b/5.lus: valid where falsifiable is expected"), "{text}");
    assert!(text.contains("errors:\n    b/4.lus: overrun"), "{text}");
    assert!(!text.contains("the other tool"), "{text}");
    let folders: Vec<&str> =
        text.lines().filter(|line| line.starts_with("a ") || line.starts_with("b ")).collect();
    assert_eq!(folders.len(), 2, "{text}");
}

#[test]
fn nothing_done_is_no_panic() {
    assert!(summary(&[], 10.0).contains("files 0"));
}

#[test]
fn two_tools_side_by_side() {
    let programs = programs();
    let mut rows = rows(&programs);
    for (row, verdict) in rows.iter_mut().zip([
        Some(Verdict::Valid),
        Some(Verdict::Unknown),
        Some(Verdict::Valid),
        Some(Verdict::Valid),
        None,
    ]) {
        row.other = Some(judged(verdict, 2.0, row.program.expected));
    }
    let text = summary(&rows, 10.0);
    assert!(text.contains("ratio on 1 files solved by both: median 0.500"), "{text}");
    assert!(text.contains("only by lustral 1, only by the other 2"), "{text}");
    assert!(text.contains("new:\n    b/4.lus: valid"), "{text}");
    assert_eq!(disagreements(&rows).count(), 0);
}

#[test]
fn a_disagreement_without_a_judge_is_seen() {
    let program = program("x.lus", Some(Expected::Open));
    let ours = judged(Some(Verdict::Valid), 1.0, program.expected);
    let other = Some(judged(Some(Verdict::Falsifiable), 1.0, program.expected));
    let rows = [Row { index: 0, program: &program, ours, other }];
    assert_eq!(disagreements(&rows).collect::<Vec<_>>(), ["x.lus"]);
    assert!(summary(&rows, 10.0).contains("THEY DISAGREE: x.lus"));
}
