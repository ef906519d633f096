//! The bits of a state, and what the leaves of circuits are.

use lustral_first_order::{Signature, SymbolId, TooLarge, Universe};
use rustc_hash::FxHashMap;

use crate::protocol::{Change, Protocol};

lustral_base::id!(/// A bit of the state.
    CellId);

/// What a bit of the state says: that the tuple at a position is in a relation, or that a
/// function has this value for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    /// The symbol.
    pub symbol: SymbolId,
    /// The position of the tuple among all.
    pub position: usize,
    /// The value of a function.
    pub value: Option<u32>,
}

/// The most cells that a state may have.
const MOST_CELLS: usize = 20_000;

/// All cells: those of a function for a tuple stand in a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    pub list: Vec<Cell>,
    numbers: FxHashMap<Cell, CellId>,
}

impl Cells {
    /// The cells of a protocol.
    pub fn new(protocol: &Protocol, universe: &Universe) -> Result<Cells, TooLarge> {
        let mut cells = Cells::default();
        for (symbol, known) in protocol.signature.symbols() {
            if matches!(protocol.changes[symbol.index()], Change::Derived(_)) {
                continue;
            }
            let tuples = universe.count(&known.arguments).filter(|count| *count <= MOST_CELLS);
            for position in 0..tuples.ok_or(TooLarge)? {
                for value in values(universe, known.result) {
                    let cell = Cell { symbol, position, value };
                    cells.numbers.insert(cell, CellId(cells.list.len() as u32));
                    cells.list.push(cell);
                    if cells.list.len() > MOST_CELLS {
                        return Err(TooLarge);
                    }
                }
            }
        }
        Ok(cells)
    }

    /// The number of a cell.
    pub fn id(&self, cell: Cell) -> CellId {
        self.numbers[&cell]
    }

    /// All of them.
    pub fn ids(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..self.list.len() as u32).map(CellId)
    }

    /// What a cell is.
    pub fn cell(&self, id: CellId) -> Cell {
        self.list[id.index()]
    }
}

/// The values that cells are needed for: of a relation none.
fn values(universe: &Universe, result: Option<lustral_first_order::SortId>) -> Vec<Option<u32>> {
    match result {
        None => vec![None],
        Some(sort) => (0..universe.size(sort)).map(Some).collect(),
    }
}

/// What a leaf of the circuit is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Leaf {
    /// A cell in the state that was left.
    Was(CellId),
    /// A cell in the state of this step.
    Is(CellId),
    /// What an input says that a cell is to be; of the cells of a function one.
    Any(CellId),
    /// That an argument of the chosen transition is this element: sort, number, element.
    Argument(u32, u32, u32),
    /// That this transition is taken.
    Taken(u32),
}

/// A name for a tuple: its elements.
pub(super) fn tuple_of(
    signature: &Signature,
    universe: &Universe,
    symbol: SymbolId,
    position: usize,
) -> Vec<u32> {
    let sorts = &signature.symbol(symbol).arguments;
    let mut rest = position;
    let mut tuple: Vec<u32> = sorts
        .iter()
        .rev()
        .map(|sort| {
            let size = universe.size(*sort) as usize;
            let element = rest % size;
            rest /= size;
            element as u32
        })
        .collect();
    tuple.reverse();
    tuple
}
