//! Learning invariants: the Houdini family.

mod abducts;
mod affine;
mod bounds;
mod calls;
mod comparison;
mod consecution;
mod cut;
mod features;
mod h_houdini;
mod houdini;
mod learner;
mod nodes;
mod number;
mod oracle;
mod order;
mod pool;
mod preconditions;
mod schedule;
mod sorcar;
mod summaries;
mod templates;
#[cfg(test)]
pub(crate) mod tests;
mod triples;
mod walk;

pub(crate) use affine::Affine;
pub(crate) use number::Number;
pub(crate) use walk::Walk;

pub use calls::{CallObligation, Layers, Refined};
pub use cut::NodeSystem;
pub use h_houdini::HHoudini;
pub use houdini::Houdini;
pub use nodes::{LearnOptions, NodeInvariants, learn_node, learn_nodes, node_system};
pub use preconditions::refine_nodes;
pub use sorcar::Sorcar;
pub use summaries::{Summary, defined_outputs, summaries, summary, thin, visible_constraints};
pub use templates::Templates;
