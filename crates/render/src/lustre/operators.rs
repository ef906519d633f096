//! Terms without time, in the operators of Lustre.

use lustral_base::decimal;
use lustral_term::{Operator, Sort, Term, TermId, Terms, Value};
use num_traits::{One, Signed, ToPrimitive};

use super::{Values, enumeration, is_number};

/// How much names and constants bind.
pub(super) const TIGHT: u8 = 9;
/// How much prefix operators bind.
pub(super) const UNARY: u8 = 8;
const PRODUCT: u8 = 7;
const SUM: u8 = 6;
const COMPARISON: u8 = 5;
const AND: u8 = 4;
const OR: u8 = 3;

/// What is left to write. Terms come with how much they must bind to stand
/// without parentheses, and with the enumeration that they must be of.
pub(super) enum Work {
    Term(TermId, u8, Option<Values>),
    /// At the first step and later.
    Parts((TermId, TermId), u8, Option<Values>),
    Text(String),
}

type Expanded = Option<(u8, Vec<Work>)>;

/// The text of one term that is no variable, its operands left as work.
pub(super) fn expand(
    terms: &Terms,
    term: TermId,
    wanted: Option<Values>,
    known: &[Option<Values>],
) -> Expanded {
    let of = |a: TermId| enumeration(terms, a, known);
    match terms.get(term) {
        Term::Apply(Operator::Ite, [c, a, b]) => {
            let parts = vec![
                text("if "),
                Work::Term(*c, 0, None),
                text(" then "),
                Work::Term(*a, 0, wanted.clone()),
                text(" else "),
                Work::Term(*b, 0, wanted),
            ];
            return Some((0, parts));
        }
        Term::Value(value) => return constant(value, wanted.as_ref()),
        _ if wanted.is_some() => return None,
        _ => {}
    }
    Some(match terms.get(term) {
        Term::Apply(Operator::Not, [a]) => match terms.get(*a) {
            Term::Apply(Operator::Eq, [a, b]) => {
                infix(&value_last(terms, *a, *b), " <> ", COMPARISON, of(*a).or_else(|| of(*b)))
            }
            // `not (a <= b)` is how a strict comparison is kept.
            Term::Apply(Operator::Le, [a, b]) => match of(*a).or_else(|| of(*b)) {
                Some(values) => in_order(terms, *a, *b, &values, false)?,
                None if terms.value(*b).is_some() => infix(&[*a, *b], " > ", COMPARISON, None),
                None => infix(&[*b, *a], " < ", COMPARISON, None),
            },
            _ => (UNARY, vec![text("not "), Work::Term(*a, UNARY, None)]),
        },
        Term::Apply(Operator::And, list) => infix(list, " and ", AND, None),
        Term::Apply(Operator::Or, list) => infix(list, " or ", OR, None),
        Term::Apply(Operator::Eq, [a, b]) => {
            infix(&value_last(terms, *a, *b), " = ", COMPARISON, of(*a).or_else(|| of(*b)))
        }
        Term::Apply(Operator::Le, [a, b]) => match of(*a).or_else(|| of(*b)) {
            Some(values) => in_order(terms, *a, *b, &values, true)?,
            None if terms.value(*a).is_some() => infix(&[*b, *a], " >= ", COMPARISON, None),
            None => infix(&[*a, *b], " <= ", COMPARISON, None),
        },
        Term::Apply(Operator::Add, list) => sum(terms, list),
        Term::Apply(Operator::Mul, list) => product(terms, list),
        Term::Apply(Operator::IntDiv, [a, b]) => infix(&[*a, *b], " div ", PRODUCT, None),
        Term::Apply(Operator::Mod, [a, b]) => infix(&[*a, *b], " mod ", PRODUCT, None),
        Term::Apply(Operator::RealDiv, [a, b]) => infix(&[*a, *b], " / ", PRODUCT, None),
        Term::Apply(Operator::ToReal, [a]) => {
            (UNARY, vec![text("real "), Work::Term(*a, UNARY, None)])
        }
        Term::Apply(Operator::Floor, [a]) => {
            (UNARY, vec![text("int "), Work::Term(*a, UNARY, None)])
        }
        // Variables are written by the caller.
        Term::Apply(..) | Term::Value(_) | Term::Var(..) => return None,
    })
}

fn text(text: &str) -> Work {
    Work::Text(text.to_string())
}

fn infix(list: &[TermId], op: &str, strength: u8, values: Option<Values>) -> (u8, Vec<Work>) {
    let mut parts = Vec::with_capacity(2 * list.len());
    for (i, a) in list.iter().enumerate() {
        if i > 0 {
            parts.push(text(op));
        }
        parts.push(Work::Term(*a, strength + 1, values.clone()));
    }
    (strength, parts)
}

/// A sum: what is negative is subtracted, where something is before it.
fn sum(terms: &Terms, list: &[TermId]) -> (u8, Vec<Work>) {
    let (negative, positive): (Vec<TermId>, Vec<TermId>) =
        list.iter().partition(|a| factor(terms, **a).is_some_and(Value::is_negative));
    let (_, mut parts) = infix(&positive, " + ", SUM, None);
    for a in negative {
        if parts.is_empty() {
            parts.push(Work::Term(a, SUM + 1, None));
            continue;
        }
        parts.push(text(" - "));
        match terms.get(a) {
            Term::Value(value) => parts.push(Work::Text(absolute(value))),
            Term::Apply(Operator::Mul, list) => parts.extend(factors(terms, list, true)),
            _ => parts.push(Work::Term(a, SUM + 1, None)),
        }
    }
    (SUM, parts)
}

fn product(terms: &Terms, list: &[TermId]) -> (u8, Vec<Work>) {
    if let [minus_one, a] = list
        && terms.value(*minus_one).is_some_and(|v| v.is_negative() && is_one(v))
    {
        // Two signs in a row would begin a comment.
        return (UNARY, vec![text("-"), Work::Term(*a, TIGHT, None)]);
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
            _ => Work::Term(*a, PRODUCT + 1, None),
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
        other => lustral_term::show_value(other),
    }
}

fn constant(value: &Value, wanted: Option<&Values>) -> Expanded {
    if let Some(values) = wanted {
        let Value::Int(n) = value else { return None };
        let name = values.get(n.to_usize()?)?;
        return Some((TIGHT, vec![text(name)]));
    }
    let digits = absolute(value);
    Some(if value.is_negative() {
        (UNARY, vec![Work::Text(format!("-{digits}"))])
    } else {
        (TIGHT, vec![Work::Text(digits)])
    })
}

/// `a <= b`, or not, of an enumeration: Lustre does not order its values, so
/// they are listed, or the one that is left out. One side is a constant, else
/// there is no text.
fn in_order(terms: &Terms, a: TermId, b: TermId, values: &Values, holds: bool) -> Expanded {
    debug_assert!(is_number(terms.sort(a)) && terms.sort(a) == Sort::Int);
    let at = |t: TermId| match terms.value(t) {
        Some(Value::Int(n)) => Some(n.clone()),
        _ => None,
    };
    let (subject, inside): (TermId, Vec<bool>) = match (at(a), at(b)) {
        (None, Some(high)) => (a, (0..values.len()).map(|i| high >= i.into()).collect()),
        (Some(low), None) => (b, (0..values.len()).map(|i| low <= i.into()).collect()),
        _ => return None,
    };
    // All but one are named by that one.
    let mut others = values.iter().zip(&inside).filter(|(_, inside)| **inside != holds);
    if let (Some((name, _)), None) = (others.next(), others.next())
        && values.len() > 2
    {
        let subject = Work::Term(subject, SUM, Some(values.clone()));
        return Some((COMPARISON, vec![subject, Work::Text(format!(" <> {name}"))]));
    }
    let mut parts = Vec::new();
    for (name, _) in values.iter().zip(inside).filter(|(_, inside)| *inside == holds) {
        if !parts.is_empty() {
            parts.push(text(" or "));
        }
        parts.push(Work::Term(subject, SUM, Some(values.clone())));
        parts.push(Work::Text(format!(" = {name}")));
    }
    if parts.is_empty() {
        return Some((TIGHT, vec![text("false")]));
    }
    Some((OR, parts))
}

/// Two sides of an equation as people write it.
fn value_last(terms: &Terms, a: TermId, b: TermId) -> [TermId; 2] {
    if terms.value(a).is_some() { [b, a] } else { [a, b] }
}
