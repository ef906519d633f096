//! Terms as text, for people: in the operators of Lustre.

use lustral_base::decimal;

use crate::arena::Terms;
use crate::operator::{Notation, Operator};
use crate::strength;
use crate::term::{Term, TermId, VarId};
use crate::value::Value;
use lustral_base::sort::Enumeration;

/// How things are called. A function that names variables will do.
pub trait Names {
    /// The name of a variable.
    fn variable(&self, var: VarId) -> String;

    /// The name of a value of an enumeration, if it has one here.
    fn value(&self, _: Enumeration, _position: u32) -> Option<String> {
        None
    }
}

impl<F: Fn(VarId) -> String> Names for F {
    fn variable(&self, var: VarId) -> String {
        self(var)
    }
}

/// A value as text.
#[must_use]
pub fn show_value(value: &Value, names: &dyn Names) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Real(r) => decimal::for_programs(r),
        Value::Enum(e, i) => names.value(*e, *i).unwrap_or_else(|| format!("#{i}")),
        Value::BitVec(shape, bits) => shape.number(bits).to_string(),
        Value::Uninterpreted(_, i) => format!("@{i}"),
        Value::Array(array) => {
            // A set is the list of what is in it.
            let is_set = *array.default() == Value::Bool(false);
            let mut parts = Vec::new();
            for (index, element) in array.exceptions() {
                let index: Vec<String> = index.iter().map(|i| show_value(i, names)).collect();
                let key = match &index[..] {
                    [scalar] => scalar.clone(),
                    _ => format!("({})", index.join(", ")),
                };
                parts.push(if is_set {
                    key
                } else {
                    format!("{key}: {}", show_value(element, names))
                });
            }
            if !is_set {
                parts.push(format!("else {}", show_value(array.default(), names)));
            }
            format!("{{{}}}", parts.join(", "))
        }
    }
}

enum Work {
    Term(TermId, u8),
    Text(String),
}

/// A term as text. Shared parts are written out each time, so this is for terms
/// of modest size: after `limit` characters it ends with an ellipsis.
#[must_use]
pub fn show_term(terms: &Terms, root: TermId, limit: usize, names: &dyn Names) -> String {
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
                let (strength, parts) = expand(terms, id, names);
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

fn expand(terms: &Terms, id: TermId, names: &dyn Names) -> (u8, Vec<Work>) {
    match terms.get(id) {
        Term::Value(value) => {
            let binds = if value.is_negative() { strength::SUM } else { strength::TIGHT };
            (binds, vec![Work::Text(show_value(value, names))])
        }
        Term::Var(var, _) => (strength::TIGHT, vec![Work::Text(names.variable(var))]),
        Term::Apply(Operator::Not, [a]) => match terms.get(*a) {
            // `not (b <= a)` is how a strict comparison is kept.
            Term::Apply(Operator::Le | Operator::BvLe, [b, a]) => {
                infix(&[*a, *b], " < ", strength::COMPARISON)
            }
            Term::Apply(Operator::Eq, list) => infix(list, " <> ", strength::COMPARISON),
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
        Notation::Call(name) => call(name, list),
        Notation::Cast => {
            let (Operator::IntToBv(shape) | Operator::BvResize(shape)) = operator else {
                unreachable!("only conversions to bit-vectors are casts");
            };
            (0, vec![Work::Text(format!("{} ", shape.conversion())), Work::Term(list[0], 0)])
        }
        Notation::Slice => {
            let Operator::BvExtract { high, low } = operator else {
                unreachable!("only extractions are slices");
            };
            (
                strength::TIGHT,
                vec![Work::Term(list[0], strength::TIGHT), Work::Text(format!("[{high}:{low}]"))],
            )
        }
        Notation::Index => {
            let mut parts = vec![Work::Term(list[0], strength::TIGHT), text("[")];
            parts.extend(infix(&list[1..], " ", 0).1);
            parts.push(text("]"));
            (strength::TIGHT, parts)
        }
        Notation::Update => {
            let last = list.len() - 1;
            let [array, element] = [list[0], list[last]].map(|a| Work::Term(a, 1));
            let mut parts = vec![text("("), array, text(" with [")];
            parts.extend(infix(&list[1..last], " ", 0).1);
            parts.extend([text("] = "), element, text(")")]);
            (strength::TIGHT, parts)
        }
        Notation::Function => {
            let Operator::Call(function) = operator else {
                unreachable!("only calls are functions without a name");
            };
            call(&format!("f{}", function.id.0), list)
        }
        Notation::Conditional => {
            let [condition, yes, no] = [list[0], list[1], list[2]].map(|a| Work::Term(a, 1));
            (0, vec![text("if "), condition, text(" then "), yes, text(" else "), no])
        }
    }
}

fn call(name: &str, list: &[TermId]) -> (u8, Vec<Work>) {
    let (_, mut parts) = infix(list, ", ", 0);
    parts.insert(0, Work::Text(format!("{name}(")));
    parts.push(Work::Text(")".into()));
    (strength::TIGHT, parts)
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
