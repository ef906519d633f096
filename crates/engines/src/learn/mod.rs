//! Learning invariants: the Houdini family.

mod abducts;
mod affine;
mod alone;
mod bounds;
mod comparison;
mod consecution;
mod features;
mod group;
pub mod h_houdini;
pub mod houdini;
pub mod ice;
mod learner;
mod limits;
#[cfg(test)]
mod naive;
mod number;
mod oracle;
mod order;
mod pool;
mod ranges;
mod reading;
mod scopes;
pub mod sorcar;
mod templates;
#[cfg(test)]
pub(crate) mod tests;
mod triples;
mod walk;
mod words;

pub(crate) use affine::Affine;
pub(crate) use features::value_atoms;
pub(crate) use number::Number;
pub(crate) use walk::Walk;

pub use alone::{
    Claim, InputFacts, LearnOptions, Refutation, SystemInvariants, beyond, establish, learn_system,
    learn_with, propose_system,
};
pub use limits::LeftOut;
pub use templates::TEMPLATES;
pub use templates::{Options, Templates};
