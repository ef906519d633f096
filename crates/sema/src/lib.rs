//! The meaning of programs: names resolved, types checked, constants evaluated,
//! causality judged; and the interpreter, which is the reference semantics.
//!
//! What comes out, the typed [`Program`], has ids instead of names and scalar
//! expressions instead of tuples, and is otherwise what the user wrote: no
//! desugaring has happened yet. The interpreter works on it directly.
//!
//! This crate knows nothing of terms, transition systems or solvers. In
//! particular the interpreter shares no arithmetic with the encoding that it
//! is used to check.

mod causality;
pub mod dump;
mod guards;
pub mod instances;
pub mod interp;
pub mod obligations;
pub mod program;
mod resolve;
pub mod select;
pub mod types;

use lustral_syntax::{Diagnostics, SourceMap, ast};

pub use instances::{InstanceId, InstanceTree, PropertyInstance, PropertySource};
pub use program::{NodeId, Program, StreamId};
pub use types::{Type, Value};

/// Checks a program. The result is meaningful only if no error was reported.
pub fn analyse(sources: &SourceMap, ast: &ast::Program, diagnostics: &mut Diagnostics) -> Program {
    let program = resolve::resolve(sources, ast, diagnostics);
    if !diagnostics.has_errors() {
        causality::check(&program, diagnostics);
        guards::check(&program, diagnostics);
    }
    program
}
