//! A program that is checked node by node: what is heard of the thread that
//! works on it, and what becomes of properties of which nothing was heard.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use lustral_base::{Cancel, Cause};
use lustral_certify::unknown;
use lustral_coordinator::{Broken, NoResult, Scope, Unit, caught, within};
use lustral_flow::called_first;
use lustral_modular::compositional::{Event as Told, Found, Looked, Work, Worker};
use lustral_sema::instances::properties;
use lustral_sema::{InstanceTree, NodeId, PropertySource};
use lustral_system::{PropId, Reason};

use super::idle;
use super::said::Said;
use super::verdicts::Verdicts;
use super::{Check, Given, Nodes, Stage, nothing_to_check};
use crate::event::{Event, Heading};
use crate::remark::Remark;

/// How long the thread that works may go on after the time is up: it has to
/// say which properties are open.
const GRACE: Duration = Duration::from_millis(300);

/// The time for listing the properties that have no verdict then.
const LISTING: Duration = Duration::from_millis(400);

/// Of a program with more instances it is not listed which properties have no
/// verdict: that takes time, and there is none.
const MOST_LISTED: usize = 20_000;

/// A program being checked node by node.
pub(super) struct ByNodes {
    given: Given,
    roots: Vec<NodeId>,
    told: Receiver<Told>,
    verdicts: Verdicts,
    /// The node that the last verdict was about.
    heading: Option<Heading>,
    said: Said,
    /// What failed first, if something did.
    broken: Option<Broken>,
    /// When it was noticed that all is stopped.
    stopped: Option<Instant>,
}

impl Check {
    /// Starts to check some nodes and what they call, each once.
    pub(super) fn start_by_nodes(&mut self, nodes: Nodes) -> Stage {
        let Nodes { given, left, asked, .. } = nodes;
        let roots: Vec<NodeId> =
            left.into_iter().filter(|root| self.has_goals(&given, *root, asked)).collect();
        if roots.is_empty() {
            if !asked {
                self.work.log.say(Remark::NothingToCheck { node: None });
            }
            return Stage::Last(given.keys);
        }
        for node in called_first(&given.program, &roots) {
            let scope = if roots.contains(&node) { Scope::Node } else { Scope::Calls };
            let name = given.program.node(node).name.clone();
            self.discard(&given, &name, scope);
        }
        let (events, told) = channel();
        let work = Work {
            kernel: given.kernel.clone(),
            wanted: given.wanted,
            options: self.options.search.clone(),
            certificates: given.certificates.clone(),
            cancel: self.work.cancel.clone(),
            time: self.options.time,
        };
        let worker = Worker::new(work, events.clone());
        let work = roots.clone();
        let stage = "check node by node";
        let at_once = events.clone();
        let started = lustral_base::try_spawn("compositional", move || {
            if let Err(why) = caught(|| worker.run(&work)) {
                let _ = events.send(Told::Broken(Broken { stage, why }));
            }
        });
        if let Err(error) = started {
            let why = NoResult::NoThread(error.to_string());
            let _ = at_once.send(Told::Broken(Broken { stage, why }));
        }
        drop(at_once);
        let verdicts = self.verdicts(&given);
        let (heading, said, broken, stopped) = (None, Said::default(), None, None);
        let by_nodes = ByNodes { given, roots, told, verdicts, heading, said, broken, stopped };
        Stage::ByNodes(Box::new(by_nodes))
    }

    /// Whether there is something to check in a node; says so if not.
    fn has_goals(&mut self, given: &Given, root: NodeId, asked: bool) -> bool {
        let program = &given.program;
        let tree = InstanceTree::cut(program, root);
        let own = properties(program, &tree, given.wanted);
        let name = &program.node(root).name;
        if own.iter().any(|p| matches!(p.source, PropertySource::Output(_))) {
            self.work.log.say(Remark::ByOutputs { node: name.to_string() });
        }
        let below = called_first(program, &[root]).into_iter().any(|id| {
            let node = program.node(id);
            let ranged = node.streams.iter().any(lustral_sema::program::Stream::is_restricted);
            id != root
                && given.wanted.called_nodes
                && (ranged || !node.properties.is_empty() || !node.clauses.is_empty())
        });
        let some = !own.is_empty() || below;
        if !some && asked {
            self.work.log.say(nothing_to_check(program, name.to_string()));
        }
        some
    }

    /// Waits for what the thread that works says next.
    pub(super) fn listen_by_nodes(&mut self, mut by_nodes: Box<ByNodes>) -> Stage {
        let late = match by_nodes.told.recv_timeout(Duration::from_millis(50)) {
            Ok(told) => {
                self.told(&mut by_nodes, told);
                self.is_late(&mut by_nodes)
            }
            Err(RecvTimeoutError::Timeout) => self.is_late(&mut by_nodes),
            Err(RecvTimeoutError::Disconnected) => {
                if by_nodes.broken.is_some() {
                    self.unsaid(&mut by_nodes);
                }
                return Stage::Last(by_nodes.given.keys);
            }
        };
        if late {
            self.unsaid(&mut by_nodes);
            return Stage::Last(by_nodes.given.keys);
        }
        Stage::ByNodes(by_nodes)
    }

    /// Whether all is stopped for so long that nobody waits for the thread.
    fn is_late(&self, by_nodes: &mut ByNodes) -> bool {
        if !self.work.cancel.is_cancelled() {
            return false;
        }
        by_nodes.stopped.get_or_insert_with(Instant::now).elapsed() >= GRACE
    }

    /// Whatever happened to the thread that works, every property has a verdict.
    fn unsaid(&mut self, by_nodes: &mut ByNodes) {
        let reason = match (&by_nodes.broken, self.work.cancel.cause()) {
            (Some(broken), _) => broken.reason(),
            (None, cause) => cause.map_or(Reason::Timeout, Reason::from),
        };
        let Given { kernel, program, wanted, .. } = &by_nodes.given;
        let (kernel, program, wanted) = (kernel.clone(), program.clone(), *wanted);
        let listing = Cancel::with_deadline(Some(Instant::now() + LISTING));
        for root in by_nodes.roots.clone() {
            let unfold = kernel.clone();
            let stated = within(&listing, move || {
                let tree = InstanceTree::new(&unfold, root).ok();
                let tree = tree.filter(|tree| tree.len() <= MOST_LISTED)?;
                let stated = properties(&unfold.typed, &tree, wanted);
                Some((tree, stated))
            });
            let node = program.node(root).name.to_string();
            let Ok(Some((tree, stated))) = stated else {
                self.work.log.say(Remark::Unlisted { reason: reason.clone(), node, count: None });
                continue;
            };
            let unsaid = stated.iter().enumerate();
            let unsaid = unsaid.filter(|(_, p)| !by_nodes.said.has(&tree, p));
            let unsaid: Vec<PropId> = unsaid.map(|(i, _)| PropId(i as u32)).collect();
            if unsaid.is_empty() {
                continue;
            }
            let encode = kernel.clone();
            let unit = within(&listing, move || Arc::new(Unit::cut(&encode, tree, stated)));
            let Ok(unit) = unit else {
                let count = Some(unsaid.len());
                self.work.log.say(Remark::Unlisted { reason: reason.clone(), node, count });
                continue;
            };
            for property in unsaid {
                self.open(by_nodes, &unit, property, reason.clone());
            }
        }
    }

    fn told(&mut self, by_nodes: &mut ByNodes, told: Told) {
        match told {
            Told::Found(found, looked) => self.found(by_nodes, *found, &looked),
            Told::Open { unit, property, reason, engine } => {
                if let (Reason::CheckFailed(_), Some(engine)) = (&reason, engine) {
                    let property = unit.system.property(property).name.clone();
                    self.work.log.say(Remark::NotPassed { engine, property });
                }
                self.open(by_nodes, &unit, property, reason);
            }
            Told::Note(note) => self.work.log.say(Remark::NotUsed(note)),
            Told::Broken(broken) => {
                by_nodes.broken.get_or_insert_with(|| broken.clone());
                self.work.log.broken(broken);
            }
        }
    }

    fn found(&mut self, by_nodes: &mut ByNodes, found: Found, looked: &Looked) {
        let Found { unit, answer, engine, dependencies, certificate } = found;
        self.head(by_nodes, &unit);
        let mut run = by_nodes.verdicts.found_by(engine);
        run.dependencies = dependencies;
        run.certificate = self.written(certificate);
        run.warnings.extend(idle::warning(&mut self.work.log, &unit, &answer));
        by_nodes.said.add(&unit, answer.property());
        let verdict = by_nodes.verdicts.verdict(&unit, looked, &answer, run);
        self.note_contracts(&verdict);
        self.work.log.waiting.push_back(verdict);
        if self.options.kept.wants_invariants() {
            self.invariants.add(&unit, &[answer]);
        }
    }

    /// A property has no answer.
    fn open(&mut self, by_nodes: &mut ByNodes, unit: &Arc<Unit>, property: PropId, reason: Reason) {
        self.head(by_nodes, unit);
        let reason = match self.work.cancel.cause() {
            Some(Cause::Interrupted) => Reason::Interrupted,
            _ => reason,
        };
        self.work.log.stopped(&self.work.cancel);
        by_nodes.said.add(unit, property);
        let answer = unknown(&unit.system, property, reason);
        let run = by_nodes.verdicts.run_info();
        let verdict = by_nodes.verdicts.verdict(unit, &Looked::default(), &answer, run);
        self.work.log.waiting.push_back(verdict);
    }

    /// Says which node verdicts are about, where that changes.
    fn head(&mut self, by_nodes: &mut ByNodes, unit: &Unit) {
        let every_call = unit.tree.is_called();
        let heading = Heading { node: unit.system.root().node.clone(), every_call };
        if by_nodes.heading.as_ref() != Some(&heading) {
            by_nodes.heading = Some(heading.clone());
            self.work.log.waiting.push_back(Event::Node(heading));
        }
    }
}
