//! Types of scalar flows.

use std::sync::Arc;

use lustral_sema::types::{Bounds, EnumId};

/// What values a flow has, without bounds. Machine integers and arrays that
/// stay whole become variants here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// All integers.
    Int,
    /// All rational numbers.
    Real,
    /// The values of an enumeration.
    Enum(EnumId),
}

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

impl From<&lustral_sema::Type> for Type {
    /// The type of a leaf.
    ///
    /// # Panics
    /// If the type has parts.
    fn from(ty: &lustral_sema::Type) -> Type {
        match ty {
            lustral_sema::Type::Bool => Sort::Bool.into(),
            lustral_sema::Type::Int => Sort::Int.into(),
            lustral_sema::Type::Real => Sort::Real.into(),
            lustral_sema::Type::Enum(id) => Sort::Enum(*id).into(),
            lustral_sema::Type::Subrange(bounds) => {
                Type { sort: Sort::Int, bounds: Some(bounds.clone()) }
            }
            lustral_sema::Type::Record(_)
            | lustral_sema::Type::Tuple(_)
            | lustral_sema::Type::Array(_) => unreachable!("a leaf is a scalar"),
        }
    }
}
