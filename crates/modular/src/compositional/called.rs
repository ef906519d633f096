//! Nodes that others call: what they guarantee on arbitrary inputs.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lustral_base::Cancel;
use lustral_base::schedule::child_for;
use lustral_certify::{Answer, Checked, CutSystem, ProofChecker, Rejected, Strength};
use lustral_engines::{LearnOptions, Templates, learn_with, unprepared};
use lustral_sema::{InstanceId, InstanceTree, NodeId, PropertyInstance, PropertySource};
use lustral_system::{Predicate, TransitionSystem};
use lustral_term::TermId;

use super::goals::{self, Goal};
use super::kept::Held;
use super::share::{LEAST, Share};
use super::solve::{Question, Settled, Standing, solve};
use super::{Event, Worker, survey};
use crate::{Unlearned, defined_outputs, summary, visible_constraints};

impl Worker {
    /// Works on a node that others call; what is left to the callers, and what holds of
    /// kept calls.
    pub(super) fn called(
        &mut self,
        node: NodeId,
        left: &[Vec<Goal>],
        checker: &mut Result<ProofChecker, Rejected>,
        share: Share,
    ) -> (Vec<Goal>, Vec<Held>) {
        let standing = self.standing(node);
        let tree = || standing.of(InstanceTree::cut(&self.summaries, node));
        let own = goals::of_node(&self.summaries, node, self.wanted, |_| Vec::new(), false);
        let own: Vec<Goal> = own.into_iter().filter(|g| g.calls.is_empty()).collect();
        let mut properties = goals::instances(&self.program, &tree(), &own, self.wanted);
        properties.extend(goals::owed(&self.summaries, &tree(), &properties));
        let cut = self.summaries.cut(tree(), properties, Strength::Full);
        let (inductive, useful) = self.learn(&cut, &share);
        // What was learned helps to prove the node's own properties too, but
        // the engines learn that again where they need it.
        let goals = self.goals(node, left, false);
        let looked = survey::look_at_calls(self, node, standing);
        let question = Question { node, standing, goals, looked: looked.clone(), share };
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
        self.proved.extend(proved.iter().cloned());
        if let Ok(checker) = checker {
            let useful = self.beside(&cut, useful, &proved);
            let picked = |p: &Predicate| useful.iter().any(|u| u.same_as(p));
            let added = self.summaries.add(checker, cut, inductive, picked, &proved);
            if let Err(rejected) = added {
                self.nothing_known(node, &rejected);
            }
        }
        (rest, held)
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
    fn learn(&self, cut: &CutSystem, share: &Share) -> (Vec<Predicate>, Vec<Predicate>) {
        let options = self.learning(share.half().cancel);
        // What callers cannot compute themselves as the node does.
        let mut defined = defined_outputs(&cut.system);
        defined.extend(visible_constraints(&cut.system));
        let learn = || {
            let system = TransitionSystem::from(unprepared(&cut.system).system);
            let mut inductive = learn_with(system, cut.candidates(), &options)?.inductive;
            inductive.extend(defined.iter().cloned());
            let useful = summary(&cut.system, &inductive, &[], &options);
            Ok::<_, Unlearned>((inductive, useful))
        };
        // A solver library can fail in ways that end in a panic.
        let learned = catch_unwind(AssertUnwindSafe(learn));
        learned.unwrap_or_else(|_| Err(Unlearned::Panicked)).unwrap_or_else(|reason| {
            tracing::debug!(node = cut.system.root().node, %reason, "nothing learned");
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
