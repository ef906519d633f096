//! `check --compositional`: each node once, against summaries of what it calls.
//!
//! Called nodes come first. Of each, what it guarantees on arbitrary inputs is
//! learned and proved, and so are its properties, as far as they hold whatever
//! the inputs are; what does not is left to its callers, where the call is
//! inlined. In the node that is checked, the calls are cut: they may do what
//! their summaries allow. What is proved so holds in the program (see
//! `certify::modular`); what fails so is tried on the whole program, and where
//! that does not fail, the calls that did something else are inlined.

mod called;
mod goals;
mod refine;
mod round;
mod solve;
mod survey;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use lustral_base::Cancel;
use lustral_base::Schedule;
use lustral_certify::{Answer, CutSystem, ProofChecker, Strength, Summaries, write_folder};
use lustral_engines::{Abduction, Compression, EngineChoice, Passes, Templates};
use lustral_flow::called_first;
use lustral_sema::instances::Wanted;
use lustral_sema::{NodeId, Program};
use lustral_smt::{Solver, SolverOptions};
use lustral_system::{PropId, Reason};

use crate::certificates;
use crate::checker::Store;
use crate::cli::CheckOptions;
use crate::unit::Unit;
use goals::Goal;
pub use solve::Found;
use solve::{Question, Settled, solve};
pub use survey::{blocks, inexact};

/// The options of a run.
#[derive(Clone)]
pub struct Settings {
    solver: Solver,
    bmc_solver: Option<Solver>,
    options: SolverOptions,
    engines: Vec<EngineChoice>,
    max_k: usize,
    compression: Compression,
    templates: Templates,
    abduction: Abduction,
    prepare: Passes,
    width: usize,
    schedule: Schedule,
    own_schedule: Schedule,
    explain: bool,
}

impl Settings {
    /// From the command line.
    pub fn new(options: &CheckOptions, solver: SolverOptions) -> Settings {
        Settings {
            solver: options.solver.clone(),
            bmc_solver: options.bmc_solver.clone(),
            options: solver,
            engines: options.engines(),
            max_k: options.max_k.unwrap_or(usize::MAX - 1),
            compression: options.compression.into(),
            templates: options.templates,
            abduction: options.abduction.into(),
            prepare: options.prepare,
            width: options.width,
            schedule: options.schedule(),
            own_schedule: options.own_schedule(),
            explain: options.explain,
        }
    }
}

/// What the coordinator hears.
pub enum Event {
    /// An answer.
    Found(Box<Found>, Looked),
    /// A property stays open; an engine may have found something that did not
    /// pass its check.
    Open { unit: Arc<Unit>, property: PropId, reason: Reason, engine: Option<&'static str> },
    /// Something to know about a called node.
    Note(String),
}

/// What works on a program, on a thread of its own.
pub struct Worker {
    pub program: Arc<Program>,
    pub kernel: Arc<lustral_kernel::Program>,
    pub wanted: Wanted,
    pub settings: Settings,
    /// Where certificates go: the folder, the file, and the program's texts.
    pub certificates: Option<(PathBuf, PathBuf, Texts)>,
    pub cancel: Cancel,
    pub summaries: Summaries,
    pub events: Sender<Event>,
}

/// The texts of a program, by name.
pub type Texts = Arc<Vec<(String, Arc<str>)>>;

/// What was found out about the assertions of a node before anything else.
#[derive(Clone, Default)]
pub struct Looked {
    /// What to add to all verdicts.
    pub warnings: Vec<String>,
    /// What to add to a proof: it may be about no execution.
    pub doubt: Option<String>,
}

impl Worker {
    /// Works on some nodes and all that they call.
    pub fn run(mut self, roots: &[NodeId]) {
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
        for (i, node) in called.iter().enumerate() {
            let until = self.share(called.len() - i);
            left[node.index()] = self.called(*node, &left, &mut checker, until);
        }
        for (root, looked) in looked {
            let goals = self.goals(root, &left, true);
            let cancel = self.cancel.child();
            let question = Question { node: root, called: false, goals, looked, cancel };
            let (goals, settled) = solve(&self, question);
            for (goal, settled) in goals.iter().zip(settled) {
                self.tell_open(root, goal, settled);
            }
        }
    }

    fn goals(&self, node: NodeId, left: &[Vec<Goal>], is_root: bool) -> Vec<Goal> {
        if !is_root && !self.wanted.called_nodes {
            return Vec::new();
        }
        let left = |callee: NodeId| left[callee.index()].clone();
        goals::of_node(&self.program, node, self.wanted, left, is_root)
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
        let tree = goals::tree(&self.program, root, goals);
        let properties = goals::instances(&self.program, &tree, goals, self.wanted);
        let cut = self.summaries.cut(tree, properties, Strength::Outputs);
        let unit = Arc::new(Unit::of_cut(&cut));
        let _ = self.events.send(Event::Open { unit, property: PropId(0), reason, engine });
    }

    /// What writes the certificates of a cut system's proofs, if that is wanted.
    fn store(&self, cut: &Arc<CutSystem>, numbers: &[usize]) -> Store {
        let Some((base, file, texts)) = &self.certificates else { return Box::new(|_, _| None) };
        let mut folder = certificates::folder(base, file, &cut.system().root().node);
        // A proof for all calls is another one than that for the node by itself.
        if cut.tree().is_called() {
            folder.push(certificates::CALLS);
        }
        let (cut, texts, numbers) = (cut.clone(), texts.clone(), numbers.to_vec());
        Box::new(move |property, answer| {
            let Answer::Valid(_) = answer.get() else { return None };
            let name = &cut.system().property(property).name;
            let folder = certificates::of_property(&folder, numbers[property.index()] + 1, name);
            let texts: Vec<(String, &[u8])> =
                texts.iter().map(|(name, text)| (name.clone(), text.as_bytes())).collect();
            let written = write_folder(&folder, cut.system(), answer, &texts);
            Some(written.map(|()| folder.display().to_string()).map_err(|e| e.to_string()))
        })
    }
}
