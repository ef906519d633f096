//! Executions.

use std::collections::BTreeMap;

use lustral_term::{DivisionByZero, Evaluator, Partial, TermId, Value, VarId};

use crate::run::Runner;
use crate::transition::TransitionSystem;

/// What divisions by zero gave, for the dividends that occurred. All others give zero.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Divisions(pub BTreeMap<(Partial, Value), Value>);

impl DivisionByZero for Divisions {
    fn value(&self, operation: Partial, dividend: &Value) -> Value {
        let known = self.0.get(&(operation, dividend.clone()));
        known.cloned().unwrap_or_else(|| Value::zero(dividend.sort()))
    }
}

/// A finite execution: the values of all variables at each step, and what
/// divisions by zero gave.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Trace {
    /// By step and variable.
    pub steps: Vec<Vec<Value>>,
    /// The divisions by zero.
    pub divisions: Divisions,
}

impl Trace {
    /// The execution of a system on given inputs and choices.
    #[must_use]
    pub fn run(
        system: &TransitionSystem,
        length: usize,
        divisions: Divisions,
        free: impl Fn(usize, VarId) -> Value,
    ) -> Trace {
        let mut runner = Runner::new(system, &divisions);
        let steps = (0..length).map(|step| runner.step(|var| free(step, var))).collect();
        Trace { steps, divisions }
    }

    /// Steps of a system on given inputs and choices that begin in some state,
    /// reachable or not.
    #[must_use]
    pub fn run_from(
        system: &TransitionSystem,
        state: impl Fn(VarId) -> Option<Value>,
        length: usize,
        divisions: Divisions,
        free: impl Fn(usize, VarId) -> Value,
    ) -> Trace {
        let mut runner = Runner::from_state(system, &divisions, state);
        let steps = (0..length).map(|step| runner.step(|var| free(step, var))).collect();
        Trace { steps, divisions }
    }

    /// The number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether it has no step.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The value of a variable at a step.
    #[must_use]
    pub fn value(&self, step: usize, var: VarId) -> &Value {
        &self.steps[step][var.index()]
    }

    /// The value of a term of the system at a step.
    #[must_use]
    pub fn eval(&self, system: &TransitionSystem, step: usize, term: TermId) -> Value {
        let values = &self.steps[step];
        let mut evaluator = Evaluator::new(&system.terms, &self.divisions);
        evaluator.eval(term, |var| values[var.index()].clone())
    }
}
