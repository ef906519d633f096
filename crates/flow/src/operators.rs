//! Operators without state as terms.

use lustral_kernel::{ExprId, ExprKind};
use lustral_sema::program::{BinaryOp, UnaryOp};
use lustral_term::{Sort, TermId, Terms, Value};

/// The term of an expression without state from those of its operands.
pub(crate) fn combine(
    terms: &mut Terms,
    kind: &ExprKind,
    get: impl Fn(&ExprId) -> TermId,
) -> TermId {
    match kind {
        ExprKind::Bool(b) => terms.bool(*b),
        ExprKind::Int(n) => terms.int(n.clone()),
        ExprKind::Real(r) => terms.constant(Value::Real(r.clone())),
        ExprKind::Enum(e, i) => terms.constant(Value::Enum(*e, *i)),
        ExprKind::Unary(op, a) => {
            let a = get(a);
            match op {
                UnaryOp::Not => terms.not(a),
                UnaryOp::Minus => terms.neg(a),
                UnaryOp::Floor => terms.floor(a),
                UnaryOp::ToReal => terms.to_real(a),
            }
        }
        ExprKind::Binary(op, a, b) => binary(terms, *op, get(a), get(b)),
        ExprKind::If(c, a, b) => terms.ite(get(c), get(a), get(b)),
        ExprKind::AtMostOne(list) => {
            let list: Vec<TermId> = list.iter().map(get).collect();
            at_most_one(terms, &list)
        }
        ExprKind::Const(_)
        | ExprKind::Flow(_)
        | ExprKind::Present(_)
        | ExprKind::Output(..)
        | ExprKind::Pre(_)
        | ExprKind::Any
        | ExprKind::Apply(..)
        | ExprKind::Arrow(..) => unreachable!("has state or context: encoded by the instance"),
    }
}

fn binary(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> TermId {
    match op {
        BinaryOp::And => terms.and([a, b]),
        BinaryOp::Or => terms.or([a, b]),
        BinaryOp::Implies => terms.implies(a, b),
        BinaryOp::Equal => terms.eq(a, b),
        BinaryOp::Xor | BinaryOp::NotEqual => {
            let equal = terms.eq(a, b);
            terms.not(equal)
        }
        BinaryOp::Less => terms.lt(a, b),
        BinaryOp::LessEqual => terms.le(a, b),
        BinaryOp::Greater => terms.lt(b, a),
        BinaryOp::GreaterEqual => terms.le(b, a),
        BinaryOp::Plus => terms.add(&[a, b]),
        BinaryOp::Minus => terms.sub(a, b),
        BinaryOp::Times => terms.mul(a, b),
        BinaryOp::Divide => terms.real_div(a, b),
        BinaryOp::Div => terms.int_div(a, b),
        BinaryOp::Mod => terms.modulo(a, b),
    }
}

/// None is true together with one before it; linear in the number of operands.
fn at_most_one(terms: &mut Terms, list: &[TermId]) -> TermId {
    let mut before = Terms::FALSE;
    let mut all = Vec::with_capacity(list.len());
    for a in list {
        let both = terms.and([before, *a]);
        all.push(terms.not(both));
        before = terms.or([before, *a]);
    }
    debug_assert!(list.iter().all(|a| terms.sort(*a) == Sort::Bool));
    terms.and(all)
}
