//! Terms as text, for people: in the operators of Lustre.

use lustral_base::decimal;
use num_traits::Signed;

use crate::arena::Terms;
use crate::operator::{Notation, Operator};
use crate::term::{Term, TermId, VarId};
use crate::value::Value;

/// A value as text.
#[must_use]
pub fn show_value(value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Real(r) => decimal::for_programs(r),
    }
}

enum Work {
    Term(TermId, u8),
    Text(String),
}

/// A term as text; `name` gives the names of the variables. Shared parts are
/// written out each time, so this is for terms of modest size: after `limit`
/// characters it ends with an ellipsis.
#[must_use]
pub fn show_term(
    terms: &Terms,
    root: TermId,
    limit: usize,
    name: &dyn Fn(VarId) -> String,
) -> String {
    let mut out = String::new();
    let mut stack = vec![Work::Term(root, 0)];
    while let Some(work) = stack.pop() {
        if out.len() > limit {
            out.push('…');
            break;
        }
        match work {
            Work::Text(text) => out.push_str(&text),
            Work::Term(id, least) => {
                let (strength, parts) = expand(terms, id, name);
                if strength < least {
                    out.push('(');
                    stack.push(Work::Text(")".into()));
                }
                stack.extend(parts.into_iter().rev());
            }
        }
    }
    out
}

fn expand(terms: &Terms, id: TermId, name: &dyn Fn(VarId) -> String) -> (u8, Vec<Work>) {
    match terms.get(id) {
        Term::Value(value) => {
            let strength = if is_negative(value) { 6 } else { 9 };
            (strength, vec![Work::Text(show_value(value))])
        }
        Term::Var(var, _) => (9, vec![Work::Text(name(var))]),
        Term::Apply(Operator::Not, [a]) => match terms.get(*a) {
            // `not (b <= a)` is how a strict comparison is kept.
            Term::Apply(Operator::Le, [b, a]) => infix(&[*a, *b], " < ", 5),
            Term::Apply(Operator::Eq, list) => infix(list, " <> ", 5),
            _ => notated(Operator::Not, &[*a]),
        },
        Term::Apply(operator, operands) => notated(operator, operands),
    }
}

/// An operator by its entry in the table.
fn notated(operator: Operator, list: &[TermId]) -> (u8, Vec<Work>) {
    let text = |text: &str| Work::Text(text.to_string());
    match operator.entry().notation {
        Notation::Prefix(op, strength) => (strength, vec![text(op), Work::Term(list[0], strength)]),
        Notation::Infix(op, strength) => infix(list, op, strength),
        Notation::Call(f) => {
            let (_, mut parts) = infix(list, ", ", 0);
            parts.insert(0, Work::Text(format!("{f}(")));
            parts.push(text(")"));
            (9, parts)
        }
        Notation::Conditional => {
            let [condition, yes, no] = [list[0], list[1], list[2]].map(|a| Work::Term(a, 1));
            (0, vec![text("if "), condition, text(" then "), yes, text(" else "), no])
        }
    }
}

fn infix(list: &[TermId], op: &str, strength: u8) -> (u8, Vec<Work>) {
    let mut parts = Vec::new();
    for (i, a) in list.iter().enumerate() {
        if i > 0 {
            parts.push(Work::Text(op.to_string()));
        }
        parts.push(Work::Term(*a, strength + 1));
    }
    (strength, parts)
}

fn is_negative(value: &Value) -> bool {
    match value {
        Value::Int(n) => n.is_negative(),
        Value::Real(r) => r.is_negative(),
        Value::Bool(_) => false,
    }
}
