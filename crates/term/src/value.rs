//! Exact values, each in one form only, so that equality is that of the form.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::Zero;
use serde::{Deserialize, Serialize};

use lustral_base::sort::{BitVec, Enumeration, Scalar, Sort, SortId};

/// A value of a sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer of any size.
    Int(#[serde(with = "lustral_base::as_text")] BigInt),
    /// A rational number.
    Real(#[serde(with = "lustral_base::as_text")] BigRational),
    /// A value of an enumeration, by its position: below its size.
    Enum(Enumeration, u32),
    /// A bit-vector, by the number that its bits are without a sign: below `2^width`.
    BitVec(BitVec, #[serde(with = "lustral_base::as_text")] BigUint),
    /// An element of an abstract sort. Different numbers are different elements.
    Uninterpreted(SortId, u32),
    /// An array.
    Array(Box<Array>),
}

/// An array: one element almost everywhere, and exceptions.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "WrittenArray", into = "WrittenArray")]
pub struct Array {
    scalar: Scalar,
    default: Value,
    /// None of them is the default. There are infinitely many indices, so two
    /// arrays with different defaults are different, and the form is unique.
    exceptions: BTreeMap<BigInt, Value>,
}

/// An array as it is written; read, it is put together anew.
#[derive(Serialize, Deserialize)]
struct WrittenArray {
    default: Value,
    exceptions: Vec<(Value, Value)>,
}

impl From<Array> for WrittenArray {
    fn from(array: Array) -> WrittenArray {
        let exceptions = array.exceptions.into_iter().map(|(i, e)| (Value::Int(i), e)).collect();
        WrittenArray { default: array.default, exceptions }
    }
}

impl TryFrom<WrittenArray> for Array {
    type Error = &'static str;

    fn try_from(written: WrittenArray) -> Result<Array, &'static str> {
        let mut array = Array::constant(written.default).ok_or("an array of arrays")?;
        for (index, element) in written.exceptions {
            match index {
                Value::Int(index) if element.sort() == Sort::from(array.scalar) => {
                    array.store(index, element);
                }
                _ => return Err("an array with elements of two sorts, or no index"),
            }
        }
        Ok(array)
    }
}

impl Array {
    /// The array with the same element everywhere; nothing if that is an array.
    #[must_use]
    pub fn constant(element: Value) -> Option<Array> {
        let scalar = element.sort().scalar()?;
        Some(Array { scalar, default: element, exceptions: BTreeMap::new() })
    }

    /// The element at an index.
    #[must_use]
    pub fn select(&self, index: &BigInt) -> &Value {
        self.exceptions.get(index).unwrap_or(&self.default)
    }

    /// Puts an element, which must be of the same sort, at an index.
    pub fn store(&mut self, index: BigInt, element: Value) {
        debug_assert_eq!(element.sort(), Sort::from(self.scalar));
        if element == self.default {
            self.exceptions.remove(&index);
        } else {
            self.exceptions.insert(index, element);
        }
    }

    /// The sort of the elements.
    #[must_use]
    pub fn scalar(&self) -> Scalar {
        self.scalar
    }

    /// The element almost everywhere.
    #[must_use]
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The other elements, by their indices.
    pub fn exceptions(&self) -> impl Iterator<Item = (&BigInt, &Value)> {
        self.exceptions.iter()
    }
}

impl Value {
    /// Its sort.
    #[must_use]
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::Enum(e, _) => Sort::Enum(*e),
            Value::BitVec(shape, _) => Sort::BitVec(*shape),
            Value::Uninterpreted(id, _) => Sort::Uninterpreted(*id),
            Value::Array(array) => Sort::Array(array.scalar),
        }
    }

    /// False, zero, the first value; everywhere, in an array.
    #[must_use]
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(BigInt::zero()),
            Sort::Real => Value::Real(BigRational::zero()),
            Sort::Enum(e) => Value::Enum(e, 0),
            Sort::BitVec(shape) => Value::BitVec(shape, BigUint::zero()),
            Sort::Uninterpreted(id) => Value::Uninterpreted(id, 0),
            Sort::Array(scalar) => {
                let (default, exceptions) = (Value::zero(scalar.into()), BTreeMap::new());
                Value::Array(Box::new(Array { scalar, default, exceptions }))
            }
        }
    }

    /// The bit-vector of a number, modulo `2^width`.
    #[must_use]
    pub fn bit_vec(shape: BitVec, number: impl Into<BigInt>) -> Value {
        Value::BitVec(shape, shape.wrap(&number.into()))
    }

    /// Whether it is a value of its sort: what was made elsewhere may be none.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        match self {
            Value::Enum(e, i) => *i < e.size,
            Value::BitVec(shape, bits) => bits.bits() <= shape.width().into(),
            // Its elements are scalars, so this goes no deeper.
            Value::Array(array) => {
                array.default.is_valid() && array.exceptions.values().all(Value::is_valid)
            }
            _ => true,
        }
    }

    /// Whether it is `true`.
    #[must_use]
    pub fn is_true(&self) -> bool {
        *self == Value::Bool(true)
    }

    /// Whether it is a number, or a signed bit-vector of one, below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        match self {
            Value::Int(n) => n.sign() == Sign::Minus,
            Value::Real(r) => r.numer().sign() == Sign::Minus,
            Value::BitVec(shape, bits) => shape.number(bits).sign() == Sign::Minus,
            _ => false,
        }
    }

    /// An integer or rational number as the latter.
    #[must_use]
    pub fn rational(&self) -> Option<BigRational> {
        match self {
            Value::Int(n) => Some(BigRational::from_integer(n.clone())),
            Value::Real(r) => Some(r.clone()),
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}

impl From<i64> for Value {
    fn from(n: i64) -> Value {
        Value::Int(n.into())
    }
}
