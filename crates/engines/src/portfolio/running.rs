//! Engines at work, and why properties stay open when they are done.

use std::sync::mpsc::Receiver;

use lustral_base::Cause;
use lustral_smt::{Fault, NoAnswer};
use lustral_system::{Note, PropId, Reason};

use super::description::{EngineChoice, Settles};
use super::engine::Stop;
use super::failure::Failure;
use super::task::Task;

/// That an engine has ended, and why.
pub(super) type Ended = (EngineChoice, Stop);

/// Engines at work.
pub struct Running {
    pub(super) task: Task,
    pub(super) stops: Receiver<Ended>,
    /// Those that were asked for.
    pub(super) engines: Vec<EngineChoice>,
}

impl Running {
    /// Stops all engines. The reason for each property that is still open.
    #[must_use]
    pub fn finish(self) -> Vec<(PropId, Reason)> {
        let common = self.reason();
        self.task.cancel.cancel();
        let board = &self.task.board;
        // What is wrong with a property says more than that its time is up.
        let noted = |p| board.notes(p).iter().find_map(|note| inconclusive(note));
        let trouble = |p| board.trouble(p).map(|failure| Reason::Solver(failure.to_string()));
        let reason = |p| noted(p).or_else(|| trouble(p)).unwrap_or_else(|| common.clone());
        board.open().into_iter().map(|p| (p, reason(p))).collect()
    }

    /// Why properties stay open, from the reasons of the engines.
    fn reason(&self) -> Reason {
        let stops: Vec<Ended> = self.stops.try_iter().collect();
        if let Some(cause) = self.task.cancel.cause() {
            // Where a solver does not work, more time would not have helped.
            let broken = stops.iter().find_map(|(_, stop)| match stop {
                Stop::GaveUp(failure @ Failure::NoAnswer(NoAnswer::Fault(fault))) => {
                    let works = matches!(fault, Fault::Irrational);
                    (!works).then(|| Reason::Solver(failure.to_string()))
                }
                _ => None,
            });
            // Nor where all who prove had tried all that they have before the time was up, and
            // only the search for a counterexample went on.
            let tried = |prover: &&EngineChoice| {
                let ended = |(engine, stop): &Ended| {
                    engine.name() == prover.name() && *stop == Stop::NothingLeft
                };
                stops.iter().any(ended)
            };
            let mut provers = self
                .engines
                .iter()
                .filter(|engine| engine.settles != Settles::Refutations)
                .peekable();
            let nothing = provers.peek().is_some() && provers.all(|prover| tried(&prover));
            let other = broken.or(nothing.then_some(Reason::NoInvariant));
            return other.filter(|_| cause == Cause::Deadline).unwrap_or_else(|| cause.into());
        }
        let gave_up = stops.iter().find_map(|(engine, stop)| match stop {
            Stop::GaveUp(failure) => Some(reason_for(engine.name(), failure)),
            Stop::Panicked => Some(Reason::Panicked { engine: engine.name().into() }),
            _ => None,
        });
        let depth = stops.iter().filter_map(|(_, stop)| match stop {
            Stop::DepthLimit(k) => Some(*k),
            _ => None,
        });
        // That one engine is not for it matters only if no other was.
        let declined = stops.iter().find_map(|(engine, stop)| match stop {
            Stop::Declined(why) => {
                Some(Reason::Declined { engine: engine.name().into(), why: *why })
            }
            Stop::NoAnswer(failure) => Some(reason_for(engine.name(), failure)),
            _ => None,
        });
        let depth = depth.max().map(Reason::DepthLimit);
        let nothing =
            stops.iter().any(|(_, stop)| *stop == Stop::NothingLeft).then_some(Reason::NoInvariant);
        gave_up.or(depth).or(nothing).or(declined).unwrap_or(Reason::Interrupted)
    }
}

/// Why a property stays open where an engine failed.
fn reason_for(engine: &'static str, failure: &Failure) -> Reason {
    let why = failure.to_string();
    if failure.is_of_solver() {
        Reason::Solver(why)
    } else {
        Reason::GaveUp { engine: engine.into(), why }
    }
}

/// What a note says of a property without an answer.
fn inconclusive(note: &Note) -> Option<Reason> {
    let text = note.inconclusive.clone()?;
    Some(Reason::Inconclusive { engine: note.engine.into(), code: note.code.into(), text })
}
