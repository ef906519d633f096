//! What is known of the properties of protocols.

use std::fmt::Write;

use lustral_certify::{Answer, Checked};
use lustral_first_order::{Shown, Structure, SymbolId, Universe};
use lustral_protocol::{Protocol, Replayed};
use lustral_quantified::Proved;
use lustral_render::{Style, printable};
use lustral_system::Reason;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::micro_if_any;
use crate::model::{RunInfo, Summary};

/// What a verdict about a protocol is about.
#[derive(Clone, Copy)]
pub struct ProtocolSubject<'a> {
    /// The file, as the user gave it.
    pub file: &'a str,
    /// The protocol, with what is to be shown.
    pub protocol: &'a Protocol,
    /// The number of the property among what is to be shown.
    pub property: usize,
    /// The line of the property.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A verdict about a property of a protocol. What is known in it comes from what was checked
/// only: a proof for all sizes, an execution that was replayed, or a checked answer about an
/// instance.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ProtocolVerdict {
    /// The file.
    pub file: String,
    /// The name of the property.
    pub property: String,
    /// Counted from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// Counted from 1.
    #[schemars(range(min = 1))]
    pub column: u32,
    // Not to be set from outside.
    #[serde(flatten)]
    outcome: ProtocolOutcome,
    /// The time from the start of the run; absent with --deterministic.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "micro_if_any")]
    #[schemars(with = "f64", range(min = 0.0))]
    pub seconds: Option<f64>,
}

/// The number of elements of a sort.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SortSize {
    /// The sort.
    pub sort: String,
    /// How many elements it has.
    pub size: u32,
}

/// What is known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum ProtocolOutcome {
    /// It holds of every state that can be reached, at every size.
    Valid {
        /// The inductive invariant, as a conjunction.
        invariant: Vec<String>,
        /// Who showed that it is one.
        solvers: Vec<String>,
        /// The folder of the certificate, if one was written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        folder: Option<String>,
    },
    /// It holds of every state that can be reached with these sizes, which are those that were asked
    /// for. Of other sizes this says nothing.
    HoldsAtSize {
        /// The sizes.
        sizes: Vec<SortSize>,
    },
    /// It fails.
    Falsifiable {
        /// The number of steps of the execution.
        step: usize,
        /// The sizes of its states.
        sizes: Vec<SortSize>,
        /// The execution.
        execution: ProtocolExecution,
    },
    /// There is no answer.
    Unknown {
        /// Why.
        reason: String,
        /// A stable name of the kind of reason.
        #[schemars(regex(pattern = "^[a-z][a-z_]*$"))]
        reason_code: String,
        /// The sizes at which it holds.
        holds_at: Vec<Vec<SortSize>>,
    },
}

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

/// The sizes of a universe, by the names of the sorts.
#[must_use]
pub fn sizes(protocol: &Protocol, universe: &Universe) -> Vec<SortSize> {
    let size = |sort| SortSize {
        sort: protocol.signature.sort(sort).to_string(),
        size: universe.size(sort),
    };
    protocol.signature.sort_ids().map(size).collect()
}

/// Sizes for people.
fn sizes_text(sizes: &[SortSize]) -> String {
    let parts: Vec<String> = sizes.iter().map(|s| format!("{} = {}", s.sort, s.size)).collect();
    if parts.is_empty() { "no sorts".into() } else { printable(&parts.join(", ")) }
}

impl ProtocolVerdict {
    fn new(subject: ProtocolSubject<'_>, outcome: ProtocolOutcome, run: &RunInfo) -> Self {
        ProtocolVerdict {
            file: subject.file.to_string(),
            property: subject.protocol.safety[subject.property].name.clone(),
            line: subject.line,
            column: subject.column,
            outcome,
            seconds: run.seconds,
        }
    }

    /// Of a proof for all sizes.
    ///
    /// # Panics
    /// If it is one of another property: showing it would be a wrong answer.
    #[must_use]
    pub fn valid(subject: ProtocolSubject<'_>, proved: &Proved, run: &RunInfo) -> Self {
        assert_eq!(proved.property(), subject.property, "a proof of another property");
        let signature = &subject.protocol.signature;
        let shown = |fact| Shown(signature, fact).to_string();
        let outcome = ProtocolOutcome::Valid {
            invariant: proved.facts().iter().map(shown).collect(),
            solvers: proved.solvers().to_vec(),
            folder: run.certificate.clone(),
        };
        Self::new(subject, outcome, run)
    }

    /// Of an execution that was replayed.
    ///
    /// # Panics
    /// If another property fails in it.
    #[must_use]
    pub fn falsifiable(subject: ProtocolSubject<'_>, replayed: &Replayed, run: &RunInfo) -> Self {
        assert_eq!(replayed.property(), subject.property, "an execution for another property");
        let protocol = subject.protocol;
        let execution = replayed.execution();
        let outcome = ProtocolOutcome::Falsifiable {
            step: execution.steps.len(),
            sizes: sizes(protocol, execution.first.universe()),
            execution: ProtocolExecution::new(protocol, replayed),
        };
        Self::new(subject, outcome, run)
    }

    /// Of a checked answer about the instance of the given sizes, in which the property has the
    /// same number. Nothing if the answer is not that it holds.
    #[must_use]
    pub fn holds_at(
        subject: ProtocolSubject<'_>,
        universe: &Universe,
        answer: &Checked<Answer>,
        run: &RunInfo,
    ) -> Option<Self> {
        let holds = matches!(answer.get(), Answer::Valid(_));
        let same = answer.property().index() == subject.property;
        let outcome = ProtocolOutcome::HoldsAtSize { sizes: sizes(subject.protocol, universe) };
        (holds && same).then(|| Self::new(subject, outcome, run))
    }

    /// Without an answer.
    #[must_use]
    pub fn unknown(
        subject: ProtocolSubject<'_>,
        reason: &Reason,
        holds_at: &[Universe],
        run: &RunInfo,
    ) -> Self {
        let seen = holds_at.iter().map(|universe| sizes(subject.protocol, universe)).collect();
        let outcome = ProtocolOutcome::Unknown {
            reason: reason.to_string(),
            reason_code: reason.code().to_string(),
            holds_at: seen,
        };
        Self::new(subject, outcome, run)
    }

    /// What is known.
    #[must_use]
    pub fn outcome(&self) -> &ProtocolOutcome {
        &self.outcome
    }

    /// Whether the property holds as far as was asked; none if that is not known.
    #[must_use]
    pub fn is_as_wanted(&self) -> Option<bool> {
        match self.outcome {
            ProtocolOutcome::Valid { .. } | ProtocolOutcome::HoldsAtSize { .. } => Some(true),
            ProtocolOutcome::Falsifiable { .. } => Some(false),
            ProtocolOutcome::Unknown { .. } => None,
        }
    }

    /// For people at a terminal; after another verdict, whose invariant need not be shown again.
    #[must_use]
    pub fn text(&self, style: Style, before: Option<&ProtocolVerdict>) -> String {
        let time = self.seconds.map(|s| format!(", {s:.2} s")).unwrap_or_default();
        let name = style.paint(Style::BOLD, &printable(&self.property));
        let (colour, word, how) = match &self.outcome {
            ProtocolOutcome::Valid { .. } => {
                (Style::GREEN, "valid", format!("(for all sizes{time})"))
            }
            ProtocolOutcome::HoldsAtSize { sizes } => {
                let sizes = sizes_text(sizes);
                (Style::GREEN, "holds", format!("(with {sizes} only{time})"))
            }
            ProtocolOutcome::Falsifiable { step, sizes, .. } => {
                let sizes = sizes_text(sizes);
                (Style::RED, "falsifiable", format!("(after {} with {sizes}{time})", steps(*step)))
            }
            ProtocolOutcome::Unknown { reason, .. } => {
                (Style::YELLOW, "unknown", format!("({})", printable(reason)))
            }
        };
        let how = style.paint(Style::DIM, &how);
        let mut out = format!("{} {name}  {how}\n", style.paint(colour, &format!("{word:<11}")));
        match &self.outcome {
            ProtocolOutcome::Valid { invariant, folder, .. } => {
                let same = |other: &ProtocolVerdict| match &other.outcome {
                    ProtocolOutcome::Valid { invariant: known, .. } => known == invariant,
                    _ => false,
                };
                let known = before.is_some_and(same);
                let which = if known { "the same" } else { "the" };
                let _ = writeln!(out, "  by {which} inductive invariant");
                for fact in invariant.iter().filter(|_| !known) {
                    let _ = writeln!(out, "    {}", printable(fact));
                }
                if let Some(folder) = folder {
                    let _ = writeln!(out, "  certificate written to {}", printable(folder));
                }
            }
            ProtocolOutcome::Falsifiable { execution, .. } => execution.text(style, &mut out),
            ProtocolOutcome::Unknown { holds_at, .. } => {
                if let Some(last) = holds_at.last() {
                    let more = if holds_at.len() > 1 { " and smaller ones" } else { "" };
                    let _ = writeln!(out, "  it holds with {}{more}", sizes_text(last));
                }
            }
            ProtocolOutcome::HoldsAtSize { .. } => {}
        }
        out
    }
}

impl Summary {
    /// Counts a verdict about a protocol.
    pub fn count_protocol(&mut self, verdict: &ProtocolVerdict) {
        *match verdict.is_as_wanted() {
            Some(true) => &mut self.valid,
            Some(false) => &mut self.falsifiable,
            None => &mut self.unknown,
        } += 1;
    }
}

fn steps(number: usize) -> String {
    if number == 1 { "1 step".into() } else { format!("{number} steps") }
}

impl ProtocolExecution {
    fn new(protocol: &Protocol, replayed: &Replayed) -> ProtocolExecution {
        let execution = replayed.execution();
        let tables = |state: &Structure, immutable: bool| {
            let symbols = protocol.signature.symbols().map(|(id, _)| id);
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
    fn text(&self, style: Style, out: &mut String) {
        let mut block = |title: &str, tables: &[&TableEvent]| {
            let _ = writeln!(out, "  {}", style.paint(Style::BOLD, &printable(title)));
            for table in tables {
                let _ = writeln!(out, "    {}", printable(&table.text()));
            }
        };
        if !self.immutable.is_empty() {
            block("never changes", &self.immutable.iter().collect::<Vec<_>>());
        }
        let mut before: Option<&StateEvent> = None;
        for (i, state) in self.states.iter().enumerate() {
            let by = match &state.transition {
                None => "first state".to_string(),
                Some(name) => format!("{name}({})", state.arguments.join(", ")),
            };
            let is_new = |table: &&TableEvent| before.is_none_or(|b| !b.tables.contains(table));
            let tables: Vec<&TableEvent> = state.tables.iter().filter(is_new).collect();
            block(&format!("state {i}: {by}"), &tables);
            before = Some(state);
        }
    }
}

impl TableEvent {
    fn text(&self) -> String {
        let name = &self.name;
        match (&self.rows[..], self.function) {
            ([], false) if self.arity == 0 => format!("!{name}"),
            (_, false) if self.arity == 0 => name.clone(),
            (rows, false) => format!("{name} = {{{}}}", joined(rows.iter().map(|row| tuple(row)))),
            ([row], true) if self.arity == 0 => format!("{name} = {}", tuple(row)),
            (rows, true) => {
                let row = |row: &Vec<String>| match row.split_last() {
                    Some((value, arguments)) => format!("{} -> {value}", tuple(arguments)),
                    None => String::new(),
                };
                format!("{name} = {{{}}}", joined(rows.iter().map(row)))
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
