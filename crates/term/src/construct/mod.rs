//! Constructors. Each returns a term equal to the one asked for, under every
//! interpretation of the variables, of functions and of division by zero.
//! They are trusted; `tests.rs` has a line for each rule, and compares values of
//! random terms before and after.

mod arithmetic;
mod boolean;
mod equality;
mod bit_vector;
mod converted;
mod of_words;
mod array;
#[cfg(test)]
mod tests;

use crate::arena::Terms;
use crate::evaluate::ZeroMeaning;
use crate::operator::Operator;
use crate::term::{Term, TermId};
use crate::value::Value;
use smallvec::SmallVec;

/// Operands of nested sums, conjunctions and disjunctions are merged only up to
/// this number: merging a chain of n operands at every link costs n² otherwise.
pub(crate) const MERGED: usize = 16;

impl Terms {
    /// The value of an operator that leaves nothing open, if all operands are values.
    fn folded(&mut self, operator: Operator, operands: &[TermId]) -> Option<TermId> {
        let values: SmallVec<[&Value; 4]> =
            operands.iter().map(|operand| self.value(*operand)).collect::<Option<_>>()?;
        let value = operator.evaluate(&values, &ZeroMeaning);
        drop(values);
        Some(self.constant(value))
    }

    /// An operator applied to operands, rewritten.
    pub fn apply(&mut self, operator: Operator, operands: &[TermId]) -> TermId {
        (operator.entry().construct)(self, operator, operands)
    }

    /// The term with the operator of another, of any arena, and new operands, rewritten.
    pub fn rebuild(&mut self, term: Term<'_>, map: impl FnMut(TermId) -> TermId) -> TermId {
        match term {
            Term::Value(value) => self.constant(value.clone()),
            Term::Var(var, sort) => self.variable(var, sort),
            Term::Apply(operator, operands) => {
                let operands: SmallVec<[TermId; 8]> = operands.iter().copied().map(map).collect();
                self.apply(operator, &operands)
            }
        }
    }
}
