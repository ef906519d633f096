//! From a typed program to its transition system.
//!
//! Each flow of each instance is a variable defined by its equation; `->` and
//! `pre` become choices on the flag of the first step and memories. The
//! encoding is trusted: the certificate of a proof speaks of the system, not of
//! the program. So it is tested against the interpreter on random programs.
//!
//! This crate knows nothing of solvers and engines.

mod encode;
mod expressions;
mod modular;

pub use encode::{encode, encode_candidates};
pub use modular::{called_first, free_inputs, modular};
