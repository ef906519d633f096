//! Executions of protocols: what never changes, and the states as tables.

use std::fmt::Write;

use lustral_first_order::{Structure, SymbolId};
use lustral_protocol::{HIDDEN, Protocol, Replayed};
use lustral_render::{Style, printable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::About;

/// An execution of a protocol.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ProtocolExecution {
    /// What never changes.
    pub immutable: Vec<TableEvent>,
    /// The states, the first one first.
    pub states: Vec<StateEvent>,
}

/// A state of an execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct StateEvent {
    /// The transition by which it was entered; absent for the first state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transition: Option<String>,
    /// The elements that the transition was taken for.
    pub arguments: Vec<String>,
    /// What may change.
    pub tables: Vec<TableEvent>,
}

/// What a relation or a function is in a state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TableEvent {
    /// Its name.
    pub name: String,
    /// The number of its arguments.
    pub arity: usize,
    /// The tuples of a relation; of a function the tuples of its arguments, each followed by the
    /// value.
    pub rows: Vec<Vec<String>>,
    /// Whether it is a function.
    pub function: bool,
}

impl ProtocolExecution {
    pub(super) fn new(protocol: &Protocol, replayed: &Replayed) -> ProtocolExecution {
        let execution = replayed.execution();
        let tables = |state: &Structure, immutable: bool| {
            let shown = protocol.signature.symbols().filter(|(_, s)| !s.name.starts_with(HIDDEN));
            let symbols = shown.map(|(id, _)| id);
            let wanted = symbols.filter(|id| protocol.is_immutable(*id) == immutable);
            wanted.map(|id| table(protocol, state, id)).collect()
        };
        let mut states = vec![StateEvent {
            transition: None,
            arguments: Vec::new(),
            tables: tables(&execution.first, false),
        }];
        for step in &execution.steps {
            let transition = &protocol.transitions[step.by.transition];
            let arguments = transition.parameters.iter().zip(&step.by.arguments);
            states.push(StateEvent {
                transition: Some(transition.name.clone()),
                arguments: arguments.map(|(p, e)| element(protocol, p.sort, *e)).collect(),
                tables: tables(&step.state, false),
            });
        }
        ProtocolExecution { immutable: tables(&execution.first, true), states }
    }

    /// What never changes, the first state, and of each step what it changes.
    pub(super) fn text(&self, about: About, style: Style, out: &mut String) {
        let mut block = |title: &str, tables: &[String]| {
            let _ = writeln!(out, "  {}", style.paint(Style::BOLD, &printable(title)));
            for table in tables {
                let _ = writeln!(out, "    {}", printable(table));
            }
        };
        if !self.immutable.is_empty() {
            block(
                "never changes",
                &self.immutable.iter().map(TableEvent::text).collect::<Vec<_>>(),
            );
        }
        let mut before: Option<&StateEvent> = None;
        for (i, state) in self.states.iter().enumerate() {
            let by = match &state.transition {
                // A theorem is of all states: nothing leads from one to the other.
                None if about == About::Theorem => "a state".to_string(),
                Some(_) if about == About::Theorem => "another state".to_string(),
                None => "first state".to_string(),
                Some(name) => format!("{name}({})", state.arguments.join(", ")),
            };
            let changed = |table: &TableEvent| match before {
                None => Some(table.text()),
                Some(before) if before.tables.contains(table) => None,
                Some(before) => {
                    let was = before.tables.iter().find(|old| old.name == table.name);
                    Some(was.and_then(|was| table.since(was)).unwrap_or_else(|| table.text()))
                }
            };
            let tables: Vec<String> = state.tables.iter().filter_map(changed).collect();
            block(&format!("state {i}: {by}"), &tables);
            before = Some(state);
        }
    }
}

/// A table with more rows is not shown again for a few that changed.
const MOST_ROWS: usize = 6;

impl TableEvent {
    /// Where the table is large: only the rows that are not as they were.
    fn since(&self, was: &TableEvent) -> Option<String> {
        let new: Vec<&Vec<String>> = self.rows.iter().filter(|r| !was.rows.contains(r)).collect();
        // What a function was for the same arguments is not gone: it has another value.
        let gone = |row: &&Vec<String>| !self.function && !self.rows.contains(row);
        let gone: Vec<&Vec<String>> = was.rows.iter().filter(gone).collect();
        let same = self.rows.len() - new.len();
        if self.rows.len().max(was.rows.len()) <= MOST_ROWS || same <= new.len() + gone.len() {
            return None;
        }
        let mut parts = Vec::new();
        if !new.is_empty() {
            let word = if self.function { "now" } else { "new" };
            let rows = joined(new.iter().map(|row| self.row(row)));
            parts.push(format!("{word} {{{rows}}}"));
        }
        if !gone.is_empty() {
            parts.push(format!("gone {{{}}}", joined(gone.iter().map(|row| self.row(row)))));
        }
        let rest = if same == 1 { "1 row stays".into() } else { format!("{same} rows stay") };
        Some(format!("{}: {}; {rest}", self.name, parts.join(", ")))
    }

    /// A row for people.
    fn row(&self, row: &[String]) -> String {
        match row.split_last() {
            Some((value, arguments)) if self.function => format!("{} -> {value}", tuple(arguments)),
            _ => tuple(row),
        }
    }

    fn text(&self) -> String {
        let name = &self.name;
        match (&self.rows[..], self.function) {
            ([], false) if self.arity == 0 => format!("!{name}"),
            (_, false) if self.arity == 0 => name.clone(),
            (rows, false) => format!("{name} = {{{}}}", joined(rows.iter().map(|row| tuple(row)))),
            ([row], true) if self.arity == 0 => format!("{name} = {}", tuple(row)),
            (rows, true) => {
                format!("{name} = {{{}}}", joined(rows.iter().map(|row| self.row(row))))
            }
        }
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

fn tuple(parts: &[String]) -> String {
    match parts {
        [one] => one.clone(),
        _ => format!("({})", parts.join(", ")),
    }
}

/// A name for an element: its sort and a number.
fn element(protocol: &Protocol, sort: lustral_first_order::SortId, number: u32) -> String {
    format!("{}{number}", protocol.signature.sort(sort))
}

fn table(protocol: &Protocol, state: &Structure, id: SymbolId) -> TableEvent {
    let symbol = protocol.signature.symbol(id);
    let tuples = state.universe().tuples(&symbol.arguments).enumerate();
    let mut rows = Vec::new();
    for (position, tuple) in tuples {
        let named = symbol.arguments.iter().zip(tuple).map(|(s, e)| element(protocol, *s, e));
        let mut row: Vec<String> = named.collect();
        match symbol.result {
            Some(sort) => row.push(element(protocol, sort, state.value_at(id, position))),
            None if !state.holds_at(id, position) => continue,
            None => {}
        }
        rows.push(row);
    }
    TableEvent {
        name: symbol.name.to_string(),
        arity: symbol.arguments.len(),
        rows,
        function: symbol.result.is_some(),
    }
}
