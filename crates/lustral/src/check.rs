//! `lustral check`: the stages in their order, and the verdicts as they come.

mod by_nodes;

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lustral_certify::{Answer, Checked, Rejected, check_blocked, unknown, write_folder};
use lustral_engines::{Board, News, Pdh, Survey, Task, prepare_by, start, survey};
use lustral_report::{
    Hint, Outcome, ProfileRow, RunInfo, Style, Subject, Summary, Verdict, html, note_line,
    printable, profile_line, profile_text, summary_line, summary_text, verdict_line, verdict_text,
};
use lustral_sema::instances::Wanted;
use lustral_smt::profile::{Share, measured};
use lustral_smt::{Cancel, Profile, Solver, SolverOptions};
use lustral_syntax::SourceMap;
use lustral_system::{DualSearch, PropId, Reason};

use crate::cache::{self, Keys};
use crate::candidates::{Invariants, Origins};
use crate::certificates;
use crate::checker::{CheckResult, Checker, Store};
use crate::cli::{CheckOptions, Switch, limit};
use crate::compositional::{blocks, inexact};
use crate::exit::Exit;
use crate::frontend::{self, Accepted, Channel};
use crate::output::{Output, eprint_line, stderr_style, stdout_style};
use crate::signals;
use crate::unit::{Unit, roots};
use crate::within::within;
use crate::worker;
use by_nodes::Given;

/// Runs the command.
pub fn run(options: &CheckOptions) -> Exit {
    signals::watch();
    let profile = options.profile.then(Profile::new);
    profile.iter().for_each(|profile| profile.enter("stages"));
    let mut session = Session {
        options,
        profile,
        output: Output::new(),
        style: stdout_style(),
        started: Instant::now(),
        summary: Summary::default(),
        verdicts: Vec::new(),
        answers: Vec::new(),
        invariants: Invariants::default(),
        earlier_invariants: Invariants::default(),
        exit: Exit::Valid,
    };
    if let Some(missing) = options.missing_oracle() {
        eprint_line(&format!("error: {missing}"));
        return Exit::Failure;
    }
    if !options.solver.is_there() {
        session.no_solver();
        return session.finish();
    }
    for file in &options.files {
        if signals::received().is_some() || session.output.failed() {
            break;
        }
        session.file(file);
    }
    session.finish()
}

/// What to say of a solver that is not installed.
pub fn missing_solver(solver: &Solver) -> String {
    let program = match solver {
        Solver::Program { program, .. } => program,
        Solver::BuiltIn => "z3-builtin",
    };
    format!("the solver {} cannot be started: there is no program `{program}`", solver.name())
}

struct Session<'o> {
    options: &'o CheckOptions,
    /// Where the time goes, if that is asked for.
    profile: Option<Profile>,
    output: Output,
    style: Style,
    started: Instant,
    summary: Summary,
    verdicts: Vec<Verdict>,
    /// The answers for the node under check, if what they rest on is to be written.
    answers: Vec<Checked<Answer>>,
    /// What the proofs for the file under check rest on, and those for the
    /// files before it.
    invariants: Invariants,
    earlier_invariants: Invariants,
    exit: Exit,
}

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

/// The file, its sources and the unit under check.
struct Job<'a> {
    file: &'a Path,
    sources: &'a SourceMap,
    /// The number of files that are the program's own.
    files: usize,
    unit: Arc<Unit>,
    cancel: Cancel,
    warnings: Vec<String>,
    /// What to add to a proof: it may be about no execution.
    doubt: Option<String>,
}

impl Session<'_> {
    fn worst(&mut self, exit: Exit) {
        self.exit = self.exit.min(exit);
    }

    /// Something the user should know that is no verdict.
    fn note(&mut self, file: &Path, word: &str, message: &str) {
        let name = printable(&file.display().to_string());
        if self.options.json {
            self.output.write(&note_line(&file.display().to_string(), message));
        } else {
            eprint_line(&format!("{word}: {name}: {}", printable(message)));
        }
    }

    /// The solver is not installed: nothing can be checked.
    fn no_solver(&mut self) {
        let message = format!("error: {}", missing_solver(&self.options.solver));
        eprint_line(&printable(&message));
        if self.options.json {
            for file in &self.options.files {
                self.output.write(&note_line(&file.display().to_string(), &message));
            }
        }
        self.worst(Exit::Failure);
    }

    fn file(&mut self, file: &Path) {
        let cancel = Cancel::with_deadline(limit(self.options.timeout).map(|t| Instant::now() + t));
        signals::stop_with(&cancel);
        let channel = if self.options.json { Channel::Json } else { Channel::People };
        let path = file.to_path_buf();
        let origins = Origins {
            files: self.options.candidates.clone(),
            earlier: self.options.invariants_in.clone(),
            cache: self.options.cache.clone(),
        };
        let analyse = move || frontend::analyse_file(&path, &origins);
        let Some(analysed) = measured("front end", || within(&cancel, analyse)) else {
            return self.too_late(file);
        };
        let accepted = match frontend::accept(file, analysed, channel, &mut self.output) {
            Ok(accepted) => accepted,
            Err(exit) => return self.worst(exit),
        };
        let Accepted { sources, program, files, keys } = accepted;
        let (sources, program) = (Arc::new(sources), Arc::new(program));
        let roots = match roots(&program, &self.options.nodes) {
            Ok(roots) => roots,
            Err(message) => {
                self.note(file, "error", &message);
                return self.worst(Exit::Rejected);
            }
        };
        let wanted = Wanted { called_nodes: self.options.called_nodes == Switch::On };
        if self.options.compositional {
            let given = Given { file, sources, program, files, wanted };
            return self.by_nodes(&given, &roots, &cancel);
        }
        // Of the nodes that nobody asked for by name, those with nothing to
        // check are helpers that are not used; but something must be checked.
        let asked = !self.options.nodes.is_empty() || roots.len() == 1;
        let mut checked = false;
        for root in roots {
            let unit = {
                let (sources, program) = (sources.clone(), program.clone());
                let encode = move || Unit::new(&sources, &program, root, wanted);
                measured("encode", || within(&cancel, encode))
            };
            let Some(unit) = unit else { return self.too_late(file) };
            match unit {
                Ok(unit) if unit.properties.is_empty() && !asked => {}
                Ok(unit) => {
                    checked = true;
                    // The engines of a unit are stopped with it, not with the file.
                    let (unit, cancel) = (Arc::new(unit), cancel.child());
                    let (warnings, doubt) = (Vec::new(), None);
                    self.unit(Job {
                        file,
                        sources: &sources,
                        files,
                        unit,
                        cancel,
                        warnings,
                        doubt,
                    });
                }
                Err(message) => {
                    checked = true;
                    self.note(file, "error", &message);
                    self.worst(Exit::Rejected);
                }
            }
        }
        if !checked {
            let message =
                "no node has anything to check: no property, no subrange, no boolean output";
            self.note(file, "error", message);
            self.worst(Exit::Rejected);
        }
        self.keep(file, &keys);
    }

    /// The time was up before there was anything to give a verdict on.
    fn too_late(&mut self, file: &Path) {
        let reason = match signals::received() {
            Some(_) => Reason::Interrupted,
            None => Reason::Timeout,
        };
        self.note(file, "error", &format!("{reason} while the program was read"));
        self.worst(Exit::Unknown);
    }

    fn unit(&mut self, mut job: Job<'_>) {
        let node = job.unit.system.instances[0].node.clone();
        if job.unit.properties.is_empty() {
            let message = format!(
                "node `{node}` has nothing to check: no property, no subrange, no boolean output"
            );
            self.note(job.file, "error", &message);
            return self.worst(Exit::Rejected);
        }
        if job.unit.by_outputs() {
            let message =
                format!("node `{node}` states no property: its boolean outputs are checked");
            self.note(job.file, "note", &message);
        }
        if !self.options.json {
            let file = printable(&job.file.display().to_string());
            self.output.write(&format!("{file}: node {}\n", printable(&node)));
        }
        let solver = SolverOptions { seed: self.options.seed, ..SolverOptions::default() };
        let looked_at = {
            let (unit, cancel) = (job.unit.clone(), job.cancel.clone());
            let (program, options) = (self.options.solver.clone(), solver.clone());
            let schedule = self.options.own_schedule();
            let survey = move || {
                let look = || survey(&unit.system, &program, &options, &cancel);
                schedule.by_turns(&cancel, look)
            };
            measured("survey", || within(&job.cancel, survey))
        };
        match looked_at.unwrap_or(Survey::Open) {
            Survey::Open => {}
            Survey::Inexact(step) => {
                job.doubt = Some(inexact(step));
            }
            Survey::BlocksAt(step) => {
                if check_blocked(&job.unit.system, step, &job.cancel).is_ok() {
                    if step == 0 {
                        return self.vacuous(&job);
                    }
                    job.warnings.push(blocks(step));
                }
            }
        }
        measured("engines", || self.engines(&job, solver));
    }

    fn vacuous(&mut self, job: &Job<'_>) {
        for property in job.unit.system.property_ids() {
            let run = self.run_info(job);
            self.verdict(job, &unknown(&job.unit.system, property, Reason::Vacuous), run);
        }
    }

    /// The time was up before the engines began.
    fn unanswered(&mut self, job: &Job<'_>) {
        for property in job.unit.system.property_ids() {
            let reason = match signals::received() {
                Some(_) => Reason::Interrupted,
                None => Reason::Timeout,
            };
            let run = self.run_info(job);
            self.verdict(job, &unknown(&job.unit.system, property, reason), run);
        }
    }

    /// The time so far, if that is to be shown: it is another one in every run.
    fn seconds(&self) -> Option<f64> {
        (!self.options.deterministic).then(|| self.started.elapsed().as_secs_f64())
    }

    fn run_info(&self, job: &Job<'_>) -> RunInfo {
        RunInfo {
            engine: None,
            seconds: self.seconds(),
            warnings: job.warnings.clone(),
            certificate: None,
            hint: None,
            explain: self.options.explain,
            dependencies: None,
            dual_search: None,
        }
    }

    /// Runs the engines on a unit and shows each verdict as soon as it is checked.
    fn engines(&mut self, job: &Job<'_>, options: SolverOptions) {
        let unit = &job.unit;
        let made = {
            let (unit, passes) = (unit.clone(), self.options.prepare);
            let prepare = move || {
                let prepared = prepare_by(&unit.system, passes);
                let candidates = unit
                    .with_candidates()
                    .map(|system| prepared.candidates_of(&prepare_by(&system, passes)));
                (prepared, candidates)
            };
            measured("prepare", || within(&job.cancel, prepare))
        };
        let Some((prepared, candidates)) = made else {
            return self.unanswered(job);
        };
        let lens = Arc::new(prepared.lens);
        let (sender, messages) = channel();
        let tell = {
            let sender = sender.clone();
            let waits = self.options.deterministic;
            move |news| {
                // Where all is to happen in the same order every time, engines
                // wait until what they found was checked.
                let (shown, wait) = channel();
                let is_finding = matches!(news, News::Finding(_));
                let _ = sender.send(Message::News(news, shown));
                if waits && is_finding {
                    let _ = wait.recv();
                }
            }
        };
        let task = Task {
            system: Arc::new(prepared.system),
            board: Arc::new(Board::new(unit.properties.len(), Box::new(tell))),
            solver: self.options.solver.clone(),
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
            unit: unit.clone(),
            cut: None,
            lens: lens.clone(),
            options: task.options.clone(),
            cancel: job.cancel.clone(),
            store: self.store(job),
            explain: self.options.explain,
            schedule: self.options.own_schedule(),
            with_invariants: engines.iter().all(|engine| engine.learns()),
        };
        let check = checker.start(move |result| drop(sender.send(Message::Checked(result))));
        let progress = self.progress();
        let running = start(&task, &engines);
        // Every property gets its verdict, whatever happens to the engines.
        let mut shown = vec![false; unit.properties.len()];
        let mut heard = 0;
        let mut refused: Vec<Vec<String>> = vec![Vec::new(); unit.properties.len()];
        let mut at_work = true;
        // Who waits for the last finding to be checked, if anybody does.
        let mut being_checked: Option<Sender<()>> = None;
        loop {
            match messages.recv_timeout(Duration::from_millis(50)) {
                Ok(Message::News(News::Finding(finding), told)) => {
                    heard += 1;
                    being_checked = Some(told);
                    if check.send(finding).is_err() {
                        break;
                    }
                }
                Ok(Message::News(News::Ended(left), _)) => at_work = left > 0,
                // The solver could not tell in time whether it is an answer:
                // perhaps somebody has another one.
                Ok(Message::Checked(CheckResult {
                    property,
                    answer: Err(Rejected::NoAnswer(obligation, reason)),
                    ..
                })) if at_work
                    && refused[property.index()].len() < MOST_REFUSALS
                    && !task.cancel.is_cancelled() =>
                {
                    let reason = format!("checking the obligation {obligation}: {reason}");
                    refused[property.index()].push(reason);
                    heard -= 1;
                    task.board.reopen(property);
                    drop(being_checked.take());
                }
                Ok(Message::Checked(result)) => {
                    shown[result.property.index()] = true;
                    progress.suspend(|| self.checked(job, &task.board, result));
                    drop(being_checked.take());
                }
                Err(RecvTimeoutError::Timeout) => {
                    let (depth, open) = (task.board.depth(), task.board.open().len());
                    progress.set_message(format!("depth {depth}, {open} open"));
                    progress.tick();
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let open = task.board.open().len();
            let settled = heard + open == shown.len() && (open == 0 || !at_work);
            let all_shown = shown.iter().filter(|shown| **shown).count() == heard;
            if settled && all_shown || task.cancel.is_cancelled() || self.output.failed() {
                break;
            }
        }
        progress.finish_and_clear();
        let answers = std::mem::take(&mut self.answers);
        if !answers.is_empty() {
            self.invariants.add(unit, &answers);
        }
        let reasons = running.finish();
        for property in unit.system.property_ids().filter(|p| !shown[p.index()]) {
            let reason = match reasons.iter().find(|(p, _)| *p == property) {
                _ if signals::received().is_some() => Reason::Interrupted,
                _ if !refused[property.index()].is_empty() => {
                    Reason::Solver(refused[property.index()].swap_remove(0))
                }
                Some((_, reason)) => reason.clone(),
                // Found, but not checked in time.
                None => Reason::Timeout,
            };
            let mut run = self.run_info(job);
            run.hint = task.board.counterexample_to_induction(property).map(|(k, inputs)| Hint {
                k,
                trace: lens.counterexample_to_induction(&unit.system, k + 1, &inputs),
            });
            run.dual_search = self.search(&task.board, property);
            self.verdict(job, &unknown(&unit.system, property, reason), run);
        }
    }

    /// How a primal-dual search for a property went, if the user wants to know.
    fn search(&self, board: &Board, property: PropId) -> Option<Arc<DualSearch>> {
        board.dual_search(property).filter(|_| self.options.explain)
    }

    /// Keeps the invariants of a file, in the cache if there is one.
    fn keep(&mut self, file: &Path, keys: &Keys) {
        let found = std::mem::take(&mut self.invariants);
        for (node, list) in &found.by_node {
            list.iter().for_each(|text| self.earlier_invariants.insert(node, text.clone()));
        }
        let Some(folder) = &self.options.cache else { return };
        if let Err(error) = cache::keep(folder, keys, &found) {
            let folder = folder.display().to_string();
            // A cache is a convenience: the verdicts are as good without it.
            self.note(file, "warning", &format!("cannot write the cache {folder}: {error}"));
        }
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
                self.note(job.file, "error", &format!("cannot write the certificate: {error}"));
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
    fn not_passed(&mut self, job: &Job<'_>, property: PropId, engine: &str) {
        self.worst(Exit::Failure);
        let name = &job.unit.system.property(property).name;
        let message = format!(
            "internal error: {engine} found an answer for `{name}` that did not pass its check; \
             please report this with the program"
        );
        self.note(job.file, "error", &message);
    }

    /// What writes the certificates of a unit, if they are wanted.
    fn store(&self, job: &Job<'_>) -> Store {
        let Some(base) = &self.options.certificate else { return Box::new(|_, _| None) };
        let node = &job.unit.system.instances[0].node;
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

    fn verdict(&mut self, job: &Job<'_>, answer: &Checked<Answer>, mut run: RunInfo) {
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
            true => verdict_line(&verdict),
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
        let row = |(who, what, share): (_, _, Share)| ProfileRow {
            who,
            what,
            count: share.count,
            seconds: share.total.as_secs_f64(),
            longest: share.longest.as_secs_f64(),
        };
        profile.shares().into_iter().map(row).collect()
    }

    fn finish(mut self) -> Exit {
        self.summary.seconds = self.seconds();
        let Summary { valid, falsifiable, unknown, .. } = self.summary;
        if self.options.json {
            self.output.write(&summary_line(&self.summary));
        } else if valid + falsifiable + unknown > 0 {
            self.output.write(&summary_text(&self.summary, self.style));
        }
        let rows = self.profile_rows();
        if self.profile.is_some() {
            match self.options.json {
                true => self.output.write(&profile_line(&rows)),
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
}

impl Session<'_> {
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
