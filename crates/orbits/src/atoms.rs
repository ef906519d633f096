//! What cubes and clauses of an instance are made of, and what they become when elements are
//! renamed.

use lustral_first_order::{Signature, SortId, SymbolId, Universe};
use lustral_protocol::instance::Instance;
use lustral_quantified::{Clause, Literal};
use rustc_hash::{FxHashMap, FxHashSet};

/// That an atom holds in a state, or that it does not.
pub(crate) type AtomLit = (u32, bool);

/// Literals that hold together, in order.
pub(crate) type Cube = Vec<AtomLit>;

/// An element of a sort.
pub(crate) type Element = (SortId, u32);

/// More renamings of a cube than this are not written out.
pub(crate) const MOST_RENAMED: usize = 4_000;

/// What may be said of a state: the cells, then what derived relations say.
pub(crate) struct Atoms {
    signature: Signature,
    pub universe: Universe,
    list: Vec<(SymbolId, Vec<Element>)>,
    numbers: FxHashMap<(SymbolId, Vec<u32>), u32>,
}

impl Atoms {
    pub fn new(signature: &Signature, instance: &Instance, tuple: &TupleOf<'_>) -> Atoms {
        let mut atoms = Atoms {
            signature: signature.clone(),
            universe: instance.universe.clone(),
            list: Vec::new(),
            numbers: FxHashMap::default(),
        };
        let cells = instance.cells().iter().chain(instance.derived.iter().map(|(cell, _)| cell));
        for cell in cells {
            let elements = tuple(*cell);
            let symbol = signature.symbol(cell.symbol);
            let sorts = symbol.arguments.iter().copied().chain(symbol.result);
            let known = sorts.zip(elements.iter().copied()).collect();
            atoms.numbers.insert((cell.symbol, elements), atoms.list.len() as u32);
            atoms.list.push((cell.symbol, known));
        }
        atoms
    }

    /// The atom of a symbol for elements.
    pub fn number(&self, symbol: SymbolId, elements: Vec<u32>) -> Option<u32> {
        self.numbers.get(&(symbol, elements)).copied()
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn symbol(&self, atom: u32) -> SymbolId {
        self.list[atom as usize].0
    }

    pub fn elements(&self, atom: u32) -> &[Element] {
        &self.list[atom as usize].1
    }

    /// The elements that a cube mentions, in order.
    pub fn mentioned(&self, cube: &[AtomLit]) -> Vec<Element> {
        let mut all: Vec<Element> =
            cube.iter().flat_map(|(atom, _)| self.elements(*atom)).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// How many ways there are to rename the elements of a cube, at most.
    pub fn ways(&self, cube: &[AtomLit]) -> usize {
        let mentioned = self.mentioned(cube);
        let mut ways = 1usize;
        for sort in self.signature.sort_ids() {
            let used = mentioned.iter().filter(|e| e.0 == sort).count() as u32;
            let size = self.universe.size(sort);
            ways = (0..used).fold(ways, |w, i| w.saturating_mul((size - i) as usize));
        }
        ways
    }

    /// All cubes that a cube becomes when its elements are renamed, itself among them; no more
    /// than some.
    pub fn orbit(&self, cube: &[AtomLit]) -> Vec<Cube> {
        let mentioned = self.mentioned(cube);
        let mut found = FxHashSet::default();
        let mut list = Vec::new();
        self.rename(&mentioned, &mut Vec::new(), &mut |chosen| {
            let renamed = self.renamed(cube, &mentioned, chosen);
            if found.insert(renamed.clone()) {
                list.push(renamed);
            }
            list.len() < MOST_RENAMED
        });
        list
    }

    /// Goes through all ways to rename some elements, which are in order.
    pub fn renamings(&self, elements: &[Element], tell: &mut dyn FnMut(&[u32])) {
        self.rename(elements, &mut Vec::new(), &mut |chosen| {
            tell(chosen);
            true
        });
    }

    /// Goes through all renamings, until it is told to stop.
    fn rename(
        &self,
        mentioned: &[Element],
        chosen: &mut Vec<u32>,
        tell: &mut dyn FnMut(&[u32]) -> bool,
    ) -> bool {
        let Some((sort, _)) = mentioned.get(chosen.len()).copied() else {
            return tell(chosen);
        };
        for element in 0..self.universe.size(sort) {
            let used =
                mentioned.iter().zip(chosen.iter()).any(|(m, c)| m.0 == sort && *c == element);
            if used {
                continue;
            }
            chosen.push(element);
            let go_on = self.rename(mentioned, chosen, tell);
            chosen.pop();
            if !go_on {
                return false;
            }
        }
        true
    }

    fn renamed(&self, cube: &[AtomLit], mentioned: &[Element], chosen: &[u32]) -> Cube {
        let one = |(atom, holds): &AtomLit| (self.renamed_atom(*atom, mentioned, chosen), *holds);
        let mut renamed: Cube = cube.iter().map(one).collect();
        renamed.sort_unstable();
        renamed
    }

    /// What an atom becomes when its elements, which are among some in order, are renamed.
    pub fn renamed_atom(&self, atom: u32, mentioned: &[Element], chosen: &[u32]) -> u32 {
        let (symbol, elements) = &self.list[atom as usize];
        let new = elements.iter().map(|element| {
            let place = mentioned.binary_search(element).unwrap_or_default();
            chosen[place]
        });
        self.numbers[&(*symbol, new.collect())]
    }

    /// The clause that says that a cube does not hold.
    pub fn clause(&self, cube: &[AtomLit]) -> Clause {
        let one = |(atom, holds): &AtomLit| {
            let (symbol, elements) = &self.list[*atom as usize];
            let elements = elements.iter().map(|e| e.1).collect();
            Literal { symbol: *symbol, elements, holds: !holds }
        };
        cube.iter().map(one).collect()
    }
}

/// The elements of a cell.
pub(crate) type TupleOf<'a> = dyn Fn(lustral_protocol::instance::Cell) -> Vec<u32> + 'a;
