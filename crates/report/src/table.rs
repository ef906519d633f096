//! Counterexamples as tables for a terminal.

use crate::escape::printable;
use crate::model::{Datum, InstanceRows, Row, TraceTable};

/// A table cut into blocks of columns that fit a width.
#[derive(Clone, Debug)]
pub struct Cells {
    /// The steps of the block.
    pub steps: std::ops::Range<usize>,
    /// The width of each of its columns.
    pub widths: Vec<usize>,
}

/// The text of a value.
pub(crate) fn cell(value: &Datum) -> String {
    match value {
        Datum::Text(text) => printable(text),
        other => other.to_string(),
    }
}

/// Whether a value differs from the one of the step before.
pub(crate) fn changed(row: &Row, step: usize) -> bool {
    step > 0 && row.values[step] != row.values[step - 1]
}

/// The rows that are shown: those that the property depends on, by instance.
pub(crate) fn shown(table: &TraceTable) -> Vec<(&InstanceRows, Vec<&Row>)> {
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

/// The blocks of columns that fit a width, beside a first column for names.
#[must_use]
pub fn columns(table: &TraceTable, width: usize, names: usize) -> Vec<Cells> {
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
