//! What the inputs of all lanes were, step by step.
//!
//! One buffer for all of it, with integers as wide as the widest of a column:
//! it is the largest thing in a simulation, and goes back to the system in one
//! piece.

use crate::column::{Column, WORD};
use crate::rational::Rational;
use crate::scalar::Scalar;

/// The columns of some variables at one step after another.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    bytes: Vec<u8>,
    /// Where each column begins, by step and variable.
    starts: Vec<(usize, Kind)>,
    variables: usize,
}

/// How the values of a column are written.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Bool,
    /// Integers of so many bytes.
    Int(u8),
    Real,
}

impl Record {
    /// A record of so many variables, before the first step, with room for
    /// some bytes: to make room later would copy them.
    pub fn new(variables: usize, room: usize) -> Record {
        Record { bytes: Vec::with_capacity(room), starts: Vec::new(), variables }
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Adds the next column: all variables of a step in order, then the next step.
    pub fn push(&mut self, column: &Column) {
        let start = self.bytes.len();
        let kind = match column {
            Column::Bool(words) => {
                words.iter().for_each(|word| self.bytes.extend(word.to_le_bytes()));
                Kind::Bool
            }
            Column::Int(list) => {
                let width = width(list);
                let numbers = list.iter().map(|n| n.to_le_bytes());
                numbers.for_each(|n| self.bytes.extend(&n[..width.into()]));
                Kind::Int(width)
            }
            Column::Real(list) => {
                for r in list {
                    self.bytes.extend(r.numerator.to_le_bytes());
                    self.bytes.extend(r.denominator.to_le_bytes());
                }
                Kind::Real
            }
        };
        self.starts.push((start, kind));
    }

    /// The values of a lane at a step.
    pub fn step(&self, step: usize, lane: usize) -> impl Iterator<Item = Scalar> {
        let columns = &self.starts[step * self.variables..][..self.variables];
        columns.iter().map(move |(start, kind)| self.get(*start, *kind, lane))
    }

    fn get(&self, start: usize, kind: Kind, lane: usize) -> Scalar {
        let bytes = &self.bytes[start..];
        match kind {
            Kind::Bool => Scalar::Bool(bytes[lane / 8] >> (lane % 8) & 1 == 1),
            Kind::Int(width) => {
                let width = usize::from(width);
                Scalar::Int(number(&bytes[lane * width..][..width]))
            }
            Kind::Real => {
                let bytes = &bytes[lane * 16..];
                let (numerator, denominator) = (number(&bytes[..8]), number(&bytes[8..16]));
                Scalar::Real(Rational { numerator, denominator })
            }
        }
    }
}

/// Words are written with their lowest byte first, so that bit i of them is
/// bit i of the bytes.
const _: () = assert!(WORD == 64);

/// The bytes that the widest of some numbers needs.
fn width(list: &[i64]) -> u8 {
    // A negative number has as many bits as its complement.
    let bits = list.iter().fold(0, |bits, n| bits | (n ^ (n >> 63)) as u64);
    match 65 - bits.leading_zeros() {
        ..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        _ => 8,
    }
}

/// A number with its sign, the lowest byte first.
fn number(bytes: &[u8]) -> i64 {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    let unused = 64 - 8 * bytes.len() as u32;
    i64::from_le_bytes(all) << unused >> unused
}

#[cfg(test)]
mod tests {
    use lustral_term::Sort;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_recorded_comes_back(
            bools in prop::collection::vec(any::<u64>(), 2),
            numbers in prop::collection::vec(prop_oneof![-200..200_i64, any::<i64>()], 128),
            shift in 0..63_u32,
            reals in prop::collection::vec((any::<i32>(), 1..100_i64), 128),
        ) {
            let mut real = Column::new(Sort::Real, 128);
            for (lane, (n, d)) in reals.iter().enumerate() {
                real.set(lane, Scalar::Real(Rational::new(i64::from(*n), *d).unwrap()));
            }
            let numbers: Vec<i64> = numbers.iter().map(|n| n >> shift).collect();
            let columns = [Column::Bool(bools), Column::Int(numbers), real];
            let mut record = Record::new(3, 0);
            columns.iter().for_each(|column| record.push(column));
            columns.iter().for_each(|column| record.push(column));
            for lane in 0..128 {
                let values: Vec<Scalar> = columns.iter().map(|c| c.get(lane)).collect();
                prop_assert_eq!(record.step(0, lane).collect::<Vec<_>>(), &*values);
                prop_assert_eq!(record.step(1, lane).collect::<Vec<_>>(), &*values);
            }
        }
    }

    #[test]
    fn numbers_at_the_edge_of_a_width() {
        for (n, bytes) in [(127, 1), (-128, 1), (128, 2), (-129, 2), (1 << 31, 8), (i64::MIN, 8)] {
            assert_eq!(width(&[0, n]), bytes, "{n}");
            let mut record = Record::new(1, 0);
            record.push(&Column::Int(vec![n; 64]));
            assert_eq!(record.step(0, 63).next(), Some(Scalar::Int(n)));
        }
    }
}
