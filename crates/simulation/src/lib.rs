//! Compiled simulation of transition systems.
//!
//! A [`Machine`] is a system as straight-line code over columns: each
//! instruction works on many executions ([`Lanes`]) side by side, truth values
//! as bits of words, integers as 64-bit numbers, reals as fractions of such.
//! What does not fit, and what a division by zero gives, is not known; all that
//! is known is exact.
//!
//! This crate knows neither solvers nor engines.

mod code;
mod column;
mod domain;
mod draw;
mod explore;
mod guide;
mod kernels;
mod machine;
mod packed;
mod rational;
mod record;
mod registers;
mod run;
mod samples;
mod scalar;
mod words;
mod shorten;
mod solve;

pub use column::{Column, WORD, bit, ones, set_bit};
pub use explore::{Explorer, Violation};
pub use machine::{Lanes, Machine};
pub use rational::Rational;
pub use run::{Run, Simulator};
pub use samples::{SampleOptions, Samples, Truth};
pub use scalar::Scalar;
pub use shorten::shorten;
