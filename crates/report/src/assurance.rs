//! A report for a safety case: what was looked at, by what, what was found, on what that rests and what it
//! leaves out. No time and no date is in it, so that two reports can be compared line by line.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::{DiagnosticEvent, Event, NoteEvent, OutcomeEvent, VerdictEvent};
use crate::model::Summary;
use crate::mutants::Mutants;
use crate::needs::{Coverage, Needs};

/// A report, as plain data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Assurance {
    /// What was run.
    pub run: RunFacts,
    /// The texts that were read.
    pub inputs: Vec<Input>,
    /// What was found wrong with them, or looks wrong.
    pub diagnostics: Vec<DiagnosticEvent>,
    /// What else was said of them.
    pub notes: Vec<NoteEvent>,
    /// The verdicts, by file, place and name.
    pub verdicts: Vec<VerdictEvent>,
    /// What each valid property needs of the program.
    pub cores: Vec<Needs>,
    /// What no property needs.
    pub coverage: Vec<Coverage>,
    /// What the properties notice of small changes, if that was asked for.
    pub mutants: Vec<Mutants>,
    /// The counts.
    pub summary: Summary,
}

/// What was run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RunFacts {
    /// The version of Lustral.
    pub version: String,
    /// The solvers: who searched, and who checked the answers.
    pub solvers: Vec<SolverFacts>,
    /// The options, as they were given.
    pub options: Vec<String>,
}

/// A solver.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SolverFacts {
    /// Its name.
    pub name: String,
    /// Its version, as it says it.
    pub version: String,
    /// What it did.
    pub role: String,
}

/// A text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Input {
    /// Its file.
    pub file: String,
    /// Its SHA-256 hash; of a text that is no UTF-8, that of what was read.
    pub sha256: String,
}

impl Assurance {
    /// A report of what was heard in a run, in whatever order that was. Certificates are named from the folder that the
    /// report is in.
    #[must_use]
    pub fn new(
        run: RunFacts,
        mut inputs: Vec<Input>,
        events: &[Event],
        mut summary: Summary,
        folder: &str,
    ) -> Assurance {
        inputs.sort();
        inputs.dedup();
        summary.seconds = None;
        let mut report = Assurance {
            run,
            inputs,
            diagnostics: Vec::new(),
            notes: Vec::new(),
            verdicts: Vec::new(),
            cores: Vec::new(),
            coverage: Vec::new(),
            mutants: Vec::new(),
            summary,
        };
        for event in events.iter().cloned() {
            match event {
                Event::Verdict(verdict) => report.verdicts.push(verdict.lasting(folder)),
                Event::Core(needs) => report.cores.push(*needs),
                Event::Coverage(coverage) => report.coverage.push(coverage),
                Event::Mutants(mutants) => report.mutants.push(*mutants),
                Event::Diagnostic(diagnostic) => report.diagnostics.push(diagnostic),
                Event::Note(note) => report.notes.push(note),
                _ => {}
            }
        }
        let place = |v: &VerdictEvent| {
            (v.file.clone(), v.line, v.column, v.node.clone(), v.property.clone())
        };
        report.verdicts.sort_by_key(place);
        report.cores.sort_by_key(|n| (n.file.clone(), n.node.clone(), n.property.clone()));
        report.coverage.sort_by_key(|c| (c.file.clone(), c.node.clone()));
        report.mutants.sort_by_key(|m| (m.file.clone(), m.node.clone()));
        report
    }

    /// As text: JSON, a line for each thing that may change.
    ///
    /// # Panics
    /// Never: plain data can be written.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("plain data can be written");
        text.push('\n');
        text
    }
}

impl VerdictEvent {
    /// The same without what is another one in every run, and with the certificate as it is named from a folder.
    fn lasting(mut self, folder: &str) -> VerdictEvent {
        self.seconds = None;
        if let OutcomeEvent::Valid(proved) | OutcomeEvent::Unreachable(proved) = self.outcome_mut()
        {
            let below = |path: &String| {
                let rest = path.strip_prefix(folder).map(|rest| rest.trim_start_matches('/'));
                rest.unwrap_or(path).to_string()
            };
            let certificate = &mut proved.certificate;
            certificate.folder = certificate.folder.as_ref().map(below);
        }
        self
    }
}
