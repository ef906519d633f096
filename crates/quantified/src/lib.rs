//! Invariants of protocols for all sizes.
//!
//! What is to be shown of an invariant is SMT-LIB text with quantifiers over sorts of which
//! nothing is known but that they have an element ([`obligations`]); a solver that was told
//! nothing else shows it ([`Prover`], the only maker of [`Proved`]). Where invariants come
//! from nobody has to trust: what holds of a finite instance is said of all elements
//! ([`lift`]), what made something so may still be so ([`reasons`]), and Houdini keeps what is inductive ([`houdini`]).
//!
//! This crate knows no programs in Lustre and no engines.

mod smtlib;
mod obligations;
mod prove;
mod asked;
mod contradiction;
mod houdini;
mod minimise;
mod lift;
mod reasons;
mod steps;

pub use contradiction::{contradiction, dead};
pub use houdini::{Candidates, Kept, houdini};
pub use lift::{Clause, Literal, lift};
pub use obligations::{Invariant, Obligation, obligations};
pub use prove::{Limits, Proved, Prover, Unproved};
pub use reasons::reasons;
pub use steps::Steps;
