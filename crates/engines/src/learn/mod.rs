//! Learning invariants: the Houdini family.

mod abducts;
mod affine;
mod bounds;
mod calls;
mod comparison;
mod consecution;
mod cut;
mod features;
pub mod h_houdini;
pub mod houdini;
mod learner;
mod nodes;
mod number;
mod oracle;
mod order;
mod pool;
mod preconditions;
mod schedule;
pub mod sorcar;
mod summaries;
mod templates;
#[cfg(test)]
pub(crate) mod tests;
mod triples;
mod walk;

pub(crate) use affine::Affine;
pub(crate) use features::value_atoms;
pub(crate) use number::Number;
pub(crate) use walk::Walk;

pub use calls::{CallObligation, Layers, Refined};
pub use cut::NodeSystem;
pub use nodes::{LearnOptions, NodeInvariants, learn_node, learn_nodes, node_system};
pub use preconditions::refine_nodes;
pub use summaries::{Summary, defined_outputs, summaries, summary, thin, visible_constraints};
pub use templates::TEMPLATES;
pub use templates::{Options, Templates};
