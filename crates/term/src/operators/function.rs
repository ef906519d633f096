//! Uninterpreted functions: nothing is known of them but that equal arguments
//! give equal results.

use crate::operator::{Arity, Entry, Function, Notation, Operator, Smtlib};

fn function(operator: Operator) -> Function {
    match operator {
        Operator::Call(function) => function,
        _ => unreachable!("no function"),
    }
}

pub static CALL: Entry = Entry {
    arity: Arity::AtLeast(1),
    typing: |operator, _| Some(function(operator).result),
    evaluate: |operator, values, meaning| meaning.call(function(operator), values),
    construct: |terms, operator, list| terms.call(function(operator), list),
    smtlib: Smtlib::Text(|operator, _, texts| {
        format!("({} {})", function(operator).smtlib(), texts.join(" "))
    }),
    notation: Notation::Function,
};
