//! From a solver's model to values, states and executions.

use lustral_smt::{Fault, Session};
use lustral_system::{Divisions, PropId, Trace, TransitionSystem};
use lustral_term::{Evaluator, Operator, Partial, Term, TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;

use crate::unroll::Unroller;

/// The inputs and choices of a sequence of steps, as far as they matter, and
/// what divisions by zero gave in it. For steps that begin anywhere, the
/// memories of the first step as well.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// By step and variable.
    pub values: FxHashMap<(usize, VarId), Value>,
    /// The divisions by zero.
    pub divisions: Divisions,
}

/// A model: the values of the variables of an unrolling.
pub(crate) struct Model {
    values: FxHashMap<VarId, Value>,
    /// The same, by step and variable of the system.
    pub inputs: Inputs,
}

impl Model {
    /// Reads the model of the last query.
    pub fn read(session: &mut dyn Session, unroller: &Unroller<'_>) -> Result<Model, Fault> {
        let mut model = Model { values: FxHashMap::default(), inputs: Inputs::default() };
        for (step, var, term) in unroller.occurring() {
            let value = session.value(&unroller.terms, term)?;
            if let Some(variable) = unroller.terms.var(term) {
                model.values.insert(variable, value.clone());
            }
            model.inputs.values.insert((step, var), value);
        }
        model.inputs.divisions = divisions(session, &unroller.terms);
        Ok(model)
    }

    /// An evaluator of terms of the unrolling. Literals count as false.
    pub fn evaluator<'a>(&'a self, terms: &'a Terms) -> Evaluation<'a> {
        Evaluation { evaluator: Evaluator::new(terms, &self.inputs.divisions), model: self }
    }

    /// Pairs of steps at which these memories have equal values.
    pub fn repeated(&self, unroller: &Unroller<'_>, memories: &[VarId]) -> Vec<(usize, usize)> {
        let mut evaluation = self.evaluator(&unroller.terms);
        let mut value = |step, var: &VarId| evaluation.eval(unroller.memory(step, *var));
        let steps = 0..unroller.len();
        let states: Vec<Vec<Value>> =
            steps.map(|step| memories.iter().map(|var| value(step, var)).collect()).collect();
        let mut first: FxHashMap<&Vec<Value>, usize> = FxHashMap::default();
        let mut pairs = Vec::new();
        for (step, state) in states.iter().enumerate() {
            match first.get(state) {
                Some(earlier) => pairs.push((*earlier, step)),
                None => drop(first.insert(state, step)),
            }
        }
        pairs
    }
}

/// Evaluates terms in a model.
pub(crate) struct Evaluation<'a> {
    evaluator: Evaluator<'a>,
    model: &'a Model,
}

impl Evaluation<'_> {
    pub fn eval(&mut self, term: TermId) -> Value {
        let values = &self.model.values;
        self.evaluator.eval(term, |var| values.get(&var).cloned().unwrap_or(Value::Bool(false)))
    }
}

/// Where a divisor is zero, the quotient is the solver's choice.
fn divisions(session: &mut dyn Session, terms: &Terms) -> Divisions {
    let mut found = Divisions::default();
    for id in (0..terms.len() as u32).map(TermId) {
        let (operation, dividend, divisor) = match terms.get(id) {
            Term::Apply(Operator::IntDiv, [a, b]) => (Partial::IntDiv, *a, *b),
            Term::Apply(Operator::Mod, [a, b]) => (Partial::Mod, *a, *b),
            Term::Apply(Operator::RealDiv, [a, b]) => (Partial::RealDiv, *a, *b),
            _ => continue,
        };
        // A divisor that is a constant other than zero leaves no choice.
        if terms.value(divisor).is_some_and(|v| *v != Value::zero(v.sort())) {
            continue;
        }
        let Ok(zero) = session.value(terms, divisor) else { continue };
        if zero == Value::zero(zero.sort())
            && let (Ok(dividend), Ok(value)) =
                (session.value(terms, dividend), session.value(terms, id))
        {
            found.0.insert((operation, dividend), value);
        }
    }
    found
}

/// Whether the exact execution on some inputs obeys the constraints, and the
/// property fails at its last step and not before.
pub(crate) fn is_counterexample(
    system: &TransitionSystem,
    property: PropId,
    length: usize,
    inputs: &Inputs,
) -> bool {
    let free = |step, var| {
        let plain = || Value::zero(system.variable(var).sort);
        inputs.values.get(&(step, var)).cloned().unwrap_or_else(plain)
    };
    let trace = Trace::run(system, length, inputs.divisions.clone(), free);
    let holds = |step, term| trace.eval(system, step, term).is_true();
    (0..length).all(|step| {
        holds(step, system.property(property).term) == (step + 1 < length)
            && system.constraints.iter().all(|c| holds(step, c.term))
    })
}
