//! What became of candidates as a page: the rounds, and for each candidate why it is not left.

use std::fmt::Write;

use super::escape::escape_html;
use super::trace::{Diagram, trace};
use super::{close_page, open_page};
use crate::houdini::{CandidateEvent, CandidateFate, Houdini};

/// The page.
#[must_use]
pub fn houdini_html(file: &str, found: &Houdini) -> String {
    let (kept, tried) = found.left();
    let title = format!("{kept} of {tried} candidates are left");
    let mut out = String::new();
    open_page(&mut out, &title);
    let _ = write!(
        out,
        "<header>\n<p class=\"brand\">Lustral</p>\n<h1>{title}</h1>\n\
         <p class=\"took\"><code>{}</code></p>\n</header>\n<main>\n",
        escape_html(file)
    );
    rounds(&mut out, found);
    for node in found.nodes() {
        let _ = writeln!(
            out,
            "<section class=\"node\">\n<h3><span>node</span> <code>{}</code></h3>",
            escape_html(node)
        );
        for candidate in found.candidates.iter().filter(|c| c.node == node) {
            entry(&mut out, found, candidate);
        }
        out.push_str("</section>\n");
    }
    out.push_str("</main>\n");
    close_page(&mut out);
    out
}

/// The rounds, in the order in which they went.
fn rounds(out: &mut String, found: &Houdini) {
    out.push_str("<section class=\"file\">\n<h2>Rounds</h2>\n<ol class=\"rounds\">\n");
    for round in &found.rounds {
        let _ = write!(
            out,
            "<li>verify <code>{}</code> with {} left: ",
            escape_html(&round.verified),
            round.left
        );
        if round.removed.is_empty() {
            out.push_str("nothing fails");
        } else {
            out.push_str("remove ");
        }
        for (i, number) in round.removed.iter().enumerate() {
            let Some(candidate) = found.candidate(*number) else { continue };
            let comma = if i == 0 { "" } else { ", " };
            let of = if candidate.node == round.verified {
                String::new()
            } else {
                format!(" of <code>{}</code>", escape_html(&candidate.node))
            };
            let _ = write!(out, "{comma}{}{of}", link(candidate));
        }
        out.push_str("</li>\n");
    }
    out.push_str("</ol>\n");
    left(out, found);
    out.push_str("</section>\n");
}

/// What remains in the end, node by node.
fn left(out: &mut String, found: &Houdini) {
    out.push_str("<h2>What is left</h2>\n<ul class=\"rounds\">\n");
    for node in found.nodes() {
        let kept = |c: &&CandidateEvent| c.node == node && matches!(c.fate(), CandidateFate::Kept);
        let links: Vec<String> = found.candidates.iter().filter(kept).map(link).collect();
        let links = if links.is_empty() { "nothing".into() } else { links.join(", ") };
        let _ = writeln!(out, "<li><code>{}</code>: {links}</li>", escape_html(node));
    }
    out.push_str("</ul>\n");
}

fn link(candidate: &CandidateEvent) -> String {
    let said = escape_html(&candidate.said());
    format!("<a href=\"#c{}\"><code>{said}</code></a>", candidate.number)
}

/// A candidate: a click shows the reason.
fn entry(out: &mut String, found: &Houdini, candidate: &CandidateEvent) {
    let fate = candidate.fate();
    let class = match fate {
        CandidateFate::Kept => "valid",
        CandidateFate::False { .. } => "falsifiable",
        _ => "unknown",
    };
    let round = candidate.removal.as_ref().map(|r| format!("round {}", r.round));
    let _ = write!(
        out,
        "<article class=\"prop candidate {class}\" id=\"c{number}\"><details><summary>\
         <span class=\"badge\">{}</span> <code>{}</code> {}</summary>\n\
         <p class=\"note\">{}, line {}</p>\n",
        fate.word(),
        escape_html(&candidate.said()),
        round.unwrap_or_default(),
        escape_html(&candidate.origin),
        candidate.line,
        number = candidate.number,
    );
    let reason = found.reason(candidate).unwrap_or_else(|| {
        "It is in the largest set of candidates that is inductive, and holds at every step.".into()
    });
    let _ = writeln!(out, "<p class=\"note reason\">{}</p>", escape_html(&reason));
    let chain = found.chain(candidate);
    if !chain.is_empty() {
        out.push_str("<ul class=\"chain\">\n");
        for (depth, cause) in chain {
            let round = cause.removal.as_ref().map_or(0, |r| r.round);
            let _ = writeln!(
                out,
                "<li style=\"margin-left:{}em\">because {} of <code>{}</code> was removed in \
                 round {round}</li>",
                depth - 1,
                link(cause),
                escape_html(&cause.node)
            );
        }
        out.push_str("</ul>\n");
    }
    let id = format!("c{}", candidate.number);
    if let CandidateFate::False { step, trace: table } = fate {
        out.push_str("<p class=\"note\">An execution in which it fails:</p>");
        trace(out, &Diagram { id: &id, property: &candidate.candidate, step: *step, table });
    } else if let Some(table) = candidate.removal.as_ref().and_then(|r| r.steps.as_ref()) {
        out.push_str("<p class=\"note\">The steps, <em>possibly unreachable</em>:</p>");
        let step = table.steps.saturating_sub(1);
        trace(out, &Diagram { id: &id, property: &candidate.candidate, step, table });
    }
    out.push_str("</details></article>\n");
}
