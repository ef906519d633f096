//! The operators on machine integers, on the numbers that these are: a result is
//! that of the integers, brought back into the range of the type.

use lustral_base::sort::BitVec;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::interp::arithmetic::euclidean;
use crate::program::{BinaryOp, UnaryOp};
use crate::types::Value;

/// The number of a shape that differs from another by a multiple of `2^width`.
pub(super) fn wrap(shape: BitVec, number: BigInt) -> Value {
    let [low, high] = shape.range();
    let (_, above) = euclidean(&(number - &low), &(high - &low + 1));
    Value::Machine(shape, low + above)
}

pub(super) fn unary(op: UnaryOp, shape: BitVec, a: BigInt) -> Value {
    match op {
        UnaryOp::Minus => wrap(shape, -a),
        // In two's complement a number and its complement are -1 together.
        UnaryOp::BitNot => wrap(shape, -BigInt::one() - a),
        UnaryOp::ToMachine(to) => wrap(to, a),
        UnaryOp::ToInt => Value::Int(a),
        UnaryOp::Bits { high, low } => {
            wrap(BitVec::unsigned(high - low + 1), euclidean(&a, &power(low)).0)
        }
        UnaryOp::Not | UnaryOp::Floor | UnaryOp::ToReal => {
            unreachable!("types were checked: {op:?} {a}")
        }
    }
}

pub(super) fn binary(
    op: BinaryOp,
    (shape, a): (BitVec, &BigInt),
    (right, b): (BitVec, &BigInt),
) -> Value {
    match op {
        BinaryOp::Plus => wrap(shape, a + b),
        BinaryOp::Minus => wrap(shape, a - b),
        BinaryOp::Times => wrap(shape, a * b),
        BinaryOp::Div => wrap(shape, quotient(a, b)),
        BinaryOp::Mod => wrap(shape, a - quotient(a, b) * b),
        BinaryOp::BitAnd => wrap(shape, a & b),
        BinaryOp::BitOr => wrap(shape, a | b),
        BinaryOp::ShiftLeft => wrap(shape, a * power(amount(shape, b))),
        // Rounded down, also below zero: the sign comes after.
        BinaryOp::ShiftRight => wrap(shape, euclidean(a, &power(amount(shape, b))).0),
        BinaryOp::Join => {
            let both = BitVec::unsigned(shape.width() + right.width());
            wrap(both, a * power(right.width()) + b)
        }
        _ => unreachable!("types were checked: {op:?}"),
    }
}

/// Rounded towards zero. By zero it is what SMT-LIB has: one for a negative dividend
/// and else -1, which is all ones.
fn quotient(a: &BigInt, b: &BigInt) -> BigInt {
    let magnitude = if b.is_zero() { BigInt::one() } else { a.abs() / b.abs() };
    let same_sign = a.is_negative() == b.is_negative() && !b.is_zero();
    if same_sign || b.is_zero() && a.is_negative() { magnitude } else { -magnitude }
}

/// How far a shift goes: nothing is left beyond the width but the sign.
fn amount(shape: BitVec, by: &BigInt) -> u16 {
    by.to_u16().map_or(shape.width(), |by| by.min(shape.width()))
}

fn power(of_two: u16) -> BigInt {
    BigInt::one() << of_two
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs of bytes, against the arithmetic of the processor where that has it.
    #[test]
    fn division_and_shifts_are_those_of_smt_lib() {
        let signed = BitVec::signed(8);
        let of = |op, a: i8, b: i8| match binary(op, (signed, &a.into()), (signed, &b.into())) {
            Value::Machine(_, n) => n.to_i8().expect("in range"),
            other => panic!("{other:?}"),
        };
        for a in i8::MIN..=i8::MAX {
            for b in i8::MIN..=i8::MAX {
                let (quotient, remainder) = match b {
                    0 => (if a < 0 { 1 } else { -1 }, a),
                    _ => (a.wrapping_div(b), a.wrapping_rem(b)),
                };
                assert_eq!(of(BinaryOp::Div, a, b), quotient, "{a} div {b}");
                assert_eq!(of(BinaryOp::Mod, a, b), remainder, "{a} mod {b}");
                assert_eq!(of(BinaryOp::Times, a, b), a.wrapping_mul(b), "{a} * {b}");
                assert_eq!(of(BinaryOp::BitAnd, a, b), a & b, "{a} && {b}");
                assert_eq!(of(BinaryOp::BitOr, a, b), a | b, "{a} || {b}");
            }
            for by in 0..20u32 {
                let right = a >> by.min(7);
                let left = a.checked_shl(by).unwrap_or(0);
                assert_eq!(of(BinaryOp::ShiftRight, a, by as i8), right, "{a} rsh {by}");
                assert_eq!(of(BinaryOp::ShiftLeft, a, by as i8), left, "{a} lsh {by}");
            }
        }
    }

    #[test]
    fn unsigned_numbers_divide_by_zero_as_in_smt_lib() {
        let (byte, zero) = (BitVec::unsigned(8), BigInt::zero());
        let of = |op| binary(op, (byte, &BigInt::from(7)), (byte, &zero));
        assert_eq!(of(BinaryOp::Div), Value::Machine(byte, 255.into()));
        assert_eq!(of(BinaryOp::Mod), Value::Machine(byte, 7.into()));
    }

    #[test]
    fn bits_are_taken_apart_and_joined() {
        let word = BitVec::unsigned(16);
        let n = BigInt::from(0xabcd);
        let part = |high, low| match unary(UnaryOp::Bits { high, low }, word, n.clone()) {
            Value::Machine(shape, n) => (shape, n),
            other => panic!("{other:?}"),
        };
        let ((a, high), (b, low)) = (part(15, 4), part(3, 0));
        assert_eq!((&high, &low), (&BigInt::from(0xabc), &BigInt::from(0xd)));
        assert_eq!(binary(BinaryOp::Join, (a, &high), (b, &low)), Value::Machine(word, n.clone()));
    }
}
