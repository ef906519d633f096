//! A counterexample as a timing diagram: one lane per flow, by instance.

use std::fmt::Write;

use super::escape::escape_html;
use super::lane::{Scale, is_digital, is_shortened, lane, open_svg, runs, text_width};
use super::quantity;
use lustral_render::execution::{
    Choice, Division, Execution, Flow, InstanceRows, Row, RowRole, RowType, cell, flows, whole,
};

/// Values that the diagram shortens are listed up to this number.
const MOST_LONG: usize = 100;
/// The role and the type beside the name of a flow take this much.
const BESIDES: f64 = 118.0;

/// What a diagram shows besides its table.
pub(super) struct Diagram<'a> {
    /// A name for it that is unique on the page.
    pub(super) id: &'a str,
    /// The property that fails.
    pub(super) property: &'a str,
    /// The step at which it fails.
    pub(super) step: usize,
    /// The execution.
    pub(super) table: &'a Execution,
}

/// Writes a counterexample.
pub(super) fn trace(out: &mut String, diagram: &Diagram<'_>) {
    let scale = Scale::of(diagram.table);
    out.push_str("<div class=\"trace\">");
    controls(out, diagram);
    let _ = write!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Counterexample to {}\">",
        escape_html(diagram.property)
    );
    let _ = write!(
        out,
        "<table class=\"wave\" style=\"--w:{}px;--f:{}px;--n:{}px\">",
        scale.step,
        scale.step * diagram.step,
        names_width(diagram.table)
    );
    axis(out, diagram, scale);
    for instance in &diagram.table.instances {
        rows(out, diagram, instance, scale);
    }
    out.push_str("</table></div>");
    long_values(out, diagram.table, scale);
    choices(out, &diagram.table.choices);
    divisions(out, &diagram.table.divisions);
    out.push_str("</div>\n");
}

fn names_width(table: &Execution) -> usize {
    let rows = table.instances.iter().flat_map(|i| &i.streams);
    let widest = rows.map(|row| text_width(&row.name)).fold(60.0, f64::max);
    (widest + BESIDES).min(380.0) as usize
}

/// The switch for the hidden flows, what the colours mean, and a way to the
/// failing step. The switch works by the style sheet alone.
fn controls(out: &mut String, diagram: &Diagram<'_>) {
    let Diagram { id, step, table, .. } = diagram;
    let flows = || table.instances.iter().flat_map(|i| &i.streams);
    let hidden = flows().filter(|row| !row.relevant).count();
    if hidden > 0 {
        let _ = write!(
            out,
            "<input type=\"checkbox\" class=\"more\" id=\"{id}-all\">\
             <label for=\"{id}-all\">Show {} that the property does not depend on</label>",
            quantity(hidden, "more flow", "more flows")
        );
    }
    out.push_str("<p class=\"legend\">");
    for role in RowRole::ALL {
        if flows().any(|row| row.role == role) {
            let role = role.word();
            let _ = write!(out, "<span class=\"{role}\"><i></i>{role}</span>");
        }
    }
    let _ = write!(
        out,
        "<span class=\"fails\"><i></i><a href=\"#{id}-end\">fails at step {step}</a></span></p>"
    );
    if hidden > 0 && hidden == flows().count() {
        out.push_str("<p class=\"none\">The property depends on no flow.</p>");
    }
}

/// The numbers of the steps, or of every fifth where they have no room. The
/// failing one has a mark of its own.
fn axis(out: &mut String, diagram: &Diagram<'_>, scale: Scale) {
    out.push_str("<thead><tr><th scope=\"col\">step</th><td class=\"lane\">");
    open_svg(out, scale, "");
    let widest = text_width(&scale.steps.to_string()) + 4.0;
    let every = if scale.step as f64 >= widest { 1 } else { 5 };
    let near = |step: usize| step.abs_diff(diagram.step) < every.min(2);
    for step in (0..scale.steps).step_by(every).filter(|step| !near(*step)) {
        let middle = step * scale.step + scale.step / 2;
        let _ = write!(out, "<text x=\"{middle}\">{step}</text>");
    }
    let Diagram { id, step, .. } = diagram;
    let _ = writeln!(
        out,
        "</svg><span class=\"end\" id=\"{id}-end\"><b>{step}</b></span></td></tr></thead>"
    );
}

/// The flows of an instance.
fn rows(out: &mut String, diagram: &Diagram<'_>, instance: &InstanceRows, scale: Scale) {
    if instance.streams.is_empty() {
        return;
    }
    let hidden = instance.streams.iter().all(|row| !row.relevant);
    let _ = write!(out, "<tbody{}>", if hidden { " class=\"off\"" } else { "" });
    out.push_str("<tr class=\"instance\"><th colspan=\"2\" scope=\"rowgroup\"><span>");
    let node = escape_html(&instance.node);
    let _ = match instance.path.as_str() {
        "" => write!(out, "<code>{node}</code> <small>checked node</small>"),
        path => write!(out, "<code>{}</code> <small>node {node}</small>", escape_html(path)),
    };
    out.push_str("</span></th></tr>\n");
    for shown in flows(&instance.streams) {
        match shown {
            Flow::Scalar(row) => {
                let culprit = instance.path.is_empty() && row.name == diagram.property;
                let place = if culprit { Place::Culprit } else { Place::Scalar };
                flow(out, row, place, scale);
            }
            Flow::Structured { name, parts } => structured(out, name, parts, scale),
        }
    }
    out.push_str("</tbody>\n");
}

/// So few parts are not folded away.
const FEW_PARTS: usize = 6;

/// A record or an array: one row with its values as a whole, which unfolds to its parts. In a
/// group of rows of its own, so that the style sheet alone can hide them.
fn structured(out: &mut String, name: &str, parts: &[Row], scale: Scale) {
    let relevant = parts.iter().any(|row| row.relevant);
    let whole = Row {
        name: name.into(),
        role: parts[0].role,
        ty: RowType::Enum,
        relevant,
        values: whole(parts),
    };
    let off = if relevant { "" } else { " off" };
    let _ = write!(out, "</tbody>\n<tbody class=\"structured{off}\">");
    flow(out, &whole, Place::Whole(parts.len()), scale);
    parts.iter().for_each(|row| flow(out, row, Place::Part, scale));
    out.push_str("</tbody>\n<tbody>");
}

/// What a row is among the others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A flow.
    Scalar,
    /// The flow that the property is.
    Culprit,
    /// A flow with so many parts, which follow.
    Whole(usize),
    /// One of these parts.
    Part,
}

fn flow(out: &mut String, row: &Row, place: Place, scale: Scale) {
    let short = match row.role {
        RowRole::Input => "in",
        RowRole::Output => "out",
        RowRole::Local => "loc",
    };
    let mut name = format!("<code>{}</code>", escape_html(&row.name));
    let mut ty = row.ty.word().to_string();
    let mark = match place {
        Place::Scalar => "",
        Place::Culprit => " culprit",
        Place::Whole(parts) => {
            ty = quantity(parts, "value", "values");
            let open = if parts <= FEW_PARTS { " checked" } else { "" };
            name = format!(
                "<label>{name}<input type=\"checkbox\" class=\"fold\"{open} \
                 aria-label=\"Show the parts\"></label>"
            );
            " whole"
        }
        Place::Part => " part",
    };
    let _ = write!(
        out,
        "<tr class=\"{}{}{mark}\"><th scope=\"row\"><div><i title=\"{}\">{short}</i>{name}\
         <small>{ty}</small></div></th><td class=\"lane\">",
        row.role.word(),
        if row.relevant { "" } else { " off" },
        row.role.word(),
    );
    lane(out, row, scale);
    out.push_str("</td></tr>\n");
}

/// The values that did not fit into their segments, in full.
fn long_values(out: &mut String, table: &Execution, scale: Scale) {
    let mut lines = Vec::new();
    for instance in &table.instances {
        for row in instance.streams.iter().filter(|row| row.relevant && !is_digital(row)) {
            for run in runs(&row.values).iter().filter(|run| is_shortened(run, scale)) {
                lines.push((instance, row, run.steps(), cell(run.value)));
            }
        }
    }
    if lines.is_empty() {
        return;
    }
    let _ = write!(
        out,
        "<details class=\"long\"><summary>{} in full</summary><ul>",
        quantity(lines.len(), "long value", "long values")
    );
    for (instance, row, steps, value) in lines.iter().take(MOST_LONG) {
        let dot = if instance.path.is_empty() { "" } else { "." };
        let name = escape_html(&format!("{}{dot}{}", instance.path, row.name));
        let value = escape_html(value);
        let _ = write!(out, "<li><code>{name}</code> at {steps}: <code>{value}</code></li>");
    }
    if lines.len() > MOST_LONG {
        let more = lines.len() - MOST_LONG;
        let _ = write!(out, "<li>… and {more} more, which the diagram shows when pointed at</li>");
    }
    out.push_str("</ul></details>");
}

fn choices(out: &mut String, choices: &[Choice]) {
    if choices.is_empty() {
        return;
    }
    out.push_str("<h5>Arbitrary values that the execution relies on</h5><ul>");
    for choice in choices {
        let (name, value) = (escape_html(&choice.name), escape_html(&cell(&choice.value)));
        let _ = write!(out, "<li><code>{name}</code> = <code>{value}</code></li>");
    }
    out.push_str("</ul>");
}

fn divisions(out: &mut String, divisions: &[Division]) {
    if divisions.is_empty() {
        return;
    }
    out.push_str("<h5>Divisions by zero</h5><ul>");
    for division in divisions {
        let _ = write!(
            out,
            "<li><code>{} {} 0</code> is taken to be <code>{}</code></li>",
            escape_html(&cell(&division.dividend)),
            division.operation.word(),
            escape_html(&cell(&division.value))
        );
    }
    out.push_str("</ul>");
}
