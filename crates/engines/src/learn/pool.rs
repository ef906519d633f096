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

use super::bounds::{Bounded, Thresholds};
use super::features::{Features, value_atoms};
use super::group::{Group, GroupRow, Parts, thresholds};
use super::limits::LeftOut;
use super::number::Number;
use super::scopes::clock_scopes;
use super::templates::Templates;
use super::triples::Triples;
use super::words;

type FxIndexSet<T> = indexmap::IndexSet<T, FxBuildHasher>;

/// A step, as far as the pool looks at it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    groups: Vec<GroupRow>,
    given: Vec<bool>,
}

/// The candidates that are left.
#[derive(Clone)]
pub(crate) struct Pool {
    /// The arena of all facts: that of the system, and more.
    pub terms: Terms,
    first: Option<TermId>,
    /// Flows that features name, with their definitions.
    named: Vec<(VarId, TermId)>,
    thresholds: Arc<Thresholds>,
    /// All candidates after the first step, then those of clock scopes after theirs.
    groups: Vec<Group>,
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
        let Features { first, parts, named, constants } = found;
        let mut pool = Pool::over(terms, first, &constants);
        pool.named = named;
        pool.add(templates, first, parts);
        if templates.triples {
            let Pool { terms, groups, .. } = &mut pool;
            groups[0].triples = Triples::new(system, terms, groups[0].numbers());
        }
        for scope in clock_scopes(system) {
            let parts = Features::of_scope(system, &scope, &mut pool.terms, &templates, samples);
            let fresh = pool.terms.variable(scope.fresh, Sort::Bool);
            pool.add(templates, Some(fresh), parts);
        }
        for fact in words::candidates(system, &mut pool.terms, &templates) {
            let fact = match first {
                Some(first) => pool.terms.or([first, fact]),
                None => fact,
            };
            pool.give(fact);
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
        let mut pool = Pool::over(terms, None, constants);
        let left_out = LeftOut::default();
        pool.add(templates, None, Parts { booleans, guards, numbers, choices, left_out });
        pool
    }

    /// No candidates yet.
    pub fn over(terms: Terms, first: Option<TermId>, constants: &[Number]) -> Pool {
        Pool {
            terms,
            first,
            named: Vec::new(),
            thresholds: Arc::new(thresholds(constants)),
            groups: Vec::new(),
            given: FxIndexSet::default(),
            left: Vec::new(),
        }
    }

    /// Adds all candidates over some features, at the steps at which a flag is false.
    pub fn add(&mut self, templates: Templates, unless: Option<TermId>, parts: Parts) {
        let thresholds = self.thresholds.clone();
        let group = Group::new(&mut self.terms, templates, unless, parts, thresholds);
        let equations = group.equations(&mut self.terms);
        self.groups.push(group);
        equations.into_iter().for_each(|fact| self.give(fact));
    }

    /// The variables that the features are, where they are no more.
    pub fn inputs(&self) -> Vec<VarId> {
        let all = self.groups.iter().flat_map(Group::all);
        let mut inputs: Vec<VarId> = all.filter_map(|term| self.terms.var(term)).collect();
        inputs.extend(self.terms.variables(self.given.iter().copied()));
        inputs.sort_unstable();
        inputs.dedup();
        inputs
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

    /// What the limits on candidates leave out.
    pub fn left_out(&self) -> LeftOut {
        let mut all = LeftOut::default();
        self.groups.iter().for_each(|group| all.add(&group.left_out));
        all
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
        let mut value = |term: TermId| evaluator.eval(term, &value);
        let given = self.given.iter().map(|term| value(*term).is_true()).collect();
        let groups = self.groups.iter().map(|group| group.row(&mut value)).collect();
        Row { groups, given }
    }

    /// Removes what a row refutes. A row that was really reached may set
    /// bounds of its own (`exact`); others move them to the next threshold.
    pub fn absorb(&mut self, row: &Row, exact: bool) {
        for (left, holds) in self.left.iter_mut().zip(&row.given) {
            *left &= *holds;
        }
        for (group, row) in self.groups.iter_mut().zip(&row.groups) {
            group.absorb(row, exact);
        }
    }

    /// The strongest facts that are left, each once.
    pub fn facts(&mut self) -> Vec<TermId> {
        let given =
            self.given.iter().zip(&self.left).filter(|(_, left)| **left).map(|(term, _)| *term);
        let mut facts: Vec<TermId> = given.collect();
        for group in &self.groups {
            facts.extend(group.facts(&mut self.terms));
        }
        let mut seen = FxHashSet::default();
        facts.retain(|fact| *fact != Terms::TRUE && seen.insert(*fact));
        facts
    }

    /// A fact with other names of some variables.
    pub fn renamed(&mut self, fact: TermId, name: &impl Fn(VarId) -> Option<VarId>) -> TermId {
        if !self.terms.variables([fact]).iter().any(|var| name(*var).is_some()) {
            return fact;
        }
        let terms = self.terms.clone();
        Translation::new().apply(&terms, &mut self.terms, fact, |terms, var, sort| {
            terms.variable(name(var).unwrap_or(var), sort)
        })
    }

    /// Something that is said of the later steps; nothing if it says nothing.
    pub fn later(&mut self, state: impl FnOnce(&mut Terms) -> TermId) -> Option<TermId> {
        let bare = state(&mut self.terms);
        let fact = match self.first {
            Some(first) => self.terms.or([first, bare]),
            None => bare,
        };
        self.terms.value(fact).is_none().then_some(fact)
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
