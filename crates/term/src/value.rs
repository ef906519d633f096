//! Exact values, each in one form only, so that equality is that of the form.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::Zero;
use serde::{Deserialize, Serialize};

use lustral_base::End;
use lustral_base::sort::{ArraySort, BitVec, Enumeration, Scalar, Sort, SortId};

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
    sort: ArraySort,
    default: Value,
    /// None of them is the default. Where there is no end of indices, two arrays with
    /// different defaults are different; where there is, the default is the element that
    /// most have, and of several the least. So the form is unique.
    exceptions: BTreeMap<Vec<Value>, Value>,
}

/// An array as it is written; read, it is put together anew.
#[derive(Serialize, Deserialize)]
struct WrittenArray {
    sort: ArraySort,
    default: Value,
    exceptions: Vec<(Vec<Value>, Value)>,
}

impl From<Array> for WrittenArray {
    fn from(array: Array) -> WrittenArray {
        let exceptions = array.exceptions.into_iter().collect();
        WrittenArray { sort: array.sort, default: array.default, exceptions }
    }
}

impl TryFrom<WrittenArray> for Array {
    type Error = &'static str;

    fn try_from(written: WrittenArray) -> Result<Array, &'static str> {
        let WrittenArray { sort, default, exceptions } = written;
        let has_index = |index: &[Value]| {
            let wanted = sort.index().iter().map(|scalar| Sort::from(*scalar));
            !index.is_empty() && index.iter().map(Value::sort).eq(wanted)
        };
        let fits = exceptions.iter().all(|(i, e)| has_index(i) && e.sort() == sort.element());
        if default.sort() != sort.element() || !fits {
            return Err("an array with elements of two sorts, or no index");
        }
        let mut array = Array::constant(sort, default);
        for (index, element) in exceptions {
            array.store(index, element);
        }
        Ok(array)
    }
}

impl Array {
    /// The array with the same element everywhere, which must be of the sort of its elements.
    #[must_use]
    pub fn constant(sort: ArraySort, element: Value) -> Array {
        debug_assert_eq!(element.sort(), sort.element());
        Array { sort, default: element, exceptions: BTreeMap::new() }
    }

    /// The element at an index.
    #[must_use]
    pub fn select(&self, index: &[Value]) -> &Value {
        self.exceptions.get(index).unwrap_or(&self.default)
    }

    /// Puts an element, which must be of the same sort, at an index.
    pub fn store(&mut self, index: Vec<Value>, element: Value) {
        debug_assert_eq!(element.sort(), self.sort.element());
        if element == self.default {
            self.exceptions.remove(&index);
        } else {
            self.exceptions.insert(index, element);
        }
        self.normalise();
    }

    /// The array whose elements are those of one where a third is true, and else of another.
    #[must_use]
    pub fn choose(condition: &Array, yes: &Array, no: &Array) -> Array {
        let at = |condition: &Value, yes: &Value, no: &Value| match (condition, yes, no) {
            // Arrays in arrays are as deep as types are nested.
            (Value::Array(condition), Value::Array(yes), Value::Array(no)) => {
                Value::Array(Box::new(Array::choose(condition, yes, no)))
            }
            _ => {
                if condition.is_true() {
                    yes.clone()
                } else {
                    no.clone()
                }
            }
        };
        let all = at(&condition.default, &yes.default, &no.default);
        let mut made = Array::constant(yes.sort, all);
        for index in [condition, yes, no].iter().flat_map(|array| array.exceptions.keys()) {
            let element = at(condition.select(index), yes.select(index), no.select(index));
            if element != made.default {
                made.exceptions.insert(index.clone(), element);
            }
        }
        made.normalise();
        made
    }

    /// Whether all indices of this set have a scalar, which is an integer, on one side of a
    /// bound.
    #[must_use]
    pub fn keys_within(&self, scalar: usize, end: End, bound: &Value) -> bool {
        // Of integers there are always others beyond a bound.
        let mut known = self.exceptions.iter().filter(|(_, is_in)| is_in.is_true());
        !self.default.is_true() && known.all(|(index, _)| end.allows(&index[scalar], bound))
    }

    /// Whether the elements that a table has at the indices of this set are on one side of a
    /// bound.
    #[must_use]
    pub fn values_within(&self, table: &Array, end: End, bound: &Value) -> bool {
        let listed: BTreeSet<&Vec<Value>> =
            self.exceptions.keys().chain(table.exceptions.keys()).collect();
        let others = self.sort.indices().is_none_or(|count| (listed.len() as u64) < count);
        let holds = |is_in: &Value, value: &Value| !is_in.is_true() || end.allows(value, bound);
        (!others || holds(&self.default, &table.default))
            && listed.iter().all(|index| holds(self.select(index), table.select(index)))
    }

    /// Makes the default the element that most indices have.
    fn normalise(&mut self) {
        let Some(count) = self.sort.indices() else { return };
        // What more than a half of all have nothing else can have.
        if (self.exceptions.len() as u64).saturating_mul(2) < count {
            return;
        }
        let mut found: BTreeMap<&Value, u64> = BTreeMap::new();
        for element in self.exceptions.values() {
            *found.entry(element).or_default() += 1;
        }
        let rest = count - self.exceptions.len() as u64;
        found.insert(&self.default, rest);
        let most = found.values().copied().max().unwrap_or(0);
        let chosen = found.iter().find(|(_, times)| **times == most);
        let chosen = chosen.map_or(&self.default, |(element, _)| *element).clone();
        if chosen == self.default {
            return;
        }
        // So many exceptions as indices, up to a factor of two, are there already.
        let old = std::mem::replace(&mut self.default, chosen);
        for index in indices(self.sort.index()) {
            self.exceptions.entry(index).or_insert_with(|| old.clone());
        }
        let default = self.default.clone();
        self.exceptions.retain(|_, element| *element != default);
    }

    /// What it is from and to.
    #[must_use]
    pub fn sort(&self) -> ArraySort {
        self.sort
    }

    /// The element almost everywhere.
    #[must_use]
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The other elements, by their indices.
    pub fn exceptions(&self) -> impl Iterator<Item = (&[Value], &Value)> {
        self.exceptions.iter().map(|(index, element)| (&index[..], element))
    }
}

/// All indices that are made of some scalars, where there is an end of them
/// ([`ArraySort::indices`] says how many there are).
#[must_use]
pub fn indices(of: &[Scalar]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for scalar in of {
        let values: Vec<Value> = match scalar {
            Scalar::BitVec(shape) => {
                (0..1u64 << shape.width()).map(|n| Value::bit_vec(*shape, n)).collect()
            }
            Scalar::Enum(e) => (0..e.size).map(|i| Value::Enum(*e, i)).collect(),
            _ => vec![Value::Bool(false), Value::Bool(true)],
        };
        let longer = |start: &Vec<Value>| {
            values.iter().map(|v| [&start[..], std::slice::from_ref(v)].concat()).collect()
        };
        all = all.iter().flat_map(|start| -> Vec<Vec<Value>> { longer(start) }).collect();
    }
    all
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
            Value::Array(array) => Sort::Array(array.sort),
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
            Sort::Array(sort) => {
                let default = Value::zero(sort.element());
                Value::Array(Box::new(Array::constant(sort, default)))
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
            // As deep as the sort.
            Value::Array(array) => {
                let mut indices = array.exceptions.keys().flatten();
                let elements = [&array.default].into_iter().chain(array.exceptions.values());
                indices.all(Value::is_valid) && elements.into_iter().all(Value::is_valid)
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
