//! Linear forms, and the literals that cubes and predicates are made of.

use std::collections::BTreeMap;

use lustral_term::{Sort, TermId, Terms, Value};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// A sum of multiples of terms, and a constant. The terms are variables, or
/// such as no linear form has: products, quotients, remainders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Form {
    pub parts: BTreeMap<TermId, BigRational>,
    pub constant: BigRational,
    pub sort: Sort,
}

/// How a form is related to zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Zero,
    AtMost,
    Below,
}

/// A literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Literal {
    /// A truth value that is a variable or not taken apart, or its negation.
    Truth(TermId, bool),
    /// A form and its relation to zero.
    Linear(Form, Relation),
}

/// A number as a fraction; zero for what is none.
pub(crate) fn rational(value: &Value) -> BigRational {
    value.rational().unwrap_or_default()
}

impl Form {
    pub fn new(sort: Sort) -> Form {
        Form { parts: BTreeMap::new(), constant: BigRational::zero(), sort }
    }

    /// Adds a multiple of a term that is no sum.
    pub fn add(&mut self, term: TermId, factor: &BigRational) {
        let sum = self.coefficient(term) + factor;
        if sum.is_zero() {
            self.parts.remove(&term);
        } else {
            self.parts.insert(term, sum);
        }
    }

    /// Adds a multiple of another form.
    pub fn add_form(&mut self, other: &Form, factor: &BigRational) {
        for (term, coefficient) in &other.parts {
            self.add(*term, &(coefficient * factor));
        }
        self.constant += &other.constant * factor;
    }

    pub fn coefficient(&self, term: TermId) -> BigRational {
        self.parts.get(&term).cloned().unwrap_or_default()
    }

    pub fn scale(&mut self, factor: &BigRational) {
        self.parts.values_mut().for_each(|coefficient| *coefficient *= factor);
        self.constant *= factor;
    }

    /// Its value, from those of its terms.
    pub fn value(&self, mut value: impl FnMut(TermId) -> BigRational) -> BigRational {
        let products = self.parts.iter().map(|(term, coefficient)| coefficient * value(*term));
        products.fold(self.constant.clone(), |sum, product| sum + product)
    }

    /// The term with this one replaced by a form.
    pub fn substitute(&mut self, term: TermId, by: &Form) {
        if let Some(coefficient) = self.parts.remove(&term) {
            self.add_form(by, &coefficient);
        }
    }

    /// The sum without the constant, as a term.
    fn sum(&self, terms: &mut Terms) -> TermId {
        let mut list = Vec::with_capacity(self.parts.len());
        for (term, coefficient) in &self.parts {
            let factor = number(terms, coefficient, self.sort);
            list.push(terms.mul(factor, *term));
        }
        if list.is_empty() {
            number(terms, &BigRational::zero(), self.sort)
        } else {
            terms.add(&list)
        }
    }
}

fn number(terms: &mut Terms, n: &BigRational, sort: Sort) -> TermId {
    match sort {
        Sort::Real => terms.constant(Value::Real(n.clone())),
        _ => terms.constant(Value::Int(n.to_integer())),
    }
}

impl Literal {
    /// The same with the smallest coefficients, for integers whole ones; strict
    /// inequalities of integers become others.
    pub fn normalised(self) -> Literal {
        let Literal::Linear(mut form, mut relation) = self else { return self };
        if form.sort == Sort::Real {
            if let Some(first) = form.parts.values().next().map(Signed::abs) {
                form.scale(&first.recip());
            }
            return Literal::Linear(form, relation);
        }
        let numbers = || form.parts.values().chain([&form.constant]);
        let common = numbers().fold(One::one(), |lcm: num_bigint::BigInt, n| lcm.lcm(n.denom()));
        form.scale(&BigRational::from_integer(common));
        if relation == Relation::Below {
            form.constant += BigRational::one();
            relation = Relation::AtMost;
        }
        let divisor = form
            .parts
            .values()
            .fold(num_bigint::BigInt::zero(), |gcd, coefficient| gcd.gcd(coefficient.numer()));
        if divisor > One::one() {
            form.scale(&BigRational::from_integer(divisor).recip());
            if relation == Relation::AtMost {
                form.constant = form.constant.ceil();
            }
        }
        Literal::Linear(form, relation)
    }

    /// As a term. Must be [`Literal::normalised`].
    pub fn term(&self, terms: &mut Terms) -> TermId {
        match self {
            Literal::Truth(term, true) => *term,
            Literal::Truth(term, false) => terms.not(*term),
            Literal::Linear(form, relation) => {
                let limit = -form.constant.clone();
                if !limit.is_integer() && form.sort != Sort::Real {
                    // An equation of integers that has no solution.
                    return Terms::FALSE;
                }
                let (sum, limit) = (form.sum(terms), number(terms, &limit, form.sort));
                match relation {
                    Relation::Zero => terms.eq(sum, limit),
                    Relation::AtMost => terms.le(sum, limit),
                    Relation::Below => terms.lt(sum, limit),
                }
            }
        }
    }

    /// Both inequalities of an equation; any other literal as it is.
    pub fn split(self) -> Vec<Literal> {
        match self {
            Literal::Linear(form, Relation::Zero) => {
                let mut negative = form.clone();
                negative.scale(&-BigRational::one());
                let at_most = |form| Literal::Linear(form, Relation::AtMost).normalised();
                vec![at_most(form), at_most(negative)]
            }
            other => vec![other],
        }
    }

    /// For an inequality whose first coefficient is negative: the opposite of
    /// its negation, so that `x <= 3` and `x >= 4` are one predicate.
    pub fn oriented(self) -> (Literal, bool) {
        let (mut form, relation) = match self {
            Literal::Truth(term, polarity) => return (Literal::Truth(term, true), polarity),
            Literal::Linear(form, relation) => (form, relation),
        };
        let negative = form.parts.values().next().is_some_and(Signed::is_negative);
        if !negative || relation == Relation::Zero {
            return (Literal::Linear(form, relation), true);
        }
        form.scale(&-BigRational::one());
        let relation = match relation {
            Relation::AtMost => Relation::Below,
            _ => Relation::AtMost,
        };
        (Literal::Linear(form, relation).normalised(), false)
    }
}
