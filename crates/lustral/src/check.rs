//! `lustral check`: the stages in their order, and the verdicts as they come.

mod by_nodes;
mod said;
mod engines;
mod show;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use lustral_base::profile::measured;
use lustral_base::{Cancel, Profile};
use lustral_certify::{Answer, Checked, unknown};
use lustral_coordinator::{
    Assertions, Broken, Certificates, NoResult, Options, Scope, Unit, within,
};
use lustral_render::{Style, printable};
use lustral_report::event::NoteSeverity;
use lustral_report::{Event, Summary, Verdict};
use lustral_sema::instances::Wanted;
use lustral_session::{Analysed, FileLoader, Invariants, Keys, Origins, Request, keep, roots};
use lustral_smt::Solver;
use lustral_syntax::SourceMap;
use lustral_system::Reason;

use crate::cli::{CheckOptions, Switch, limit};
use crate::exit::Exit;
use crate::frontend::{self, Channel};
use crate::output::{Output, eprint_line, stdout_style};
use crate::signals;
use by_nodes::Given;

/// Runs the command.
pub fn run(options: &CheckOptions) -> Exit {
    signals::watch();
    let profile = options.profile.then(Profile::new);
    profile.iter().for_each(|profile| profile.enter("stages"));
    let mut session = Session {
        options,
        coordination: options.coordination(),
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
    if let Some(wrong) = options.wrong_usage() {
        eprint_line(&format!("error: {wrong}"));
        return Exit::Usage;
    }
    for unused in options.unused() {
        eprint_line(&format!("warning: {unused}"));
    }
    if let Some(missing) = options.missing_program() {
        eprint_line(&format!("error: {missing}"));
        return Exit::Failure;
    }
    if let Some(missing) = options.solvers().find(|solver| !solver.is_there()) {
        session.no_solver(missing);
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

/// That a node, or a program, has nothing to check.
pub fn nothing_to_check(node: Option<&str>) -> String {
    let what =
        node.map_or("no node has anything".into(), |node| format!("node `{node}` has nothing"));
    format!("{what} to check: no property, no subrange, no boolean output")
}

/// That a node states no property.
fn by_outputs(node: &str) -> String {
    format!("node `{node}` states no property: its boolean outputs are checked")
}

struct Session<'o> {
    options: &'o CheckOptions,
    /// How engines and checker are set up.
    coordination: Options,
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

/// The file, its sources and the unit under check.
struct Job<'a> {
    file: &'a Path,
    sources: &'a SourceMap,
    /// Where its certificates go, if they are wanted.
    certificates: Option<Certificates>,
    unit: Arc<Unit>,
    cancel: Cancel,
    /// What to add to all verdicts, and to a proof: it may be about no execution.
    warnings: Vec<String>,
    doubt: Option<String>,
}

impl Session<'_> {
    fn worst(&mut self, exit: Exit) {
        self.exit = self.exit.min(exit);
    }

    /// The solver is not installed: nothing can be checked.
    fn no_solver(&mut self, solver: &Solver) {
        let message = format!("error: {}", missing_solver(solver));
        eprint_line(&printable(&message));
        if self.options.json {
            for file in &self.options.files {
                let file = file.display().to_string();
                self.output.write(&Event::note(&file, NoteSeverity::Error, &message).line());
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
            cache: self.options.cache_folder(),
        };
        let request = Request::file(&path).with_candidates(origins);
        let analyse = move || request.analyse(&FileLoader);
        let analysed = match measured("front end", || within(&cancel, analyse)) {
            Ok(analysed) => analysed,
            Err(why) => return self.unread(file, &cancel, &Broken { stage: "front end", why }),
        };
        let accepted = match frontend::accept(file, analysed, channel, &mut self.output) {
            Ok(accepted) => accepted,
            Err(exit) => return self.worst(exit),
        };
        let Analysed { sources, program, kernel, files, keys, .. } = accepted;
        let sources = Arc::new(sources);
        let roots = match roots(&program, &self.options.nodes) {
            Ok(roots) => roots,
            Err(message) => {
                self.note(file, NoteSeverity::Error, &message.to_string());
                return self.worst(Exit::Rejected);
            }
        };
        let wanted = Wanted { called_nodes: self.options.called_nodes == Switch::On };
        let certificates = self.certificates(file, &sources, files);
        if self.options.compositional {
            let given = Given { file, sources, program, kernel, certificates, wanted };
            return self.by_nodes(&given, &roots, &cancel);
        }
        // Of the nodes that nobody asked for by name, those with nothing to
        // check are helpers that are not used; but something must be checked.
        let asked = !self.options.nodes.is_empty() || roots.len() == 1;
        let mut checked = false;
        for root in roots {
            let unit = {
                let kernel = kernel.clone();
                let encode = move || Unit::new(&kernel, root, wanted);
                measured("encode", || within(&cancel, encode))
            };
            let unit = match unit {
                Ok(unit) => unit,
                Err(why) => return self.unread(file, &cancel, &Broken { stage: "encoding", why }),
            };
            match unit {
                Ok(unit) if unit.properties.is_empty() && !asked => {}
                Ok(unit) => {
                    checked = true;
                    // The engines of a unit are stopped with it, not with the file.
                    let (unit, cancel) = (Arc::new(unit), cancel.child());
                    let (certificates, warnings, doubt) = (certificates.clone(), Vec::new(), None);
                    let sources = &sources;
                    let job = Job { file, sources, certificates, unit, cancel, warnings, doubt };
                    self.unit(job);
                }
                Err(error) => {
                    checked = true;
                    self.note(file, NoteSeverity::Error, &error.to_string());
                    self.worst(Exit::Rejected);
                }
            }
        }
        if !checked {
            self.reject(file, &nothing_to_check(None));
        }
        self.keep(file, &keys);
    }

    /// There is nothing to give a verdict on: the time was up before, or a
    /// stage failed.
    fn unread(&mut self, file: &Path, cancel: &Cancel, broken: &Broken) {
        if broken.why != NoResult::Stopped {
            return self.broken(file, broken);
        }
        let reason = cancel.cause().map_or(Reason::Timeout, Reason::from);
        self.note(file, NoteSeverity::Error, &format!("{reason} while the program was read"));
        self.worst(Exit::Unknown);
    }

    fn reject(&mut self, file: &Path, message: &str) {
        self.note(file, NoteSeverity::Error, message);
        self.worst(Exit::Rejected);
    }

    fn unit(&mut self, mut job: Job<'_>) {
        let node = job.unit.system.root().node.clone();
        if job.unit.properties.is_empty() {
            return self.reject(job.file, &nothing_to_check(Some(&node)));
        }
        if job.unit.by_outputs() {
            self.note(job.file, NoteSeverity::Note, &by_outputs(&node));
        }
        if !self.options.json {
            let file = printable(&job.file.display().to_string());
            self.output.write(&format!("{file}: node {}\n", printable(&node)));
        }
        self.discard(job.file, job.certificates.as_ref(), &node, Scope::Node);
        let assertions = {
            let (unit, cancel) = (job.unit.clone(), job.cancel.clone());
            let options = self.coordination.clone();
            let survey = move || Assertions::survey(&unit.system, &options, &cancel);
            measured("survey", || within(&job.cancel, survey))
        };
        match assertions {
            Ok(Assertions::BlockAt(0)) => return self.vacuous(&job),
            Ok(assertions) => {
                job.warnings.extend(assertions.warning());
                job.doubt = assertions.doubt();
            }
            // Nothing is known of the assertions, and the engines say that the time is up.
            Err(NoResult::Stopped) => {}
            Err(why) => return self.nothing_of(&job, &Broken { stage: "survey", why }),
        }
        measured("engines", || self.engines(&job));
    }

    fn vacuous(&mut self, job: &Job<'_>) {
        for property in job.unit.system.property_ids() {
            let run = self.run_info(job);
            self.verdict(job, &unknown(&job.unit.system, property, Reason::Vacuous), run);
        }
    }

    /// A stage before the engines failed: nothing is known of any property.
    fn nothing_of(&mut self, job: &Job<'_>, broken: &Broken) {
        self.broken(job.file, broken);
        for property in job.unit.system.property_ids() {
            let run = self.run_info(job);
            self.verdict(job, &unknown(&job.unit.system, property, broken.reason()), run);
        }
    }

    /// The time so far, if that is to be shown: it is another one in every run.
    fn seconds(&self) -> Option<f64> {
        (!self.options.deterministic).then(|| self.started.elapsed().as_secs_f64())
    }

    /// Keeps the invariants of a file, in the cache if there is one.
    fn keep(&mut self, file: &Path, keys: &Keys) {
        let found = std::mem::take(&mut self.invariants);
        for (node, list) in &found.by_node {
            list.iter().for_each(|text| self.earlier_invariants.insert(node, text.clone()));
        }
        let Some(folder) = self.options.cache_folder() else { return };
        if let Err(error) = keep(&folder, keys, &found) {
            let folder = folder.display().to_string();
            // A cache is a convenience: the verdicts are as good without it.
            self.note(
                file,
                NoteSeverity::Warning,
                &format!("cannot write the cache {folder}: {error}"),
            );
        }
    }
}
