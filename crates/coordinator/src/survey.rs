//! Whether the assertions leave any execution, found by an engine and checked.
//!
//! The survey of `engines` is as little trusted as any engine. What is said
//! here of a system has passed [`check_blocked`], in a fresh solver and against
//! the system as it came from the program.

use lustral_base::Cancel;
use lustral_certify::check_blocked;
use lustral_engines::survey;
use lustral_system::TransitionSystem;

use crate::options::Options;

/// What is known of the assertions of a system.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Assertions {
    /// Nothing against them.
    #[default]
    Open,
    /// It was checked that no execution has a step with this number; there is
    /// no execution at all if that is 0.
    BlockAt(usize),
    /// The executions that the solver found are none at this step: their values
    /// are no fractions. There may be others.
    Inexact(usize),
}

impl Assertions {
    /// Looks at the assertions of a system. What does not pass its check is not
    /// said.
    #[must_use]
    pub fn survey(system: &TransitionSystem, options: &Options, cancel: &Cancel) -> Assertions {
        let look = || survey(system, &options.solver, &options.solver_options, cancel);
        options.faults.strike("survey");
        match options.pace.own_schedule().by_turns(cancel, look) {
            lustral_engines::Survey::Open => Assertions::Open,
            lustral_engines::Survey::Inexact(step) => Assertions::Inexact(step),
            lustral_engines::Survey::BlocksAt(step) => match check_blocked(system, step, cancel) {
                Ok(()) => Assertions::BlockAt(step),
                Err(rejected) => {
                    tracing::debug!(step, %rejected, "that the assertions block is not certain");
                    Assertions::Open
                }
            },
        }
    }

    /// What to add to all verdicts.
    #[must_use]
    pub fn warning(self) -> Option<String> {
        let Assertions::BlockAt(step) = self else { return None };
        Some(format!(
            "blocks at step {step}: the assertions allow no execution with a step {step}, so from \
             there on properties hold for want of executions"
        ))
    }

    /// What to add to a proof: it may be about no execution.
    #[must_use]
    pub fn doubt(self) -> Option<String> {
        let Assertions::Inexact(step) = self else { return None };
        Some(format!(
            "could not find an execution with exact values for step {step}: the assertions may ask \
             for numbers that are no fractions, and then there is none"
        ))
    }
}
