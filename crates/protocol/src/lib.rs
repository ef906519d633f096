//! Protocols in first-order logic, in the language of mypyvy (`.pyv`): a total parser with
//! recovery, names and sorts resolved to formulas, finite instances, and what an execution of
//! a protocol is.
//!
//! Diagnostics and places are those of `lustral-syntax`. This crate knows no solver.

mod token;
pub mod ast;
mod parser;
mod protocol;
mod resolve;
mod expand;
mod execution;
mod claims;
pub mod instance;

pub use claims::HIDDEN;
pub use execution::{Argued, Replayed, Unreplayed, complete, replay};
pub use parser::parse;
pub use protocol::{Change, Definition, Part, Protocol, Stated, Step, Trace, Transition};
pub use resolve::resolve;

use lustral_syntax::{Diagnostics, FileId, SourceMap};

/// Reads a protocol. If there are errors among what was found, it is not to be used.
pub fn read(sources: &SourceMap, file: FileId, found: &mut Diagnostics) -> Protocol {
    let tree = parse(sources, file, found);
    resolve(sources, &tree, found)
}
