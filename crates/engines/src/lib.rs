//! The engines: what finds proofs and counterexamples.
//!
//! Everything here works on transition systems. Nothing here is trusted: what
//! an engine finds is checked elsewhere, against the system as it was before
//! preparation, before anybody hears of it.
//!
//! Engines run on threads of their own, with solver sessions of their own, and
//! talk through the [`Board`] only; none names another.

mod abstraction;
mod basis;
mod bmc;
mod board;
mod engine;
mod horn;
mod kinduction;
mod learn;
mod minimise;
mod model;
mod patience;
mod portfolio;
mod prepare;
mod search;
mod simulation;
mod states;
mod survey;
mod termination;
mod unroll;

pub use abstraction::Abstraction;
pub use bmc::Bmc;
pub use board::{Board, Finding, Found, Lemma, News};
pub use engine::{Abduction, Compression, Engine, Stop, Task};
pub use horn::{Horn, Modelled, horn_clauses, spacer_model};
pub use kinduction::KInduction;
pub use learn::{
    HHoudini, Houdini, LearnOptions, NodeInvariants, NodeSystem, Sorcar, Summary, Templates,
    defined_outputs, learn_node, learn_nodes, node_system, summaries, summary, thin,
};
pub use minimise::{Minimised, Minimiser};
pub use model::Inputs;
pub use portfolio::{EngineChoice, Running, start};
pub use prepare::{Lens, Prepared, prepare, unprepared};
pub use simulation::Simulation;
pub use survey::{Survey, survey};
pub use unroll::{Start, Unroller};
