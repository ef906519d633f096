//! The safety properties of a protocol: for all sizes, or for given ones.
//!
//! What is stated may be inductive as it stands: that is tried first. Then sizes are looked at one after the other, smallest first. An instance in which a property fails
//! refutes it. Where it holds, what the engines found is said of all sizes, and Houdini keeps what
//! is inductive there: if the property follows, and a fresh solver shows that too, it is
//! proved for all sizes. Otherwise the next size is looked at.
//!
//! A proof for all sizes says nothing if there is no first state at all. So it is told only after an
//! instance was seen that has one.

mod all_sizes;
mod claims;
mod grow;
mod instance;
mod primal_dual;
mod stated;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use lustral_base::Cancel;
use lustral_base::profile::measured;
use lustral_coordinator::{Broken, within};
use lustral_engines::EngineChoice;
use lustral_first_order::Universe;
use lustral_orbits::Pattern;
use lustral_protocol::Protocol;
use lustral_quantified::{Candidates, Kept, Prover, lift};
use lustral_report::{About, ProtocolHints, ProtocolSubject, ProtocolVerdict, RunInfo};
use lustral_syntax::{Diagnostics, SourceMap};
use lustral_system::Reason;

use crate::event::{Diagnosed, Event};
use crate::load::Request;
use crate::options::CheckOptions;
use crate::remark::Remark;
use crate::staged::{Work, next_event};
use all_sizes::QUERY;
use instance::{Found, Looked, Sized, Unsized};

/// How a protocol is checked, beside what is said of programs.
#[derive(Clone, Default, Debug)]
pub struct ProtocolOptions {
    /// The sizes of sorts by name; if there are none, all sizes.
    pub sizes: Vec<(String, u32)>,
    /// Whether invariants that the protocol states are neither checked nor used.
    pub ignore_invariants: bool,
}

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
    Warn(Box<Looking>),
    Claims(Box<Looking>),
    First(Box<Looking>),
    Stated(Box<Looking>),
    Look(Box<Looking>),
    Grow(Box<Looking>),
    PrimalDual(Box<Looking>),
}

/// A protocol that is looked at.
struct Looking {
    sources: Arc<SourceMap>,
    /// What it states as an invariant is to be shown like its safety.
    protocol: Arc<Protocol>,
    /// How many of its properties are safety properties; the others were stated as invariants.
    safety: usize,
    /// The properties without a verdict.
    open: BTreeSet<usize>,
    /// Those that were proved: they are known of all states that are looked at.
    proved: BTreeSet<usize>,
    candidates: Candidates,
    /// Whether there are candidates that no instance suggests.
    has_reasons: bool,
    prover: Prover,
    /// An invariant of the last size.
    patterns: Vec<Pattern>,
    /// The size that is next, of each sort; or the one that was asked for.
    next: Universe,
    /// The smallest sizes with a first state, as soon as they are known.
    first: Universe,
    asked: bool,
    /// The sizes at which all that is open holds.
    held: Vec<Universe>,
    /// The sizes that were searched without finding an execution at the end of which one of these
    /// properties fails.
    searched: Vec<(Universe, BTreeSet<usize>)>,
    /// What was last found to be inductive for all sizes.
    kept: Kept,
}

impl Looking {
    /// The properties that instances are searched for: what is stated as an invariant must not keep
    /// the search from refuting the safety properties.
    fn focus(&self) -> BTreeSet<usize> {
        let safety: BTreeSet<usize> =
            self.open.iter().copied().filter(|property| *property < self.safety).collect();
        if safety.is_empty() { self.open.clone() } else { safety }
    }
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
        // A protocol states no levels itself: those that were asked for count.
        let found = self.work.log.levels.apply(&found);
        let (sources, is_wrong) = (Arc::new(sources), found.has_errors());
        if found.iter().next().is_some() {
            let sources = sources.clone();
            self.work.log.waiting.push_back(Event::Diagnostics(Diagnosed { sources, list: found }));
        }
        if is_wrong {
            self.work.log.ending = crate::event::Ending::Rejected;
            return None;
        }
        if !self.wish.sizes.is_empty() {
            self.say_what_is_left_out(&protocol);
        }
        let safety = protocol.safety.len();
        if !self.wish.ignore_invariants {
            let stated = std::mem::take(&mut protocol.invariants);
            protocol.safety.extend(stated);
        }
        let claims = protocol.theorems.len() + protocol.traces.len();
        if protocol.safety.is_empty() && (claims == 0 || !self.wish.sizes.is_empty()) {
            self.work.log.say(Remark::NothingStated);
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
        let looking = Box::new(Looking {
            sources,
            protocol: Arc::new(protocol),
            safety,
            open,
            proved: BTreeSet::new(),
            candidates,
            has_reasons: false,
            prover: Prover::new(&self.solvers()),
            patterns: Vec::new(),
            first: next.clone(),
            next,
            asked,
            held: Vec::new(),
            searched: Vec::new(),
            kept: Kept::default(),
        });
        Some(Stage::Warn(looking))
    }

    /// What is read and not looked at should not go unnoticed: theorems and traces are of all sizes.
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
        for (i, (name, _)) in self.wish.sizes.iter().enumerate() {
            if self.wish.sizes[..i].iter().any(|(other, _)| other == name) {
                return wrong(format!("--size says twice how many elements `{name}` has"));
            }
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
                        self.all_sizes(&mut looking, &self.work.cancel.clone(), QUERY);
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
        if chosen { Stage::Look(looking) } else { Stage::Grow(looking) }
    }

    /// Nothing is known of what is open, for a reason.
    fn give_up(&mut self, looking: &Looking, reason: &Reason) -> Option<Stage> {
        self.work.log.stopped(&self.work.cancel);
        for property in looking.open.clone() {
            let run = self.run_info();
            let subject = self.subject(looking, property);
            let found = looking.searched.iter().filter(|(_, open)| open.contains(&property));
            let hints = ProtocolHints {
                holds_at: looking.held.clone(),
                searched: found.map(|(universe, _)| universe.clone()).collect(),
                facts: looking.kept.facts().to_vec(),
                broken_by: looking.kept.lost_by(&looking.protocol.safety[property].formula),
            };
            let verdict = ProtocolVerdict::unknown(subject, reason, &hints, &run);
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
            about: About::Property,
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

    fn advance(&mut self, stage: Stage) -> Option<Stage> {
        match stage {
            Stage::Read => self.read(),
            Stage::Warn(looking) => self.warn(looking),
            Stage::Claims(looking) => self.claims(looking),
            Stage::First(looking) => self.first(looking),
            Stage::Stated(looking) => self.stated(looking),
            Stage::Look(looking) => self.look(looking),
            Stage::Grow(looking) => self.grow(looking),
            Stage::PrimalDual(looking) => self.primal_dual(looking),
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
