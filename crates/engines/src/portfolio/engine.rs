//! What an engine is.

use std::time::Duration;

use lustral_base::profile::working_for;
use lustral_base::schedule;
use lustral_system::Unsupported;

use super::failure::Failure;
use super::task::Task;

/// Why an engine ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// No property is open any more.
    Done,
    /// The depth limit was reached.
    DepthLimit(usize),
    /// It has done all it can.
    NothingLeft,
    /// The engine cannot settle what is left, for this reason.
    GaveUp(Failure),
    /// What is left is not for this engine, because of this.
    Declined(Unsupported),
    /// Whom it asks has nothing more to say, for this reason.
    NoAnswer(Failure),
    /// It panicked.
    Panicked,
    /// It was told to.
    Cancelled,
}

/// An engine: finds proofs or counterexamples and posts them on the board.
///
/// An engine works in advances, so that several can share a thread while a
/// problem is still small. What it finds is never trusted; what it reads from
/// the board it may rely on.
pub trait Engine {
    /// The name in reports and on the command line.
    fn name(&self) -> &'static str;

    /// Looks one step further. `Some` when there is nothing more to do.
    fn advance(&mut self) -> Option<Stop>;
}

/// Runs an engine to its end.
pub(crate) fn run_to_end(engine: &mut dyn Engine, task: &Task) -> Stop {
    loop {
        if task.cancel.is_cancelled() {
            return Stop::Cancelled;
        }
        if let Some(stop) = advance(engine) {
            return stop;
        }
        schedule::pause();
    }
}

/// What an advance costs beside its queries, by a clock that counts work.
const ADVANCE: Duration = Duration::from_micros(100);

/// Lets an engine look one step further.
pub(crate) fn advance(engine: &mut dyn Engine) -> Option<Stop> {
    schedule::charge(ADVANCE);
    working_for(engine.name(), || engine.advance())
}
