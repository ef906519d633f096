//! Nodes that others call: what they guarantee on arbitrary inputs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use lustral_base::Cancel;
use lustral_base::schedule::child_for;
use lustral_certify::{Answer, Checked, CutSystem, ProofChecker, Rejected, Strength};
use lustral_coordinator::{KnownProof, check_known};
use lustral_engines::{LearnOptions, SystemInvariants, Templates, learn_with, unprepared};
use lustral_sema::{InstanceId, InstanceTree, NodeId, PropertyInstance, PropertySource};
use lustral_system::{Certificate, Predicate, Proof, PropId, TransitionSystem};
use lustral_term::TermId;

use super::goals::{self, Goal};
use super::kept::Held;
use super::share::{LEAST, Share};
use super::solve::{Question, Settled, Standing, settled, solve};
use super::{Event, Worker, survey};
use crate::{Unlearned, defined_outputs, summary, visible_constraints};

/// What is learned of a node is learned as this engine does.
const HOUDINI: &str = "houdini";

/// The engines that find such proofs.
const LEARNING: [&str; 2] = [HOUDINI, "sorcar"];

/// What came of a node that others call.
pub(super) struct Called {
    cut: Arc<CutSystem>,
    /// Inductive together, and what of it callers are told.
    inductive: Vec<Predicate>,
    useful: Vec<Predicate>,
    proved: Vec<Checked<Answer>>,
    /// What is left to the callers.
    pub rest: Vec<Goal>,
    /// What holds of kept calls.
    pub held: Vec<Held>,
}

/// What was learned of a node.
struct Learned {
    /// Inductive together.
    inductive: Vec<Predicate>,
    /// What of it callers need.
    useful: Vec<Predicate>,
    /// The properties of the system that are among it.
    properties: Vec<PropId>,
}

impl Worker {
    /// Works on a node that others call.
    pub(super) fn called(&self, node: NodeId, left: &[Vec<Goal>], share: Share) -> Called {
        self.options.faults.strike("called node");
        let standing = self.standing(node);
        let tree = || standing.of(InstanceTree::cut(&self.summaries, node));
        let own = goals::of_node(&self.summaries, node, self.wanted, |_| Vec::new(), false);
        let own: Vec<Goal> = own.into_iter().filter(|g| g.calls.is_empty()).collect();
        let mut properties = goals::instances(&self.program, &tree(), &own, self.wanted);
        properties.extend(goals::owed(&self.summaries, &tree(), &properties));
        let cut = Arc::new(self.summaries.cut(tree(), properties, Strength::Full));
        let learned = self.learn(&cut, &share);
        let goals = self.goals(node, left, false);
        let known = self.at_once(&cut, &learned, &goals, &share);
        let Learned { inductive, useful, .. } = learned;
        let looked = survey::look_at_calls(self, node, standing);
        let looked_at = looked.clone();
        let question = Question { node, standing, goals, looked: looked_at, known, share };
        let (goals, settled) = solve(self, question);
        let (mut proved, mut rest, mut held) = (Vec::new(), Vec::new(), Vec::new());
        for (goal, settled) in goals.into_iter().zip(settled) {
            match settled {
                Settled::Answer(found) if matches!(found.answer.get(), Answer::Valid(_)) => {
                    proved.push(found.answer.clone());
                    if found.answer.is_conditional() {
                        held.push(Held { goal, found, looked: looked.clone() });
                    }
                }
                // It may well hold where the node is called.
                _ => rest.push(goal),
            }
        }
        let useful = self.beside(&cut, useful, &proved);
        Called { cut, inductive, useful, proved, rest, held }
    }

    /// Adds the summary of a node that others call: what its callers may rely on.
    pub(super) fn conclude(
        &mut self,
        node: NodeId,
        called: &Called,
        checker: &mut Result<ProofChecker, Rejected>,
    ) {
        let Called { cut, inductive, useful, proved, .. } = called;
        self.proved.extend(proved.iter().cloned());
        let Ok(checker) = checker else { return };
        let picked = |p: &Predicate| useful.iter().any(|u| u.same_as(p));
        let added = self.summaries.add(checker, cut.clone(), inductive.clone(), picked, proved);
        if let Err(rejected) = added {
            self.nothing_known(node, &rejected);
        }
    }

    /// The goals that are among what was learned. Their proof is there, so that it takes no engines.
    fn at_once(
        &self,
        cut: &Arc<CutSystem>,
        learned: &Learned,
        goals: &[Goal],
        share: &Share,
    ) -> Vec<(usize, Settled)> {
        // Who chose other engines wants to know what those find.
        if !self.options.engines.iter().any(|engine| LEARNING.contains(&engine.name())) {
            return Vec::new();
        }
        let goal = |p: &PropertyInstance| {
            let same = |g: &Goal| {
                let instance = cut.tree.follow(InstanceId::ROOT, &g.calls);
                g.source == p.source && instance == Some(p.instance)
            };
            goals.iter().position(same)
        };
        let goals: Vec<Option<usize>> = cut.properties.iter().map(goal).collect();
        let mut properties = learned.properties.clone();
        properties.retain(|p| goals[p.index()].is_some());
        if properties.is_empty() {
            return Vec::new();
        }
        // What is no goal is not among the properties that are proved here.
        let numbers = || goals.iter().map(|goal| goal.unwrap_or_default()).collect();
        let store = self.certificates.as_ref().map(|certificates| certificates.store(numbers()));
        let invariants = learned.inductive.clone();
        let proof =
            Proof::Induction { k: 1, properties: Vec::new(), invariants, compression: None };
        let (certificate, cut) = (Certificate { proof }, cut.clone());
        let unit = cut.unit().clone();
        let known = KnownProof { cut, properties, certificate, engine: HOUDINI, store };
        let results = check_known(known, &self.options, &share.cancel).into_iter();
        results
            .filter_map(|result| {
                let goal = goals[result.property.index()]?;
                match settled(&unit, result) {
                    answer @ Settled::Answer(_) => Some((goal, answer)),
                    // The engines may find another proof.
                    Settled::Failed(..) | Settled::Open(_) => None,
                }
            })
            .collect()
    }

    /// What a node that others call stands for: where its contract assumes something, for
    /// the calls that are given that.
    pub(super) fn standing(&self, node: NodeId) -> Standing {
        let owed = !self.summaries.owed(node).is_empty();
        if owed { Standing::KeptCall } else { Standing::Called }
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
    fn learn(&self, cut: &CutSystem, share: &Share) -> Learned {
        let options = self.learning(share.half().cancel);
        // What callers cannot compute themselves as the node does.
        let mut defined = defined_outputs(&cut.system);
        defined.extend(visible_constraints(&cut.system));
        let learn = || {
            let system = TransitionSystem::from(unprepared(&cut.system).system);
            let found = learn_with(system, cut.candidates(), &options)?;
            let SystemInvariants { mut inductive, properties, .. } = found;
            inductive.extend(defined.iter().cloned());
            let useful = summary(&cut.system, &inductive, &[], &options);
            Ok::<_, Unlearned>(Learned { inductive, useful, properties })
        };
        // A solver library can fail in ways that end in a panic.
        let learned = catch_unwind(AssertUnwindSafe(learn));
        learned.unwrap_or_else(|_| Err(Unlearned::Panicked)).unwrap_or_else(|reason| {
            tracing::debug!(node = cut.system.root().node, %reason, "nothing learned");
            Learned { inductive: defined.clone(), useful: defined, properties: Vec::new() }
        })
    }

    /// What of a node's summary its proved properties do not say already.
    fn beside(
        &self,
        cut: &CutSystem,
        useful: Vec<Predicate>,
        proved: &[Checked<Answer>],
    ) -> Vec<Predicate> {
        let system = &cut.system;
        // Those of the node itself: others cannot be told to callers.
        let own = |p: &PropertyInstance| (p.instance == InstanceId::ROOT).then_some(p.source);
        let proved = proved.iter().filter_map(|answer| {
            let on = answer.cut()?;
            own(&on.properties[answer.property().index()])
        });
        let proved: Vec<PropertySource> = proved.collect();
        let properties = cut.properties.iter().zip(&system.properties);
        let told = properties.filter(|(p, _)| own(p).is_some_and(|p| proved.contains(&p)));
        let told: Vec<TermId> = told.map(|(_, property)| property.term).collect();
        if told.is_empty() {
            return useful;
        }
        let options = self.learning(child_for(&self.cancel, LEAST));
        let thinner = || summary(system, &useful, &told, &options);
        catch_unwind(AssertUnwindSafe(thinner)).unwrap_or(useful)
    }

    fn learning(&self, cancel: Cancel) -> LearnOptions {
        LearnOptions {
            solver: self.options.solver.clone(),
            options: self.options.solver_options.clone(),
            templates: Templates { names: true, ..self.options.engine_options.learn.templates },
            cancel,
        }
    }
}
