//! Types of scalar flows.

use std::sync::Arc;

use lustral_base::EnumId;
use lustral_base::sort::{ArraySort, Scalar};
pub use lustral_base::sort::{Enumeration, Sort};
use lustral_sema::types::Bounds;

/// The type of a scalar flow or expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Type {
    /// Its values.
    pub sort: Sort,
    /// The bounds that the program declares. They are given or shown by an
    /// obligation; only the arbitrary first value of a `pre` keeps to them
    /// because of its type.
    pub bounds: Option<Arc<Bounds>>,
}

impl Type {
    /// Truth values.
    pub const BOOL: Type = Type { sort: Sort::Bool, bounds: None };
    /// All integers.
    pub const INT: Type = Type { sort: Sort::Int, bounds: None };
}

impl From<Sort> for Type {
    fn from(sort: Sort) -> Type {
        Type { sort, bounds: None }
    }
}

impl Type {
    /// The type of a leaf: the one place where a scalar type of the language gets
    /// its sort. From here on (flows, variables, terms, solvers) a sort is passed
    /// along and nobody asks for the type.
    ///
    /// # Panics
    /// If the type has parts.
    #[must_use]
    pub fn of(program: &lustral_sema::Program, ty: &lustral_sema::Type) -> Type {
        match ty {
            lustral_sema::Type::Bool => Sort::Bool.into(),
            lustral_sema::Type::Int | lustral_sema::Type::Abstract(_) => Sort::Int.into(),
            lustral_sema::Type::Real => Sort::Real.into(),
            lustral_sema::Type::Machine(shape) => Sort::BitVec(*shape).into(),
            lustral_sema::Type::Enum(id) => Sort::Enum(enumeration(program, *id)).into(),
            lustral_sema::Type::Subrange(bounds) => {
                Type { sort: Sort::Int, bounds: Some(bounds.clone()) }
            }
            lustral_sema::Type::Keyed(keyed) => {
                let leaves = (0..keyed.key.leaves()).map(|leaf| keyed.key.leaf(leaf));
                let scalar = |ty| Type::of(program, ty).sort.scalar();
                let index = leaves.map(scalar).collect::<Option<Vec<Scalar>>>();
                let index = index.expect("sets and maps are no keys");
                let element = Type::of(program, &keyed.element).sort;
                Sort::Array(ArraySort::new(&index, element)).into()
            }
            lustral_sema::Type::Record(_)
            | lustral_sema::Type::Tuple(_)
            | lustral_sema::Type::Map(_)
            | lustral_sema::Type::Array(_) => unreachable!("a leaf is a scalar"),
        }
    }
}

/// An enumeration of a program, as a sort has it.
#[must_use]
pub fn enumeration(program: &lustral_sema::Program, id: EnumId) -> Enumeration {
    Enumeration { id, size: program.enums[id.index()].values.len() as u32 }
}
