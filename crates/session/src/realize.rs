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
use lustral_system::{Game, Outcome, Reason};

use crate::event::Event;
use crate::load::Request;
use crate::log::Accepted;
use crate::remark::Remark;
use crate::select::roots;
use crate::staged::{Work, next_event};

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
    options: RealizeOptions,
    work: Work<Stage>,
}

/// What is to be done next.
enum Stage {
    Read,
    Nodes(Box<(Accepted, VecDeque<NodeId>)>),
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
        Realize { work: Work::new(request, options.time, Stage::Read), options }
    }

    /// What stops the search from another thread.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.work.cancel
    }

    /// Does what a stage asks for, and says which is next.
    fn advance(&mut self, stage: Stage) -> Option<Stage> {
        match stage {
            Stage::Read => self.read(),
            Stage::Nodes(left) => self.next_node(left),
        }
    }

    fn read(&mut self) -> Option<Stage> {
        let accepted = self.work.read()?;
        let asked = &self.options.nodes;
        let nodes = if asked.is_empty() {
            accepted.program.node_ids().filter(|id| is_open(&accepted.program, *id)).collect()
        } else {
            roots(&accepted.program, asked).map_err(|none| self.work.log.reject(none)).ok()?
        };
        if nodes.is_empty() {
            self.work.log.say(Remark::NothingToRealize { node: None });
        }
        Some(Stage::Nodes(Box::new((accepted, nodes.into()))))
    }

    /// Looks at the next node.
    fn next_node(&mut self, mut left: Box<(Accepted, VecDeque<NodeId>)>) -> Option<Stage> {
        let (accepted, nodes) = &mut *left;
        let id = nodes.pop_front()?;
        let node = accepted.program.node(id);
        if !is_open(&accepted.program, id) {
            self.work.log.say(Remark::NothingToRealize { node: Some(node.name.to_string()) });
            return Some(Stage::Nodes(left));
        }
        let kernel = accepted.kernel.clone();
        let wanted = wanted(node);
        let unit = match within(&self.work.cancel, move || Unit::new(&kernel, id, wanted)) {
            Ok(Ok(unit)) => unit,
            Ok(Err(error)) => {
                self.work.log.reject(error);
                return Some(Stage::Nodes(left));
            }
            Err(why) => {
                self.work.log.unread(&self.work.cancel, "encoding", why);
                return None;
            }
        };
        let options = Options {
            solver: self.options.solver.clone(),
            solver_options: self.options.solver_options.clone(),
            cancel: self.work.cancel.clone(),
        };
        let work = unit.clone();
        let found = match within(&self.work.cancel, move || look_at(work, &options)) {
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
            seconds: Some(self.work.began.elapsed().as_secs_f64()),
            ..RunInfo::default()
        };
        let game = found.game.as_ref();
        let verdict = ContractVerdict::new(subject, game, &found.checked, found.conflict, run);
        self.work.log.waiting.push_back(Event::Contract(Box::new(verdict)));
        Some(Stage::Nodes(left))
    }

    /// Why nothing is known of a node.
    fn unfinished(&mut self, why: NoResult) -> Reason {
        match why {
            NoResult::Stopped => {
                self.work.log.stopped(&self.work.cancel);
                self.work.cancel.cause().map_or(Reason::Timeout, Reason::from)
            }
            NoResult::Panicked(_) => {
                let broken = Broken { stage: "search for a strategy", why };
                let reason = Reason::Broken(broken.to_string());
                self.work.log.broken(broken);
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

    fn next(&mut self) -> Option<Event> {
        next_event(self, |this| &mut this.work, Realize::advance)
    }
}
