//! Equality of terms of one sort.

use num_traits::Zero;

use crate::arena::Terms;
use crate::operator::Operator;
use crate::term::{Term, TermId};
use crate::value::Value;
use lustral_base::sort::{Enumeration, Sort};

impl Terms {
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
        match self.sort(a) {
            Sort::Int | Sort::Real => {
                if let Some(difference) = self.constant_difference(a, b) {
                    return self.bool(difference.is_zero());
                }
                if self.sort(a) == Sort::Int
                    && let Some(of_words) = self.eq_of_words(a, b)
                {
                    return of_words;
                }
                if let Some([x, y]) = self.both_as_words(a, b) {
                    return self.eq(x, y);
                }
            }
            Sort::BitVec(_) => {
                if let Some(equal) = self.equal_remainders(a, b) {
                    return equal;
                }
            }
            Sort::Enum(Enumeration { size: 1, .. }) => return Terms::TRUE,
            _ => {}
        }
        self.raw(Operator::Eq, &[a, b])
    }

    fn equivalence(&mut self, a: TermId, b: TermId) -> TermId {
        for (x, y) in [(a, b), (b, a)] {
            match self.get(x) {
                Term::Value(Value::Bool(true)) => return y,
                Term::Value(Value::Bool(false)) => return self.not(y),
                // Negations move out, so that `a = not b` and `not a = b` are one term.
                Term::Apply(Operator::Not, [inner]) => {
                    let inner = *inner;
                    let equal = self.eq(inner, y);
                    return self.not(equal);
                }
                _ => {}
            }
        }
        self.raw(Operator::Eq, &[a, b])
    }

    /// A comparison of `if c then 1 else 2` with a constant depends on c alone.
    pub(super) fn split_on_constants(
        &mut self,
        a: TermId,
        b: TermId,
        compare: fn(&mut Terms, TermId, TermId) -> TermId,
    ) -> Option<TermId> {
        let constants = |terms: &Terms, t: TermId| match terms.get(t) {
            Term::Apply(Operator::Ite, [c, x, y])
                if terms.value(*x).is_some() && terms.value(*y).is_some() =>
            {
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
}
