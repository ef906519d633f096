//! Truth values, equality and choice.

use super::uniform;
use crate::operator::{Arity, Entry, Notation, Operator, Smtlib};
use crate::strength;
use crate::value::Value;
use lustral_base::sort::Sort;

/// Truth values to a truth value.
fn connective(_: Operator, operands: &[Sort]) -> Option<Sort> {
    (uniform(operands)? == Sort::Bool).then_some(Sort::Bool)
}

pub static NOT: Entry = Entry {
    arity: Arity::Exactly(1),
    typing: connective,
    evaluate: |_, values, _| Value::Bool(!values[0].is_true()),
    construct: |terms, _, list| terms.not(list[0]),
    smtlib: Smtlib::Name("not"),
    notation: Notation::Prefix("not ", strength::PREFIX),
};

pub static AND: Entry = Entry {
    arity: Arity::AtLeast(2),
    typing: connective,
    evaluate: |_, values, _| Value::Bool(values.iter().all(|value| value.is_true())),
    construct: |terms, _, list| terms.and(list.iter().copied()),
    smtlib: Smtlib::Name("and"),
    notation: Notation::Infix(" and ", strength::AND),
};

pub static OR: Entry = Entry {
    arity: Arity::AtLeast(2),
    typing: connective,
    evaluate: |_, values, _| Value::Bool(values.iter().any(|value| value.is_true())),
    construct: |terms, _, list| terms.or(list.iter().copied()),
    smtlib: Smtlib::Name("or"),
    notation: Notation::Infix(" or ", strength::OR),
};

pub static ITE: Entry = Entry {
    arity: Arity::Exactly(3),
    typing: |_, sorts| (sorts[0] == Sort::Bool).then(|| uniform(&sorts[1..]))?,
    evaluate: |_, values, _| values[if values[0].is_true() { 1 } else { 2 }].clone(),
    construct: |terms, _, list| terms.ite(list[0], list[1], list[2]),
    smtlib: Smtlib::Name("ite"),
    notation: Notation::Conditional,
};

pub static EQ: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: |_, sorts| uniform(sorts).map(|_| Sort::Bool),
    evaluate: |_, values, _| Value::Bool(values[0] == values[1]),
    construct: |terms, _, list| terms.eq(list[0], list[1]),
    smtlib: Smtlib::Name("="),
    notation: Notation::Infix(" = ", strength::COMPARISON),
};
