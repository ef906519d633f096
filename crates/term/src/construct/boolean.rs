//! Truth values and choice.

use smallvec::SmallVec;

use super::MERGED;
use crate::arena::Terms;
use crate::operator::Operator;
use crate::term::{Term, TermId};
use crate::value::Value;
use lustral_base::sort::Sort;

impl Terms {
    /// A truth value.
    #[must_use]
    pub fn bool(&self, b: bool) -> TermId {
        if b { Terms::TRUE } else { Terms::FALSE }
    }

    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        match self.get(a) {
            Term::Value(Value::Bool(b)) => self.bool(!b),
            Term::Apply(Operator::Not, [b]) => *b,
            _ => self.raw(Operator::Not, &[a]),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, list: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(Operator::And, list, Terms::TRUE)
    }

    /// Disjunction.
    pub fn or(&mut self, list: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(Operator::Or, list, Terms::FALSE)
    }

    fn junction(
        &mut self,
        operator: Operator,
        list: impl IntoIterator<Item = TermId>,
        neutral: TermId,
    ) -> TermId {
        let absorbing = self.bool(neutral == Terms::FALSE);
        let mut flat: SmallVec<[TermId; 8]> = SmallVec::new();
        for a in list {
            match self.get(a) {
                Term::Apply(inner, operands) if inner == operator && operands.len() <= MERGED => {
                    flat.extend_from_slice(operands);
                }
                _ => flat.push(a),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|a| *a != neutral);
        let complement = |a: &TermId| match self.get(*a) {
            Term::Apply(Operator::Not, [b]) => flat.binary_search(b).is_ok(),
            _ => false,
        };
        if flat.contains(&absorbing) || flat.iter().any(complement) {
            return absorbing;
        }
        match flat[..] {
            [] => neutral,
            [one] => one,
            _ => self.raw(operator, &flat),
        }
    }

    /// Implication.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or([not_a, b])
    }

    /// `if c then a else b`
    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        let (c, mut a, mut b) = match self.get(c) {
            Term::Value(Value::Bool(true)) => return a,
            Term::Value(Value::Bool(false)) => return b,
            Term::Apply(Operator::Not, [inner]) => (*inner, b, a),
            _ => (c, a, b),
        };
        // In the first branch c is true, in the second it is false.
        if let Term::Apply(Operator::Ite, [d, inner, _]) = self.get(a)
            && *d == c
        {
            a = *inner;
        }
        if let Term::Apply(Operator::Ite, [d, _, inner]) = self.get(b)
            && *d == c
        {
            b = *inner;
        }
        if a == b {
            return a;
        }
        if self.sort(a) != Sort::Bool {
            return self.raw(Operator::Ite, &[c, a, b]);
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
        self.raw(Operator::Ite, &[c, a, b])
    }
}
