//! What clauses are made of.
//!
//! An expression is a flow of the program that memories determine, by its name,
//! or a memory that no flow shows. Flows mean something at every step; a memory
//! only from the second on, so what is said of it stands behind the flag of the
//! first step.
//!
//! Literals have *levels*, the strata of Theorem 4.13: booleans and comparisons
//! with constants of the program, then relations between two expressions, then
//! constants that were seen in states. The last level grows with the states.

use lustral_system::{Origin, Role, TransitionSystem};
use lustral_term::{
    Evaluator, Operator, Sort, Term, TermId, Terms, Translation, Value, VarId, ZeroMeaning,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::slice::{Slice, is_open};
use super::states::{Known, State};
use crate::learn::{Affine, Number, Templates, value_atoms};

/// The most numeric and boolean expressions, and those of them that are paired.
const MOST_EXPRESSIONS: usize = 40;
const MOST_PAIRED: usize = 10;
/// The most expressions in an affine equality.
const MOST_SUMMED: usize = 12;
/// The most constants of the program.
const MOST_CONSTANTS: usize = 16;
/// The most literals altogether.
const MOST_LITERALS: usize = 3_000;
/// The literal that is the property, and a clause by itself only.
pub(crate) const ALONE: usize = 0;
/// The number of levels.
pub(crate) const LEVELS: usize = 3;

/// Something that is true or false in a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Literal {
    pub term: TermId,
    pub level: usize,
    /// The comparison that it is, if it is one: most are, and need no evaluator.
    comparison: Option<Comparison>,
}

/// A comparison of an expression with a constant, or its negation.
#[derive(Clone, Copy, Debug)]
struct Comparison {
    /// The position of the expression: numbers first, then pairs.
    expression: usize,
    relation: Relation,
    constant: Number,
    negated: bool,
    guarded: bool,
}

#[derive(Clone, Copy, Debug)]
enum Relation {
    AtMost,
    AtLeast,
    Equal,
}

impl Comparison {
    /// Whether it holds where the expression has this value.
    fn holds(&self, value: Number, is_first: bool) -> bool {
        let holds = match self.relation {
            Relation::AtMost => value <= self.constant,
            Relation::AtLeast => value >= self.constant,
            Relation::Equal => value == self.constant,
        };
        holds != self.negated || self.guarded && is_first
    }
}

/// A flow or a memory.
#[derive(Clone, Copy)]
struct Expression {
    term: TermId,
    sort: Sort,
    /// Whether it has no meaning at the first step.
    guarded: bool,
}

/// The literals.
pub(crate) struct Literals {
    /// Their arena: that of the system, and more.
    pub terms: Terms,
    pub list: Vec<Literal>,
    seen: FxHashSet<TermId>,
    first: Option<TermId>,
    /// The flows that are named, with their definitions.
    named: Vec<(VarId, TermId)>,
    numbers: Vec<Expression>,
    /// Sums and differences of two of them.
    pairs: Vec<Expression>,
    /// Whether constants of states are tried.
    grows: bool,
}

/// Finds the expressions of a system.
struct LiteralSearch<'s> {
    slice: &'s Slice,
    first: Option<VarId>,
    later: Translation,
    seen: FxHashSet<TermId>,
    booleans: Vec<Expression>,
    /// Those of enumerations.
    choices: Vec<Expression>,
}

impl Literals {
    pub fn new(slice: &Slice, templates: &Templates) -> Literals {
        let system = &slice.system;
        let is_first = |v: &VarId| system.variable(*v).origin == Origin::First;
        let first = slice.memories().into_iter().find(is_first);
        let mut this = Literals {
            terms: system.terms.clone(),
            list: Vec::new(),
            seen: FxHashSet::default(),
            first: None,
            named: Vec::new(),
            numbers: Vec::new(),
            pairs: Vec::new(),
            grows: templates.bounds,
        };
        this.first = first.map(|var| this.terms.variable(var, Sort::Bool));
        // The property is a predicate like any other, but part of none: it may
        // speak of a memory that the program does not have.
        this.add(slice.p0, 0, false);
        let (later, seen) = (Translation::new(), FxHashSet::default());
        let (booleans, choices) = (Vec::new(), Vec::new());
        let mut search = LiteralSearch { slice, first, later, seen, booleans, choices };
        search.expressions(&mut this, templates.streams);
        let roots = search.roots(&mut this);
        this.booleans(&search.booleans);
        if templates.atoms {
            this.choices(&search.choices);
            this.comparisons(&roots, system);
        }
        let constants = constants(&this.terms, &roots);
        if templates.bounds {
            this.bounds(&constants, templates.modes);
        }
        if templates.octagons {
            this.pair(&constants);
        }
        this.list.sort_by_key(|literal| literal.level);
        this
    }

    fn add(&mut self, term: TermId, level: usize, guarded: bool) {
        let term = match self.first {
            Some(first) if guarded => self.terms.or([first, term]),
            _ => term,
        };
        if self.list.len() < MOST_LITERALS
            && self.terms.value(term).is_none()
            && self.seen.insert(term)
        {
            self.list.push(Literal { term, level, comparison: None });
        }
    }

    /// A comparison and its negation, if the literals have room for them.
    fn add_comparison(&mut self, term: TermId, level: usize, comparison: Comparison) {
        for negated in [false, true] {
            let before = self.list.len();
            let term = if negated { self.terms.not(term) } else { term };
            self.add(term, level, comparison.guarded);
            if self.list.len() > before
                && let Some(literal) = self.list.last_mut()
            {
                literal.comparison = Some(Comparison { negated, ..comparison });
            }
        }
    }

    /// A term and its negation.
    fn add_both(&mut self, term: TermId, level: usize, guarded: bool) {
        self.add(term, level, guarded);
        let not = self.terms.not(term);
        self.add(not, level, guarded);
    }

    fn booleans(&mut self, list: &[Expression]) {
        for e in list {
            self.add_both(e.term, 0, e.guarded);
        }
        if let Some(first) = self.first {
            self.add(first, 0, false);
        }
        for (i, a) in list.iter().take(MOST_PAIRED).enumerate() {
            for b in &list[..i] {
                let equal = self.terms.eq(a.term, b.term);
                self.add_both(equal, 1, a.guarded || b.guarded);
            }
        }
    }

    /// What an expression of an enumeration is, and which are the same.
    fn choices(&mut self, list: &[Expression]) {
        for e in list {
            for atom in value_atoms(&mut self.terms, e.term) {
                self.add_both(atom, 0, e.guarded);
            }
        }
        for (i, a) in list.iter().take(MOST_PAIRED).enumerate() {
            for b in list[..i].iter().filter(|b| b.sort == a.sort) {
                let equal = self.terms.eq(a.term, b.term);
                self.add_both(equal, 1, a.guarded || b.guarded);
            }
        }
    }

    /// The comparisons between memories that the program makes.
    fn comparisons(&mut self, roots: &[TermId], system: &TransitionSystem) {
        for term in self.terms.closure(roots.iter().copied()) {
            let numeric = |a: TermId| self.terms.sort(a) != Sort::Bool;
            let of_state = |v: &VarId| system.variable(*v).role == Role::Memory;
            let is_comparison = match self.terms.get(term) {
                Term::Apply(Operator::Eq, [a, _]) | Term::Apply(Operator::Le, [a, _]) => {
                    numeric(*a)
                }
                _ => false,
            };
            if is_comparison
                && self.terms.variables([term]).iter().all(of_state)
                && !is_open(&self.terms, term)
            {
                self.add_both(term, 0, true);
            }
        }
    }

    /// `e <= c` and `c <= e`, and what lies beside them.
    fn bound(&mut self, i: usize, constant: Number, level: usize) {
        self.compare(i, Relation::AtLeast, constant, level);
        self.compare(i, Relation::AtMost, constant, level);
    }

    fn expression(&self, i: usize) -> Expression {
        i.checked_sub(self.numbers.len()).map_or_else(|| self.numbers[i], |j| self.pairs[j])
    }

    fn compare(&mut self, i: usize, relation: Relation, constant: Number, level: usize) {
        let e = self.expression(i);
        let Some(c) = constant.term(&mut self.terms, e.sort) else { return };
        let term = match relation {
            Relation::AtMost => self.terms.le(e.term, c),
            Relation::AtLeast => self.terms.le(c, e.term),
            Relation::Equal => self.terms.eq(e.term, c),
        };
        let guarded = e.guarded;
        let comparison = Comparison { expression: i, relation, constant, negated: false, guarded };
        self.add_comparison(term, level, comparison);
    }

    fn bounds(&mut self, constants: &[Number], modes: bool) {
        for i in 0..self.numbers.len() {
            for c in constants {
                self.bound(i, *c, 0);
                if modes {
                    self.compare(i, Relation::Equal, *c, 1);
                }
            }
        }
    }

    /// Octagons: sums and differences of two expressions.
    fn pair(&mut self, constants: &[Number]) {
        let list: Vec<Expression> = self.numbers.iter().take(MOST_PAIRED).copied().collect();
        for (i, a) in list.iter().enumerate() {
            for b in list[..i].iter().filter(|b| b.sort == a.sort) {
                let difference = self.terms.sub(a.term, b.term);
                let sum = self.terms.add(&[a.term, b.term]);
                let (sort, guarded) = (a.sort, a.guarded || b.guarded);
                for term in [difference, sum] {
                    let pair = self.numbers.len() + self.pairs.len();
                    self.pairs.push(Expression { term, sort, guarded });
                    self.bound(pair, Number::from(0), 1);
                    self.compare(pair, Relation::Equal, Number::from(0), 1);
                    constants.iter().for_each(|c| self.bound(pair, *c, 2));
                }
            }
        }
    }

    /// Adds the affine equalities that hold in all of some states.
    pub fn add_equalities(&mut self, known: &Known, states: &[&State]) {
        for sort in [Sort::Int, Sort::Real] {
            let of_sort = |e: &&Expression| e.sort == sort;
            let list: Vec<Expression> =
                self.numbers.iter().filter(of_sort).take(MOST_SUMMED).copied().collect();
            if list.len() < 2 {
                continue;
            }
            let guarded = list.iter().any(|e| e.guarded);
            let mut hull = Affine::new(sort, list.iter().map(|e| e.term).collect());
            for state in states {
                let value = self.values(known, state);
                let is_first = |first| self.terms.var(first).is_some_and(|v| value(v).is_true());
                if guarded && self.first.is_some_and(is_first) {
                    continue;
                }
                let mut evaluator = Evaluator::new(&self.terms, &ZeroMeaning);
                let number = |e: &Expression| Number::of(&evaluator.eval(e.term, &value));
                hull.absorb(&list.iter().map(number).collect::<Vec<_>>());
            }
            for equality in hull.facts(&mut self.terms) {
                self.add(equality, 1, guarded);
            }
        }
        self.list.sort_by_key(|literal| literal.level);
    }

    /// Adds constants that were seen in some states; how many literals that is.
    pub fn grow(&mut self, known: &Known, states: impl Iterator<Item = State>) -> usize {
        let before = self.list.len();
        for state in states.filter(|_| self.grows).collect::<Vec<_>>() {
            for (i, number) in self.numbers_in(known, &state).into_iter().enumerate() {
                if let Some(number) = number {
                    self.bound(i, number, 2);
                }
            }
        }
        self.list.len() - before
    }

    /// The values of all expressions in a state, where they fit.
    fn numbers_in(&self, known: &Known, state: &State) -> Vec<Option<Number>> {
        let value = self.values(known, state);
        let mut evaluator = Evaluator::new(&self.terms, &ZeroMeaning);
        let all = self.numbers.iter().chain(&self.pairs);
        all.map(|e| Number::of(&evaluator.eval(e.term, &value))).collect()
    }

    /// The values of memories and named flows in a state.
    fn values(&self, known: &Known, state: &State) -> impl Fn(VarId) -> Value + use<> {
        let of_memory = |var| known.of(state, var).cloned().unwrap_or(Value::Bool(false));
        let mut evaluator = Evaluator::new(&self.terms, &ZeroMeaning);
        let memories = known.memories().map(|var| (var, of_memory(var)));
        let mut values: FxHashMap<VarId, Value> = memories.collect();
        let named = self.named.iter().map(|(var, term)| (*var, evaluator.eval(*term, of_memory)));
        values.extend(named.collect::<Vec<_>>());
        move |var| values.get(&var).cloned().unwrap_or(Value::Bool(false))
    }

    /// Whether the literals from some number on hold in a state.
    pub fn literals_in(&self, known: &Known, state: &State, begin: usize) -> Vec<bool> {
        let numbers = self.numbers_in(known, state);
        let value = self.values(known, state);
        let mut evaluator = Evaluator::new(&self.terms, &ZeroMeaning);
        let mut eval = |term| evaluator.eval(term, &value).is_true();
        let is_first = self.first.is_some_and(&mut eval);
        let mut holds = |literal: &Literal| {
            let known = |c: Comparison| Some(c.holds(numbers[c.expression]?, is_first));
            literal.comparison.and_then(known).unwrap_or_else(|| eval(literal.term))
        };
        self.list[begin..].iter().map(&mut holds).collect()
    }

    /// Whether terms of the arena hold in a state.
    pub fn truth(&self, known: &Known, state: &State, terms: &[TermId]) -> Vec<bool> {
        let value = self.values(known, state);
        let mut evaluator = Evaluator::new(&self.terms, &ZeroMeaning);
        terms.iter().map(|term| evaluator.eval(*term, &value).is_true()).collect()
    }
}

impl LiteralSearch<'_> {
    /// A term as it is after the first step.
    fn later(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        let first = self.first;
        self.later.apply(&self.slice.system.terms, terms, term, |terms, var, sort| {
            if Some(var) == first { Terms::FALSE } else { terms.variable(var, sort) }
        })
    }

    fn roots(&mut self, literals: &mut Literals) -> Vec<TermId> {
        let system = &self.slice.system;
        let all: Vec<TermId> = system.roots().collect();
        all.into_iter().map(|term| self.later(&mut literals.terms, term)).collect()
    }

    /// Flows that show a memory, then memories that no flow shows, then flows
    /// that are more than that.
    fn expressions(&mut self, literals: &mut Literals, streams: bool) {
        let system = &self.slice.system;
        let memories: FxHashSet<VarId> = self.slice.memories().into_iter().collect();
        let mut more = Vec::new();
        if streams {
            for (var, variable) in system.variables() {
                let Role::Defined(term) = variable.role else { continue };
                let inside = |v: &VarId| memories.contains(v);
                if term == self.slice.p0
                    || !system.terms.variables([term]).iter().all(inside)
                    || is_open(&system.terms, term)
                {
                    continue;
                }
                let later = self.later(&mut literals.terms, term);
                match literals.terms.var(later) {
                    Some(_) => self.name(literals, var, term, later),
                    None if literals.terms.value(later).is_none() => more.push((var, term, later)),
                    None => {}
                }
            }
        }
        for var in self.slice.memories() {
            let sort = system.variable(var).sort;
            let term = literals.terms.variable(var, sort);
            if Some(var) != self.first && Some(var) != self.slice.held && self.seen.insert(term) {
                self.push(literals, Expression { term, sort, guarded: true });
            }
        }
        for (var, term, later) in more {
            self.name(literals, var, term, later);
        }
    }

    /// Adds a flow by its name, unless another flow is the same.
    fn name(&mut self, literals: &mut Literals, var: VarId, term: TermId, later: TermId) {
        if self.seen.insert(later) {
            let sort = self.slice.system.variable(var).sort;
            literals.named.push((var, term));
            let term = literals.terms.variable(var, sort);
            self.push(literals, Expression { term, sort, guarded: false });
        }
    }

    fn push(&mut self, literals: &mut Literals, expression: Expression) {
        let list = match expression.sort {
            Sort::Bool => &mut self.booleans,
            Sort::Int | Sort::Real => &mut literals.numbers,
            Sort::Enum(_) => &mut self.choices,
            // Only what the program says of them is a literal.
            _ => return,
        };
        if list.len() < MOST_EXPRESSIONS {
            list.push(expression);
        }
    }
}

/// Zero and the constants of some terms, the small ones first.
fn constants(terms: &Terms, roots: &[TermId]) -> Vec<Number> {
    let all = terms.closure(roots.iter().copied());
    let mut found: Vec<Number> =
        all.into_iter().filter_map(|t| terms.value(t).and_then(Number::of)).collect();
    found.push(Number::from(0));
    found.sort_unstable_by_key(|n| (n.negated().map_or(*n, |m| m.max(*n)), *n));
    found.dedup();
    found.truncate(MOST_CONSTANTS);
    found
}
