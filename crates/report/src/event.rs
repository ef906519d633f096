//! What the commands say with `--json`: one [`Event`] is one line (JSON Lines).
//!
//! The enumeration is the definition of the format: the lines are written from
//! it, [`schema`] is derived from it, and who reads lines gets these types back.
//! The schema is closed, so that a test finds a key that nobody has described;
//! reading is open, so that a reader outlives the next key.
//!
//! An [`Event::Verdict`] is made from a [`crate::Verdict`], which only a
//! `Checked<Answer>` makes, from a [`crate::ContractVerdict`], which only a
//! `Checked<Realizability>` makes, or read from a line; nothing else can set what it
//! says is known. An [`Event::Protocol`] is a [`crate::ProtocolVerdict`], of which the same is
//! true.

mod diagnostic;
mod invariant;
mod verdict;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize, Serializer};

use crate::houdini::{CandidateEvent, HoudiniRound};
use crate::model::Summary;
use crate::mutants::Mutants;
use crate::needs::{Coverage, Needs};
use crate::profile::ProfileRow;
use crate::protocol::ProtocolVerdict;

pub use diagnostic::{DiagnosticEvent, DiagnosticSeverity, NoteEvent, NoteSeverity};
pub use invariant::{InvariantEvent, ModularInvariantEvent, ModularPredicate, RankEvent};
pub use verdict::{
    CertificateEvent, InductionEvent, OutcomeEvent, ProofKind, ProvedEvent, VerdictEvent,
};

/// A line of the output of `lustral check --json` or `lustral invariants --json`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// What is known of a property.
    Verdict(Box<VerdictEvent>),
    /// What is known of a property of a protocol.
    Protocol(Box<ProtocolVerdict>),
    /// What a property needs of the program, with --ivc.
    Core(Box<Needs>),
    /// What no property needs, with --ivc.
    Coverage(Coverage),
    /// What the properties of a node notice of small changes of the program, with --mutants.
    Mutants(Box<Mutants>),
    /// The end of a check.
    Summary(Summary),
    /// Where the time went.
    Profile(ProfileEvent),
    /// Something that the user should know and that is no verdict.
    Note(NoteEvent),
    /// An invariant of a node.
    Invariant(InvariantEvent),
    /// A part of the definition of a predicate of a node.
    ModularInvariant(ModularInvariantEvent),
    /// What became of a candidate, of `lustral houdini`.
    Candidate(Box<CandidateEvent>),
    /// A round of `lustral houdini`.
    Round(HoudiniRound),
    /// How much of its state the summary of a node speaks of.
    Rank(RankEvent),
    /// Something is wrong with the program, or looks wrong.
    Diagnostic(DiagnosticEvent),
}

/// Where the time went, with --profile.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ProfileEvent {
    /// Engines work beside each other, so the times may add up to more than the run took.
    pub shares: Vec<ProfileRow>,
}

impl Event {
    /// The line, with its end.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("plain data can be written");
        line.push('\n');
        line
    }
}

/// The JSON Schema of every line.
#[must_use]
pub fn schema() -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<Event>();
    let mut text = serde_json::to_string_pretty(&schema).expect("plain data can be written");
    text.push('\n');
    text
}

/// A time in seconds: microseconds are as exact as a time can be.
pub(crate) fn micro<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((seconds * 1e6).round() / 1e6)
}

/// The same of a time that may be missing.
pub(crate) fn micro_if_any<S: Serializer>(
    seconds: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match seconds {
        Some(seconds) => micro(seconds, serializer),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests;
