//! Values in few bytes: what is kept in great number is mostly truth values
//! and small integers.

use lustral_term::Sort;

use crate::rational::Rational;
use crate::scalar::Scalar;

/// A list of values. Their sorts are not in it: who unpacks it knows them.
#[derive(Clone, Debug)]
pub(crate) struct Packed(Box<[u8]>);

impl Packed {
    /// Packs some values.
    pub fn new(values: impl Iterator<Item = Scalar>) -> Packed {
        let mut bytes = Vec::new();
        for value in values {
            match value {
                Scalar::Bool(b) => bytes.push(b.into()),
                Scalar::Int(n) => push(&mut bytes, n),
                Scalar::Real(r) => {
                    push(&mut bytes, r.numerator);
                    push(&mut bytes, r.denominator);
                }
            }
        }
        Packed(bytes.into_boxed_slice())
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.0.len()
    }

    /// The values; the sorts are those of what was packed, in the same order.
    pub fn values(&self, sorts: impl Iterator<Item = Sort>) -> impl Iterator<Item = Scalar> {
        let mut bytes = self.0.iter().copied();
        sorts.map_while(move |sort| match sort {
            Sort::Bool => Some(Scalar::Bool(bytes.next()? != 0)),
            Sort::Real => Rational::new(pull(&mut bytes)?, pull(&mut bytes)?).map(Scalar::Real),
            _ => pull(&mut bytes).map(Scalar::Int),
        })
    }
}

/// Seven bits to a byte, the lowest first; all but the last have the eighth
/// set. The sign is the lowest bit, so that small negative numbers are small.
fn push(bytes: &mut Vec<u8>, n: i64) {
    let mut rest = ((n << 1) ^ (n >> 63)) as u64;
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

fn pull(bytes: &mut impl Iterator<Item = u8>) -> Option<i64> {
    let (mut number, mut shift) = (0_u64, 0);
    loop {
        let byte = bytes.next()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some((number >> 1) as i64 ^ -((number & 1) as i64));
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scalar() -> impl Strategy<Value = Scalar> {
        let number = prop_oneof![any::<i64>(), -200..200_i64, Just(i64::MIN), Just(i64::MAX)];
        prop_oneof![
            any::<bool>().prop_map(Scalar::Bool),
            number.clone().prop_map(Scalar::Int),
            (number, 1..1000_i64).prop_filter_map("fits", |(n, d)| {
                let value = num_rational::BigRational::new(n.into(), d.into());
                Rational::from_big(&value).map(Scalar::Real)
            }),
        ]
    }

    proptest! {
        #[test]
        fn what_is_packed_comes_back(values in prop::collection::vec(scalar(), 0..40)) {
            let packed = Packed::new(values.iter().copied());
            let sort = |value: &Scalar| match value {
                Scalar::Bool(_) => Sort::Bool,
                Scalar::Int(_) => Sort::Int,
                Scalar::Real(_) => Sort::Real,
            };
            let back: Vec<Scalar> = packed.values(values.iter().map(sort)).collect();
            prop_assert_eq!(back, values);
        }
    }

    #[test]
    fn small_numbers_take_a_byte() {
        assert_eq!(Packed::new((-64..64).map(Scalar::Int)).bytes(), 128);
    }
}
