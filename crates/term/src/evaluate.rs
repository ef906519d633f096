//! The value of a term under given values of its variables.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::arena::Terms;
use crate::term::{Term, TermId, VarId};
use crate::value::Value;

/// An operation without a defined value at a zero divisor.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum Partial {
    /// [`Operator::RealDiv`](crate::Operator::RealDiv)
    RealDiv,
    /// [`Operator::IntDiv`](crate::Operator::IntDiv)
    IntDiv,
    /// [`Operator::Mod`](crate::Operator::Mod)
    Mod,
}

/// Says what a division by zero gives. It is a function: the same question
/// gets the same answer.
pub trait DivisionByZero {
    /// The value of the operation on this dividend and zero.
    fn value(&self, operation: Partial, dividend: &Value) -> Value;
}

/// Every division by zero is zero.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoDivisions;

impl DivisionByZero for NoDivisions {
    fn value(&self, _: Partial, dividend: &Value) -> Value {
        Value::zero(dividend.sort())
    }
}

/// Evaluates terms of one arena, remembering every value.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    by_zero: &'a dyn DivisionByZero,
    done: FxHashMap<TermId, Value>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that knows no value yet.
    #[must_use]
    pub fn new(terms: &'a Terms, by_zero: &'a dyn DivisionByZero) -> Evaluator<'a> {
        Evaluator { terms, by_zero, done: FxHashMap::default() }
    }

    /// The value of a term. `variable` gives those of the variables.
    pub fn eval(&mut self, root: TermId, variable: impl Fn(VarId) -> Value) -> Value {
        let (terms, by_zero) = (self.terms, self.by_zero);
        terms.post_order(
            root,
            &mut self.done,
            |done, id| done.contains_key(&id),
            |done, id| {
                let value = match terms.get(id) {
                    Term::Value(value) => value.clone(),
                    Term::Var(var, _) => variable(var),
                    Term::Apply(operator, operands) => {
                        let values: SmallVec<[&Value; 8]> =
                            operands.iter().map(|operand| &done[operand]).collect();
                        operator.evaluate(&values, by_zero)
                    }
                };
                done.insert(id, value);
            },
        );
        self.done[&root].clone()
    }
}
