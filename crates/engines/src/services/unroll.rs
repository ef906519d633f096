//! Steps of a system as terms over the values of its inputs.
//!
//! Unrolling is functional: a memory at step n+1 *is* the term of its
//! next-state function at step n, not a variable that equals it. So constants
//! fold across steps, and from the initial state a good part of a system
//! disappears. The arena is the unroller's own; it only grows.

use lustral_system::{Inlined, Predicate, Role, TransitionSystem};
use lustral_term::{Sort, TermId, Terms, Translation, VarId};

/// Where an unrolling begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// In the initial state.
    Initial,
    /// In any state.
    Anywhere,
}

/// A variable of the unrolling: a variable of the system at a step, or one
/// made for a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    At(usize, VarId),
    Literal,
}

/// An unrolled system.
pub struct Unroller<'s> {
    system: &'s Inlined,
    start: Start,
    /// The arena of the unrolling.
    pub terms: Terms,
    meanings: Vec<Meaning>,
    steps: Vec<StepTerms>,
}

struct StepTerms {
    /// The term of each variable of the system, as far as it occurs.
    variables: Vec<Option<TermId>>,
    translation: Translation,
    /// What must hold at this step: ranges of inputs and choices.
    ranges: Vec<TermId>,
}

impl<'s> Unroller<'s> {
    /// An unrolling without steps.
    #[must_use]
    pub fn new(system: &'s Inlined, start: Start) -> Unroller<'s> {
        Unroller { system, start, terms: Terms::new(), meanings: Vec::new(), steps: Vec::new() }
    }

    /// The number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is no step yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// A new variable for a query.
    pub fn literal(&mut self) -> TermId {
        self.fresh(Meaning::Literal, Sort::Bool)
    }

    fn fresh(&mut self, meaning: Meaning, sort: Sort) -> TermId {
        let id = VarId(self.meanings.len() as u32);
        self.meanings.push(meaning);
        self.terms.variable(id, sort)
    }

    /// Adds a step and returns the facts that hold at it: the ranges of its
    /// inputs and choices, and the constraints.
    pub fn extend(&mut self) -> Vec<TermId> {
        let step = self.steps.len();
        let system = self.system;
        let mut variables = vec![None; system.variables.len()];
        for memory in &system.memories {
            let term = match (step, self.start) {
                (0, Start::Initial) => self.terms.constant(memory.initial.clone()),
                (0, Start::Anywhere) => {
                    let sort = system.variable(memory.var).sort;
                    self.fresh(Meaning::At(0, memory.var), sort)
                }
                _ => self.at(step - 1, memory.next),
            };
            variables[memory.var.index()] = Some(term);
        }
        self.steps.push(StepTerms {
            variables,
            translation: Translation::new(),
            ranges: Vec::new(),
        });
        let mut facts: Vec<TermId> =
            system.constraints.iter().map(|c| self.at(step, c.term)).collect();
        facts.append(&mut self.due());
        facts.retain(|f| *f != Terms::TRUE);
        facts
    }

    /// A term of the system at a step. The ranges of inputs that it is the
    /// first to mention are due with [`Unroller::due`].
    pub fn at(&mut self, step: usize, term: TermId) -> TermId {
        let mut translation = std::mem::take(&mut self.steps[step].translation);
        let result = self.translate(step, &self.system.terms, term, &mut translation);
        self.steps[step].translation = translation;
        result
    }

    /// A predicate over the variables of the system at a step.
    pub fn predicate_at(&mut self, step: usize, predicate: &Predicate) -> TermId {
        self.translate(step, &predicate.terms, predicate.term, &mut Translation::new())
    }

    /// A term of another arena over the variables of the system, at a step.
    /// The translation may be used again for the same arena and step.
    pub(crate) fn translate(
        &mut self,
        step: usize,
        source: &Terms,
        term: TermId,
        translation: &mut Translation,
    ) -> TermId {
        self.define(step, source, term);
        let system = self.system;
        let Unroller { terms, steps, meanings, .. } = self;
        let StepTerms { variables, ranges, .. } = &mut steps[step];
        translation.apply(source, terms, term, |terms, var, sort| {
            if let Some(known) = variables[var.index()] {
                return known;
            }
            debug_assert!(matches!(system.variable(var).role, Role::Input | Role::Choice));
            let id = VarId(meanings.len() as u32);
            meanings.push(Meaning::At(step, var));
            let fresh = terms.variable(id, sort);
            variables[var.index()] = Some(fresh);
            if let Some(range) = &system.variable(var).range {
                ranges.push(TransitionSystem::range_term(terms, fresh, range));
            }
            fresh
        })
    }

    /// Makes the flows in a predicate known at a step: nothing in the system
    /// depends on them, but a predicate may speak of them.
    fn define(&mut self, step: usize, source: &Terms, term: TermId) {
        if std::ptr::eq(source, &raw const self.system.terms) {
            return;
        }
        for var in source.variables([term]) {
            if let Role::Defined(definition) = self.system.variable(var).role
                && self.steps[step].variables[var.index()].is_none()
            {
                let value = self.at(step, definition);
                self.steps[step].variables[var.index()] = Some(value);
            }
        }
    }

    /// Ranges of inputs that occurred since they were last asked for.
    pub fn due(&mut self) -> Vec<TermId> {
        self.steps.iter_mut().flat_map(|step| std::mem::take(&mut step.ranges)).collect()
    }

    /// The term of a variable of the system at a step, if it occurs.
    #[must_use]
    pub fn variable(&self, step: usize, var: VarId) -> Option<TermId> {
        self.steps[step].variables[var.index()]
    }

    /// The term of a memory at a step.
    pub(crate) fn memory(&self, step: usize, var: VarId) -> TermId {
        self.variable(step, var).expect("memories are set when a step begins")
    }

    /// That some of these memories have different values at two steps.
    pub(crate) fn different(&mut self, memories: &[VarId], first: usize, second: usize) -> TermId {
        let mut some = Vec::with_capacity(memories.len());
        for var in memories {
            let (a, b) = (self.memory(first, *var), self.memory(second, *var));
            let equal = self.terms.eq(a, b);
            some.push(self.terms.not(equal));
        }
        self.terms.or(some)
    }

    /// All inputs, choices and (of the first step) memories that occur, with
    /// their terms.
    pub fn occurring(&self) -> impl Iterator<Item = (usize, VarId, TermId)> + '_ {
        self.meanings.iter().filter_map(|meaning| match meaning {
            Meaning::At(step, var) => {
                let term = self.steps[*step].variables[var.index()];
                Some((*step, *var, term.expect("what has a meaning occurs")))
            }
            Meaning::Literal => None,
        })
    }
}
