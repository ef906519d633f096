//! The operators on exact values.
//!
//! Written apart from the rewriting of terms, with other means where there is a
//! choice, so that a mistake in one does not hide in the other.

use std::collections::BTreeSet;
use std::sync::Arc;

use lustral_base::{End, Limit, Limited};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

use crate::interp::{Choices, machine};
use crate::program::{BinaryOp, ExprId, ExprKind, Exprs, LeafId, UnaryOp};
use crate::types::{Table, Type, Value};

/// An operation that has no defined value at a zero divisor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Undefined {
    /// `/`
    Divide,
    /// `div`
    Div,
    /// `mod`
    Mod,
}

/// The value of a leaf of an expression without state from those of the leaves
/// that it needs.
pub(super) fn combine(
    exprs: &Exprs,
    (id, leaf): LeafId,
    get: impl Fn(LeafId) -> Value,
    choices: &mut dyn Choices,
) -> Value {
    match &exprs[id].kind {
        ExprKind::Bool(b) => Value::Bool(*b),
        ExprKind::Int(n) => Value::Int(n.clone()),
        ExprKind::Real(r) => Value::Real(r.clone()),
        ExprKind::Enum(_, i) => Value::Enum(*i),
        ExprKind::Machine(shape, n) => Value::Machine(*shape, n.clone()),
        ExprKind::Unary(op, a) => unary(*op, get((*a, 0))),
        ExprKind::Binary(op, a, b) if !exprs[*a].ty.is_scalar() => {
            let same = |leaf| get((*a, leaf)) == get((*b, leaf));
            // What does not count in the first does not in the second either, if they
            // are made alike so far.
            let counts = |leaf| {
                let around = exprs[*a].ty.counts_where(leaf);
                around.into_iter().all(|(tag, wanted)| get((*a, tag)) == Value::Enum(wanted))
            };
            let equal = (0..exprs[*a].ty.leaves()).all(|leaf| !counts(leaf) || same(leaf));
            Value::Bool(equal == (*op == BinaryOp::Equal))
        }
        ExprKind::Binary(op, a, b) => binary(*op, &get((*a, 0)), &get((*b, 0)), choices),
        ExprKind::If(c, a, b) => {
            if get((*c, 0)) == Value::Bool(true) {
                get((*a, leaf))
            } else {
                get((*b, leaf))
            }
        }
        ExprKind::AtMostOne(list) => {
            let count = list.iter().filter(|e| get((**e, 0)) == Value::Bool(true)).count();
            Value::Bool(count <= 1)
        }
        ExprKind::Compose(_) | ExprKind::Repeat(_) | ExprKind::Part(..) => {
            get(exprs.selected((id, leaf)))
        }
        ExprKind::With(whole, part, value) => match exprs[id].ty.at(leaf) {
            Some((changed, inside)) if changed == *part => get((*value, inside)),
            _ => get((*whole, leaf)),
        },
        ExprKind::WithElement(array, index, value) => {
            let changed = position(&get((*index, 0)), exprs[*array].ty.part_count());
            match exprs[id].ty.at(leaf) {
                Some((part, inside)) if changed == Some(part) => get((*value, inside)),
                _ => get((*array, leaf)),
            }
        }
        ExprKind::At(..)
        | ExprKind::Put(..)
        | ExprKind::Everywhere(_)
        | ExprKind::Within(..)
        | ExprKind::ByKey(..) => keyed(exprs, id, get),
        ExprKind::Const(_)
        | ExprKind::Stream(_)
        | ExprKind::Output(..)
        | ExprKind::Pre(_)
        | ExprKind::Arrow(..)
        | ExprKind::Fby(..)
        | ExprKind::Element(..)
        | ExprKind::Apply(..)
        | ExprKind::When(..)
        | ExprKind::Merge(..)
        | ExprKind::Held(..)
        | ExprKind::Any => unreachable!("has state or context: not combined from operands"),
    }
}

/// The value of an expression on a leaf of a set or map.
fn keyed(exprs: &Exprs, id: ExprId, get: impl Fn(LeafId) -> Value) -> Value {
    let all = |key: ExprId| -> Vec<Value> { exprs.key_leaves(key).map(&get).collect() };
    let table = match (&exprs[id].kind, &exprs[id].ty) {
        (ExprKind::At(table, key), _) => {
            return get_table(&get((*table, 0))).at(&all(*key)).clone();
        }
        (ExprKind::Within(limit, list), _) => {
            let operands: Vec<Value> = list.iter().map(|e| get((*e, 0))).collect();
            return Value::Bool(within(*limit, &operands));
        }
        (ExprKind::Put(table, key, value), _) => {
            get_table(&get((*table, 0))).put(all(*key), get((*value, 0)))
        }
        (ExprKind::Everywhere(value), Type::Keyed(keyed)) => {
            Table::everywhere(keyed.sorts.clone(), get((*value, 0)))
        }
        (ExprKind::ByKey(c, a, b), _) => {
            let [c, a, b] = [c, a, b].map(|e| get((*e, 0)));
            Table::choice(get_table(&c), get_table(&a), get_table(&b))
        }
        (kind, ty) => unreachable!("types were checked: {kind:?} of {ty:?}"),
    };
    Value::Table(Arc::new(table))
}

/// Whether a set is within a limit: no key that it has is beyond the bound, or has a value
/// beyond it.
fn within(limit: Limit, operands: &[Value]) -> bool {
    let [set, .., Value::Int(bound)] = operands else {
        unreachable!("types were checked: no limit of a set")
    };
    let set = get_table(set);
    let is_within = |number: &Value| match (number, limit.end) {
        (Value::Int(n), End::Low) => n >= bound,
        (Value::Int(n), End::High) => n <= bound,
        (other, _) => unreachable!("types were checked: a limit of {other:?}"),
    };
    let is_in = |value: &Value| *value == Value::Bool(true);
    match limit.of {
        Limited::Key(at) => {
            // There is an integer beyond the bound among those that are not listed.
            let mut listed = set.listed();
            !is_in(set.rest())
                && listed.all(|(key, value)| !is_in(value) || is_within(&key[at as usize]))
        }
        Limited::Value => {
            let table = get_table(&operands[1]);
            let keys = set.listed().chain(table.listed()).map(|(key, _)| key);
            let all: BTreeSet<&[Value]> = keys.collect();
            let rest = set.has_only(all.len()) || !is_in(set.rest()) || is_within(table.rest());
            rest && all.iter().all(|key| !is_in(set.at(key)) || is_within(table.at(key)))
        }
    }
}

fn get_table(value: &Value) -> &Table {
    match value {
        Value::Table(table) => table,
        other => unreachable!("types were checked: no set or map: {other:?}"),
    }
}

/// The leaf of an array that a leaf of one of its elements is, by the value of
/// the index; none outside of the bounds.
pub(super) fn element(
    exprs: &Exprs,
    (id, leaf): LeafId,
    array: ExprId,
    index: &Value,
) -> Option<LeafId> {
    let part = position(index, exprs[array].ty.part_count())?;
    Some((array, part * exprs[id].ty.leaves() + leaf))
}

/// The position that an index means in an array of some elements.
fn position(index: &Value, count: u32) -> Option<u32> {
    match index {
        Value::Int(n) => u32::try_from(n).ok().filter(|i| *i < count),
        other => unreachable!("types were checked: the index {other:?}"),
    }
}

fn unary(op: UnaryOp, a: Value) -> Value {
    match (op, a) {
        (UnaryOp::Not, Value::Bool(a)) => Value::Bool(!a),
        (UnaryOp::Minus, Value::Int(a)) => Value::Int(-a),
        (UnaryOp::Minus, Value::Real(a)) => Value::Real(-a),
        (UnaryOp::ToReal, Value::Int(a)) => Value::Real(BigRational::from_integer(a)),
        (UnaryOp::ToMachine(to), Value::Int(a)) => machine::wrap(to, a),
        (op, Value::Machine(shape, a)) => machine::unary(op, shape, a),
        (UnaryOp::Floor, Value::Real(a)) => Value::Int(a.floor().to_integer()),
        (op, a) => unreachable!("types were checked: {op:?} {a:?}"),
    }
}

fn binary(op: BinaryOp, a: &Value, b: &Value, choices: &mut dyn Choices) -> Value {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Value::Bool(logic(op, *a, *b)),
        (Value::Enum(a), Value::Enum(b)) => Value::Bool((a == b) == (op == BinaryOp::Equal)),
        (Value::Int(x), Value::Int(y)) => {
            compare(op, x, y).unwrap_or_else(|| integer(op, x, y, choices))
        }
        (Value::Real(x), Value::Real(y)) => {
            compare(op, x, y).unwrap_or_else(|| rational(op, x, y, choices))
        }
        (Value::Table(a), Value::Table(b)) => Value::Bool((a == b) == (op == BinaryOp::Equal)),
        (Value::Machine(left, x), Value::Machine(right, y)) => {
            compare(op, x, y).unwrap_or_else(|| machine::binary(op, (*left, x), (*right, y)))
        }
        _ => unreachable!("types were checked: {a:?} {op:?} {b:?}"),
    }
}

fn logic(op: BinaryOp, a: bool, b: bool) -> bool {
    match op {
        BinaryOp::And => a && b,
        BinaryOp::Or => a || b,
        BinaryOp::Xor | BinaryOp::NotEqual => a != b,
        BinaryOp::Implies => !a || b,
        BinaryOp::Equal => a == b,
        _ => unreachable!("types were checked: {op:?}"),
    }
}

fn compare<T: PartialOrd>(op: BinaryOp, a: &T, b: &T) -> Option<Value> {
    Some(Value::Bool(match op {
        BinaryOp::Equal => a == b,
        BinaryOp::NotEqual => a != b,
        BinaryOp::Less => a < b,
        BinaryOp::LessEqual => a <= b,
        BinaryOp::Greater => a > b,
        BinaryOp::GreaterEqual => a >= b,
        _ => return None,
    }))
}

fn integer(op: BinaryOp, a: &BigInt, b: &BigInt, choices: &mut dyn Choices) -> Value {
    match op {
        BinaryOp::Plus => Value::Int(a + b),
        BinaryOp::Minus => Value::Int(a - b),
        BinaryOp::Times => Value::Int(a * b),
        BinaryOp::Div if b.is_zero() => {
            choices.division_by_zero(Undefined::Div, &Value::Int(a.clone()))
        }
        BinaryOp::Mod if b.is_zero() => {
            choices.division_by_zero(Undefined::Mod, &Value::Int(a.clone()))
        }
        BinaryOp::Div => Value::Int(euclidean(a, b).0),
        BinaryOp::Mod => Value::Int(euclidean(a, b).1),
        _ => unreachable!("types were checked: {op:?}"),
    }
}

/// Quotient and remainder with `0 <= remainder < |b|`, from the division that
/// truncates: its remainder has the sign of the dividend.
pub(super) fn euclidean(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let quotient = a / b;
    let remainder = a - &quotient * b;
    if !remainder.is_negative() {
        (quotient, remainder)
    } else if b.is_negative() {
        (quotient + 1, remainder - b)
    } else {
        (quotient - 1, remainder + b)
    }
}

fn rational(op: BinaryOp, a: &BigRational, b: &BigRational, choices: &mut dyn Choices) -> Value {
    match op {
        BinaryOp::Plus => Value::Real(a + b),
        BinaryOp::Minus => Value::Real(a - b),
        BinaryOp::Times => Value::Real(a * b),
        BinaryOp::Divide if b.is_zero() => {
            choices.division_by_zero(Undefined::Divide, &Value::Real(a.clone()))
        }
        BinaryOp::Divide => Value::Real(a / b),
        _ => unreachable!("types were checked: {op:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_euclidean_for_every_pair_of_signs() {
        for (a, b, q, r) in [
            (7, 2, 3, 1),
            (-7, 2, -4, 1),
            (7, -2, -3, 1),
            (-7, -2, 4, 1),
            (6, -3, -2, 0),
            (-6, 3, -2, 0),
        ] {
            let found = euclidean(&BigInt::from(a), &BigInt::from(b));
            assert_eq!(found, (BigInt::from(q), BigInt::from(r)), "{a} {b}");
        }
    }
}
