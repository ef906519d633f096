//! Arrays and functions.

use crate::arena::Terms;
use crate::operator::{Function, Operator};
use crate::term::{Term, TermId};
use crate::value::Value;
use lustral_base::sort::ArraySort;
use smallvec::SmallVec;

/// The most indices of a constant that a choice is taken apart by.
const MOST: usize = 64;

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
        // The last one that was stored first.
        let (mut rest, mut stored): (TermId, Vec<(SmallVec<[TermId; 4]>, TermId)>) =
            (condition, Vec::new());
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
                    stored.push((index, self.bool(element.is_true())));
                }
                if known.default().is_true() { yes } else { no }
            }
            _ => self.raw(Operator::Choose, &[rest, yes, no]),
        };
        for (index, value) in stored.into_iter().rev() {
            let [one, other] = [yes, no].map(|array| self.select(array, &index));
            let element = self.ite(value, one, other);
            made = self.store(made, &index, element);
        }
        made
    }

    /// An uninterpreted function of some arguments. One function has one
    /// signature, as one variable has one sort.
    pub fn call(&mut self, function: Function, arguments: &[TermId]) -> TermId {
        self.raw(Operator::Call(function), arguments)
    }
}
