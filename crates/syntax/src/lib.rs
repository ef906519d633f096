//! The syntax of Lustre: source texts and places in them, tokens, a parser that
//! always returns a tree together with its diagnostics, the tree, and a printer.
//!
//! This crate knows nothing of types, of the file system or of the terminal:
//! included files come through a [`Loader`], diagnostics are plain data.

pub mod source;
pub mod diagnostic;
pub mod dialect;
pub mod token;
pub mod lexer;
pub mod ast;
pub mod parser;
pub mod lint;
pub mod loader;
pub mod program;
pub mod printer;
mod mentions;
pub mod identity;
pub mod symbols;

pub use ast::{Program, Tree};
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use dialect::Dialect;
pub use lint::{Level, Levels, Lint};
pub use loader::{LoadError, Loader, NoFiles};
pub use mentions::reached;
pub use parser::{parse_candidates, parse_file};
pub use program::{Forest, parse_program};
pub use source::{FileId, SourceMap, Span};
