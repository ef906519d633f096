//! Pages as readers and attackers meet them.

use super::*;
use crate::event::{DiagnosticEvent, DiagnosticSeverity, NoteSeverity};
use crate::explanation::{Explanation, Fact};
use crate::model::{Outcome, RunInfo};
use crate::note::{CountEvent, NoteEvent, RoundEvent, SectionEvent};
use lustral_render::execution::{
    Choice, Datum, Division, DivisionOperation, Execution, InstanceRows, Row, RowRole, RowType,
};
use lustral_system::Goal;

fn verdict(file: &str, node: &str, property: &str, outcome: Outcome) -> Verdict {
    Verdict {
        file: file.into(),
        node: node.into(),
        property: property.into(),
        expression: String::new(),
        goal: Goal::Always,
        item: None,
        line: 12,
        column: 3,
        outcome,
        induction: None,
        explanation: None,
        notes: Vec::new(),
        composition: None,
        run: RunInfo { engine: Some("bmc"), seconds: Some(0.25), ..RunInfo::default() },
    }
}

fn page(verdicts: &[Verdict]) -> String {
    let mut summary = Summary { seconds: Some(1.5), ..Summary::default() };
    verdicts.iter().for_each(|v| summary.count(v));
    html(&Page { verdicts, summary, ..Page::default() })
}

fn row(name: &str, role: RowRole, ty: RowType, values: Vec<Datum>) -> Row {
    Row { name: name.into(), role, ty, relevant: true, values }
}

fn failing(streams: Vec<Row>) -> Outcome {
    let steps = streams.first().map_or(0, |row| row.values.len());
    let instance = InstanceRows { path: String::new(), node: "top".into(), streams };
    let trace = Execution { steps, instances: vec![instance], choices: vec![], divisions: vec![] };
    let step = steps.saturating_sub(1);
    Outcome::Falsifiable { step, first: true, parts: vec![], cause: None, trace, blame: None }
}

fn picture(streams: Vec<Row>) -> String {
    page(&[verdict("a.lus", "top", "p", failing(streams))])
}

#[test]
fn a_record_or_an_array_is_one_row_that_unfolds() {
    let part = |name: &str, value: i64| {
        row(name, RowRole::Local, RowType::Int, vec![value.into(), (value + 1).into()])
    };
    let flows = vec![
        part("n", 0),
        part("a[0]", 1),
        part("a[1]", 2),
        part("r.x", 3),
        part("r.y", 4),
        part("m", 9),
    ];
    let page = picture(flows);
    assert_eq!(page.matches("class=\"fold\"").count(), 2);
    assert_eq!(page.matches(" part\"").count(), 4);
    assert!(page.contains("[1, 2]") && page.contains("[2, 3]"), "{page}");
    assert!(page.contains("{x: 3, y: 4}"), "{page}");
    assert_eq!(page.matches("class=\"fold\" checked").count(), 2);
    let many = (0..9).map(|i| part(&format!("a[{i}]"), i)).collect();
    assert_eq!(picture(many).matches("class=\"fold\" aria").count(), 1);
    assert_eq!(page.matches("<tbody").count(), page.matches("</tbody>").count());
}

fn valid(k: usize, exhausted: bool, invariants: &[&str]) -> Outcome {
    let invariants = invariants.iter().map(ToString::to_string).collect();
    Outcome::Valid { k, exhausted, compression: false, invariants, rests_on: None }
}

fn unknown(reason: &str, vacuous: bool, internal_error: bool) -> Outcome {
    Outcome::Unknown { reason: reason.into(), code: "solver".into(), vacuous, internal_error }
}

fn explanation(facts: &[(&str, &[usize])]) -> Option<Explanation> {
    let fact =
        |(text, needs): &(&str, &[usize])| Fact { text: text.to_string(), needs: needs.to_vec() };
    let facts = facts.iter().map(fact).collect();
    Some(Explanation { facts, minimal: true, constrained: false })
}

/// A note with every kind of section.
fn note(answer: &str, text: &str) -> NoteEvent {
    let count = |name: &str| CountEvent { name: name.into(), meaning: format!("some {name}") };
    let side = |names: [&str; 3]| names.map(count);
    let sides = Box::new([
        side(["states", "abstract", "reachable"]),
        side(["predicates", "invariant", "provable"]),
    ]);
    let round = RoundEvent { parameter: 1, sides: [[7, 5, 2], [6, 4, 1]] };
    let facts = |title: &str, ordered, groups| SectionEvent::Facts {
        name: "facts".into(),
        title: title.into(),
        ordered,
        groups,
    };
    NoteEvent {
        engine: "pdh".into(),
        title: format!("A search {text}"),
        answer: answer.into(),
        summary: format!("1-{answer}, {text}"),
        sections: vec![
            SectionEvent::Rounds { parameter: "width".into(), sides, rounds: vec![round, round] },
            facts("given by others", false, vec![vec![text.into()]]),
            facts("the proof", true, vec![vec![text.into(), "x >= 0".into()], vec!["y".into()]]),
            SectionEvent::States {
                name: "states".into(),
                title: format!("states {text}"),
                memories: vec![text.into()],
                states: vec![vec![Datum::from(text)]],
            },
        ],
    }
}

const HOSTILE: &str = "</code><script>alert('1')</script>\"&\u{202e}";

#[test]
fn hostile_texts_stay_texts() {
    let values = vec![Datum::from(HOSTILE), Datum::from(HOSTILE.repeat(9))];
    let mut outcome = failing(vec![row(HOSTILE, RowRole::Input, RowType::Enum, values)]);
    if let Outcome::Falsifiable { trace, .. } = &mut outcome {
        trace.instances[0].path = HOSTILE.into();
        trace.instances[0].node = HOSTILE.into();
        trace.choices = vec![Choice { name: HOSTILE.into(), value: Datum::from(HOSTILE) }];
        let value = || Datum::from(HOSTILE);
        trace.divisions = vec![Division {
            operation: DivisionOperation::Real,
            dividend: value(),
            value: value(),
        }];
    }
    let mut verdicts = [
        verdict(HOSTILE, HOSTILE, HOSTILE, outcome),
        verdict(HOSTILE, HOSTILE, HOSTILE, valid(1, false, &[HOSTILE])),
        verdict(HOSTILE, HOSTILE, HOSTILE, unknown(HOSTILE, false, true)),
    ];
    for v in &mut verdicts {
        v.run.warnings = vec![HOSTILE.into()];
        v.run.certificate = Some(HOSTILE.into());
    }
    verdicts[1].explanation = explanation(&[(HOSTILE, &[1]), (&HOSTILE.repeat(9), &[0, 1])]);
    verdicts[1].notes = vec![note("provable", HOSTILE)];
    verdicts[2].notes = vec![note("unprovable", HOSTILE)];
    let page = page(&verdicts);
    assert_eq!(page.matches("<script").count(), 1);
    assert!(!page.contains("alert('1')") && !page.contains('\u{202e}'));
    assert!(page.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;"));
    assert_balanced(&page);
}

#[test]
fn every_kind_of_verdict_is_shown() {
    let mut verdicts = vec![
        verdict("a.lus", "top", "p1", valid(2, false, &["x >= 0"])),
        verdict("b.lus", "top", "p2", valid(3, true, &["long"; 30])),
        verdict(
            "a.lus",
            "sub",
            "p3",
            failing(vec![row("p3", RowRole::Output, RowType::Bool, vec![Datum::from(false)])]),
        ),
        verdict("a.lus", "top", "p4", unknown("out of time", false, false)),
        verdict("a.lus", "top", "p5", unknown("contradiction", true, false)),
        verdict("a.lus", "top", "p6", unknown("check failed", false, true)),
    ];
    verdicts[0].run.certificate = Some("out/p1".into());
    verdicts[0].run.warnings = vec!["beware".into()];
    let page = page(&verdicts);
    for text in [
        "1 of 6 properties is falsifiable",
        "<b>2</b> valid",
        "<b>3</b> unknown",
        "k = 2",
        "all 3 reachable steps explored",
        "fails at step 0",
        "out of time",
        ">vacuous<",
        ">internal error<",
        "out/p1",
        "beware",
        "<li><code>x &gt;= 0</code></li>",
        "<details><summary>Proof, with the help of 30 invariants",
        "<details open><summary>Counterexample, 1 step<",
        "class=\"output culprit\"",
    ] {
        assert!(page.contains(text), "{text} is missing");
    }
    assert_eq!(page.matches("class=\"file\"").count(), 2);
    assert_eq!(page.matches("class=\"node\"").count(), 3);
    assert_balanced(&page);
}

#[test]
fn rounds_of_a_note_show_both_sides() {
    let mut verdicts = vec![verdict("a.lus", "top", "p", valid(1, false, &["y >= 0"]))];
    verdicts[0].notes = vec![note("provable", "c >= 0")];
    let page = page(&verdicts);
    for part in [
        "<summary>A search c &gt;= 0: 1-provable, c &gt;= 0</summary>",
        "7 · 5 · 2</text>",
        "6 · 4 · 1</text>",
        "<p class=\"caption\">Given by others:</p><ul class=\"proof\">\
         <li><code>c &gt;= 0</code></li></ul><p class=\"caption\">The proof:</p><ol",
        "some reachable (green)",
        "<li><code>c &gt;= 0</code><br>and <code>x &gt;= 0</code></li>",
        "<li><code>c &gt;= 0 = c &gt;= 0</code></li>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(page.matches("class=\"reached\"").count(), 4);
    assert_balanced(&page);
}

#[test]
fn a_note_without_details_is_a_sentence() {
    let mut verdicts = vec![verdict("a.lus", "top", "p", valid(1, false, &[]))];
    let mut bare = note("unsafe", "before the first round");
    bare.sections.clear();
    assert_eq!(bare.text(), "  1-unsafe, before the first round\n");
    verdicts[0].notes = vec![bare];
    let page = page(&verdicts);
    assert!(page.contains("unsafe, before the first round"));
    assert!(!page.contains("<div class=\"graph sides\">"));
    assert!(!page.contains("Each line is a round"));
    assert_balanced(&page);
}

#[test]
fn a_fact_that_needs_nothing_says_so() {
    let mut verdicts = [verdict("a.lus", "top", "p", valid(1, false, &[]))];
    verdicts[0].explanation = explanation(&[("p", &[])]);
    assert!(page(&verdicts).contains("It follows from the program alone"));
    verdicts[0].explanation.as_mut().unwrap().constrained = true;
    assert!(page(&verdicts).contains("It follows from the program with what it asserts"));
    verdicts[0].explanation = explanation(&[("p", &[0])]);
    assert!(!page(&verdicts).contains("It follows from the program"));
}

#[test]
fn an_explanation_is_a_graph() {
    let mut verdicts = [verdict("a.lus", "top", "p", valid(1, false, &["x >= 0", "y >= 0"]))];
    verdicts[0].explanation = explanation(&[("p", &[1]), ("x >= 0", &[2]), ("y >= 0", &[0, 2])]);
    let small = page(&verdicts);
    for text in [
        "<details open><summary>Explanation, 3 facts</summary>",
        "<title>x &gt;= 0</title>",
        ">y &gt;= 0</text>",
        "<g class=\"goal\"><title>p</title>",
        "<g class=\"up\">",
        "dashed arrows close circles",
        "need themselves",
    ] {
        assert!(small.contains(text), "{text} is missing");
    }
    assert_balanced(&small);
    verdicts[0].explanation = explanation(&[("p", &[1_usize][..]); 40]);
    let large = page(&verdicts);
    assert!(large.contains("<details><summary>Explanation, 40 facts"));
    assert!(!large.contains("url("));
    assert_balanced(&large);
}

#[test]
fn unchanged_values_are_merged() {
    let numbers = (0..1000).map(|n| Datum::from(70_000 + n / 500)).collect();
    let truths = (0..1000).map(|n| Datum::from(n >= 400)).collect();
    let page = picture(vec![
        row("n", RowRole::Input, RowType::Int, numbers),
        row("b", RowRole::Local, RowType::Bool, truths),
    ]);
    assert_eq!(page.matches(">70000<").count(), 1);
    assert_eq!(page.matches(">70001<").count(), 1);
    let hexagon = "l4-9h12992l4 9-4 9h-12992zm13000 0";
    assert!(page.contains(&format!("d=\"M0 0{hexagon}{hexagon}\"")));
    assert!(page.contains("d=\"M-3 8V8H10400V-8H26000h3V8\""));
    assert!(page.contains("aria-label=\"0–399: false, 400–999: true\""));
}

#[test]
fn long_traces_of_many_flows_stay_small() {
    let flow = |f: usize| {
        let values = (0..1000).map(|n| Datum::from(((n + f) / 25) as i64)).collect();
        row(&format!("flow{f}"), RowRole::Local, RowType::Int, values)
    };
    assert!(picture((0..200).map(flow).collect()).len() < 1_000_000);
}

#[test]
fn flows_that_do_not_matter_are_hidden() {
    let mut other =
        row("other", RowRole::Input, RowType::Int, vec![Datum::from(1), Datum::from(2)]);
    other.relevant = false;
    let page = picture(vec![
        row("x", RowRole::Input, RowType::Int, vec![Datum::from(1), Datum::from(1)]),
        other,
    ]);
    assert!(page.contains("<label for=\"p1-all\">Show 1 more flow that"));
    assert!(page.contains("<tr class=\"input off\">"));
    assert!(page.contains("<tr class=\"input\">"));
}

#[test]
fn long_values_are_shortened_and_given_in_full() {
    let digits = "1234567890".repeat(6);
    let values = vec![Datum::from("0.5"), Datum::from(digits.as_str()), Datum::from("0.5")];
    let page = picture(vec![row("x", RowRole::Input, RowType::Real, values)]);
    assert!(page.contains(&format!("<title>{digits}</title>12345")));
    assert!(page.contains(&format!("<li><code>x</code> at 1: <code>{digits}</code></li>")));
    assert!(page.contains("1 long value in full"));
}

#[test]
fn files_without_verdicts_are_on_the_page() {
    let wrong = DiagnosticEvent {
        file: "a<b.lus".into(),
        line: 3,
        column: 9,
        severity: DiagnosticSeverity::Error,
        code: "syntax".into(),
        message: "expected `;`".into(),
        notes: Vec::new(),
        help: None,
    };
    let unreadable = Event::note("gone.lus", NoteSeverity::Error, "cannot read gone.lus");
    let said = [Event::Diagnostic(wrong), unreadable];
    let mut summary = Summary { rejected: 2, ..Summary::default() };
    let rejected = html(&Page { said: &said, summary, ..Page::default() });
    assert!(rejected.contains("<h1>2 files were rejected</h1>"));
    assert!(rejected.contains("2 files"));
    assert!(rejected.contains("<h2><code>a&lt;b.lus</code></h2>"));
    assert!(rejected.contains("<li class=\"error\">3:9: error: expected `;`</li>"));
    assert!(rejected.contains("<li class=\"error\">error: cannot read gone.lus</li>"));
    let held = verdict("b.lus", "main", "p", valid(1, false, &[]));
    summary.count(&held);
    let page = html(&Page { verdicts: &[held], said: &said, summary, ..Page::default() });
    assert!(page.contains("<h1>2 files were rejected. The rest: The property is valid</h1>"));
    assert!(page.contains("<i class=\"rejected\" style=\"flex-grow:2\"></i><i class=\"valid\""));
}

#[test]
fn the_page_stands_alone() {
    let page = page(&[]);
    assert!(page.contains("Nothing to check"));
    assert!(page.starts_with("<!DOCTYPE html>"));
    for text in ["http:", "https:", "src=", "url(", "@import"] {
        assert!(!page.contains(text), "{text} refers to something outside");
    }
    assert_balanced(&page);
}

/// Every element that is opened is closed, in the right order.
fn assert_balanced(page: &str) {
    let mut open = Vec::new();
    let mut rest = page;
    while let Some((_, from)) = rest.split_once('<') {
        let (tag, after) = from.split_once('>').expect("a tag ends");
        let name = tag.split([' ', '\n']).next().expect("a tag has a name");
        rest = after;
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !["!DOCTYPE", "meta", "link", "input", "br"].contains(&name)
            && !tag.ends_with('/')
        {
            open.push(name);
        }
        if ["style", "script"].contains(&name) {
            let end = rest.find("</").expect("raw text ends");
            rest = &rest[end..];
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
}

#[test]
fn what_is_reached_is_good_news_and_what_is_not_is_bad() {
    let reached = Verdict { goal: Goal::Reachable, ..verdict("f", "n", "six", failing(vec![])) };
    let hollow = Verdict { goal: Goal::Occurs, ..verdict("f", "n", "c", valid(1, false, &[])) };
    let text = page(std::slice::from_ref(&reached));
    assert!(text.contains("All 1 are as wanted") && text.contains("class=\"prop valid\""));
    assert!(text.contains(">reachable<") && text.contains("Execution that reaches it"));
    let text = page(&[reached, hollow]);
    assert!(text.contains("1 of 2 are not as wanted") && text.contains(">unreachable<"));
    assert!(text.contains("class=\"prop falsifiable\""));
}
