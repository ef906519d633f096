//! One flow as a waveform: a digital line for truth values, a bus for others.
//!
//! A lane is drawn by its runs, the stretches of steps over which the value
//! stays the same, so its size follows the changes and not the steps.

use std::fmt::Write;

use super::escape::escape_html;
use lustral_render::execution::{Datum, Execution, Row, RowType, cell};

/// The height of a lane. Its middle is the zero of the vertical axis.
pub(super) const HEIGHT: usize = 28;
/// The width that a character of a value takes.
const GLYPH: f64 = 7.3;
/// What the slanted ends of a bus segment take of its width.
const ENDS: f64 = 13.0;
/// A segment wider than this gets a label that stays in sight when scrolling.
const WIDE: usize = 600;
/// A description for screen readers lists no more runs than this.
const MOST_DESCRIBED: usize = 40;

/// A stretch of steps over which a flow keeps its value.
pub(super) struct Run<'a> {
    /// The first step.
    pub(super) start: usize,
    /// The number of steps, at least 1.
    pub(super) len: usize,
    /// The value.
    pub(super) value: &'a Datum,
}

impl Run<'_> {
    /// Its steps, for people.
    pub(super) fn steps(&self) -> String {
        match self.len {
            1 => self.start.to_string(),
            len => format!("{}–{}", self.start, self.start + len - 1),
        }
    }
}

/// The runs of a flow, in the order of time.
pub(super) fn runs<'a>(values: &'a [Datum]) -> Vec<Run<'a>> {
    let mut start = 0;
    let run = |same: &'a [Datum]| {
        let run = Run { start, len: same.len(), value: &same[0] };
        start += same.len();
        run
    };
    values.chunk_by(|a, b| a == b).map(run).collect()
}

/// How steps become pixels.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    /// The width of a step.
    pub(super) step: usize,
    /// The number of steps.
    pub(super) steps: usize,
}

impl Scale {
    /// A scale at which the values that matter can be read, except for those
    /// that would make the diagram much too wide.
    pub(super) fn of(table: &Execution) -> Scale {
        let steps = table.steps.max(1);
        let (least, most) = match steps {
            ..=200 => ((720 / steps).clamp(30, 80), (960 / steps).clamp(72, 140)),
            _ => (26, 60),
        };
        let rows = table.instances.iter().flat_map(|i| &i.streams);
        let buses = rows.filter(|row| row.relevant && !is_digital(row));
        let wanted = buses.flat_map(|row| runs(&row.values)).map(|run| {
            let label = text_width(&cell(run.value)) + ENDS;
            (label / run.len as f64).ceil() as usize
        });
        let step = wanted.filter(|w| *w <= most).max().unwrap_or(0).max(least);
        Scale { step, steps: table.steps }
    }

    /// The width of the whole diagram.
    pub(super) fn width(self) -> usize {
        self.step * self.steps
    }
}

/// Whether a flow is drawn as a line with two levels.
pub(super) fn is_digital(row: &Row) -> bool {
    row.ty == RowType::Bool && row.values.iter().all(|value| matches!(value, Datum::Bool(_)))
}

/// The width of a text in the font of the values, on the safe side.
pub(super) fn text_width(text: &str) -> f64 {
    text.chars().map(|c| if c.is_ascii() { GLYPH } else { 2.0 * GLYPH }).sum()
}

/// The beginning of a text that is wider than that.
fn shortened(text: &str, width: f64) -> Option<String> {
    if text_width(text) <= width {
        return None;
    }
    let mut left = width - GLYPH;
    let fits = |c: &char| {
        left -= text_width(c.encode_utf8(&mut [0; 4]));
        left >= 0.0
    };
    let mut short: String = text.chars().take_while(fits).collect();
    short.push('…');
    Some(short)
}

/// Whether the value of a run has too little room in its segment.
pub(super) fn is_shortened(run: &Run<'_>, scale: Scale) -> bool {
    text_width(&cell(run.value)) > room(run, scale)
}

fn room(run: &Run<'_>, scale: Scale) -> f64 {
    (run.len * scale.step) as f64 - ENDS
}

/// Draws a flow.
pub(super) fn lane(out: &mut String, row: &Row, scale: Scale) {
    if is_digital(row) {
        digital(out, row, scale);
    } else {
        bus(out, row, scale);
    }
}

/// Opens the picture of a lane.
pub(super) fn open_svg(out: &mut String, scale: Scale, attributes: &str) {
    let (width, middle) = (scale.width(), HEIGHT / 2);
    let _ = write!(
        out,
        "<svg width=\"{width}\" height=\"{HEIGHT}\" viewBox=\"0 -{middle} {width} {HEIGHT}\"\
         {attributes}>"
    );
}

/// One path, which is the line and the border of the area below it. It starts
/// and ends at the low level outside of the picture.
fn digital(out: &mut String, row: &Row, scale: Scale) {
    let runs = runs(&row.values);
    let label = format!(" role=\"img\" aria-label=\"{}\"", escape_html(&describe(&runs)));
    open_svg(out, scale, &label);
    out.push_str("<path d=\"M-3 8");
    for run in &runs {
        let level = if run.value == &Datum::Bool(true) { -8 } else { 8 };
        let _ = write!(out, "V{level}H{}", (run.start + run.len) * scale.step);
    }
    out.push_str("h3V8\"/></svg>");
}

fn describe(runs: &[Run<'_>]) -> String {
    if runs.len() > MOST_DESCRIBED {
        return format!("changes {} times", runs.len() - 1);
    }
    let parts: Vec<String> =
        runs.iter().map(|run| format!("{}: {}", run.steps(), cell(run.value))).collect();
    parts.join(", ")
}

/// One path with a hexagon for each run, and the values; where there is none, a gap.
fn bus(out: &mut String, row: &Row, scale: Scale) {
    let runs = runs(&row.values);
    open_svg(out, scale, "");
    out.push_str("<path d=\"M0 0");
    for run in &runs {
        let width = run.len * scale.step;
        if run.value == &Datum::Absent {
            let _ = write!(out, "m{width} 0");
            continue;
        }
        let flat = width - 8;
        let _ = write!(out, "l4-9h{flat}l4 9-4 9h-{flat}zm{width} 0");
    }
    out.push_str("\"/>");
    let (wide, narrow): (Vec<_>, Vec<_>) = runs
        .iter()
        .filter(|run| run.value != &Datum::Absent)
        .partition(|run| run.len * scale.step > WIDE && !is_shortened(run, scale));
    for run in narrow {
        narrow_label(out, run, scale);
    }
    out.push_str("</svg>");
    for run in wide {
        let (left, width) = (run.start * scale.step, run.len * scale.step);
        let text = escape_html(&cell(run.value));
        let _ = write!(
            out,
            "<span class=\"run\" style=\"left:{left}px;width:{width}px\"><b>{text}</b></span>"
        );
    }
}

fn narrow_label(out: &mut String, run: &Run<'_>, scale: Scale) {
    let middle = run.start * scale.step + run.len * scale.step / 2;
    let text = cell(run.value);
    let _ = match shortened(&text, room(run, scale)) {
        None => write!(out, "<text x=\"{middle}\">{}</text>", escape_html(&text)),
        Some(short) => write!(
            out,
            "<text x=\"{middle}\"><title>{}</title>{}</text>",
            escape_html(&text),
            escape_html(&short)
        ),
    };
}
