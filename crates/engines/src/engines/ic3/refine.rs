//! Abstract counterexamples: executions, or reasons for new predicates.
//!
//! From the failure back, each cube of the trace is asked for a state that
//! leads to the conditions on the next state, which gives conditions on this
//! one: a preimage, by substitution and model-based projection. Where a cube
//! has no such state, the conditions that the core names tell the states of
//! the next cube apart that the trace confused.
//!
//! At least one of them is new where the cubes say the value of every
//! predicate: were all of them known, the cube after the gap, which has a
//! state that satisfies them, would imply them, and then the transition into
//! it that IC3 found would be one to a state that satisfies them. The same
//! holds of the initial state in the first cube. Lifted cubes have no such
//! guarantee.

use lustral_system::{PropId, Role};
use lustral_term::{Sort, TermId, Translation, VarId};
use num_rational::BigRational;
use num_traits::One;
use rustc_hash::FxHashMap;

use super::predicates::{Cube, Predicates};
use super::preimage::Conditions;
use super::steps::Steps;
use crate::failure::Misfit;
use crate::model::Inputs;
use crate::patience::Trouble;
use crate::task::Task;
use lustral_projection::Valuation;
use lustral_projection::{Form, Literal, Relation};

/// No more literals of a core are added up.
const MOST_SUMMANDS: usize = 8;

/// Of so many, any two are.
const FEW_SUMMANDS: usize = 3;

/// What became of an abstract counterexample.
pub(crate) enum Refined {
    /// It is an execution of so many steps.
    Execution(usize, Inputs),
    /// There are new predicates.
    Predicates,
    /// Nothing tells its states apart.
    Nothing,
}

/// Looks into a trace of cubes, after the last of which the property fails.
pub(crate) struct Refinement<'a, 't> {
    pub task: &'t Task,
    pub property: PropId,
    pub steps: &'a mut Steps<'t>,
    pub predicates: &'a mut Predicates,
    /// The next-state functions.
    pub nexts: &'a FxHashMap<VarId, TermId>,
}

impl Refinement<'_, '_> {
    pub fn refine(&mut self, chain: &[Cube]) -> Result<Refined, Trouble> {
        let system = &self.task.system;
        let Some(last) = chain.last() else { return Ok(Refined::Nothing) };
        let Some(transition) = self.steps.fails_after(last)? else { return Ok(Refined::Nothing) };
        let mismatch = || Trouble::from(Misfit::NoCounterexample);
        let failure = Conditions::of_failure(system, self.property, &transition.second);
        let mut back = vec![failure.ok_or_else(mismatch)?];
        let mut step = transition.first;
        for earlier in chain[..chain.len() - 1].iter().rev() {
            let conditions = back.last_mut().and_then(|c| c.before(system, self.nexts, &step));
            let mut conditions = conditions.ok_or_else(mismatch)?;
            let facts = self.at_second(&mut conditions);
            let followed = self.steps.follow(earlier, &facts)?;
            back.push(conditions);
            match followed {
                Ok(transition) => step = transition.first,
                Err(core) => return Ok(self.learn(&back, &core)),
            }
        }
        let conditions = back.last_mut().and_then(|c| c.before(system, self.nexts, &step));
        let mut conditions = conditions.ok_or_else(mismatch)?;
        let violated = conditions.violated(&self.predicates.start);
        back.push(conditions);
        if !violated.is_empty() {
            return Ok(self.learn(&back, &violated));
        }
        back.reverse();
        self.execution(&mut back)
    }

    fn at_second(&mut self, conditions: &mut Conditions) -> Vec<TermId> {
        let list = conditions.list();
        let mut translation = Translation::new();
        let unroller = &mut self.steps.unroller;
        let at = |term| unroller.translate(1, &conditions.terms, term, &mut translation);
        list.into_iter().map(at).collect()
    }

    /// Adds the predicates of some of the last conditions; if all are known,
    /// those of all conditions.
    fn learn(&mut self, back: &[Conditions], core: &[usize]) -> Refined {
        let before = self.predicates.len();
        if let Some(last) = back.last() {
            let core: Vec<Literal> =
                core.iter().flat_map(|i| last.literals[*i].clone().split()).collect();
            for literal in core.iter().chain(&sums(&core)) {
                self.predicates.add(&last.terms, literal);
            }
        }
        if self.predicates.len() > before {
            return Refined::Predicates;
        }
        for conditions in back {
            for literal in conditions.literals.iter().cloned().flat_map(|l| l.split()) {
                self.predicates.add(&conditions.terms, &literal);
            }
        }
        if self.predicates.len() > before { Refined::Predicates } else { Refined::Nothing }
    }

    /// The execution along conditions that the initial state satisfies: each
    /// implies that there are inputs that lead to the next.
    fn execution(&mut self, conditions: &mut [Conditions]) -> Result<Refined, Trouble> {
        let mut inputs = Inputs::default();
        let mut state = self.predicates.start.clone();
        let length = conditions.len();
        for number in 0..length {
            let fact = match conditions.get_mut(number + 1) {
                Some(next) => {
                    let facts = self.at_second(next);
                    self.steps.unroller.terms.and(facts)
                }
                None => self.steps.failure(self.property),
            };
            let Some(transition) = self.steps.walk(&state, fact)? else {
                return Err(Misfit::Preimage.into());
            };
            if self.note(number, &transition.first, &mut inputs)? {
                return Ok(Refined::Execution(number + 1, inputs));
            }
            state = transition.second;
        }
        Err(Misfit::NoCounterexample.into())
    }

    /// Notes the inputs of a step; whether the property fails at it.
    fn note(&self, number: usize, step: &Valuation, inputs: &mut Inputs) -> Result<bool, Trouble> {
        let system = &self.task.system;
        for (var, value) in &step.values {
            if system.variable(*var).role != Role::Memory {
                inputs.values.insert((number, *var), value.clone());
            }
        }
        for (question, answer) in &step.divisions.0 {
            let known = inputs.divisions.0.insert(question.clone(), answer.clone());
            if known.is_some_and(|known| known != *answer) {
                return Err(Misfit::Divisions.into());
            }
        }
        Ok(!step.evaluator(&system.terms).holds(system.property(self.property).term))
    }
}

/// Sums of two literals, and the sum of all of a sort. The conditions of a loop
/// drift from step to step (`x >= 3 and y <= 4`, then `x >= 2 and y <= 3`); what
/// is behind them often is their difference. Not needed for progress: a guess.
pub(super) fn sums(core: &[Literal]) -> Vec<Literal> {
    let mut found = Vec::new();
    for sort in [Sort::Int, Sort::Real] {
        let of_sort = core.iter().filter_map(|literal| match literal {
            Literal::Linear(form, relation) if form.sort == sort => Some((form, *relation)),
            _ => None,
        });
        let list: Vec<(&Form, Relation)> = of_sort.take(MOST_SUMMANDS).collect();
        for (i, first) in list.iter().enumerate() {
            for second in &list[i + 1..] {
                let opposite = |(term, factor): &(TermId, BigRational)| {
                    second.0.linear.coefficient(*term) == -factor
                };
                // Of many literals, only those in which a term cancels out.
                if list.len() <= FEW_SUMMANDS || first.0.linear.monomials().iter().any(opposite) {
                    found.push(sum(sort, &[*first, *second]));
                }
            }
        }
        if list.len() > 2 {
            found.push(sum(sort, &list));
        }
    }
    found.retain(|l| matches!(l, Literal::Linear(form, _) if !form.linear.is_constant()));
    found
}

fn sum(sort: Sort, list: &[(&Form, Relation)]) -> Literal {
    let mut sum = Form::new(sort);
    list.iter().for_each(|(form, _)| sum.linear.add_form(&form.linear, &BigRational::one()));
    let strict = list.iter().any(|(_, relation)| *relation == Relation::Below);
    let relation = if strict { Relation::Below } else { Relation::AtMost };
    Literal::Linear(sum, relation).normalised()
}
