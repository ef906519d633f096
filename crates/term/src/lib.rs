//! Terms: formulas and arithmetic over variables, interned in an arena.
//!
//! A term is an index ([`TermId`]); equal terms have equal indices, operands
//! have smaller indices than their users. It is a value, a variable, or an
//! [`Operator`] applied to operands, and whatever is to be known of an operator
//! stands in its [`Entry`] of one table. Constructors rewrite: what comes out
//! is equal to what was asked for, and simpler where that is cheap to see.
//!
//! This crate knows nothing of programs, of time steps or of solvers; of Lustre it knows
//! how terms are written.

mod value;
mod operator;
mod operators;
mod term;
mod layers;
mod arena;
mod order;
mod linear;
mod construct;
mod evaluate;
mod translate;
mod show;
pub mod strength;
mod portable;
mod smtlib;

pub use arena::Terms;
pub use evaluate::{Evaluator, Interpretation, Partial, ZeroMeaning};
pub use linear::LinearForm;
pub use lustral_base::ids::EnumId;
pub use lustral_base::sort::{ArraySort, BitVec, Enumeration, Scalar, Sort, SortId};
pub use lustral_base::{End, Limit, Limited};
pub use operator::{Arity, Entry, Function, FunctionId, Notation, Operator, Smtlib};
pub use order::post_order;
pub use portable::InvalidTerms;
pub use show::{Names, show_term, show_value};
pub use smtlib::{index_sort_name, sort_name, tuple_declaration, tuple_name};
pub use term::{Term, TermId, VarId};
pub use translate::Translation;
pub use value::{Array, Value, indices};
