//! What all stages share: typed ids, sorts, hashes, random numbers, numbers as text, names
//! that were perhaps meant; and the run time, how work is stopped, on which threads it
//! runs, whose turn it is, and where the time goes.
//!
//! This crate knows neither Lustre nor terms nor solvers: of a program it knows
//! only that its parts have numbers.

pub mod as_text;
mod bounds;
mod cancel;
pub mod decimal;
mod digest;
mod fault;
mod goal;
pub mod ids;
mod limit;
pub mod profile;
pub mod random;
pub mod schedule;
mod similar;
pub mod sort;
mod threads;

pub use bounds::Bounds;
pub use cancel::{Cancel, Cause, Interrupter};
pub use digest::Digest;
pub use goal::Goal;
pub use ids::{CallId, ConstId, EnumId, ExprId, InstanceId, NodeId, ScopeId, StreamId, TypeId};
pub use limit::{End, Limit, Limited};
pub use profile::Profile;
pub use random::Random;
pub use schedule::Schedule;
pub use similar::similar;
pub use sort::Sort;
pub use threads::{side_by_side, spawn, try_spawn};

/// The automaton whose transitions a flow that no declaration has says, by its name.
/// Declared flows have no blanks in their names.
#[must_use]
pub fn transitions_of(name: &str) -> Option<&str> {
    name.strip_suffix(" until").or_else(|| name.strip_suffix(" unless"))
}
