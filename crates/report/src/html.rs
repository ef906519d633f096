//! Verdicts as one self-contained page: its head, its groups and its style.
//!
//! The page needs nothing from elsewhere and works without its script, which
//! only adds a search field and a marker that follows the pointer.

mod duality;
pub(crate) mod escape;
mod graph;
mod lane;
mod layout;
mod property;
mod trace;

use std::fmt::Write;

use crate::model::{Outcome, Summary, Verdict};
use crate::profile::{ProfileRow, profile_html};
use escape::escape_html;

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// The page may load nothing at all, whatever a name in it says.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; \
                      script-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
                      form-action 'none'";

/// With more counterexamples than this, all of them are folded away at first.
const MOST_OPEN: usize = 6;

/// The page.
#[must_use]
pub fn html(verdicts: &[Verdict], summary: &Summary, profile: &[ProfileRow]) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{} – Lustral</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        headline(summary)
    );
    switches(&mut out);
    head(&mut out, verdicts, summary);
    groups(&mut out, verdicts);
    profile_html(&mut out, profile);
    let _ = write!(
        out,
        "<footer>Lustral {}</footer>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    );
    out
}

/// A number with its noun.
fn quantity(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The whole result in one sentence.
fn headline(summary: &Summary) -> String {
    let all = summary.valid + summary.falsifiable + summary.unknown;
    match (summary.falsifiable, summary.unknown) {
        _ if all == 0 => "Nothing to check".into(),
        (0, 0) if all == 1 => "The property is valid".into(),
        (0, 0) => format!("All {all} properties are valid"),
        (0, _) if all == 1 => "No answer for the property".into(),
        (0, unknown) => format!("No answer for {unknown} of {all} properties"),
        (_, _) if all == 1 => "The property is falsifiable".into(),
        (1, _) => format!("1 of {all} properties is falsifiable"),
        (fail, _) => format!("{fail} of {all} properties are falsifiable"),
    }
}

/// The kinds of verdicts, with the class of the style sheet for each.
const KINDS: [&str; 3] = ["falsifiable", "valid", "unknown"];

/// One switch per kind of verdict. They stand before everything that they
/// hide, so that the style sheet can do it; their labels are the counts.
fn switches(out: &mut String) {
    for kind in KINDS {
        let _ = writeln!(
            out,
            "<input type=\"checkbox\" class=\"switch\" id=\"show-{kind}\" checked \
             aria-label=\"Show {kind} properties\">"
        );
    }
}

fn head(out: &mut String, verdicts: &[Verdict], summary: &Summary) {
    let mut files: Vec<&str> = verdicts.iter().map(|v| v.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let files = quantity(files.len(), "file", "files");
    let _ = write!(
        out,
        "<header>\n<p class=\"brand\">Lustral</p>\n<h1>{}</h1>\n\
         <p class=\"took\">{files}{}</p>\n<div class=\"counts\">\n",
        headline(summary),
        summary.seconds.map(|s| format!(", {s:.2} s")).unwrap_or_default()
    );
    let counts = [summary.falsifiable, summary.valid, summary.unknown];
    for (kind, count) in KINDS.iter().zip(counts) {
        let _ = writeln!(
            out,
            "<label for=\"show-{kind}\" class=\"{kind}\" title=\"Show or hide\">\
             <b>{count}</b> {kind}</label>"
        );
    }
    out.push_str("<input type=\"search\" id=\"search\" placeholder=\"Find a property\" ");
    out.push_str("aria-label=\"Find a property\" hidden>\n</div>\n<div class=\"bar\">");
    for (kind, count) in KINDS.iter().zip(counts).filter(|(_, count)| *count > 0) {
        let _ = write!(out, "<i class=\"{kind}\" style=\"flex-grow:{count}\"></i>");
    }
    out.push_str("</div>\n</header>\n");
}

/// A verdict and its number on the page.
type Entry<'a> = (usize, &'a Verdict);

/// The entries by a key, the keys in the order of their first entries.
fn grouped<'a>(
    entries: &[Entry<'a>],
    key: fn(&'a Verdict) -> &'a str,
) -> Vec<(&'a str, Vec<Entry<'a>>)> {
    let mut places = std::collections::HashMap::new();
    let mut groups: Vec<(&str, Vec<Entry<'_>>)> = Vec::new();
    for (number, verdict) in entries {
        let name = key(verdict);
        let place = *places.entry(name).or_insert(groups.len());
        if place == groups.len() {
            groups.push((name, Vec::new()));
        }
        groups[place].1.push((*number, verdict));
    }
    groups
}

/// All properties, by file and node.
fn groups(out: &mut String, verdicts: &[Verdict]) {
    let failures = |v: &&Verdict| matches!(v.outcome, Outcome::Falsifiable { .. });
    let open = verdicts.iter().filter(failures).count() <= MOST_OPEN;
    let entries: Vec<Entry<'_>> = (1..).zip(verdicts).collect();
    out.push_str("<main>\n");
    for (file, entries) in grouped(&entries, |v| &v.file) {
        let _ =
            writeln!(out, "<section class=\"file\">\n<h2><code>{}</code></h2>", escape_html(file));
        for (node, entries) in grouped(&entries, |v| &v.node) {
            let _ = writeln!(
                out,
                "<section class=\"node\">\n<h3><span>node</span> <code>{}</code></h3>",
                escape_html(node)
            );
            for (number, verdict) in entries {
                property::property(out, number, verdict, open);
            }
            out.push_str("</section>\n");
        }
        out.push_str("</section>\n");
    }
    out.push_str("</main>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::duality::{Duality, DualityAnswer, Round};
    use crate::explanation::{Explanation, Fact};
    use crate::model::RunInfo;
    use lustral_render::execution::{
        Choice, Datum, Division, DivisionOperation, Execution, InstanceRows, Row, RowRole, RowType,
    };

    fn verdict(file: &str, node: &str, property: &str, outcome: Outcome) -> Verdict {
        Verdict {
            file: file.into(),
            node: node.into(),
            property: property.into(),
            line: 12,
            column: 3,
            outcome,
            induction: None,
            explanation: None,
            duality: None,
            composition: None,
            run: RunInfo { engine: Some("bmc"), seconds: Some(0.25), ..RunInfo::default() },
        }
    }

    fn page(verdicts: &[Verdict]) -> String {
        let mut summary = Summary { seconds: Some(1.5), ..Summary::default() };
        verdicts.iter().for_each(|v| summary.count(v));
        html(verdicts, &summary, &[])
    }

    fn row(name: &str, role: RowRole, ty: RowType, values: Vec<Datum>) -> Row {
        Row { name: name.into(), role, ty, relevant: true, values }
    }

    fn failing(streams: Vec<Row>) -> Outcome {
        let steps = streams.first().map_or(0, |row| row.values.len());
        let instance = InstanceRows { path: String::new(), node: "top".into(), streams };
        let trace =
            Execution { steps, instances: vec![instance], choices: vec![], divisions: vec![] };
        Outcome::Falsifiable { step: steps.saturating_sub(1), trace }
    }

    fn picture(streams: Vec<Row>) -> String {
        page(&[verdict("a.lus", "top", "p", failing(streams))])
    }

    fn valid(k: usize, exhausted: bool, invariants: &[&str]) -> Outcome {
        let invariants = invariants.iter().map(ToString::to_string).collect();
        Outcome::Valid { k, exhausted, compression: false, invariants }
    }

    fn unknown(reason: &str, vacuous: bool, internal_error: bool) -> Outcome {
        Outcome::Unknown { reason: reason.into(), code: "solver", vacuous, internal_error }
    }

    fn explanation(facts: &[(&str, &[usize])]) -> Option<Explanation> {
        let fact = |(text, needs): &(&str, &[usize])| Fact {
            text: text.to_string(),
            needs: needs.to_vec(),
        };
        Some(Explanation { facts: facts.iter().map(fact).collect(), minimal: true })
    }

    fn search(answer: DualityAnswer, text: &str) -> Duality {
        let round = Round {
            width: 1,
            states: 7,
            abstractly_reachable: 5,
            reachable: 2,
            predicates: 6,
            invariant: 4,
            provable: 1,
        };
        Duality {
            answer,
            width: 1,
            given: vec![text.into()],
            steps: vec![vec![text.into(), "x >= 0".into()], vec!["y >= 0".into()]],
            memories: vec![text.into()],
            states: vec![vec![Datum::from(text)]],
            rounds: vec![round, round],
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
        verdicts[1].duality = Some(search(DualityAnswer::Provable, HOSTILE));
        verdicts[2].duality = Some(search(DualityAnswer::Unprovable, HOSTILE));
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
    fn a_primal_dual_search_shows_both_sides() {
        let mut verdicts = vec![verdict("a.lus", "top", "p", valid(1, false, &["y >= 0"]))];
        verdicts[0].duality = Some(search(DualityAnswer::Provable, "c >= 0"));
        let page = page(&verdicts);
        for part in [
            "<summary>Primal-dual search: 1-provable, after 2 rounds",
            "7 · 5 · 2</text>",
            "6 · 4 · 1</text>",
            "<p class=\"caption\">Given, as preparation found it:</p><ul class=\"proof\">\
             <li><code>c &gt;= 0</code></li></ul><p class=\"caption\">The proof, in the order",
            "reachable (green)",
            "<li><code>c &gt;= 0</code><br>and <code>x &gt;= 0</code></li>",
        ] {
            assert!(page.contains(part), "{part}");
        }
        assert_eq!(page.matches("class=\"reached\"").count(), 4);
        assert_balanced(&page);
    }

    #[test]
    fn a_search_without_rounds_has_no_picture() {
        let mut verdicts = vec![verdict("a.lus", "top", "p", valid(1, false, &[]))];
        let mut none = search(DualityAnswer::Unsafe, "c >= 0");
        (none.rounds, none.steps) = (Vec::new(), Vec::new());
        assert_eq!(none.text().lines().count(), 1, "{}", none.text());
        verdicts[0].duality = Some(none);
        let page = page(&verdicts);
        assert!(page.contains("unsafe, before the first round"));
        assert!(!page.contains("<div class=\"graph duality\">"));
        assert!(!page.contains("Each line is a round"));
        assert_balanced(&page);
    }

    #[test]
    fn a_fact_that_needs_nothing_says_so() {
        let mut verdicts = [verdict("a.lus", "top", "p", valid(1, false, &[]))];
        verdicts[0].explanation = explanation(&[("p", &[])]);
        assert!(page(&verdicts).contains("It follows from the program alone"));
        verdicts[0].explanation = explanation(&[("p", &[0])]);
        assert!(!page(&verdicts).contains("from the program alone"));
    }

    #[test]
    fn an_explanation_is_a_graph() {
        let mut verdicts = [verdict("a.lus", "top", "p", valid(1, false, &["x >= 0", "y >= 0"]))];
        verdicts[0].explanation =
            explanation(&[("p", &[1]), ("x >= 0", &[2]), ("y >= 0", &[0, 2])]);
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
}
