//! Constructors. Each returns a term equal to the one asked for, under every
//! interpretation of the variables and of division by zero.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::arena::{Op, TermId, Terms, VarId};
use crate::value::{Sort, Value};

/// Operands of nested sums, conjunctions and disjunctions are merged only up to
/// this number: merging a chain of n operands at every link costs n² otherwise.
const MERGED: usize = 16;

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

    /// A value.
    pub fn constant(&mut self, value: Value) -> TermId {
        self.intern(Op::Value(value))
    }

    /// A truth value.
    #[must_use]
    pub fn bool(&self, b: bool) -> TermId {
        if b { Terms::TRUE } else { Terms::FALSE }
    }

    /// An integer.
    pub fn int(&mut self, n: impl Into<BigInt>) -> TermId {
        self.constant(Value::Int(n.into()))
    }

    /// A variable. One variable has one sort.
    pub fn variable(&mut self, var: VarId, sort: Sort) -> TermId {
        self.intern(Op::Var(var, sort))
    }

    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        match self.op(a) {
            Op::Value(Value::Bool(b)) => self.bool(!b),
            Op::Not(b) => *b,
            _ => self.intern(Op::Not(a)),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, list: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(
            list,
            Terms::TRUE,
            |op| match op {
                Op::And(inner) => Some(inner),
                _ => None,
            },
            Op::And,
        )
    }

    /// Disjunction.
    pub fn or(&mut self, list: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(
            list,
            Terms::FALSE,
            |op| match op {
                Op::Or(inner) => Some(inner),
                _ => None,
            },
            Op::Or,
        )
    }

    fn junction(
        &mut self,
        list: impl IntoIterator<Item = TermId>,
        neutral: TermId,
        nested: fn(&Op) -> Option<&Box<[TermId]>>,
        make: fn(Box<[TermId]>) -> Op,
    ) -> TermId {
        let absorbing = self.bool(neutral == Terms::FALSE);
        let mut flat = Vec::new();
        for a in list {
            match nested(self.op(a)) {
                Some(inner) if inner.len() <= MERGED => flat.extend_from_slice(inner),
                _ => flat.push(a),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|a| *a != neutral);
        let complement = |a: &TermId| match self.op(*a) {
            Op::Not(b) => flat.binary_search(b).is_ok(),
            _ => false,
        };
        if flat.contains(&absorbing) || flat.iter().any(complement) {
            return absorbing;
        }
        match flat[..] {
            [] => neutral,
            [one] => one,
            _ => self.intern(make(flat.into())),
        }
    }

    /// Implication.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or([not_a, b])
    }

    /// `if c then a else b`
    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        let (c, mut a, mut b) = match self.op(c) {
            Op::Value(Value::Bool(true)) => return a,
            Op::Value(Value::Bool(false)) => return b,
            Op::Not(inner) => (*inner, b, a),
            _ => (c, a, b),
        };
        // In the first branch c is true, in the second it is false.
        if let Op::Ite(d, inner, _) = self.op(a)
            && *d == c
        {
            a = *inner;
        }
        if let Op::Ite(d, _, inner) = self.op(b)
            && *d == c
        {
            b = *inner;
        }
        if a == b {
            return a;
        }
        if self.sort(a) != Sort::Bool {
            return self.intern(Op::Ite(c, a, b));
        }
        if a == Terms::TRUE || a == c {
            return self.or([c, b]);
        }
        if b == Terms::FALSE || b == c {
            return self.and([c, a]);
        }
        let not_c = self.not(c);
        if a == Terms::FALSE || a == not_c {
            return self.and([not_c, b]);
        }
        if b == Terms::TRUE || b == not_c {
            return self.or([not_c, a]);
        }
        let not_b = self.not(b);
        if a == not_b {
            return self.eq(c, a);
        }
        self.intern(Op::Ite(c, a, b))
    }

    /// Equality; of truth values, equivalence.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return Terms::TRUE;
        }
        let (a, b) = (a.min(b), a.max(b));
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            let equal = x == y;
            return self.bool(equal);
        }
        if self.sort(a) == Sort::Bool {
            return self.equivalence(a, b);
        }
        if let Some(split) = self.split_on_constants(a, b, |terms, x, y| terms.eq(x, y)) {
            return split;
        }
        if let Some(difference) = self.constant_difference(a, b) {
            return self.bool(difference.is_zero());
        }
        self.intern(Op::Eq(a, b))
    }

    fn equivalence(&mut self, a: TermId, b: TermId) -> TermId {
        for (x, y) in [(a, b), (b, a)] {
            match self.op(x) {
                Op::Value(Value::Bool(true)) => return y,
                Op::Value(Value::Bool(false)) => return self.not(y),
                // Negations move out, so that `a = not b` and `not a = b` are one term.
                Op::Not(inner) => {
                    let inner = *inner;
                    let equal = self.eq(inner, y);
                    return self.not(equal);
                }
                _ => {}
            }
        }
        self.intern(Op::Eq(a, b))
    }

    /// A comparison of `if c then 1 else 2` with a constant depends on c alone.
    fn split_on_constants(
        &mut self,
        a: TermId,
        b: TermId,
        compare: fn(&mut Terms, TermId, TermId) -> TermId,
    ) -> Option<TermId> {
        let constants = |terms: &Terms, t: TermId| match terms.op(t) {
            Op::Ite(c, x, y) if terms.value(*x).is_some() && terms.value(*y).is_some() => {
                Some((*c, *x, *y))
            }
            _ => None,
        };
        if let (Some((c, x, y)), Some(_)) = (constants(self, a), self.value(b)) {
            let (x, y) = (compare(self, x, b), compare(self, y, b));
            return Some(self.ite(c, x, y));
        }
        if let (Some(_), Some((c, x, y))) = (self.value(a), constants(self, b)) {
            let (x, y) = (compare(self, a, x), compare(self, a, y));
            return Some(self.ite(c, x, y));
        }
        None
    }

    /// `b - a`, if that is the same for all values of the variables.
    fn constant_difference(&mut self, a: TermId, b: TermId) -> Option<BigRational> {
        let mut sum = Sum::default();
        let minus_one = -BigRational::one();
        if !sum.add(self, b, &BigRational::one()) || !sum.add(self, a, &minus_one) {
            return None;
        }
        sum.monomials.is_empty().then_some(sum.constant)
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
        if let Some(difference) = self.constant_difference(a, b) {
            return self.bool(!difference.is_negative());
        }
        self.intern(Op::Le(a, b))
    }

    /// `a < b`
    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        let above = self.le(b, a);
        self.not(above)
    }

    /// Sum of one or more.
    pub fn add(&mut self, list: &[TermId]) -> TermId {
        let sort = self.sort(list[0]);
        let mut sum = Sum::default();
        if list.iter().all(|a| sum.add(self, *a, &BigRational::one())) {
            return sum.into_term(self, sort);
        }
        // Too long to merge: the operands stay as they are.
        let mut operands = list.to_vec();
        operands.sort_unstable();
        self.intern(Op::Add(operands.into()))
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
    fn number(&mut self, n: BigRational, sort: Sort) -> TermId {
        match sort {
            Sort::Real => self.constant(Value::Real(n)),
            _ => self.constant(Value::Int(n.to_integer())),
        }
    }

    /// `a * b`
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        let sort = self.sort(a);
        if self.bits(a) + self.bits(b) > LARGEST_FOLDED {
            return self.intern(Op::Mul([a.min(b), a.max(b)].into()));
        }
        for (x, y) in [(a, b), (b, a)] {
            let Some(factor) = self.value(x).and_then(as_rational) else { continue };
            let mut sum = Sum::default();
            if sum.add(self, y, &factor) {
                return sum.into_term(self, sort);
            }
            if factor.is_one() {
                return y;
            }
            return self.intern(Op::Mul([x, y].into()));
        }
        self.intern(Op::Mul([a.min(b), a.max(b)].into()))
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
        self.intern(Op::IntDiv(a, b))
    }

    /// Euclidean remainder.
    pub fn modulo(&mut self, a: TermId, b: TermId) -> TermId {
        if let (Some(Value::Int(n)), Some(Value::Int(d))) = (self.value(a), self.value(b))
            && !d.is_zero()
        {
            let remainder = n - quotient(n, d) * d;
            return self.int(remainder);
        }
        self.intern(Op::Mod(a, b))
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
        self.intern(Op::RealDiv(a, b))
    }

    /// An integer as a real.
    pub fn to_real(&mut self, a: TermId) -> TermId {
        if let Some(Value::Int(n)) = self.value(a) {
            let value = Value::Real(BigRational::from_integer(n.clone()));
            return self.constant(value);
        }
        self.intern(Op::ToReal(a))
    }

    /// The largest integer not above a real.
    pub fn floor(&mut self, a: TermId) -> TermId {
        match self.op(a) {
            Op::Value(Value::Real(r)) => {
                let whole = r.numer().div_floor(r.denom());
                self.int(whole)
            }
            Op::ToReal(inner) => *inner,
            _ => self.intern(Op::Floor(a)),
        }
    }

    /// The term with the operator of another and new operands, rewritten.
    pub fn rebuild(&mut self, op: &Op, mut map: impl FnMut(TermId) -> TermId) -> TermId {
        match op {
            Op::Value(value) => self.constant(value.clone()),
            Op::Var(var, sort) => self.variable(*var, *sort),
            Op::Not(a) => self.not(map(*a)),
            Op::And(list) => {
                let list: Vec<TermId> = list.iter().map(|a| map(*a)).collect();
                self.and(list)
            }
            Op::Or(list) => {
                let list: Vec<TermId> = list.iter().map(|a| map(*a)).collect();
                self.or(list)
            }
            Op::Ite(c, a, b) => self.ite(map(*c), map(*a), map(*b)),
            Op::Eq(a, b) => self.eq(map(*a), map(*b)),
            Op::Le(a, b) => self.le(map(*a), map(*b)),
            Op::Add(list) => {
                let list: Vec<TermId> = list.iter().map(|a| map(*a)).collect();
                self.add(&list)
            }
            Op::Mul(list) => {
                let list: Vec<TermId> = list.iter().map(|a| map(*a)).collect();
                list[1..].iter().fold(list[0], |a, b| self.mul(a, *b))
            }
            Op::IntDiv(a, b) => self.int_div(map(*a), map(*b)),
            Op::Mod(a, b) => self.modulo(map(*a), map(*b)),
            Op::RealDiv(a, b) => self.real_div(map(*a), map(*b)),
            Op::ToReal(a) => self.to_real(map(*a)),
            Op::Floor(a) => self.floor(map(*a)),
        }
    }
}

/// The Euclidean quotient, from the one that rounds down: they differ where
/// the divisor is negative and does not divide.
pub(crate) fn quotient(n: &BigInt, d: &BigInt) -> BigInt {
    if d.is_negative() { -n.div_floor(&-d) } else { n.div_floor(d) }
}

fn as_rational(value: &Value) -> Option<BigRational> {
    match value {
        Value::Int(n) => Some(BigRational::from_integer(n.clone())),
        Value::Real(r) => Some(r.clone()),
        Value::Bool(_) => None,
    }
}

/// A sum of multiples of terms, and a constant.
#[derive(Default)]
struct Sum {
    monomials: Vec<(TermId, BigRational)>,
    constant: BigRational,
}

impl Sum {
    /// Adds a multiple of a term; false if the sum grows too long to merge.
    fn add(&mut self, terms: &Terms, a: TermId, factor: &BigRational) -> bool {
        match terms.op(a) {
            Op::Add(list) if list.len() <= MERGED => {
                list.iter().for_each(|b| self.summand(terms, *b, factor));
            }
            _ => self.summand(terms, a, factor),
        }
        self.monomials.len() <= MERGED
    }

    /// Adds a multiple of a term that is not taken apart if it is a sum itself:
    /// a long chain of sums is merged at its top only.
    fn summand(&mut self, terms: &Terms, a: TermId, factor: &BigRational) {
        match terms.op(a) {
            Op::Value(value) => self.constant += as_rational(value).unwrap_or_default() * factor,
            Op::Mul(list) if list.len() == 2 => match terms.value(list[0]).and_then(as_rational) {
                Some(inner) => self.monomial(list[1], &(inner * factor)),
                None => self.monomial(a, factor),
            },
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

    fn into_term(self, terms: &mut Terms, sort: Sort) -> TermId {
        let mut list = Vec::with_capacity(self.monomials.len() + 1);
        if !self.constant.is_zero() {
            list.push(terms.number(self.constant, sort));
        }
        for (a, factor) in self.monomials {
            if factor.is_one() {
                list.push(a);
            } else {
                let factor = terms.number(factor, sort);
                list.push(terms.intern(Op::Mul([factor, a].into())));
            }
        }
        match list[..] {
            [] => terms.number(BigRational::zero(), sort),
            [one] => one,
            _ => terms.intern(Op::Add(list.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_euclidean() {
        for (n, d, q) in
            [(7, 2, 3), (-7, 2, -4), (7, -2, -3), (-7, -2, 4), (6, -3, -2), (-6, 3, -2)]
        {
            assert_eq!(quotient(&BigInt::from(n), &BigInt::from(d)), BigInt::from(q), "{n} {d}");
        }
    }

    #[test]
    fn like_terms_meet() {
        let mut t = Terms::new();
        let x = t.variable(VarId(0), Sort::Int);
        let one = t.int(1);
        let a = t.add(&[x, one]);
        let b = t.add(&[a, one]);
        let two = t.int(2);
        assert_eq!(b, t.add(&[two, x]));
        assert_eq!(t.sub(b, a), one);
        assert_eq!(t.le(a, b), Terms::TRUE);
        assert_eq!(t.eq(a, b), Terms::FALSE);
    }

    #[test]
    fn long_chains_stay_linear() {
        let mut t = Terms::new();
        let mut all = Terms::TRUE;
        let mut sum = t.int(0);
        for i in 0..10_000 {
            let x = t.variable(VarId(i), Sort::Bool);
            all = t.and([all, x]);
            let y = t.variable(VarId(20_000 + i), Sort::Int);
            sum = t.add(&[sum, y]);
        }
        let operands: usize = t
            .closure([all, sum])
            .into_iter()
            .map(|a| {
                let mut n = 0;
                t.operands(a, |_| n += 1);
                n
            })
            .sum();
        assert!(operands < 1_000_000, "{operands}");
    }
}
