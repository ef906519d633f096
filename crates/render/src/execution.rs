//! Executions as people and other programs see them: one model, from which all
//! forms are made, whether it is a counterexample or a simulation.

mod datum;
mod files;
mod part;
mod structured;
mod read;
mod table;
mod trace;
mod vcd;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use datum::Datum;
pub use structured::{Flow, flows, whole};
pub use table::{Cells, Most, cell, columns, shown};
pub use trace::Begin;

/// An execution, by instance and flow.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Execution {
    /// The number of steps.
    #[schemars(range(min = 1))]
    pub steps: usize,
    /// The instances, the checked node first.
    pub instances: Vec<InstanceRows>,
    /// The arbitrary values that the execution relies on; for steps that begin
    /// in some state, also what that state remembers.
    pub choices: Vec<Choice>,
    /// What divisions by zero gave.
    pub divisions: Vec<Division>,
}

impl Execution {
    /// All flows, with their instances.
    fn rows(&self) -> impl Iterator<Item = (&InstanceRows, &Row)> {
        self.instances.iter().flat_map(|i| i.streams.iter().map(move |row| (i, row)))
    }
}

/// The flows of an instance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct InstanceRows {
    /// Its path below the checked node; empty for that node itself.
    pub path: String,
    /// The name of its node.
    pub node: String,
    /// Its flows.
    pub streams: Vec<Row>,
}

impl InstanceRows {
    /// What stands above its flows: the path, or of the checked node its name.
    #[must_use]
    pub fn title(&self) -> &str {
        if self.path.is_empty() { &self.node } else { &self.path }
    }

    /// The name of a flow, with the path.
    fn full_name(&self, row: &Row) -> String {
        if self.path.is_empty() { row.name.clone() } else { format!("{}.{}", self.path, row.name) }
    }
}

/// A flow.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// What it is to its node.
    pub role: RowRole,
    /// The kind of its values.
    #[serde(rename = "type")]
    pub ty: RowType,
    /// Whether the property depends on it.
    pub relevant: bool,
    /// Its value at each step.
    pub values: Vec<Datum>,
}

/// What a flow is to its node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RowRole {
    /// It is given.
    Input,
    /// It is returned.
    Output,
    /// Nobody else sees it.
    Local,
}

impl RowRole {
    /// All of them.
    pub const ALL: [RowRole; 3] = [RowRole::Input, RowRole::Output, RowRole::Local];

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            RowRole::Input => "input",
            RowRole::Output => "output",
            RowRole::Local => "local",
        }
    }
}

/// The kind of the values of a flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RowType {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Rational numbers.
    Real,
    /// Names.
    Enum,
}

impl RowType {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            RowType::Bool => "bool",
            RowType::Int => "int",
            RowType::Real => "real",
            RowType::Enum => "enum",
        }
    }
}

/// An arbitrary first value of a `pre`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Choice {
    /// What it is the first value of.
    pub name: String,
    /// The value.
    pub value: Datum,
}

/// What a division by zero gave.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Division {
    /// The operation.
    pub operation: DivisionOperation,
    /// What was divided.
    pub dividend: Datum,
    /// What came out.
    pub value: Datum,
}

/// An operation that divides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub enum DivisionOperation {
    /// Of reals.
    #[serde(rename = "/")]
    Real,
    /// The integer quotient.
    #[serde(rename = "div")]
    Div,
    /// The remainder.
    #[serde(rename = "mod")]
    Mod,
}

impl DivisionOperation {
    /// As it stands in a program.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            DivisionOperation::Real => "/",
            DivisionOperation::Div => "div",
            DivisionOperation::Mod => "mod",
        }
    }
}
