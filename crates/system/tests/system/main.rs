//! What the plain data of this crate says by itself, on systems made by hand.

#![allow(clippy::unwrap_used)]

mod example;
mod interface;
mod modular;
mod portable;
mod running;
mod structure;
