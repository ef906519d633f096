//! Terms without time, in the operators of Lustre.

use lustral_base::decimal;
use lustral_term::strength::{AND, COMPARISON, OR, PREFIX, PRODUCT, SUM, TIGHT};
use lustral_term::{Operator, Term, TermId, Terms, Value, VarId};
use num_traits::{One, Signed};

use super::machine;

/// What is left to write. Terms come with how much they must bind to stand
/// without parentheses.
pub(super) enum Work {
    Term(TermId, u8),
    /// At the first step and later.
    Parts((TermId, TermId), u8),
    Text(String),
}

pub(super) type Expanded = Option<(u8, Vec<Work>)>;

/// The text of one term that is no variable, its operands left as work.
/// `value` gives the names of the values of enumerations.
pub(super) fn expand<'s>(
    terms: &Terms,
    term: TermId,
    value: &dyn Fn(&Value) -> Option<&'s str>,
) -> Expanded {
    Some(match terms.get(term) {
        Term::Value(of_enumeration @ Value::Enum(..)) => {
            (TIGHT, vec![text(value(of_enumeration)?)])
        }
        Term::Value(Value::BitVec(shape, bits)) => machine::constant(*shape, bits),
        // What a program writes for a set or a map names its type and has no value for all other keys.
        Term::Value(Value::Array(_) | Value::Uninterpreted(..)) => return None,
        Term::Value(value) => constant(value),
        Term::Apply(Operator::Ite, [c, a, b]) => {
            let [c, a, b] = [*c, *a, *b].map(|term| Work::Term(term, 0));
            (0, vec![text("if "), c, text(" then "), a, text(" else "), b])
        }
        Term::Apply(Operator::Not, [a]) => match terms.get(*a) {
            Term::Apply(Operator::Eq, [a, b]) => {
                infix(&value_last(terms, *a, *b), " <> ", COMPARISON)
            }
            // `not (a <= b)` is how a strict comparison is kept.
            Term::Apply(Operator::Le | Operator::BvLe, [a, b]) if terms.value(*b).is_some() => {
                infix(&[*a, *b], " > ", COMPARISON)
            }
            Term::Apply(Operator::Le | Operator::BvLe, [a, b]) => {
                infix(&[*b, *a], " < ", COMPARISON)
            }
            _ => (PREFIX, vec![text("not "), Work::Term(*a, PREFIX)]),
        },
        Term::Apply(Operator::And, list) => infix(list, " and ", AND),
        Term::Apply(Operator::Or, list) => infix(list, " or ", OR),
        Term::Apply(Operator::Eq, [a, b]) => infix(&value_last(terms, *a, *b), " = ", COMPARISON),
        Term::Apply(Operator::Le | Operator::BvLe, [a, b]) if terms.value(*a).is_some() => {
            infix(&[*b, *a], " >= ", COMPARISON)
        }
        Term::Apply(Operator::Le | Operator::BvLe, [a, b]) => infix(&[*a, *b], " <= ", COMPARISON),
        Term::Apply(Operator::Add, list) => sum(terms, list),
        Term::Apply(Operator::Mul, list) => product(terms, list),
        Term::Apply(Operator::IntDiv, [a, b]) => quotient(*a, " div ", *b),
        Term::Apply(Operator::Mod, [a, b]) => quotient(*a, " mod ", *b),
        Term::Apply(Operator::RealDiv, [a, b]) => infix(&[*a, *b], " / ", PRODUCT),
        Term::Apply(Operator::ToReal, [a]) => (PREFIX, vec![text("real "), Work::Term(*a, PREFIX)]),
        Term::Apply(Operator::Floor, [a]) => (PREFIX, vec![text("int "), Work::Term(*a, PREFIX)]),
        Term::Apply(operator, list) => return machine::expand(terms, operator, list),
        // Variables are written by the caller.
        Term::Var(..) => return None,
    })
}

pub(super) fn text(text: &str) -> Work {
    Work::Text(text.to_string())
}

pub(super) fn infix(list: &[TermId], op: &str, strength: u8) -> (u8, Vec<Work>) {
    let mut parts = Vec::with_capacity(2 * list.len());
    for (i, a) in list.iter().enumerate() {
        if i > 0 {
            parts.push(text(op));
        }
        parts.push(Work::Term(*a, strength + 1));
    }
    (strength, parts)
}

/// `a div b`, `a mod b`: dialects group a minus sign before these differently, so what is
/// divided has parentheses if it has a sign.
fn quotient(a: TermId, op: &str, b: TermId) -> (u8, Vec<Work>) {
    (PRODUCT, vec![Work::Term(a, TIGHT), text(op), Work::Term(b, PRODUCT + 1)])
}

/// A sum: what is negative is subtracted, where something is before it.
fn sum(terms: &Terms, list: &[TermId]) -> (u8, Vec<Work>) {
    let (negative, positive): (Vec<TermId>, Vec<TermId>) =
        list.iter().partition(|a| factor(terms, **a).is_some_and(Value::is_negative));
    let (_, mut parts) = infix(&positive, " + ", SUM);
    for a in negative {
        if parts.is_empty() {
            parts.push(Work::Term(a, SUM + 1));
            continue;
        }
        parts.push(text(" - "));
        match terms.get(a) {
            Term::Value(value) => parts.push(Work::Text(absolute(value))),
            Term::Apply(Operator::Mul, list) => parts.extend(factors(terms, list, true)),
            _ => parts.push(Work::Term(a, SUM + 1)),
        }
    }
    (SUM, parts)
}

fn product(terms: &Terms, list: &[TermId]) -> (u8, Vec<Work>) {
    if let [minus_one, a] = list
        && terms.value(*minus_one).is_some_and(|v| v.is_negative() && is_one(v))
    {
        // Two signs in a row would begin a comment.
        return (PREFIX, vec![text("-"), Work::Term(*a, TIGHT)]);
    }
    (PRODUCT, factors(terms, list, false))
}

/// The factors of a product, the constant one without its sign if so wanted.
fn factors(terms: &Terms, list: &[TermId], without_sign: bool) -> Vec<Work> {
    let mut parts = Vec::with_capacity(2 * list.len());
    for a in list {
        let part = match terms.value(*a) {
            Some(value) if without_sign && parts.is_empty() && value.is_negative() => {
                if is_one(value) {
                    continue;
                }
                Work::Text(absolute(value))
            }
            _ => Work::Term(*a, PRODUCT + 1),
        };
        if !parts.is_empty() {
            parts.push(text(" * "));
        }
        parts.push(part);
    }
    parts
}

/// The constant factor of a summand.
fn factor(terms: &Terms, summand: TermId) -> Option<&Value> {
    match terms.get(summand) {
        Term::Value(value) => Some(value),
        Term::Apply(Operator::Mul, list) => terms.value(list[0]),
        _ => None,
    }
}

fn is_one(value: &Value) -> bool {
    match value {
        Value::Int(n) => n.abs().is_one(),
        Value::Real(r) => r.abs().is_one(),
        _ => false,
    }
}

/// A number without its sign; it binds as much as a factor needs.
fn absolute(value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Int(n) => n.abs().to_string(),
        Value::Real(r) => decimal::for_programs(&r.abs()),
        other => lustral_term::show_value(other, &|_: VarId| String::new()),
    }
}

fn constant(value: &Value) -> (u8, Vec<Work>) {
    let digits = absolute(value);
    if value.is_negative() {
        return (PREFIX, vec![Work::Text(format!("-{digits}"))]);
    }
    (TIGHT, vec![Work::Text(digits)])
}

/// Two sides of an equation as people write it.
fn value_last(terms: &Terms, a: TermId, b: TermId) -> [TermId; 2] {
    if terms.value(a).is_some() { [b, a] } else { [a, b] }
}
