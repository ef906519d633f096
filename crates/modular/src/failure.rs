//! Why nothing is known of a node.

use lustral_certify::{Hidden, Rejected};
use lustral_engines::Failure;

use crate::Blocked;

/// Why nothing is known of a node, or of what nodes are given.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Unlearned {
    /// The learner failed.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// It panicked.
    #[error("learning panicked")]
    Panicked,
    /// The node calls itself.
    #[error("it waits for itself")]
    Recursive,
    /// Its assertions, or those of what it calls, end every execution.
    #[error("{}", .0.reason(.1))]
    Blocked(Blocked, String),
    /// What was learned did not pass its check.
    #[error("what was learned did not pass its check: {0}")]
    Rejected(#[from] Rejected),
    /// It rests on what is known of another node, and that is nothing.
    #[error("it rests on `{0}`, of which nothing is known")]
    RestsOn(String),
}

/// Why nothing is known of what nodes are given.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoPreconditions {
    /// A solver cannot tell.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// The model of a solver is none.
    #[error("the solver's model refutes nothing that is given")]
    Useless,
    /// A call is given something that its caller cannot see.
    #[error(transparent)]
    Hidden(#[from] Hidden),
    /// There was always more to weaken.
    #[error("what nodes are given does not settle")]
    Unsettled,
    /// They did not pass their check.
    #[error(transparent)]
    Rejected(#[from] Rejected),
}
