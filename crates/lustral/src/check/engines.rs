//! `check`: the engines at work on a unit, and what is heard of them.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lustral_base::profile::measured;
use lustral_certify::{Answer, Rejected, discard_certificates, unknown, write_folder};
use lustral_engines::{
    Board, Finding, Lens, News, Pdh, Prepared, Running, Task, prepare_by, start,
};
use lustral_report::event::NoteSeverity;
use lustral_report::{Hint, Style};
use lustral_smt::SolverOptions;
use lustral_system::{DualSearch, Predicate, PropId, Reason};

use super::{Job, Session};
use crate::certificates;
use crate::checker::{CheckResult, Checker, Store};
use crate::exit::Exit;
use crate::output::stderr_style;
use crate::signals;
use crate::within::within;
use crate::worker;

/// How often a property is opened again because nobody could tell whether
/// what was found is an answer.
const MOST_REFUSALS: usize = 2;

/// What the coordinator of a unit hears.
enum Message {
    /// What the board says, and whom to tell when it was dealt with: this is
    /// dropped then.
    News(News, Sender<()>),
    Checked(CheckResult),
}

/// What was heard so far of a unit.
struct Course {
    /// Every property gets its verdict, whatever happens to the engines.
    shown: Vec<bool>,
    /// How many findings there are.
    heard: usize,
    /// What the solver could not tell of findings, by property.
    refused: Vec<Vec<String>>,
    at_work: bool,
    /// Who waits for the last finding to be checked, if anybody does.
    being_checked: Option<Sender<()>>,
}

impl Course {
    fn new(properties: usize) -> Course {
        let (shown, refused) = (vec![false; properties], vec![Vec::new(); properties]);
        Course { shown, heard: 0, refused, at_work: true, being_checked: None }
    }

    /// Whether a finding is given up for another one: the solver could not tell
    /// in time whether it is an answer, and perhaps somebody has another one.
    fn gives_up(&mut self, result: &CheckResult, task: &Task) -> bool {
        let Err(Rejected::NoAnswer(obligation, reason)) = &result.answer else { return false };
        let refused = &mut self.refused[result.property.index()];
        if !self.at_work || refused.len() >= MOST_REFUSALS || task.cancel.is_cancelled() {
            return false;
        }
        refused.push(format!("checking the obligation {obligation}: {reason}"));
        self.heard -= 1;
        task.board.reopen(result.property);
        true
    }

    /// Whether there is nothing more to hear.
    fn is_over(&self, board: &Board) -> bool {
        let open = board.open().len();
        let settled = self.heard + open == self.shown.len() && (open == 0 || !self.at_work);
        settled && self.shown.iter().filter(|shown| **shown).count() == self.heard
    }
}

impl Session<'_> {
    /// Runs the engines on a unit and shows each verdict as soon as it is checked.
    pub(super) fn engines(&mut self, job: &Job<'_>, options: SolverOptions) {
        let Some((prepared, candidates)) = self.prepared(job) else {
            return self.unanswered(job);
        };
        let lens = Arc::new(prepared.lens);
        let (sender, messages) = channel();
        let properties = job.unit.properties.len();
        let task = Task {
            system: Arc::new(prepared.system),
            board: Arc::new(Board::new(properties, self.teller(sender.clone()))),
            solver: self.options.solver.clone(),
            bmc_solver: self.options.bmc_solver.clone(),
            options,
            max_k: self.options.max_k.unwrap_or(usize::MAX - 1),
            compression: self.options.compression.into(),
            templates: self.options.templates,
            abduction: self.options.abduction.into(),
            width: self.options.width,
            candidates: candidates.unwrap_or_default(),
            worker: worker::horn_command(),
            schedule: self.options.schedule(),
            cancel: job.cancel.clone(),
        };
        let engines = self.options.engines();
        let checker = Checker {
            unit: job.unit.clone(),
            cut: None,
            lens: lens.clone(),
            options: task.options.clone(),
            cancel: job.cancel.clone(),
            store: self.store(job),
            explain: self.options.explain,
            schedule: self.options.own_schedule(),
        };
        let check = checker.start(move |result| drop(sender.send(Message::Checked(result))));
        let running = start(&task, &engines);
        let course = self.listen(job, &task, &messages, &check);
        let answers = std::mem::take(&mut self.answers);
        if !answers.is_empty() {
            self.invariants.add(&job.unit, &answers);
        }
        self.left(job, &task, &lens, course, running);
    }

    /// The unit as the engines get it, with its candidates; none if the time is up.
    fn prepared(&self, job: &Job<'_>) -> Option<(Prepared, Option<Arc<[Predicate]>>)> {
        let (unit, passes) = (job.unit.clone(), self.options.prepare);
        let prepare = move || {
            let prepared = prepare_by(&unit.system, passes);
            let candidates = unit
                .with_candidates()
                .map(|system| prepared.candidates_of(&prepare_by(&system, passes)));
            (prepared, candidates)
        };
        measured("prepare", || within(&job.cancel, prepare))
    }

    /// Passes on what the board says.
    fn teller(&self, sender: Sender<Message>) -> Box<dyn Fn(News) + Send + Sync> {
        let waits = self.options.deterministic;
        Box::new(move |news| {
            // Where all is to happen in the same order every time, engines
            // wait until what they found was checked.
            let (shown, wait) = channel();
            let is_finding = matches!(news, News::Finding(_));
            let _ = sender.send(Message::News(news, shown));
            if waits && is_finding {
                let _ = wait.recv();
            }
        })
    }

    /// Has findings checked and shows them, until all is over.
    fn listen(
        &mut self,
        job: &Job<'_>,
        task: &Task,
        messages: &Receiver<Message>,
        check: &Sender<Finding>,
    ) -> Course {
        let mut course = Course::new(job.unit.properties.len());
        let progress = self.progress();
        loop {
            match messages.recv_timeout(Duration::from_millis(50)) {
                Ok(Message::News(News::Finding(finding), told)) => {
                    course.heard += 1;
                    course.being_checked = Some(told);
                    if check.send(finding).is_err() {
                        break;
                    }
                }
                Ok(Message::News(News::Ended(left), _)) => course.at_work = left > 0,
                Ok(Message::Checked(result)) => {
                    if !course.gives_up(&result, task) {
                        course.shown[result.property.index()] = true;
                        progress.suspend(|| self.checked(job, &task.board, result));
                    }
                    drop(course.being_checked.take());
                }
                Err(RecvTimeoutError::Timeout) => {
                    let (depth, open) = (task.board.depth(), task.board.open().len());
                    progress.set_message(format!("depth {depth}, {open} open"));
                    progress.tick();
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if course.is_over(&task.board) || task.cancel.is_cancelled() || self.output.failed() {
                break;
            }
        }
        progress.finish_and_clear();
        course
    }

    /// Stops the engines and says why properties are left without an answer.
    fn left(
        &mut self,
        job: &Job<'_>,
        task: &Task,
        lens: &Lens,
        mut course: Course,
        running: Running,
    ) {
        let system = &job.unit.system;
        let reasons = running.finish();
        for property in system.property_ids().filter(|p| !course.shown[p.index()]) {
            let refused = &mut course.refused[property.index()];
            let reason = match reasons.iter().find(|(p, _)| *p == property) {
                _ if signals::received().is_some() => Reason::Interrupted,
                _ if !refused.is_empty() => Reason::Solver(refused.swap_remove(0)),
                Some((_, reason)) => reason.clone(),
                // Found, but not checked in time.
                None => Reason::Timeout,
            };
            let mut run = self.run_info(job);
            run.hint = task.board.counterexample_to_induction(property).map(|(k, inputs)| Hint {
                k,
                trace: lens.counterexample_to_induction(system, k + 1, &inputs),
            });
            run.dual_search = self.search(&task.board, property);
            self.verdict(job, &unknown(system, property, reason), run);
        }
    }

    /// How a primal-dual search for a property went, if the user wants to know.
    fn search(&self, board: &Board, property: PropId) -> Option<Arc<DualSearch>> {
        board.dual_search(property).filter(|_| self.options.explain)
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

    fn checked(&mut self, job: &Job<'_>, board: &Board, result: CheckResult) {
        let system = &job.unit.system;
        let mut run = self.run_info(job);
        run.engine = Some(result.engine);
        run.solver = self.solver_of(result.engine);
        run.dependencies = result.dependencies;
        // Only of the search that found the answer.
        if result.engine == Pdh::NAME {
            run.dual_search = self.search(board, result.property);
        }
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
        match result.certificate {
            Some(Ok(folder)) => run.certificate = Some(folder),
            Some(Err(error)) => {
                self.note(
                    job.file,
                    NoteSeverity::Error,
                    &format!("cannot write the certificate: {error}"),
                );
                self.worst(Exit::Failure);
            }
            None => {}
        }
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

    /// Removes the certificates of a node that earlier runs wrote: they may be of
    /// properties that do not hold any more. Of a node that is called, those for
    /// all calls.
    pub(super) fn discard(&mut self, file: &Path, node: &str, called: bool) {
        let Some(base) = &self.options.certificate else { return };
        let mut folder = certificates::folder(base, file, node);
        if called {
            folder.push(certificates::CALLS);
        }
        if let Err(error) = discard_certificates(&folder) {
            let folder = folder.display();
            let message = format!("an earlier certificate in {folder} cannot be removed: {error}");
            self.note(file, NoteSeverity::Warning, &message);
        }
    }

    /// What writes the certificates of a unit, if they are wanted.
    pub(super) fn store(&self, job: &Job<'_>) -> Store {
        let Some(base) = &self.options.certificate else { return Box::new(|_, _| None) };
        let node = &job.unit.system.root().node;
        let folder = certificates::folder(base, job.file, node);
        let unit = job.unit.clone();
        let files = job.sources.files().take(job.files);
        let sources: Vec<(String, Arc<str>)> =
            files.map(|(_, f)| (f.name.clone(), f.text.clone())).collect();
        Box::new(move |property, answer| {
            let Answer::Valid(_) = answer.get() else { return None };
            let name = &unit.system.property(property).name;
            let folder = certificates::of_property(&folder, property.index() + 1, name);
            let sources: Vec<(String, &[u8])> =
                sources.iter().map(|(name, text)| (name.clone(), text.as_bytes())).collect();
            let written = write_folder(&folder, &unit.system, answer, &sources);
            Some(written.map(|()| folder.display().to_string()).map_err(|e| e.to_string()))
        })
    }
}
