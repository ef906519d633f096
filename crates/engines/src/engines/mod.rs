//! The engines, and the one list of them.
//!
//! None names another: what they have to say to each other, they say on the
//! board. Each describes itself in its own file; what is not in the list below
//! does not exist for the command line, the tests and the documentation.

pub mod abstraction;
pub mod bmc;
pub mod ic3;
pub mod kinduction;
pub mod pdh;
pub mod simulation;

pub use crate::horn;
pub use crate::learn::{self, h_houdini, houdini, ice, sorcar};

use crate::portfolio::EngineChoice;

/// All engines, those that run by default first.
pub(crate) const ALL: [EngineChoice; 11] = [
    EngineChoice(&bmc::ENGINE),
    EngineChoice(&kinduction::ENGINE),
    EngineChoice(&simulation::ENGINE),
    EngineChoice(&sorcar::ENGINE),
    EngineChoice(&horn::ENGINE),
    EngineChoice(&ic3::ENGINE),
    EngineChoice(&abstraction::ENGINE),
    EngineChoice(&houdini::ENGINE),
    EngineChoice(&h_houdini::ENGINE),
    EngineChoice(&ice::ENGINE),
    EngineChoice(&pdh::ENGINE),
];

/// The options of all engines that have any.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Options {
    /// Those of `bmc`.
    pub bmc: bmc::Options,
    /// Those of `k-induction`.
    pub kinduction: kinduction::Options,
    /// Those of all that learn invariants from templates.
    pub learn: learn::Options,
    /// Those of `h-houdini`.
    pub h_houdini: h_houdini::Options,
    /// Those of `pdh`.
    pub pdh: pdh::Options,
}
