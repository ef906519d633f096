//! What all stages share: typed ids, numbers as text; and the run time, how work is stopped, on
//! which threads it runs, whose turn it is, and where the time goes.
//!
//! This crate knows neither Lustre nor terms nor solvers: of a program it knows
//! only that its parts have numbers.

mod cancel;
pub mod decimal;
pub mod ids;
pub mod profile;
pub mod schedule;
mod threads;

pub use cancel::{Cancel, Cause, Interrupter};
pub use ids::{CallId, ConstId, EnumId, ExprId, InstanceId, NodeId, StreamId};
pub use profile::Profile;
pub use schedule::Schedule;
pub use threads::spawn;
