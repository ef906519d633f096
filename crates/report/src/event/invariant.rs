//! Lines about what nodes guarantee.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An invariant of a node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct InvariantEvent {
    /// The file of the program.
    pub file: String,
    /// The node.
    pub node: String,
    /// An expression of Lustre in the scope of the node that is true at every step.
    pub expression: String,
    /// What it rests on, if every call of the node establishes that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
}

/// Of `invariants --modular`: a part of the definition of a predicate of a node.
/// The definition is the conjunction of its parts; one without parts is true.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ModularInvariantEvent {
    /// The file of the program.
    pub file: String,
    /// The node.
    pub node: String,
    /// The predicate.
    pub predicate: ModularPredicate,
    /// An expression of Lustre in the scope of the node that is true at every
    /// step; null if it speaks of the states of calls.
    pub expression: Option<String>,
    /// With names for what has none in Lustre; x' is the value after the step.
    pub formula: String,
    /// Whether the expression speaks of inputs and outputs only, as a contract does.
    pub interface: bool,
}

/// A predicate of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub enum ModularPredicate {
    /// The first step.
    I,
    /// The later steps.
    T,
    /// The states that are reached.
    Inv,
    /// Of the root: every step.
    Main,
}

/// With --modular --minimise: how many numbers and bits the state of a node has,
/// and how many of them its summary speaks of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RankEvent {
    /// The file of the program.
    pub file: String,
    /// The node.
    pub node: String,
    /// Numbers and bits of the whole state.
    pub state: [usize; 2],
    /// Those that the summary speaks of.
    pub said: [usize; 2],
    /// No summaries of a lower rank, summed over the nodes below the root, would
    /// do for the same `Main`, by the word of the solver.
    pub smallest: bool,
}
