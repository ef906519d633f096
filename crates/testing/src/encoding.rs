//! Programs with their transition systems.

use std::ops::Deref;

use lustral_sema::Hazards;
use lustral_system::TransitionSystem;

use crate::failure::Failure;
use crate::frontend::{self, Unit};

/// A node to be checked, and the system that is made of it.
pub struct Encoded {
    /// The typed program, its instances and its properties.
    pub unit: Unit,
    /// Its kernel.
    pub kernel: lustral_kernel::Program,
    /// Its transition system.
    pub system: TransitionSystem,
}

impl Deref for Encoded {
    type Target = Unit;

    fn deref(&self) -> &Unit {
        &self.unit
    }
}

/// All that is made of a text that must be accepted.
///
/// # Errors
/// If it is rejected.
pub fn accepted(text: &str) -> Result<Encoded, Failure> {
    asked(text, Hazards::default())
}

/// The same with properties about indices and overflows.
///
/// # Errors
/// If it is rejected.
pub fn asked(text: &str, hazards: Hazards) -> Result<Encoded, Failure> {
    let unit = frontend::asked(text, hazards)?;
    let kernel = lustral_kernel::translate(&unit.program, &unit.sources);
    let system = lustral_flow::encode(&kernel, &unit.tree, &unit.properties);
    Ok(Encoded { unit, kernel, system })
}
