//! What a model of a formula says about other models: literals that it satisfies and
//! that imply the formula (implicants), the same without some variables (model-based
//! projection), and terms that can stand for these variables (witnesses).
//!
//! This crate knows terms and their values, and nothing of solvers.

mod implicant;
mod linear;
mod project;
mod witness;

pub use implicant::{Valuation, Values, comparison, implicant};
pub use linear::{Form, Literal, Relation, rational};
pub use project::project;
pub use witness::{Witness, opaque, witnesses};
