//! `check`: verdicts and all else that is shown, and how the run ends.

use std::path::Path;

use lustral_base::profile::Share;
use lustral_certify::{Answer, Checked};
use lustral_engines::EngineChoice;
use lustral_render::printable;
use lustral_report::event::{NoteSeverity, ProfileEvent};
use lustral_report::{
    Event, Outcome, ProfileRow, RunInfo, Subject, Summary, Verdict, html, profile_text,
    summary_text, verdict_text,
};

use super::{Job, Session};
use crate::exit::Exit;
use crate::output::eprint_line;
use crate::signals;

impl Session<'_> {
    /// Something the user should know that is no verdict.
    pub(super) fn note(&mut self, file: &Path, severity: NoteSeverity, message: &str) {
        let name = file.display().to_string();
        if self.options.json {
            self.output.write(&Event::note(&name, severity, message).line());
        } else {
            let (word, name) = (severity.word(), printable(&name));
            eprint_line(&format!("{word}: {name}: {}", printable(message)));
        }
    }

    pub(super) fn run_info(&self, job: &Job<'_>) -> RunInfo {
        RunInfo {
            engine: None,
            solver: None,
            seconds: self.seconds(),
            warnings: job.warnings.clone(),
            certificate: None,
            hint: None,
            explain: self.options.explain,
            dependencies: None,
            notes: Vec::new(),
        }
    }

    /// The solver that an engine asks, if it asks one.
    pub(super) fn solver_of(&self, engine: &str) -> Option<String> {
        let (run, options) = (&self.options.solver, &self.options.engine.options);
        let solver = EngineChoice::named(engine)?.solver(run, options)?;
        Some(solver.name().to_string())
    }

    pub(super) fn verdict(&mut self, job: &Job<'_>, answer: &Checked<Answer>, mut run: RunInfo) {
        let property = answer.property();
        let span = job.unit.properties[property.index()].span;
        let place = job.sources.line_column(span);
        let subject = Subject {
            // The line is one of this file, which may be an included one.
            file: &job.sources.file(span.file).name,
            system: &job.unit.system,
            line: place.line,
            column: place.column,
        };
        if let Answer::Valid(_) = answer.get() {
            run.warnings.extend(job.doubt.clone());
        }
        let verdict = Verdict::new(subject, answer, run);
        self.summary.count(&verdict);
        self.worst(match verdict.outcome() {
            Outcome::Valid { .. } => Exit::Valid,
            Outcome::Falsifiable { .. } => Exit::Falsifiable,
            Outcome::Unknown { .. } => Exit::Unknown,
        });
        let text = match self.options.json {
            true => Event::from(&verdict).line(),
            false => verdict_text(&verdict, self.style, terminal_width()),
        };
        self.output.write(&text);
        if self.options.html.is_some() {
            self.verdicts.push(verdict);
        }
    }

    fn profile_rows(&self) -> Vec<ProfileRow> {
        let Some(profile) = &self.profile else { return Vec::new() };
        profile.add("stages", "all", self.started.elapsed());
        let row = |(who, what, share): (&str, &str, Share)| ProfileRow {
            who: who.to_string(),
            what: what.to_string(),
            count: share.count,
            seconds: share.total.as_secs_f64(),
            longest: share.longest.as_secs_f64(),
        };
        profile.shares().into_iter().map(row).collect()
    }

    pub(super) fn finish(mut self) -> Exit {
        self.summary.seconds = self.seconds();
        let Summary { valid, falsifiable, unknown, .. } = self.summary;
        if self.options.json {
            self.output.write(&Event::Summary(self.summary).line());
        } else if valid + falsifiable + unknown > 0 {
            self.output.write(&summary_text(&self.summary, self.style));
        }
        let rows = self.profile_rows();
        if self.profile.is_some() {
            match self.options.json {
                true => {
                    let event = Event::Profile(ProfileEvent { shares: rows.clone() });
                    self.output.write(&event.line());
                }
                false => eprint_line(profile_text(&rows).trim_end()),
            }
        }
        if let Some(path) = &self.options.html {
            self.write_file(path, &html(&self.verdicts, &self.summary, &rows));
        }
        if let Some(path) = &self.options.invariants_out {
            self.write_file(path, &self.earlier_invariants.to_text());
        }
        if let Some(code) = signals::received() {
            signal_hook::low_level::exit(code);
        }
        self.output.finish(self.exit)
    }

    fn write_file(&mut self, path: &Path, text: &str) {
        if let Err(error) = std::fs::write(path, text) {
            let path = printable(&path.display().to_string());
            eprint_line(&format!("error: cannot write {path}: {error}"));
            self.worst(Exit::Failure);
        }
    }
}

/// The width of tables: the terminal's, or what fits a page.
fn terminal_width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    columns.unwrap_or(100).clamp(40, 400)
}
