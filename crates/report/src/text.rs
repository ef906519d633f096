//! Verdicts for people at a terminal.

use std::fmt::Write;

use lustral_render::execution::{Most, cell};
use lustral_render::{Style, printable};
use lustral_system::Goal;

use crate::model::{Outcome, Summary, Verdict};
use crate::parts::Part;
use crate::tree::tree;

/// A verdict: one line, its warnings, and the table of a counterexample: all of its rows, or where its cause is
/// known that and some.
#[must_use]
pub fn verdict_text(verdict: &Verdict, style: Style, width: usize, all_rows: bool) -> String {
    let mut out = line(verdict, style);
    for warning in &verdict.run.warnings {
        let _ =
            writeln!(out, "  {} {}", style.paint(Style::YELLOW, "warning:"), printable(warning));
    }
    if let Some(sentence) = verdict.grounds() {
        let _ = writeln!(out, "  {sentence}");
    }
    match &verdict.outcome {
        Outcome::Valid { .. } if verdict.explanation.is_some() => {
            explanation_text(verdict, width, &mut out);
        }
        Outcome::Valid { invariants, .. } if !invariants.is_empty() => {
            let _ = writeln!(out, "  with the help of");
            for invariant in invariants.iter().take(20) {
                let short: String = printable(invariant).chars().take(200).collect();
                let _ = writeln!(out, "    {short}");
            }
            if invariants.len() > 20 {
                let _ = writeln!(out, "    … and {} more", invariants.len() - 20);
            }
        }
        Outcome::Falsifiable { trace, parts, cause, step, .. } if verdict.goal != Goal::Occurs => {
            parts_text(verdict, parts, &mut out);
            let cause = cause.as_deref();
            if let Some(cause) = cause {
                let _ = writeln!(out, "  {}", cause.heading(*step));
                out.push_str(&cause.values.few(style, width));
                if let Some(saved) = cause.saved() {
                    let _ = writeln!(out, "  {saved}");
                }
            }
            let folded = cause.is_some() && !all_rows;
            let most = if folded { Most::BESIDE_CAUSE } else { Most::ANSWER };
            out.push_str(&trace.blocks(style, width, most));
        }
        _ => {}
    }
    if let Some(composition) = &verdict.composition {
        composition.text(&mut out);
    }
    if let (Outcome::Valid { exhausted, .. }, None, true) =
        (&verdict.outcome, &verdict.explanation, verdict.run.explain)
    {
        let _ = if *exhausted {
            writeln!(out, "  because no other step can be reached: no induction is needed")
        } else {
            writeln!(out, "  no explanation: the solver cannot tell what needs what")
        };
    }
    verdict.notes.iter().for_each(|note| out.push_str(&note.text()));
    if let Some((k, table)) = &verdict.induction {
        let steps = steps(*k);
        let _ = writeln!(
            out,
            "  why not: from some state, *possibly unreachable*, it holds at {steps} and then fails.\n  \
             An invariant that excludes this state would help:"
        );
        out.push_str(&table.blocks(style, width, Most::HINT));
    }
    if let Some(folder) = &verdict.run.certificate {
        let _ = writeln!(out, "  certificate written to {}", printable(folder));
    }
    out
}

/// The word, the name, and how the verdict came about.
fn line(verdict: &Verdict, style: Style) -> String {
    let name = style.paint(Style::BOLD, &printable(&verdict.property));
    let engine = verdict.run.answered_by();
    let engine = engine.map(|e| format!(", {}", printable(&e))).unwrap_or_default();
    let time = verdict.run.seconds.map(|s| format!(", {s:.2} s")).unwrap_or_default();
    let how = |text: String| style.paint(Style::DIM, &format!("({text}{engine}{time})"));
    let (word, why) = match &verdict.outcome {
        Outcome::Valid { k, exhausted, compression, .. } => {
            let text = match (exhausted, compression) {
                (true, _) if *k == 1 => "the only reachable step explored".into(),
                (true, _) => format!("all {k} reachable steps explored"),
                (false, true) => format!("k = {k} with path compression"),
                (false, false) => format!("k = {k}"),
            };
            (verdict.word(), how(text))
        }
        Outcome::Falsifiable { step, first, .. } => {
            let verb = if verdict.goal == Goal::Always { "fails" } else { "reached" };
            let at = if *first { "at" } else { "at or before" };
            (verdict.word(), how(format!("{verb} {at} step {step}")))
        }
        Outcome::Unknown { reason, vacuous, .. } => {
            let word = if *vacuous { "vacuous" } else { verdict.word() };
            (word, format!("({})", printable(reason)))
        }
    };
    let colour = match verdict.is_as_wanted() {
        Some(true) => Style::GREEN,
        Some(false) => Style::RED,
        None => Style::YELLOW,
    };
    format!("{} {name}  {why}\n", style.paint(colour, &format!("{word:<11}")))
}

/// The property as it stands in the program, and the values of its parts where it fails.
fn parts_text(verdict: &Verdict, parts: &[Part], out: &mut String) {
    // As people see it: the text and what they know as its name say it once.
    if !verdict.expression.is_empty() && verdict.expression != verdict.property {
        let short: String = printable(&verdict.expression).chars().take(200).collect();
        let _ = writeln!(out, "  {short}");
    }
    // That the whole is false goes without saying where its text is the one above.
    let is_said = parts.first().is_some_and(|part| part.expression == verdict.expression);
    let parts = &parts[usize::from(is_said)..];
    let widest = parts.iter().map(|p| printable(&p.expression).chars().count()).max().unwrap_or(0);
    for Part { path, expression, value } in parts {
        let of = if path.is_empty() { String::new() } else { format!("  in {}", printable(path)) };
        let expression = printable(expression).to_string();
        let _ = writeln!(out, "    {expression:<widest$}  is {}{of}", cell(value));
    }
}

/// More lines of an explanation than this are not shown.
const MOST_LINES: usize = 80;

/// The tree of what the property needs, and what that needs.
fn explanation_text(verdict: &Verdict, width: usize, out: &mut String) {
    let Some(explanation) = &verdict.explanation else { return };
    let how = match &verdict.outcome {
        Outcome::Valid { k, compression: true, .. } => {
            format!("from {} to the next, all in different states", steps(*k))
        }
        Outcome::Valid { k, .. } if *k > 1 => format!("from {} to the next", steps(*k)),
        _ => "step by step".into(),
    };
    let doubt = if explanation.minimal { "" } else { " (some of it may not be needed)" };
    let _ = writeln!(out, "  because, {how}{doubt}:");
    let lines = tree(explanation, width.saturating_sub(2));
    for line in lines.iter().take(MOST_LINES) {
        let _ = writeln!(out, "  {line}");
    }
    if lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES;
        let _ = writeln!(out, "  … and {more} more lines (see --json or --html)");
    }
}

fn steps(number: usize) -> String {
    if number == 1 { "1 step".into() } else { format!("{number} steps") }
}

/// The counts.
#[must_use]
pub fn summary_text(summary: &Summary, style: Style) -> String {
    let mut parts = Vec::new();
    let mut part = |n: usize, word: &str, code: &str| {
        if n > 0 {
            parts.push(style.paint(code, &format!("{n} {word}")));
        }
    };
    part(summary.valid, "valid", Style::GREEN);
    part(summary.holds_at_size, "held at this size only", Style::GREEN);
    part(summary.falsifiable, "falsifiable", Style::RED);
    part(summary.reachable, "reachable", Style::GREEN);
    part(summary.unreachable, "unreachable", Style::RED);
    part(summary.unknown, "unknown", Style::YELLOW);
    match summary.rejected {
        0 if parts.is_empty() => parts.push("nothing to check".into()),
        0 => {}
        1 => parts.push(style.paint(Style::RED, "1 file rejected")),
        many => parts.push(style.paint(Style::RED, &format!("{many} files rejected"))),
    }
    let time = summary.seconds.map(|s| format!("  in {s:.2} s")).unwrap_or_default();
    format!("{}{time}\n", parts.join(", "))
}
