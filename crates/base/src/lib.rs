//! What all stages share: typed ids, hashes; and the run time, how work is stopped,
//! on which threads it runs, whose turn it is, and where the time goes.
//!
//! This crate knows neither Lustre nor terms nor solvers: of a program it knows
//! only that its parts have numbers.

mod cancel;
mod digest;
pub mod ids;
pub mod profile;
pub mod schedule;
mod threads;

pub use cancel::{Cancel, Cause, Interrupter};
pub use digest::Digest;
pub use ids::{CallId, ConstId, EnumId, ExprId, InstanceId, NodeId, StreamId, TypeId};
pub use profile::Profile;
pub use schedule::Schedule;
pub use threads::spawn;
