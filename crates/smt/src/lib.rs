//! Solvers: one trait for a session, Z3 in the process, and any SMT-LIB 2
//! solver as a child process behind the same trait.
//!
//! This crate knows terms, and nothing of transition systems, steps or engines.
//! Whatever goes wrong in a solver (it gives up, dies, hangs, answers nonsense)
//! becomes [`Outcome::Unknown`], never an answer.

mod alarm;
mod batch;
mod by_key;
mod dialogue;
mod group;
pub mod horn;
mod process;
mod selection;
mod session;
pub mod smtlib;
mod solvers;
mod text_session;
mod z3_by_key;
mod z3_session;
#[allow(unsafe_code)]
mod z3_terms;
#[allow(unsafe_code)]
mod z3_text;

pub use batch::{Batch, WorkerCommand};
pub use dialogue::Dialogue;
pub use process::{ALLOCATOR_IS_OURS, ALLOCATOR_SETTINGS, SolverProcess};
pub use session::{Fault, NoAnswer, Outcome, Session};
pub use solvers::{Solver, SolverOptions, UnknownSolver, open_dialogue, open_session};
pub use text_session::TextSession;
pub use z3_session::{Z3Session, z3_version};
pub use z3_text::{Z3Text, limit_of_work};
