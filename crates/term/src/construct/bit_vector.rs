//! Machine integers.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

use crate::arena::Terms;
use crate::operator::Operator;
use crate::term::{Term, TermId};
use crate::value::Value;
use lustral_base::sort::{BitVec, Sort};

impl Terms {
    /// The bit-vector of a number, modulo `2^width`.
    pub fn bit_vec(&mut self, shape: BitVec, number: impl Into<BigInt>) -> TermId {
        self.constant(Value::bit_vec(shape, number))
    }

    /// The shape of a term that is a bit-vector.
    fn shape(&self, a: TermId) -> BitVec {
        self.sort(a).bit_vec().expect("operands are well-sorted")
    }

    /// The bits of a value.
    fn bits_of(&self, a: TermId) -> Option<&BigUint> {
        match self.value(a)? {
            Value::BitVec(_, bits) => Some(bits),
            _ => None,
        }
    }

    fn is_zero(&self, a: TermId) -> bool {
        self.bits_of(a).is_some_and(Zero::is_zero)
    }

    fn is_all_ones(&self, a: TermId) -> bool {
        let width = u64::from(self.shape(a).width());
        self.bits_of(a).is_some_and(|bits| bits.count_ones() == width)
    }

    /// The operator applied twice is nothing.
    fn involution(&mut self, operator: Operator, a: TermId) -> TermId {
        if let Some(folded) = self.folded(operator, &[a]) {
            return folded;
        }
        match self.get(a) {
            Term::Apply(inner, [b]) if inner == operator => *b,
            _ => self.raw(operator, &[a]),
        }
    }

    /// Operands of a commutative operator: values come first, then in order.
    fn in_order(&self, a: TermId, b: TermId) -> [TermId; 2] {
        let key = |id: TermId| (self.value(id).is_none(), id);
        if key(b) < key(a) { [b, a] } else { [a, b] }
    }

    /// Bitwise complement.
    pub fn bv_not(&mut self, a: TermId) -> TermId {
        if let Some(converted) = self.convert_linear(a, -1, -1) {
            return converted;
        }
        self.involution(Operator::BvNot, a)
    }

    /// `-a`, wrapped around.
    pub fn bv_neg(&mut self, a: TermId) -> TermId {
        if let Some(converted) = self.convert_linear(a, -1, 0) {
            return converted;
        }
        self.involution(Operator::BvNeg, a)
    }

    /// Bitwise conjunction.
    pub fn bv_and(&mut self, a: TermId, b: TermId) -> TermId {
        let [a, b] = self.in_order(a, b);
        if let Some(folded) = self.folded(Operator::BvAnd, &[a, b]) {
            return folded;
        }
        if a == b || self.is_zero(a) {
            return a;
        }
        if self.is_all_ones(a) { b } else { self.raw(Operator::BvAnd, &[a, b]) }
    }

    /// Bitwise disjunction.
    pub fn bv_or(&mut self, a: TermId, b: TermId) -> TermId {
        let [a, b] = self.in_order(a, b);
        if let Some(folded) = self.folded(Operator::BvOr, &[a, b]) {
            return folded;
        }
        if a == b || self.is_all_ones(a) {
            return a;
        }
        if self.is_zero(a) { b } else { self.raw(Operator::BvOr, &[a, b]) }
    }

    /// Bitwise exclusive disjunction.
    pub fn bv_xor(&mut self, a: TermId, b: TermId) -> TermId {
        let [a, b] = self.in_order(a, b);
        if let Some(folded) = self.folded(Operator::BvXor, &[a, b]) {
            return folded;
        }
        if a == b {
            return self.constant(Value::zero(self.sort(a)));
        }
        if self.is_zero(a) { b } else { self.raw(Operator::BvXor, &[a, b]) }
    }

    /// `a + b`, wrapped around.
    pub fn bv_add(&mut self, a: TermId, b: TermId) -> TermId {
        let [a, b] = self.in_order(a, b);
        if let Some(folded) = self.folded(Operator::BvAdd, &[a, b]) {
            return folded;
        }
        if self.is_zero(a) {
            return b;
        }
        if let Some(sum) = self.convert_later(a, b, |terms, x, y| terms.add(&[x, y])) {
            return sum;
        }
        let negated = |x, y| matches!(self.get(x), Term::Apply(Operator::BvNeg, [z]) if *z == y);
        if negated(a, b) || negated(b, a) {
            return self.constant(Value::zero(self.sort(a)));
        }
        // `c + (d + x)` is `(c + d) + x`, so that counters stay small.
        if let Term::Apply(Operator::BvAdd, &[inner, x]) = self.get(b)
            && let Some(sum) = self.folded(Operator::BvAdd, &[a, inner])
        {
            return self.bv_add(sum, x);
        }
        self.raw(Operator::BvAdd, &[a, b])
    }

    /// `a - b`, wrapped around.
    pub fn bv_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let negative = self.bv_neg(b);
        self.bv_add(a, negative)
    }

    /// `a * b`, wrapped around.
    pub fn bv_mul(&mut self, a: TermId, b: TermId) -> TermId {
        let [a, b] = self.in_order(a, b);
        if let Some(folded) = self.folded(Operator::BvMul, &[a, b]) {
            return folded;
        }
        if self.is_zero(a) {
            return a;
        }
        // The bits of one are one for a signed bit too, where they mean -1.
        if self.bits_of(a).is_some_and(One::is_one) {
            return b;
        }
        // A product of two that are no constants is harder for integers.
        if self.value(a).is_some()
            && let Some(product) = self.convert_later(a, b, Terms::mul)
        {
            return product;
        }
        self.raw(Operator::BvMul, &[a, b])
    }

    /// The quotient, towards zero; by zero all ones, or one if a negative is divided.
    pub fn bv_div(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.folded(Operator::BvDiv, &[a, b]) {
            return folded;
        }
        match self.value(b) {
            Some(Value::BitVec(shape, bits)) if shape.number(bits).is_one() => a,
            _ => self.raw(Operator::BvDiv, &[a, b]),
        }
    }

    /// The remainder, with the sign of the dividend; by zero the dividend.
    pub fn bv_rem(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.folded(Operator::BvRem, &[a, b]) {
            return folded;
        }
        match self.value(b) {
            Some(Value::BitVec(shape, bits)) if shape.number(bits).is_one() => {
                self.constant(Value::zero(self.sort(a)))
            }
            Some(value) if self.is_zero(b) && value.sort() == self.sort(a) => a,
            _ => self.raw(Operator::BvRem, &[a, b]),
        }
    }

    /// Shifted to the left by the bits of `b` as a number without a sign.
    pub fn bv_shl(&mut self, a: TermId, b: TermId) -> TermId {
        self.shift(Operator::BvShl, a, b)
    }

    /// Shifted to the right by the bits of `b` as a number without a sign; the
    /// sign of a signed word is kept.
    pub fn bv_shr(&mut self, a: TermId, b: TermId) -> TermId {
        self.shift(Operator::BvShr, a, b)
    }

    fn shift(&mut self, operator: Operator, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.folded(operator, &[a, b]) {
            return folded;
        }
        if self.is_zero(b) || self.is_zero(a) { a } else { self.raw(operator, &[a, b]) }
    }

    /// `a <= b`, of the numbers that the sort gives them.
    pub fn bv_le(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return Terms::TRUE;
        }
        if let Some(folded) = self.folded(Operator::BvLe, &[a, b]) {
            return folded;
        }
        if let Some(split) = self.split_on_constants(a, b, |terms, x, y| terms.bv_le(x, y)) {
            return split;
        }
        let shape = self.shape(a);
        if let Some([x, y]) = self.both_converted(a, b) {
            let (x, y) = (self.remainder(x, shape), self.remainder(y, shape));
            return self.le(x, y);
        }
        let [least, most] = extremes(shape);
        if self.bits_of(a) == Some(&least) || self.bits_of(b) == Some(&most) {
            return Terms::TRUE;
        }
        self.raw(Operator::BvLe, &[a, b])
    }

    /// `a < b`, of the numbers that the sort gives them.
    pub fn bv_lt(&mut self, a: TermId, b: TermId) -> TermId {
        let above = self.bv_le(b, a);
        self.not(above)
    }

    /// An integer as a bit-vector, modulo `2^width`.
    pub fn int_to_bv(&mut self, a: TermId, shape: BitVec) -> TermId {
        let operator = Operator::IntToBv(shape);
        if let Some(folded) = self.folded(operator, &[a]) {
            return folded;
        }
        // A word of another width by its number is what a change of width is.
        if let Term::Apply(Operator::BvToInt, &[word]) = self.get(a) {
            return self.bv_resize(word, shape);
        }
        if let Some(word) = self.as_word(a, shape) {
            return word;
        }
        let whole = self.without_remainders(a, shape.width());
        if whole != a {
            return self.folded(operator, &[whole]).unwrap_or_else(|| self.raw(operator, &[whole]));
        }
        self.raw(operator, &[a])
    }

    /// The number that the sort gives a bit-vector.
    pub fn bv_to_int(&mut self, a: TermId) -> TermId {
        if let Term::Apply(Operator::IntToBv(shape), &[integer]) = self.get(a) {
            return self.remainder(integer, shape);
        }
        self.folded(Operator::BvToInt, &[a]).unwrap_or_else(|| self.raw(Operator::BvToInt, &[a]))
    }

    /// A bit-vector of another shape with the same number, modulo `2^width`:
    /// a wider one keeps the number, a narrower one the low bits.
    pub fn bv_resize(&mut self, a: TermId, shape: BitVec) -> TermId {
        if self.sort(a) == Sort::BitVec(shape) {
            return a;
        }
        if let Term::Apply(Operator::IntToBv(from), &[integer]) = self.get(a)
            && shape.width() <= from.width()
        {
            return self.int_to_bv(integer, shape);
        }
        let operator = Operator::BvResize(shape);
        self.folded(operator, &[a]).unwrap_or_else(|| self.raw(operator, &[a]))
    }

    /// The bits of one after those of another, without a sign.
    pub fn bv_concat(&mut self, high: TermId, low: TermId) -> TermId {
        let operator = Operator::BvConcat;
        self.folded(operator, &[high, low]).unwrap_or_else(|| self.raw(operator, &[high, low]))
    }

    /// The bits from one to another, both included, without a sign.
    pub fn bv_extract(&mut self, a: TermId, high: u16, low: u16) -> TermId {
        let shape = self.shape(a);
        if low == 0 && high + 1 == shape.width() {
            return self.bv_resize(a, BitVec::unsigned(shape.width()));
        }
        let operator = Operator::BvExtract { high, low };
        self.folded(operator, &[a]).unwrap_or_else(|| self.raw(operator, &[a]))
    }
}

/// The bits of the least and of the largest number of a shape.
fn extremes(shape: BitVec) -> [BigUint; 2] {
    let half = BigUint::one() << (shape.width() - 1);
    if shape.is_signed() {
        [half.clone(), half - BigUint::one()]
    } else {
        [BigUint::zero(), (half << 1u8) - BigUint::one()]
    }
}
