//! Whether contracts can be kept: a program in, events out.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_certify::{Checked, ProofChecker, Realizability, Rejected, game, wanted};
use lustral_coordinator::{Broken, NoResult, Unit, within};
use lustral_realize::{Conflict, Options, Winner, conflict, play, solve};
use lustral_report::{ConflictEvent, ContractVerdict, RunInfo, Subject};
use lustral_sema::{NodeId, Program};
use lustral_smt::{Solver, SolverOptions};
use lustral_syntax::Loader;
use lustral_system::{Game, Outcome, Reason};

use crate::event::Event;
use crate::load::Request;
use crate::log::{Accepted, Log};
use crate::remark::Remark;
use crate::select::roots;

/// How long the search for guarantees that contradict each other may take.
const FOR_CONFLICTS: Duration = Duration::from_secs(10);

/// How to find out whether contracts can be kept.
#[derive(Clone)]
pub struct RealizeOptions {
    /// The nodes by name; if there are none, all that have no body.
    pub nodes: Vec<String>,
    /// The solver that searches.
    pub solver: Solver,
    /// How it is set up.
    pub solver_options: SolverOptions,
    /// How long all may take, from the time at which the work is asked for.
    pub time: Option<Duration>,
}

impl Default for RealizeOptions {
    fn default() -> RealizeOptions {
        RealizeOptions {
            nodes: Vec::new(),
            solver: Solver::BuiltIn,
            solver_options: SolverOptions::default(),
            time: None,
        }
    }
}

/// The search for nodes that keep contracts, as an iterator over what is heard of it. The
/// last event is [`Event::Ended`]. Dropping it stops all.
///
/// ```
/// use lustral_session::{Event, Realize, RealizeOptions, Request};
///
/// let text = "node imported larger(x: int) returns (y: int);
///     con guarantee y > x; guarantee y < x + 1; noc";
/// for event in Realize::new(Request::text("larger.lus", text), RealizeOptions::default()) {
///     if let Event::Contract(verdict) = event {
///         assert_eq!(verdict.word(), "unrealizable");
///     }
/// }
/// ```
pub struct Realize {
    request: Request,
    loader: Option<Box<dyn Loader + Send>>,
    options: RealizeOptions,
    cancel: Cancel,
    began: Instant,
    log: Log,
    stage: Stage,
}

/// What is to be done next.
enum Stage {
    Read,
    Nodes(Box<(Accepted, VecDeque<NodeId>)>),
    Last,
    Over,
}

/// What was found out about a node.
struct Found {
    unit: Unit,
    game: Option<Game>,
    checked: Checked<Realizability>,
    conflict: Option<ConflictEvent>,
}

impl Realize {
    /// The search in a program. Its time begins now; the work begins when the first event
    /// is asked for.
    #[must_use]
    pub fn new(request: Request, options: RealizeOptions) -> Realize {
        let began = Instant::now();
        let deadline = options.time.and_then(|time| began.checked_add(time));
        Realize {
            loader: Some(request.usual_loader()),
            log: Log::new(&request),
            request,
            options,
            cancel: Cancel::with_deadline(deadline),
            began,
            stage: Stage::Read,
        }
    }

    /// What stops the search from another thread.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    fn read(&mut self) -> Option<Stage> {
        let loader = self.loader.take()?;
        let accepted = self.log.read(&self.request, loader, &self.cancel)?;
        let asked = &self.options.nodes;
        let nodes = if asked.is_empty() {
            accepted.program.node_ids().filter(|id| is_open(&accepted.program, *id)).collect()
        } else {
            roots(&accepted.program, asked).map_err(|none| self.log.reject(none)).ok()?
        };
        if nodes.is_empty() {
            self.log.say(Remark::NothingToRealize { node: None });
        }
        Some(Stage::Nodes(Box::new((accepted, nodes.into()))))
    }

    /// Looks at the next node.
    fn next_node(&mut self, mut left: Box<(Accepted, VecDeque<NodeId>)>) -> Stage {
        let (accepted, nodes) = &mut *left;
        let Some(id) = nodes.pop_front() else { return Stage::Last };
        let node = accepted.program.node(id);
        if !is_open(&accepted.program, id) {
            self.log.say(Remark::NothingToRealize { node: Some(node.name.to_string()) });
            return Stage::Nodes(left);
        }
        let kernel = accepted.kernel.clone();
        let wanted = wanted(node);
        let unit = match within(&self.cancel, move || Unit::new(&kernel, id, wanted)) {
            Ok(Ok(unit)) => unit,
            Ok(Err(error)) => {
                self.log.reject(error);
                return Stage::Nodes(left);
            }
            Err(why) => {
                self.log.unread(&self.cancel, "encoding", why);
                return Stage::Last;
            }
        };
        let options = Options {
            solver: self.options.solver.clone(),
            solver_options: self.options.solver_options.clone(),
            cancel: self.cancel.clone(),
        };
        let work = unit.clone();
        let found = match within(&self.cancel, move || look_at(work, &options)) {
            Ok(found) => found,
            Err(why) => {
                let reason = self.unfinished(why);
                let checked = Realizability::unknown(&node.name, reason);
                Found { unit, game: None, checked, conflict: None }
            }
        };
        let place = accepted.sources.line_column(node.span);
        let subject = Subject {
            file: &accepted.sources.file(node.span.file).name,
            system: &found.unit.system,
            line: place.line,
            column: place.column,
        };
        let known = !matches!(found.checked.get(), Realizability::Unknown(_));
        let run = RunInfo {
            engine: known.then_some("realize"),
            solver: known.then(|| self.options.solver.name().to_string()),
            seconds: Some(self.began.elapsed().as_secs_f64()),
            ..RunInfo::default()
        };
        let game = found.game.as_ref();
        let verdict = ContractVerdict::new(subject, game, &found.checked, found.conflict, run);
        self.log.waiting.push_back(Event::Contract(Box::new(verdict)));
        Stage::Nodes(left)
    }

    /// Why nothing is known of a node.
    fn unfinished(&mut self, why: NoResult) -> Reason {
        match why {
            NoResult::Stopped => {
                self.log.stopped(&self.cancel);
                self.cancel.cause().map_or(Reason::Timeout, Reason::from)
            }
            NoResult::Panicked(_) => {
                let broken = Broken { stage: "search for a strategy", why };
                let reason = Reason::Broken(broken.to_string());
                self.log.broken(broken);
                reason
            }
        }
    }
}

/// Whether something of a node is left to choose.
fn is_open(program: &Program, id: NodeId) -> bool {
    let node = program.node(id);
    (node.imported || node.realizable.is_some()) && !node.template
}

/// Finds out who wins the game of a node, and checks it.
fn look_at(unit: Unit, options: &Options) -> Found {
    let game = match game(&unit) {
        Ok(game) => game,
        Err(reason) => {
            let checked = Realizability::unknown(&unit.system.root().node, reason);
            return Found { unit, game: None, checked, conflict: None };
        }
    };
    let checked = decide(&game, &unit, options)
        .unwrap_or_else(|reason| Realizability::unknown(&unit.system.root().node, reason));
    let conflict = match checked.get() {
        Realizability::Unrealizable { .. } => Some(contradiction(&game, &unit, options)),
        _ => None,
    };
    Found { unit, game: Some(game), checked, conflict }
}

/// Who wins a game: found, and checked.
fn decide(game: &Game, unit: &Unit, options: &Options) -> Result<Checked<Realizability>, Reason> {
    let outcome = solve(game, options)?;
    let failed = |rejected: Rejected| match options.cancel.cause() {
        Some(cause) => cause.into(),
        None => match rejected {
            Rejected::NoAnswer(_, why) => Reason::Solver(why),
            other => Reason::CheckFailed(other.to_string()),
        },
    };
    let mut checker = ProofChecker::new(&options.cancel).map_err(failed)?;
    match outcome {
        Outcome::System(strategy) => checker.check_system_wins(game, strategy).map_err(failed),
        Outcome::Environment(refutation) => {
            let play = play(game, &refutation, options)?;
            let system = &unit.system;
            checker.check_environment_wins(game, system, refutation, &play).map_err(failed)
        }
    }
}

/// The guarantees that cannot be kept together, each answer on the way checked.
fn contradiction(game: &Game, unit: &Unit, options: &Options) -> ConflictEvent {
    let until = Instant::now().checked_add(FOR_CONFLICTS);
    let cancel = options.cancel.child_until(until);
    let options = Options { cancel, ..options.clone() };
    let winner = |part: &Game| match decide(part, unit, &options).ok()?.get() {
        Realizability::Realizable(_) => Some(Winner::System),
        Realizability::Unrealizable { .. } => Some(Winner::Environment),
        Realizability::Unknown(_) => None,
    };
    let Conflict { guarantees, minimal } = conflict(game, winner);
    let name = |at: &usize| game.guarantees[*at].name.clone();
    ConflictEvent { guarantees: guarantees.iter().filter_map(name).collect(), minimal }
}

/// The events, each as it comes.
impl Iterator for Realize {
    type Item = Event;

    /// Waits for what happens next.
    fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.log.waiting.pop_front() {
                return Some(event);
            }
            self.stage = match std::mem::replace(&mut self.stage, Stage::Over) {
                Stage::Read => self.read().unwrap_or(Stage::Last),
                Stage::Nodes(left) => self.next_node(left),
                Stage::Last => {
                    self.log.waiting.push_back(Event::Ended(self.log.ending.clone()));
                    Stage::Over
                }
                Stage::Over => return None,
            };
        }
    }
}

impl Drop for Realize {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
