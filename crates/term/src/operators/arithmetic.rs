//! Integers and rational numbers.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::uniform;
use crate::evaluate::{Interpretation, Partial};
use crate::operator::{Arity, Entry, Notation, Operator, Smtlib};
use crate::strength;
use crate::value::Value;
use lustral_base::sort::Sort;

/// Numbers of one sort.
fn numbers(_: Operator, operands: &[Sort]) -> Option<Sort> {
    uniform(operands).filter(|sort| sort.is_number())
}

fn integers(_: Operator, operands: &[Sort]) -> Option<Sort> {
    uniform(operands).filter(|sort| *sort == Sort::Int)
}

pub static LE: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: |operator, sorts| numbers(operator, sorts).map(|_| Sort::Bool),
    evaluate: |_, values, _| Value::Bool(values[0] <= values[1]),
    construct: |terms, _, list| terms.le(list[0], list[1]),
    smtlib: Smtlib::Name("<="),
    notation: Notation::Infix(" <= ", strength::COMPARISON),
};

pub static ADD: Entry = Entry {
    arity: Arity::AtLeast(2),
    typing: numbers,
    evaluate: |_, values, _| fold(values, |a, b| a + b, |a, b| a + b),
    construct: |terms, _, list| terms.add(list),
    smtlib: Smtlib::Name("+"),
    notation: Notation::Infix(" + ", strength::SUM),
};

pub static MUL: Entry = Entry {
    arity: Arity::AtLeast(2),
    typing: numbers,
    evaluate: |_, values, _| fold(values, |a, b| a * b, |a, b| a * b),
    construct: |terms, _, list| list[1..].iter().fold(list[0], |a, b| terms.mul(a, *b)),
    smtlib: Smtlib::Name("*"),
    notation: Notation::Infix(" * ", strength::PRODUCT),
};

pub static INT_DIV: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: integers,
    evaluate: |_, values, meaning| euclidean(values, Partial::IntDiv, meaning),
    construct: |terms, _, list| terms.int_div(list[0], list[1]),
    smtlib: Smtlib::Name("div"),
    notation: Notation::Infix(" div ", strength::PRODUCT),
};

pub static MOD: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: integers,
    evaluate: |_, values, meaning| euclidean(values, Partial::Mod, meaning),
    construct: |terms, _, list| terms.modulo(list[0], list[1]),
    smtlib: Smtlib::Name("mod"),
    notation: Notation::Infix(" mod ", strength::PRODUCT),
};

pub static REAL_DIV: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: |_, sorts| uniform(sorts).filter(|sort| *sort == Sort::Real),
    evaluate: |_, values, meaning| match (values[0], values[1]) {
        (Value::Real(x), Value::Real(y)) if !y.is_zero() => Value::Real(x / y),
        (x, _) => meaning.divide_by_zero(Partial::RealDiv, x),
    },
    construct: |terms, _, list| terms.real_div(list[0], list[1]),
    smtlib: Smtlib::Name("/"),
    notation: Notation::Infix(" / ", strength::PRODUCT),
};

pub static TO_REAL: Entry = Entry {
    arity: Arity::Exactly(1),
    typing: |_, sorts| (sorts[0] == Sort::Int).then_some(Sort::Real),
    evaluate: |_, values, _| match values[0] {
        Value::Int(n) => Value::Real(n.clone().into()),
        other => other.clone(),
    },
    construct: |terms, _, list| terms.to_real(list[0]),
    smtlib: Smtlib::Name("to_real"),
    notation: Notation::Call("real"),
};

pub static FLOOR: Entry = Entry {
    arity: Arity::Exactly(1),
    typing: |_, sorts| (sorts[0] == Sort::Real).then_some(Sort::Int),
    evaluate: |_, values, _| match values[0] {
        Value::Real(r) => Value::Int(r.numer().div_floor(r.denom())),
        other => other.clone(),
    },
    construct: |terms, _, list| terms.floor(list[0]),
    smtlib: Smtlib::Name("to_int"),
    notation: Notation::Call("int"),
};

fn fold(
    values: &[&Value],
    int: fn(BigInt, &BigInt) -> BigInt,
    real: fn(BigRational, &BigRational) -> BigRational,
) -> Value {
    values[1..].iter().fold(values[0].clone(), |a, b| match (a, b) {
        (Value::Int(a), Value::Int(b)) => Value::Int(int(a, b)),
        (Value::Real(a), Value::Real(b)) => Value::Real(real(a, b)),
        (a, _) => a,
    })
}

fn euclidean(values: &[&Value], operation: Partial, meaning: &dyn Interpretation) -> Value {
    match (values[0], values[1]) {
        (Value::Int(n), Value::Int(d)) if !d.is_zero() => {
            let remainder = n.mod_floor(&d.abs());
            Value::Int(match operation {
                Partial::Mod => remainder,
                _ => (n - remainder) / d,
            })
        }
        (n, _) => meaning.divide_by_zero(operation, n),
    }
}
