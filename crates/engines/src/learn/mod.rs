//! Learning invariants: the Houdini family.

mod affine;
mod bounds;
mod consecution;
mod features;
mod h_houdini;
mod houdini;
mod learner;
mod nodes;
mod number;
mod oracle;
mod order;
mod pool;
mod sorcar;
mod templates;
#[cfg(test)]
pub(crate) mod tests;
mod walk;

pub use h_houdini::HHoudini;
pub use houdini::Houdini;
pub use nodes::{LearnOptions, NodeInvariants, NodeSystem, learn_nodes, node_system};
pub use sorcar::Sorcar;
pub use templates::Templates;
