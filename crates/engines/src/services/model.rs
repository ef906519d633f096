//! From a solver's model to values, states and executions.

use lustral_smt::{Fault, Session};
use lustral_system::{Answers, PropId, Question, Trace, TransitionSystem};
use lustral_term::{Evaluator, Operator, Partial, Term, TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;

use crate::unroll::Unroller;

/// The inputs and choices of a sequence of steps, as far as they matter, and
/// what functions that are left open gave in it. For steps that begin anywhere, the
/// memories of the first step as well.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// By step and variable.
    pub values: FxHashMap<(usize, VarId), Value>,
    /// What divisions by zero and functions without a definition gave.
    pub answers: Answers,
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
        model.inputs.answers = answers(session, &unroller.terms);
        Ok(model)
    }

    /// An evaluator of terms of the unrolling. Literals count as false.
    pub fn evaluator<'a>(&'a self, terms: &'a Terms) -> Evaluation<'a> {
        Evaluation { evaluator: Evaluator::new(terms, &self.inputs.answers), model: self }
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
        // What came into the unrolling after the model was read is not in it.
        let value = |var, sort| values.get(&var).cloned().unwrap_or_else(|| Value::zero(sort));
        self.evaluator.eval_sorted(term, value)
    }
}

/// What functions gave that are the solver's choice: divisions where a divisor is zero,
/// and functions without a definition.
fn answers(session: &mut dyn Session, terms: &Terms) -> Answers {
    let mut found = Answers::default();
    for id in (0..terms.len() as u32).map(TermId) {
        let question = match terms.get(id) {
            Term::Apply(Operator::IntDiv, [a, b]) => {
                division(session, terms, Partial::IntDiv, *a, *b)
            }
            Term::Apply(Operator::Mod, [a, b]) => division(session, terms, Partial::Mod, *a, *b),
            Term::Apply(Operator::RealDiv, [a, b]) => {
                division(session, terms, Partial::RealDiv, *a, *b)
            }
            Term::Apply(Operator::Call(function), list) => {
                let values = list.iter().map(|a| session.value(terms, *a).ok()).collect();
                Option::map(values, |values| Question::Call(function, values))
            }
            _ => None,
        };
        if let Some(question) = question
            && let Ok(value) = session.value(terms, id)
        {
            found.0.insert(question, value);
        }
    }
    found
}

/// The question that a division by zero is, if it is one.
fn division(
    session: &mut dyn Session,
    terms: &Terms,
    operation: Partial,
    dividend: TermId,
    divisor: TermId,
) -> Option<Question> {
    // A divisor that is a constant other than zero leaves no choice.
    if terms.value(divisor).is_some_and(|v| *v != Value::zero(v.sort())) {
        return None;
    }
    let zero = session.value(terms, divisor).ok()?;
    if zero != Value::zero(zero.sort()) {
        return None;
    }
    Some(Question::Division(operation, session.value(terms, dividend).ok()?))
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
    let trace = Trace::run(system, length, inputs.answers.clone(), free);
    let holds = |step, term| trace.eval(system, step, term).is_true();
    (0..length).all(|step| {
        holds(step, system.property(property).term) == (step + 1 < length)
            && system.constraints.iter().all(|c| holds(step, c.term))
    })
}

#[cfg(test)]
mod tests {
    use lustral_base::sort::BitVec;
    use lustral_term::Sort;

    use super::*;

    /// A variable that the model does not have has a value of its sort.
    #[test]
    fn what_is_not_in_the_model_has_its_sort() {
        let mut terms = Terms::new();
        let word = terms.variable(VarId(0), Sort::BitVec(BitVec::unsigned(8)));
        let number = terms.bv_to_int(word);
        let real = terms.variable(VarId(1), Sort::Real);
        let model = Model { values: FxHashMap::default(), inputs: Inputs::default() };
        let mut evaluation = model.evaluator(&terms);
        assert_eq!(evaluation.eval(number), Value::zero(Sort::Int));
        assert_eq!(evaluation.eval(real), Value::zero(Sort::Real));
    }
}
