//! Whether contracts can be kept: a program in, events out.

mod look;
mod node;
mod opened;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lustral_base::{Cancel, Goal};
use lustral_certify::{Realizability, chooses, opened as opened_unit, wanted};
use lustral_coordinator::{Broken, NoResult, Unit, within};
use lustral_realize::Options;
use lustral_report::{ContractVerdict, RunInfo, Subject, Verdict};
use lustral_sema::program::ONE_MODE;
use lustral_sema::{InstanceId, NodeId, Program};
use lustral_smt::{Solver, SolverOptions};
use lustral_syntax::{Severity, SourceMap};
use lustral_system::Reason;

use crate::check::Check;
use crate::event::{Ending, Event};
use crate::load::Request;
use crate::log::Accepted;
use crate::options::{CheckOptions, Selection};
use crate::remark::Remark;
use crate::select::roots;
use crate::staged::{Work, next_event, share_of};
pub(crate) use look::is_unrealizable;
use look::{Found, look_at, warning};
use node::NoNode;
use opened::not_imported;
pub(crate) use opened::open;

/// How to find out whether contracts can be kept.
#[derive(Clone)]
pub struct RealizeOptions {
    /// The nodes and contract nodes by name; if there are none, all nodes that have no body, or
    /// if there are none of these either, all that have a contract, or else all contract nodes
    /// that no contract imports.
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
    Nodes(VecDeque<Turn>),
}

/// A node that is looked at.
struct Turn {
    accepted: Arc<Accepted>,
    id: NodeId,
    /// It has a body, or is a contract by itself: that was left out here.
    opened: bool,
    /// It needed more than its share of the time: it gets what is left.
    late: bool,
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
        let accepted = Arc::new(self.work.read()?);
        let program = accepted.program.clone();
        let asked = self.options.nodes.clone();
        let turn = |id| Turn { accepted: accepted.clone(), id, opened: false, late: false };
        let mut turns: VecDeque<Turn> = VecDeque::new();
        let mut contracts = Vec::new();
        if asked.is_empty() {
            turns.extend(program.node_ids().filter(|id| is_open(&program, *id)).map(turn));
            let declared = |id: &NodeId| program.node(*id).of.is_none();
            let names = program.node_ids().filter(|id| has_contract(&program, *id));
            let names = names.filter(declared).map(|id| program.node(id).name.to_string());
            contracts.extend(names.filter(|_| turns.is_empty()));
            if turns.is_empty() && contracts.is_empty() {
                // FRET writes contract nodes, and leaves the node itself to others.
                let request = self.work.request();
                contracts
                    .extend(request.tree(&*request.usual_loader()).iter().flat_map(not_imported));
            }
        }
        for name in &asked {
            let found = roots(&program, std::slice::from_ref(name));
            match found {
                Ok(ids) if !ids.iter().any(|id| has_contract(&program, *id)) => {
                    turns.extend(ids.into_iter().map(turn));
                }
                _ => contracts.push(name.clone()),
            }
        }
        let nodes: Vec<NodeId> = turns.iter().map(|turn| turn.id).collect();
        self.work.chosen(&program, &asked, &nodes);
        self.work.say_what_is_tried();
        for name in contracts {
            let opened = self.opened(&name);
            if opened.is_empty() && !self.work.cancel.is_cancelled() {
                // There is no such contract either, or nothing is left to choose.
                match roots(&program, std::slice::from_ref(&name)) {
                    Ok(ids) => turns.extend(ids.into_iter().map(turn)),
                    Err(none) => {
                        self.work.log.reject(none);
                        return None;
                    }
                }
            }
            turns.extend(opened);
        }
        if turns.is_empty() {
            self.work.log.say(Remark::NothingToRealize { node: None });
        }
        Some(Stage::Nodes(turns))
    }

    /// What is to be looked at of a contract by itself.
    fn opened(&self, name: &str) -> Vec<Turn> {
        let request = self.work.request().opening(name);
        let analyse = move || {
            let analysed = request.analyse(&*request.usual_loader()).ok()?;
            (!analysed.diagnostics.has_errors()).then(|| Accepted::from(analysed))
        };
        let Ok(Some(accepted)) = within(&self.work.cancel, analyse) else { return Vec::new() };
        let accepted = Arc::new(accepted);
        let ids = roots(&accepted.program, &[name.to_string()]).unwrap_or_default();
        let open = ids.into_iter().filter(|id| is_open(&accepted.program, *id));
        let turn = |id| Turn { accepted: accepted.clone(), id, opened: true, late: false };
        open.map(turn).collect()
    }

    /// What stops the work on a node at the end of its share of the time, which is what is left
    /// by those that wait. Who needs more gets what the others leave.
    fn share(&self, waiting: usize) -> Cancel {
        let deadline = self.work.cancel.deadline().map(|deadline| {
            let now = Instant::now();
            now + share_of(deadline.saturating_duration_since(now), waiting + 1)
        });
        self.work.cancel.child_until(deadline)
    }

    /// Looks at the next node.
    fn next_node(&mut self, mut left: VecDeque<Turn>) -> Option<Stage> {
        let turn = left.pop_front()?;
        let Turn { accepted, id, .. } = &turn;
        let node = accepted.program.node(*id);
        if !is_open(&accepted.program, *id) {
            self.work.log.say(Remark::NothingToRealize { node: Some(node.name.to_string()) });
            return Some(Stage::Nodes(left));
        }
        let (kernel, id) = (accepted.kernel.clone(), *id);
        let wanted = wanted(node);
        let unit = match within(&self.work.cancel, move || {
            Unit::new(&kernel, id, wanted).map(opened_unit)
        }) {
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
        let share = self.share(left.len());
        let options = Options {
            solver: self.options.solver.clone(),
            solver_options: self.options.solver_options.clone(),
            cancel: share.clone(),
        };
        let work = unit.clone();
        let found = within(&share, move || look_at(work, &options));
        share.cancel();
        let is_open = match &found {
            Ok(found) => matches!(found.checked.get(), Realizability::Unknown(Reason::Timeout)),
            Err(why) => *why == NoResult::Stopped,
        };
        if is_open && !turn.late && !left.is_empty() && !self.work.cancel.is_cancelled() {
            left.push_back(Turn { late: true, ..turn });
            return Some(Stage::Nodes(left));
        }
        let found = match found {
            Ok(found) => found,
            Err(why) => {
                let reason = self.unfinished(why);
                let checked = Realizability::unknown(&node.name, reason);
                Found::nothing(unit, checked)
            }
        };
        self.tell(&turn, found);
        Some(Stage::Nodes(left))
    }

    /// Says what was found out about a node.
    fn tell(&mut self, Turn { accepted, id, opened, .. }: &Turn, found: Found) {
        let node = accepted.program.node(*id);
        let place = accepted.sources.line_column(node.span);
        let subject = Subject {
            file: &accepted.sources.file(node.span.file).name,
            system: &found.unit.system,
            line: place.line,
            column: place.column,
            expression: "",
            premises: &[],
            blame: None,
            item: None,
        };
        let known = !matches!(found.checked.get(), Realizability::Unknown(_));
        let seconds = self.work.began.elapsed().as_secs_f64();
        let body = self.body(&accepted.sources, &found, *opened);
        let run = RunInfo {
            warnings: (found.stuck.iter().map(warning))
                .chain(body.iter().filter_map(|b| Some(b.as_ref().err()?.to_string())))
                .collect(),
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
    }

    /// The program with a body for the node, if that is wanted, with the verdicts of a check
    /// against the contract; or why there is none.
    fn body(
        &self,
        sources: &SourceMap,
        found: &Found,
        opened: bool,
    ) -> Option<Result<Body, Unshown>> {
        let (Some(game), Some(equations)) = (&found.game, &found.equations) else { return None };
        self.options.strategies.then(|| {
            if opened {
                return Err(NoNode::Body.into());
            }
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
            NoResult::Panicked(_) | NoResult::NoThread(_) => {
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

/// Whether a node has a body and a contract, and chooses nothing: its contract can be looked at by
/// itself.
fn has_contract(program: &Program, id: NodeId) -> bool {
    let node = program.node(id);
    !node.clauses.is_empty() && !node.imported && !is_open(program, id) && !node.is_alias
}

/// The events, each as it comes.
impl Iterator for Realize {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        next_event(self, |this| &mut this.work, Realize::advance)
    }
}
