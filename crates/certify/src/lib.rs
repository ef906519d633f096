//! The second look: every verdict is checked here before anybody sees it.
//!
//! A proof is restated as obligations in SMT-LIB 2 against the *unprepared*
//! system and checked by a fresh solver that reads that text. A counterexample
//! is replayed by the interpreter of the language, flow by flow.
//!
//! This crate does not depend on the engines or on preparation: no answer does.
//! [`Checked`] can be made here only.

// What is looked at.
mod unit;
mod elements;
// Proofs and executions.
mod script;
mod source;
mod states;
mod queries;
mod slices;
mod nearby;
mod obligations;
mod proof;
mod premises;
mod vacuity;
mod cores;
mod replay;
mod cause;
mod values;
// Contracts without a body.
mod game;
mod realizability;
// Programs node by node.
mod place;
mod owed;
mod modular;
mod kept;
mod nodes;
mod layers;
mod guarantees;
mod horn;
mod clauses;
// What is written for others.
mod definitions;
mod folder;
mod invariant;
mod protocol;
mod verify;

use std::sync::Arc;

use lustral_system::{Certificate, PropId, Reason, Trace, TransitionSystem};

pub use cause::{Cause, Change, ClaimedCause};
pub use clauses::{CutProgram, NodeClauses, NodeModel, NodeSummary, NotModular, PartList, Parts};
pub use cores::{Core, CutSet};
pub use definitions::smt2_definitions;
pub use elements::{Element, ElementKind, UnitElements};
pub use folder::{
    FolderError, HashedFile, Manifest, ObligationResult, discard_certificates, show_invariants,
    write_folder,
};
pub use game::{chooses, game, opened, wanted};
pub use guarantees::{Guarantees, NodeInvariants, Picks};
pub use invariant::read_invariant;
pub use kept::Kept;
pub use layers::{CallObligation, Layers, Preconditions};
pub use modular::{CutSystem, Strength, Summaries, Summary};
pub use nodes::Nodes;
pub use obligations::{Expected, Obligation, obligations};
pub use place::{Hidden, assume_of_call, goals_at_call, interface, of_call};
pub use premises::{Leave, Premises};
pub use proof::{ProofChecker, check_blocked};
pub use protocol::{ProtocolCertificate, write_protocol_folder};
pub use realizability::Realizability;
pub use replay::{Context, Replay, check_trace};
pub use unit::{TooManyInstances, Unit};
pub use vacuity::Vacuous;
pub use verify::{check_folder, read_manifest};

/// An answer that passed its check. The field is private: nothing else can
/// make one, and reports accept nothing else.
///
/// It knows which property of which system it is about, so that it cannot be
/// shown as an answer about another.
#[derive(Clone, Debug)]
pub struct Checked<T: Subject> {
    answer: T,
    node: String,
    about: T::About,
}

/// What can be checked, and what is remembered of what it is about, beside the node.
pub trait Subject: sealed::Sealed {
    /// That.
    type About: Clone + std::fmt::Debug;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Answer {}
    impl Sealed for super::Core {}
    impl Sealed for super::CutSet {}
    impl Sealed for super::NodeInvariants {}
    impl Sealed for super::NodeModel {}
    impl Sealed for super::NodeSummary {}
    impl Sealed for super::Realizability {}
}

/// What an answer is about.
#[derive(Clone, Debug)]
pub struct OfProperty {
    property: PropId,
    /// The cut system that it is a proof about, if it is one.
    cut: Option<Arc<CutSystem>>,
    /// Of a proof: what it rests on, if that was looked at.
    premises: Option<Premises>,
    /// Of a proof: whether the property is known to say nothing.
    vacuous: Option<Vacuous>,
    /// Of a counterexample: its cause, if that is known.
    cause: Option<Cause>,
    /// Whether all calls of its node are known to be given what they are owed.
    kept: bool,
}

impl Subject for Answer {
    type About = OfProperty;
}

impl Subject for NodeInvariants {
    type About = ();
}

impl Subject for NodeModel {
    type About = ();
}

impl Subject for NodeSummary {
    type About = ();
}

impl Subject for Realizability {
    type About = ();
}

impl<T: Subject<About = ()>> Checked<T> {
    fn of_node(node: String, answer: T) -> Checked<T> {
        Checked { answer, node, about: () }
    }
}

impl Checked<Answer> {
    fn new(system: &TransitionSystem, property: PropId, answer: Answer) -> Checked<Answer> {
        let about = OfProperty {
            property,
            cut: None,
            premises: None,
            vacuous: None,
            cause: None,
            kept: false,
        };
        Checked { answer, node: system.root().node.clone(), about }
    }

    /// The property that the answer is about.
    #[must_use]
    pub fn property(&self) -> PropId {
        self.about.property
    }

    /// Of a proof, the constraints that it needs, if that was looked at.
    #[must_use]
    pub fn premises(&self) -> Option<&Premises> {
        self.about.premises.as_ref()
    }

    /// Of a proof, how the property is known to say nothing of the program, if it is.
    #[must_use]
    pub fn vacuous(&self) -> Option<Vacuous> {
        self.about.vacuous
    }

    /// The cut system that a proof is about, if it is about one.
    #[must_use]
    pub fn cut(&self) -> Option<&Arc<CutSystem>> {
        self.about.cut.as_ref()
    }
}

impl<T: Subject> Checked<T> {
    /// The answer.
    #[must_use]
    pub fn get(&self) -> &T {
        &self.answer
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
    /// What is claimed is nothing that could be shown.
    #[error("what is claimed cannot be shown: {0}")]
    Malformed(String),
    /// The trace is no execution of the program that falsifies the property.
    #[error("the interpreter does not confirm the counterexample: {0}")]
    Trace(String),
}

/// No answer needs no check.
#[must_use]
pub fn unknown(system: &TransitionSystem, property: PropId, reason: Reason) -> Checked<Answer> {
    Checked::new(system, property, Answer::Unknown(reason))
}
