//! The meaning of programs: names resolved, types checked, constants evaluated,
//! causality judged; and the interpreter, which is the reference semantics.
//!
//! What comes out, the typed [`Program`], has ids instead of names. What is said by
//! repeating (definitions by index, quantifiers), contracts and conditions of types are
//! written out, blocks and automata are choices and sampled flows; all else is what the
//! user wrote. The interpreter works on it directly.
//!
//! This crate knows nothing of terms, transition systems or solvers. In
//! particular the interpreter shares no arithmetic with the encoding that it
//! is used to check.

pub mod types;
mod keyed;
mod variants;
mod exprs;
mod node;
pub mod program;
mod resolve;
mod parts;
mod clocks;
mod causality;
mod guards;
mod analysis;
mod pinned;
mod skipped;
mod coverage;
mod hazards;
mod stated;
pub mod index;
pub mod instances;
pub mod obligations;
pub mod select;
mod lints;
mod mutants;
pub mod interp;
pub mod dump;

use lustral_syntax::{Diagnostics, SourceMap, ast};

pub use analysis::Analysis;
pub use coverage::state_coverage;
pub use hazards::{Hazards, state_hazards};
pub use instances::{InstanceId, InstanceTree, PropertyInstance, PropertySource};
pub use lints::lints;
pub use mutants::{Mutation, mutations};
pub use program::{NodeId, Program, StreamId};
pub use stated::{candidate_name, state_candidates};
pub use types::{Type, Value};

/// Checks a program. The result has a meaning only if no error was reported, here
/// or by the parser.
pub fn analyse(sources: &SourceMap, ast: &ast::Program, diagnostics: &mut Diagnostics) -> Program {
    let analysis = Analysis::new(sources, ast);
    analysis.diagnostics().iter().for_each(|d| diagnostics.push(d.clone()));
    analysis.into_program()
}
