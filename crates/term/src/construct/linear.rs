//! Linear forms.

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::MERGED;
use crate::arena::Terms;
use crate::operator::Operator;
use crate::term::{Term, TermId};
use crate::value::Value;
use lustral_base::sort::Sort;

/// A sum of multiples of terms, and a constant.
#[derive(Default)]
pub(super) struct LinearForm {
    pub(super) monomials: Vec<(TermId, BigRational)>,
    pub(super) constant: BigRational,
}

impl LinearForm {
    /// Adds a multiple of a term; false if the sum grows too long to merge.
    pub(super) fn add(&mut self, terms: &Terms, a: TermId, factor: &BigRational) -> bool {
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
                    Some(inner) => self.monomial(list[1], &(inner * factor)),
                    None => self.monomial(a, factor),
                }
            }
            _ => self.monomial(a, factor),
        }
    }

    fn monomial(&mut self, a: TermId, factor: &BigRational) {
        match self.monomials.binary_search_by_key(&a, |(b, _)| *b) {
            Ok(i) => {
                self.monomials[i].1 += factor;
                if self.monomials[i].1.is_zero() {
                    self.monomials.remove(i);
                }
            }
            Err(_) if factor.is_zero() => {}
            Err(i) => self.monomials.insert(i, (a, factor.clone())),
        }
    }

    pub(super) fn into_term(self, terms: &mut Terms, sort: Sort) -> TermId {
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
}
