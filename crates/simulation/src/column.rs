//! Columns: one value for each lane, side by side.

use lustral_term::Sort;

use crate::rational::Rational;
use crate::scalar::Scalar;

/// Lanes in a word of truth values. The number of lanes is a multiple of it.
pub const WORD: usize = 64;

/// The values of all lanes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Column {
    /// Truth values, 64 in a word, the first lane in the lowest bit.
    Bool(Vec<u64>),
    /// Integers, and what stands for values of other sorts.
    Int(Vec<i64>),
    /// Rational numbers.
    Real(Vec<Rational>),
}

impl Default for Column {
    fn default() -> Column {
        Column::Bool(Vec::new())
    }
}

impl Column {
    /// False or zero in every lane.
    #[must_use]
    pub fn new(sort: Sort, lanes: usize) -> Column {
        match sort {
            Sort::Bool => Column::Bool(vec![0; lanes.div_ceil(WORD)]),
            Sort::Real => Column::Real(vec![Rational::ZERO; lanes]),
            _ => Column::Int(vec![0; lanes]),
        }
    }

    /// A column for values of the kind of this one.
    pub(crate) fn of(value: Scalar, lanes: usize) -> Column {
        match value {
            Scalar::Bool(_) => Column::new(Sort::Bool, lanes),
            Scalar::Int(_) => Column::new(Sort::Int, lanes),
            Scalar::Real(_) => Column::new(Sort::Real, lanes),
        }
    }

    /// The value of a lane.
    #[must_use]
    pub fn get(&self, lane: usize) -> Scalar {
        match self {
            Column::Bool(words) => Scalar::Bool(bit(words, lane)),
            Column::Int(list) => Scalar::Int(list[lane]),
            Column::Real(list) => Scalar::Real(list[lane]),
        }
    }

    /// Sets the value of a lane; it is of the column's sort.
    pub fn set(&mut self, lane: usize, value: Scalar) {
        match (self, value) {
            (Column::Bool(words), Scalar::Bool(b)) => set_bit(words, lane, b),
            (Column::Int(list), Scalar::Int(n)) => list[lane] = n,
            (Column::Real(list), Scalar::Real(r)) => list[lane] = r,
            _ => unreachable!("a value goes into a column of its sort"),
        }
    }

    /// Sets the value of every lane.
    pub fn fill(&mut self, value: Scalar) {
        match (self, value) {
            (Column::Bool(words), Scalar::Bool(b)) => words.fill(if b { !0 } else { 0 }),
            (Column::Int(list), Scalar::Int(n)) => list.fill(n),
            (Column::Real(list), Scalar::Real(r)) => list.fill(r),
            _ => unreachable!("a value goes into a column of its sort"),
        }
    }

    /// The words of truth values.
    pub(crate) fn bools(&self) -> &[u64] {
        match self {
            Column::Bool(words) => words,
            _ => unreachable!("the column of a truth value has bits"),
        }
    }

    pub(crate) fn ints(&self) -> &[i64] {
        match self {
            Column::Int(list) => list,
            _ => unreachable!("the column of an integer has integers"),
        }
    }

    pub(crate) fn reals(&self) -> &[Rational] {
        match self {
            Column::Real(list) => list,
            _ => unreachable!("the column of a real has rationals"),
        }
    }
}

/// A bit of some words.
#[must_use]
pub fn bit(words: &[u64], lane: usize) -> bool {
    words[lane / WORD] >> (lane % WORD) & 1 == 1
}

/// Sets a bit of some words.
pub fn set_bit(words: &mut [u64], lane: usize, value: bool) {
    let mask = 1 << (lane % WORD);
    if value { words[lane / WORD] |= mask } else { words[lane / WORD] &= !mask }
}

/// The positions of the bits that are set.
pub fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(i, word)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let lane = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                i * WORD + lane
            })
        })
    })
}
