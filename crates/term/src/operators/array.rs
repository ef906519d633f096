//! Arrays, as in the theory of SMT-LIB: total functions from the integers.

use crate::operator::{Arity, Entry, Notation, Operator, Smtlib};
use crate::value::{Array, Value};
use lustral_base::sort::{Scalar, Sort};

fn array(value: &Value) -> &Array {
    match value {
        Value::Array(array) => array,
        _ => unreachable!("operands are well-sorted"),
    }
}

fn index(value: &Value) -> &num_bigint::BigInt {
    match value {
        Value::Int(n) => n,
        _ => unreachable!("operands are well-sorted"),
    }
}

/// The sort of the elements of an array with an index.
fn element(sorts: &[Sort]) -> Option<Scalar> {
    match sorts {
        [Sort::Array(scalar), Sort::Int, ..] => Some(*scalar),
        _ => None,
    }
}

pub static SELECT: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: |_, sorts| element(sorts).map(Sort::from),
    evaluate: |_, values, _| array(values[0]).select(index(values[1])).clone(),
    construct: |terms, _, list| terms.select(list[0], list[1]),
    smtlib: Smtlib::Name("select"),
    notation: Notation::Index,
};

pub static STORE: Entry = Entry {
    arity: Arity::Exactly(3),
    typing: |_, sorts| (Sort::from(element(sorts)?) == sorts[2]).then_some(sorts[0]),
    evaluate: |_, values, _| {
        let mut array = array(values[0]).clone();
        array.store(index(values[1]).clone(), values[2].clone());
        Value::Array(Box::new(array))
    },
    construct: |terms, _, list| terms.store(list[0], list[1], list[2]),
    smtlib: Smtlib::Name("store"),
    notation: Notation::Update,
};

pub static CONST_ARRAY: Entry = Entry {
    arity: Arity::Exactly(1),
    typing: |_, sorts| sorts[0].scalar().map(Sort::Array),
    evaluate: |_: Operator, values, _| {
        let array = Array::constant(values[0].clone());
        Value::Array(Box::new(array.expect("operands are well-sorted")))
    },
    construct: |terms, _, list| terms.const_array(list[0]),
    smtlib: Smtlib::Text(|_, sorts, texts| {
        let scalar = sorts[0].scalar().expect("operands are well-sorted");
        format!("((as const {}) {})", crate::sort_name(Sort::Array(scalar)), texts[0])
    }),
    notation: Notation::Call("array"),
};
