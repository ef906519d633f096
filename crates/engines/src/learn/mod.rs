//! Learning invariants: the Houdini family.

mod affine;
mod bounds;
mod consecution;
mod features;
mod houdini;
mod number;
mod order;
mod pool;
mod templates;
mod walk;

pub use houdini::Houdini;
pub use templates::Templates;
