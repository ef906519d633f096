//! Integers and rational numbers.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::arena::Terms;
use crate::linear::LinearForm;
use crate::operator::Operator;
use crate::term::{Term, TermId};
use crate::value::Value;
use lustral_base::sort::Sort;

/// Products with more bits than this are left to the solver: squaring a
/// number thirty times would fill any memory.
const LARGEST_FOLDED: u64 = 1 << 17;

impl Terms {
    /// The size of a value in bits; 0 for what is no number.
    fn bits(&self, id: TermId) -> u64 {
        match self.value(id) {
            Some(Value::Int(n)) => n.bits(),
            Some(Value::Real(r)) => r.numer().bits() + r.denom().bits(),
            _ => 0,
        }
    }

    /// An integer.
    pub fn int(&mut self, n: impl Into<BigInt>) -> TermId {
        self.constant(Value::Int(n.into()))
    }

    /// `b - a`, if that is the same for all values of the variables.
    pub(super) fn constant_difference(&mut self, a: TermId, b: TermId) -> Option<BigRational> {
        let mut sum = LinearForm::default();
        let minus_one = -BigRational::one();
        if !sum.merge(self, b, &BigRational::one()) || !sum.merge(self, a, &minus_one) {
            return None;
        }
        sum.is_constant().then_some(sum.constant)
    }

    /// `a <= b`
    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return Terms::TRUE;
        }
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            let below = x <= y;
            return self.bool(below);
        }
        if let Some(split) = self.split_on_constants(a, b, |terms, x, y| terms.le(x, y)) {
            return split;
        }
        if let Some(of_words) = self.le_of_words(a, b) {
            return of_words;
        }
        if let Some(difference) = self.constant_difference(a, b) {
            return self.bool(!difference.is_negative());
        }
        if let Some([x, y]) = self.both_as_words(a, b) {
            return self.bv_le(x, y);
        }
        self.raw(Operator::Le, &[a, b])
    }

    /// `a < b`
    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        let above = self.le(b, a);
        self.not(above)
    }

    /// Sum of one or more.
    pub fn add(&mut self, list: &[TermId]) -> TermId {
        let sort = self.sort(list[0]);
        let mut sum = LinearForm::default();
        if list.iter().all(|a| sum.merge(self, *a, &BigRational::one())) {
            return sum.into_term(self, sort);
        }
        // Too long to merge: the operands stay as they are.
        let mut operands = list.to_vec();
        operands.sort_unstable();
        self.raw(Operator::Add, &operands)
    }

    /// `a - b`
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let negative = self.neg(b);
        self.add(&[a, negative])
    }

    /// `-a`
    pub fn neg(&mut self, a: TermId) -> TermId {
        let minus_one = self.number(-BigRational::one(), self.sort(a));
        self.mul(minus_one, a)
    }

    /// A number of a sort; it must be whole for integers.
    pub(crate) fn number(&mut self, n: BigRational, sort: Sort) -> TermId {
        match sort {
            Sort::Real => self.constant(Value::Real(n)),
            _ => self.constant(Value::Int(n.to_integer())),
        }
    }

    /// `a * b`
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        let sort = self.sort(a);
        if self.bits(a) + self.bits(b) > LARGEST_FOLDED {
            return self.raw(Operator::Mul, &[a.min(b), a.max(b)]);
        }
        for (x, y) in [(a, b), (b, a)] {
            let Some(factor) = self.value(x).and_then(Value::rational) else { continue };
            let mut sum = LinearForm::default();
            if sum.merge(self, y, &factor) {
                return sum.into_term(self, sort);
            }
            if factor.is_one() {
                return y;
            }
            return self.raw(Operator::Mul, &[x, y]);
        }
        self.raw(Operator::Mul, &[a.min(b), a.max(b)])
    }

    /// Euclidean quotient: `0 <= a - b * q < |b|`.
    pub fn int_div(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(Value::Int(d)) = self.value(b)
            && !d.is_zero()
        {
            if d.is_one() {
                return a;
            }
            if let Some(Value::Int(n)) = self.value(a) {
                let quotient = quotient(n, d);
                return self.int(quotient);
            }
        }
        self.raw(Operator::IntDiv, &[a, b])
    }

    /// Euclidean remainder.
    pub fn modulo(&mut self, a: TermId, b: TermId) -> TermId {
        if let (Some(Value::Int(n)), Some(Value::Int(d))) = (self.value(a), self.value(b))
            && !d.is_zero()
        {
            let remainder = n - quotient(n, d) * d;
            return self.int(remainder);
        }
        self.raw(Operator::Mod, &[a, b])
    }

    /// Quotient of reals.
    pub fn real_div(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(Value::Real(d)) = self.value(b)
            && !d.is_zero()
        {
            let inverse = Value::Real(d.recip());
            let inverse = self.constant(inverse);
            return self.mul(inverse, a);
        }
        self.raw(Operator::RealDiv, &[a, b])
    }

    /// An integer as a real.
    pub fn to_real(&mut self, a: TermId) -> TermId {
        if let Some(Value::Int(n)) = self.value(a) {
            let value = Value::Real(BigRational::from_integer(n.clone()));
            return self.constant(value);
        }
        self.raw(Operator::ToReal, &[a])
    }

    /// The largest integer not above a real.
    pub fn floor(&mut self, a: TermId) -> TermId {
        match self.get(a) {
            Term::Value(Value::Real(r)) => {
                let whole = r.numer().div_floor(r.denom());
                self.int(whole)
            }
            Term::Apply(Operator::ToReal, [inner]) => *inner,
            _ => self.raw(Operator::Floor, &[a]),
        }
    }
}

/// The Euclidean quotient, from the one that rounds down: they differ where
/// the divisor is negative and does not divide.
pub(crate) fn quotient(n: &BigInt, d: &BigInt) -> BigInt {
    if d.is_negative() { -n.div_floor(&-d) } else { n.div_floor(d) }
}
