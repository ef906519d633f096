//! Machine integers: bit-vectors as in SMT-LIB, where the sign that the sort
//! has decides between the signed and the unsigned operation.
//!
//! Arithmetic wraps around. Division truncates towards zero and the remainder
//! has the sign of the dividend; by zero the quotient is all ones (for a
//! negative dividend, one) and the remainder the dividend, as `bvudiv`, `bvsdiv`,
//! `bvurem` and `bvsrem` have it: nothing is left open. Shifts take their amount
//! without a sign; beyond the width nothing is left, or the sign.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::uniform;
use crate::operator::{Arity, Entry, Notation, Operator, Smtlib};
use crate::strength;
use crate::value::Value;
use lustral_base::sort::{BitVec, Sort};

/// Bit-vectors of one sort, to the same.
fn same(_: Operator, sorts: &[Sort]) -> Option<Sort> {
    uniform(sorts).filter(|sort| sort.bit_vec().is_some())
}

fn shape(value: &Value) -> BitVec {
    value.sort().bit_vec().expect("operands are well-sorted")
}

fn bits(value: &Value) -> &BigUint {
    match value {
        Value::BitVec(_, bits) => bits,
        _ => unreachable!("operands are well-sorted"),
    }
}

fn number(value: &Value) -> BigInt {
    shape(value).number(bits(value))
}

/// A binary operation on numbers, wrapped around.
fn wrapped(values: &[&Value], operation: fn(BigInt, BigInt) -> BigInt) -> Value {
    Value::bit_vec(shape(values[0]), operation(number(values[0]), number(values[1])))
}

/// A binary operation on bits.
fn bitwise(values: &[&Value], operation: fn(&BigUint, &BigUint) -> BigUint) -> Value {
    Value::BitVec(shape(values[0]), operation(bits(values[0]), bits(values[1])))
}

/// All ones.
fn ones(shape: BitVec) -> BigUint {
    (BigUint::one() << shape.width()) - BigUint::one()
}

/// The application of one of two functions of SMT-LIB, by the sign of the first operand.
fn by_sign(sorts: &[Sort], texts: &[&str], [unsigned, signed]: [&str; 2]) -> String {
    let is_signed = sorts[0].bit_vec().is_some_and(BitVec::is_signed);
    format!("({} {} {})", if is_signed { signed } else { unsigned }, texts[0], texts[1])
}

pub static BV_NOT: Entry = Entry {
    arity: Arity::Exactly(1),
    typing: same,
    evaluate: |_, v, _| Value::BitVec(shape(v[0]), ones(shape(v[0])) ^ bits(v[0])),
    construct: |terms, _, list| terms.bv_not(list[0]),
    smtlib: Smtlib::Name("bvnot"),
    notation: Notation::Prefix("!", strength::PREFIX),
};

pub static BV_NEG: Entry = Entry {
    arity: Arity::Exactly(1),
    typing: same,
    evaluate: |_, v, _| Value::bit_vec(shape(v[0]), -number(v[0])),
    construct: |terms, _, list| terms.bv_neg(list[0]),
    smtlib: Smtlib::Name("bvneg"),
    notation: Notation::Prefix("-", strength::PREFIX),
};

pub static BV_AND: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: same,
    evaluate: |_, v, _| bitwise(v, |a, b| a & b),
    construct: |terms, _, list| terms.bv_and(list[0], list[1]),
    smtlib: Smtlib::Name("bvand"),
    notation: Notation::Infix(" && ", strength::BIT_AND),
};

pub static BV_OR: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: same,
    evaluate: |_, v, _| bitwise(v, |a, b| a | b),
    construct: |terms, _, list| terms.bv_or(list[0], list[1]),
    smtlib: Smtlib::Name("bvor"),
    notation: Notation::Infix(" || ", strength::BIT_OR),
};

pub static BV_XOR: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: same,
    evaluate: |_, v, _| bitwise(v, |a, b| a ^ b),
    construct: |terms, _, list| terms.bv_xor(list[0], list[1]),
    smtlib: Smtlib::Name("bvxor"),
    notation: Notation::Call("bvxor"),
};

pub static BV_ADD: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: same,
    evaluate: |_, v, _| wrapped(v, |a, b| a + b),
    construct: |terms, _, list| terms.bv_add(list[0], list[1]),
    smtlib: Smtlib::Name("bvadd"),
    notation: Notation::Infix(" + ", strength::SUM),
};

pub static BV_MUL: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: same,
    evaluate: |_, v, _| wrapped(v, |a, b| a * b),
    construct: |terms, _, list| terms.bv_mul(list[0], list[1]),
    smtlib: Smtlib::Name("bvmul"),
    notation: Notation::Infix(" * ", strength::PRODUCT),
};

pub static BV_DIV: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: same,
    evaluate: |_, v, _| {
        wrapped(v, |a, b| match b.is_zero() {
            true if a.is_negative() => BigInt::one(),
            true => -BigInt::one(),
            false => a / b,
        })
    },
    construct: |terms, _, list| terms.bv_div(list[0], list[1]),
    smtlib: Smtlib::Text(|_, sorts, texts| by_sign(sorts, texts, ["bvudiv", "bvsdiv"])),
    notation: Notation::Infix(" div ", strength::PRODUCT),
};

pub static BV_REM: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: same,
    evaluate: |_, v, _| wrapped(v, |a, b| if b.is_zero() { a } else { a % b }),
    construct: |terms, _, list| terms.bv_rem(list[0], list[1]),
    smtlib: Smtlib::Text(|_, sorts, texts| by_sign(sorts, texts, ["bvurem", "bvsrem"])),
    notation: Notation::Infix(" mod ", strength::PRODUCT),
};

/// A word and how far it is shifted: of the same width, whatever their signs.
fn shift(_: Operator, sorts: &[Sort]) -> Option<Sort> {
    (sorts[0].bit_vec()?.width() == sorts[1].bit_vec()?.width()).then_some(sorts[0])
}

/// How far a word is shifted; more than its width is as much as its width.
fn amount(values: &[&Value]) -> u16 {
    let width = shape(values[0]).width();
    bits(values[1]).to_u16().map_or(width, |amount| amount.min(width))
}

pub static BV_SHL: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: shift,
    evaluate: |_, v, _| Value::bit_vec(shape(v[0]), number(v[0]) << amount(v)),
    construct: |terms, _, list| terms.bv_shl(list[0], list[1]),
    smtlib: Smtlib::Name("bvshl"),
    notation: Notation::Infix(" lsh ", strength::SHIFT),
};

pub static BV_SHR: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: shift,
    // Shifting a number rounds down, which is what copies of the sign do.
    evaluate: |_, v, _| {
        Value::bit_vec(shape(v[0]), number(v[0]).div_floor(&(BigInt::one() << amount(v))))
    },
    construct: |terms, _, list| terms.bv_shr(list[0], list[1]),
    smtlib: Smtlib::Text(|_, sorts, texts| by_sign(sorts, texts, ["bvlshr", "bvashr"])),
    notation: Notation::Infix(" rsh ", strength::SHIFT),
};

pub static BV_LE: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: |operator, sorts| same(operator, sorts).map(|_| Sort::Bool),
    evaluate: |_, v, _| Value::Bool(number(v[0]) <= number(v[1])),
    construct: |terms, _, list| terms.bv_le(list[0], list[1]),
    smtlib: Smtlib::Text(|_, sorts, texts| by_sign(sorts, texts, ["bvule", "bvsle"])),
    notation: Notation::Infix(" <= ", strength::COMPARISON),
};

/// The shape that a conversion has as its parameter.
fn target(operator: Operator) -> BitVec {
    match operator {
        Operator::IntToBv(shape) | Operator::BvResize(shape) => shape,
        _ => unreachable!("no conversion to bit-vectors"),
    }
}

pub static INT_TO_BV: Entry = Entry {
    arity: Arity::Exactly(1),
    typing: |operator, sorts| (sorts[0] == Sort::Int).then(|| Sort::BitVec(target(operator))),
    evaluate: |operator, v, _| match v[0] {
        Value::Int(n) => Value::bit_vec(target(operator), n.clone()),
        _ => unreachable!("operands are well-sorted"),
    },
    construct: |terms, operator, list| terms.int_to_bv(list[0], target(operator)),
    smtlib: Smtlib::Text(|operator, _, texts| {
        format!("((_ int2bv {}) {})", target(operator).width(), texts[0])
    }),
    notation: Notation::Cast,
};

pub static BV_TO_INT: Entry = Entry {
    arity: Arity::Exactly(1),
    typing: |_, sorts| sorts[0].bit_vec().map(|_| Sort::Int),
    evaluate: |_, v, _| Value::Int(number(v[0])),
    construct: |terms, _, list| terms.bv_to_int(list[0]),
    smtlib: Smtlib::Text(|_, sorts, texts| {
        let (shape, text) = (sorts[0].bit_vec().expect("operands are well-sorted"), texts[0]);
        if !shape.is_signed() {
            return format!("(bv2nat {text})");
        }
        // Half of the numbers added to the signed number, as bits a flipped
        // sign, makes one without a sign; not every solver has `sbv_to_int`.
        let (half, width) = (BigInt::one() << (shape.width() - 1), shape.width());
        format!("(- (bv2nat (bvxor {text} (_ bv{half} {width}))) {half})")
    }),
    notation: Notation::Call("int"),
};

pub static BV_RESIZE: Entry = Entry {
    arity: Arity::Exactly(1),
    typing: |operator, sorts| sorts[0].bit_vec().map(|_| Sort::BitVec(target(operator))),
    evaluate: |operator, v, _| Value::bit_vec(target(operator), number(v[0])),
    construct: |terms, operator, list| terms.bv_resize(list[0], target(operator)),
    smtlib: Smtlib::Text(|operator, sorts, texts| {
        let (from, to) = (sorts[0].bit_vec().expect("operands are well-sorted"), target(operator));
        match to.width().checked_sub(from.width()) {
            Some(more) => {
                let extension = if from.is_signed() { "sign_extend" } else { "zero_extend" };
                format!("((_ {extension} {more}) {})", texts[0])
            }
            None => format!("((_ extract {} 0) {})", to.width() - 1, texts[0]),
        }
    }),
    notation: Notation::Cast,
};

pub static BV_CONCAT: Entry = Entry {
    arity: Arity::Exactly(2),
    typing: |_, sorts| {
        let width = sorts[0].bit_vec()?.width() + sorts[1].bit_vec()?.width();
        (width <= BitVec::MAX_WIDTH).then(|| Sort::BitVec(BitVec::unsigned(width)))
    },
    evaluate: |_, v, _| {
        let (high, low) = (shape(v[0]).width(), shape(v[1]).width());
        Value::BitVec(BitVec::unsigned(high + low), (bits(v[0]) << low) | bits(v[1]))
    },
    construct: |terms, _, list| terms.bv_concat(list[0], list[1]),
    smtlib: Smtlib::Name("concat"),
    notation: Notation::Infix(" ++ ", strength::JOIN),
};

/// The first and the last bit of an extraction.
fn extracted(operator: Operator) -> (u16, u16) {
    match operator {
        Operator::BvExtract { high, low } => (high, low),
        _ => unreachable!("no extraction"),
    }
}

pub static BV_EXTRACT: Entry = Entry {
    arity: Arity::Exactly(1),
    typing: |operator, sorts| {
        let ((high, low), width) = (extracted(operator), sorts[0].bit_vec()?.width());
        (low <= high && high < width).then(|| Sort::BitVec(BitVec::unsigned(high - low + 1)))
    },
    evaluate: |operator, v, _| {
        let (high, low) = extracted(operator);
        Value::bit_vec(BitVec::unsigned(high - low + 1), BigInt::from(bits(v[0]) >> low))
    },
    construct: |terms, operator, list| {
        let (high, low) = extracted(operator);
        terms.bv_extract(list[0], high, low)
    },
    smtlib: Smtlib::Text(|operator, _, texts| {
        let (high, low) = extracted(operator);
        format!("((_ extract {high} {low}) {})", texts[0])
    }),
    notation: Notation::Slice,
};
