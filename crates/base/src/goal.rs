//! What is wanted of a property.

use serde::{Deserialize, Serialize};

/// What is wanted of a property. It is always the same search: for a proof that it
/// holds at every step, or an execution at whose last step it does not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Goal {
    /// That it always holds.
    #[default]
    Always,
    /// That its opposite is reached at some step of some execution.
    Reachable,
    /// The same, where nobody asked for the execution: the opposite is a condition
    /// that something else depends on, which would say nothing without it.
    Occurs,
}
