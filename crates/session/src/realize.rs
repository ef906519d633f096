//! Whether contracts can be kept: a program in, events out.

mod node;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use lustral_base::{Cancel, Goal};
use lustral_certify::{
    Checked, ProofChecker, Realizability, Rejected, chooses, game, opened, wanted,
};
use lustral_coordinator::{Broken, NoResult, Unit, within};
use lustral_realize::{Conflict, Equations, Options, Winner, conflict, equations, play, solve};
use lustral_report::{ConflictEvent, ContractVerdict, RunInfo, Subject, Verdict};
use lustral_sema::program::{ASSUMPTIONS_SO_FAR, ONE_MODE};
use lustral_sema::{InstanceId, NodeId, Program};
use lustral_smt::{Solver, SolverOptions};
use lustral_syntax::{Severity, SourceMap};
use lustral_system::{Game, Outcome, Reason};
use lustral_term::VarId;

use crate::check::Check;
use crate::event::{Ending, Event};
use crate::load::Request;
use crate::log::Accepted;
use crate::options::{CheckOptions, Selection};
use crate::remark::Remark;
use crate::select::roots;
use crate::staged::{Work, next_event};
use node::NoNode;

/// How long the search for guarantees that contradict each other may take.
const FOR_CONFLICTS: Duration = Duration::from_secs(10);

/// How to find out whether contracts can be kept.
#[derive(Clone)]
pub struct RealizeOptions {
    /// The nodes by name; if there are none, all that have no body.
    pub nodes: Vec<String>,
    /// Whether strategies are wanted as nodes, each checked against its contract.
    pub strategies: bool,
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
            strategies: false,
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
    equations: Option<Equations>,
}

/// A program in which a node has a body, and what was proved of it.
struct Body {
    text: String,
    proofs: Vec<Verdict>,
}

/// Why a strategy is not shown as a node.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum Unshown {
    #[error("the strategy is not written as a node: {0}")]
    Unwritten(#[from] NoNode),
    #[error("the strategy is not shown as a node: `{0}` is {1}")]
    Open(String, &'static str),
    #[error("the strategy is not shown as a node: its text is no program ({0})")]
    NoProgram(String),
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
        let nodes: Vec<NodeId> = if asked.is_empty() {
            accepted.program.node_ids().filter(|id| is_open(&accepted.program, *id)).collect()
        } else {
            roots(&accepted.program, asked).map_err(|none| self.work.log.reject(none)).ok()?
        };
        self.work.chosen(&accepted.program, asked, &nodes);
        self.work.say_what_is_tried();
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
        let unit =
            match within(&self.work.cancel, move || Unit::new(&kernel, id, wanted).map(opened)) {
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
                Found { unit, game: None, checked, conflict: None, equations: None }
            }
        };
        let place = accepted.sources.line_column(node.span);
        let subject = Subject {
            file: &accepted.sources.file(node.span.file).name,
            system: &found.unit.system,
            line: place.line,
            column: place.column,
            premises: &[],
            blame: None,
        };
        let known = !matches!(found.checked.get(), Realizability::Unknown(_));
        let seconds = self.work.began.elapsed().as_secs_f64();
        let body = self.body(&accepted.sources, &found);
        let run = RunInfo {
            warnings: body.iter().filter_map(|b| Some(b.as_ref().err()?.to_string())).collect(),
            engine: known.then_some("realize"),
            solver: known.then(|| self.options.solver.name().to_string()),
            seconds: Some(seconds),
            ..RunInfo::default()
        };
        let game = found.game.as_ref();
        let mut verdict = ContractVerdict::new(subject, game, &found.checked, found.conflict, run);
        if let Some(Ok(Body { text, proofs })) = body {
            verdict = verdict.with_node(text, &proofs);
        }
        self.work.log.waiting.push_back(Event::Contract(Box::new(verdict)));
        Some(Stage::Nodes(left))
    }

    /// The program with a body for the node, if that is wanted, with the verdicts of a check
    /// against the contract; or why there is none.
    fn body(&self, sources: &SourceMap, found: &Found) -> Option<Result<Body, Unshown>> {
        let (Some(game), Some(equations)) = (&found.game, &found.equations) else { return None };
        self.options.strategies.then(|| {
            let text = node::program(&found.unit, sources, game, equations)?;
            let proofs = self.proved(&found.unit, &text)?;
            Ok(Body { text, proofs })
        })
    }

    /// Checks that the node of a unit keeps its contract in a program in which it has a body.
    fn proved(&self, unit: &Unit, text: &str) -> Result<Vec<Verdict>, Unshown> {
        let node = unit.program.node(unit.tree.instance(InstanceId::ROOT).node);
        // That some mode applies is the business of the contract, and so is what may occur.
        let stated = node.clauses.iter().any(|clause| *clause.name == *ONE_MODE);
        let is_owed = |verdict: &Verdict| {
            verdict.goal == Goal::Always && (stated || verdict.property != ONE_MODE)
        };
        let selection = Selection { nodes: vec![node.name.to_string()], ..Selection::default() };
        let time = self.work.cancel.deadline().map(|d| d.saturating_duration_since(Instant::now()));
        let options = CheckOptions { selection, time, ..CheckOptions::default() };
        let mut proofs = Vec::new();
        for event in Check::new(self.work.request().with_text(text), options) {
            match event {
                Event::Verdict(verdict) if !is_owed(&verdict) => {}
                Event::Verdict(verdict) if verdict.word() == "valid" => proofs.push(*verdict),
                Event::Verdict(verdict) => {
                    return Err(Unshown::Open(verdict.property.clone(), verdict.word()));
                }
                Event::Diagnostics(found) if found.list.has_errors() => {
                    let errors =
                        found.list.iter().filter(|found| found.severity == Severity::Error);
                    let message = errors.map(|error| error.message.clone()).next();
                    return Err(Unshown::NoProgram(message.unwrap_or_default()));
                }
                Event::Ended(Ending::Rejected | Ending::Broken(_)) => {
                    return Err(Unshown::NoProgram("it cannot be checked".into()));
                }
                _ => {}
            }
        }
        Ok(proofs)
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
    (node.imported || node.realizable.is_some() || chooses(node)) && !node.template
}

/// Finds out who wins the game of a node, and checks it.
fn look_at(unit: Unit, options: &Options) -> Found {
    let game = match game(&unit) {
        Ok(game) => game,
        Err(reason) => {
            let checked = Realizability::unknown(&unit.system.root().node, reason);
            return Found { unit, game: None, checked, conflict: None, equations: None };
        }
    };
    let checked = decide(&game, &unit, options)
        .unwrap_or_else(|reason| Realizability::unknown(&unit.system.root().node, reason));
    let conflict = match checked.get() {
        Realizability::Unrealizable { .. } => Some(contradiction(&game, &unit, options)),
        _ => None,
    };
    let equations = match checked.get() {
        Realizability::Realizable(strategy) => {
            let streams = unit.system.root().streams.iter();
            let given = streams.filter(|stream| stream.name == ASSUMPTIONS_SO_FAR);
            let given: Vec<VarId> = given.map(|stream| stream.var).collect();
            Some(equations(&game, strategy, &given, options))
        }
        _ => None,
    };
    Found { unit, game: Some(game), checked, conflict, equations }
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
