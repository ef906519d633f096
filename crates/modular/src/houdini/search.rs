//! The rounds: nodes are verified in turn until nothing fails.

use std::sync::Arc;

use lustral_certify::{CallObligation, Guarantees, Layers, Nodes, Preconditions, ProofChecker};
use lustral_engines::{Claim, Failure, LearnOptions, Misfit, Refutation, establish, unprepared};
use lustral_system::{Predicate, TransitionSystem, imported};
use lustral_term::{Evaluator, TermId, Terms, Value};

use super::causes::Asked;
use super::{Candidate, Explained, Fate, Removal, Round, Unexplained};
use crate::preconditions::order;

/// Runs rounds until nothing fails, and has checked what is left.
pub(super) fn run(
    nodes: Arc<Nodes>,
    candidates: Vec<Candidate>,
    options: &LearnOptions,
) -> Result<Explained, Unexplained> {
    let orders = (0..nodes.len()).map(|node| order(&nodes, node)).collect();
    let mut search = Search { nodes, candidates, options, orders, rounds: Vec::new() };
    search.rounds()?;
    let mut checker = ProofChecker::new(&options.cancel)?;
    let mut known = Guarantees::none(&search.nodes);
    known.add_preconditions(&mut checker, search.claims(Assumed::Left))?;
    let known = (0..search.nodes.len()).map(|node| known.all(node)).collect();
    let Search { nodes, candidates, rounds, .. } = search;
    Ok(Explained { nodes, candidates, rounds, known })
}

pub(super) struct Search<'a> {
    pub nodes: Arc<Nodes>,
    pub candidates: Vec<Candidate>,
    options: &'a LearnOptions,
    /// By node: the order in which its calls are visited.
    pub orders: Vec<Vec<usize>>,
    rounds: Vec<Round>,
}

/// Which candidates are assumed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Assumed {
    /// Those that are left.
    Left,
    /// Those that were removed, too: to see whether that made a difference.
    All,
}

/// A question of a round: some goals, each a candidate.
struct Goals<'c> {
    node: usize,
    call: Option<usize>,
    system: &'c TransitionSystem,
    terms: &'c Terms,
    hypotheses: &'c [TermId],
    goals: Vec<(usize, TermId)>,
}

/// What a round removes.
type Removed = Vec<(usize, Fate)>;

impl Search<'_> {
    /// Verifies nodes in the order of the text, each again when something that it relies on
    /// was removed.
    fn rounds(&mut self) -> Result<(), Unexplained> {
        let mut due = vec![true; self.nodes.len()];
        let mut text: Vec<usize> = (0..self.nodes.len()).collect();
        text.sort_by_key(|node| self.nodes.order()[*node]);
        while due.contains(&true) {
            for node in text.iter().copied() {
                if !std::mem::replace(&mut due[node], false) {
                    continue;
                }
                let before = self.candidates.iter().filter(|c| is_left(c)).count();
                let removed = self.verify(node)?;
                let list = removed.iter().map(|(candidate, _)| *candidate).collect();
                self.rounds.push(Round { node, removed: list, before });
                for (candidate, fate) in removed {
                    self.mark(candidate, &mut due);
                    self.candidates[candidate].fate = fate;
                }
            }
        }
        Ok(())
    }

    /// Marks those who rely on a candidate: its node, and of what is not required, the callers.
    fn mark(&self, candidate: usize, due: &mut [bool]) {
        let Candidate { node, role, .. } = &self.candidates[candidate];
        due[*node] = true;
        if !role.is_required() {
            let calls = self.nodes.all_calls().iter();
            for (caller, _) in calls.enumerate().filter(|(_, calls)| calls.contains(node)) {
                due[caller] = true;
            }
        }
    }

    /// The candidates of a node that are assumed, of what it requires or of all else.
    fn assumed(
        &self,
        node: usize,
        required: bool,
        assumed: Assumed,
    ) -> impl Iterator<Item = (usize, &Predicate)> {
        self.candidates.iter().enumerate().filter_map(move |(i, c)| {
            let removed = matches!(c.fate, Fate::Removed(_));
            let assumed = is_left(c) || (assumed == Assumed::All && removed);
            let counts = c.node == node && c.role.is_required() == required && assumed;
            if counts { Some((i, c.predicate.as_ref()?)) } else { None }
        })
    }

    /// What is claimed of each node: what is left, and of types what every step case is asked
    /// with.
    fn claims(&self, assumed: Assumed) -> Vec<Preconditions> {
        let of = |node: usize| {
            let said = |required| self.assumed(node, required, assumed).map(|(_, p)| p.clone());
            let system = self.nodes.system(node);
            let terms = Arc::new(system.terms.clone());
            let typing = system.typing.iter();
            let typing = typing.map(|term| Predicate { terms: terms.clone(), term: *term });
            Preconditions {
                given: said(true).collect(),
                within: said(false).chain(typing).collect(),
                order: self.orders[node].clone(),
            }
        };
        (0..self.nodes.len()).map(of).collect()
    }

    /// Verifies a node: what fails if all that is left holds.
    fn verify(&self, node: usize) -> Result<Removed, Unexplained> {
        let mut removed = Removed::new();
        for call in self.orders[node].iter().copied().map(Some).chain([None]) {
            let ask = |question: &Goals<'_>| self.ask(question, &mut removed);
            self.question(node, call, Assumed::Left, ask).transpose()?;
        }
        for (candidate, fate) in &mut removed {
            if let Fate::Removed(removal) = fate
                && !removal.because.is_empty()
            {
                self.look_for_roots(*candidate, removal);
            }
        }
        Ok(removed)
    }

    /// Shows whoever asks what is to be shown of a call of a node, or of the node itself.
    fn question<T>(
        &self,
        node: usize,
        call: Option<usize>,
        assumed: Assumed,
        ask: impl FnOnce(&Goals<'_>) -> T,
    ) -> Option<T> {
        let claims = self.claims(assumed);
        let layers = Layers::new(&self.nodes, vec![&[]; self.nodes.len()], &claims);
        let base = TransitionSystem::from(unprepared(self.nodes.system(node)).system);
        let Some(call) = call else {
            let all: Vec<usize> = (0..self.nodes.calls(node).len()).collect();
            let system = layers.relying_on(base, node, &all);
            let mut terms = system.terms.clone();
            let within = imported(&mut terms, &claims[node].within);
            let own = self.assumed(node, false, assumed).map(|(i, _)| i);
            let goals = own.zip(within.iter().copied()).collect();
            let (system, terms, hypotheses) = (&system, &terms, &within);
            return Some(ask(&Goals { node, call, system, terms, hypotheses, goals }));
        };
        let order = &self.orders[node];
        let visited = order.iter().position(|known| *known == call).unwrap_or(0);
        let obligation = layers.obligation(base, node, call, &order[..visited]);
        // What is required is about inputs, which a caller can see.
        let obligation = obligation.ok()??;
        let callee = self.nodes.calls(node)[call];
        let required = self.assumed(callee, true, assumed).map(|(i, _)| i);
        let goals = required.zip(obligation.goals.iter().copied()).collect();
        let CallObligation { system, terms, hypotheses, .. } = &obligation;
        Some(ask(&Goals { node, call: Some(call), system, terms, hypotheses, goals }))
    }

    /// A candidate that fails even if nothing had been removed has no cause: then these are the
    /// steps to show.
    fn look_for_roots(&self, candidate: usize, removal: &mut Removal) {
        let (node, call) = (removal.verified, removal.call);
        let steps = self.question(node, call, Assumed::All, |question| {
            let alone = question.goals.iter().copied().filter(|(c, _)| *c == candidate).collect();
            let mut found = Removed::new();
            let asked = self.refute(&Goals { goals: alone, ..*question }, &mut found);
            match (asked, found.pop()) {
                (Ok(()), Some((_, Fate::Removed(found)))) => Some(found.steps),
                _ => None,
            }
        });
        if let Some(Some(steps)) = steps {
            (removal.steps, removal.because) = (steps, Vec::new());
        }
    }

    /// Asks for all goals together; where the solver cannot tell, for each by itself.
    fn ask(&self, question: &Goals<'_>, removed: &mut Removed) -> Result<(), Unexplained> {
        if question.goals.is_empty() {
            return Ok(());
        }
        let failure = match self.refute(question, removed) {
            Ok(()) => return Ok(()),
            Err(failure) if self.options.cancel.is_cancelled() => return Err(failure.into()),
            Err(failure) => failure,
        };
        if let [(candidate, _)] = question.goals[..] {
            if removed.iter().all(|(known, _)| *known != candidate) {
                let (round, reason) = (self.rounds.len() + 1, failure.to_string());
                removed.push((candidate, Fate::Undecided { round, reason }));
            }
            return Ok(());
        }
        for goal in &question.goals {
            self.ask(&Goals { goals: vec![*goal], ..*question }, removed)?;
        }
        Ok(())
    }

    /// Removes goals as long as some fail.
    fn refute(&self, question: &Goals<'_>, removed: &mut Removed) -> Result<(), Failure> {
        let Goals { node, call, system, terms, hypotheses, .. } = *question;
        let goals: Vec<TermId> = question.goals.iter().map(|(_, term)| *term).collect();
        let claim = Claim { system, terms, hypotheses, goals: &goals };
        establish(&claim, self.options, |terms, asked, refutation: &Refutation<'_>| {
            let steps = refutation.steps(self.nodes.system(node));
            let mut evaluator = Evaluator::new(terms, refutation.answers());
            let last = steps.steps.last().expect("a refutation has a step");
            let mut fails = |term: TermId| {
                evaluator.eval(term, |var| last[var.index()].clone()) == Value::Bool(false)
            };
            let failing: Vec<TermId> = asked.iter().copied().filter(|t| fails(*t)).collect();
            if failing.is_empty() {
                return Err(Misfit::NoCounterexample.into());
            }
            let new = |c: &usize, removed: &Removed| removed.iter().all(|(known, _)| known != c);
            let failed = question.goals.iter().filter(|(_, term)| failing.contains(term));
            for candidate in failed.map(|(candidate, _)| *candidate) {
                if !new(&candidate, removed) {
                    continue;
                }
                let asked = Asked { search: self, node, call, steps: &steps };
                let removal = Removal {
                    round: self.rounds.len() + 1,
                    verified: node,
                    call,
                    steps: steps.clone(),
                    because: asked.causes(),
                };
                removed.push((candidate, Fate::Removed(Box::new(removal))));
            }
            let gone = |term: &TermId| failing.contains(term);
            let left: Vec<TermId> = asked.iter().copied().filter(|t| !gone(t)).collect();
            Ok(if left.is_empty() { None } else { Some(left) })
        })
    }
}

/// Whether a candidate is assumed.
fn is_left(candidate: &Candidate) -> bool {
    matches!(candidate.fate, Fate::Kept)
}
