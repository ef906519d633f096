//! The value of a term under given values of its variables.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use lustral_base::sort::Sort;

use crate::arena::Terms;
use crate::operator::Function;
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

/// What terms leave open beside their variables: divisions by zero and
/// uninterpreted functions. Both are functions: the same question gets the
/// same answer.
pub trait Interpretation {
    /// The value of the operation on this dividend and zero.
    fn divide_by_zero(&self, operation: Partial, dividend: &Value) -> Value;

    /// The value of a function; unless something else is known of it, zero
    /// whatever the arguments are.
    fn call(&self, function: Function, _arguments: &[&Value]) -> Value {
        Value::zero(function.result)
    }
}

/// Every division by zero is zero, and so is every function.
#[derive(Clone, Copy, Default, Debug)]
pub struct ZeroMeaning;

impl Interpretation for ZeroMeaning {
    fn divide_by_zero(&self, _: Partial, dividend: &Value) -> Value {
        Value::zero(dividend.sort())
    }
}

/// Evaluates terms of one arena, remembering every value.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    meaning: &'a dyn Interpretation,
    done: FxHashMap<TermId, Value>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that knows no value yet.
    #[must_use]
    pub fn new(terms: &'a Terms, meaning: &'a dyn Interpretation) -> Evaluator<'a> {
        Evaluator { terms, meaning, done: FxHashMap::default() }
    }

    /// The value of a term. `variable` gives those of the variables.
    pub fn eval(&mut self, root: TermId, variable: impl Fn(VarId) -> Value) -> Value {
        self.eval_sorted(root, |var, _| variable(var))
    }

    /// The same, where `variable` wants to know the sort: of a variable that it does not
    /// know, it can give no other value.
    pub fn eval_sorted(&mut self, root: TermId, variable: impl Fn(VarId, Sort) -> Value) -> Value {
        let (terms, meaning) = (self.terms, self.meaning);
        terms.post_order(
            root,
            &mut self.done,
            |done, id| done.contains_key(&id),
            |done, id| {
                let value = match terms.get(id) {
                    Term::Value(value) => value.clone(),
                    Term::Var(var, sort) => variable(var, sort),
                    Term::Apply(operator, operands) => {
                        let values: SmallVec<[&Value; 8]> =
                            operands.iter().map(|operand| &done[operand]).collect();
                        operator.evaluate(&values, meaning)
                    }
                };
                done.insert(id, value);
            },
        );
        self.done[&root].clone()
    }
}
