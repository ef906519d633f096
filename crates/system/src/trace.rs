//! Executions.

use std::collections::BTreeMap;

use lustral_term::{Evaluator, Function, Interpretation, Partial, Sort, TermId, Value, VarId};

use crate::run::Runner;
use crate::transition::TransitionSystem;

/// A question to a function of which nothing is known but that it is one: the same
/// question has the same answer, at all steps and in all places.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub enum Question {
    /// What a division of this dividend by zero gives.
    Division(Partial, Value),
    /// What a function gives for these arguments.
    Call(Function, Vec<Value>),
}

impl Question {
    /// The sort of the answers.
    #[must_use]
    pub fn sort(&self) -> Sort {
        match self {
            Question::Division(_, dividend) => dividend.sort(),
            Question::Call(function, _) => function.result,
        }
    }
}

/// What was answered to the questions that occurred. The answer to all others is zero.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Answers(pub BTreeMap<Question, Value>);

impl Answers {
    fn to(&self, question: &Question) -> Value {
        self.0.get(question).cloned().unwrap_or_else(|| Value::zero(question.sort()))
    }
}

impl Interpretation for Answers {
    fn divide_by_zero(&self, operation: Partial, dividend: &Value) -> Value {
        self.to(&Question::Division(operation, dividend.clone()))
    }

    fn call(&self, function: Function, arguments: &[&Value]) -> Value {
        self.to(&Question::Call(function, arguments.iter().copied().cloned().collect()))
    }
}

/// A finite execution: the values of all variables at each step, and what
/// functions gave that are left open.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Trace {
    /// By step and variable.
    pub steps: Vec<Vec<Value>>,
    /// What divisions by zero and functions without a definition gave.
    pub answers: Answers,
}

impl Trace {
    /// The execution of a system on given inputs and choices.
    #[must_use]
    pub fn run(
        system: &TransitionSystem,
        length: usize,
        answers: Answers,
        free: impl Fn(usize, VarId) -> Value,
    ) -> Trace {
        let mut runner = Runner::new(system, &answers);
        let steps = (0..length).map(|step| runner.step(|var| free(step, var))).collect();
        Trace { steps, answers }
    }

    /// Steps of a system on given inputs and choices that begin in some state,
    /// reachable or not.
    #[must_use]
    pub fn run_from(
        system: &TransitionSystem,
        state: impl Fn(VarId) -> Option<Value>,
        length: usize,
        answers: Answers,
        free: impl Fn(usize, VarId) -> Value,
    ) -> Trace {
        let mut runner = Runner::from_state(system, &answers, state);
        let steps = (0..length).map(|step| runner.step(|var| free(step, var))).collect();
        Trace { steps, answers }
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
        let mut evaluator = Evaluator::new(&system.terms, &self.answers);
        evaluator.eval(term, |var| values[var.index()].clone())
    }
}
