//! The second look: every verdict is checked here before anybody sees it.
//!
//! A proof is restated as obligations in SMT-LIB 2 against the *unprepared*
//! system and checked by a fresh solver that reads that text. A counterexample
//! is replayed by the interpreter of the language, flow by flow.
//!
//! This crate does not depend on the engines or on preparation: no answer does.
//! [`Checked`] can be made here only.

mod definitions;
mod folder;
mod horn;
mod invariant;
mod modular;
mod obligations;
mod place;
mod proof;
mod queries;
mod replay;
mod script;
mod states;
mod unit;
mod verify;

use std::sync::Arc;

use lustral_system::{Certificate, PropId, Reason, Trace, TransitionSystem};

pub use definitions::smt2_definitions;
pub use folder::{
    FolderError, Manifest, ObligationResult, discard_certificates, show_invariants, write_folder,
};
pub use invariant::read_invariant;
pub use modular::{CutSystem, Strength, Summaries, Summary};
pub use obligations::{Expected, Obligation, obligations};
pub use proof::{ProofChecker, check_blocked};
pub use replay::{Context, Replay, check_trace};
pub use unit::{TooManyInstances, Unit};
pub use verify::{check_folder, read_manifest};

/// An answer that passed its check. The field is private: nothing else can
/// make one, and reports accept nothing else.
///
/// It knows which property of which system it is about, so that it cannot be
/// shown as an answer about another.
#[derive(Clone, Debug)]
pub struct Checked<T> {
    answer: T,
    node: String,
    property: PropId,
    /// The cut system that it is a proof about, if it is one.
    cut: Option<Arc<CutSystem>>,
}

impl<T> Checked<T> {
    fn new(system: &TransitionSystem, property: PropId, answer: T) -> Checked<T> {
        Checked { answer, node: system.root().node.clone(), property, cut: None }
    }

    /// The answer.
    #[must_use]
    pub fn get(&self) -> &T {
        &self.answer
    }

    /// The property that the answer is about.
    #[must_use]
    pub fn property(&self) -> PropId {
        self.property
    }

    /// The cut system that a proof is about, if it is about one.
    #[must_use]
    pub fn cut(&self) -> Option<&Arc<CutSystem>> {
        self.cut.as_ref()
    }

    /// The node whose system the answer is about.
    #[must_use]
    pub fn node(&self) -> &str {
        &self.node
    }
}

/// An answer about a property.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It holds, and the certificate was accepted.
    Valid(Certificate),
    /// It fails at the last step, and the interpreter agrees.
    Falsifiable(Trace),
    /// There is no answer. There is nothing to check in that.
    Unknown(Reason),
}

/// Why a check failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Rejected {
    /// An obligation of a proof does not hold.
    #[error("the obligation `{0}` of the proof does not hold")]
    Obligation(String),
    /// The checking solver gave no answer: the proof may be right.
    #[error("the checking solver gave no answer for the obligation `{0}`: {1}")]
    NoAnswer(String, String),
    /// The trace is no execution of the program that falsifies the property.
    #[error("the interpreter does not confirm the counterexample: {0}")]
    Trace(String),
}

/// No answer needs no check.
#[must_use]
pub fn unknown(system: &TransitionSystem, property: PropId, reason: Reason) -> Checked<Answer> {
    Checked::new(system, property, Answer::Unknown(reason))
}
