//! What became of candidates, and why: a program in, events out.
//!
//! First Houdini removes what is not inductive (`modular/src/houdini`). Then it is looked for
//! executions in which what was removed is really false: the same program is checked with these
//! candidates as its properties, by the engines that refute.

mod proposed;

use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_coordinator::{Broken, NoResult, within};
use lustral_engines::{EngineChoice, Failure, LearnOptions as Learning, Templates};
use lustral_modular::houdini::{Candidate, Explained, Fate, Removal, Role, Unexplained, explain};
use lustral_render::execution::{Begin, Execution};
use lustral_report::{
    CandidateAbout, CandidateEvent, CandidateFate, CandidateKind, Houdini as Report, HoudiniRound,
    Kept, RemovalEvent, Verdict,
};
use lustral_smt::{NoAnswer, Solver, SolverOptions};
use lustral_syntax::ast::CandidateRole;
use lustral_syntax::source::with_parentheses;
use lustral_syntax::{Loader, SourceMap, Span};

use crate::candidates::Origins;
use crate::check::Check;
use crate::event::Event;
use crate::load::Request;
use crate::log::Accepted;
use crate::options::{CheckOptions, Selection};
use crate::remark::Remark;
use crate::select::roots;
use crate::staged::{Work, next_event};

/// How long executions are looked for in which candidates are false, if nothing is said. What is
/// not inductive is often true all the same, and then this is what it takes.
const FOR_EXECUTIONS: Duration = Duration::from_secs(2);

/// How to find out what becomes of candidates.
#[derive(Clone)]
pub struct HoudiniOptions {
    /// The nodes by name; if there are none, those that are used.
    pub nodes: Vec<String>,
    /// Candidates of other files.
    pub files: Vec<std::path::PathBuf>,
    /// Which templates propose candidates; if nothing is said, all of them where nobody else
    /// proposes any.
    pub templates: Option<Templates>,
    /// The solver.
    pub solver: Solver,
    /// How it is set up.
    pub solver_options: SolverOptions,
    /// How long all may take, from the time at which the work is asked for.
    pub time: Option<Duration>,
    /// How long executions are looked for in which candidates are false.
    pub executions: Duration,
}

impl Default for HoudiniOptions {
    fn default() -> HoudiniOptions {
        HoudiniOptions {
            nodes: Vec::new(),
            files: Vec::new(),
            templates: None,
            solver: Solver::BuiltIn,
            solver_options: SolverOptions::default(),
            time: None,
            executions: FOR_EXECUTIONS,
        }
    }
}

/// Houdini on the candidates of a program, as an iterator over what is heard of it. The last
/// event is [`Event::Ended`]. Dropping it stops all.
///
/// ```
/// use lustral_session::{Event, Houdini, HoudiniOptions, Request};
///
/// let text = "node count(x: bool) returns (n: int);
///     let n = 0 -> if x then pre n + 1 else pre n; --%CANDIDATE n >= 0; --%CANDIDATE n <= 5;
///     tel";
/// for event in Houdini::new(Request::text("count.lus", text), HoudiniOptions::default()) {
///     if let Event::Candidates(found) = event {
///         assert_eq!(found.left(), (1, 2));
///     }
/// }
/// ```
pub struct Houdini {
    options: HoudiniOptions,
    work: Work<()>,
}

impl Houdini {
    /// The work on a program. Its time begins now; it begins when the first event is asked for.
    #[must_use]
    pub fn new(request: Request, options: HoudiniOptions) -> Houdini {
        let origins = Origins { files: options.files.clone(), ..Origins::default() };
        let request = request.with_candidates(origins);
        Houdini { work: Work::new(request, options.time, ()), options }
    }

    /// Where the text of what the program includes comes from.
    #[must_use]
    pub fn with_loader(mut self, loader: impl Loader + Send + 'static) -> Houdini {
        self.work.load_by(loader);
        self
    }

    /// What stops the work from another thread.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.work.cancel
    }

    fn learning(&self, templates: Templates) -> Learning {
        Learning {
            solver: self.options.solver.clone(),
            options: self.options.solver_options.clone(),
            templates: Templates { names: true, ..templates },
            cancel: self.work.cancel.clone(),
        }
    }

    /// The search has no result: the time was up, or it panicked.
    fn no_result(&mut self, why: NoResult) {
        if why != NoResult::Stopped {
            let broken = Broken { stage: "search for invariants", why };
            return self.work.log.broken(broken);
        }
        self.work.log.stopped(&self.work.cancel);
        let stopped = Failure::from(NoAnswer::Stopped);
        self.work.log.say(Remark::Unexplained(Arc::new(Unexplained::from(stopped))));
    }

    /// All of it.
    fn run(&mut self) -> Option<()> {
        let accepted = self.work.read()?;
        let (accepted, request) = self.with_templates(accepted)?;
        let names = self.options.nodes.clone();
        let roots =
            roots(&accepted.program, &names).map_err(|none| self.work.log.reject(none)).ok()?;
        self.work.chosen(&accepted.program, &names, &roots);
        self.work.say_what_is_tried();
        let (kernel, learning) = (accepted.kernel.clone(), self.learning(Templates::NONE));
        let found = match within(&self.work.cancel, move || explain(&kernel, &roots, &learning)) {
            Ok(Ok(found)) => found,
            Ok(Err(Unexplained::Clocked(clocked))) => {
                self.work.log.reject(clocked);
                return None;
            }
            Ok(Err(reason)) => {
                self.work.log.stopped(&self.work.cancel);
                self.work.log.say(Remark::Unexplained(Arc::new(reason)));
                return None;
            }
            Err(why) => {
                self.no_result(why);
                return None;
            }
        };
        if found.candidates.is_empty() {
            self.work.log.say(Remark::NoCandidates);
        }
        let verdicts = self.executions(&found, &request);
        let report = self.report(&accepted.sources, &found, &verdicts);
        self.work.log.waiting.push_back(Event::Candidates(Box::new(report)));
        None
    }

    /// The program with what templates propose, if that is wanted.
    fn with_templates(&mut self, accepted: Accepted) -> Option<(Accepted, Request)> {
        let request = self.work.request().clone();
        let guessed = accepted.program.nodes.iter().any(|n| !n.candidates.list.is_empty());
        let templates = match self.options.templates {
            Some(templates) => templates,
            None if guessed => return Some((accepted, request)),
            None => Templates::ALL,
        };
        if templates == Templates::NONE {
            return Some((accepted, request));
        }
        let learning = self.learning(templates);
        let names = self.options.nodes.clone();
        let roots =
            roots(&accepted.program, &names).map_err(|none| self.work.log.reject(none)).ok()?;
        let kernel = accepted.kernel.clone();
        let propose = move || proposed::by_templates(&kernel, &roots, &learning);
        let (text, left_out) = match within(&self.work.cancel, propose) {
            Ok(Ok(proposed)) => proposed,
            Ok(Err(clocked)) => {
                self.work.log.reject(clocked);
                return None;
            }
            Err(why) => {
                self.no_result(why);
                return None;
            }
        };
        for (node, left_out) in left_out {
            self.work.log.say(Remark::Limited { node, left_out });
        }
        let request = request.proposing(proposed::NAME, text);
        let loader = request.usual_loader();
        // What was wrong with the program has been said.
        let said = self.work.log.waiting.len();
        let accepted = self.work.log.read(&request, loader, &self.work.cancel);
        self.work.log.waiting.truncate(said);
        Some((accepted?, request))
    }

    /// Looks for executions in which candidates that were removed are false.
    fn executions(&mut self, found: &Explained, request: &Request) -> Vec<Verdict> {
        let gone = |fate: &Fate| matches!(fate, Fate::Removed(_) | Fate::Undecided { .. });
        let removed = found.candidates.iter().filter(|c| gone(&c.fate));
        let spans: Vec<Span> = removed.map(|c| c.span).collect();
        let most = self.options.executions;
        if spans.is_empty() || most.is_zero() {
            return Vec::new();
        }
        let mut options = CheckOptions {
            selection: Selection { nodes: self.options.nodes.clone(), ..Selection::default() },
            ..CheckOptions::default()
        };
        let engines = ["bmc", "simulation"].into_iter();
        options.search.engines = engines.filter_map(EngineChoice::named).collect();
        options.search.solver = self.options.solver.clone();
        options.search.solver_options = self.options.solver_options.clone();
        let until = self.work.cancel.deadline();
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        options.time = Some(left.map_or(most, |left| left.min(most)));
        let check = Check::stating(request.clone().stating(spans), options);
        let cancel = check.cancel().clone();
        let mut verdicts = Vec::new();
        for event in check {
            if self.work.cancel.is_cancelled() {
                cancel.cancel();
            }
            if let Event::Verdict(verdict) = event {
                verdicts.push(*verdict);
            }
        }
        verdicts
    }

    /// What is said of all that.
    fn report(&self, sources: &SourceMap, found: &Explained, verdicts: &[Verdict]) -> Report {
        let file = self.work.log.file.to_string();
        let candidates = found.candidates.iter().enumerate();
        let candidates = candidates.map(|(i, candidate)| {
            let about = about(sources, found, candidate, file.clone(), i + 1);
            let refuted = || {
                let mut verdicts = verdicts.iter().filter(|v| is_about(v, &about, candidate));
                verdicts.find_map(CandidateFate::refuted)
            };
            let (fate, removal) = match &candidate.fate {
                Fate::Kept => {
                    let known = &found.known[candidate.node];
                    let said = candidate.predicate.as_ref();
                    let kept = said.and_then(|said| Kept::find(known, said, about.kind));
                    let unchecked = || CandidateFate::Undecided { reason: "not checked".into() };
                    (kept.map_or_else(unchecked, CandidateFate::kept), None)
                }
                Fate::Removed(removal) => {
                    let fate = refuted().unwrap_or(CandidateFate::NotInductive);
                    (fate, Some(event(found, candidate, removal)))
                }
                Fate::Undecided { round, reason } => {
                    let undecided = CandidateFate::Undecided { reason: reason.clone() };
                    let removal = RemovalEvent {
                        round: *round,
                        verified: about.node.clone(),
                        call: None,
                        steps: None,
                        because: Vec::new(),
                    };
                    (refuted().unwrap_or(undecided), Some(removal))
                }
                Fate::NotTried(reason) => {
                    (CandidateFate::NotTried { reason: (*reason).into() }, None)
                }
            };
            CandidateEvent::new(about, fate, removal)
        });
        let candidates = candidates.collect();
        let rounds = found.rounds.iter().enumerate().map(|(i, round)| HoudiniRound {
            file: file.clone(),
            round: i + 1,
            verified: found.nodes.name(round.node).into(),
            left: round.before,
            removed: round.removed.iter().map(|c| c + 1).collect(),
        });
        Report { candidates, rounds: rounds.collect() }
    }
}

/// Where a candidate stands, and what it is.
fn about(
    sources: &SourceMap,
    found: &Explained,
    candidate: &Candidate,
    file: String,
    number: usize,
) -> CandidateAbout {
    let text = &sources.file(candidate.span.file).text[candidate.span.range()];
    let text = || with_parentheses(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    let (kind, said) = match &candidate.role {
        Role::Guess(CandidateRole::Invariant, _) => (CandidateKind::Invariant, text()),
        Role::Guess(CandidateRole::Requires, _) => (CandidateKind::Requires, text()),
        Role::Guess(CandidateRole::Ensures, _) => (CandidateKind::Ensures, text()),
        Role::Property(name) => (CandidateKind::Property, name.clone()),
    };
    CandidateAbout {
        file,
        number,
        node: found.nodes.name(candidate.node).into(),
        kind,
        candidate: said,
        origin: sources.file(candidate.span.file).name.clone(),
        line: sources.line_column(candidate.span).line,
    }
}

/// Whether a verdict is about a candidate as a property: by its place and its name.
fn is_about(verdict: &Verdict, about: &CandidateAbout, candidate: &Candidate) -> bool {
    let name = match &candidate.role {
        Role::Guess(_, number) => lustral_sema::candidate_name(*number),
        Role::Property(name) => name.clone(),
    };
    let path = verdict.property.strip_suffix(&*name);
    path.is_some_and(|path| path.is_empty() || path.ends_with('.'))
        && verdict.file == about.origin
        && verdict.line == about.line
}

/// How a candidate was removed, with names.
fn event(found: &Explained, candidate: &Candidate, removal: &Removal) -> RemovalEvent {
    let system = found.nodes.system(removal.verified);
    let begin = if removal.steps.len() == 1 { Begin::Initially } else { Begin::Anywhere };
    // What the candidate depends on is said of its own node; at a call all is of interest.
    let cone = match &candidate.predicate {
        Some(said) if removal.call.is_none() => {
            let mut cone = vec![false; system.variables.len()];
            for var in said.terms.variables([said.term]) {
                let mut of = system.terms.clone();
                let term = of.variable(var, system.variable(var).sort);
                let mut system = system.clone();
                system.terms = of;
                for (all, this) in cone.iter_mut().zip(system.cone(term)) {
                    *all |= this;
                }
            }
            cone
        }
        _ => vec![true; system.variables.len()],
    };
    let call = removal.call.map(|call| system.instances[call + 1].path.clone());
    RemovalEvent {
        round: removal.round,
        verified: found.nodes.name(removal.verified).into(),
        call,
        steps: Some(Execution::about(system, &cone, &removal.steps, begin)),
        because: removal.because.iter().map(|c| c + 1).collect(),
    }
}

/// The events, each as it comes.
impl Iterator for Houdini {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        next_event(self, |this| &mut this.work, |this, ()| this.run())
    }
}
