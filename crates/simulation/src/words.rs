//! Bit-vectors of up to 64 bits on machine words.
//!
//! Columns of enumerations and bit-vectors are columns of integers: the position
//! of the value, and the bits without a sign (a word with all 64 bits is the
//! integer with the same bits). Equality, copies and choices need to know no
//! more than that.

use lustral_term::{BitVec, Operator, Sort};

/// What an operator on words does, with the shapes that decide it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    operator: Operator,
    /// The shapes of the operands, where they are words.
    operands: [Option<BitVec>; 2],
}

/// Whether values of a sort have a place in columns.
pub(crate) fn has_column(sort: Sort) -> bool {
    match sort {
        Sort::Bool | Sort::Int | Sort::Real | Sort::Enum(_) => true,
        Sort::BitVec(shape) => shape.width() <= 64,
        Sort::Array(_) | Sort::Uninterpreted(_) => false,
    }
}

fn mask(shape: BitVec) -> u64 {
    u64::MAX >> (64 - shape.width())
}

/// The number that bits stand for.
fn number(shape: BitVec, bits: u64) -> i128 {
    let sign = shape.is_signed() && bits >> (shape.width() - 1) & 1 == 1;
    i128::from(bits) - if sign { 1 << shape.width() } else { 0 }
}

impl Word {
    /// The operator for operands and a result of these sorts; nothing if it is
    /// none on words that fit.
    pub fn new(operator: Operator, sorts: &[Sort], result: Sort) -> Option<Word> {
        let on_words = match operator {
            Operator::IntToBv(_) => true,
            _ => sorts.iter().all(|sort| sort.bit_vec().is_some()),
        };
        let fits = has_column(result) && sorts.iter().all(|sort| has_column(*sort));
        let shape = |i: usize| sorts.get(i).and_then(|sort| sort.bit_vec());
        (on_words && fits).then(|| Word { operator, operands: [shape(0), shape(1)] })
    }

    /// The result for two operands (of which some operators ignore the second);
    /// nothing if it does not fit. A comparison gives one or zero.
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        let (x, y) = (a as u64, b as u64);
        let Some(shape) = self.operands[0] else {
            let Operator::IntToBv(to) = self.operator else { return None };
            return Some((x & mask(to)) as i64);
        };
        let (n, m) = (number(shape, x), number(self.operands[1].unwrap_or(shape), y));
        let width = u64::from(shape.width());
        let bits = match self.operator {
            Operator::BvNot => !x,
            Operator::BvNeg => x.wrapping_neg(),
            Operator::BvAnd => x & y,
            Operator::BvOr => x | y,
            Operator::BvXor => x ^ y,
            Operator::BvAdd => x.wrapping_add(y),
            Operator::BvMul => x.wrapping_mul(y),
            Operator::BvDiv if m == 0 => (if n < 0 { 1 } else { -1_i64 }) as u64,
            Operator::BvDiv => (n / m) as u64,
            Operator::BvRem if m == 0 => x,
            Operator::BvRem => (n % m) as u64,
            Operator::BvShl if y >= width => 0,
            Operator::BvShl => x << y,
            Operator::BvShr => (n >> y.min(width)) as u64,
            Operator::BvLe => return Some(i64::from(n <= m)),
            Operator::BvToInt => return i64::try_from(n).ok(),
            Operator::BvResize(to) => return Some((n as u64 & mask(to)) as i64),
            Operator::BvConcat => {
                let low = self.operands[1]?.width();
                return Some(x.checked_shl(low.into()).map_or(y, |high| high | y) as i64);
            }
            Operator::BvExtract { high, low } => {
                let shape = BitVec::unsigned(high - low + 1);
                return Some(((x >> low) & mask(shape)) as i64);
            }
            _ => return None,
        };
        Some((bits & mask(shape)) as i64)
    }
}

#[cfg(test)]
mod tests {
    use lustral_term::{Value, ZeroMeaning};

    use super::*;
    use crate::Scalar;

    #[test]
    fn words_are_what_terms_say() {
        use Operator::*;
        let shapes =
            [BitVec::signed(8), BitVec::unsigned(8), BitVec::signed(64), BitVec::signed(1)];
        let shapes = [&shapes[..], &[BitVec::unsigned(64), BitVec::unsigned(33)]].concat();
        let numbers = [0, 1, 2, 3, 7, 8, 63, 64, 127, 128, 255, -1, -2, -7, i64::MIN, i64::MAX];
        let mut operators = vec![
            BvNot,
            BvNeg,
            BvAnd,
            BvOr,
            BvXor,
            BvAdd,
            BvMul,
            BvDiv,
            BvRem,
            BvShl,
            BvShr,
            BvLe,
            BvToInt,
            BvConcat,
            BvExtract { high: 6, low: 3 },
        ];
        operators.extend(shapes.iter().flat_map(|s| [BvResize(*s), IntToBv(*s)]));
        for operator in operators {
            for (a, b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (*a, *b))) {
                for shape in &shapes {
                    let both = match operator {
                        IntToBv(_) => [Value::from(a), Value::from(b)],
                        _ => [a, b].map(|n| Value::bit_vec(*shape, n)),
                    };
                    let arity = [1, 2].into_iter().find(|n| operator.entry().arity.allows(*n));
                    let values = &both[..arity.unwrap()];
                    let sorts: Vec<Sort> = values.iter().map(Value::sort).collect();
                    let Some(result) = operator.result(&sorts) else { continue };
                    let Some(word) = Word::new(operator, &sorts, result) else { continue };
                    let exact = operator.evaluate(&values.iter().collect::<Vec<_>>(), &ZeroMeaning);
                    let bits = |value: &Value| match Scalar::new(value) {
                        Some(Scalar::Int(n)) => Some(n),
                        Some(Scalar::Bool(b)) => Some(i64::from(b)),
                        _ => None,
                    };
                    let second = values.get(1).and_then(bits).unwrap_or(0);
                    let found = word.apply(bits(&values[0]).unwrap(), second);
                    assert_eq!(found, bits(&exact), "{operator:?} of {values:?}");
                }
            }
        }
    }
}
