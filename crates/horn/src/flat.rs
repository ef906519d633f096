//! The flattened clauses: one predicate `state` that holds of every state from
//! which an execution can take its next step, before the inputs of that step
//! are known.
//!
//! ```text
//! state(initial)
//! state(s) ∧ constraints(s, i) ⇒ state(next(s, i))
//! state(s) ∧ constraints(s, i) ∧ ¬property(s, i) ⇒ false
//! ```
//!
//! The state is what the property and *all* constraints depend on: any
//! constraint may block an execution.

use lustral_system::{Predicate, PropId, Role, TransitionSystem, Unsupported};
use lustral_term::{Sort, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use crate::clauses::{Application, Argument, Clauses, Signature};
use crate::linear::Linear;

/// The name of the predicate.
pub const STATE: &str = "state";

/// The clauses of some properties.
pub struct Flat {
    /// The clauses.
    pub clauses: Clauses,
    /// The memories that are the arguments of the predicate, in their order.
    pub state: Vec<VarId>,
}

/// The part of a system that some properties and all constraints depend on.
#[must_use]
pub fn slice(system: &TransitionSystem, properties: &[PropId]) -> Vec<bool> {
    let constraints = system.constraints.iter().map(|c| c.term);
    let roots = constraints.chain(properties.iter().map(|p| system.property(*p).term));
    system.cone_of(system.terms.variables(roots))
}

impl Flat {
    /// The clauses of a property. The assumptions hold at every step of every
    /// execution; they may mention only what is in the slice.
    ///
    /// # Errors
    /// If something is not linear.
    pub fn new(
        system: &TransitionSystem,
        property: PropId,
        assumptions: &[Predicate],
    ) -> Result<Flat, Unsupported> {
        Flat::build(system, &[property], assumptions, Linear::default)
    }

    /// The clauses of some properties together, linear or not.
    ///
    /// # Errors
    /// Never: what is not linear is written all the same.
    pub fn any(system: &TransitionSystem, properties: &[PropId]) -> Result<Flat, Unsupported> {
        Flat::build(system, properties, &[], Linear::any)
    }

    fn build(
        system: &TransitionSystem,
        properties: &[PropId],
        assumptions: &[Predicate],
        linear: fn() -> Linear,
    ) -> Result<Flat, Unsupported> {
        let slice = slice(system, properties);
        let memories: Vec<_> =
            system.memories.iter().filter(|m| slice[m.var.index()]).cloned().collect();
        let state: Vec<VarId> = memories.iter().map(|m| m.var).collect();
        let sorts: Vec<Sort> = state.iter().map(|v| system.variable(*v).sort).collect();
        let mut clauses = Clauses::default();
        clauses.predicates.push(signature(system, &state));

        let initial: Vec<TermId> =
            memories.iter().map(|m| clauses.terms.constant(m.initial.clone())).collect();
        clauses.push("the initial state", Vec::new(), Vec::new(), Some(application(initial)));

        let arguments: Vec<TermId> = sorts.iter().map(|s| clauses.variable('s', *s)).collect();
        let variables: FxHashMap<VarId, TermId> =
            state.iter().copied().zip(arguments.iter().copied()).collect();

        let mut step = Step::new(system, variables.clone(), linear());
        let mut constraints = step.constraints(&mut clauses, assumptions)?;
        let mut next = Vec::with_capacity(memories.len());
        for (memory, sort) in memories.iter().zip(&sorts) {
            let value = step.term(&mut clauses, memory.next)?;
            let variable = clauses.variable('n', *sort);
            constraints.push(clauses.terms.eq(variable, value));
            next.push(variable);
        }
        constraints.append(&mut step.definitions(&mut clauses)?);
        let body = vec![application(arguments.clone())];
        clauses.push("a step", body, constraints, Some(application(next)));

        let mut step = Step::new(system, variables, linear());
        let mut constraints = step.constraints(&mut clauses, assumptions)?;
        let mut holds = Vec::with_capacity(properties.len());
        for property in properties {
            holds.push(step.term(&mut clauses, system.property(*property).term)?);
        }
        let holds = clauses.terms.and(holds);
        constraints.push(clauses.terms.not(holds));
        constraints.append(&mut step.definitions(&mut clauses)?);
        clauses.push("a property fails", vec![application(arguments)], constraints, None);
        Ok(Flat { clauses, state })
    }
}

pub(crate) fn signature(system: &TransitionSystem, state: &[VarId]) -> Signature {
    let argument = |var: &VarId| {
        let variable = system.variable(*var);
        Argument { sort: variable.sort, about: variable.name.clone() }
    };
    let about = "the state before a step".into();
    Signature { name: STATE.into(), arguments: state.iter().map(argument).collect(), about }
}

pub(crate) fn application(arguments: Vec<TermId>) -> Application {
    Application { predicate: 0, arguments }
}

/// The terms of one clause.
pub(crate) struct Step<'s> {
    system: &'s TransitionSystem,
    variables: FxHashMap<VarId, TermId>,
    ranges: Vec<TermId>,
    /// Flows that occur and whose definition is not written yet.
    pending: Vec<VarId>,
    linear: Linear,
    /// What the terms of other arenas needed.
    definitions: Vec<TermId>,
}

impl<'s> Step<'s> {
    pub fn new(
        system: &'s TransitionSystem,
        variables: FxHashMap<VarId, TermId>,
        linear: Linear,
    ) -> Step<'s> {
        let (ranges, pending, definitions) = (Vec::new(), Vec::new(), Vec::new());
        Step { system, variables, ranges, pending, linear, definitions }
    }

    pub fn term(&mut self, clauses: &mut Clauses, term: TermId) -> Result<TermId, Unsupported> {
        let mut linear = std::mem::take(&mut self.linear);
        let result = self.translate(clauses, &self.system.terms, term, &mut linear);
        self.linear = linear;
        result
    }

    fn translate(
        &mut self,
        clauses: &mut Clauses,
        source: &Terms,
        term: TermId,
        linear: &mut Linear,
    ) -> Result<TermId, Unsupported> {
        let Step { system, variables, ranges, pending, .. } = self;
        linear.apply(source, clauses, term, |clauses, var, sort| {
            *variables.entry(var).or_insert_with(|| {
                let fresh = clauses.variable('i', sort);
                if let Role::Defined(_) = system.variable(var).role {
                    pending.push(var);
                }
                if let Some(range) = &system.variable(var).range {
                    ranges.push(TransitionSystem::range_term(&mut clauses.terms, fresh, range));
                }
                fresh
            })
        })
    }

    /// A predicate at the step, linear or not.
    pub fn predicate(
        &mut self,
        clauses: &mut Clauses,
        predicate: &Predicate,
    ) -> Result<TermId, Unsupported> {
        let mut linear = Linear::any();
        let Predicate { terms, term } = predicate;
        let holds = self.translate(clauses, terms, *term, &mut linear)?;
        self.definitions.append(&mut linear.definitions);
        Ok(holds)
    }

    /// The constraints of the system and the assumptions. One of those that is
    /// not linear is left out: the clauses are weaker without it, that is all.
    pub fn constraints(
        &mut self,
        clauses: &mut Clauses,
        assumptions: &[Predicate],
    ) -> Result<Vec<TermId>, Unsupported> {
        let mut list = Vec::new();
        for constraint in &self.system.constraints {
            list.push(self.term(clauses, constraint.term)?);
        }
        for Predicate { terms, term } in assumptions {
            let mut linear = Linear::default();
            if let Ok(holds) = self.translate(clauses, terms, *term, &mut linear) {
                list.push(holds);
                self.definitions.append(&mut linear.definitions);
            }
        }
        list.retain(|term| *term != Terms::TRUE);
        Ok(list)
    }

    /// The ranges of the inputs that occur, what flows are, and what the new
    /// variables are.
    pub fn definitions(&mut self, clauses: &mut Clauses) -> Result<Vec<TermId>, Unsupported> {
        let mut list = Vec::new();
        while let Some(var) = self.pending.pop() {
            if let Role::Defined(definition) = self.system.variable(var).role {
                let value = self.term(clauses, definition)?;
                list.push(clauses.terms.eq(self.variables[&var], value));
            }
        }
        list.append(&mut self.ranges);
        list.append(&mut self.definitions);
        list.append(&mut self.linear.definitions);
        Ok(list)
    }
}
