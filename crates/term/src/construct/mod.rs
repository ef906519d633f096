//! Constructors. Each returns a term equal to the one asked for, under every
//! interpretation of the variables, of functions and of division by zero.
//! They are trusted; `tests.rs` has a line for each rule, and compares values of
//! random terms before and after.

mod arithmetic;
mod boolean;
mod equality;
mod linear;
#[cfg(test)]
mod tests;

use crate::arena::Terms;
use crate::operator::Operator;
use crate::term::{Term, TermId};
use smallvec::SmallVec;

/// Operands of nested sums, conjunctions and disjunctions are merged only up to
/// this number: merging a chain of n operands at every link costs n² otherwise.
const MERGED: usize = 16;

impl Terms {
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
