//! `check --compositional`: each node once, against summaries of what it calls:
//! assume–guarantee proofs in a loop of counterexample-guided abstraction
//! refinement (CEGAR), where refining is inlining.
//!
//! Called nodes come first. Of each, what it guarantees on arbitrary inputs is
//! learned and proved, and so are its properties, as far as they hold whatever
//! the inputs are; what does not is left to its callers, where the call is
//! inlined. In the node that is checked, the calls are cut: they may do what
//! their summaries allow. What is proved so holds in the program (see
//! `certify::modular`); what fails so is tried on the whole program, and where
//! that does not fail, the calls that did something else are inlined.

mod share;
mod called;
mod goals;
mod kept;
mod refine;
mod solve;
mod survey;

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use lustral_base::Cancel;
use lustral_certify::{Answer, Checked, ProofChecker, Strength, Summaries};
use lustral_coordinator::{Broken, Certificates, Options, Pace, Unit};
use lustral_flow::called_first;
use lustral_kernel::Program as Kernel;
use lustral_sema::instances::Wanted;
use lustral_sema::{NodeId, Program};
use lustral_system::{PropId, Reason};

use called::Called;
use goals::Goal;
use kept::Held;
use share::Share;
pub use solve::Found;
use solve::{Question, Settled, Standing, solve};

/// What the coordinator hears.
pub enum Event {
    /// An answer.
    Found(Box<Found>, Looked),
    /// A property stays open; an engine may have found something that did not
    /// pass its check.
    Open {
        /// What the property is one of.
        unit: Arc<Unit>,
        /// The property.
        property: PropId,
        /// Why it stays open.
        reason: Reason,
        /// The engine whose finding did not pass its check.
        engine: Option<&'static str>,
    },
    /// Something to know about a called node.
    Note(String),
    /// A thread panicked.
    Broken(Broken),
}

/// What works on a program, on a thread of its own.
pub struct Worker {
    program: Arc<Program>,
    kernel: Arc<Kernel>,
    wanted: Wanted,
    options: Options,
    certificates: Option<Certificates>,
    cancel: Cancel,
    time: Option<Duration>,
    summaries: Summaries,
    /// What was proved of nodes so far.
    proved: Vec<Checked<Answer>>,
    events: Sender<Event>,
}

/// What a [`Worker`] is to do.
pub struct Work {
    /// The program.
    pub kernel: Arc<Kernel>,
    /// Which properties count.
    pub wanted: Wanted,
    /// How engines and checker are set up.
    pub options: Options,
    /// Where certificates go, if they are wanted.
    pub certificates: Option<Certificates>,
    /// Stops all.
    pub cancel: Cancel,
    /// How long all may take, if there is a limit. By a clock that counts work,
    /// shares of the time are shares of this; else of what is left of the
    /// deadline.
    pub time: Option<Duration>,
}

/// What was found out about the assertions of a node before anything else.
#[derive(Clone, Default)]
pub struct Looked {
    /// What to add to all verdicts.
    pub warnings: Vec<String>,
    /// What to add to a proof: it may be about no execution.
    pub doubt: Option<String>,
}

impl Worker {
    /// Has nothing done yet, and will say what it finds.
    #[must_use]
    pub fn new(work: Work, events: Sender<Event>) -> Worker {
        let Work { kernel, wanted, options, certificates, cancel, time } = work;
        let summaries = Summaries::new(&kernel);
        let program = kernel.typed.clone();
        let proved = Vec::new();
        Worker {
            program,
            kernel,
            wanted,
            options,
            certificates,
            cancel,
            time,
            summaries,
            proved,
            events,
        }
    }

    /// Works on some nodes and all that they call.
    pub fn run(self, roots: &[NodeId]) {
        if self.options.pace != Pace::Counted {
            return self.work(roots);
        }
        // So that all that is limited here is limited by work. The engines of
        // each round have a schedule of their own, and their work is added.
        let (schedule, cancel) = (self.options.pace.own_schedule(), self.cancel.clone());
        schedule.by_turns(&cancel, || self.work(roots));
    }

    fn work(mut self, roots: &[NodeId]) {
        let all = Share::all(&self.cancel, self.time);
        let mut looked: Vec<(NodeId, Looked)> = Vec::new();
        for root in roots {
            // Without executions there is nothing to show.
            if let Some(known) = survey::look(&self, *root) {
                looked.push((*root, known));
            }
        }
        let roots: Vec<NodeId> = looked.iter().map(|(root, _)| *root).collect();
        let order = called_first(&self.program, &roots);
        let mut left: Vec<Vec<Goal>> = vec![Vec::new(); self.program.nodes.len()];
        let mut checker = ProofChecker::new(&self.cancel);
        let is_called = |id: &&NodeId| {
            let calls = order.iter().flat_map(|caller| &self.program.node(*caller).calls);
            calls.into_iter().any(|call| call.callee == **id)
        };
        let called: Vec<NodeId> = order.iter().filter(is_called).copied().collect();
        let mut held: Vec<Vec<Held>> = (0..left.len()).map(|_| Vec::new()).collect();
        let mut waiting = called.clone();
        while !waiting.is_empty() {
            let some = self.independent(&mut waiting);
            let turns = (waiting.len() + some.len()).div_ceil(some.len());
            let share = |_| all.for_one_of(turns);
            let shares: Vec<Share> = some.iter().map(share).collect();
            for (node, found) in self.side_by_side(&some, &left, shares) {
                self.conclude(node, &found, &mut checker);
                (left[node.index()], held[node.index()]) = (found.rest, found.held);
            }
        }
        // Something is left for what depends on the assumptions of called nodes.
        let none_held = held.iter().all(Vec::is_empty);
        let rest = || if none_held { all.whole() } else { all.most() };
        let mut late: Vec<(&(NodeId, Looked), Vec<Goal>)> = Vec::new();
        for (i, root) in looked.iter().enumerate() {
            let goals = self.goals(root.0, &left, true);
            self.options.faults.strike("checked node");
            let count = looked.len() - i;
            let open = self.root(root, goals, &rest().for_one_root_of(count), Some(&all));
            late.extend((!open.is_empty()).then_some((root, open)));
        }
        // What one node does not need is there for those that need more than their share.
        let mut count = late.len();
        for (root, goals) in late {
            self.root(root, goals, &rest().for_one_root_of(count), None);
            count -= 1;
        }
        self.tell_held(&roots, &called, held, &looked, &all);
    }

    /// Takes nodes from those that wait, so many as may be looked at at the same time: the first of them, whose
    /// calls are of nodes that were looked at before, and others of which that is true.
    fn independent(&self, waiting: &mut Vec<NodeId>) -> Vec<NodeId> {
        let jobs = self.options.pace.jobs();
        let is_ready = |node: &NodeId| {
            let calls = &self.program.node(*node).calls;
            !calls.iter().any(|call| waiting.contains(&call.callee))
        };
        let some: Vec<NodeId> = waiting.iter().copied().filter(is_ready).take(jobs).collect();
        // No node calls itself, so there is always one.
        let some = if some.is_empty() { waiting[..1].to_vec() } else { some };
        waiting.retain(|node| !some.contains(node));
        some
    }

    /// Works on nodes of which none calls another, each on a thread of its own.
    fn side_by_side(
        &self,
        nodes: &[NodeId],
        left: &[Vec<Goal>],
        shares: Vec<Share>,
    ) -> Vec<(NodeId, Called)> {
        let one = |(node, share)| move || (node, self.called(node, left, share));
        let work = nodes.iter().copied().zip(shares).map(one).collect();
        lustral_base::side_by_side("node", work)
    }

    /// Settles goals of a node that is checked, and says which stay open. If there is more time
    /// than its share, what needs it is not said to be open but given back.
    fn root(
        &mut self,
        (root, looked): &(NodeId, Looked),
        goals: Vec<Goal>,
        share: &Share,
        all: Option<&Share>,
    ) -> Vec<Goal> {
        let (standing, looked, known) = (Standing::Checked, looked.clone(), Vec::new());
        let (node, share) = (*root, share.clone());
        let question = Question { node, standing, goals, looked, known, share: share.clone() };
        let (goals, settled) = solve(self, question);
        let is_late =
            share.cancel.is_cancelled() && all.is_some_and(|all| !all.cancel.is_cancelled());
        let mut late = Vec::new();
        for (goal, settled) in goals.into_iter().zip(settled) {
            match &settled {
                Settled::Answer(found) => self.proved.push(found.answer.clone()),
                Settled::Open(_) if is_late => {
                    late.push(goal);
                    continue;
                }
                _ => {}
            }
            self.tell_open(*root, &goal, settled);
        }
        late
    }

    fn goals(&self, node: NodeId, left: &[Vec<Goal>], is_root: bool) -> Vec<Goal> {
        if !is_root && !self.wanted.called_nodes {
            return Vec::new();
        }
        let left = |callee: NodeId| left[callee.index()].clone();
        goals::of_node(&self.summaries, node, self.wanted, left, is_root)
    }

    /// Says that a goal of the node that is checked stays open, if it does.
    fn tell_open(&self, root: NodeId, goal: &Goal, settled: Settled) {
        let (reason, engine) = match settled {
            Settled::Answer(_) => return,
            Settled::Failed(engine, rejected) => {
                (Reason::CheckFailed(rejected.to_string()), Some(engine))
            }
            Settled::Open(reason) => (reason, None),
        };
        let goals = std::slice::from_ref(goal);
        let tree = goals::tree(&self.summaries, root, goals);
        let properties = goals::instances(&self.program, &tree, goals, self.wanted);
        let cut = self.summaries.cut(tree, properties, Strength::Outputs);
        let unit = cut.unit().clone();
        let _ = self.events.send(Event::Open { unit, property: PropId(0), reason, engine });
    }
}
