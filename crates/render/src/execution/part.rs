//! Some values of an execution, by themselves: what made something fail.

use std::fmt::Write;
use std::ops::Range;

use lustral_system::{Origin, Question, Role, Stream, Trace, TransitionSystem};
use lustral_term::VarId;
use rustc_hash::FxHashSet;

use super::trace::{divisions, row};
use super::{Choice, Datum, Execution, InstanceRows, Row, cell};
use crate::escape::printable;
use crate::style::Style;

/// More rows than this are not shown, nor more blocks of steps.
const MOST_ROWS: usize = 16;
const MOST_BLOCKS: usize = 2;

impl Execution {
    /// Some values of a trace: inputs and choices, by step, and what some divisions by zero gave. The
    /// rows are those of their flows, with no value at other steps; a choice that is the value of no flow is
    /// among the choices.
    #[must_use]
    pub fn part(
        system: &TransitionSystem,
        trace: &Trace,
        values: &[(usize, VarId)],
        questions: &[Question],
    ) -> Execution {
        let chosen: FxHashSet<(usize, VarId)> = values.iter().copied().collect();
        let vars: FxHashSet<VarId> = values.iter().map(|(_, var)| *var).collect();
        let mut shown = FxHashSet::default();
        let mut instances = Vec::new();
        for instance in &system.instances {
            let streams = instance.streams.iter().filter(|stream| stream.is_shown());
            let rows: Vec<Row> = streams
                .filter_map(|stream| {
                    let var = free(system, stream).filter(|var| vars.contains(var))?;
                    shown.insert(var).then(|| {
                        let mut row = row(system, true, trace, stream);
                        for (step, value) in row.values.iter_mut().enumerate() {
                            if !chosen.contains(&(step, var)) {
                                *value = Datum::Absent;
                            }
                        }
                        row
                    })
                })
                .collect();
            if !rows.is_empty() {
                let (path, node) = (instance.path.clone(), instance.node.clone());
                instances.push(InstanceRows { path, node, streams: rows });
            }
        }
        let once = system.is_on_one_clock();
        let choices = values.iter().filter(|(_, var)| !shown.contains(var)).map(|(step, var)| {
            let variable = system.variable(*var);
            let is_first = once && matches!(variable.origin, Origin::FirstValue { .. });
            let at = if is_first { String::new() } else { format!(" at step {step}") };
            let name = format!("{}{at}", variable.name);
            Choice { name, value: Datum::new(system, trace.value(*step, *var)) }
        });
        let choices = choices.collect();
        let mut few = Trace { steps: Vec::new(), answers: trace.answers.clone() };
        few.answers.0.retain(|question, _| questions.contains(question));
        Execution { steps: trace.len(), instances, choices, divisions: divisions(system, &few) }
    }
}

/// The input or choice that a flow is. What a call is given is shown where it comes from.
fn free(system: &TransitionSystem, stream: &Stream) -> Option<VarId> {
    let role = |var: VarId| system.variable(var).role;
    match role(stream.var) {
        Role::Input | Role::Choice => Some(stream.var),
        Role::Defined(term) => system.terms.var(term).filter(|var| role(*var) == Role::Choice),
        Role::Memory => None,
    }
}

/// Steps at which all rows have the same values, one after the other.
struct Column {
    steps: Range<usize>,
    cells: Vec<String>,
}

impl Column {
    fn title(&self) -> String {
        let (first, last) = (self.steps.start, self.steps.end - 1);
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    }

    fn width(&self) -> usize {
        let cells = self.cells.iter().map(|cell| cell.chars().count());
        cells.max().unwrap_or(0).max(self.title().len()) + 2
    }
}

/// The steps of some rows; those at which none has a value are left out.
fn columns(rows: &[&Row], steps: usize) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for step in 0..steps {
        let cells: Vec<String> = rows.iter().map(|row| cell(&row.values[step])).collect();
        match columns.last_mut() {
            Some(last) if last.steps.end == step && last.cells == cells => last.steps.end += 1,
            _ => columns.push(Column { steps: step..step + 1, cells }),
        }
    }
    columns.retain(|column| column.cells.iter().any(|cell| !cell.is_empty()));
    columns
}

impl Execution {
    /// Few values as a table for a terminal: only the steps that have some, those with the same values
    /// together.
    #[must_use]
    pub fn few(&self, style: Style, width: usize) -> String {
        let mut out = String::new();
        let all: Vec<(String, &Row)> = self
            .instances
            .iter()
            .flat_map(|i| i.streams.iter().map(|row| (printable(&i.full_name(row)), row)))
            .collect();
        let shown = &all[..all.len().min(MOST_ROWS)];
        let rows: Vec<&Row> = shown.iter().map(|(_, row)| *row).collect();
        let names = shown.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(4);
        let mut left = columns(&rows, self.steps).into_iter().peekable();
        for _ in 0..MOST_BLOCKS {
            let mut block: Vec<Column> = Vec::new();
            let mut used = names + 4;
            while let Some(next) = left.next_if(|c| block.is_empty() || used + c.width() <= width) {
                used += next.width();
                block.push(next);
            }
            if block.is_empty() {
                break;
            }
            let _ = write!(out, "    {:<names$}", "step");
            for column in &block {
                let title = format!("{:>w$}", column.title(), w = column.width());
                let _ = write!(out, "{}", style.paint(Style::BOLD, &title));
            }
            out.push('\n');
            for (i, (name, _)) in shown.iter().enumerate() {
                if block.iter().all(|column| column.cells[i].is_empty()) {
                    continue;
                }
                let mut line = format!("    {name:<names$}");
                for column in &block {
                    let _ = write!(line, "{:>w$}", column.cells[i], w = column.width());
                }
                let _ = writeln!(out, "{}", line.trim_end());
            }
        }
        if let Some(next) = left.peek() {
            let _ = writeln!(
                out,
                "    … and more from step {} on (see --json or --html)",
                next.steps.start
            );
        }
        if all.len() > shown.len() {
            let more = all.len() - shown.len();
            let _ = writeln!(out, "    … and {more} more flows (see --json or --html)");
        }
        self.write_open(&mut out);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execution::{RowRole, RowType};

    fn given(name: &str, values: &[Option<i64>]) -> Row {
        let values = values.iter().map(|v| v.map_or(Datum::Absent, Datum::from)).collect();
        Row { name: name.into(), role: RowRole::Input, ty: RowType::Int, relevant: true, values }
    }

    fn table(streams: Vec<Row>) -> Execution {
        let steps = streams[0].values.len();
        let instances = vec![InstanceRows { path: String::new(), node: "n".into(), streams }];
        Execution { steps, instances, choices: Vec::new(), divisions: Vec::new() }
    }

    /// Steps with the same values are one column, and those without any are none.
    #[test]
    fn only_what_is_given_is_shown() {
        let a = given("a", &[Some(1), Some(1), None, None, Some(7)]);
        let b = given("b", &[Some(2), Some(2), None, Some(5), None]);
        let text = table(vec![a, b]).few(Style::Plain, 80);
        let expected = "    step  0-1  3  4\n    a       1     7\n    b       2  5\n";
        assert_eq!(text, expected);
    }

    /// However much is given, it is no more than a screen.
    #[test]
    fn much_is_cut() {
        let row = |i: i64| given(&format!("flow{i}"), &[Some(i), Some(i + 1), Some(i + 2)]);
        let text = table((0..40).map(row).collect()).few(Style::Plain, 14);
        assert!(text.lines().count() <= 2 * (MOST_ROWS + 1) + 2, "{text}");
        assert!(text.contains("… and more from step 2 on"), "{text}");
        assert!(text.contains("… and 24 more flows"), "{text}");
    }
}
