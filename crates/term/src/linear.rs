//! Linear forms: what the constructors merge sums in, and what engines compute with.

use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::arena::Terms;
use crate::construct::MERGED;
use crate::operator::Operator;
use crate::term::{Term, TermId};
use crate::value::Value;
use lustral_base::sort::Sort;

/// A sum of multiples of terms, and a constant. The terms are variables, or such
/// as no linear form has: products, quotients, remainders.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LinearForm {
    /// In the order of the terms; no factor is zero.
    monomials: Vec<(TermId, BigRational)>,
    /// The constant.
    pub constant: BigRational,
}

impl LinearForm {
    /// The terms, in their order, with their factors, none of which is zero.
    #[must_use]
    pub fn monomials(&self) -> &[(TermId, BigRational)] {
        &self.monomials
    }

    /// The factors, in the order of their terms.
    pub fn coefficients(&self) -> impl Iterator<Item = &BigRational> {
        self.monomials.iter().map(|(_, coefficient)| coefficient)
    }

    /// Whether there is nothing but the constant.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.monomials.is_empty()
    }

    /// The factor of a term.
    #[must_use]
    pub fn coefficient(&self, term: TermId) -> BigRational {
        self.position(term).map_or_else(|_| BigRational::zero(), |i| self.monomials[i].1.clone())
    }

    /// Adds a multiple of a term that is no sum.
    pub fn add(&mut self, term: TermId, factor: &BigRational) {
        match self.position(term) {
            Ok(i) => {
                self.monomials[i].1 += factor;
                if self.monomials[i].1.is_zero() {
                    self.monomials.remove(i);
                }
            }
            Err(_) if factor.is_zero() => {}
            Err(i) => self.monomials.insert(i, (term, factor.clone())),
        }
    }

    /// Adds a multiple of another form.
    pub fn add_form(&mut self, other: &LinearForm, factor: &BigRational) {
        for (term, coefficient) in &other.monomials {
            self.add(*term, &(coefficient * factor));
        }
        self.constant += &other.constant * factor;
    }

    /// Multiplies it with a number that is not zero.
    pub fn scale(&mut self, factor: &BigRational) {
        debug_assert!(!factor.is_zero(), "no factor is zero");
        self.monomials.iter_mut().for_each(|(_, coefficient)| *coefficient *= factor);
        self.constant *= factor;
    }

    /// Takes a term out; its factor.
    pub fn remove(&mut self, term: TermId) -> Option<BigRational> {
        self.position(term).ok().map(|i| self.monomials.remove(i).1)
    }

    /// Puts a form in the place of a term.
    pub fn substitute(&mut self, term: TermId, by: &LinearForm) {
        if let Some(coefficient) = self.remove(term) {
            self.add_form(by, &coefficient);
        }
    }

    /// Its value, from those of its terms.
    pub fn value(&self, mut value: impl FnMut(TermId) -> BigRational) -> BigRational {
        let products = self.monomials.iter().map(|(term, coefficient)| coefficient * value(*term));
        products.fold(self.constant.clone(), |sum, product| sum + product)
    }

    /// As a term of a sort of numbers; those of integers must be whole.
    pub fn into_term(self, terms: &mut Terms, sort: Sort) -> TermId {
        let mut list = Vec::with_capacity(self.monomials.len() + 1);
        if !self.constant.is_zero() {
            list.push(terms.number(self.constant, sort));
        }
        for (a, factor) in self.monomials {
            if factor.is_one() {
                list.push(a);
            } else {
                let factor = terms.number(factor, sort);
                list.push(terms.raw(Operator::Mul, &[factor, a]));
            }
        }
        match list[..] {
            [] => terms.number(BigRational::zero(), sort),
            [one] => one,
            _ => terms.raw(Operator::Add, &list),
        }
    }

    /// Adds a multiple of a term, which is taken apart if it is a sum; false if
    /// the form grows too long to merge.
    pub(crate) fn merge(&mut self, terms: &Terms, a: TermId, factor: &BigRational) -> bool {
        match terms.get(a) {
            Term::Apply(Operator::Add, list) if list.len() <= MERGED => {
                list.iter().for_each(|b| self.summand(terms, *b, factor));
            }
            _ => self.summand(terms, a, factor),
        }
        self.monomials.len() <= MERGED
    }

    /// Adds a multiple of a term that is not taken apart if it is a sum itself:
    /// a long chain of sums is merged at its top only.
    fn summand(&mut self, terms: &Terms, a: TermId, factor: &BigRational) {
        match terms.get(a) {
            Term::Value(value) => self.constant += value.rational().unwrap_or_default() * factor,
            Term::Apply(Operator::Mul, list) if list.len() == 2 => {
                match terms.value(list[0]).and_then(Value::rational) {
                    Some(inner) => self.add(list[1], &(inner * factor)),
                    None => self.add(a, factor),
                }
            }
            _ => self.add(a, factor),
        }
    }

    fn position(&self, term: TermId) -> Result<usize, usize> {
        self.monomials.binary_search_by_key(&term, |(known, _)| *known)
    }
}
