//! What cells and the rest are called in the program: by the names of the protocol, so that who
//! reads an invariant of the program understands it.

use lustral_first_order::{SortId, Universe};
use rustc_hash::FxHashSet;

use super::cells::{CellId, Cells, tuple_of};
use crate::protocol::Protocol;

/// Names of a program, no two the same.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// By cell: in the state of a step, in the state that was left, and what an input says.
    pub is: Vec<String>,
    pub was: Vec<String>,
    pub any: Vec<String>,
    /// By transition: that it is taken.
    pub taken: Vec<String>,
    /// By sort and number: an argument; what follows is the element.
    pub arguments: Vec<Vec<String>>,
}

/// The most parameters of one sort that some transition has.
fn most_of(protocol: &Protocol, sort: SortId) -> usize {
    let of = |transition: &crate::Transition| {
        transition.parameters.iter().filter(|p| p.sort == sort).count()
    };
    protocol.transitions.iter().map(of).max().unwrap_or(0)
}

impl Names {
    pub fn new(protocol: &Protocol, universe: &Universe, cells: &Cells) -> Names {
        let mut used = FxHashSet::default();
        // A name of its own: a number tells apart what would be called the same.
        let mut own = |name: String| {
            let mut this = name.clone();
            let mut number = 1;
            while !used.insert(this.clone()) {
                number += 1;
                this = format!("{name}__{number}");
            }
            this
        };
        let base: Vec<String> = cells.ids().map(|id| base(protocol, universe, cells, id)).collect();
        let is = base.iter().map(|name| own(name.clone())).collect();
        let was = base.iter().map(|name| own(format!("was_{name}"))).collect();
        let any = base.iter().map(|name| own(format!("any_{name}"))).collect();
        let taken = protocol.transitions.iter().map(|t| own(format!("take__{}", t.name))).collect();
        let sorts = protocol.signature.sort_ids();
        let arguments = sorts.map(|sort| {
            let name = protocol.signature.sort(sort);
            (1..=most_of(protocol, sort)).map(|i| own(format!("{name}_argument{i}_"))).collect()
        });
        let arguments = arguments.collect();
        Names { is, was, any, taken, arguments }
    }
}

/// The symbol, the elements of the tuple, and the value of a function.
fn base(protocol: &Protocol, universe: &Universe, cells: &Cells, id: CellId) -> String {
    let cell = cells.cell(id);
    let symbol = protocol.signature.symbol(cell.symbol);
    let tuple = tuple_of(&protocol.signature, universe, cell.symbol, cell.position);
    let elements: Vec<String> = tuple.iter().map(u32::to_string).collect();
    let value = cell.value.map(|value| format!("__is_{value}")).unwrap_or_default();
    format!("{}__{}{value}", symbol.name, elements.join("_"))
}
