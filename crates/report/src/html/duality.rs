//! A primal-dual search as a picture: the states on the left, the predicates on
//! the right, one line for each round. What is on one side has its dual at the
//! same distance on the other: all that was discovered; what inductions of one
//! side say of the other; what can be reached, by steps of an execution there
//! and by steps of a proof here.

use std::fmt::Write;

use super::escape::escape_html;
use crate::duality::{Duality, GIVEN, Round};

/// With more rounds than this, the first ones are left out.
const MOST_ROUNDS: usize = 30;
/// With more states or predicates than this, the rest is left out.
const MOST_LISTED: usize = 40;

/// Half of the picture, the column of numbers between, and a line.
const HALF: usize = 300;
const MIDDLE: usize = 44;
const LINE: usize = 22;
const TOP: usize = 26;

/// What the numbers and the colours of the bars mean.
const CAPTION: &str = "<p class=\"caption\">Each line is a round; its numbers, on both sides, are \
    those of the whole bar, of its grey part with the green one, of the green one. Left: states \
    that were discovered (the whole bar), those that no proof excludes (grey), those that are \
    reachable (green). Right: predicates that were discovered (the whole bar), those that are \
    invariant (grey), those that have a proof (green).</p>";

/// Writes the search.
pub(super) fn duality(out: &mut String, search: &Duality) {
    let headline = escape_html(&search.headline());
    let _ = write!(out, "<details open><summary>Primal-dual search: {headline}</summary>");
    // A failure may be known before there is a round to draw.
    if !search.rounds.is_empty() {
        out.push_str("<div class=\"graph duality\">");
        picture(out, &search.rounds);
        out.push_str("</div>");
        out.push_str(CAPTION);
    }
    given(out, search);
    steps(out, search);
    states(out, search);
    out.push_str("</details>");
}

fn picture(out: &mut String, rounds: &[Round]) {
    let skipped = rounds.len().saturating_sub(MOST_ROUNDS);
    let shown = &rounds[skipped..];
    let most = shown.iter().map(|r| r.states.max(r.predicates)).max().unwrap_or(0).max(1);
    let (width, height) = (2 * HALF + MIDDLE, TOP + shown.len() * LINE + 4);
    let _ = write!(
        out,
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"States and predicates in {} rounds\">",
        shown.len()
    );
    let _ = write!(
        out,
        "<text x=\"{}\" y=\"12\" text-anchor=\"end\">states</text>\
         <text x=\"{}\" y=\"12\">predicates</text>",
        HALF - 4,
        HALF + MIDDLE + 4
    );
    for (i, round) in shown.iter().enumerate() {
        let y = TOP + i * LINE;
        let left = [round.states, round.abstractly_reachable, round.reachable];
        let right = [round.predicates, round.invariant, round.provable];
        for (class, (l, r)) in ["all", "inductive", "reached"].iter().zip(left.iter().zip(&right)) {
            let (l, r) = (bar(*l, most), bar(*r, most));
            let _ = write!(
                out,
                "<rect class=\"{class}\" x=\"{}\" y=\"{y}\" width=\"{l}\" height=\"16\"/>\
                 <rect class=\"{class}\" x=\"{}\" y=\"{y}\" width=\"{r}\" height=\"16\"/>",
                HALF - l,
                HALF + MIDDLE
            );
        }
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            HALF + MIDDLE / 2,
            y + 8,
            skipped + i + 1
        );
        label(out, y, HALF - bar(round.states, most), "end", left);
        label(out, y, HALF + MIDDLE + bar(round.predicates, most), "start", right);
    }
    out.push_str("</svg>");
}

/// The length of a bar; room is left for its label.
fn bar(number: usize, most: usize) -> usize {
    number * (HALF - 90) / most
}

fn label(out: &mut String, y: usize, x: usize, anchor: &str, numbers: [usize; 3]) {
    let x = if anchor == "end" { x.saturating_sub(6) } else { x + 6 };
    let [a, b, c] = numbers;
    let _ = write!(
        out,
        "<text class=\"count\" x=\"{x}\" y=\"{}\" text-anchor=\"{anchor}\">{a} · {b} · {c}</text>",
        y + 8
    );
}

/// The title of a list, as a sentence that it ends.
fn heading(out: &mut String, title: &str) {
    let (first, rest) = title.split_at(1);
    let _ = write!(out, "<p class=\"caption\">{}{rest}:</p>", first.to_uppercase());
}

/// What the steps rest on.
fn given(out: &mut String, search: &Duality) {
    let given = search.basis();
    if given.is_empty() {
        return;
    }
    heading(out, GIVEN);
    out.push_str("<ul class=\"proof\">");
    for fact in given.iter().take(MOST_LISTED) {
        let _ = write!(out, "<li><code>{}</code></li>", escape_html(fact));
    }
    out.push_str("</ul>");
}

/// What the steps of a proof add.
fn steps(out: &mut String, search: &Duality) {
    let Some(title) = search.steps_title() else { return };
    heading(out, title);
    out.push_str("<ol class=\"proof\">");
    for step in search.steps.iter().take(MOST_LISTED) {
        out.push_str("<li>");
        for (i, fact) in step.iter().enumerate() {
            let and = if i == 0 { "" } else { "<br>and " };
            let _ = write!(out, "{and}<code>{}</code>", escape_html(fact));
        }
        out.push_str("</li>");
    }
    out.push_str("</ol>");
}

/// The states that no proof excludes, or the way to a failure.
fn states(out: &mut String, search: &Duality) {
    let Some(title) = search.states_title() else { return };
    heading(out, title);
    out.push_str("<ul class=\"proof\">");
    for state in search.states.iter().take(MOST_LISTED) {
        let _ = write!(out, "<li><code>{}</code></li>", escape_html(&search.state(state)));
    }
    out.push_str("</ul>");
}
