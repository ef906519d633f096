//! Names of sorts and functions in SMT-LIB. What programs call them never appears.

use std::fmt::Write;

use crate::operator::{Function, Operator, Smtlib};
use lustral_base::sort::Sort;

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
        // The sort of elements is a scalar, so this goes no deeper.
        Sort::Array(scalar) => format!("(Array Int {})", sort_name(scalar.into())),
    }
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
