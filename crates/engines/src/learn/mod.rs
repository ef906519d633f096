//! Learning invariants: the Houdini family.

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
mod templates;
#[cfg(test)]
mod tests;
mod triples;
mod walk;

pub use calls::{CallObligation, Layers, Refined};
pub use cut::NodeSystem;
pub use h_houdini::HHoudini;
pub use houdini::Houdini;
pub use nodes::{LearnOptions, NodeInvariants, learn_nodes, node_system};
pub use preconditions::refine_nodes;
pub use sorcar::Sorcar;
pub use templates::Templates;
