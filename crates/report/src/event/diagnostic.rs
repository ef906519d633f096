//! Lines about the program text and about the run.

use lustral_syntax::{Diagnostic, Severity, SourceMap};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Event;

/// Something is wrong with the program, or looks wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DiagnosticEvent {
    /// The file, as it was given or included.
    pub file: String,
    /// Counted from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// Counted from 1.
    #[schemars(range(min = 1))]
    pub column: u32,
    /// With an error, the program is rejected.
    pub severity: DiagnosticSeverity,
    /// A stable name of the kind of mistake.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// What else there is to know.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiagnosticSeverity {
    /// The program is rejected.
    Error,
    /// It is accepted all the same.
    Warning,
}

/// Something that the user should know and that is no verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct NoteEvent {
    /// The file that it is about.
    pub file: String,
    /// The word that stands before the message on a terminal.
    pub severity: NoteSeverity,
    /// What there is to know.
    pub message: String,
}

/// How much a note matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoteSeverity {
    /// Something could not be done.
    Error,
    /// It was done, and there is a doubt.
    Warning,
    /// It was done, perhaps not as expected.
    Note,
    /// Nothing is known of what was asked for.
    Unknown,
}

impl NoteSeverity {
    /// The word, as people and programs read it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            NoteSeverity::Error => "error",
            NoteSeverity::Warning => "warning",
            NoteSeverity::Note => "note",
            NoteSeverity::Unknown => "unknown",
        }
    }
}

impl Event {
    /// Something that the user should know about a file.
    #[must_use]
    pub fn note(file: &str, severity: NoteSeverity, message: &str) -> Event {
        Event::Note(NoteEvent { file: file.into(), severity, message: message.into() })
    }

    /// A diagnostic, with its place.
    #[must_use]
    pub fn diagnostic(sources: &SourceMap, diagnostic: &Diagnostic) -> Event {
        let place = sources.line_column(diagnostic.primary.span);
        Event::Diagnostic(DiagnosticEvent {
            file: sources.file(diagnostic.primary.span.file).name.clone(),
            line: place.line,
            column: place.column,
            severity: match diagnostic.severity {
                Severity::Error => DiagnosticSeverity::Error,
                Severity::Warning => DiagnosticSeverity::Warning,
            },
            code: diagnostic.code.as_str().into(),
            message: diagnostic.message.clone(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.clone(),
        })
    }
}
