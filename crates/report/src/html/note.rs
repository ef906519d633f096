//! A note of an engine. Rounds are a picture: one side on the left, the other
//! on the right, one line for each round, and what faces each other stands at
//! the same distance from the middle.

use std::fmt::Write;

use super::escape::escape_html;
use crate::note::{CountEvent, NoteEvent, RoundEvent, SectionEvent, state_text};

/// With more rounds than this, the first ones are left out.
const MOST_LINES: usize = 30;
/// With more facts or states than this, the rest is left out.
const MOST_LISTED: usize = 40;

/// Half of the picture, the column of numbers between, and a line.
const HALF: usize = 300;
const MIDDLE: usize = 44;
const LINE: usize = 22;
const TOP: usize = 26;

/// Writes a note.
pub(super) fn note(out: &mut String, note: &NoteEvent) {
    let (title, summary) = (escape_html(&note.title), escape_html(&note.summary));
    let _ = write!(out, "<details open><summary>{title}: {summary}</summary>");
    for section in note.sections.iter().filter(|section| !section.is_empty()) {
        match section {
            SectionEvent::Rounds { sides, rounds, .. } => {
                out.push_str("<div class=\"graph sides\">");
                picture(out, sides, rounds);
                out.push_str("</div>");
                caption(out, sides);
            }
            SectionEvent::Facts { title, ordered, groups, .. } => {
                facts(out, title, *ordered, groups);
            }
            SectionEvent::States { title, memories, states, .. } => {
                let states: Vec<Vec<String>> =
                    states.iter().map(|state| vec![state_text(memories, state)]).collect();
                facts(out, title, false, &states);
            }
        }
    }
    out.push_str("</details>");
}

/// What the numbers and the colours of the bars mean.
fn caption(out: &mut String, sides: &[[CountEvent; 3]; 2]) {
    let side = |[all, grey, green]: &[CountEvent; 3]| {
        let [all, grey, green] = [all, grey, green].map(|count| escape_html(&count.meaning));
        format!("{all} (the whole bar), {grey} (grey), {green} (green)")
    };
    let [left, right] = sides.each_ref().map(side);
    let _ = write!(
        out,
        "<p class=\"caption\">Each line is a round; its numbers, on both sides, are those of the \
         whole bar, of its grey part with the green one, of the green one. Left: {left}. Right: \
         {right}.</p>"
    );
}

fn picture(out: &mut String, sides: &[[CountEvent; 3]; 2], rounds: &[RoundEvent]) {
    let skipped = rounds.len().saturating_sub(MOST_LINES);
    let shown = &rounds[skipped..];
    let most = shown.iter().flat_map(|r| r.sides).map(|[all, ..]| all).max().unwrap_or(0).max(1);
    let [left, right] = sides.each_ref().map(|[all, ..]| escape_html(&all.name));
    let (width, height) = (2 * HALF + MIDDLE, TOP + shown.len() * LINE + 4);
    let _ = write!(
        out,
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"{left} and {right} in {} rounds\">",
        shown.len()
    );
    let _ = write!(
        out,
        "<text x=\"{}\" y=\"12\" text-anchor=\"end\">{left}</text>\
         <text x=\"{}\" y=\"12\">{right}</text>",
        HALF - 4,
        HALF + MIDDLE + 4
    );
    for (i, round) in shown.iter().enumerate() {
        let y = TOP + i * LINE;
        let [left, right] = round.sides;
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
        label(out, y, HALF - bar(left[0], most), "end", left);
        label(out, y, HALF + MIDDLE + bar(right[0], most), "start", right);
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

/// A list of facts, with a title that ends in a colon.
fn facts(out: &mut String, title: &str, ordered: bool, groups: &[Vec<String>]) {
    let mut letters = title.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let title = escape_html(&format!("{first}{}", letters.as_str()));
    let list = if ordered { "ol" } else { "ul" };
    let _ = write!(out, "<p class=\"caption\">{title}:</p><{list} class=\"proof\">");
    for group in groups.iter().take(MOST_LISTED) {
        out.push_str("<li>");
        for (i, fact) in group.iter().enumerate() {
            let and = if i == 0 { "" } else { "<br>and " };
            let _ = write!(out, "{and}<code>{}</code>", escape_html(fact));
        }
        out.push_str("</li>");
    }
    let _ = write!(out, "</{list}>");
}
