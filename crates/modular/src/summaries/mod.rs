//! Summaries: what was learned of a node, for those who know the node by its
//! interface only.
//!
//! There are two forms. To callers whose calls are cut it is said as predicates
//! about the flows of the interface, now and before (`interface.rs`). As
//! definitions of the predicates of Horn clauses it is said of a first step, of
//! a later step and of the states between (`definitions.rs`). Both leave out what
//! follows from the rest (`thin.rs`). Neither is trusted: `certify` checks what is
//! made of them.

mod definitions;
mod interface;
mod thin;

pub use definitions::{Summary, summaries};
pub use interface::{defined_outputs, summary, visible_constraints};
pub use thin::thin;
