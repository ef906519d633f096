//! The matrix of states and literals.

use rustc_hash::FxHashMap;

/// A set of small numbers.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// The first so many numbers.
    pub fn first(number: usize) -> Bits {
        let mut words = vec![u64::MAX; number / 64];
        words.push((1 << (number % 64)) - 1);
        Bits(words)
    }

    pub fn insert(&mut self, i: usize) {
        if self.0.len() <= i / 64 {
            self.0.resize(i / 64 + 1, 0);
        }
        self.0[i / 64] |= 1 << (i % 64);
    }

    pub fn contains(&self, i: usize) -> bool {
        self.0.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    pub fn unite(&mut self, other: &Bits) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    /// Keeps what is in another set too; whether anything is left.
    pub fn intersect(&mut self, other: &Bits) -> bool {
        self.0.truncate(other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
        self.0.iter().any(|word| *word != 0)
    }

    /// Removes what is in another set.
    pub fn subtract(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
    }

    /// How many are in this set and not in another.
    pub fn count_without(&self, other: &Bits) -> u32 {
        let other = other.0.iter().copied().chain(std::iter::repeat(0));
        self.0.iter().zip(other).map(|(a, b)| (a & !b).count_ones()).sum()
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(64 * i + bit)
            })
        })
    }
}

/// The literals up to a level, without those that no known state tells from a
/// simpler one: what separates the states with them does so without.
pub(crate) struct Matrix {
    /// By position: the literal.
    pub literals: Vec<usize>,
    /// By position: the states that satisfy it.
    pub columns: Vec<Bits>,
    /// By state: the positions of the literals that it satisfies.
    pub rows: Vec<Bits>,
}

impl Matrix {
    /// From the columns of some literals, the simple ones first. A literal that
    /// must be there is never left out.
    pub fn new(columns: &[Bits], chosen: &[usize], must: usize, states: usize) -> Matrix {
        let mut seen: FxHashMap<&Bits, ()> = FxHashMap::default();
        let mut matrix = Matrix {
            literals: Vec::new(),
            columns: Vec::new(),
            rows: vec![Bits::default(); states],
        };
        for literal in chosen {
            let column = &columns[*literal];
            if *literal != must && seen.insert(column, ()).is_some() {
                continue;
            }
            let position = matrix.literals.len();
            matrix.literals.push(*literal);
            matrix.columns.push(column.clone());
            column.iter().for_each(|s| matrix.rows[s].insert(position));
        }
        matrix
    }
}
