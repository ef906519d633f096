//! `check --compositional`: each node once, against summaries of what it calls.
//!
//! Called nodes come first. Of each, what it guarantees on arbitrary inputs is
//! learned and proved, and so are its properties, as far as they hold whatever
//! the inputs are; what does not is left to its callers, where the call is
//! inlined. In the node that is checked, the calls are cut: they may do what
//! their summaries allow. What is proved so holds in the program (see
//! `certify::modular`); what fails so is tried on the whole program, and where
//! that does not fail, the calls that did something else are inlined.

mod goals;
mod refine;
mod round;
mod solve;
mod survey;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use lustral_certify::{
    Answer, Checked, CutSystem, ProofChecker, Rejected, Strength, Summaries, write_folder,
};
use lustral_engines::{
    Abduction, Compression, EngineChoice, LearnOptions, Passes, Schedule, Templates,
    defined_outputs, learn_node, summary, visible_constraints,
};
use lustral_flow::called_first;
use lustral_sema::instances::Wanted;
use lustral_sema::{InstanceId, InstanceTree, NodeId, Program, PropertyInstance, PropertySource};
use lustral_smt::{Cancel, Solver, SolverOptions};
use lustral_syntax::SourceMap;
use lustral_system::{Predicate, PropId, Reason};
use lustral_term::TermId;

use crate::certificates;
use crate::checker::Store;
use crate::cli::CheckOptions;
use crate::unit::Unit;
use goals::Goal;
pub use solve::Found;
use solve::{Question, Settled, solve};
pub use survey::{blocks, inexact};

/// The least time for a called node; and the time without a limit.
const LEAST: Duration = Duration::from_secs(1);

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
    pub sources: Arc<SourceMap>,
    pub program: Arc<Program>,
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

    /// The time for one of so many called nodes: half of what is left is for
    /// the node that is checked.
    fn share(&self, nodes: usize) -> Cancel {
        let now = Instant::now();
        let deadline = self.cancel.deadline();
        let left = deadline.map(|d| d.saturating_duration_since(now));
        let share =
            left.map_or(10 * LEAST, |left| (left / (2 * nodes as u32)).max(LEAST).min(left / 4));
        self.cancel.child_until(Some(now + share))
    }

    /// Works on a node that others call; what is left to the callers.
    fn called(
        &mut self,
        node: NodeId,
        left: &[Vec<Goal>],
        checker: &mut Result<ProofChecker, Rejected>,
        cancel: Cancel,
    ) -> Vec<Goal> {
        let tree = || InstanceTree::cut(&self.program, node).called();
        let own = goals::of_node(&self.program, node, self.wanted, |_| Vec::new(), false);
        let own: Vec<Goal> = own.into_iter().filter(|g| g.calls.is_empty()).collect();
        let properties = goals::instances(&self.program, &tree(), &own, self.wanted);
        let cut = self.summaries.cut(tree(), properties, Strength::Full);
        let (inductive, useful) = self.learn(&cut, &cancel);
        // What was learned helps to prove the node's own properties too, but
        // the engines learn that again where they need it.
        let goals = self.goals(node, left, false);
        let looked = survey::look_at_calls(self, node);
        let question = Question { node, called: true, goals, looked, cancel };
        let (goals, settled) = solve(self, question);
        let mut proved: Vec<Checked<Answer>> = Vec::new();
        let mut rest = Vec::new();
        for (goal, settled) in goals.into_iter().zip(settled) {
            match settled {
                Settled::Answer(found) if matches!(found.answer.get(), Answer::Valid(_)) => {
                    proved.push(found.answer);
                }
                // It may well hold where the node is called.
                _ => rest.push(goal),
            }
        }
        if let Ok(checker) = checker {
            let useful = self.beside(&cut, useful, &proved);
            let picked = |p: &Predicate| useful.iter().any(|u| u.same_as(p));
            let added = self.summaries.add(checker, cut, inductive, picked, &proved);
            if let Err(rejected) = added {
                self.nothing_known(node, &rejected);
            }
        }
        rest
    }

    /// Says that a node has no summary, and why. Where all time is up, every
    /// verdict says so.
    fn nothing_known(&self, node: NodeId, rejected: &Rejected) {
        if self.cancel.is_cancelled() {
            return;
        }
        let name = &self.program.node(node).name;
        let why = match rejected {
            Rejected::NoAnswer(..) => "there was no time to check it",
            _ => "it did not pass its check",
        };
        tracing::debug!(node = &**name, %rejected, "no summary");
        let note = format!("what was learned of `{name}` is not used: {why}");
        let _ = self.events.send(Event::Note(note));
    }

    /// What is inductive in a node's system, and what of it callers need.
    fn learn(&self, cut: &CutSystem, cancel: &Cancel) -> (Vec<Predicate>, Vec<Predicate>) {
        let now = Instant::now();
        let half = cancel.deadline().map(|d| now + d.saturating_duration_since(now) / 2);
        let options = self.learning(cancel.child_until(half));
        // What callers cannot compute themselves as the node does.
        let mut defined = defined_outputs(cut.system());
        defined.extend(visible_constraints(cut.system()));
        let learn = || {
            let mut inductive = learn_node(cut.system(), &options)?.inductive;
            inductive.extend(defined.iter().cloned());
            let useful = summary(cut.system(), &inductive, &[], &options);
            Ok::<_, String>((inductive, useful))
        };
        // A solver library can fail in ways that end in a panic.
        let learned = catch_unwind(AssertUnwindSafe(learn));
        learned.unwrap_or_else(|_| Err("the learner panicked".into())).unwrap_or_else(|reason| {
            tracing::debug!(node = cut.system().instances[0].node, reason, "nothing learned");
            (defined.clone(), defined)
        })
    }

    /// What of a node's summary its proved properties do not say already.
    fn beside(
        &self,
        cut: &CutSystem,
        useful: Vec<Predicate>,
        proved: &[Checked<Answer>],
    ) -> Vec<Predicate> {
        let system = cut.system();
        // Those of the node itself: others cannot be told to callers.
        let own = |p: &PropertyInstance| (p.instance == InstanceId::ROOT).then_some(p.source);
        let proved = proved.iter().filter_map(|answer| {
            let on = answer.cut()?;
            own(&on.properties()[answer.property().index()])
        });
        let proved: Vec<PropertySource> = proved.collect();
        let properties = cut.properties().iter().zip(&system.properties);
        let told = properties.filter(|(p, _)| own(p).is_some_and(|p| proved.contains(&p)));
        let told: Vec<TermId> = told.map(|(_, property)| property.term).collect();
        if told.is_empty() {
            return useful;
        }
        let options = self.learning(self.cancel.child_until(Some(Instant::now() + LEAST)));
        let thinner = || summary(system, &useful, &told, &options);
        catch_unwind(AssertUnwindSafe(thinner)).unwrap_or(useful)
    }

    fn learning(&self, cancel: Cancel) -> LearnOptions {
        LearnOptions {
            solver: self.settings.solver.clone(),
            options: self.settings.options.clone(),
            templates: Templates { names: true, ..self.settings.templates },
            cancel,
        }
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
        let unit = Arc::new(Unit::of_cut(&self.sources, &cut));
        let _ = self.events.send(Event::Open { unit, property: PropId(0), reason, engine });
    }

    /// What writes the certificates of a cut system's proofs, if that is wanted.
    fn store(&self, cut: &Arc<CutSystem>, numbers: &[usize]) -> Store {
        let Some((base, file, texts)) = &self.certificates else { return Box::new(|_, _| None) };
        let mut folder = certificates::folder(base, file, &cut.system().instances[0].node);
        // A proof for all calls is another one than that for the node by itself.
        if cut.tree().is_called() {
            folder.push("calls");
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
