//! The engines: what finds proofs and counterexamples.
//!
//! Everything here works on transition systems. Nothing here is trusted: what
//! an engine finds is checked elsewhere, against the system as it was before
//! preparation, before anybody hears of it.
//!
//! Engines run on threads of their own, with solver sessions of their own, and
//! talk through the [`Board`] only; none names another.

mod engines;
mod horn;
mod learn;
mod portfolio;
mod services;

// The nouns that all of them use.
use portfolio::{board, engine, metered, patience};
use services::{basis, minimise, model, prepare, search, states, survey, unroll, validate};

pub use board::{Board, Finding, Found, Lemma, News};
pub use engine::{Abduction, Compression, Engine, Stop, Task};
pub use engines::abstraction::Abstraction;
pub use engines::bmc::Bmc;
pub use engines::ic3::Ic3;
pub use engines::kinduction::KInduction;
pub use engines::pdh::Pdh;
pub use engines::simulation::Simulation;
pub use horn::{Horn, Modelled, Smallest, horn_clauses, smallest_arguments, spacer_model};
pub use learn::{
    CallObligation, HHoudini, Houdini, Layers, LearnOptions, NodeInvariants, NodeSystem, Refined,
    Sorcar, Summary, Templates, defined_outputs, learn_node, learn_nodes, node_system,
    refine_nodes, summaries, summary, thin, visible_constraints,
};
pub use minimise::{Minimised, Minimiser};
pub use model::Inputs;
pub use portfolio::{EngineChoice, Running, start};
pub use prepare::{Lens, Passes, Prepared, prepare, prepare_by, unprepared};
pub use survey::{Survey, survey};
pub use unroll::{Start, Unroller};
