//! Primal-dual Houdini: invariants from states, states from predicates.
//!
//! After Padon, Wilcox, Koenig, McMillan and Aiken, "Induction Duality: Primal-Dual Search for
//! Invariants" (POPL 2022): the paper's definitions (`duality.rs`) and its Algorithms 1 to 4
//! (`houdini.rs`, `search.rs`, `dual_solver.rs`), under its names, for whatever is a [`Domain`].
//! What a state is, what a predicate, and who answers questions about them is the domain's
//! business: this crate knows no programs, no protocols and no solvers.

mod duality;
mod dual_solver;
mod houdini;
mod search;
#[cfg(test)]
mod tests;

pub use dual_solver::dual_cti;
pub use duality::{
    Domain, InductionStep, Judged, PredicateId, Predicates, Separation, StateId, States, Transition,
};
pub use houdini::{needed_steps, reach_predicates};
pub use search::{Answer, PrimalDualHoudini, Tally};
