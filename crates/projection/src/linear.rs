//! Linear forms, and the literals that cubes and predicates are made of.

use lustral_term::{LinearForm, Sort, TermId, Terms, Value};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// A linear form over terms of a sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    /// The form.
    pub linear: LinearForm,
    /// The sort of its terms.
    pub sort: Sort,
}

/// How a form is related to zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// It is zero.
    Zero,
    /// It is zero or negative.
    AtMost,
    /// It is negative.
    Below,
}

/// A literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    /// A truth value that is a variable or not taken apart, or its negation.
    Truth(TermId, bool),
    /// Two terms that are no numbers are equal, or different: values of
    /// enumerations, which have no order and no sums.
    Equal(TermId, TermId, bool),
    /// A form and its relation to zero.
    Linear(Form, Relation),
}

/// A number as a fraction; zero for what is none.
#[must_use]
pub fn rational(value: &Value) -> BigRational {
    value.rational().unwrap_or_default()
}

impl Form {
    /// Zero.
    #[must_use]
    pub fn new(sort: Sort) -> Form {
        Form { linear: LinearForm::default(), sort }
    }

    /// The sum without the constant, as a term.
    fn sum(&self, terms: &mut Terms) -> TermId {
        let mut sum = self.linear.clone();
        sum.constant = BigRational::zero();
        sum.into_term(terms, self.sort)
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
    #[must_use]
    pub fn normalised(self) -> Literal {
        let Literal::Linear(mut form, mut relation) = self else { return self };
        if form.sort == Sort::Real {
            let first = form.linear.coefficients().next().map(Signed::abs);
            if let Some(first) = first {
                form.linear.scale(&first.recip());
            }
            return Literal::Linear(form, relation);
        }
        let numbers = || form.linear.coefficients().chain([&form.linear.constant]);
        let common = numbers().fold(One::one(), |lcm: num_bigint::BigInt, n| lcm.lcm(n.denom()));
        form.linear.scale(&BigRational::from_integer(common));
        if relation == Relation::Below {
            form.linear.constant += BigRational::one();
            relation = Relation::AtMost;
        }
        let divisor = form
            .linear
            .coefficients()
            .fold(num_bigint::BigInt::zero(), |gcd, coefficient| gcd.gcd(coefficient.numer()));
        if divisor > One::one() {
            form.linear.scale(&BigRational::from_integer(divisor).recip());
            if relation == Relation::AtMost {
                form.linear.constant = form.linear.constant.ceil();
            }
        }
        Literal::Linear(form, relation)
    }

    /// As a term. Must be [`Literal::normalised`].
    pub fn term(&self, terms: &mut Terms) -> TermId {
        match self {
            Literal::Truth(term, true) => *term,
            Literal::Truth(term, false) => terms.not(*term),
            Literal::Equal(a, b, polarity) => {
                let equal = terms.eq(*a, *b);
                if *polarity { equal } else { terms.not(equal) }
            }
            Literal::Linear(form, relation) => {
                let limit = -form.linear.constant.clone();
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
    #[must_use]
    pub fn split(self) -> Vec<Literal> {
        match self {
            Literal::Linear(form, Relation::Zero) => {
                let mut negative = form.clone();
                negative.linear.scale(&-BigRational::one());
                let at_most = |form| Literal::Linear(form, Relation::AtMost).normalised();
                vec![at_most(form), at_most(negative)]
            }
            other => vec![other],
        }
    }

    /// For an inequality whose first coefficient is negative: the opposite of
    /// its negation, so that `x <= 3` and `x >= 4` are one predicate.
    #[must_use]
    pub fn oriented(self) -> (Literal, bool) {
        let (mut form, relation) = match self {
            Literal::Truth(term, polarity) => return (Literal::Truth(term, true), polarity),
            Literal::Equal(a, b, polarity) => return (Literal::Equal(a, b, true), polarity),
            Literal::Linear(form, relation) => (form, relation),
        };
        let negative = form.linear.coefficients().next().is_some_and(Signed::is_negative);
        if !negative || relation == Relation::Zero {
            return (Literal::Linear(form, relation), true);
        }
        form.linear.scale(&-BigRational::one());
        let relation = match relation {
            Relation::AtMost => Relation::Below,
            _ => Relation::AtMost,
        };
        (Literal::Linear(form, relation).normalised(), false)
    }
}
