//! Clauses of few literals, all of them at once.
//!
//! IC3 looks at one failure after the other, and each teaches one clause. Where many small facts need each other, it
//! excludes one state after the other from every frame. But small facts can be listed: a cube of few literals that none
//! of the reached states is in, whatever elements are called, is perhaps never entered (Yao et al., "DistAI: Data-Driven
//! Automated Invariant Learning for Distributed Protocols", 2021). Houdini keeps those that are inductive
//! together. What a step enters that Houdini was shown counts as reached from then on, so that longer cubes are
//! listed in place of those that had too few literals.

use lustral_first_order::SortId;
use rustc_hash::FxHashSet;

use crate::atoms::{AtomLit, Atoms, Cube, Element};

/// Of so many atoms at most cubes are made.
const MOST_ATOMS: usize = 90;
/// In so many ways at most a state is looked at.
const MOST_WAYS: usize = 2_000;
/// No more elements of a sort are in a cube.
const MOST_OF_A_SORT: u32 = 3;
/// No more cubes of one length are listed.
const MOST_CUBES: usize = 20_000;

/// What states look like to a few elements, whichever these are: a row for each way to look at a state.
pub(crate) struct Rows {
    /// The atoms that are looked at.
    atoms: Vec<u32>,
    /// By way to look: the atoms that stand for those.
    ways: Vec<Vec<u32>>,
    /// By way to call the few elements by each other's names: the places of the atoms.
    names: Vec<Vec<usize>>,
    /// By literal (twice the place of an atom, and one more if it does not hold): in which rows it holds.
    columns: Vec<Vec<u64>>,
    count: usize,
    seen: FxHashSet<Vec<u64>>,
}

impl Rows {
    pub fn new(atoms: &Atoms) -> Rows {
        let few = few(atoms);
        let chosen = chosen(atoms, &few);
        let elements: Vec<Element> =
            few.iter().flat_map(|(sort, number)| (0..*number).map(|e| (*sort, e))).collect();
        let mut ways = Vec::new();
        let mut names = Vec::new();
        atoms.renamings(&elements, &mut |renamed| {
            let as_way = chosen.iter().map(|a| atoms.renamed_atom(*a, &elements, renamed));
            let way: Vec<u32> = as_way.collect();
            let places: Option<Vec<usize>> =
                way.iter().map(|a| chosen.binary_search(a).ok()).collect();
            names.extend(places);
            ways.push(way);
        });
        let columns = vec![Vec::new(); 2 * chosen.len()];
        Rows { atoms: chosen, ways, names, columns, count: 0, seen: FxHashSet::default() }
    }

    /// Adds what a state looks like, from everywhere.
    pub fn add(&mut self, state: &[AtomLit]) {
        let mut row = vec![0u64; self.atoms.len().div_ceil(64)];
        for way in &self.ways {
            row.fill(0);
            for (place, atom) in way.iter().enumerate() {
                row[place / 64] |= u64::from(state[*atom as usize].1) << (place % 64);
            }
            if !self.seen.insert(row.clone()) {
                continue;
            }
            let (word, bit) = (self.count / 64, self.count % 64);
            for (place, columns) in self.columns.chunks_mut(2).enumerate() {
                let holds = row[place / 64] >> (place % 64) & 1;
                for (column, value) in columns.iter_mut().zip([holds, 1 - holds]) {
                    column.resize(word + 1, 0);
                    column[word] |= value << bit;
                }
            }
            self.count += 1;
        }
    }

    /// The cubes of so many literals that no row is in, and that have no such part; one for each way to call
    /// elements.
    pub fn cubes(&self, length: usize) -> Vec<Cube> {
        let empty = |a: usize, b: usize| !meet(&self.columns[a], &self.columns[b]);
        let literals = self.columns.len();
        let mut apart = vec![false; literals * literals];
        for a in 0..literals {
            for b in 0..literals {
                apart[a * literals + b] = empty(a, b);
            }
        }
        let mut listing =
            Listing { rows: self, length, apart, seen: FxHashSet::default(), found: Vec::new() };
        let all = vec![u64::MAX; self.count.div_ceil(64)];
        listing.extend(&mut Vec::new(), &all);
        listing.found
    }
}

/// A list of cubes while it is made.
struct Listing<'r> {
    rows: &'r Rows,
    length: usize,
    /// By pair of literals: whether no row is in both.
    apart: Vec<bool>,
    seen: FxHashSet<Vec<usize>>,
    found: Vec<Cube>,
}

impl Listing<'_> {
    /// Goes through all longer cubes.
    fn extend(&mut self, cube: &mut Vec<usize>, rows: &[u64]) {
        let literals = self.rows.columns.len();
        let begin = cube.last().map_or(0, |last| last + 1);
        for literal in begin..literals {
            if self.found.len() >= MOST_CUBES {
                return;
            }
            let apart = |other: &usize| self.apart[other * literals + literal];
            if self.length > 2 && cube.iter().any(apart) {
                continue;
            }
            let column = &self.rows.columns[literal];
            let some = meet(rows, column);
            cube.push(literal);
            if cube.len() == self.length {
                if !some && self.has_no_such_part(cube) {
                    self.note(cube);
                }
            } else if some {
                let both: Vec<u64> = rows.iter().zip(column).map(|(a, b)| a & b).collect();
                self.extend(cube, &both);
            }
            cube.pop();
        }
    }

    /// Whether some row is in each part of a cube.
    fn has_no_such_part(&self, cube: &[usize]) -> bool {
        let columns = &self.rows.columns;
        let words = columns[cube[0]].len();
        let is_met = |left_out: usize| {
            (0..words).any(|word| {
                let others = cube.iter().enumerate().filter(|(i, _)| *i != left_out);
                others.fold(u64::MAX, |rows, (_, literal)| rows & columns[*literal][word]) != 0
            })
        };
        (0..cube.len()).all(is_met)
    }

    /// Notes a cube, if it is not one that is known by other names.
    fn note(&mut self, cube: &[usize]) {
        let by = |names: &Vec<usize>| {
            let renamed = cube.iter().map(|literal| 2 * names[literal / 2] + literal % 2);
            let mut renamed: Vec<usize> = renamed.collect();
            renamed.sort_unstable();
            renamed
        };
        let Some(least) = self.rows.names.iter().map(by).min() else { return };
        if self.seen.insert(least) {
            let atoms = &self.rows.atoms;
            let literal = |literal: &usize| (atoms[literal / 2], literal.is_multiple_of(2));
            self.found.push(cube.iter().map(literal).collect());
        }
    }
}

/// Whether two sets of rows have one in common.
fn meet(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// How many elements of each sort are spoken of: as many as leave few atoms, and few ways to look at a state.
fn few(atoms: &Atoms) -> Vec<(SortId, u32)> {
    let sizes = atoms.universe.sizes().iter().zip(0..);
    let mut few: Vec<(SortId, u32)> =
        sizes.map(|(size, sort)| (SortId(sort), (*size).min(MOST_OF_A_SORT))).collect();
    while chosen(atoms, &few).len() > MOST_ATOMS || ways(atoms, &few) > MOST_WAYS {
        // Of the sort that leaves the fewest, one element less.
        let less = |i: usize| {
            let mut less = few.clone();
            less[i].1 -= 1;
            less
        };
        let can = (0..few.len()).filter(|i| few[*i].1 > 1).map(less);
        let Some(next) =
            can.min_by_key(|less| (std::cmp::Reverse(fewest(less)), chosen(atoms, less).len()))
        else {
            break;
        };
        few = next;
    }
    few
}

/// How many ways there are to call other elements by the names of some.
fn ways(atoms: &Atoms, few: &[(SortId, u32)]) -> usize {
    let of = |(sort, number): &(SortId, u32)| {
        let size = atoms.universe.size(*sort);
        (0..*number).map(move |i| (size - i) as usize)
    };
    few.iter().flat_map(of).fold(1, usize::saturating_mul)
}

/// The fewest elements of a sort that are spoken of.
fn fewest(few: &[(SortId, u32)]) -> u32 {
    few.iter().map(|(_, number)| *number).min().unwrap_or_default()
}

/// The atoms about some elements only.
fn chosen(atoms: &Atoms, few: &[(SortId, u32)]) -> Vec<u32> {
    let is_few = |element: &Element| few[element.0.0 as usize].1 > element.1;
    (0..atoms.len() as u32).filter(|a| atoms.elements(*a).iter().all(is_few)).collect()
}
