//! Which removals let a candidate fail: what would have been assumed and does not hold.

use lustral_certify::{goals_at_call, interface, of_call};
use lustral_system::{Predicate, Trace, TransitionSystem};
use lustral_term::{Evaluator, TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;

use super::search::Search;
use super::{Candidate, Fate};

/// A question that has a counterexample.
pub(super) struct Asked<'q> {
    pub search: &'q Search<'q>,
    /// The node that is verified.
    pub node: usize,
    /// The call that must be given something, if that was asked.
    pub call: Option<usize>,
    /// The steps.
    pub steps: &'q Trace,
}

/// At which of the steps something would have been assumed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    Before,
}

impl Asked<'_> {
    /// The candidates that were removed in earlier rounds and would have excluded the steps.
    pub fn causes(&self) -> Vec<usize> {
        let all = self.search.candidates.iter().enumerate();
        let removed =
            all.filter(|(_, c)| matches!(c.fate, Fate::Removed(_) | Fate::Undecided { .. }));
        removed.filter(|(_, c)| self.excludes(c)).map(|(i, _)| i).collect()
    }

    /// Whether a candidate would have been assumed in the question and fails in its steps.
    fn excludes(&self, candidate: &Candidate) -> bool {
        let Some(said) = &candidate.predicate else { return false };
        let required = candidate.role.is_required();
        if candidate.node == self.node {
            let when = if required { When::Always } else { When::Before };
            if self.fails(&said.terms, said.term, when) {
                return true;
            }
        }
        let nodes = &self.search.nodes;
        let calls = nodes.calls(self.node).iter().enumerate();
        calls.filter(|(_, callee)| **callee == candidate.node).any(|(call, callee)| {
            let Some(when) = self.of_call(call, required) else { return false };
            let mut system: TransitionSystem = nodes.system(self.node).clone();
            let here = interface(&mut system, of_call(call), nodes.system(*callee));
            self.fails_at(&mut system, &here, said, when)
        })
    }

    /// When what a call guarantees, or is given, would have been assumed.
    fn of_call(&self, call: usize, required: bool) -> Option<When> {
        let visited = &self.search.orders[self.node];
        let position = |call: usize| visited.iter().position(|known| *known == call);
        match (self.call, required) {
            // What a call needs is known of it at the step before.
            (Some(asked), true) => (asked == call).then_some(When::Before),
            (None, true) => None,
            (None, false) => Some(When::Always),
            (Some(asked), false) if position(call) < position(asked) => Some(When::Always),
            (Some(_), false) => Some(When::Before),
        }
    }

    fn fails_at(
        &self,
        system: &mut TransitionSystem,
        here: &FxHashMap<VarId, TermId>,
        said: &Predicate,
        when: When,
    ) -> bool {
        let stated = goals_at_call(&mut system.terms, here, std::slice::from_ref(said));
        let Ok(stated) = stated else { return false };
        stated.into_iter().any(|term| self.fails(&system.terms, term, when))
    }

    /// Whether something fails at a step at which it would have been assumed.
    fn fails(&self, terms: &Terms, term: TermId, when: When) -> bool {
        let steps = match when {
            When::Always => self.steps.len(),
            When::Before => self.steps.len() - 1,
        };
        let mut evaluator = Evaluator::new(terms, &self.steps.answers);
        (0..steps).any(|step| {
            let value = |var: VarId| self.steps.steps[step][var.index()].clone();
            evaluator.eval(term, value) == Value::Bool(false)
        })
    }
}
