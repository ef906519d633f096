//! From a derivation to an execution: its inputs, found by a bounded query.

use lustral_base::schedule::Moment;
use lustral_smt::{NoAnswer, Outcome, Session};
use lustral_system::PropId;
use lustral_term::{TermId, Value, VarId};

use super::answer::Derivation;
use crate::failure::{Failure, Misfit};
use crate::model::{Inputs, Model};
use crate::task::Task;
use crate::unroll::{Start, Unroller};

/// An execution in which a property fails at the last of so many steps: a
/// shortest one if there is time to find it, else the one of the derivation.
pub(crate) fn execution(
    task: &Task,
    property: PropId,
    derivation: &Derivation,
    state: &[VarId],
    known: usize,
    deadline: Moment,
) -> Result<(usize, Inputs), Failure> {
    let mut search = ExecutionSearch::new(task, property, Start::Initial)?;
    search.until = Some(deadline);
    let most = derivation.steps.unwrap_or(usize::MAX);
    if let Ok(Some(found)) = search.shortest(most, known) {
        return Ok(found);
    }
    match (&derivation.states, derivation.steps) {
        (Some(states), _) => along(task, property, states, state),
        (None, Some(steps)) => ExecutionSearch::new(task, property, Start::Initial)?.at_last(steps),
        (None, None) => Err(Misfit::NotInTime.into()),
    }
}

/// The execution through some states, found step by step, up to the first at
/// which the property fails.
fn along(
    task: &Task,
    property: PropId,
    states: &[Vec<Value>],
    state: &[VarId],
) -> Result<(usize, Inputs), Failure> {
    let mut inputs = Inputs::default();
    let mut search = ExecutionSearch::new(task, property, Start::Anywhere)?;
    search.extend();
    search.extend();
    for (step, pair) in states.windows(2).enumerate() {
        let mut facts = search.are(0, state, &pair[0]);
        facts.append(&mut search.are(1, state, &pair[1]));
        if search.walk(facts, step, &mut inputs)? {
            return Ok((step + 1, inputs));
        }
    }
    // Nothing need follow the last step.
    let mut search = ExecutionSearch::new(task, property, Start::Anywhere)?;
    search.extend();
    let last = states.len() - 1;
    let facts = search.are(0, state, &states[last]);
    if search.walk(facts, last, &mut inputs)? {
        Ok((last + 1, inputs))
    } else {
        Err(Misfit::NoExecution.into())
    }
}

struct ExecutionSearch<'t> {
    task: &'t Task,
    property: PropId,
    session: Box<dyn Session>,
    unroller: Unroller<'t>,
    /// When the time for all queries is up.
    until: Option<Moment>,
}

impl<'t> ExecutionSearch<'t> {
    fn new(task: &'t Task, property: PropId, start: Start) -> Result<ExecutionSearch<'t>, Failure> {
        let session = task.session_for("execution")?;
        let unroller = Unroller::new(&task.system, start);
        Ok(ExecutionSearch { task, property, session, unroller, until: None })
    }

    fn assert(&mut self, fact: TermId) {
        for due in self.unroller.due() {
            self.session.assert(&self.unroller.terms, due);
        }
        self.session.assert(&self.unroller.terms, fact);
    }

    fn extend(&mut self) {
        for fact in self.unroller.extend() {
            self.assert(fact);
        }
    }

    fn property_at(&mut self, step: usize) -> TermId {
        self.unroller.at(step, self.task.system.property(self.property).term)
    }

    /// A shortest execution of at most so many steps. The property is known to
    /// hold at the first steps.
    fn shortest(&mut self, most: usize, known: usize) -> Result<Option<(usize, Inputs)>, Failure> {
        for step in 0..most {
            self.extend();
            let holds = self.property_at(step);
            if step >= known {
                let fails = self.unroller.terms.not(holds);
                if let Some(model) = self.ask(fails)? {
                    return Ok(Some((step + 1, model.inputs)));
                }
            }
            self.assert(holds);
        }
        Ok(None)
    }

    /// An execution of so many steps, cut where the property first fails.
    fn at_last(&mut self, steps: usize) -> Result<(usize, Inputs), Failure> {
        (0..steps).for_each(|_| self.extend());
        let holds: Vec<TermId> = (0..steps).map(|step| self.property_at(step)).collect();
        let fails = self.unroller.terms.not(holds[steps - 1]);
        let model = self.ask(fails)?.ok_or(Misfit::NoExecution)?;
        let mut evaluation = model.evaluator(&self.unroller.terms);
        let first = holds.iter().position(|term| !evaluation.eval(*term).is_true());
        Ok((first.map_or(steps, |step| step + 1), model.inputs))
    }

    /// That the memories of a slice have some values at a step.
    fn are(&mut self, step: usize, state: &[VarId], values: &[Value]) -> Vec<TermId> {
        let mut facts = Vec::with_capacity(values.len());
        for (var, value) in state.iter().zip(values) {
            let Some(term) = self.unroller.variable(step, *var) else { continue };
            let value = self.unroller.terms.constant(value.clone());
            facts.push(self.unroller.terms.eq(term, value));
        }
        facts
    }

    /// Adds the inputs of one step, whose states are given by facts about the
    /// first step here. Whether the property fails at it: where there is no
    /// next state, it must.
    fn walk(
        &mut self,
        mut facts: Vec<TermId>,
        step: usize,
        inputs: &mut Inputs,
    ) -> Result<bool, Failure> {
        let holds = self.property_at(0);
        if self.unroller.len() == 1 {
            facts.push(self.unroller.terms.not(holds));
        }
        let all = self.unroller.terms.and(facts);
        let model = self.ask(all)?.ok_or(Misfit::NoExecution)?;
        let fails = !model.evaluator(&self.unroller.terms).eval(holds).is_true();
        let here = model.inputs.values.into_iter().filter(|((at, _), _)| *at == 0);
        inputs.values.extend(here.map(|((_, var), value)| ((step, var), value)));
        Ok(fails)
    }

    /// A model in which something holds, for this query only.
    fn ask(&mut self, wanted: TermId) -> Result<Option<Model>, Failure> {
        let left = self.until.map(Moment::left);
        if left.is_some_and(|left| left.is_zero()) {
            return Err(NoAnswer::Limit.into());
        }
        self.session.limit(left);
        let literal = self.unroller.literal();
        let query = self.unroller.terms.implies(literal, wanted);
        self.assert(query);
        let found = match self.session.check(&self.unroller.terms, &[literal]) {
            Outcome::Sat => {
                let model = Model::read(&mut *self.session, &self.unroller)?;
                if !model.evaluator(&self.unroller.terms).eval(wanted).is_true() {
                    return Err(Misfit::NoCounterexample.into());
                }
                Some(model)
            }
            Outcome::Unsat => None,
            Outcome::Unknown(reason) => return Err(reason.into()),
        };
        let gone = self.unroller.terms.not(literal);
        self.assert(gone);
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lustral_system::{
        Constraint, ConstraintSource, Goal, Inlined, InstanceId, Memory, Origin, Property, Role,
        TransitionSystem, Variable,
    };
    use lustral_term::Sort;

    use super::*;
    use crate::board::Board;
    use crate::portfolio::{Limits, Sessions};

    /// `n` counts what comes in, at most two a step, and is to stay below five.
    /// No execution goes on after that.
    fn task() -> (Task, VarId, VarId) {
        let mut system = TransitionSystem::default();
        let mut variable = |name: &str, role| {
            system.add_variable(Variable {
                name: name.into(),
                sort: Sort::Int,
                role,
                range: None,
                origin: Origin::Auxiliary,
            })
        };
        let (n, n_term) = variable("n", Role::Memory);
        let (x, x_term) = variable("x", Role::Input);
        let terms = &mut system.terms;
        let next = terms.add(&[n_term, x_term]);
        let (two, four) = (terms.int(2), terms.int(4));
        let (slow, early) = (terms.le(x_term, two), terms.le(n_term, four));
        let term = terms.and([slow, early]);
        let property =
            Property { name: "p".into(), term: terms.le(next, four), goal: Goal::Always };
        system.constraints.push(Constraint {
            term,
            source: ConstraintSource::Assertion { instance: InstanceId::ROOT, index: 0 },
        });
        system.memories.push(Memory { var: n, initial: Value::from(0), next });
        system.properties.push(property);
        let board = Arc::new(Board::new(1, Box::new(|_| {})));
        let task = Task::new(Arc::new(Inlined::new(&system)), board, Sessions::default())
            .with_limits(Limits { max_k: Some(100) });
        (task, n, x)
    }

    /// The execution of a derivation through these states, or of so many steps,
    /// where there is no time to find a shorter one; what comes in at each step.
    fn found(states: &[i64], steps: Option<usize>) -> Result<Vec<Value>, Failure> {
        let (task, n, x) = task();
        let states: Vec<Vec<Value>> = states.iter().map(|v| vec![Value::from(*v)]).collect();
        let states = Some(states).filter(|states| !states.is_empty());
        let derivation = Derivation { steps, states };
        let (length, inputs) = execution(&task, PropId(0), &derivation, &[n], 0, Moment::now())?;
        Ok((0..length).map(|step| inputs.values[&(step, x)].clone()).collect())
    }

    #[test]
    fn through_the_states_of_a_derivation() {
        let inputs = found(&[0, 1, 3, 2, 4], Some(5)).unwrap();
        assert_eq!(inputs[..4], [1, 2, -1, 2].map(Value::from));
        assert!(inputs[4] > Value::from(0) && inputs[4] <= Value::from(2));
        // No way leads from a state to the next, or the last is no failure.
        assert_eq!(found(&[0, 3, 4], Some(3)), Err(Misfit::NoExecution.into()));
        assert_eq!(found(&[0, 1, 2], Some(3)), Err(Misfit::NoExecution.into()));
    }

    #[test]
    fn of_some_number_of_steps() {
        assert_eq!(found(&[], Some(3)).unwrap().len(), 3);
        assert_eq!(found(&[], Some(2)), Err(Misfit::NoExecution.into()));
        assert!(found(&[], None).is_err());
    }

    #[test]
    fn a_shorter_one_if_there_is_time() {
        let (task, n, _) = task();
        let states = Some([0, 1, 3, 2, 4].map(|v| vec![Value::from(v)]).to_vec());
        let derivation = Derivation { steps: Some(5), states };
        let deadline = Moment::now() + std::time::Duration::from_secs(20);
        let found = execution(&task, PropId(0), &derivation, &[n], 0, deadline);
        assert_eq!(found.map(|(length, _)| length), Ok(3));
    }
}
