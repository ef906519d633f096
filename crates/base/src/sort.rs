//! Sorts: what kinds of values there are; small, and compared by value.
//!
//! They stand here and not beside the terms, because the kernel language says
//! of its flows which sort they have and must not know terms for that. What is
//! done with values of a sort (exact values, operators, their names in SMT-LIB)
//! is the business of `term`.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::One;
use serde::{Deserialize, Serialize};

use crate::ids::EnumId;

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Rational numbers.
    Real,
    /// The values of an enumeration. They have no order and no arithmetic.
    Enum(Enumeration),
    /// Words of a fixed width, with wrap-around arithmetic.
    BitVec(BitVec),
    /// An abstract sort: nothing is known of its values, but whether they are equal.
    Uninterpreted(SortId),
    /// Total functions from tuples of scalars to another sort.
    Array(ArraySort),
}

/// A sort that indices of arrays may be made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Scalar {
    /// [`Sort::Bool`]
    Bool,
    /// [`Sort::Int`]
    Int,
    /// [`Sort::Real`]
    Real,
    /// [`Sort::Enum`]
    Enum(Enumeration),
    /// [`Sort::BitVec`]
    BitVec(BitVec),
    /// [`Sort::Uninterpreted`]
    Uninterpreted(SortId),
}

/// An enumeration: which one, and how many values it has. Their names are
/// the business of whoever made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Enumeration {
    /// Which one of its program it is. One number has one size.
    pub id: EnumId,
    /// The number of its values, at least one: they are `0..size`.
    pub size: u32,
}

/// An abstract sort, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct SortId(pub u32);

/// What arrays are from and to. There is one for each list of sorts, for the life of the
/// process, so that sorts stay small: a program writes down few.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(from = "(Vec<Scalar>, Sort)", into = "(Vec<Scalar>, Sort)")]
pub struct ArraySort(&'static (Vec<Scalar>, Sort));

static ARRAY_SORTS: Mutex<BTreeSet<ArraySort>> = Mutex::new(BTreeSet::new());

impl From<(Vec<Scalar>, Sort)> for ArraySort {
    fn from((index, element): (Vec<Scalar>, Sort)) -> ArraySort {
        ArraySort::new(&index, element)
    }
}

impl From<ArraySort> for (Vec<Scalar>, Sort) {
    fn from(sort: ArraySort) -> (Vec<Scalar>, Sort) {
        sort.0.clone()
    }
}

impl ArraySort {
    /// Arrays with indices of so many scalars, one at least.
    #[must_use]
    pub fn new(index: &[Scalar], element: Sort) -> ArraySort {
        let parts = (index.to_vec(), element);
        // A thread that panicked has added a whole one or none.
        let mut known = ARRAY_SORTS.lock().unwrap_or_else(PoisonError::into_inner);
        let found =
            known.range::<(Vec<Scalar>, Sort), _>(parts.clone()..=parts.clone()).next().copied();
        found.unwrap_or_else(|| {
            let made = ArraySort(Box::leak(Box::new(parts)));
            known.insert(made);
            made
        })
    }

    /// Of what scalars an index is made.
    #[must_use]
    pub fn index(self) -> &'static [Scalar] {
        &self.0.0
    }

    /// The sort of the elements.
    #[must_use]
    pub fn element(self) -> Sort {
        self.0.1
    }

    /// How many indices there are, where there is an end of them.
    #[must_use]
    pub fn indices(self) -> Option<u64> {
        self.index().iter().try_fold(1u64, |count, scalar| {
            count.checked_mul(match scalar {
                Scalar::Bool => 2,
                Scalar::BitVec(shape) => 1u64.checked_shl(shape.width().into())?,
                Scalar::Enum(e) => e.size.into(),
                Scalar::Int | Scalar::Real | Scalar::Uninterpreted(_) => return None,
            })
        })
    }
}

impl std::borrow::Borrow<(Vec<Scalar>, Sort)> for ArraySort {
    fn borrow(&self) -> &(Vec<Scalar>, Sort) {
        self.0
    }
}

/// The shape of a bit-vector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "(u16, bool)", into = "(u16, bool)")]
pub struct BitVec {
    width: u16,
    signed: bool,
}

impl From<BitVec> for (u16, bool) {
    fn from(shape: BitVec) -> (u16, bool) {
        (shape.width, shape.signed)
    }
}

impl TryFrom<(u16, bool)> for BitVec {
    type Error = &'static str;

    fn try_from((width, signed): (u16, bool)) -> Result<BitVec, &'static str> {
        match width {
            1..=BitVec::MAX_WIDTH => Ok(BitVec { width, signed }),
            _ => Err("no such width"),
        }
    }
}

impl BitVec {
    /// The largest width.
    pub const MAX_WIDTH: u16 = 4096;

    /// Words whose numbers are `0..2^width`.
    ///
    /// # Panics
    /// If the width is zero or above [`BitVec::MAX_WIDTH`].
    #[must_use]
    pub const fn unsigned(width: u16) -> BitVec {
        assert!(width > 0 && width <= BitVec::MAX_WIDTH, "no such width");
        BitVec { width, signed: false }
    }

    /// Words whose numbers are in two's complement.
    ///
    /// # Panics
    /// If the width is zero or above [`BitVec::MAX_WIDTH`].
    #[must_use]
    pub const fn signed(width: u16) -> BitVec {
        BitVec { signed: true, ..BitVec::unsigned(width) }
    }

    /// The number of bits.
    #[must_use]
    pub const fn width(self) -> u16 {
        self.width
    }

    /// Whether its numbers are in two's complement.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        self.signed
    }

    /// The type that a name of one word stands for.
    #[must_use]
    pub fn named(name: &str) -> Option<BitVec> {
        let (signed, width) = match name.strip_prefix('u') {
            Some(rest) => (false, rest.strip_prefix("int")?),
            None => (true, name.strip_prefix("int")?),
        };
        let width = BitVec::NAMED.into_iter().find(|known| width == known.to_string())?;
        Some(BitVec { width, signed })
    }

    /// The operator that converts to it, as written in Lustre.
    #[must_use]
    pub fn conversion(self) -> String {
        self.to_string().replace('<', "@<")
    }

    /// The widths of those with a name of one word.
    pub const NAMED: [u16; 4] = [8, 16, 32, 64];

    /// The least and the largest number.
    #[must_use]
    pub fn range(self) -> [BigInt; 2] {
        let count = BigInt::one() << self.width;
        let low = if self.signed { -(&count >> 1u8) } else { BigInt::ZERO };
        let high = &low + count - 1;
        [low, high]
    }

    /// The bits of a number, modulo `2^width`.
    #[must_use]
    pub fn wrap(self, number: &BigInt) -> BigUint {
        let modulus = BigInt::one() << self.width;
        number.mod_floor(&modulus).into_parts().1
    }

    /// The number that bits stand for.
    #[must_use]
    pub fn number(self, bits: &BigUint) -> BigInt {
        let number = BigInt::from_biguint(Sign::Plus, bits.clone());
        if self.signed && bits.bit(u64::from(self.width) - 1) {
            number - (BigInt::one() << self.width)
        } else {
            number
        }
    }
}

/// As types are written in Lustre.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.width;
        match (self.signed, BitVec::NAMED.contains(&width)) {
            (true, true) => write!(f, "int{width}"),
            (false, true) => write!(f, "uint{width}"),
            (true, false) => write!(f, "sint<{width}>"),
            (false, false) => write!(f, "uint<{width}>"),
        }
    }
}

impl Sort {
    /// Whether its values are integers or rational numbers, which have sums and an order.
    #[must_use]
    pub fn is_number(self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }

    /// The enumeration whose values it has.
    #[must_use]
    pub fn enumeration(self) -> Option<Enumeration> {
        match self {
            Sort::Enum(e) => Some(e),
            _ => None,
        }
    }

    /// The shape of its bit-vectors.
    #[must_use]
    pub fn bit_vec(self) -> Option<BitVec> {
        match self {
            Sort::BitVec(shape) => Some(shape),
            _ => None,
        }
    }

    /// As a part of an index of arrays; nothing if it is a sort of arrays.
    #[must_use]
    pub fn scalar(self) -> Option<Scalar> {
        Some(match self {
            Sort::Bool => Scalar::Bool,
            Sort::Int => Scalar::Int,
            Sort::Real => Scalar::Real,
            Sort::Enum(e) => Scalar::Enum(e),
            Sort::BitVec(shape) => Scalar::BitVec(shape),
            Sort::Uninterpreted(id) => Scalar::Uninterpreted(id),
            Sort::Array(_) => return None,
        })
    }
}

impl From<Scalar> for Sort {
    fn from(scalar: Scalar) -> Sort {
        match scalar {
            Scalar::Bool => Sort::Bool,
            Scalar::Int => Sort::Int,
            Scalar::Real => Sort::Real,
            Scalar::Enum(e) => Sort::Enum(e),
            Scalar::BitVec(shape) => Sort::BitVec(shape),
            Scalar::Uninterpreted(id) => Sort::Uninterpreted(id),
        }
    }
}
