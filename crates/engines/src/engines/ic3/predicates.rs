//! The predicates that the abstraction keeps track of: truth values of the
//! state, and linear inequalities over it.

use std::sync::Arc;

use lustral_system::{Predicate, Role, TransitionSystem};
use lustral_term::{Operator, Sort, Term, TermId, Terms, Translation, VarId, show_term};
use num_rational::BigRational;
use num_traits::One;
use rustc_hash::FxHashMap;

use lustral_projection::{Form, Literal, Relation, rational};
use lustral_projection::{Valuation, comparison};

/// A predicate or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Lit(u32);

impl Lit {
    pub fn new(predicate: usize, polarity: bool) -> Lit {
        Lit((predicate as u32) << 1 | u32::from(polarity))
    }

    pub fn predicate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn polarity(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A conjunction of literals, in order.
pub(crate) type Cube = Vec<Lit>;

/// Predicates over the memories of a system.
pub(crate) struct Predicates {
    /// The arena of the predicates; its variables are those of the system.
    terms: Terms,
    list: Vec<TermId>,
    index: FxHashMap<TermId, usize>,
    /// By predicate: whether it holds initially.
    initial: Vec<bool>,
    /// The initial state.
    pub start: Valuation,
}

impl Predicates {
    /// No predicates.
    pub fn new(system: &TransitionSystem) -> Predicates {
        let mut start = Valuation::default();
        for memory in &system.memories {
            start.values.insert(memory.var, memory.initial.clone());
        }
        let (list, initial) = (Vec::new(), Vec::new());
        Predicates { terms: Terms::new(), list, index: FxHashMap::default(), initial, start }
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    pub fn term(&self, predicate: usize) -> TermId {
        self.list[predicate]
    }

    /// A predicate as text, for people.
    pub fn show(&self, system: &TransitionSystem, predicate: usize) -> String {
        show_term(&self.terms, self.list[predicate], 200, system)
    }

    /// Adds the predicate of a literal that is no equation; the literal.
    /// Nothing if it is a constant.
    pub fn add(&mut self, source: &Terms, literal: &Literal) -> Option<Lit> {
        let mut translation = Translation::new();
        let mut here = |terms: &mut Terms, term: TermId| {
            translation.apply(source, terms, term, |terms, var, sort| terms.variable(var, sort))
        };
        let literal = match literal {
            Literal::Truth(term, polarity) => {
                Literal::Truth(here(&mut self.terms, *term), *polarity)
            }
            Literal::Equal(a, b, polarity) => {
                Literal::Equal(here(&mut self.terms, *a), here(&mut self.terms, *b), *polarity)
            }
            Literal::Linear(form, relation) => {
                let mut copy = Form::new(form.sort);
                copy.linear.constant.clone_from(&form.linear.constant);
                for (term, coefficient) in form.linear.monomials() {
                    let term = here(&mut self.terms, *term);
                    copy.linear.add(term, coefficient);
                }
                Literal::Linear(copy, *relation).normalised()
            }
        };
        let (literal, polarity) = literal.oriented();
        let term = literal.term(&mut self.terms);
        let (term, polarity) = match self.terms.get(term) {
            Term::Value(_) => return None,
            Term::Apply(Operator::Not, [inner]) => (*inner, !polarity),
            _ => (term, polarity),
        };
        let next = self.list.len();
        let predicate = *self.index.entry(term).or_insert(next);
        if predicate == next {
            self.list.push(term);
            let holds = self.start.evaluator(&self.terms).holds(term);
            self.initial.push(holds);
        }
        Some(Lit::new(predicate, polarity))
    }

    /// Whether a literal holds initially.
    pub fn initially(&self, lit: Lit) -> bool {
        self.initial[lit.predicate()] == lit.polarity()
    }

    /// Whether the initial state is in a cube.
    pub fn is_initial(&self, cube: &[Lit]) -> bool {
        cube.iter().all(|lit| self.initially(*lit))
    }

    /// The values of all predicates in a state.
    pub fn abstracted(&self, state: &Valuation) -> Cube {
        let mut values = state.evaluator(&self.terms);
        let list = self.list.iter().enumerate();
        list.map(|(i, term)| Lit::new(i, values.holds(*term))).collect()
    }

    /// The negations of some cubes, in an arena of their own.
    pub fn clauses<'c>(&self, cubes: impl Iterator<Item = &'c Cube>) -> Vec<Predicate> {
        let mut terms = self.terms.clone();
        let mut clauses = Vec::new();
        for cube in cubes {
            let mut list = Vec::with_capacity(cube.len());
            for lit in cube {
                let term = self.list[lit.predicate()];
                list.push(if lit.polarity() { terms.not(term) } else { term });
            }
            clauses.push(terms.or(list));
        }
        let terms = Arc::new(terms);
        clauses.into_iter().map(|term| Predicate { terms: terms.clone(), term }).collect()
    }

    /// The predicates to begin with: the memories that are truth values, the
    /// comparisons over memories in the terms, and where numbers begin.
    pub fn begin(&mut self, system: &TransitionSystem, slice: &[bool], roots: &[TermId]) {
        for memory in system.memories.iter().filter(|m| slice[m.var.index()]) {
            let sort = system.variable(memory.var).sort;
            let mut terms = Terms::new();
            let var = terms.variable(memory.var, sort);
            let literal = match sort {
                Sort::Bool => Literal::Truth(var, true),
                sort if !sort.is_number() => {
                    Literal::Equal(var, terms.constant(memory.initial.clone()), true)
                }
                _ => {
                    let mut form = Form::new(sort);
                    form.linear.add(var, &BigRational::one());
                    form.linear.constant = -rational(&memory.initial);
                    Literal::Linear(form, Relation::Zero)
                }
            };
            for literal in literal.split() {
                self.add(&terms, &literal);
            }
        }
        let is_memory = |var: &VarId| system.variable(*var).role == Role::Memory;
        for term in system.terms.closure(roots.iter().copied()) {
            let compares = match system.terms.get(term) {
                Term::Apply(Operator::Le, _) => true,
                Term::Apply(Operator::Eq, [a, _]) => system.terms.sort(*a) != Sort::Bool,
                _ => false,
            };
            if !compares || !system.terms.variables([term]).iter().all(is_memory) {
                continue;
            }
            for literal in comparison(&system.terms, term, &self.start.clone()) {
                self.add(&system.terms, &literal);
            }
        }
    }
}
