//! Names of sorts and functions in SMT-LIB. What programs call them never appears.

use std::fmt::Write;

use crate::operator::{Function, Operator, Smtlib};
use lustral_base::sort::{Scalar, Sort};

/// The name of a sort in SMT-LIB. Values of enumerations are integers there, by
/// their positions; whoever declares something of such a sort must add its range.
#[must_use]
pub fn sort_name(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".into(),
        Sort::Int | Sort::Enum(_) => "Int".into(),
        Sort::Real => "Real".into(),
        Sort::BitVec(shape) => format!("(_ BitVec {})", shape.width()),
        Sort::Uninterpreted(id) => format!("U{}", id.0),
        // As deep as types are nested.
        Sort::Array(sort) => {
            format!("(Array {} {})", index_sort_name(sort.index()), sort_name(sort.element()))
        }
    }
}

/// The name of the sort of indices of arrays: of one scalar its own, of several that of a
/// data type, which must be declared (`tuple_declaration`).
#[must_use]
pub fn index_sort_name(index: &[Scalar]) -> String {
    match index {
        [scalar] => sort_name((*scalar).into()),
        _ => format!("{}.t", tuple_name(index)),
    }
}

/// The constructor of indices of several scalars.
#[must_use]
pub fn tuple_name(index: &[Scalar]) -> String {
    let mut name = "T".to_string();
    for scalar in index {
        let sort = match scalar {
            Scalar::BitVec(shape) => format!("BitVec{}", shape.width()),
            _ => sort_name((*scalar).into()),
        };
        let _ = write!(name, ".{sort}");
    }
    name
}

/// The declaration of the sort of indices of several scalars.
#[must_use]
pub fn tuple_declaration(index: &[Scalar]) -> String {
    let (sort, name) = (index_sort_name(index), tuple_name(index));
    let mut text = format!("(declare-datatypes (({sort} 0)) ((({name}");
    for (i, scalar) in index.iter().enumerate() {
        let _ = write!(text, " ({name}.{i} {})", sort_name((*scalar).into()));
    }
    text.push_str("))))");
    text
}

impl Function {
    /// Its name in SMT-LIB.
    #[must_use]
    pub fn smtlib(self) -> String {
        format!("F{}", self.id.0)
    }
}

impl Operator {
    /// The text of its application to operands of these sorts with these texts.
    #[must_use]
    pub fn smtlib(self, sorts: &[Sort], texts: &[&str]) -> String {
        match self.entry().smtlib {
            Smtlib::Text(text) => text(self, sorts, texts),
            Smtlib::Name(name) => {
                let mut text = format!("({name}");
                for operand in texts {
                    let _ = write!(text, " {operand}");
                }
                text.push(')');
                text
            }
        }
    }
}
