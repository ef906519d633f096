//! Running a system natively, from given inputs and choices.

use lustral_term::{Evaluator, Interpretation, Value, VarId};

use crate::transition::{Role, TransitionSystem};

/// A system between two steps.
pub struct Runner<'a> {
    system: &'a TransitionSystem,
    by_zero: &'a dyn Interpretation,
    memories: Vec<Value>,
}

impl<'a> Runner<'a> {
    /// Before the first step.
    #[must_use]
    pub fn new(system: &'a TransitionSystem, by_zero: &'a dyn Interpretation) -> Runner<'a> {
        let memories = system.memories.iter().map(|m| m.initial.clone()).collect();
        Runner { system, by_zero, memories }
    }

    /// In some state, which need not be reachable.
    #[must_use]
    pub fn from_state(
        system: &'a TransitionSystem,
        by_zero: &'a dyn Interpretation,
        state: impl Fn(VarId) -> Option<Value>,
    ) -> Runner<'a> {
        let memories = system.memories.iter();
        let memories =
            memories.map(|m| state(m.var).unwrap_or_else(|| m.initial.clone())).collect();
        Runner { system, by_zero, memories }
    }

    /// Takes a step; `free` gives the inputs and choices. The result has the
    /// values of all variables. Constraints are not looked at.
    pub fn step(&mut self, free: impl Fn(VarId) -> Value) -> Vec<Value> {
        let system = self.system;
        let mut values: Vec<Value> = system
            .variables()
            .map(|(id, variable)| match variable.role {
                Role::Input | Role::Choice => free(id),
                Role::Memory | Role::Defined(_) => Value::zero(variable.sort),
            })
            .collect();
        for (memory, value) in system.memories.iter().zip(&self.memories) {
            values[memory.var.index()] = value.clone();
        }
        // Definitions come in an order in which each needs only earlier ones,
        // so the values that the evaluator remembers never change later.
        let mut evaluator = Evaluator::new(&system.terms, self.by_zero);
        for var in &system.definitions {
            if let Role::Defined(term) = system.variable(*var).role {
                values[var.index()] = evaluator.eval(term, |v| values[v.index()].clone());
            }
        }
        self.memories = system
            .memories
            .iter()
            .map(|m| evaluator.eval(m.next, |v| values[v.index()].clone()))
            .collect();
        values
    }
}
