//! Terms as text, for people: in the operators of Lustre.

use lustral_base::decimal;
use num_traits::Signed;

use crate::arena::{Op, TermId, Terms, VarId};
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
    let infix = |list: &[TermId], op: &str, strength: u8| {
        let mut parts = Vec::new();
        for (i, a) in list.iter().enumerate() {
            if i > 0 {
                parts.push(Work::Text(op.to_string()));
            }
            parts.push(Work::Term(*a, strength + 1));
        }
        (strength, parts)
    };
    let call = |f: &str, a: TermId| {
        let parts = vec![Work::Text(format!("{f}(")), Work::Term(a, 0), Work::Text(")".into())];
        (9, parts)
    };
    match terms.op(id) {
        Op::Value(value) => {
            let negative = match value {
                Value::Int(n) => n.is_negative(),
                Value::Real(r) => r.is_negative(),
                Value::Bool(_) => false,
            };
            (if negative { 6 } else { 9 }, vec![Work::Text(show_value(value))])
        }
        Op::Var(var, _) => (9, vec![Work::Text(name(*var))]),
        Op::Not(a) => match terms.op(*a) {
            // `not (b <= a)` is how a strict comparison is kept.
            Op::Le(b, a) => infix(&[*a, *b], " < ", 5),
            Op::Eq(a, b) => infix(&[*a, *b], " <> ", 5),
            _ => (8, vec![Work::Text("not ".into()), Work::Term(*a, 8)]),
        },
        Op::And(list) => infix(list, " and ", 4),
        Op::Or(list) => infix(list, " or ", 3),
        Op::Eq(a, b) => infix(&[*a, *b], " = ", 5),
        Op::Le(a, b) => infix(&[*a, *b], " <= ", 5),
        Op::Add(list) => infix(list, " + ", 6),
        Op::Mul(list) => infix(list, " * ", 7),
        Op::IntDiv(a, b) => infix(&[*a, *b], " div ", 7),
        Op::Mod(a, b) => infix(&[*a, *b], " mod ", 7),
        Op::RealDiv(a, b) => infix(&[*a, *b], " / ", 7),
        Op::ToReal(a) => call("real", *a),
        Op::Floor(a) => call("int", *a),
        Op::Ite(c, a, b) => (
            0,
            vec![
                Work::Text("if ".into()),
                Work::Term(*c, 1),
                Work::Text(" then ".into()),
                Work::Term(*a, 1),
                Work::Text(" else ".into()),
                Work::Term(*b, 1),
            ],
        ),
    }
}
