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
        ExprKind::Machine(shape, n) => terms.bit_vec(*shape, n.clone()),
        ExprKind::Unary(op, a) => {
            let a = get(a);
            unary(terms, *op, a)
        }
        ExprKind::Binary(op, a, b) => binary(terms, *op, get(a), get(b)),
        ExprKind::If(c, a, b) => terms.ite(get(c), get(a), get(b)),
        ExprKind::AtMostOne(list) => {
            let list: Vec<TermId> = list.iter().map(get).collect();
            at_most_one(terms, &list)
        }
        ExprKind::At(a, index) => {
            let index: Vec<TermId> = index.iter().map(&get).collect();
            terms.select(get(a), &index)
        }
        ExprKind::Put(a, index, value) => {
            let index: Vec<TermId> = index.iter().map(&get).collect();
            terms.store(get(a), &index, get(value))
        }
        ExprKind::Everywhere(sort, value) => terms.const_array(*sort, get(value)),
        ExprKind::Within(limit, list) => {
            let list: Vec<TermId> = list.iter().map(&get).collect();
            terms.within(*limit, &list)
        }
        ExprKind::ByKey(c, a, b) => terms.choose(get(c), get(a), get(b)),
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

fn unary(terms: &mut Terms, op: UnaryOp, a: TermId) -> TermId {
    let machine = terms.sort(a).bit_vec().is_some();
    match op {
        UnaryOp::Not => terms.not(a),
        UnaryOp::Minus if machine => terms.bv_neg(a),
        UnaryOp::Minus => terms.neg(a),
        UnaryOp::Floor => terms.floor(a),
        UnaryOp::ToReal => terms.to_real(a),
        UnaryOp::BitNot => terms.bv_not(a),
        UnaryOp::ToMachine(shape) if machine => terms.bv_resize(a, shape),
        UnaryOp::ToMachine(shape) => terms.int_to_bv(a, shape),
        UnaryOp::ToInt => terms.bv_to_int(a),
        UnaryOp::Bits { high, low } => terms.bv_extract(a, high, low),
    }
}

/// The operators that machine integers and numbers have alike, on machine integers:
/// none if it is another.
fn machine(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    terms.sort(a).bit_vec()?;
    Some(match op {
        BinaryOp::Less => terms.bv_lt(a, b),
        BinaryOp::LessEqual => terms.bv_le(a, b),
        BinaryOp::Greater => terms.bv_lt(b, a),
        BinaryOp::GreaterEqual => terms.bv_le(b, a),
        BinaryOp::Plus => terms.bv_add(a, b),
        BinaryOp::Minus => terms.bv_sub(a, b),
        BinaryOp::Times => terms.bv_mul(a, b),
        BinaryOp::Div => terms.bv_div(a, b),
        BinaryOp::Mod => terms.bv_rem(a, b),
        _ => return None,
    })
}

fn binary(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> TermId {
    if let Some(found) = machine(terms, op, a, b) {
        return found;
    }
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
        BinaryOp::Join => terms.bv_concat(a, b),
        BinaryOp::BitOr => terms.bv_or(a, b),
        BinaryOp::BitAnd => terms.bv_and(a, b),
        BinaryOp::ShiftLeft => terms.bv_shl(a, b),
        BinaryOp::ShiftRight => terms.bv_shr(a, b),
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
