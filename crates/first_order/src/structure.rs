//! Finite structures: how many elements each sort has, and a table for each symbol.

use crate::signature::{Signature, SortId, SymbolId};

/// How many elements each sort has, at least one. They are counted from 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Universe {
    sizes: Vec<u32>,
}

impl Universe {
    /// With these sizes, by sort; a sort is never empty, so 0 counts as 1.
    #[must_use]
    pub fn new(sizes: Vec<u32>) -> Universe {
        Universe { sizes: sizes.into_iter().map(|size| size.max(1)).collect() }
    }

    /// The number of elements of a sort.
    #[must_use]
    pub fn size(&self, sort: SortId) -> u32 {
        self.sizes[sort.index()]
    }

    /// All sizes, by sort.
    #[must_use]
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// All tuples of elements of some sorts, the last element changing first.
    #[must_use]
    pub fn tuples(&self, sorts: &[SortId]) -> Tuples {
        let sizes = sorts.iter().map(|sort| self.size(*sort)).collect();
        Tuples { sizes, next: Some(vec![0; sorts.len()]) }
    }

    /// The number of such tuples, unless it is too large to count.
    #[must_use]
    pub fn count(&self, sorts: &[SortId]) -> Option<usize> {
        sorts.iter().try_fold(1usize, |all, sort| all.checked_mul(self.size(*sort) as usize))
    }

    /// The position of a tuple among all tuples of its sorts.
    #[must_use]
    pub fn position(&self, sorts: &[SortId], tuple: &[u32]) -> usize {
        sorts
            .iter()
            .zip(tuple)
            .fold(0, |at, (sort, element)| at * self.size(*sort) as usize + *element as usize)
    }
}

/// Tuples of elements, one after the other.
#[derive(Clone, Debug)]
pub struct Tuples {
    sizes: Vec<u32>,
    next: Option<Vec<u32>>,
}

impl Iterator for Tuples {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        let this = self.next.take()?;
        let mut following = this.clone();
        for (element, size) in following.iter_mut().zip(&self.sizes).rev() {
            *element += 1;
            if *element < *size {
                self.next = Some(following);
                break;
            }
            *element = 0;
        }
        Some(this)
    }
}

/// What a symbol means: bits for a relation, elements for a function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Table {
    Relation(Vec<u64>),
    Function(Vec<u32>),
}

/// A meaning of all symbols.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Structure {
    universe: Universe,
    tables: Vec<Table>,
}

impl Structure {
    /// All relations empty, all functions the first element. The tables must fit into memory:
    /// whoever chooses sizes sees to it ([`Universe::count`]).
    #[must_use]
    pub fn new(signature: &Signature, universe: Universe) -> Structure {
        let table = |symbol: &crate::Symbol| {
            let count = universe.count(&symbol.arguments).unwrap_or(usize::MAX);
            match symbol.result {
                None => Table::Relation(vec![0; count.div_ceil(64)]),
                Some(_) => Table::Function(vec![0; count]),
            }
        };
        let tables = signature.symbols.iter().map(table).collect();
        Structure { universe, tables }
    }

    /// The sizes.
    #[must_use]
    pub fn universe(&self) -> &Universe {
        &self.universe
    }

    /// Whether the tuple at a position is in a relation.
    #[must_use]
    pub fn holds_at(&self, symbol: SymbolId, position: usize) -> bool {
        match &self.tables[symbol.index()] {
            Table::Relation(bits) => bits[position / 64] >> (position % 64) & 1 == 1,
            Table::Function(_) => false,
        }
    }

    /// The value of a function for the tuple at a position.
    #[must_use]
    pub fn value_at(&self, symbol: SymbolId, position: usize) -> u32 {
        match &self.tables[symbol.index()] {
            Table::Relation(_) => 0,
            Table::Function(values) => values[position],
        }
    }

    /// Says whether the tuple at a position is in a relation.
    pub fn set(&mut self, symbol: SymbolId, position: usize, holds: bool) {
        if let Table::Relation(bits) = &mut self.tables[symbol.index()] {
            let bit = 1 << (position % 64);
            if holds {
                bits[position / 64] |= bit;
            } else {
                bits[position / 64] &= !bit;
            }
        }
    }

    /// Says what a function is for the tuple at a position.
    pub fn set_value(&mut self, symbol: SymbolId, position: usize, value: u32) {
        if let Table::Function(values) = &mut self.tables[symbol.index()] {
            values[position] = value;
        }
    }

    /// Whether a symbol means the same in both.
    #[must_use]
    pub fn agrees(&self, other: &Structure, symbol: SymbolId) -> bool {
        self.tables[symbol.index()] == other.tables[symbol.index()]
    }
}
