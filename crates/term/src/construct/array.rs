//! Arrays and functions.

use crate::arena::Terms;
use crate::operator::{Function, Operator};
use crate::term::{Term, TermId};
use crate::value::Value;

impl Terms {
    /// The element of an array at an index.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let mut array = array;
        loop {
            match self.get(array) {
                Term::Apply(Operator::ConstArray, [element]) => return *element,
                Term::Apply(Operator::Store, &[before, stored, element]) => {
                    if stored == index {
                        return element;
                    }
                    // What was stored elsewhere makes no difference.
                    if self.value(stored).is_none() || self.value(index).is_none() {
                        break;
                    }
                    array = before;
                }
                Term::Value(Value::Array(values)) if values.exceptions().next().is_none() => {
                    let element = values.default().clone();
                    return self.constant(element);
                }
                _ => break,
            }
        }
        let operands = [array, index];
        self.folded(Operator::Select, &operands)
            .unwrap_or_else(|| self.raw(Operator::Select, &operands))
    }

    /// The array with another element at an index.
    pub fn store(&mut self, array: TermId, index: TermId, element: TermId) -> TermId {
        let array = match self.get(array) {
            // What was there before is gone.
            Term::Apply(Operator::Store, &[before, stored, _]) if stored == index => before,
            _ => array,
        };
        if let Term::Apply(Operator::Select, &[from, at]) = self.get(element)
            && (from, at) == (array, index)
        {
            return array;
        }
        let operands = [array, index, element];
        self.folded(Operator::Store, &operands)
            .unwrap_or_else(|| self.raw(Operator::Store, &operands))
    }

    /// The array with the same element everywhere.
    pub fn const_array(&mut self, element: TermId) -> TermId {
        let operands = [element];
        self.folded(Operator::ConstArray, &operands)
            .unwrap_or_else(|| self.raw(Operator::ConstArray, &operands))
    }

    /// An uninterpreted function of some arguments. One function has one
    /// signature, as one variable has one sort.
    pub fn call(&mut self, function: Function, arguments: &[TermId]) -> TermId {
        self.raw(Operator::Call(function), arguments)
    }
}
