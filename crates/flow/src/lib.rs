//! From a kernel program to its transition system.
//!
//! Each flow of each instance is a variable defined by its equation; clock
//! scopes become flags, `->` and `pre` choices on these flags and memories. The
//! encoding is trusted: the certificate of a proof speaks of the system, not of
//! the program. So it is tested against the definition of the kernel on random
//! kernel programs (here), and against the interpreter on random programs.
//!
//! This crate knows nothing of solvers and engines.

mod calls;
mod clocks;
mod conditions;
mod delays;
mod encode;
mod expressions;
mod operators;
mod order;

pub use calls::{called_first, places};
pub use encode::{encode, encode_candidates, encode_with_conditions};
