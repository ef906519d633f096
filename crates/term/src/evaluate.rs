//! The value of a term under given values of its variables.

use num_integer::Integer;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;

use crate::arena::{Op, TermId, Terms, VarId};
use crate::value::Value;

/// An operation without a defined value at a zero divisor.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum Partial {
    /// [`Op::RealDiv`]
    RealDiv,
    /// [`Op::IntDiv`]
    IntDiv,
    /// [`Op::Mod`]
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
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.done.contains_key(&id) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            self.terms.operands(id, |operand| {
                if !self.done.contains_key(&operand) {
                    stack.push(operand);
                }
            });
            if stack.len() == before {
                let value = self.combine(id, &variable);
                self.done.insert(id, value);
                stack.pop();
            }
        }
        self.done[&root].clone()
    }

    fn truth(&self, id: TermId) -> bool {
        self.done[&id].is_true()
    }

    fn combine(&self, id: TermId, variable: &impl Fn(VarId) -> Value) -> Value {
        let get = |id: &TermId| &self.done[id];
        match self.terms.op(id) {
            Op::Value(value) => value.clone(),
            Op::Var(var, _) => variable(*var),
            Op::Not(a) => Value::Bool(!self.truth(*a)),
            Op::And(list) => Value::Bool(list.iter().all(|a| self.truth(*a))),
            Op::Or(list) => Value::Bool(list.iter().any(|a| self.truth(*a))),
            Op::Ite(c, a, b) => get(if self.truth(*c) { a } else { b }).clone(),
            Op::Eq(a, b) => Value::Bool(get(a) == get(b)),
            Op::Le(a, b) => Value::Bool(get(a) <= get(b)),
            Op::Add(list) => fold(list.iter().map(get), |a, b| a + b, |a, b| a + b),
            Op::Mul(list) => fold(list.iter().map(get), |a, b| a * b, |a, b| a * b),
            Op::IntDiv(a, b) | Op::Mod(a, b) => self.int_division(id, get(a), get(b)),
            Op::RealDiv(a, b) => match (get(a), get(b)) {
                (Value::Real(x), Value::Real(y)) if !y.is_zero() => Value::Real(x / y),
                (x, _) => self.by_zero.value(Partial::RealDiv, x),
            },
            Op::ToReal(a) => match get(a) {
                Value::Int(n) => Value::Real(n.clone().into()),
                other => other.clone(),
            },
            Op::Floor(a) => match get(a) {
                Value::Real(r) => Value::Int(r.numer().div_floor(r.denom())),
                other => other.clone(),
            },
        }
    }

    fn int_division(&self, id: TermId, a: &Value, b: &Value) -> Value {
        let is_quotient = matches!(self.terms.op(id), Op::IntDiv(..));
        match (a, b) {
            (Value::Int(n), Value::Int(d)) if !d.is_zero() => {
                let remainder = n.mod_floor(&d.abs());
                Value::Int(if is_quotient { (n - remainder) / d } else { remainder })
            }
            _ => {
                let operation = if is_quotient { Partial::IntDiv } else { Partial::Mod };
                self.by_zero.value(operation, a)
            }
        }
    }
}

fn fold<'v>(
    mut list: impl Iterator<Item = &'v Value>,
    int: fn(num_bigint::BigInt, &num_bigint::BigInt) -> num_bigint::BigInt,
    real: fn(num_rational::BigRational, &num_rational::BigRational) -> num_rational::BigRational,
) -> Value {
    let first = list.next().expect("sums and products have operands").clone();
    list.fold(first, |a, b| match (a, b) {
        (Value::Int(a), Value::Int(b)) => Value::Int(int(a, b)),
        (Value::Real(a), Value::Real(b)) => Value::Real(real(a, b)),
        (a, _) => a,
    })
}
