//! Verdicts for people at a terminal.

use std::fmt::Write;

use crate::escape::printable;
use crate::model::{Outcome, Summary, TraceTable, Verdict};
use crate::table::{cell, changed, columns, shown};
use crate::tree::tree;

/// With or without colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Escape sequences for a terminal.
    Colour,
    /// None.
    Plain,
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        match self {
            Style::Colour => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            Style::Plain => text.to_string(),
        }
    }
}

const GREEN: &str = "1;32";
const RED: &str = "1;31";
const YELLOW: &str = "1;33";
const BOLD: &str = "1";
const DIM: &str = "2";

/// A verdict: one line, its warnings, and the table of a counterexample.
#[must_use]
pub fn verdict_text(verdict: &Verdict, style: Style, width: usize) -> String {
    let mut out = String::new();
    let name = style.paint(BOLD, &printable(&verdict.property));
    let engine = verdict.run.answered_by();
    let engine = engine.map(|e| format!(", {}", printable(&e))).unwrap_or_default();
    let time = verdict.run.seconds.map(|s| format!(", {s:.2} s")).unwrap_or_default();
    let how = |text: String| style.paint(DIM, &format!("({text}{engine}{time})"));
    let _ = match &verdict.outcome {
        Outcome::Valid { k, exhausted, compression, .. } => {
            let text = match (exhausted, compression) {
                (true, _) if *k == 1 => "the only reachable step explored".into(),
                (true, _) => format!("all {k} reachable steps explored"),
                (false, true) => format!("k = {k} with path compression"),
                (false, false) => format!("k = {k}"),
            };
            writeln!(out, "{} {name}  {}", style.paint(GREEN, "valid      "), how(text))
        }
        Outcome::Falsifiable { step, .. } => {
            let text = format!("fails at step {step}");
            writeln!(out, "{} {name}  {}", style.paint(RED, "falsifiable"), how(text))
        }
        Outcome::Unknown { reason, vacuous: true, .. } => {
            writeln!(out, "{} {name}  ({})", style.paint(YELLOW, "vacuous    "), printable(reason))
        }
        Outcome::Unknown { reason, .. } => {
            writeln!(out, "{} {name}  ({})", style.paint(YELLOW, "unknown    "), printable(reason))
        }
    };
    for warning in &verdict.run.warnings {
        let _ = writeln!(out, "  {} {}", style.paint(YELLOW, "warning:"), printable(warning));
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
        Outcome::Falsifiable { trace, .. } => {
            trace_text(trace, style, width, MOST_BLOCKS, &mut out)
        }
        _ => {}
    }
    if let Some(composition) = &verdict.composition {
        composition.text(&mut out);
    }
    if let (Outcome::Valid { exhausted, .. }, None, true) =
        (&verdict.outcome, &verdict.explanation, verdict.run.explain)
    {
        let _ = match exhausted {
            true => writeln!(out, "  because no other step can be reached: no induction is needed"),
            false => writeln!(out, "  no explanation: the solver cannot tell what needs what"),
        };
    }
    if let Some(duality) = &verdict.duality {
        out.push_str(&duality.text());
    }
    if let Some((k, table)) = &verdict.induction {
        let steps = steps(*k);
        let _ = writeln!(
            out,
            "  why not: from some state, *possibly unreachable*, it holds at {steps} and then fails.\n  \
             An invariant that excludes this state would help:"
        );
        trace_text(table, style, width, MOST_HINT_BLOCKS, &mut out);
    }
    if let Some(folder) = &verdict.run.certificate {
        let _ = writeln!(out, "  certificate written to {}", printable(folder));
    }
    out
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

/// More blocks of steps than this are shown from both ends only; of a
/// counterexample to induction, which is a hint and not an answer, fewer.
const MOST_BLOCKS: usize = 6;
const MOST_HINT_BLOCKS: usize = 2;

fn trace_text(table: &TraceTable, style: Style, width: usize, most: usize, out: &mut String) {
    let instances = shown(table);
    let names =
        instances.iter().flat_map(|(_, rows)| rows).map(|r| printable(&r.name).chars().count());
    let names = names.max().unwrap_or(0).clamp(4, 40) + 4;
    let blocks = columns(table, width, names);
    for (i, block) in blocks.iter().enumerate() {
        if blocks.len() > most && i >= most / 2 && i < blocks.len() - most / 2 {
            if i == most / 2 {
                let until = blocks[blocks.len() - most / 2].steps.start;
                let _ = writeln!(
                    out,
                    "\n  … steps {} to {} (see --json or --html) …",
                    block.steps.start,
                    until - 1
                );
            }
            continue;
        }
        let _ = write!(out, "\n  {:<w$}", "step", w = names - 2);
        for (step, w) in block.steps.clone().zip(&block.widths) {
            let _ = write!(out, "{}", style.paint(BOLD, &format!("{step:>w$}")));
        }
        out.push('\n');
        for (instance, rows) in &instances {
            let title = match instance.path.as_str() {
                "" => printable(&instance.node),
                path => printable(path),
            };
            let _ = writeln!(out, "  {}", style.paint(DIM, &format!("-- {title}")));
            for row in rows {
                let name = printable(&row.name);
                let _ = write!(out, "    {name:<w$}", w = names - 4);
                for (step, w) in block.steps.clone().zip(&block.widths) {
                    let text = cell(&row.values[step]);
                    let _ = match (changed(row, step), style) {
                        (true, Style::Colour) => {
                            write!(out, "{}", style.paint(YELLOW, &format!("{text:>w$}")))
                        }
                        (true, Style::Plain) => write!(out, "{:>w$}", format!("*{text}")),
                        (false, _) => write!(out, "{text:>w$}"),
                    };
                }
                out.push('\n');
            }
        }
    }
    for choice in &table.choices {
        let _ = writeln!(out, "    {} = {}", printable(&choice.name), cell(&choice.value));
    }
    for d in &table.divisions {
        let _ = writeln!(
            out,
            "    {} {} 0 is taken to be {}",
            cell(&d.dividend),
            d.operation.word(),
            cell(&d.value)
        );
    }
    if style == Style::Plain && table.steps > 1 {
        let _ = writeln!(out, "  (* marks a value that differs from the step before)");
    }
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
    part(summary.valid, "valid", GREEN);
    part(summary.falsifiable, "falsifiable", RED);
    part(summary.unknown, "unknown", YELLOW);
    if parts.is_empty() {
        parts.push("nothing to check".into());
    }
    let time = summary.seconds.map(|s| format!("  in {s:.2} s")).unwrap_or_default();
    format!("{}{time}\n", parts.join(", "))
}
