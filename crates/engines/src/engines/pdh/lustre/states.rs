//! The states that are known, and the transitions between them.

use std::collections::VecDeque;

use indexmap::IndexSet;
use lustral_system::TransitionSystem;
use lustral_term::{Value, VarId};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::model::Inputs;
use lustral_duality::{StateId, States, Transition};

/// The values of the memories, in their order.
pub(crate) type State = Vec<Value>;

/// Known states and transitions.
#[derive(Default)]
pub(crate) struct Known {
    memories: FxHashMap<VarId, usize>,
    states: IndexSet<State, FxBuildHasher>,
    /// With the inputs of the step that makes the transition.
    transitions: indexmap::IndexMap<Transition, Inputs, FxBuildHasher>,
    /// What known transitions reach from the initial state.
    reachable: States,
}

impl Known {
    /// The initial state of a system; it gets the number 0.
    pub fn new(system: &TransitionSystem) -> Known {
        let memories = system.memories.iter().enumerate().map(|(i, m)| (m.var, i)).collect();
        let mut known = Known { memories, ..Known::default() };
        let initial = system.memories.iter().map(|m| m.initial.clone()).collect();
        let to = known.state(initial);
        known.add(Transition { from: None, to }, Inputs::default());
        known
    }

    /// The initial state.
    pub const INITIAL: StateId = StateId(0);

    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// The number of a state.
    pub fn state(&mut self, state: State) -> StateId {
        StateId(self.states.insert_full(state).0 as u32)
    }

    /// The values of a state.
    pub fn values(&self, s: StateId) -> &State {
        &self.states[s.0 as usize]
    }

    /// The memories.
    pub fn memories(&self) -> impl Iterator<Item = VarId> + '_ {
        self.memories.keys().copied()
    }

    /// The value of a memory in a state.
    pub fn of<'s>(&self, state: &'s State, var: VarId) -> Option<&'s Value> {
        Some(&state[*self.memories.get(&var)?])
    }

    /// Learns of a transition; false if it was known.
    pub fn add(&mut self, transition: Transition, inputs: Inputs) -> bool {
        let new = self.transitions.insert(transition, inputs).is_none();
        if transition.from.is_none_or(|s| self.reachable.contains(&s)) {
            self.reach(transition.to);
        }
        new
    }

    fn reach(&mut self, s: StateId) {
        let mut pending = vec![s];
        while let Some(s) = pending.pop() {
            if self.reachable.insert(s) {
                let next = self.transitions.keys().filter(|t| t.from == Some(s));
                pending.extend(next.map(|t| t.to));
            }
        }
    }

    pub fn transitions(&self) -> impl Iterator<Item = Transition> + '_ {
        self.transitions.keys().copied()
    }

    pub fn inputs(&self, transition: Transition) -> Option<&Inputs> {
        self.transitions.get(&transition)
    }

    pub fn reachable(&self) -> &States {
        &self.reachable
    }

    /// The states on a shortest known way to one of some states.
    pub fn way_to(&self, goals: &States) -> Option<Vec<StateId>> {
        if goals.is_empty() {
            return None;
        }
        let mut before: FxHashMap<StateId, Option<StateId>> = FxHashMap::default();
        before.insert(Known::INITIAL, None);
        let mut queue = VecDeque::from([Known::INITIAL]);
        while let Some(s) = queue.pop_front() {
            if goals.contains(&s) {
                let mut way = vec![s];
                while let Some(Some(earlier)) = way.last().and_then(|s| before.get(s)) {
                    way.push(*earlier);
                }
                way.reverse();
                return Some(way);
            }
            for t in self.transitions.keys().filter(|t| t.from == Some(s)) {
                before.entry(t.to).or_insert_with(|| {
                    queue.push_back(t.to);
                    Some(s)
                });
            }
        }
        None
    }
}
