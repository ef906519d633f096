//! Systems as constrained Horn clauses: flattened to one predicate, or node by
//! node with a pair of predicates for each.
//!
//! Clauses are plain data here, with their text in two dialects. Nothing in
//! this crate solves anything: engines ask a solver, and what it says of the
//! predicates is checked by `certify`, clause by clause.

mod answer;
mod body;
mod clauses;
mod flat;
mod functions;
mod linear;
mod model;
mod mono;
mod restate;
mod rules;
mod select;
mod text;
mod unfold;

pub use answer::{Definition, definitions};
pub use clauses::{Application, Argument, Clause, Clauses, Signature};
pub use flat::{Flat, STATE, slice};
pub use functions::Misread;
pub use model::Model;
pub use mono::{between_steps, given_main, lift, without_arguments};
pub use restate::{About, restate};
pub use rules::{ModularClauses, NodePredicates, Place};
pub use select::{NoProperty, Selection};
pub use text::{smt2, z3_rules};
pub use unfold::{Derivation, Link, derivations};
