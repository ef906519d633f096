//! Terms: formulas and arithmetic over variables, interned in an arena.
//!
//! A term is an index ([`TermId`]); equal terms have equal indices, operands
//! have smaller indices than their users. Constructors rewrite: what comes out
//! is equal to what was asked for, and simpler where that is cheap to see.
//!
//! This crate knows nothing of Lustre, of time steps or of solvers.

mod arena;
mod evaluate;
mod layers;
mod rewrite;
mod show;
mod translate;
mod value;

pub use arena::{Op, TermId, Terms, VarId};
pub use evaluate::{DivisionByZero, Evaluator, NoDivisions, Partial};
pub use show::{show_term, show_value};
pub use translate::Translation;
pub use value::{Sort, Value};
