//! Why a property has no answer: for people as a sentence, for programs as a
//! code that stays the same.

use std::borrow::Cow;

use lustral_base::Cause;
use serde::{Deserialize, Serialize};

/// A word that is known when the program is written, or was read.
type Word = Cow<'static, str>;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, Serialize, Deserialize)]
pub enum Reason {
    /// The time is up.
    #[error("the time limit was reached")]
    Timeout,
    /// The user stopped the run.
    #[error("the run was interrupted")]
    Interrupted,
    /// The engines that were asked for have nothing more to try.
    #[error("no engine found a proof or a counterexample up to depth {0}")]
    DepthLimit(usize),
    /// The candidates that were tried have no inductive part that is enough.
    #[error("no conjunction of the candidates proves it")]
    NoInvariant,
    /// What an engine found out about the property, short of an answer.
    #[error("{text}")]
    Inconclusive {
        /// The engine.
        engine: Word,
        /// What it is in one word, for programs.
        code: Word,
        /// The same for people.
        text: String,
    },
    /// The property is not for the engines that were asked for.
    #[error("the engine `{engine}` does not support this property: {why}")]
    Declined {
        /// The engine.
        engine: Word,
        /// What it does not have.
        why: Unsupported,
    },
    /// An engine could not go on, and not because of its solver.
    #[error("the engine `{engine}` gave up: {why}")]
    GaveUp {
        /// The engine.
        engine: Word,
        /// What stopped it.
        why: String,
    },
    /// An engine ended in a panic: a mistake of this program, or of a library.
    #[error("internal error: the engine `{engine}` panicked")]
    Panicked {
        /// The engine.
        engine: Word,
    },
    /// A solver gave up or failed.
    #[error("the solver gave no answer: {0}")]
    Solver(String),
    /// There is no execution, not even of one step.
    #[error(
        "vacuous: the assertions and assumptions contradict each other, so there is no execution at all"
    )]
    Vacuous,
    /// The node was checked for some values of its constants, of which there is no end.
    #[error("{0}; other values were not checked")]
    Sizes(String),
    /// An answer was found and did not pass its check.
    #[error("internal error: an answer was found that did not pass its check: {0}")]
    CheckFailed(String),
    /// A part of this program that is no engine failed: a thread panicked.
    #[error("internal error: {0}")]
    Broken(String),
}

/// What a property depends on that an engine has no means for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error, Serialize, Deserialize)]
pub enum Unsupported {
    /// Arithmetic that is not linear.
    #[error("the property or an assertion depends on a product or quotient of variables")]
    Nonlinear,
    /// A function of which nothing but its name is known.
    #[error("the property or an assertion depends on a function without a body")]
    Function,
    /// A value for each key there may be.
    #[error("the property or an assertion depends on a set or a map")]
    Array,
}

impl Reason {
    /// What it is in one word, in lower case with underscores: the same in every
    /// version, whatever the sentence says.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Reason::Timeout => "timeout",
            Reason::Interrupted => "interrupted",
            Reason::DepthLimit(_) => "depth_limit",
            Reason::NoInvariant => "no_invariant",
            Reason::Inconclusive { code, .. } => code,
            Reason::Declined { .. } => "declined",
            Reason::GaveUp { .. } => "gave_up",
            Reason::Panicked { .. } => "panicked",
            Reason::Solver(_) => "solver",
            Reason::Vacuous => "vacuous",
            Reason::Sizes(_) => "sizes",
            Reason::CheckFailed(_) => "check_failed",
            Reason::Broken(_) => "broken",
        }
    }
}

impl From<Cause> for Reason {
    /// The reason that work has no result which was stopped.
    fn from(cause: Cause) -> Reason {
        match cause {
            Cause::Deadline => Reason::Timeout,
            // What nobody needed was stopped before its time.
            Cause::Interrupted | Cause::NotNeeded => Reason::Interrupted,
        }
    }
}
