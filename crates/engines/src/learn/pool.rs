//! The pool: every candidate that no row has refuted, in a compact form.
//!
//! A *row* is a step at which all surviving candidates must hold: one that was
//! simulated, or one that follows, by a counterexample to induction, from
//! steps at which the candidates hold. The pool never lists all candidates. It
//! keeps an order of literals, intervals and an affine hull, each of them cut
//! down by rows, and states the strongest facts that are left; all weaker ones
//! follow from them. So it is Houdini over the whole set of candidates, and
//! 500 streams do not mean a quarter of a million queries.

use std::sync::Arc;

use lustral_simulation::Samples;
use lustral_system::{Inlined, Predicate, Role, StreamRole, TransitionSystem};
use lustral_term::{
    Evaluator, Interpretation, Operator, Sort, Term, TermId, Terms, Translation, Value, VarId,
};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::affine::Affine;
use super::bounds::{Bounded, Bounds, Thresholds};
use super::comparison::equality;
use super::features::{Features, value_atoms};
use super::number::Number;
use super::order::Order;
use super::templates::Templates;
use super::triples::Triples;
use super::words;

/// The most numeric features that are paired.
const MOST_PAIRED: usize = 20;
/// The most features of enumerations that are equated with each other.
const MOST_EQUATED: usize = 12;
/// The most guards of bounds.
const MOST_GUARDS: usize = 40;
/// The most numeric features whose affine hull is computed.
const MOST_AFFINE: usize = 40;

type FxIndexSet<T> = indexmap::IndexSet<T, FxBuildHasher>;

/// A step, as far as the pool looks at it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    first: bool,
    booleans: Vec<bool>,
    guards: Vec<bool>,
    numbers: Vec<Option<Number>>,
    given: Vec<bool>,
}

/// What candidates over few memories are made of.
#[derive(Default)]
pub(crate) struct RegionFeatures {
    pub booleans: Vec<TermId>,
    pub guards: Vec<TermId>,
    pub numbers: Vec<Bounded>,
    pub choices: Vec<TermId>,
    pub constants: Vec<Number>,
}

/// The candidates that are left.
#[derive(Clone)]
pub(crate) struct Pool {
    /// The arena of all facts: that of the system, and more.
    pub terms: Terms,
    templates: Templates,
    first: Option<TermId>,
    booleans: Vec<TermId>,
    guards: Vec<TermId>,
    /// Flows that features name, with their definitions.
    named: Vec<(VarId, TermId)>,
    /// Features first, then sums and differences of two of them.
    numbers: Vec<Bounded>,
    pairs: Vec<(usize, usize, bool)>,
    features: usize,
    /// The features of enumerations.
    choices: Vec<TermId>,
    triples: Triples,
    thresholds: Arc<Thresholds>,
    order: Order,
    bounds: Bounds,
    guarded: Vec<Bounds>,
    affine: Vec<(Vec<usize>, Affine)>,
    /// Candidates from elsewhere.
    given: FxIndexSet<TermId>,
    /// Whether they are left.
    left: Vec<bool>,
}

impl Pool {
    /// All candidates over the features of a system.
    pub fn new(system: &Inlined, templates: Templates, samples: &Samples) -> Pool {
        let mut terms = system.terms.clone();
        let found = Features::new(system, &mut terms, &templates, samples);
        let Features { first, booleans, guards, numbers, choices, named, constants } = found;
        let mut pool = Pool::over(terms, templates, booleans, guards, numbers, &constants);
        (pool.first, pool.named) = (first, named);
        pool.choose(choices);
        for fact in words::candidates(system, &mut pool.terms, &templates) {
            let fact = match first {
                Some(first) => pool.terms.or([first, fact]),
                None => fact,
            };
            pool.give(fact);
        }
        if templates.triples {
            let features = &pool.numbers[..pool.features];
            pool.triples = Triples::new(system, &mut pool.terms, features);
        }
        pool
    }

    /// All candidates over the inputs of a node, but some, at every step alike.
    pub fn of_inputs(
        system: &TransitionSystem,
        templates: Templates,
        constants: &[Number],
        but: &FxHashSet<VarId>,
    ) -> Pool {
        let mut terms = system.terms.clone();
        let (mut booleans, mut numbers, mut choices) = (Vec::new(), Vec::new(), Vec::new());
        let inputs = system.root().streams.iter().filter(|s| s.role == StreamRole::Input);
        for var in inputs.map(|s| s.var).filter(|var| !but.contains(var)) {
            let sort = system.variable(var).sort;
            let term = terms.variable(var, sort);
            match sort {
                Sort::Bool => booleans.push(term),
                Sort::Int | Sort::Real => numbers.push(Bounded { term, sort }),
                Sort::Enum(_) => {
                    booleans.extend(value_atoms(&mut terms, term));
                    choices.push(term);
                }
                _ => {}
            }
        }
        let guards = booleans.clone();
        let mut pool = Pool::over(terms, templates, booleans, guards, numbers, constants);
        pool.choose(choices);
        pool
    }

    /// All candidates over some memories, at the steps after the first where that is told.
    pub fn of_region(
        terms: Terms,
        templates: Templates,
        first: Option<TermId>,
        features: RegionFeatures,
    ) -> Pool {
        let RegionFeatures { booleans, guards, numbers, choices, constants } = features;
        let mut pool = Pool::over(terms, templates, booleans, guards, numbers, &constants);
        pool.first = first;
        pool.choose(choices);
        pool
    }

    /// Adds equations between features of enumerations: after the first step,
    /// where that is told.
    fn choose(&mut self, choices: Vec<TermId>) {
        let paired: Vec<TermId> = choices.iter().copied().take(MOST_EQUATED).collect();
        for (i, a) in paired.iter().enumerate() {
            for b in &paired[..i] {
                if self.terms.sort(*a) == self.terms.sort(*b) {
                    let equal = self.terms.eq(*a, *b);
                    let fact = match self.first {
                        Some(first) => self.terms.or([first, equal]),
                        None => equal,
                    };
                    if self.terms.value(fact).is_none() {
                        self.give(fact);
                    }
                }
            }
        }
        self.choices = choices;
    }

    /// The variables that the features are, where they are no more.
    pub fn inputs(&self) -> Vec<VarId> {
        let numbers = self.numbers[..self.features].iter().map(|b| b.term);
        let all = self.booleans.iter().chain(&self.choices).copied().chain(numbers);
        let mut inputs: Vec<VarId> = all.filter_map(|term| self.terms.var(term)).collect();
        inputs.extend(self.terms.variables(self.given.iter().copied()));
        inputs.sort_unstable();
        inputs.dedup();
        inputs
    }

    /// All candidates over some features.
    fn over(
        mut terms: Terms,
        templates: Templates,
        booleans: Vec<TermId>,
        mut guards: Vec<TermId>,
        mut numbers: Vec<Bounded>,
        constants: &[Number],
    ) -> Pool {
        guards.truncate(if templates.modes { MOST_GUARDS } else { 0 });
        let features = numbers.len();
        let pairs = if templates.octagons { pair(&mut terms, &mut numbers) } else { Vec::new() };
        let affine = if templates.affine { hulls(&numbers[..features]) } else { Vec::new() };
        Pool {
            terms,
            templates,
            first: None,
            order: Order::new(booleans.clone()),
            booleans,
            guarded: vec![Bounds::new(); guards.len()],
            guards,
            named: Vec::new(),
            numbers,
            pairs,
            features,
            choices: Vec::new(),
            triples: Triples::none(),
            thresholds: Arc::new(thresholds(constants)),
            bounds: Bounds::new(),
            affine,
            given: FxIndexSet::default(),
            left: Vec::new(),
        }
    }

    /// Adds a candidate. It is stated as it is, for the first step too.
    pub fn give(&mut self, term: TermId) {
        if self.given.insert(term) {
            self.left.push(true);
        }
    }

    /// Adds candidates from other arenas over the variables of a system. They may
    /// name flows that no template names.
    pub fn give_predicates(&mut self, system: &TransitionSystem, predicates: &[Predicate]) {
        for var in predicates.iter().flat_map(|p| p.terms.variables([p.term])) {
            if let Role::Defined(term) = system.variable(var).role
                && !self.named.iter().any(|(known, _)| *known == var)
            {
                self.named.push((var, term));
            }
        }
        self.give_facts(predicates);
    }

    /// The same where they name nothing that is defined.
    pub fn give_facts(&mut self, predicates: &[Predicate]) {
        for group in predicates.chunk_by(|a, b| Arc::ptr_eq(&a.terms, &b.terms)) {
            let mut translation = Translation::new();
            for Predicate { terms, term } in group {
                let variable = |terms: &mut Terms, var, sort| terms.variable(var, sort);
                let term = translation.apply(terms, &mut self.terms, *term, variable);
                self.give(term);
            }
        }
    }

    /// Whether a given candidate is left.
    pub fn holds(&self, term: TermId) -> bool {
        self.given.get_index_of(&term).is_some_and(|i| self.left[i])
    }

    /// The values of all variables at a step, the named flows among them.
    pub fn with_names(
        &self,
        by_zero: &dyn Interpretation,
        value: impl Fn(VarId) -> Value,
    ) -> impl Fn(VarId) -> Value {
        let mut evaluator = Evaluator::new(&self.terms, by_zero);
        let named: FxHashMap<VarId, Value> =
            self.named.iter().map(|(var, term)| (*var, evaluator.eval(*term, &value))).collect();
        move |var| named.get(&var).cloned().unwrap_or_else(|| value(var))
    }

    /// A step as a row.
    pub fn row(&self, by_zero: &dyn Interpretation, value: impl Fn(VarId) -> Value) -> Row {
        let value = self.with_names(by_zero, value);
        let mut evaluator = Evaluator::new(&self.terms, by_zero);
        let mut truth = |term: &TermId| evaluator.eval(*term, &value).is_true();
        let first = self.first.is_some_and(|first| truth(&first));
        let given = self.given.iter().map(&mut truth).collect();
        let booleans = self.booleans.iter().map(&mut truth).collect();
        let guards = self.guards.iter().map(&mut truth).collect();
        let mut numbers: Vec<Option<Number>> = self.numbers[..self.features]
            .iter()
            .map(|b| Number::of(&evaluator.eval(b.term, &value)))
            .collect();
        for (a, b, minus) in &self.pairs {
            let (a, b) = (numbers[*a], numbers[*b]);
            numbers.push(a.zip(b).and_then(|(a, b)| if *minus { a.minus(b) } else { a.plus(b) }));
        }
        Row { first, booleans, guards, numbers, given }
    }

    /// Removes what a row refutes. A row that was really reached may set
    /// bounds of its own (`exact`); others move them to the next threshold.
    pub fn absorb(&mut self, row: &Row, exact: bool) {
        for (left, holds) in self.left.iter_mut().zip(&row.given) {
            *left &= *holds;
        }
        if row.first {
            return;
        }
        self.order.absorb(&row.booleans);
        self.bounds.absorb(&row.numbers, &self.thresholds, exact);
        self.triples.absorb(&row.numbers, &self.thresholds);
        for (bounds, holds) in self.guarded.iter_mut().zip(&row.guards) {
            if *holds {
                bounds.absorb(&row.numbers[..self.features], &self.thresholds, exact);
            }
        }
        for (columns, affine) in &mut self.affine {
            let values: Vec<Option<Number>> = columns.iter().map(|c| row.numbers[*c]).collect();
            affine.absorb(&values);
        }
    }

    /// The strongest facts that are left, each once.
    pub fn facts(&mut self) -> Vec<TermId> {
        let given =
            self.given.iter().zip(&self.left).filter(|(_, left)| **left).map(|(term, _)| *term);
        let mut facts: Vec<TermId> = given.collect();
        let later = self.later_facts();
        for fact in later {
            facts.push(match self.first {
                Some(first) => self.terms.or([first, fact]),
                None => fact,
            });
        }
        let mut seen = FxHashSet::default();
        facts.retain(|fact| *fact != Terms::TRUE && seen.insert(*fact));
        facts
    }

    fn later_facts(&mut self) -> Vec<TermId> {
        let terms = &mut self.terms;
        let mut facts = self.order.facts(terms, self.templates.implications);
        for (_, affine) in &self.affine {
            facts.extend(affine.facts(terms));
        }
        if self.templates.bounds {
            let (features, pairs) = (self.features, &self.pairs);
            let parts = |i: usize| i.checked_sub(features).map(|p| pairs[p]);
            let needed = self.bounds.without_implied(parts);
            facts.extend(needed.facts(terms, &self.numbers, None));
        }
        let known = if self.templates.bounds { self.bounds.clone() } else { Bounds::new() };
        facts.extend(self.triples.facts(terms, &known, &self.pairs, self.features));
        let features = &self.numbers[..self.features];
        for (guard, bounds) in self.guards.iter().zip(&self.guarded) {
            // What is stated above says some of it already.
            let value = equality(terms, *guard)
                .and_then(|(term, c)| Some((features.iter().position(|f| f.term == term)?, c)));
            let here = value.map(|(f, c)| known.where_equal(f, c, self.features, &self.pairs));
            for fact in bounds.facts(terms, features, Some(here.as_ref().unwrap_or(&known))) {
                facts.push(terms.implies(*guard, fact));
            }
        }
        facts
    }

    /// What a fact says of the later steps, if it says nothing of the first.
    pub fn unguarded(&mut self, fact: TermId) -> Option<TermId> {
        let first = self.first?;
        let Term::Apply(Operator::Or, list) = self.terms.get(fact) else { return None };
        let rest: Vec<TermId> = list.iter().copied().filter(|part| *part != first).collect();
        (rest.len() < list.len()).then(|| self.terms.or(rest))
    }

    /// A fact as a predicate that others can read.
    pub fn predicates(&self, facts: &[TermId]) -> Vec<Predicate> {
        let terms = Arc::new(self.terms.clone());
        facts.iter().map(|term| Predicate { terms: terms.clone(), term: *term }).collect()
    }
}

/// Adds the differences and sums of two features of one sort.
fn pair(terms: &mut Terms, numbers: &mut Vec<Bounded>) -> Vec<(usize, usize, bool)> {
    let mut pairs = Vec::new();
    let features = numbers.len().min(MOST_PAIRED);
    for j in 0..features {
        for i in 0..j {
            let (a, b) = (numbers[i], numbers[j]);
            if a.sort != b.sort {
                continue;
            }
            let difference = terms.sub(a.term, b.term);
            let sum = terms.add(&[a.term, b.term]);
            for (term, minus) in [(difference, true), (sum, false)] {
                if terms.value(term).is_none() {
                    numbers.push(Bounded { term, sort: a.sort });
                    pairs.push((i, j, minus));
                }
            }
        }
    }
    pairs
}

/// The affine hulls of the integer and of the real features.
fn hulls(features: &[Bounded]) -> Vec<(Vec<usize>, Affine)> {
    let mut hulls = Vec::new();
    for sort in [Sort::Int, Sort::Real] {
        let of_sort = (0..features.len()).filter(|i| features[*i].sort == sort);
        let columns: Vec<usize> = of_sort.take(MOST_AFFINE).collect();
        if columns.len() > 1 {
            let terms = columns.iter().map(|i| features[*i].term).collect();
            hulls.push((columns, Affine::new(sort, terms)));
        }
    }
    hulls
}

/// The constants, their neighbours and their negations, and small numbers.
fn thresholds(constants: &[Number]) -> Thresholds {
    let mut list: Vec<Number> = [-2, -1, 0, 1, 2].into_iter().map(Number::from).collect();
    for constant in constants {
        for c in [Some(*constant), constant.negated()].into_iter().flatten() {
            list.push(c);
            list.extend(c.plus(Number::ONE));
            list.extend(c.minus(Number::ONE));
        }
    }
    Thresholds::new(list)
}
