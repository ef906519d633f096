//! Machine integers that are converted integers, and the other way round. Solvers do
//! badly with conversions between the two: what can be said in one of them is. Sums
//! and products of converted integers are converted sums and products, and compared
//! they are remainders; the number of a word is compared with a constant as a word.

use num_bigint::BigInt;
use num_traits::One;

use crate::arena::Terms;
use crate::operator::Operator;
use crate::term::{Term, TermId};
use crate::value::Value;
use lustral_base::sort::{BitVec, Sort};

impl Terms {
    /// The integer that a word was converted from.
    fn converted(&self, a: TermId) -> Option<TermId> {
        match self.get(a) {
            Term::Apply(Operator::IntToBv(_), &[integer]) => Some(integer),
            _ => None,
        }
    }

    /// The number of a constant word.
    fn constant_number(&self, a: TermId) -> Option<BigInt> {
        match self.value(a)? {
            Value::BitVec(shape, bits) => Some(shape.number(bits)),
            _ => None,
        }
    }

    /// Integers that two words are converted from, of which one may be a constant.
    pub(super) fn both_converted(&mut self, a: TermId, b: TermId) -> Option<[TermId; 2]> {
        let integers = [a, b].map(|word| self.converted(word));
        integers.iter().flatten().next()?;
        let numbers = [a, b].map(|word| self.constant_number(word));
        let mut found = [a; 2];
        for ((integer, number), found) in integers.into_iter().zip(numbers).zip(&mut found) {
            *found = match number {
                Some(number) => self.int(number),
                None => integer?,
            };
        }
        Some(found)
    }

    /// The number that a converted integer has in a shape.
    pub(super) fn remainder(&mut self, integer: TermId, shape: BitVec) -> TermId {
        let [low, high] = shape.range();
        let size = self.int(&high - &low + 1);
        let (up, down) = (self.int(-&low), self.int(low));
        let shifted = self.add(&[integer, up]);
        let above = self.modulo(shifted, size);
        self.add(&[above, down])
    }

    /// An operation on converted integers, converted itself.
    pub(super) fn convert_later(
        &mut self,
        a: TermId,
        b: TermId,
        operation: fn(&mut Terms, TermId, TermId) -> TermId,
    ) -> Option<TermId> {
        let shape = self.sort(a).bit_vec()?;
        let [x, y] = self.both_converted(a, b)?;
        let result = operation(self, x, y);
        Some(self.int_to_bv(result, shape))
    }

    /// A complement or negative of a converted integer: `factor * x + summand`.
    pub(super) fn convert_linear(
        &mut self,
        a: TermId,
        factor: i32,
        summand: i32,
    ) -> Option<TermId> {
        let shape = self.sort(a).bit_vec()?;
        let integer = self.converted(a)?;
        let (factor, summand) = (self.int(factor), self.int(summand));
        let product = self.mul(factor, integer);
        let sum = self.add(&[product, summand]);
        Some(self.int_to_bv(sum, shape))
    }

    /// `a = b` where one is a converted integer and the other one or a constant.
    pub(super) fn equal_remainders(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let shape = self.sort(a).bit_vec()?;
        let [x, y] = self.both_converted(a, b)?;
        let difference = self.sub(x, y);
        let size = self.int(BigInt::one() << shape.width());
        let (rest, zero) = (self.modulo(difference, size), self.int(0));
        Some(self.eq(rest, zero))
    }

    /// The word whose number a term is, and the least and the largest number that it has.
    fn number_of_word(&self, a: TermId) -> Option<(TermId, BitVec)> {
        match self.get(a) {
            Term::Apply(Operator::BvToInt, &[word]) => Some((word, self.sort(word).bit_vec()?)),
            _ => None,
        }
    }

    fn constant_int(&self, a: TermId) -> Option<BigInt> {
        match self.value(a)? {
            Value::Int(n) => Some(n.clone()),
            _ => None,
        }
    }

    /// `a <= b` where one is the number of a word, and the other that too or a constant.
    pub(super) fn le_of_words(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match (self.number_of_word(a), self.number_of_word(b)) {
            (Some((x, left)), Some((y, right))) if left == right => Some(self.bv_le(x, y)),
            (Some((x, shape)), None) => {
                let bound = self.constant_int(b)?;
                let [low, high] = shape.range();
                if bound < low || bound >= high {
                    return Some(self.bool(bound >= high));
                }
                let bound = self.bit_vec(shape, bound);
                Some(self.bv_le(x, bound))
            }
            (None, Some((y, shape))) => {
                let bound = self.constant_int(a)?;
                let [low, high] = shape.range();
                if bound <= low || bound > high {
                    return Some(self.bool(bound <= low));
                }
                let bound = self.bit_vec(shape, bound);
                Some(self.bv_le(bound, y))
            }
            _ => None,
        }
    }

    /// `a = b` where one is the number of a word, and the other that too or a constant.
    pub(super) fn eq_of_words(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        debug_assert!(self.sort(a) == Sort::Int);
        for (a, b) in [(a, b), (b, a)] {
            let Some((word, shape)) = self.number_of_word(a) else { continue };
            if let Some((other, same)) = self.number_of_word(b) {
                return (shape == same).then(|| self.eq(word, other));
            }
            let number = self.constant_int(b)?;
            let [low, high] = shape.range();
            if number < low || number > high {
                return Some(Terms::FALSE);
            }
            let constant = self.bit_vec(shape, number);
            return Some(self.eq(word, constant));
        }
        None
    }
}
