//! Arrays and functions.

use crate::arena::Terms;
use crate::operator::{Function, Operator};
use crate::term::{Term, TermId};
use crate::value::{Array, Value};
use lustral_base::sort::{ArraySort, Sort};
use lustral_base::{End, Limit, Limited};
use smallvec::SmallVec;

/// The most indices of a constant that a choice is taken apart by.
const MOST: usize = 64;

/// The truth value that a condition is, or has everywhere. Arrays in arrays are as deep as
/// types are nested.
fn everywhere(condition: &Value) -> Option<bool> {
    match condition {
        Value::Array(array) if array.exceptions().next().is_none() => everywhere(array.default()),
        Value::Bool(truth) => Some(*truth),
        _ => None,
    }
}

/// Indices that differ have scalars that do; none where that is not known.
fn differ(terms: &Terms, a: &[TermId], b: &[TermId]) -> bool {
    let values = |a: TermId, b: TermId| Some((terms.value(a)?, terms.value(b)?));
    a.iter().zip(b).any(|(a, b)| values(*a, *b).is_some_and(|(a, b)| a != b))
}

impl Terms {
    /// The element of an array at an index.
    pub fn select(&mut self, array: TermId, index: &[TermId]) -> TermId {
        let mut array = array;
        loop {
            match self.get(array) {
                Term::Apply(Operator::ConstArray(_), [element]) => return *element,
                Term::Apply(Operator::Store, list) => {
                    let (stored, element) = (&list[1..list.len() - 1], list[list.len() - 1]);
                    if stored == index {
                        return element;
                    }
                    // What was stored elsewhere makes no difference.
                    if !differ(self, stored, index) {
                        break;
                    }
                    array = list[0];
                }
                Term::Value(Value::Array(values)) if values.exceptions().next().is_none() => {
                    let element = values.default().clone();
                    return self.constant(element);
                }
                _ => break,
            }
        }
        let operands: SmallVec<[TermId; 4]> = [array].iter().chain(index).copied().collect();
        self.folded(Operator::Select, &operands)
            .unwrap_or_else(|| self.raw(Operator::Select, &operands))
    }

    /// The array with another element at an index.
    pub fn store(&mut self, array: TermId, index: &[TermId], element: TermId) -> TermId {
        let array = match self.get(array) {
            // What was there before is gone.
            Term::Apply(Operator::Store, list) if list[1..list.len() - 1] == *index => list[0],
            _ => array,
        };
        if let Term::Apply(Operator::Select, list) = self.get(element)
            && (list[0], &list[1..]) == (array, index)
        {
            return array;
        }
        let mut operands: SmallVec<[TermId; 8]> = [array].iter().chain(index).copied().collect();
        operands.push(element);
        self.folded(Operator::Store, &operands)
            .unwrap_or_else(|| self.raw(Operator::Store, &operands))
    }

    /// The array with the same element everywhere.
    pub fn const_array(&mut self, sort: ArraySort, element: TermId) -> TermId {
        let operands = [element];
        self.folded(Operator::ConstArray(sort), &operands)
            .unwrap_or_else(|| self.raw(Operator::ConstArray(sort), &operands))
    }

    /// The array with the elements of one where another is true, and else those of a third.
    ///
    /// What the condition says of single indices is said of these elements, so that what is
    /// left to choose by is what nothing is known of: `c[i := b]` chooses at `i` by `b`, and
    /// elsewhere as `c` does.
    pub fn choose(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        if yes == no {
            return yes;
        }
        let operands = [condition, yes, no];
        if let Some(known) = self.folded(Operator::Choose, &operands) {
            return known;
        }
        let mut rest = condition;
        // The last one that was stored first.
        let mut stored: Vec<(SmallVec<[TermId; 4]>, TermId)> = Vec::new();
        while let Term::Apply(Operator::Store, list) = self.get(rest) {
            let last = list.len() - 1;
            stored.push((list[1..last].into(), list[last]));
            rest = list[0];
        }
        let mut made = match self.value(rest) {
            Some(Value::Array(known)) if known.exceptions().count() <= MOST => {
                let known = known.clone();
                for (index, element) in known.exceptions() {
                    let index = index.iter().map(|scalar| self.constant(scalar.clone())).collect();
                    stored.push((index, self.constant(element.clone())));
                }
                match everywhere(known.default()) {
                    Some(true) => yes,
                    Some(false) => no,
                    None => {
                        let all = Array::constant(known.sort(), known.default().clone());
                        let all = self.constant(Value::Array(Box::new(all)));
                        self.raw(Operator::Choose, &[all, yes, no])
                    }
                }
            }
            _ => self.raw(Operator::Choose, &[rest, yes, no]),
        };
        for (index, value) in stored.into_iter().rev() {
            let [one, other] = [yes, no].map(|array| self.select(array, &index));
            let element = match self.sort(value) {
                Sort::Bool => self.ite(value, one, other),
                // As deep as types are nested.
                _ => self.choose(value, one, other),
            };
            made = self.store(made, &index, element);
        }
        made
    }

    /// Whether all keys of a set are on one side of a bound, or what they have in a table.
    ///
    /// Of a key that was added it is said by itself: `s[k := true]` has its keys within where
    /// `s` has and `k` is.
    pub fn within(&mut self, limit: Limit, operands: &[TermId]) -> TermId {
        if let Some(known) = self.folded(Operator::Within(limit), operands) {
            return known;
        }
        let (mut rest, mut parts) = (operands[0], Vec::new());
        if let (Limited::Key(at), &[_, bound]) = (limit.of, operands) {
            while let Term::Apply(Operator::Store, list) = self.get(rest) {
                let (set, key, value) = (list[0], list[1 + at as usize], list[list.len() - 1]);
                if self.value(value) != Some(&Value::Bool(true)) {
                    break;
                }
                rest = set;
                parts.push(match limit.end {
                    End::Low => self.le(bound, key),
                    End::High => self.le(key, bound),
                });
            }
        }
        // The keys of a set that is known are known, if it has an end.
        let keys = match (limit.of, self.value(rest)) {
            (Limited::Key(at), Some(Value::Array(set))) if !set.default().is_true() => {
                let inside = set.exceptions().filter(|(_, element)| element.is_true());
                Some(inside.map(|(index, _)| index[at as usize].clone()).collect::<Vec<_>>())
            }
            (Limited::Value, Some(Value::Array(set))) => {
                let is_empty = !set.default().is_true() && set.exceptions().next().is_none();
                is_empty.then(Vec::new)
            }
            _ => None,
        };
        if let Some(keys) = keys {
            let bound = operands[operands.len() - 1];
            for key in keys {
                let key = self.constant(key);
                parts.push(match limit.end {
                    End::Low => self.le(bound, key),
                    End::High => self.le(key, bound),
                });
            }
        } else {
            let mut operands: SmallVec<[TermId; 4]> = operands.into();
            operands[0] = rest;
            let operator = Operator::Within(limit);
            let others = self.folded(operator, &operands);
            parts.push(others.unwrap_or_else(|| self.raw(operator, &operands)));
        }
        self.and(parts)
    }

    /// An uninterpreted function of some arguments. One function has one
    /// signature, as one variable has one sort.
    pub fn call(&mut self, function: Function, arguments: &[TermId]) -> TermId {
        self.raw(Operator::Call(function), arguments)
    }
}
