//! What holds of calls that are given what they are owed, once all nodes were looked at.
//!
//! If every call of a node is (`certify::Kept` says when), it holds of the node. If not, it is
//! to be shown again: of any call, and where that is too much, by those who call the node, with the
//! call inlined.

use lustral_certify::{Answer, Kept};
use lustral_sema::NodeId;
use lustral_sema::program::CallId;

use super::goals::Goal;
use super::share::Share;
use super::solve::{Found, Question, Settled, Standing, solve};
use super::{Event, Looked, Worker, survey};

/// Something that was proved of kept calls.
pub struct Held {
    /// What.
    pub goal: Goal,
    /// The proof.
    pub found: Box<Found>,
    /// What is known of the assertions of its node.
    pub looked: Looked,
}

impl Worker {
    /// Tells what holds of kept calls, of those nodes whose calls all are; has the rest
    /// shown otherwise.
    pub(super) fn tell_held(
        &mut self,
        roots: &[NodeId],
        called: &[NodeId],
        held: Vec<Vec<Held>>,
        looked: &[(NodeId, Looked)],
        all: &Share,
    ) {
        let kept = Kept::new(&self.summaries, roots, &self.proved);
        let mut again: Vec<Vec<Goal>> = vec![Vec::new(); held.len()];
        for (node, held) in held.into_iter().enumerate() {
            for Held { goal, mut found, looked } in held {
                match found.answer.of_kept(&kept) {
                    Some(answer) => {
                        found.answer = answer;
                        let _ = self.events.send(Event::Found(found, looked));
                    }
                    None => again[node].push(goal),
                }
            }
        }
        if again.iter().all(Vec::is_empty) {
            return;
        }
        let mut left: Vec<Vec<Goal>> = vec![Vec::new(); again.len()];
        for (i, node) in called.iter().enumerate() {
            let mut goals = std::mem::take(&mut again[node.index()]);
            goals.extend(self.left_to(*node, &left));
            let share = all.for_one_of(called.len() - i);
            left[node.index()] = self.called_again(*node, goals, &kept, share);
        }
        for (i, root) in looked.iter().enumerate() {
            let goals = self.left_to(root.0, &left);
            self.root(root, goals, &all.whole().for_one_root_of(looked.len() - i), None);
        }
    }

    /// Works on goals of a node that others call, once it is known whether its calls are given
    /// what they are owed; what is left to the callers.
    fn called_again(&self, node: NodeId, goals: Vec<Goal>, kept: &Kept, share: Share) -> Vec<Goal> {
        if goals.is_empty() {
            return goals;
        }
        let standing = if kept.has(node) { self.standing(node) } else { Standing::Called };
        let looked = survey::look_at_calls(self, node, standing);
        let (looked_at, known) = (looked.clone(), Vec::new());
        let question = Question { node, standing, goals, looked: looked_at, known, share };
        let (goals, settled) = solve(self, question);
        let mut rest = Vec::new();
        for (goal, settled) in goals.into_iter().zip(settled) {
            match settled {
                Settled::Answer(mut found) if matches!(found.answer.get(), Answer::Valid(_)) => {
                    if !found.answer.is_conditional() {
                        continue;
                    }
                    match found.answer.of_kept(kept) {
                        Some(answer) => {
                            found.answer = answer;
                            let _ = self.events.send(Event::Found(found, looked.clone()));
                        }
                        None => rest.push(goal),
                    }
                }
                _ => rest.push(goal),
            }
        }
        rest
    }

    /// What those that a node calls left to it.
    fn left_to(&self, node: NodeId, left: &[Vec<Goal>]) -> Vec<Goal> {
        let mut goals = Vec::new();
        for (i, call) in self.program.node(node).calls.iter().enumerate() {
            for Goal { calls, source } in left[call.callee.index()].iter().cloned() {
                let calls = std::iter::once(CallId(i as u32)).chain(calls).collect();
                goals.push(Goal { calls, source });
            }
        }
        goals
    }
}
