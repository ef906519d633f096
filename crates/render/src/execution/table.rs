//! Executions as tables for a terminal.

use std::fmt::Write;

use super::{Datum, Execution, InstanceRows, Row, RowRole};
use crate::escape::printable;
use crate::style::Style;

/// How much of an execution is shown at a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Most {
    /// Blocks of steps: of more, those in the middle are left out.
    pub blocks: usize,
    /// Flows: of more, the last ones are left out.
    pub rows: usize,
    /// Whether the inputs of the checked node are left out before that.
    pub inputs_first: bool,
}

impl Most {
    /// Of a counterexample.
    pub const ANSWER: Most = Most { blocks: 6, rows: 400, inputs_first: false };
    /// Of a counterexample below its cause, which has those of its inputs that matter.
    pub const BESIDE_CAUSE: Most = Most { blocks: 2, rows: 12, inputs_first: true };
    /// Of an execution that is one reason among many.
    pub const REASON: Most = Most { blocks: 3, rows: 60, inputs_first: false };
    /// Of a counterexample to induction, which is a hint and not an answer.
    pub const HINT: Most = Most { blocks: 2, rows: 60, inputs_first: false };
}

/// A table cut into blocks of columns that fit a width.
#[derive(Clone, Debug)]
pub struct Cells {
    /// The steps of the block.
    pub steps: std::ops::Range<usize>,
    /// The width of each of its columns.
    pub widths: Vec<usize>,
}

/// The text of a value.
#[must_use]
pub fn cell(value: &Datum) -> String {
    match value {
        Datum::Text(text) => printable(text),
        other => other.to_string(),
    }
}

/// Whether a value differs from the one of the step before, or of the last step at which
/// there was one.
fn changed(row: &Row, step: usize) -> bool {
    let mut before = row.values[..step].iter().rev();
    let before = before.find(|value| **value != Datum::Absent);
    let now = &row.values[step];
    *now != Datum::Absent && before.is_some_and(|before| before != now)
}

/// The rows that are shown: those that the property depends on, by instance.
#[must_use]
pub fn shown(table: &Execution) -> Vec<(&InstanceRows, Vec<&Row>)> {
    let relevant = |instance: &'_ InstanceRows| -> Vec<usize> {
        (0..instance.streams.len()).filter(|i| instance.streams[*i].relevant).collect()
    };
    table
        .instances
        .iter()
        .map(|instance| {
            (instance, relevant(instance).into_iter().map(|i| &instance.streams[i]).collect())
        })
        .filter(|(_, rows): &(_, Vec<&Row>)| !rows.is_empty())
        .collect()
}

/// Leaves out all but the first rows; how many those were.
fn cut(instances: &mut Vec<(&InstanceRows, Vec<&Row>)>, most: usize) -> usize {
    let mut left = most;
    let mut left_out = 0;
    for (_, rows) in instances.iter_mut() {
        left_out += rows.len().saturating_sub(left);
        rows.truncate(left);
        left -= rows.len();
    }
    instances.retain(|(_, rows)| !rows.is_empty());
    left_out
}

/// Leaves out the inputs of the checked node; how many those were.
fn without_inputs(instances: &mut Vec<(&InstanceRows, Vec<&Row>)>) -> usize {
    let mut left_out = 0;
    for (_, rows) in instances.iter_mut().filter(|(instance, _)| instance.path.is_empty()) {
        let before = rows.len();
        rows.retain(|row| row.role != RowRole::Input);
        left_out += before - rows.len();
    }
    instances.retain(|(_, rows)| !rows.is_empty());
    left_out
}

/// The blocks of columns that fit a width, beside a first column for names.
#[must_use]
pub fn columns(table: &Execution, width: usize, names: usize) -> Vec<Cells> {
    let rows: Vec<&Row> = shown(table).into_iter().flat_map(|(_, rows)| rows).collect();
    let wide = |step: usize| {
        let cells = rows.iter().map(|row| cell(&row.values[step]).chars().count() + 1);
        cells.max().unwrap_or(1).max(step.to_string().len()) + 1
    };
    let mut blocks: Vec<Cells> = Vec::new();
    for step in 0..table.steps {
        let w = wide(step);
        let fits = blocks
            .last()
            .is_some_and(|b: &Cells| names + b.widths.iter().sum::<usize>() + w <= width);
        match blocks.last_mut() {
            Some(block) if fits => {
                block.widths.push(w);
                block.steps.end += 1;
            }
            _ => blocks.push(Cells { steps: step..step + 1, widths: vec![w] }),
        }
    }
    blocks
}

impl Execution {
    /// The flows that the property depends on, in blocks of columns that fit a
    /// width. Values that differ from the step before are marked.
    #[must_use]
    pub fn blocks(&self, style: Style, width: usize, most: Most) -> String {
        let Most { blocks: most, rows, inputs_first } = most;
        let mut out = String::new();
        let mut instances = shown(self);
        let mut left_out = 0;
        if inputs_first && instances.iter().map(|(_, rows)| rows.len()).sum::<usize>() > rows {
            left_out += without_inputs(&mut instances);
        }
        left_out += cut(&mut instances, rows);
        let names =
            instances.iter().flat_map(|(_, rows)| rows).map(|r| printable(&r.name).chars().count());
        let names = names.max().unwrap_or(0).clamp(4, 40) + 4;
        let blocks = columns(self, width, names);
        for (i, block) in blocks.iter().enumerate() {
            if blocks.len() > most && i >= most / 2 && i < blocks.len() - most / 2 {
                if i == most / 2 {
                    let (from, until) =
                        (block.steps.start, blocks[blocks.len() - most / 2].steps.start - 1);
                    let _ = writeln!(out, "\n  … steps {from} to {until} (see --json or --html) …");
                }
                continue;
            }
            write_block(&mut out, &instances, block, names, style);
        }
        if left_out > 0 {
            let _ = writeln!(out, "  … and {left_out} more flows (see --json or --html)");
        }
        self.write_open(&mut out);
        if style == Style::Plain && self.steps > 1 {
            let _ = writeln!(out, "  (* marks a value that differs from the step before)");
        }
        out
    }

    /// What the program leaves open: first values and divisions by zero.
    pub(super) fn write_open(&self, out: &mut String) {
        for choice in &self.choices {
            let _ = writeln!(out, "    {} = {}", printable(&choice.name), cell(&choice.value));
        }
        for division in &self.divisions {
            let (dividend, value) = (cell(&division.dividend), cell(&division.value));
            let operation = division.operation.word();
            let _ = writeln!(out, "    {dividend} {operation} 0 is taken to be {value}");
        }
    }

    /// All flows at all steps, side by side.
    #[must_use]
    pub fn table(&self) -> String {
        let mut out = String::new();
        let names = self.rows().map(|(_, r)| printable(&r.name).chars().count() + 2);
        let names = names.max().unwrap_or(4).max(5);
        let wide = |step: usize| {
            let cells = self.rows().map(|(_, row)| cell(&row.values[step]).chars().count());
            cells.max().unwrap_or(1).max(step.to_string().len()) + 2
        };
        let widths: Vec<usize> = (0..self.steps).map(wide).collect();
        let _ = write!(out, "{:<names$}", "step");
        for (step, w) in widths.iter().enumerate() {
            let _ = write!(out, "{step:>w$}");
        }
        out.push('\n');
        for instance in self.instances.iter().filter(|i| !i.streams.is_empty()) {
            let _ = writeln!(out, "-- {}", printable(instance.title()));
            for row in &instance.streams {
                let _ = write!(out, "  {:<w$}", printable(&row.name), w = names - 2);
                for (value, w) in row.values.iter().zip(&widths) {
                    let _ = write!(out, "{:>w$}", cell(value));
                }
                out.push('\n');
            }
        }
        out
    }
}

/// The flows of all instances at the steps of a block.
fn write_block(
    out: &mut String,
    instances: &[(&InstanceRows, Vec<&Row>)],
    block: &Cells,
    names: usize,
    style: Style,
) {
    let _ = write!(out, "\n  {:<w$}", "step", w = names - 2);
    for (step, w) in block.steps.clone().zip(&block.widths) {
        let _ = write!(out, "{}", style.paint(Style::BOLD, &format!("{step:>w$}")));
    }
    out.push('\n');
    for (instance, rows) in instances {
        let title = format!("-- {}", printable(instance.title()));
        let _ = writeln!(out, "  {}", style.paint(Style::DIM, &title));
        for row in rows {
            let _ = write!(out, "    {:<w$}", printable(&row.name), w = names - 4);
            for (step, w) in block.steps.clone().zip(&block.widths) {
                let text = cell(&row.values[step]);
                let _ = match (changed(row, step), style) {
                    (true, Style::Colour) => {
                        write!(out, "{}", style.paint(Style::YELLOW, &format!("{text:>w$}")))
                    }
                    (true, Style::Plain) => write!(out, "{:>w$}", format!("*{text}")),
                    (false, _) => write!(out, "{text:>w$}"),
                };
            }
            out.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execution::RowType;

    /// Of many flows the first are shown, and how many are missing is said.
    #[test]
    fn what_is_left_out_is_counted() {
        let row = |i: usize| Row {
            name: format!("flow{i}"),
            role: RowRole::Local,
            ty: RowType::Bool,
            relevant: true,
            values: vec![true.into()],
        };
        let instance = |path: &str, rows: std::ops::Range<usize>| InstanceRows {
            path: path.into(),
            node: "n".into(),
            streams: rows.map(row).collect(),
        };
        let table = Execution {
            steps: 1,
            instances: vec![instance("", 0..3), instance("a", 3..7)],
            choices: Vec::new(),
            divisions: Vec::new(),
        };
        let text =
            |rows| table.blocks(Style::Plain, 80, Most { blocks: 1, rows, inputs_first: false });
        assert!(text(7).contains("flow6") && !text(7).contains("more flows"));
        let short = text(4);
        assert!(short.contains("flow3") && !short.contains("flow4"), "{short}");
        assert!(short.contains("… and 3 more flows"), "{short}");
        assert!(!text(3).contains("flow3") && text(3).contains("… and 4 more flows"));
    }
}
