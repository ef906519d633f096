//! Invariants of protocols for all sizes.
//!
//! What is to be shown of an invariant is SMT-LIB text with quantifiers over sorts of which
//! nothing is known but that they have an element ([`obligations`]); a solver that was told
//! nothing else shows it ([`prove`], the only maker of [`Proved`]). Where invariants come
//! from nobody has to trust: what holds of a finite instance is said of all elements
//! ([`lift`]), and Houdini keeps what is inductive ([`houdini`]).
//!
//! This crate knows no programs in Lustre and no engines.

mod smtlib;
mod obligations;
mod prove;
mod asked;
mod houdini;
mod minimise;
mod lift;

pub use houdini::{Candidates, Kept, houdini};
pub use lift::{Clause, Literal, lift};
pub use obligations::{Obligation, obligations};
pub use prove::{Limits, Proved, Unproved, prove};
