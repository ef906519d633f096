//! Verdicts about protocols: the invariant, or the execution as a table, a row for each relation and a column for each
//! state. What a relation with two arguments is, is drawn as well.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::escape::escape_html;
use super::quantity;
use crate::protocol::{
    About, ProtocolExecution, ProtocolOutcome, ProtocolVerdict, SortSize, StateEvent, TableEvent,
};

/// More formulas than this are folded away.
const MOST_FACTS_OPEN: usize = 12;
/// A picture with more elements would show nothing.
const MOST_DRAWN: usize = 8;
/// Half the width of a picture, and the distance of its elements from the middle.
const HALF: f64 = 74.0;
const RADIUS: f64 = 46.0;
/// What an arrow leaves free around an element.
const AROUND: f64 = 11.0;

/// What the verdict is on the page: as one on a program that is as wanted, or not.
pub(super) fn kind(verdict: &ProtocolVerdict) -> &'static str {
    match verdict.is_as_wanted() {
        Some(false) => super::KINDS[0],
        Some(true) => super::KINDS[1],
        None => super::KINDS[2],
    }
}

/// Writes the entry of a verdict.
pub(super) fn protocol(out: &mut String, number: usize, verdict: &ProtocolVerdict, open: bool) {
    let _ = write!(out, "<article class=\"prop {}\" id=\"q{number}\">", kind(verdict));
    headline(out, verdict);
    match verdict.outcome() {
        ProtocolOutcome::Valid { invariant, .. } => facts(out, "Inductive invariant", invariant),
        ProtocolOutcome::Falsifiable { execution, .. }
        | ProtocolOutcome::Possible { execution, .. } => {
            let open = if open { " open" } else { "" };
            let what = match verdict.about {
                About::Theorem => "States in which it fails",
                About::Trace | About::Property => "Execution",
            };
            let states = quantity(execution.states.len(), "state", "states");
            let _ = write!(out, "<details{open}><summary>{what}, {states}</summary>");
            run(out, verdict.about, execution);
            out.push_str("</details>");
        }
        ProtocolOutcome::Unknown { reason, facts: known, broken_by, .. } => {
            note(out, "reason", &escape_html(reason));
            if let Some(by) = broken_by {
                let by = escape_html(by);
                note(out, "reason", &format!("perhaps broken by <code>{by}</code>"));
            }
            facts(out, "Inductive, and too little (not checked again)", known);
        }
        ProtocolOutcome::HoldsAtSize { .. } | ProtocolOutcome::Impossible { .. } => {}
    }
    out.push_str("</article>\n");
}

fn headline(out: &mut String, verdict: &ProtocolVerdict) {
    let (word, result) = match verdict.outcome() {
        ProtocolOutcome::Valid { .. } => ("valid", "for all sizes".to_string()),
        ProtocolOutcome::HoldsAtSize { sizes } => ("holds", format!("{} only", text(sizes))),
        ProtocolOutcome::Falsifiable { step, sizes, .. } => {
            ("falsifiable", format!("{}, {}", quantity(*step, "step", "steps"), text(sizes)))
        }
        ProtocolOutcome::Possible { step, sizes, .. } => {
            ("possible", format!("{}, {}", quantity(*step, "step", "steps"), text(sizes)))
        }
        ProtocolOutcome::Impossible { .. } => ("impossible", "for all sizes".to_string()),
        ProtocolOutcome::Unknown { .. } => ("unknown", String::new()),
    };
    let _ = write!(
        out,
        "<div class=\"line\"><span class=\"badge\">{word}</span>\
         <h4 class=\"name\"><code>{}</code></h4><dl class=\"facts\">",
        escape_html(&verdict.property)
    );
    let time = verdict.seconds.map(|s| format!("{s:.2} s")).unwrap_or_default();
    let place = format!("line {}:{}", verdict.line, verdict.column);
    for (what, text) in [("result", &result), ("time", &time), ("place", &place)] {
        if !text.is_empty() {
            let text = escape_html(text);
            let _ = write!(out, "<div class=\"{what}\"><dt>{what}</dt><dd>{text}</dd></div>");
        }
    }
    out.push_str("</dl></div>\n");
}

fn text(sizes: &[SortSize]) -> String {
    let all: Vec<String> = sizes.iter().map(|s| format!("{} = {}", s.sort, s.size)).collect();
    if all.is_empty() { "no sorts".into() } else { all.join(", ") }
}

fn note(out: &mut String, class: &str, html: &str) {
    let _ = writeln!(out, "<p class=\"note {class}\">{html}</p>");
}

fn facts(out: &mut String, title: &str, facts: &[String]) {
    if facts.is_empty() {
        return;
    }
    let open = if facts.len() > MOST_FACTS_OPEN { "" } else { " open" };
    let number = quantity(facts.len(), "formula", "formulas");
    let _ = write!(out, "<details{open}><summary>{title}, {number}</summary><ol class=\"proof\">");
    for fact in facts {
        let _ = write!(out, "<li><code>{}</code></li>", escape_html(fact));
    }
    out.push_str("</ol></details>");
}

/// What never changes, and the states side by side.
fn run(out: &mut String, about: About, execution: &ProtocolExecution) {
    if !execution.immutable.is_empty() {
        out.push_str("<div class=\"scroll\"><table class=\"states\"><thead><tr><th></th><th>never changes</th></tr></thead>");
        for table in &execution.immutable {
            row(out, table, &mut std::iter::once(Some((table, false))));
        }
        out.push_str("</table></div>");
    }
    out.push_str("<div class=\"scroll\"><table class=\"states\"><thead><tr><th></th>");
    for (i, state) in execution.states.iter().enumerate() {
        let _ = write!(out, "<th scope=\"col\">{i}<br><code>{}</code></th>", entered(about, state));
    }
    out.push_str("</tr></thead>");
    let Some(first) = execution.states.first() else { return };
    for table in &first.tables {
        let at = |i: usize| {
            let here = |state: &StateEvent| state.tables.iter().position(|t| t.name == table.name);
            let state = &execution.states[i];
            here(state).map(|place| &state.tables[place])
        };
        let mut cells = (0..execution.states.len()).map(|i| {
            let now = at(i)?;
            Some((now, i > 0 && at(i - 1) != Some(now)))
        });
        row(out, table, &mut cells);
    }
    out.push_str("</table></div>");
}

/// How a state was entered.
fn entered(about: About, state: &StateEvent) -> String {
    match &state.transition {
        None if about == About::Theorem => "a state".into(),
        Some(_) if about == About::Theorem => "another state".into(),
        None => "first state".into(),
        Some(name) => escape_html(&format!("{name}({})", state.arguments.join(", "))),
    }
}

/// A relation in all states: what it is at first, and where it changes.
fn row(
    out: &mut String,
    table: &TableEvent,
    cells: &mut dyn Iterator<Item = Option<(&TableEvent, bool)>>,
) {
    let _ = write!(out, "<tr><th scope=\"row\"><code>{}</code></th>", escape_html(&table.name));
    for (i, cell) in cells.enumerate() {
        match cell {
            Some((table, changed)) if changed || i == 0 => {
                let class = if changed { " class=\"changed\"" } else { "" };
                let _ = write!(out, "<td{class}>");
                content(out, table);
                picture(out, table);
                out.push_str("</td>");
            }
            _ => out.push_str("<td class=\"same\">·</td>"),
        }
    }
    out.push_str("</tr>\n");
}

fn content(out: &mut String, table: &TableEvent) {
    if table.arity == 0 && !table.function {
        out.push_str(if table.rows.is_empty() { "false" } else { "true" });
        return;
    }
    if table.rows.is_empty() {
        out.push('∅');
    }
    for row in &table.rows {
        let line = match row.split_last() {
            Some((value, [])) if table.function => value.clone(),
            Some((value, arguments)) if table.function => {
                format!("{} → {value}", arguments.join(", "))
            }
            _ => row.join(", "),
        };
        let _ = write!(out, "<code>{}</code><br>", escape_html(&line));
    }
}

/// A relation with two arguments, or a function with one, as arrows between elements.
fn picture(out: &mut String, table: &TableEvent) {
    let edges: Vec<(&str, &str)> = table
        .rows
        .iter()
        .filter_map(|row| match &row[..] {
            [from, to] => Some((from.as_str(), to.as_str())),
            _ => None,
        })
        .collect();
    let mut places: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    places.extend(edges.iter().flat_map(|(from, to)| [(*from, (0.0, 0.0)), (*to, (0.0, 0.0))]));
    let number = places.len();
    if edges.len() < table.rows.len() || !(2..=MOST_DRAWN).contains(&number) {
        return;
    }
    for (i, place) in places.values_mut().enumerate() {
        let turn = std::f64::consts::TAU * i as f64 / number as f64;
        *place = (HALF + RADIUS * turn.sin(), HALF - RADIUS * turn.cos());
    }
    let size = 2.0 * HALF;
    let _ = write!(
        out,
        "<svg class=\"relation\" width=\"{size}\" height=\"{size}\" viewBox=\"0 0 {size} {size}\" \
         role=\"img\" aria-label=\"{} as arrows\">",
        escape_html(&table.name)
    );
    for (from, to) in &edges {
        arrow(out, places[from], places[to]);
    }
    for (name, (x, y)) in &places {
        let _ = write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escape_html(name));
    }
    out.push_str("</svg>");
}

fn arrow(out: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = dx.hypot(dy);
    if length < 1.0 {
        // To itself: a small circle, away from the middle.
        let (cx, cy) = (x1 + (x1 - HALF) * 0.36, y1 + (y1 - HALF) * 0.36);
        let _ = write!(out, "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"8\"/>");
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    let (sx, sy) = (x1 + ux * AROUND, y1 + uy * AROUND);
    let (ex, ey) = (x2 - ux * AROUND, y2 - uy * AROUND);
    let (bx, by) = (ex - ux * 6.0, ey - uy * 6.0);
    let _ = write!(
        out,
        "<path d=\"M{sx:.1} {sy:.1}L{ex:.1} {ey:.1}\"/>\
         <path class=\"tip\" d=\"M{ex:.1} {ey:.1}L{:.1} {:.1}L{:.1} {:.1}Z\"/>",
        bx - uy * 3.0,
        by + ux * 3.0,
        bx + uy * 3.0,
        by - ux * 3.0
    );
}
