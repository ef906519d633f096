//! The entry of a property: its verdict, how it came about, and the evidence.

use std::fmt::Write;

use super::escape::escape_html;
use super::graph::graph;
use super::note::note;
use super::trace::{Diagram, trace};
use super::{kind, quantity};
use crate::cause::Cause;
use crate::model::{Outcome, Verdict};
use crate::parts::Part;
use lustral_render::execution::cell;
use lustral_system::Goal;

/// More invariants than this, or longer ones than that, are folded away.
const MOST_INVARIANTS_OPEN: usize = 4;
const LONGEST_OPEN: usize = 160;

/// Writes the entry of the property with this number. The evidence against it
/// is unfolded on demand.
pub(super) fn property(out: &mut String, number: usize, verdict: &Verdict, open: bool) {
    let id = format!("p{number}");
    let _ = write!(out, "<article class=\"prop {}\" id=\"{id}\">", kind(verdict));
    headline(out, verdict);
    if !verdict.expression.is_empty() && verdict.expression != verdict.property {
        let expression = escape_html(&verdict.expression);
        sentence(out, "expression", &format!("<code>{expression}</code>"));
    }
    sentences(out, verdict);
    match &verdict.outcome {
        Outcome::Valid { k, invariants, .. } => {
            proof(out, invariants);
            if let Some(composition) = &verdict.composition {
                composition.html(out);
            }
            if let Some(explanation) = &verdict.explanation {
                graph(out, explanation, *k);
            }
        }
        Outcome::Falsifiable { step, parts, cause, trace: table, .. } => {
            values(out, parts, *step);
            let failure = verdict.goal == Goal::Always;
            if let Some(cause) = cause.as_deref() {
                why(out, &id, verdict, cause, *step);
            }
            // What matters is shown already.
            let open = if open && failure && cause.is_none() { " open" } else { "" };
            let steps = quantity(table.steps, "step", "steps");
            let what = if failure { "Counterexample" } else { "Execution that reaches it" };
            let _ = write!(out, "<details{open}><summary>{what}, {steps}</summary>");
            trace(out, &Diagram { id: &id, property: &verdict.property, step: *step, table });
            out.push_str("</details>");
        }
        Outcome::Unknown { .. } => {}
    }
    verdict.notes.iter().for_each(|left| note(out, left));
    if let Some((k, table)) = &verdict.induction {
        let steps = quantity(*k, "step", "steps");
        let _ = write!(
            out,
            "<details><summary>Why not? From some state, <em>possibly unreachable</em>, it holds at \
             {steps} and then fails</summary><p class=\"note\">An invariant that excludes the first \
             state would help.</p>"
        );
        trace(out, &Diagram { id: &id, property: &verdict.property, step: *k, table });
        out.push_str("</details>");
    }
    out.push_str("</article>\n");
}

/// The badge, the name, and the facts of one line.
fn headline(out: &mut String, verdict: &Verdict) {
    let (badge, alarm) = match verdict.outcome {
        Outcome::Unknown { internal_error: true, .. } => ("internal error", " alarm"),
        Outcome::Unknown { vacuous: true, .. } => ("vacuous", ""),
        _ => (verdict.word(), ""),
    };
    let _ = write!(
        out,
        "<div class=\"line\"><span class=\"badge{alarm}\">{badge}</span>\
         <h4 class=\"name\"><code>{}</code></h4><dl class=\"facts\">",
        escape_html(&verdict.property)
    );
    fact(out, "result", &result(verdict));
    fact(out, "engine", &verdict.run.answered_by().unwrap_or_default());
    let time = verdict.run.seconds.map(|s| format!("{s:.2} s"));
    fact(out, "time", &time.unwrap_or_default());
    fact(out, "place", &format!("line {}:{}", verdict.line, verdict.column));
    out.push_str("</dl></div>\n");
}

fn fact(out: &mut String, what: &str, text: &str) {
    if text.is_empty() {
        return;
    }
    let text = escape_html(text);
    let _ = write!(out, "<div class=\"{what}\"><dt>{what}</dt><dd>{text}</dd></div>");
}

fn result(verdict: &Verdict) -> String {
    match &verdict.outcome {
        Outcome::Valid { k, exhausted: false, compression: false, .. } => format!("k = {k}"),
        Outcome::Valid { k, exhausted: false, compression: true, .. } => {
            format!("k = {k}, compressed")
        }
        Outcome::Valid { k, exhausted: true, .. } => {
            format!("≤ {}", quantity(*k, "step", "steps"))
        }
        Outcome::Falsifiable { step, first: true, .. } => format!("step {step}"),
        Outcome::Falsifiable { step, first: false, .. } => format!("step ≤ {step}"),
        Outcome::Unknown { .. } => String::new(),
    }
}

/// What is to be said in sentences.
fn sentences(out: &mut String, verdict: &Verdict) {
    match &verdict.outcome {
        Outcome::Unknown { reason, .. } => sentence(out, "reason", &escape_html(reason)),
        Outcome::Valid { k, exhausted: true, .. } => {
            let steps = match k {
                1 => "the only reachable step".to_string(),
                k => format!("all {k} reachable steps"),
            };
            sentence(out, "reason", &format!("{steps} explored"));
        }
        Outcome::Valid { .. } if verdict.run.explain && verdict.explanation.is_none() => {
            sentence(out, "reason", "no explanation: the solver cannot tell what needs what");
        }
        _ => {}
    }
    if let Some(grounds) = verdict.grounds() {
        sentence(out, "grounds", &escape_html(&grounds));
    }
    for warning in &verdict.run.warnings {
        sentence(out, "warning", &format!("<b>warning:</b> {}", escape_html(warning)));
    }
    if let Some(folder) = &verdict.run.certificate {
        let folder = escape_html(folder);
        sentence(out, "certificate", &format!("certificate in <code>{folder}</code>"));
    }
}

fn sentence(out: &mut String, class: &str, html: &str) {
    let _ = writeln!(out, "<p class=\"note {class}\">{html}</p>");
}

/// The values that matter, and what would have saved it.
fn why(out: &mut String, id: &str, verdict: &Verdict, cause: &Cause, step: usize) {
    sentence(out, "cause", &escape_html(&cause.heading(step)));
    let id = format!("{id}-cause");
    trace(out, &Diagram { id: &id, property: &verdict.property, step, table: &cause.values });
    if let Some(saved) = cause.saved() {
        sentence(out, "saved", &escape_html(&saved));
    }
}

/// The values of the parts of a property where it fails.
fn values(out: &mut String, parts: &[Part], step: usize) {
    if parts.is_empty() {
        return;
    }
    let _ = write!(out, "<details><summary>Its parts at step {step}</summary><ul class=\"parts\">");
    for Part { path, expression, value } in parts {
        let of = if path.is_empty() { String::new() } else { format!(" in {}", escape_html(path)) };
        let (expression, value) = (escape_html(expression), escape_html(&cell(value)));
        let _ = write!(out, "<li><code>{expression}</code> = <code>{value}</code>{of}</li>");
    }
    out.push_str("</ul></details>");
}

/// The invariants that a proof needs besides the property.
fn proof(out: &mut String, invariants: &[String]) {
    if invariants.is_empty() {
        return;
    }
    let number = quantity(invariants.len(), "invariant", "invariants");
    let long = invariants.iter().any(|i| i.chars().count() > LONGEST_OPEN);
    let open = if long || invariants.len() > MOST_INVARIANTS_OPEN { "" } else { " open" };
    let _ = write!(
        out,
        "<details{open}><summary>Proof, with the help of {number}</summary><ol class=\"proof\">"
    );
    for invariant in invariants {
        let _ = write!(out, "<li><code>{}</code></li>", escape_html(invariant));
    }
    out.push_str("</ol></details>");
}
