//! The engines: what finds proofs and counterexamples.
//!
//! Everything here works on transition systems. Nothing here is trusted: what
//! an engine finds is checked elsewhere, against the system as it was before
//! preparation, before anybody hears of it.
//!
//! Engines run on threads of their own, with solver sessions of their own, and
//! talk through the [`Board`] only; none names another.

mod abstraction;
mod allocation;
mod basis;
mod bmc;
mod board;
mod engine;
mod horn;
mod ic3;
mod kinduction;
mod learn;
mod metered;
mod minimise;
mod model;
mod patience;
mod pdh;
mod portfolio;
mod prepare;
mod search;
mod simulation;
mod states;
mod survey;
mod termination;
mod unroll;
mod validate;

pub use abstraction::Abstraction;
pub use bmc::Bmc;
pub use board::{Board, Finding, Found, Lemma, News};
pub use engine::{Abduction, Compression, Engine, Stop, Task};
pub use horn::{Horn, Modelled, Smallest, horn_clauses, smallest_arguments, spacer_model};
pub use ic3::Ic3;
pub use kinduction::KInduction;
pub use learn::{
    CallObligation, HHoudini, Houdini, Layers, LearnOptions, NodeInvariants, NodeSystem, Refined,
    Sorcar, Summary, Templates, defined_outputs, learn_node, learn_nodes, node_system,
    refine_nodes, summaries, summary, thin, visible_constraints,
};
pub use minimise::{Minimised, Minimiser};
pub use model::Inputs;
pub use pdh::Pdh;
pub use portfolio::{EngineChoice, Running, start};
pub use prepare::{Lens, Passes, Prepared, prepare, prepare_by, unprepared};
pub use simulation::Simulation;
pub use survey::{Survey, survey};
pub use unroll::{Start, Unroller};
