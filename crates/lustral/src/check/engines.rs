//! `check`: the engines at work on a unit, and what is heard of them.

use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lustral_certify::{Rejected, unknown};
use lustral_coordinator as coordinator;
use lustral_coordinator::{Broken, Certificates, CheckResult, Event, Open, Run, Scope, Unwritten};
use lustral_render::Style;
use lustral_report::Hint;
use lustral_report::event::NoteSeverity;
use lustral_syntax::SourceMap;
use lustral_system::{PropId, Reason};

use super::{Job, Session};
use crate::exit::Exit;
use crate::output::stderr_style;

impl Session<'_> {
    /// Runs the engines on a unit and shows each verdict as soon as it is checked.
    pub(super) fn engines(&mut self, job: &Job<'_>) {
        let numbers = (0..job.unit.properties.len()).collect();
        let work = coordinator::Job {
            unit: job.unit.clone(),
            cut: None,
            lemmas: Vec::new(),
            store: job.certificates.as_ref().map(|certificates| certificates.store(numbers)),
            patience: None,
            cancel: job.cancel.clone(),
        };
        let mut run = Run::start(work, &self.coordination);
        let progress = self.progress();
        while let Some(event) = run.next() {
            match event {
                Event::Checked(result) => progress.suspend(|| self.checked(job, &run, *result)),
                Event::Progress(coordinator::Progress { depth, open }) => {
                    progress.set_message(format!("depth {depth}, {open} open"));
                    progress.tick();
                }
                Event::Broken(broken) => progress.suspend(|| self.broken(job.file, &broken)),
                // There is none of a whole system.
                Event::Execution(_) | Event::Ended(_) => {}
            }
            if self.output.failed() {
                break;
            }
        }
        progress.finish_and_clear();
        let answers = std::mem::take(&mut self.answers);
        if !answers.is_empty() {
            self.invariants.add(&job.unit, &answers);
        }
        for open in run.finish() {
            self.left(job, open);
        }
    }

    /// Says why a property is left without an answer.
    fn left(&mut self, job: &Job<'_>, open: Open) {
        let mut run = self.run_info(job);
        run.hint = open.counterexample_to_induction.map(|(k, trace)| Hint { k, trace });
        run.notes = open.notes;
        self.verdict(job, &unknown(&job.unit.system, open.property, open.reason), run);
    }

    fn progress(&self) -> ProgressBar {
        let bar = ProgressBar::new_spinner();
        if self.options.json || stderr_style() == Style::Plain {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        bar
    }

    fn checked(&mut self, job: &Job<'_>, engines: &Run, result: CheckResult) {
        let system = &job.unit.system;
        let mut run = self.run_info(job);
        run.engine = Some(result.engine);
        run.solver = self.solver_of(result.engine);
        run.dependencies = result.dependencies;
        // Only of the engine that found the answer.
        run.notes = engines.notes(result.property);
        run.notes.retain(|note| note.engine == result.engine);
        let no_answer = |reason| unknown(system, result.property, reason);
        let answer = match result.answer {
            Ok(answer) => answer,
            Err(Rejected::NoAnswer(obligation, reason)) if !job.cancel.is_cancelled() => {
                no_answer(Reason::Solver(format!("checking the obligation {obligation}: {reason}")))
            }
            Err(Rejected::NoAnswer(..)) => no_answer(Reason::Timeout),
            Err(rejected) => {
                self.not_passed(job, result.property, result.engine);
                no_answer(Reason::CheckFailed(rejected.to_string()))
            }
        };
        run.certificate = self.written(job.file, result.certificate);
        self.verdict(job, &answer, run);
        if self.options.invariants_out.is_some() || self.options.cache.is_some() {
            self.answers.push(answer);
        }
    }

    /// An engine found something that is none: a mistake of this program.
    pub(super) fn not_passed(&mut self, job: &Job<'_>, property: PropId, engine: &str) {
        self.worst(Exit::Failure);
        let name = &job.unit.system.property(property).name;
        let message = format!(
            "internal error: {engine} found an answer for `{name}` that did not pass its check; \
             please report this with the program"
        );
        self.note(job.file, NoteSeverity::Error, &message);
    }

    /// A part of this program failed: some verdicts are missing for that reason.
    pub(super) fn broken(&mut self, file: &Path, broken: &Broken) {
        self.worst(Exit::Failure);
        let message = format!("internal error: {broken}; please report this with the program");
        self.note(file, NoteSeverity::Error, &message);
    }

    /// The folder of a certificate, if there is one; says if it was not written.
    pub(super) fn written(
        &mut self,
        file: &Path,
        certificate: Option<Result<PathBuf, Unwritten>>,
    ) -> Option<String> {
        match certificate? {
            Ok(folder) => Some(folder.display().to_string()),
            Err(unwritten) => {
                self.note(file, NoteSeverity::Error, &unwritten.to_string());
                self.worst(Exit::Failure);
                None
            }
        }
    }

    /// Removes the certificates of a node that earlier runs wrote.
    pub(super) fn discard(
        &mut self,
        file: &Path,
        certificates: Option<&Certificates>,
        node: &str,
        scope: Scope,
    ) {
        let discarded = certificates.map(|certificates| certificates.discard(node, scope));
        if let Some(Err(not_removed)) = discarded {
            self.note(file, NoteSeverity::Warning, &not_removed.to_string());
        }
    }

    /// Where the certificates of a program go, if they are wanted. Its own files
    /// come first among the sources.
    pub(super) fn certificates(
        &self,
        file: &Path,
        sources: &SourceMap,
        files: usize,
    ) -> Option<Certificates> {
        let base = self.options.certificate.clone()?;
        let texts = sources.files().take(files).map(|(_, f)| (f.name.clone(), f.text.clone()));
        Some(Certificates { base, file: file.to_path_buf(), texts: texts.collect() })
    }
}
