//! From a derivation to an execution: its inputs, found by a bounded query.

use std::time::Instant;

use lustral_smt::{Outcome, Session};
use lustral_system::PropId;
use lustral_term::{TermId, Value, VarId};

use super::answer::Derivation;
use crate::engine::Task;
use crate::model::{Inputs, Model};
use crate::unroll::{Start, Unroller};

/// An execution in which a property fails at the last of so many steps: a
/// shortest one if there is time to find it, else the one of the derivation.
pub(crate) fn execution(
    task: &Task,
    property: PropId,
    derivation: &Derivation,
    state: &[VarId],
    known: usize,
    deadline: Instant,
) -> Result<(usize, Inputs), String> {
    let mut short = task.clone();
    let until = task.cancel.deadline().map_or(deadline, |d| d.min(deadline));
    short.cancel = task.cancel.child_until(Some(until));
    let mut search = Search::new(&short, property, Start::Initial)?;
    let most = derivation.steps.unwrap_or(usize::MAX);
    if let Ok(Some(found)) = search.shortest(most, known) {
        return Ok(found);
    }
    match (&derivation.states, derivation.steps) {
        (Some(states), _) => Ok((states.len(), along(task, property, states, state)?)),
        (None, Some(steps)) => Search::new(task, property, Start::Initial)?.at_last(steps),
        (None, None) => Err("there is a derivation, but no execution was found in time".into()),
    }
}

/// The inputs that lead through some states, each step by itself.
fn along(
    task: &Task,
    property: PropId,
    states: &[Vec<Value>],
    state: &[VarId],
) -> Result<Inputs, String> {
    let mut search = Search::new(task, property, Start::Anywhere)?;
    search.extend();
    search.extend();
    let mut inputs = Inputs::default();
    for (step, here) in states.iter().enumerate() {
        let mut facts = search.are(0, state, here);
        match states.get(step + 1) {
            Some(next) => facts.append(&mut search.are(1, state, next)),
            None => {
                let holds = search.property_at(0);
                facts.push(search.unroller.terms.not(holds));
            }
        }
        let all = search.unroller.terms.and(facts);
        let found = search.ask(all)?.ok_or("the derivation is no execution")?;
        let of_step = found.values.into_iter().filter(|((at, _), _)| *at == 0);
        inputs.values.extend(of_step.map(|((_, var), value)| ((step, var), value)));
    }
    Ok(inputs)
}

struct Search<'t> {
    task: &'t Task,
    property: PropId,
    session: Box<dyn Session>,
    unroller: Unroller<'t>,
}

impl<'t> Search<'t> {
    fn new(task: &'t Task, property: PropId, start: Start) -> Result<Search<'t>, String> {
        let session = task.session().map_err(|f| f.to_string())?;
        let unroller = Unroller::new(&task.system, start);
        Ok(Search { task, property, session, unroller })
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
    fn shortest(&mut self, most: usize, known: usize) -> Result<Option<(usize, Inputs)>, String> {
        for step in 0..most {
            self.extend();
            let holds = self.property_at(step);
            if step >= known {
                let fails = self.unroller.terms.not(holds);
                if let Some(inputs) = self.ask(fails)? {
                    return Ok(Some((step + 1, inputs)));
                }
            }
            self.assert(holds);
        }
        Ok(None)
    }

    /// An execution of exactly so many steps.
    fn at_last(&mut self, steps: usize) -> Result<(usize, Inputs), String> {
        (0..steps).for_each(|_| self.extend());
        let holds = self.property_at(steps - 1);
        let fails = self.unroller.terms.not(holds);
        let inputs = self.ask(fails)?.ok_or("the derivation is no execution")?;
        Ok((steps, inputs))
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

    /// The inputs of a model in which something holds, for this query only.
    fn ask(&mut self, wanted: TermId) -> Result<Option<Inputs>, String> {
        let literal = self.unroller.literal();
        let query = self.unroller.terms.implies(literal, wanted);
        self.assert(query);
        let found = match self.session.check(&self.unroller.terms, &[literal]) {
            Outcome::Sat => {
                let model = Model::read(&mut *self.session, &self.unroller);
                Some(model.map_err(|f| f.to_string())?.inputs)
            }
            Outcome::Unsat => None,
            Outcome::Unknown(reason) => return Err(reason),
        };
        let gone = self.unroller.terms.not(literal);
        self.assert(gone);
        Ok(found)
    }
}
