//! First-order logic over finite structures: signatures, formulas with quantifiers about one
//! state or two, structures as tables, what a formula says of them, and formulas written out
//! for given sizes as circuits.
//!
//! This crate knows neither protocols nor Lustre nor solvers. Two things in it say what a
//! formula means at a given size, and they share no code: [`States::holds`], which decides it
//! in a structure, and [`Grounder`], which writes it out. Tests compare them.

mod signature;
mod formula;
mod print;
mod substitute;
mod structure;
mod evaluate;
mod circuit;
mod ground;

pub use circuit::{Circuit, Gate, GateId};
pub use evaluate::{Assignment, States};
pub use formula::{Application, DEEPEST, Formula, Moment, Quantifier, Term, VarId, Variable};
pub use ground::{Ground, Grounder, Leaves, TooLarge};
pub use print::{Shown, ShownTerm};
pub use signature::{Signature, SortId, Symbol, SymbolId};
pub use structure::{Structure, Tuples, Universe};
