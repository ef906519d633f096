//! Algebraic data types (sums of products, without recursion) as records: the first field
//! says which constructor made the value, by an enumeration of them, and the others are
//! the fields of all constructors, one behind the other.
//!
//! The fields of the other constructors have values, of which nothing may depend: they are
//! not compared (`=` of the interpreter and of the translation), not read (a selector is a
//! choice by the constructor), and not seen by unknown functions
//! (`Resolver::normal`). A value that is made has the plainest values there, so that
//! they are within their bounds wherever the value came from.

use std::ops::Range;

use crate::types::{EnumId, Type};

/// What a record has that is a data type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Variants {
    /// The enumeration of the constructors: the type of the first field.
    pub tag: EnumId,
    /// The first field of each constructor among those of the record, and their number at
    /// the end.
    first: Vec<u32>,
}

impl Variants {
    /// For constructors with so many fields.
    #[must_use]
    pub fn new(tag: EnumId, counts: impl Iterator<Item = usize>) -> Variants {
        let mut first = vec![1];
        for count in counts {
            first.push(first[first.len() - 1] + count as u32);
        }
        Variants { tag, first }
    }

    /// The number of constructors.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// The fields of a constructor, as parts of the record.
    #[must_use]
    pub fn fields(&self, constructor: u32) -> Range<u32> {
        self.first[constructor as usize]..self.first[constructor as usize + 1]
    }

    /// The constructor that has a field; none for the part that says which one it is.
    #[must_use]
    pub fn owner(&self, part: u32) -> Option<u32> {
        (0..self.count()).find(|constructor| self.fields(*constructor).contains(&part))
    }
}

impl Type {
    /// What it has if it is a data type.
    #[must_use]
    pub fn variants(&self) -> Option<&Variants> {
        match self {
            Type::Record(record) => record.variants.as_ref(),
            _ => None,
        }
    }

    /// Whether a part of it is of a data type.
    #[must_use]
    pub fn has_variants(&self) -> bool {
        match self {
            Type::Array(array) => array.element.has_variants(),
            // Where fields do not count they have the plainest values (`resolve/keyed.rs`).
            Type::Keyed(_) | Type::Map(_) => false,
            _ => {
                self.variants().is_some()
                    || (0..self.part_count()).any(|part| self.part(part).has_variants())
            }
        }
    }

    /// Where a leaf is a part of the value: for each data type around it the leaf that
    /// says which constructor made the value, and the one that has the field.
    #[must_use]
    pub fn counts_where(&self, leaf: u32) -> Vec<(u32, u32)> {
        let (mut ty, mut inside, mut first) = (self, leaf, 0);
        let mut found = Vec::new();
        while let Some((part, rest)) = ty.at(inside) {
            let owner = ty.variants().and_then(|variants| variants.owner(part));
            found.extend(owner.map(|constructor| (first, constructor)));
            first += ty.first_leaf(part);
            (ty, inside) = (ty.part(part), rest);
        }
        found
    }

    /// Whether the parameter of a data type in it stands for a type with bounds. Fields that
    /// do not count could then be outside of these, where another type of the same kind
    /// has none.
    #[must_use]
    pub(crate) fn has_bounded_arguments(&self) -> bool {
        match self {
            Type::Array(array) => array.element.has_bounded_arguments(),
            Type::Record(record) if record.variants.is_some() => {
                record.arguments.iter().any(Type::has_bounds)
                    || record.fields.types().iter().any(Type::has_bounded_arguments)
            }
            _ => (0..self.part_count()).any(|part| self.part(part).has_bounded_arguments()),
        }
    }
}
