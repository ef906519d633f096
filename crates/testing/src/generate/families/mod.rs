//! The families of constructs, a file for each. A family has tables of
//! [`Production`]s, ways to write an expression of a type, with their weights.

mod blocks;
mod calls;
mod choice;
mod clocks;
mod data;
mod definitions;
mod integers;
mod iterators;
mod keyed;
mod logic;
mod machine;
mod reals;
mod state;
mod structures;
mod time;
mod tuples;

use crate::generate::language::Feature;
use crate::generate::world::Ty;
use crate::generate::writer::{Place, Writer};
use crate::tree::Expr;

/// A way to write an expression.
pub struct Production {
    /// How often it is chosen, among those of the same type.
    pub weight: usize,
    /// The feature that it needs, if there is a switch for it.
    pub feature: Option<Feature>,
    /// Writes one of a type at a place; operands stand deeper.
    pub write: fn(&mut Writer<'_>, Ty, Place) -> Expr,
}

/// The productions that give any type.
pub const ANY: &[&[Production]] = &[
    choice::ANY,
    time::ANY,
    calls::ANY,
    structures::ANY,
    iterators::ANY,
    clocks::ANY,
    data::ANY,
    keyed::ANY,
];

/// The productions that give a type and no other.
pub fn of(ty: Ty) -> &'static [&'static [Production]] {
    match ty {
        Ty::Bool => &[logic::BOOL, structures::BOOL, iterators::BOOL, data::BOOL, keyed::BOOL],
        Ty::Int | Ty::Range(_) => &[integers::INT, machine::INT],
        Ty::Machine(_) => &[machine::MACHINE],
        Ty::Real => &[reals::REAL],
        // All that an enumeration has, the others have too.
        Ty::Enum(_) => ANY,
        Ty::Structure(_) => &[structures::STRUCTURE, iterators::STRUCTURE],
    }
}
