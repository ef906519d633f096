//! What of a contract a verdict is about.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kind of item of a contract.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContractItem {
    /// An assumption of a called node, at its call.
    Assumption,
    /// A guarantee.
    Guarantee,
    /// What a mode ensures, where it applies.
    Mode,
    /// That some mode applies at every step.
    Modes,
    /// That a mode applies at some step.
    ModeReachable,
}
