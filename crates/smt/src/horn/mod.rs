//! Constrained Horn clauses, solved by Z3's Spacer.
//!
//! Spacer can fail an internal assertion, ignore its time limit or use up the
//! memory, so it runs in a worker process: what it is asked and what it answers
//! is text here, and whoever starts the worker may kill it at any time.

mod protocol;
#[allow(unsafe_code)]
mod spacer;

pub use protocol::{HornAnswer, HornQuery, Unsolved};
pub use spacer::solve;
