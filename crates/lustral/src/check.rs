//! `lustral check`: the stages in their order, and the verdicts as they come.

mod by_nodes;
mod engines;
mod show;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use lustral_base::profile::measured;
use lustral_base::{Cancel, Profile};
use lustral_certify::{Answer, Checked, check_blocked, unknown};
use lustral_engines::{Survey, survey};
use lustral_report::{Style, Summary, Verdict, note_line, printable};
use lustral_sema::instances::Wanted;
use lustral_smt::{Solver, SolverOptions};
use lustral_syntax::SourceMap;
use lustral_system::Reason;

use crate::cache::{self, Keys};
use crate::candidates::{Invariants, Origins};
use crate::cli::{CheckOptions, Switch, limit};
use crate::compositional::{blocks, inexact};
use crate::exit::Exit;
use crate::frontend::{self, Accepted, Channel};
use crate::output::{Output, eprint_line, stdout_style};
use crate::signals;
use crate::unit::{Unit, roots};
use crate::within::within;
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
    if let Some(wrong) = options.wrong_usage() {
        eprint_line(&format!("error: {wrong}"));
        return Exit::Usage;
    }
    for unused in options.unused() {
        eprint_line(&format!("warning: {unused}"));
    }
    if let Some(missing) = options.missing_oracle() {
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

    /// The solver is not installed: nothing can be checked.
    fn no_solver(&mut self, solver: &Solver) {
        let message = format!("error: {}", missing_solver(solver));
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
            cache: self.options.cache_folder(),
        };
        let analyse = move || frontend::analyse_file(&path, &origins);
        let Some(analysed) = measured("front end", || within(&cancel, analyse)) else {
            return self.too_late(file);
        };
        let accepted = match frontend::accept(file, analysed, channel, &mut self.output) {
            Ok(accepted) => accepted,
            Err(exit) => return self.worst(exit),
        };
        let Accepted { sources, program, kernel, files, keys } = accepted;
        let sources = Arc::new(sources);
        let roots = match roots(&program, &self.options.nodes) {
            Ok(roots) => roots,
            Err(message) => {
                self.note(file, "error", &message);
                return self.worst(Exit::Rejected);
            }
        };
        let wanted = Wanted { called_nodes: self.options.called_nodes == Switch::On };
        if self.options.compositional {
            let given = Given { file, sources, program, kernel, files, wanted };
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
        let node = job.unit.system.root().node.clone();
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
        self.discard(job.file, &node, false);
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

    /// Keeps the invariants of a file, in the cache if there is one.
    fn keep(&mut self, file: &Path, keys: &Keys) {
        let found = std::mem::take(&mut self.invariants);
        for (node, list) in &found.by_node {
            list.iter().for_each(|text| self.earlier_invariants.insert(node, text.clone()));
        }
        let Some(folder) = self.options.cache_folder() else { return };
        if let Err(error) = cache::keep(&folder, keys, &found) {
            let folder = folder.display().to_string();
            // A cache is a convenience: the verdicts are as good without it.
            self.note(file, "warning", &format!("cannot write the cache {folder}: {error}"));
        }
    }
}
