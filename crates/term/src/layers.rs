//! The storage of an arena: interned things (hash-consed) in the order in which
//! they were made, shared between copies.
//!
//! A copy shares what is there and costs nothing. What is interned later goes
//! into a layer of one's own, above the shared one (an overlay): positions
//! below its length belong to the shared layer, and interning looks there
//! first, so a copy numbers things as a deep copy would. There are at most two
//! layers, so a look-up has one comparison: whoever extends a copy of an
//! overlay copies its upper layer, or, once that has outgrown the lower one,
//! makes one layer of both; both are cheaper than a deep copy by what is shared.

use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Interned things, each with a note that is found as quickly as the thing.
#[derive(Clone, Debug)]
pub(crate) struct Layers<T, N> {
    /// The number of things in the lower layer; zero without one.
    offset: usize,
    lower: Option<Arc<Layer<T, N>>>,
    upper: Arc<Layer<T, N>>,
}

#[derive(Clone, Debug)]
struct Layer<T, N> {
    things: Vec<T>,
    notes: Vec<N>,
    /// Positions in this layer, by hash.
    table: HashTable<u32>,
}

impl<T, N> Default for Layer<T, N> {
    fn default() -> Layer<T, N> {
        Layer { things: Vec::new(), notes: Vec::new(), table: HashTable::new() }
    }
}

impl<T: Eq + Hash, N> Layer<T, N> {
    fn find(&self, hash: u64, thing: &T) -> Option<usize> {
        self.table.find(hash, |at| self.things[*at as usize] == *thing).map(|at| *at as usize)
    }

    fn push(&mut self, hash: u64, thing: T, note: N) {
        let at = u32::try_from(self.things.len()).expect("an arena has less than 2^32 terms");
        self.things.push(thing);
        self.notes.push(note);
        let things = &self.things;
        self.table.insert_unique(hash, at, |at| FxBuildHasher.hash_one(&things[*at as usize]));
    }
}

impl<T: Clone + Eq + Hash, N: Copy> Layers<T, N> {
    /// Nothing.
    pub fn new() -> Layers<T, N> {
        Layers { offset: 0, lower: None, upper: Arc::default() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.offset + self.upper.things.len()
    }

    /// The thing at a position.
    ///
    /// # Panics
    /// If there is none.
    pub fn get(&self, at: usize) -> &T {
        match at.checked_sub(self.offset) {
            Some(at) => &self.upper.things[at],
            None => &self.below().things[at],
        }
    }

    /// The note at a position.
    ///
    /// # Panics
    /// If there is none.
    pub fn note(&self, at: usize) -> N {
        match at.checked_sub(self.offset) {
            Some(at) => self.upper.notes[at],
            None => self.below().notes[at],
        }
    }

    fn below(&self) -> &Layer<T, N> {
        self.lower.as_deref().expect("what is below the offset is in the lower layer")
    }

    /// The position of the thing that is the `same` as a key with its hash.
    pub fn position(&self, key: &impl Hash, same: impl Fn(&T) -> bool) -> Option<usize> {
        let hash = FxBuildHasher.hash_one(key);
        let find = |layer: &Layer<T, N>| {
            layer.table.find(hash, |at| same(&layer.things[*at as usize])).map(|at| *at as usize)
        };
        let below = self.lower.as_deref().and_then(find);
        below.or_else(|| find(&self.upper).map(|at| self.offset + at))
    }

    /// The position of a thing; `note` makes the note of one that is new.
    pub fn intern(&mut self, thing: T, note: impl FnOnce(&Self, &T) -> N) -> usize {
        let hash = FxBuildHasher.hash_one(&thing);
        if let Some(at) = self.lower.as_ref().and_then(|lower| lower.find(hash, &thing)) {
            return at;
        }
        if let Some(at) = self.upper.find(hash, &thing) {
            return self.offset + at;
        }
        let note = note(self, &thing);
        self.own().push(hash, thing, note);
        self.len() - 1
    }

    /// The upper layer, made one's own.
    fn own(&mut self) -> &mut Layer<T, N> {
        if Arc::get_mut(&mut self.upper).is_none() {
            match &self.lower {
                None => {
                    self.offset = self.upper.things.len();
                    self.lower = Some(std::mem::take(&mut self.upper));
                }
                // Costs no more than it is large, twice; the next such copy is
                // as far away as this one was from the last.
                Some(lower) if self.upper.things.len() > self.offset => {
                    let mut both = Layer::clone(lower);
                    for (thing, note) in self.upper.things.iter().zip(&self.upper.notes) {
                        both.push(FxBuildHasher.hash_one(thing), thing.clone(), *note);
                    }
                    self.offset = both.things.len();
                    self.lower = Some(Arc::new(both));
                    self.upper = Arc::default();
                }
                Some(_) => self.upper = Arc::new(Layer::clone(&self.upper)),
            }
        }
        Arc::get_mut(&mut self.upper).expect("nobody else has a layer that was just made")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layers(numbers: std::ops::Range<u32>) -> Layers<u32, u32> {
        let mut layers = Layers::new();
        for n in numbers {
            layers.intern(n, |_, n| n + 1);
        }
        layers
    }

    fn agrees(layers: &Layers<u32, u32>, expected: &[u32]) {
        assert_eq!(layers.len(), expected.len());
        for (at, n) in expected.iter().enumerate() {
            assert_eq!((layers.get(at), layers.note(at)), (n, n + 1));
        }
    }

    #[test]
    fn copies_go_apart() {
        let mut one = layers(0..10);
        let mut other = one.clone();
        assert_eq!(one.intern(20, |_, n| n + 1), 10);
        assert_eq!(other.intern(30, |_, n| n + 1), 10);
        assert_eq!(other.intern(5, |_, _| unreachable!()), 5);
        assert_eq!(other.intern(30, |_, _| unreachable!()), 10);
        agrees(&one, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20]);
        agrees(&other, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 30]);
    }

    #[test]
    fn an_extended_copy_shares_what_is_below() {
        let one = layers(0..10);
        let mut other = one.clone();
        other.intern(20, |_, n| n + 1);
        let lower = other.lower.as_ref().expect("there is one");
        assert!(Arc::ptr_eq(lower, &one.upper));
        let mut third = other.clone();
        third.intern(30, |_, n| n + 1);
        assert!(Arc::ptr_eq(lower, third.lower.as_ref().expect("there is one")));
        agrees(&other, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20]);
    }

    /// Predicates are made all the time from arenas that grow.
    #[test]
    fn copies_between_every_two_steps() {
        let mut one = layers(0..3);
        let mut kept = Vec::new();
        for n in 3..200 {
            kept.push(one.clone());
            assert_eq!(one.intern(n, |_, n| n + 1), n as usize);
            assert!(one.upper.things.len() <= one.offset + 1);
        }
        for (i, copy) in kept.iter().enumerate() {
            agrees(copy, &(0..i as u32 + 3).collect::<Vec<_>>());
        }
        agrees(&one, &(0..200).collect::<Vec<_>>());
    }
}
