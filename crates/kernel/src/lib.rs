//! The kernel language: what is left of a program when everything but scalar
//! equations is gone (a normalised intermediate language, as NLustre is in
//! Vélus).
//!
//! A kernel node has scalar flows with one equation each, calls, constraints
//! and obligations. Each of these stands in a *clock scope* ([`scope`] says what
//! that means), so that clocked calls, resets, blocks and automata are scopes,
//! and nothing in the equations. Records, tuples and arrays are scalar flows
//! with a [`shape`] beside them.
//!
//! The stage is trusted: `translate` makes a kernel program of a typed one, and
//! `flow` encodes it. The interpreter does not come here, it runs the typed
//! program, so a mistake in the translation is a difference between the two.
//! [`lint`] checks what a translation must keep to.
//!
//! This crate knows nothing of terms, transition systems or solvers.

mod clocked;
mod dump;
mod expand;
mod expr;
mod ids;
mod layout;
mod lint;
mod program;
pub mod scope;
pub mod shape;
mod translate;
mod types;

pub use dump::dump;
pub use expr::{Expr, ExprKind, Exprs};
pub use ids::{ExprId, FlowId, ScopeId, ShapeId};
pub use lint::{Mistake, lint};
pub use program::{
    Call, Candidate, Candidates, Claim, Clocked, Constant, Constraint, Flow, FlowKind, Node,
    Obligation, Program,
};
pub use scope::Scope;
pub use shape::{Row, Shape, Shapes};
pub use translate::translate;
pub use types::{Enumeration, Sort, Type, enumeration};
