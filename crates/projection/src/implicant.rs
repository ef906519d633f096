//! Implicants: of a formula and a valuation that satisfies it, literals that
//! the valuation satisfies and that imply the formula.

use lustral_system::Divisions;
use lustral_term::{Evaluator, Operator, Sort, Term, TermId, Terms, Value, VarId};
use num_rational::BigRational;
use num_traits::One;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::linear::{Form, Literal, Relation, rational};

/// Values of the variables of a step.
#[derive(Clone, Default, Debug)]
pub struct Valuation {
    /// By variable; what has no value does not matter.
    pub values: FxHashMap<VarId, Value>,
    /// What divisions by zero gave.
    pub divisions: Divisions,
}

impl Valuation {
    /// An evaluator of terms over these variables.
    #[must_use]
    pub fn evaluator<'a>(&'a self, terms: &'a Terms) -> Values<'a> {
        Values { evaluator: Evaluator::new(terms, &self.divisions), terms, valuation: self }
    }
}

/// Evaluates terms under a valuation.
pub struct Values<'a> {
    evaluator: Evaluator<'a>,
    terms: &'a Terms,
    valuation: &'a Valuation,
}

impl Values<'_> {
    /// The value of a term.
    pub fn of(&mut self, term: TermId) -> Value {
        let (terms, values) = (self.terms, &self.valuation.values);
        // What has no value does not matter; the sort must be right.
        let zero = |var| {
            let id = terms.closure([term]).into_iter().find(|id| terms.var(*id) == Some(var));
            Value::zero(id.map_or(Sort::Bool, |id| terms.sort(id)))
        };
        self.evaluator.eval(term, |var| values.get(&var).cloned().unwrap_or_else(|| zero(var)))
    }

    /// Whether a truth value is true.
    pub fn holds(&mut self, term: TermId) -> bool {
        self.of(term).is_true()
    }
}

/// Literals that a valuation satisfies and that imply some terms; nothing if
/// the valuation does not satisfy them.
#[must_use]
pub fn implicant(terms: &Terms, roots: &[TermId], valuation: &Valuation) -> Option<Vec<Literal>> {
    let values = valuation.evaluator(terms);
    let mut walk = Walk { terms, values, seen: FxHashSet::default(), pending: Vec::new() };
    if !roots.iter().all(|root| walk.values.holds(*root)) {
        return None;
    }
    walk.pending.extend(roots.iter().rev());
    let mut found = Vec::new();
    walk.run(&mut found);
    Some(found)
}

/// The inequalities that a comparison is made of, and what they depend on
/// under a valuation.
#[must_use]
pub fn comparison(terms: &Terms, term: TermId, valuation: &Valuation) -> Vec<Literal> {
    let values = valuation.evaluator(terms);
    let mut walk = Walk { terms, values, seen: FxHashSet::default(), pending: Vec::new() };
    let mut found = match terms.get(term) {
        Term::Apply(Operator::Le, [a, b]) => vec![walk.related(*a, *b, Relation::AtMost)],
        Term::Apply(Operator::Eq, [a, b]) if terms.sort(*a).is_number() => {
            walk.related(*a, *b, Relation::Zero).split()
        }
        Term::Apply(Operator::Eq, [a, b]) => {
            let (a, b) = (walk.branch(*a), walk.branch(*b));
            vec![Literal::Equal(a, b, true)]
        }
        _ => Vec::new(),
    };
    walk.run(&mut found);
    found.into_iter().flat_map(Literal::split).collect()
}

struct Walk<'a> {
    terms: &'a Terms,
    values: Values<'a>,
    seen: FxHashSet<TermId>,
    /// Terms that must keep their truth values.
    pending: Vec<TermId>,
}

impl Walk<'_> {
    fn run(&mut self, found: &mut Vec<Literal>) {
        while let Some(term) = self.pending.pop() {
            if self.seen.insert(term) {
                self.visit(term, found);
            }
        }
    }

    fn visit(&mut self, term: TermId, found: &mut Vec<Literal>) {
        let truth = self.values.holds(term);
        match self.terms.get(term) {
            Term::Var(..) => found.push(Literal::Truth(term, truth)),
            Term::Apply(Operator::Not, [a]) => self.pending.push(*a),
            Term::Apply(Operator::And, list) if truth => self.pending.extend(list.iter().rev()),
            Term::Apply(Operator::Or, list) if !truth => self.pending.extend(list.iter().rev()),
            Term::Apply(Operator::And, list) | Term::Apply(Operator::Or, list) => {
                // One of them is enough: one that must hold anyway, if there is.
                let mut enough: Vec<TermId> =
                    list.iter().copied().filter(|a| self.values.holds(*a) == truth).collect();
                enough.sort_by_key(|a| (!self.seen.contains(a), *a));
                self.pending.extend(enough.first());
            }
            Term::Apply(Operator::Ite, [c, a, b]) => {
                let branch = if self.values.holds(*c) { *a } else { *b };
                self.pending.extend([branch, *c]);
            }
            Term::Apply(Operator::Eq, [a, b]) if self.terms.sort(*a) == Sort::Bool => {
                self.pending.extend([*b, *a])
            }
            Term::Apply(Operator::Eq, [a, b]) if self.terms.sort(*a).is_number() => {
                let order = self.values.of(*a).cmp(&self.values.of(*b));
                found.push(match order {
                    std::cmp::Ordering::Equal => self.related(*a, *b, Relation::Zero),
                    std::cmp::Ordering::Less => self.related(*a, *b, Relation::Below),
                    std::cmp::Ordering::Greater => self.related(*b, *a, Relation::Below),
                });
            }
            Term::Apply(Operator::Eq, [a, b]) => {
                let (a, b) = (self.branch(*a), self.branch(*b));
                // Two values: which ones was decided by the conditions.
                if self.terms.value(a).is_none() || self.terms.value(b).is_none() {
                    found.push(Literal::Equal(a, b, truth));
                }
            }
            Term::Apply(Operator::Le, [a, b]) if truth => {
                found.push(self.related(*a, *b, Relation::AtMost))
            }
            Term::Apply(Operator::Le, [a, b]) => found.push(self.related(*b, *a, Relation::Below)),
            Term::Value(_) => {}
            // An atom that is not taken apart.
            Term::Apply(..) => found.push(Literal::Truth(term, truth)),
        }
    }

    /// What a term is under the valuation, where it is chosen by conditions;
    /// these must stay as they are.
    fn branch(&mut self, term: TermId) -> TermId {
        let mut term = term;
        while let Term::Apply(Operator::Ite, [c, a, b]) = self.terms.get(term) {
            self.pending.push(*c);
            term = if self.values.holds(*c) { *a } else { *b };
        }
        term
    }

    /// The literal that relates `a - b` to zero.
    fn related(&mut self, a: TermId, b: TermId, relation: Relation) -> Literal {
        let mut form = Form::new(self.terms.sort(a));
        let mut stack = vec![(a, BigRational::one()), (b, -BigRational::one())];
        while let Some((term, factor)) = stack.pop() {
            match self.terms.get(term) {
                Term::Value(value) => form.linear.constant += rational(value) * factor,
                Term::Apply(Operator::Add, list) => {
                    stack.extend(list.iter().map(|a| (*a, factor.clone())))
                }
                Term::Apply(Operator::Mul, list)
                    if list.len() == 2 && self.terms.value(list[0]).is_some() =>
                {
                    let value = self.terms.value(list[0]).map(rational).unwrap_or_default();
                    stack.push((list[1], factor * value));
                }
                Term::Apply(Operator::Ite, [c, a, b]) => {
                    let branch = if self.values.holds(*c) { *a } else { *b };
                    self.pending.push(*c);
                    stack.push((branch, factor));
                }
                _ => form.linear.add(term, &factor),
            }
        }
        Literal::Linear(form, relation).normalised()
    }
}
