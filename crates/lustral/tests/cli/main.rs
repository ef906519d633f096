//! The command line, as a user meets it: the real program, run on small files.

#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod assurance;
mod candidates;
mod causes;
mod deterministic;
mod diagnostics;
mod dump;
mod exits;
mod explain;
mod failures;
mod faults;
mod hazards;
mod gallery;
mod grounds;
mod green;
mod help;
mod horn;
mod houdini;
mod hostile;
mod html;
mod includes;
mod json;
mod limits;
mod lints;
mod mutants;
mod needs;
mod pdh;
mod protocols;
mod realize;
mod selection;
mod simulate;
mod streams;
mod terminal;
