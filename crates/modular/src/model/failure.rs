//! Why there is no model, or what is missing in one.

use lustral_certify::{FolderError, Rejected, TooManyInstances};
use lustral_horn::Misread;
use lustral_smt::Fault;
use lustral_smt::horn::Unsolved;
use lustral_system::Unsupported;

use crate::Unlearned;

/// Why Spacer says nothing of some clauses.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoAnswer {
    /// It cannot be started.
    #[error("there is no worker")]
    NoWorker,
    /// It failed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// It cannot tell.
    #[error(transparent)]
    Unsolved(#[from] Unsolved),
    /// It gave a model that cannot be read.
    #[error("its model is no formula without quantifiers")]
    Unreadable,
    /// It took too long.
    #[error("the time was up")]
    Time,
}

/// Why properties have no model, by the word of Spacer. Nobody has checked that,
/// and `lustral check` would.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unproved {
    /// It says nothing.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
    /// The clauses have none, and allow more than the program.
    #[error(
        "a quotient by zero, or the result of a function without a body, can be anything in the \
         clauses, not so in the program (see `lustral check`)"
    )]
    Approximate,
    /// The property fails.
    #[error("by the word of Spacer it fails (see `lustral check`)")]
    Fails,
    /// One of them fails.
    #[error("by the word of Spacer one fails (see `lustral check`)")]
    OneFails,
}

/// What is missing in a model.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Missing {
    /// What a node guarantees by itself.
    #[error("nothing was learned of {0}: {1}")]
    Unlearned(String, Unlearned),
    /// All properties.
    #[error("the properties are not proved: {0}")]
    Properties(Unproved),
    /// One of them.
    #[error("{0} is left out: {1}")]
    Property(String, Unproved),
    /// What Spacer says.
    #[error("the model of Spacer is not used: {0}")]
    Spacer(Rejected),
    /// Some properties, which have no certificate.
    #[error("{0}: left out, there is no certificate of it")]
    Certificates(String),
}

/// Why there is no model.
#[derive(Debug, thiserror::Error)]
pub enum NoModel {
    /// None passed its check.
    #[error("nothing passed its check: {0}")]
    Rejected(Rejected),
    /// Nothing can be checked.
    #[error(transparent)]
    NoChecker(Rejected),
    /// Spacer gave none.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Missing(Vec<Missing>),
    /// A model that was given cannot be read.
    #[error("the model cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// It is none of the clauses.
    #[error("the model is of no use: {0}")]
    Misread(#[from] Misread),
    /// The certificates are of no use.
    #[error(transparent)]
    Certificates(#[from] BadCertificates),
}

/// Why certificates are of no use.
#[derive(Debug, thiserror::Error)]
pub enum BadCertificates {
    /// The node that they should be about cannot be unfolded.
    #[error(transparent)]
    TooManyInstances(#[from] TooManyInstances),
    /// They cannot be read.
    #[error(transparent)]
    Unreadable(#[from] FolderError),
    /// There is none.
    #[error("there is no certificate of this program")]
    None,
    /// One is about nodes one by one.
    #[error("the certificate of `{0}` is one node by node")]
    NodeByNode(String),
    /// One is about something else.
    #[error("there is no property `{0}`")]
    NoProperty(String),
    /// Some properties have one, but neither all of them nor one.
    #[error("there are certificates of {0}, but none of {1}: give the folder of one")]
    NotAll(String, String),
    /// What they say is not so, by the word of Spacer.
    #[error(transparent)]
    Refuted(Gap),
    /// They have no part in a model, and there is no other.
    #[error("{0}, and Spacer found no other: {1}")]
    NoOther(Gap, NoneFound),
}

/// Why certificates have no part in a model.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Gap {
    /// What k steps say together cannot be said of the state of one.
    #[error("the certificate of `{property}` is no invariant of single steps ({proof}, k = {k})")]
    Several {
        /// The property.
        property: String,
        /// The kind of its proof.
        proof: String,
        /// How many steps.
        k: usize,
    },
    /// There are no clauses for it.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The invariant is not one between steps.
    #[error("the invariant says nothing of the state between steps: {0}")]
    Between(NoneFound),
    /// It speaks of what is remembered by no node.
    #[error("no node remembers {0} by itself")]
    Unowned(String),
    /// No summaries imply it.
    #[error("no summaries were found: {0}")]
    NoSummaries(NoneFound),
}

/// Why there is no model of some clauses.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoneFound {
    /// By the word of Spacer there is none; but the clauses may allow more than
    /// the program.
    #[error("there is none")]
    Refuted {
        /// Whether they do.
        approximate: bool,
    },
    /// It says nothing.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
}

impl NoneFound {
    /// Whether what is claimed is not so, by the word of Spacer.
    pub(super) fn is_certain(&self) -> bool {
        *self == NoneFound::Refuted { approximate: false }
    }
}

impl Gap {
    /// Whether what certificates say is not so, by the word of Spacer.
    pub(super) fn is_certain(&self) -> bool {
        match self {
            Gap::Between(none) | Gap::NoSummaries(none) => none.is_certain(),
            Gap::Several { .. } | Gap::Unsupported(_) | Gap::Unowned(_) => false,
        }
    }
}
