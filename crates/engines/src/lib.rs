//! The engines: what finds proofs and counterexamples.
//!
//! Everything here works on transition systems. Nothing here is trusted: what
//! an engine finds is checked elsewhere, against the system as it was before
//! preparation, before anybody hears of it.
//!
//! Engines run on threads of their own, with solver sessions of their own, and
//! talk through the [`Board`] only; none names another.

pub mod engines;
pub mod horn;
pub mod learn;
mod portfolio;
mod services;

// The nouns that all of them use.
use portfolio::{board, engine, failure, metered, patience, task, turns};
use services::{
    basis, cause, first, minimise, model, prepare, search, states, survey, unroll, validate,
    validity,
};

pub use board::{Board, Finding, Found, Lemma, News};
pub use cause::{Asked as AskedForCauses, Cause, cause};
pub use engine::{Engine, Stop};
pub use engines::Options;
pub use engines::abstraction::Abstraction;
pub use engines::bmc::Bmc;
pub use engines::h_houdini::Abduction;
pub use engines::ic3::Ic3;
pub use engines::kinduction::Compression;
pub use engines::kinduction::KInduction;
pub use engines::pdh::Pdh;
pub use engines::simulation::Simulation;
pub use first::{Shorter, shorter};
pub use horn::{Horn, horn_clauses};
pub use learn::{
    Claim, InputFacts, LearnOptions, LeftOut, Refutation, SystemInvariants, Templates, beyond,
    establish, learn_system, learn_with, propose_system,
};
pub use metered::open as open_metered;
pub use minimise::{Minimised, Minimiser};
pub use model::Inputs;
pub use portfolio::{
    Asks, Company, Description, EngineChoice, EngineOption, Failure, Flaw, InvalidValue, Limits,
    Make, Misfit, Running, Sessions, Settles, Task, TooLarge, start,
};
pub use prepare::{Lens, Passes, Prepared, prepare, prepare_by, unprepared};
pub use survey::{Survey, survey};
pub use unroll::{Start, Unroller};
pub use validity::CoreFinder;

/// The page for newcomers, whose code is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/add-an-engine.md")]
mod add_an_engine {}
