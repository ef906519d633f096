//! The run time that all stages share: how work is stopped, on which threads it
//! runs, whose turn it is, and where the time goes.
//!
//! This crate knows neither Lustre nor terms nor solvers.

mod cancel;
pub mod profile;
pub mod schedule;
mod threads;

pub use cancel::{Cancel, Cause, Interrupter};
pub use profile::Profile;
pub use schedule::Schedule;
pub use threads::spawn;
