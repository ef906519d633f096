//! The safety properties of a protocol: for all sizes, or for given ones.
//!
//! Sizes are looked at one after the other, smallest first. An instance in which a property fails
//! refutes it. Where it holds, what the engines found is said of all sizes, and Houdini keeps what
//! is inductive there: if the property follows, and a fresh solver shows that too, it is
//! proved for all sizes. Otherwise the next size is looked at.
//!
//! A proof for all sizes says nothing if there is no first state at all. So it is told only after an
//! instance was seen that has one.

mod grow;
mod instance;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_base::profile::measured;
use lustral_coordinator::{Broken, within};
use lustral_engines::EngineChoice;
use lustral_first_order::Universe;
use lustral_orbits::Pattern;
use lustral_protocol::Protocol;
use lustral_quantified::{Candidates, Limits, Proved, houdini, lift, prove};
use lustral_report::{ProtocolSubject, ProtocolVerdict, RunInfo};
use lustral_smt::Solver;
use lustral_syntax::{Diagnostics, SourceMap};
use lustral_system::Reason;

use crate::event::{Diagnosed, Event};
use crate::load::Request;
use crate::options::CheckOptions;
use crate::remark::Remark;
use crate::staged::{Work, next_event};
use instance::{Found, Looked, Sized, Unsized};

/// How a protocol is checked, beside what is said of programs.
#[derive(Clone, Default, Debug)]
pub struct ProtocolOptions {
    /// The sizes of sorts by name; if there are none, all sizes.
    pub sizes: Vec<(String, u32)>,
    /// Whether invariants that the protocol states are neither checked nor used.
    pub ignore_invariants: bool,
}

/// A question for all sizes takes no longer.
const QUERY: Duration = Duration::from_secs(10);

/// The time for leaving facts out of a proof: the answer waits for it.
const FEWER: Duration = Duration::from_secs(1);

/// A check of a protocol, as an iterator over what is heard of it. The last event is
/// [`Event::Ended`]. Dropping it stops all that goes on for it.
///
/// ```
/// use lustral_session::{CheckOptions, CheckProtocol, Event, ProtocolOptions, Request};
///
/// let text = "sort node
///     mutable relation held(node)
///     init !held(N)
///     transition take(n: node)
///       modifies held
///       (forall N. !held(N)) & (forall N. new(held(N)) <-> N = n)
///     safety [mutex] held(M) & held(N) -> M = N";
/// let request = Request::text("lock.pyv", text);
/// let options = (CheckOptions::default(), ProtocolOptions::default());
/// for event in CheckProtocol::new(request, options.0, options.1) {
///     if let Event::Protocol(verdict) = event {
///         assert_eq!(verdict.is_as_wanted(), Some(true));
///     }
/// }
/// ```
pub struct CheckProtocol {
    options: CheckOptions,
    wish: ProtocolOptions,
    work: Work<Stage>,
}

enum Stage {
    Read,
    Look(Box<Looking>),
    Grow(Box<Looking>),
}

/// A protocol that is looked at.
struct Looking {
    sources: Arc<SourceMap>,
    /// What it states as an invariant is to be shown like its safety.
    protocol: Arc<Protocol>,
    /// The properties without a verdict.
    open: BTreeSet<usize>,
    candidates: Candidates,
    /// An invariant of the last size.
    patterns: Vec<Pattern>,
    /// The size that is next, of each sort; or the one that was asked for.
    next: Universe,
    asked: bool,
    /// The sizes at which all that is open holds, and whether there was a first state.
    held: Vec<Universe>,
}

impl CheckProtocol {
    /// A check of a protocol. Its time begins now; the work begins when the first event is
    /// asked for.
    #[must_use]
    pub fn new(request: Request, options: CheckOptions, wish: ProtocolOptions) -> CheckProtocol {
        let work = Work::new(request, options.time, Stage::Read);
        CheckProtocol { options, wish, work }
    }

    /// With the times of verdicts counted from then.
    #[must_use]
    pub fn since(mut self, began: Instant) -> CheckProtocol {
        self.work.began = began;
        self
    }

    /// What stops the check from another thread.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.work.cancel
    }

    fn read(&mut self) -> Option<Stage> {
        let text = self.work.request().read();
        let text = text.map_err(|unreadable| self.work.log.reject(unreadable)).ok()?;
        if text.latin {
            self.work.log.say(Remark::Latin);
        }
        let mut sources = SourceMap::new();
        let file = sources.add(self.work.log.file.to_string(), text.text);
        let mut found = Diagnostics::new();
        let mut protocol = lustral_protocol::read(&sources, file, &mut found);
        let (sources, is_wrong) = (Arc::new(sources), found.has_errors());
        if found.iter().next().is_some() {
            let sources = sources.clone();
            self.work.log.waiting.push_back(Event::Diagnostics(Diagnosed { sources, list: found }));
        }
        if is_wrong {
            self.work.log.ending = crate::event::Ending::Rejected;
            return None;
        }
        self.say_what_is_left_out(&protocol);
        if !self.wish.ignore_invariants {
            let stated = std::mem::take(&mut protocol.invariants);
            protocol.safety.extend(stated);
        }
        if protocol.safety.is_empty() {
            self.work.log.say(Remark::NothingToCheck { node: None });
            return None;
        }
        let next = match self.sizes(&protocol) {
            Ok(universe) => universe,
            Err(remark) => {
                self.work.log.reject(remark);
                return None;
            }
        };
        let open: BTreeSet<usize> = (0..protocol.safety.len()).collect();
        let mut candidates = Candidates::default();
        candidates.extend(protocol.safety.iter().map(|stated| stated.formula.clone()));
        let asked = !self.wish.sizes.is_empty();
        let protocol = Arc::new(protocol);
        let held = Vec::new();
        let patterns = Vec::new();
        let looking =
            Box::new(Looking { sources, protocol, open, candidates, patterns, next, asked, held });
        Some(self.stage(looking))
    }

    /// What is read and not looked at should not go unnoticed.
    fn say_what_is_left_out(&mut self, protocol: &Protocol) {
        let (theorems, traces) = (protocol.theorems.len(), protocol.traces.len());
        if theorems + traces > 0 {
            self.work.log.say(Remark::NotChecked { theorems, traces });
        }
    }

    /// The sizes that were asked for, or the smallest.
    fn sizes(&self, protocol: &Protocol) -> Result<Universe, Remark> {
        let signature = &protocol.signature;
        let wrong = |message: String| Err(Remark::WrongSizes(message));
        let known =
            || signature.sorts.iter().map(|s| format!("`{s}`")).collect::<Vec<_>>().join(", ");
        for (name, _) in &self.wish.sizes {
            if !signature.sorts.iter().any(|sort| **sort == **name) {
                return wrong(format!("there is no sort `{name}`: the sorts are {}", known()));
            }
        }
        let mut sizes = Vec::new();
        for sort in signature.sort_ids() {
            let name = signature.sort(sort);
            let given = self.wish.sizes.iter().find(|(known, _)| known == name);
            match given {
                Some((_, size)) => sizes.push(*size),
                None if self.wish.sizes.is_empty() => sizes.push(1),
                None => return wrong(format!("--size says nothing of the sort `{name}`")),
            }
        }
        Ok(Universe::new(sizes))
    }

    /// Looks at the next size, and then at all.
    fn look(&mut self, mut looking: Box<Looking>) -> Option<Stage> {
        let universe = looking.next.clone();
        let sized = {
            let (protocol, universe) = (looking.protocol.clone(), universe.clone());
            within(&self.work.cancel, move || Sized::new(&protocol, universe))
        };
        let sized = match sized {
            Ok(Ok(sized)) => sized,
            Ok(Err(Unsized::TooLarge)) => {
                let sizes = sizes_text(&looking.protocol, &universe);
                let text = format!("the instance with {sizes} is too large to be written out");
                return self.give_up(&looking, &inconclusive("too_large", text));
            }
            Ok(Err(Unsized::Mistaken(what))) => {
                let broken = format!("the program of an instance: {what}");
                return self.give_up(&looking, &Reason::Broken(broken));
            }
            Err(why) => return self.stopped(&looking, Broken { stage: "instance", why }),
        };
        let options = self.search();
        let mut heard = Vec::new();
        let progress = |so_far| heard.push(Event::Progress(so_far));
        let looked = measured("instances", || {
            sized.look(&looking.protocol, &looking.open, &options, &self.work.cancel, progress)
        });
        match looked {
            Looked::Empty if looking.asked => {
                let text = "vacuous: no first state of these sizes satisfies `init` and the axioms";
                self.give_up(&looking, &inconclusive("vacuous", text.into()))
            }
            Looked::Empty => self.larger(looking),
            Looked::Broken(broken) => self.stopped(&looking, broken),
            Looked::At(found) => {
                let reason = self.told(&mut looking, &sized, found);
                match reason {
                    _ if looking.open.is_empty() => None,
                    Some(reason) => self.give_up(&looking, &reason),
                    None => {
                        looking.held.push(universe);
                        self.all_sizes(&mut looking);
                        if looking.open.is_empty() { None } else { self.larger(looking) }
                    }
                }
            }
        }
    }

    /// Tells what was found of an instance; the reason, if something was left open.
    fn told(
        &mut self,
        looking: &mut Looking,
        sized: &Sized,
        found: Vec<(usize, Found)>,
    ) -> Option<Reason> {
        let mut reason = None;
        let signature = looking.protocol.signature.clone();
        for (property, found) in found {
            match found {
                Found::Fails(replayed) => {
                    let run = self.run_info();
                    let verdict = ProtocolVerdict::falsifiable(
                        self.subject(looking, property),
                        &replayed,
                        &run,
                    );
                    self.tell(looking, property, verdict);
                }
                Found::Holds(answer, clauses) if looking.asked => {
                    drop(clauses);
                    let run = self.run_info();
                    let subject = self.subject(looking, property);
                    let holds = ProtocolVerdict::holds_at(subject, &sized.universe, &answer, &run);
                    if let Some(verdict) = holds {
                        self.tell(looking, property, verdict);
                    }
                }
                Found::Holds(_, clauses) => {
                    let lifted = clauses.iter().flat_map(|c| lift(&signature, &sized.universe, c));
                    looking.candidates.extend(lifted);
                }
                Found::Open(why) => reason = Some(why),
            }
        }
        reason
    }

    /// Looks at all sizes at once.
    fn all_sizes(&mut self, looking: &mut Looking) {
        let limits = Limits { query: QUERY, cancel: self.work.cancel.clone() };
        let (protocol, open) = (looking.protocol.clone(), looking.open.clone());
        let mut candidates = std::mem::take(&mut looking.candidates);
        let solvers = self.solvers();
        let search = move || {
            let kept = houdini(&protocol, &mut candidates, &limits);
            tracing::info!(candidates = candidates.len(), kept = kept.len(), "for all sizes");
            let proof = |property: usize| -> Option<Proved> {
                let stated = &protocol.safety[property].formula;
                let until = Instant::now() + FEWER;
                let facts = kept.facts_for(&protocol, stated, &limits, until)?;
                prove(&protocol, property, &facts, &solvers, &limits)
                    .inspect_err(|why| tracing::info!(%why, "no proof for all sizes"))
                    .ok()
            };
            let proofs: Vec<Proved> = open.into_iter().filter_map(proof).collect();
            (candidates, proofs)
        };
        // Where the time is up there is nothing to tell, and nobody looks at candidates again.
        let found = measured("all sizes", || within(&self.work.cancel, search));
        let Ok((candidates, proofs)) = found else { return };
        looking.candidates = candidates;
        for proved in proofs {
            let property = proved.property();
            let mut run = self.run_info();
            run.certificate = self.written(looking, &proved);
            let verdict = ProtocolVerdict::valid(self.subject(looking, property), &proved, &run);
            self.tell(looking, property, verdict);
        }
    }

    /// Goes on with more elements of every sort.
    fn larger(&mut self, mut looking: Box<Looking>) -> Option<Stage> {
        if let Some(cause) = self.work.cancel.cause() {
            return self.give_up(&looking, &cause.into());
        }
        if looking.protocol.signature.sorts.is_empty() {
            let text = "no inductive invariant was found".to_string();
            return self.give_up(&looking, &inconclusive("no_invariant", text));
        }
        looking.next = Universe::new(looking.next.sizes().iter().map(|size| size + 1).collect());
        Some(self.stage(looking))
    }

    /// Who looks at the next size: the engines for programs if a size or an engine was asked for.
    fn stage(&self, looking: Box<Looking>) -> Stage {
        let chosen = self.options.search.engines != EngineChoice::defaults();
        if looking.asked || chosen { Stage::Look(looking) } else { Stage::Grow(looking) }
    }

    /// Nothing is known of what is open, for a reason.
    fn give_up(&mut self, looking: &Looking, reason: &Reason) -> Option<Stage> {
        self.work.log.stopped(&self.work.cancel);
        for property in looking.open.clone() {
            let run = self.run_info();
            let subject = self.subject(looking, property);
            let verdict = ProtocolVerdict::unknown(subject, reason, &looking.held, &run);
            self.work.log.waiting.push_back(Event::Protocol(Box::new(verdict)));
        }
        None
    }

    /// Some work was stopped, or failed.
    fn stopped(&mut self, looking: &Looking, broken: Broken) -> Option<Stage> {
        if let Some(cause) = self.work.cancel.cause() {
            return self.give_up(looking, &cause.into());
        }
        let reason = broken.reason();
        self.work.log.broken(broken);
        self.give_up(looking, &reason)
    }

    fn tell(&mut self, looking: &mut Looking, property: usize, verdict: ProtocolVerdict) {
        looking.open.remove(&property);
        self.work.log.waiting.push_back(Event::Protocol(Box::new(verdict)));
    }

    fn subject<'a>(&'a self, looking: &'a Looking, property: usize) -> ProtocolSubject<'a> {
        let span = looking.protocol.safety[property].span;
        let place = looking.sources.line_column(span);
        ProtocolSubject {
            file: &looking.sources.file(span.file).name,
            protocol: &looking.protocol,
            property,
            line: place.line,
            column: place.column,
        }
    }

    fn run_info(&self) -> RunInfo {
        let counted = self.options.search.pace == lustral_coordinator::Pace::Counted;
        let seconds = (!counted).then(|| self.work.began.elapsed().as_secs_f64());
        RunInfo { seconds, ..RunInfo::default() }
    }

    /// The engines that look at instances, if nobody chose others: those that find executions,
    /// and those whose invariants are clauses.
    fn search(&self) -> lustral_coordinator::Options {
        let mut options = self.options.search.clone();
        if options.engines == EngineChoice::defaults() {
            let wanted = ["bmc", "ic3"].into_iter();
            options.engines = wanted.filter_map(EngineChoice::named).collect();
        }
        options.minimise = false;
        options
    }

    /// Who shows what is to be shown for all sizes: the built-in solver, and the one that was
    /// asked for.
    fn solvers(&self) -> Vec<Solver> {
        let mut solvers = vec![Solver::BuiltIn];
        if self.options.search.solver != Solver::BuiltIn {
            solvers.push(self.options.search.solver.clone());
        }
        solvers
    }

    /// Writes the certificate of a proof, if that is wanted.
    fn written(&mut self, looking: &Looking, proved: &Proved) -> Option<String> {
        let base = self.options.kept.certificates.clone()?;
        let name = &looking.protocol.safety[proved.property()].name;
        match write(&base, &self.work.log.file, name, proved) {
            Ok(folder) => Some(folder.display().to_string()),
            Err((path, error)) => {
                self.work.log.say(Remark::CertificateUnwritten { path, error: Arc::new(error) });
                None
            }
        }
    }

    fn advance(&mut self, stage: Stage) -> Option<Stage> {
        match stage {
            Stage::Read => self.read(),
            Stage::Look(looking) => self.look(looking),
            Stage::Grow(looking) => self.grow(looking),
        }
    }
}

impl Iterator for CheckProtocol {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        next_event(self, |this| &mut this.work, CheckProtocol::advance)
    }
}

fn inconclusive(code: &'static str, text: String) -> Reason {
    Reason::Inconclusive { engine: "protocol".into(), code: code.into(), text }
}

fn sizes_text(protocol: &Protocol, universe: &Universe) -> String {
    let named = protocol.signature.sort_ids().map(|sort| {
        let name = protocol.signature.sort(sort);
        format!("{name} = {}", universe.size(sort))
    });
    named.collect::<Vec<_>>().join(", ")
}

/// Writes what was shown, a file for each obligation.
fn write(
    base: &std::path::Path,
    file: &str,
    property: &str,
    proved: &Proved,
) -> Result<PathBuf, (PathBuf, std::io::Error)> {
    let plain = |name: &str| -> String {
        name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect()
    };
    let stem = std::path::Path::new(file).file_stem().map(|s| s.to_string_lossy().into_owned());
    let folder = base.join(plain(&stem.unwrap_or_default())).join(plain(property));
    let failed = |path: &std::path::Path| {
        let path = path.to_path_buf();
        move |error| (path, error)
    };
    std::fs::create_dir_all(&folder).map_err(failed(&folder))?;
    for (i, obligation) in proved.obligations().iter().enumerate() {
        let path = folder.join(format!("{i:03}.smt2"));
        let text = format!(
            "; {}\n(set-logic UF)\n(set-info :status unsat)\n{}(check-sat)\n",
            obligation.name, obligation.script
        );
        std::fs::write(&path, text).map_err(failed(&path))?;
    }
    Ok(folder)
}
