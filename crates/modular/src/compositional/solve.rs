//! A node against the summaries of what it calls, refined until it is settled.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lustral_base::schedule::charge;
use lustral_certify::{Answer, Checked, CutSystem, ProofChecker, Rejected, Replay, Strength};
use lustral_coordinator as coordinator;
use lustral_coordinator::{Causes, CheckResult, Execution, Run, Tools, Unit, Unwritten};
use lustral_sema::{InstanceId, InstanceTree, NodeId};
use lustral_system::{Dependencies, PropId, Reason};

use super::goals::{self, Goal};
use super::refine::{Tried, replay};
use super::share::{LEAST, Share, UNLIMITED};
use super::{Event, Looked, Worker};

/// Rounds after which all calls of a node are inlined with one of them, and
/// after which all calls are.
const ALL_OF_A_NODE: usize = 3;
const ALL: usize = 8;

/// Executions of larger programs are not replayed.
const MOST: usize = 20_000;

/// What is known of a goal.
pub enum Settled {
    /// An answer, the unit that it is about, and how it came about.
    Answer(Box<Found>),
    /// A check did not pass.
    Failed(&'static str, Rejected),
    /// Nothing, for this reason.
    Open(Reason),
}

/// An answer with what a report needs.
#[derive(Clone)]
pub struct Found {
    /// What it is about: a cut system, or the whole node for an execution.
    pub unit: Arc<Unit>,
    /// The answer.
    pub answer: Checked<Answer>,
    /// The engine that found it.
    pub engine: &'static str,
    /// What each part of a proof needs, if that was asked for.
    pub dependencies: Option<Dependencies>,
    /// Where its certificate was written, if one was wanted.
    pub certificate: Option<Result<PathBuf, Unwritten>>,
}

/// The goals of a node, and how they are to be settled.
pub struct Question {
    pub node: NodeId,
    /// What the node stands for.
    pub standing: Standing,
    pub goals: Vec<Goal>,
    /// What is known of its assertions.
    pub looked: Looked,
    /// What is known of them already, by goal; of others nothing.
    pub known: Vec<(usize, Settled)>,
    /// The time for it.
    pub share: Share,
}

/// What a node that is looked at stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Itself: it is to be checked.
    Checked,
    /// Any call.
    Called,
    /// Any call, as long as it is given what its contract says.
    KeptCall,
}

impl Standing {
    /// A tree of the node.
    pub fn of(self, tree: InstanceTree) -> InstanceTree {
        match self {
            Standing::Checked => tree,
            Standing::Called => tree.called(),
            Standing::KeptCall => tree.kept_call(),
        }
    }
}

/// A question being worked on.
struct Work<'w> {
    worker: &'w Worker,
    question: Question,
    settled: Vec<Settled>,
    tree: InstanceTree,
    strength: Strength,
    /// The node with all its instances, once that is needed.
    whole: Option<Option<Arc<Unit>>>,
    /// What finds out what made it fail, once that is asked.
    causes: Option<(Causes, Tools)>,
}

/// Settles goals as far as possible: one answer for each. What is certain is
/// shown at once.
pub fn solve(worker: &Worker, mut question: Question) -> (Vec<Goal>, Vec<Settled>) {
    let known = std::mem::take(&mut question.known);
    let tree = goals::tree(&worker.summaries, question.node, &question.goals);
    let tree = question.standing.of(tree);
    let open = || Settled::Open(Reason::Timeout);
    let settled = question.goals.iter().map(|_| open()).collect();
    let (strength, whole, causes) = (Strength::Outputs, None, None);
    let mut work = Work { worker, question, settled, tree, strength, whole, causes };
    known.into_iter().for_each(|(goal, settled)| work.settle(goal, settled));
    let mut rounds = 0;
    while !work.open().is_empty() && !work.question.share.cancel.is_cancelled() {
        if !work.round(rounds) {
            break;
        }
        rounds += 1;
    }
    (work.question.goals, work.settled)
}

impl Work<'_> {
    /// The numbers of the goals that are open.
    fn open(&self) -> Vec<usize> {
        let open = |i: &usize| matches!(self.settled[*i], Settled::Open(_));
        (0..self.settled.len()).filter(open).collect()
    }

    /// The time for a round: where something can still be inlined, not all.
    fn patience(&self) -> Option<Duration> {
        let left = self.question.share.left();
        let refines = self.tree.cut_ids().next().is_some();
        let some = || left.map_or(UNLIMITED, |left| (left / 6).max(LEAST).min(left));
        if refines { Some(some()) } else { left }
    }

    /// Runs the engines once and refines the system by what they found. False
    /// if there is nothing more to try.
    fn round(&mut self, rounds: usize) -> bool {
        let open = self.open();
        let worker = self.worker;
        let listed: Vec<Goal> = open.iter().map(|i| self.question.goals[*i].clone()).collect();
        let mut properties = goals::instances(&worker.program, &self.tree, &listed, worker.wanted);
        properties.extend(goals::owed(&worker.summaries, &self.tree, &properties));
        let cut = Arc::new(worker.summaries.cut(self.tree.clone(), properties, self.strength));
        let unit = cut.unit().clone();
        let (blamed, reasons) = self.engines(&cut, &unit, &open);
        tracing::debug!(
            node = unit.system.root().node,
            rounds,
            cut = self.tree.cut_ids().count(),
            open = open.len(),
            left = self.open().len(),
            "compositional"
        );
        for (goal, reason) in reasons {
            if matches!(self.settled[goal], Settled::Open(_)) {
                self.settled[goal] = Settled::Open(reason);
            }
        }
        let left = self.open();
        if left.is_empty() || self.question.share.cancel.is_cancelled() {
            return false;
        }
        self.refine(&unit, blamed, rounds)
    }

    /// Runs the engines on a cut system, and settles what they settle. The calls
    /// that are to blame where executions are none of the program, and why goals
    /// stay open.
    fn engines(
        &mut self,
        cut: &Arc<CutSystem>,
        unit: &Arc<Unit>,
        open: &[usize],
    ) -> (Vec<InstanceId>, Vec<(usize, Reason)>) {
        let certificates = self.worker.certificates.as_ref();
        let job = coordinator::Job {
            unit: unit.clone(),
            cut: Some(cut.clone()),
            partial: false,
            lemmas: Vec::new(),
            store: certificates.map(|certificates| certificates.store(open.to_vec())),
            patience: self.patience(),
            cancel: self.question.share.cancel.clone(),
        };
        let mut run = Run::start(job, &self.worker.options);
        let (mut blamed, mut reasons) = (Vec::new(), Vec::new());
        while let Some(event) = run.next() {
            match event {
                coordinator::Event::Checked(result) => {
                    let Some(goal) = open.get(result.property.index()).copied() else { continue };
                    match settled(unit, *result) {
                        Settled::Open(reason) => reasons.push((goal, reason)),
                        settled => self.settle(goal, settled),
                    }
                }
                coordinator::Event::Execution(execution) => {
                    let Some(goal) = open.get(execution.property.index()).copied() else {
                        run.spurious();
                        continue;
                    };
                    match self.execution(unit, goal, &execution) {
                        Ok(settled) => self.settle(goal, settled),
                        Err(calls) => {
                            blamed.extend(calls);
                            run.spurious();
                        }
                    }
                }
                coordinator::Event::Broken(broken) => {
                    let _ = self.worker.events.send(Event::Broken(broken));
                }
                coordinator::Event::Ended(_) | coordinator::Event::Progress(_) => {}
            }
            // What is no goal is there to be relied on, and nobody waits for it.
            if self.open().is_empty() {
                run.enough();
                break;
            }
        }
        // By a clock that counts, this is time that has gone by.
        charge(run.worked());
        let left = run.finish().into_iter();
        let goal = |left: coordinator::Open| Some((*open.get(left.property.index())?, left.reason));
        reasons.extend(left.filter_map(goal));
        (blamed, reasons)
    }

    /// Keeps what is known of a goal, and shows it if it is certain. That a
    /// property of a called node fails for some inputs is left to its callers, and what holds
    /// of kept calls is certain when all calls are known to be that.
    fn settle(&mut self, goal: usize, settled: Settled) {
        let standing = self.question.standing;
        if let Settled::Answer(found) = &settled
            && !found.answer.is_conditional()
            && (standing == Standing::Checked || matches!(found.answer.get(), Answer::Valid(_)))
        {
            let event = Event::Found(found.clone(), self.question.looked.clone());
            let _ = self.worker.events.send(event);
        }
        self.settled[goal] = settled;
    }

    /// Tries an execution of the cut system on the whole program.
    ///
    /// # Errors
    /// If it is none of the program: the calls that are to blame.
    fn execution(
        &mut self,
        unit: &Unit,
        goal: usize,
        execution: &Execution,
    ) -> Result<Settled, Vec<InstanceId>> {
        let Execution { property, engine, trace } = execution;
        let Some((whole, same)) = self.whole(goal) else {
            return Err(unit.tree.cut_ids().collect());
        };
        let trace = match replay(unit, &whole, (*property, same), trace) {
            Tried::Spurious(calls) => return Err(calls),
            Tried::Real(trace) => trace,
        };
        let replay = Replay::new(whole.context(), trace);
        let checked = replay.and_then(|replay| replay.check(&whole.system, same));
        Ok(match checked {
            Ok(answer) => Settled::Answer(Box::new(Found {
                answer: self.with_cause(&whole, answer),
                unit: whole,
                engine,
                dependencies: None,
                certificate: None,
            })),
            Err(rejected) => Settled::Failed(engine, rejected),
        })
    }

    /// What made an execution of the whole node fail, too, if somebody is to see it.
    fn with_cause(&mut self, whole: &Unit, answer: Checked<Answer>) -> Checked<Answer> {
        if self.question.standing != Standing::Checked {
            return answer;
        }
        let (options, cancel) = (&self.worker.options, &self.question.share.cancel);
        let new = || (Causes::default(), Tools::new(ProofChecker::new(cancel)));
        let (causes, tools) = self.causes.get_or_insert_with(new);
        causes.find(whole, options, cancel, tools, answer)
    }

    /// The whole node, and the number of a goal in it; unless it is too large.
    fn whole(&mut self, goal: usize) -> Option<(Arc<Unit>, PropId)> {
        let (worker, question) = (self.worker, &self.question);
        let make = || {
            let tree = InstanceTree::new(&worker.program, question.node).ok()?;
            if tree.len() > MOST {
                return None;
            }
            let tree = question.standing.of(tree);
            Some(Arc::new(Unit::of_tree(&worker.kernel, tree, worker.wanted)))
        };
        let whole = self.whole.get_or_insert_with(make).clone()?;
        let Goal { calls, source } = &self.question.goals[goal];
        let instance = whole.tree.follow(InstanceId::ROOT, calls)?;
        let same =
            |p: &lustral_sema::PropertyInstance| p.instance == instance && p.source == *source;
        let position = whole.properties.iter().position(same)?;
        Some((whole, PropId(position as u32)))
    }

    /// More of the summaries, or some calls inlined. False if all are.
    fn refine(&mut self, unit: &Unit, blamed: Vec<InstanceId>, rounds: usize) -> bool {
        let cut: Vec<InstanceId> = self.tree.cut_ids().collect();
        if cut.is_empty() {
            return false;
        }
        if self.strength == Strength::Outputs {
            self.strength = Strength::Full;
            return true;
        }
        let node = |id: &InstanceId| self.tree.instance(*id).node;
        let chosen: Vec<InstanceId> = match blamed.is_empty() {
            _ if rounds >= ALL => cut,
            true => {
                // No answer in time: all that the goals may depend on.
                let near = in_cone(unit, &cut);
                if near.is_empty() { cut } else { near }
            }
            false if rounds >= ALL_OF_A_NODE => {
                let nodes: Vec<NodeId> = blamed.iter().map(node).collect();
                cut.into_iter().filter(|id| nodes.contains(&node(id))).collect()
            }
            false => blamed,
        };
        self.tree = self.tree.unfold(&self.worker.summaries, &chosen);
        true
    }
}

/// The instances with flows that some property or constraint depends on.
fn in_cone(unit: &Unit, cut: &[InstanceId]) -> Vec<InstanceId> {
    let system = &unit.system;
    let roots = system.properties.iter().map(|p| p.term);
    let roots = roots.chain(system.constraints.iter().map(|c| c.term));
    let cone = system.cone_of(system.terms.variables(roots));
    let inside =
        |id: &&InstanceId| system.instances[id.index()].streams.iter().any(|s| cone[s.var.index()]);
    cut.iter().filter(inside).copied().collect()
}

/// What the result of a check settles.
pub fn settled(unit: &Arc<Unit>, result: CheckResult) -> Settled {
    match result.answer {
        Ok(answer) => Settled::Answer(Box::new(Found {
            unit: unit.clone(),
            answer,
            engine: result.engine,
            dependencies: result.dependencies,
            certificate: result.certificate,
        })),
        // The solver could not tell: perhaps a smaller system helps.
        Err(Rejected::NoAnswer(obligation, reason)) => {
            let reason = format!("checking the obligation {obligation}: {reason}");
            Settled::Open(Reason::Solver(reason))
        }
        Err(rejected) => Settled::Failed(result.engine, rejected),
    }
}
