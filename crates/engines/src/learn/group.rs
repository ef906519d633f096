//! Candidates over some features, at the steps at which these mean something.
//!
//! Memories have no meaning before they were written. Those of the root are written at the
//! first step; those of a clock scope when the scope first runs, and its *fresh* flag says
//! that it did not yet. So what a group says stands behind such a flag: there is one group
//! behind that of the first step, and one for each scope behind its own ([`super::scopes`]).

use std::sync::Arc;

use lustral_term::{Sort, TermId, Terms, Value};

use super::affine::Affine;
use super::bounds::{Bounded, Bounds, Thresholds};
use super::comparison::equality;
use super::limits::LeftOut;
use super::number::Number;
use super::order::Order;
use super::templates::Templates;
use super::triples::Triples;

/// The most numeric features that are paired.
const MOST_PAIRED: usize = 20;
/// The most features of enumerations that are equated with each other.
const MOST_EQUATED: usize = 12;
/// So many guards are kept in any case.
const MOST_GUARDS: usize = 40;
/// And more where there are few numbers: the most pairs of a guard and a number.
const MOST_GUARDED: usize = 2_560;
/// The most numeric features whose affine hull is computed.
const MOST_AFFINE: usize = 40;

/// What candidates are made of.
#[derive(Default)]
pub(crate) struct Parts {
    pub booleans: Vec<TermId>,
    /// Those of the booleans that select a mode: they guard bounds.
    pub guards: Vec<TermId>,
    pub numbers: Vec<Bounded>,
    pub choices: Vec<TermId>,
    /// What there is beside these.
    pub left_out: LeftOut,
}

/// A step, as far as a group looks at it; nothing where its features mean nothing.
#[derive(Clone, Debug)]
pub(super) struct GroupRow(Option<Values>);

#[derive(Clone, Debug)]
struct Values {
    booleans: Vec<bool>,
    guards: Vec<bool>,
    numbers: Vec<Option<Number>>,
}

/// The candidates of a group that are left.
#[derive(Clone)]
pub(super) struct Group {
    templates: Templates,
    /// The flag of the steps at which the features mean nothing, if there are any.
    unless: Option<TermId>,
    booleans: Vec<TermId>,
    guards: Vec<TermId>,
    /// Features first, then sums and differences of two of them.
    numbers: Vec<Bounded>,
    pairs: Vec<(usize, usize, bool)>,
    features: usize,
    /// The features of enumerations.
    choices: Vec<TermId>,
    pub triples: Triples,
    thresholds: Arc<Thresholds>,
    order: Order,
    bounds: Bounds,
    guarded: Vec<Bounds>,
    affine: Vec<(Vec<usize>, Affine)>,
    /// What has no part in all of this.
    pub left_out: LeftOut,
}

impl Group {
    /// All candidates over some features.
    pub fn new(
        terms: &mut Terms,
        templates: Templates,
        unless: Option<TermId>,
        parts: Parts,
        thresholds: Arc<Thresholds>,
    ) -> Group {
        let Parts { booleans, mut guards, mut numbers, choices, mut left_out } = parts;
        let most = MOST_GUARDS.max(MOST_GUARDED / numbers.len().max(1));
        if templates.modes {
            left_out.note("modes have bounds of their own", most.min(guards.len()), guards.len());
        }
        guards.truncate(if templates.modes { most } else { 0 });
        let features = numbers.len();
        if templates.octagons {
            let paired = features.min(MOST_PAIRED);
            left_out.note("numbers are in sums and differences", paired, features);
        }
        let equated = choices.len().min(MOST_EQUATED);
        left_out.note("flows of enumerations are compared with each other", equated, choices.len());
        let pairs = if templates.octagons { pair(terms, &mut numbers) } else { Vec::new() };
        let affine =
            if templates.affine { hulls(&numbers[..features], &mut left_out) } else { Vec::new() };
        Group {
            templates,
            unless,
            order: Order::new(booleans.clone()),
            booleans,
            guarded: vec![Bounds::new(); guards.len()],
            guards,
            numbers,
            pairs,
            features,
            choices,
            triples: Triples::none(),
            thresholds,
            bounds: Bounds::new(),
            affine,
            left_out,
        }
    }

    /// The features that are numbers.
    pub fn numbers(&self) -> &[Bounded] {
        &self.numbers[..self.features]
    }

    /// All features.
    pub fn all(&self) -> impl Iterator<Item = TermId> + '_ {
        let numbers = self.numbers().iter().map(|b| b.term);
        self.booleans.iter().chain(&self.choices).copied().chain(numbers)
    }

    /// A fact at the steps at which the features mean something.
    pub fn behind_flag(&self, terms: &mut Terms, fact: TermId) -> TermId {
        match self.unless {
            Some(flag) => terms.or([flag, fact]),
            None => fact,
        }
    }

    /// Equations between features of enumerations.
    pub fn equations(&self, terms: &mut Terms) -> Vec<TermId> {
        let mut found = Vec::new();
        let paired: Vec<TermId> = self.choices.iter().copied().take(MOST_EQUATED).collect();
        for (i, a) in paired.iter().enumerate() {
            for b in &paired[..i] {
                if terms.sort(*a) == terms.sort(*b) {
                    let equal = terms.eq(*a, *b);
                    let fact = self.behind_flag(terms, equal);
                    if terms.value(fact).is_none() {
                        found.push(fact);
                    }
                }
            }
        }
        found
    }

    /// A step as a row.
    pub fn row(&self, value: &mut impl FnMut(TermId) -> Value) -> GroupRow {
        if self.unless.is_some_and(|flag| value(flag).is_true()) {
            return GroupRow(None);
        }
        let booleans = self.booleans.iter().map(|t| value(*t).is_true()).collect();
        let guards = self.guards.iter().map(|t| value(*t).is_true()).collect();
        let mut numbers: Vec<Option<Number>> =
            self.numbers().iter().map(|b| Number::of(&value(b.term))).collect();
        for (a, b, minus) in &self.pairs {
            let (a, b) = (numbers[*a], numbers[*b]);
            numbers.push(a.zip(b).and_then(|(a, b)| if *minus { a.minus(b) } else { a.plus(b) }));
        }
        GroupRow(Some(Values { booleans, guards, numbers }))
    }

    /// Removes what a row refutes. A row that was really reached may set
    /// bounds of its own (`exact`); others move them to the next threshold.
    pub fn absorb(&mut self, row: &GroupRow, exact: bool) {
        let Some(row) = &row.0 else { return };
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

    /// The strongest facts that are left, behind the flag.
    pub fn facts(&self, terms: &mut Terms) -> Vec<TermId> {
        let bare = self.bare_facts(terms);
        bare.into_iter().map(|fact| self.behind_flag(terms, fact)).collect()
    }

    fn bare_facts(&self, terms: &mut Terms) -> Vec<TermId> {
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
        let features = self.numbers();
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
fn hulls(features: &[Bounded], left_out: &mut LeftOut) -> Vec<(Vec<usize>, Affine)> {
    let mut hulls = Vec::new();
    for sort in [Sort::Int, Sort::Real] {
        let of_sort = (0..features.len()).filter(|i| features[*i].sort == sort);
        let mut columns: Vec<usize> = of_sort.collect();
        let kept = columns.len().min(MOST_AFFINE);
        left_out.note("numbers are in equations", kept, columns.len());
        columns.truncate(kept);
        if columns.len() > 1 {
            let terms = columns.iter().map(|i| features[*i].term).collect();
            hulls.push((columns, Affine::new(sort, terms)));
        }
    }
    hulls
}

/// The constants, their neighbours and their negations, and small numbers.
pub(super) fn thresholds(constants: &[Number]) -> Thresholds {
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
