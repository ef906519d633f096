//! Lifting: a state that leads to a target by some inputs stands for all
//! states that do so for the same reason.

use lustral_smt::{Fault, Outcome, Session};
use lustral_system::{Predicate, PropId, Role};
use lustral_term::{TermId, Terms, Translation};

use super::predicates::{Cube, Lit, Predicates};
use super::steps::Transition;
use crate::task::Task;
use crate::unroll::{Start, Unroller};

/// Where a transition leads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target<'c> {
    /// To a cube.
    Cube(&'c [Lit]),
    /// To a step at which the property fails.
    Failure,
}

/// A session in which constraints are no facts: a lifted cube has to
/// guarantee them.
pub(crate) struct Lifter<'t> {
    task: &'t Task,
    session: Box<dyn Session>,
    unroller: Unroller<'t>,
    /// What holds at the first step of a transition.
    constraints: TermId,
    /// That the property fails at the second step, which is one.
    failure: TermId,
    predicates: Vec<[TermId; 2]>,
}

impl<'t> Lifter<'t> {
    pub fn new(
        task: &'t Task,
        property: PropId,
        typing: &[Predicate],
    ) -> Result<Lifter<'t>, Fault> {
        let mut session = task.session()?;
        session.limit(Some(std::time::Duration::from_millis(200)));
        let mut unroller = Unroller::new(&task.system, Start::Anywhere);
        let first = unroller.extend();
        let constraints = unroller.terms.and(first);
        let mut second = unroller.extend();
        let holds = unroller.at(1, task.system.property(property).term);
        second.push(unroller.terms.not(holds));
        second.extend(unroller.due());
        let failure = unroller.terms.and(second);
        for fact in typing {
            let fact = unroller.predicate_at(0, fact);
            session.assert(&unroller.terms, fact);
        }
        let predicates = Vec::new();
        Ok(Lifter { task, session, unroller, constraints, failure, predicates })
    }

    fn know(&mut self, predicates: &Predicates) {
        for next in self.predicates.len()..predicates.len() {
            let term = predicates.term(next);
            let mut translate = |at| {
                let mut translation = Translation::new();
                self.unroller.translate(at, predicates.terms(), term, &mut translation)
            };
            let [first, second] = [0, 1].map(&mut translate);
            let literal = self.unroller.literal();
            let same = self.unroller.terms.eq(literal, first);
            self.session.assert(&self.unroller.terms, same);
            self.predicates.push([literal, second]);
        }
    }

    /// A part of a cube all of whose states lead to the target by the inputs
    /// of the transition, if that is found soon; else the cube.
    pub fn lift(
        &mut self,
        predicates: &Predicates,
        cube: Cube,
        by: &Transition,
        target: Target<'_>,
    ) -> Cube {
        self.know(predicates);
        let mut facts = self.inputs(by);
        let reached = self.target(target);
        let leads = self.unroller.terms.and([self.constraints, reached]);
        facts.push(self.unroller.terms.not(leads));
        let fact = self.unroller.terms.and(facts);
        let temporary = self.unroller.literal();
        let fact = self.unroller.terms.implies(temporary, fact);
        self.session.assert(&self.unroller.terms, fact);
        let mut literals = Vec::with_capacity(cube.len());
        for lit in &cube {
            let literal = self.predicates[lit.predicate()][0];
            literals.push(if lit.polarity() { literal } else { self.unroller.terms.not(literal) });
        }
        let mut assumptions = literals.clone();
        assumptions.push(temporary);
        let outcome = self.session.check(&self.unroller.terms, &assumptions);
        let core = (outcome == Outcome::Unsat).then(|| self.session.core());
        let gone = self.unroller.terms.not(temporary);
        self.session.assert(&self.unroller.terms, gone);
        match core {
            None => cube,
            Some(core) => {
                let pairs = cube.into_iter().zip(literals);
                pairs.filter(|(_, literal)| core.contains(literal)).map(|(lit, _)| lit).collect()
            }
        }
    }

    /// That the inputs are those of the transition.
    fn inputs(&mut self, by: &Transition) -> Vec<TermId> {
        let mut facts = Vec::new();
        let occurring: Vec<_> = self.unroller.occurring().collect();
        for (step, var, term) in occurring {
            let valuation = if step == 0 { &by.first } else { &by.second };
            if self.task.system.variable(var).role != Role::Memory
                && let Some(value) = valuation.values.get(&var)
            {
                let value = self.unroller.terms.constant(value.clone());
                facts.push(self.unroller.terms.eq(term, value));
            }
        }
        facts
    }

    fn target(&mut self, target: Target<'_>) -> TermId {
        let Target::Cube(cube) = target else { return self.failure };
        let mut list: Vec<TermId> = Vec::with_capacity(cube.len());
        for lit in cube {
            let term = self.predicates[lit.predicate()][1];
            list.push(if lit.polarity() { term } else { self.unroller.terms.not(term) });
        }
        let all: TermId = self.unroller.terms.and(list);
        debug_assert!(all != Terms::FALSE, "some state is in the cube");
        all
    }
}
