//! Algebraic data types: constructors with named fields, and the patterns that take values
//! apart.

use crate::ast::{Ident, Variable};
use crate::source::Span;

/// `Circle (radius: real)`: a way to make a value of a data type.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// The name.
    pub name: Ident,
    /// What such a value is made of.
    pub fields: Vec<Variable>,
}

/// When the arms of a choice by pattern take steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arms {
    /// `match`: only the chosen one does.
    Chosen,
    /// `case`, which Vélus has: all of them do, as of the sides of `if`.
    All,
}

/// What a value is compared with in an arm of `match`.
#[derive(Clone, PartialEq, Debug)]
pub enum Pattern {
    /// `_`: any value.
    Any(Span),
    /// A constructor without fields; or else any value, which has this name in the arm.
    Name(Ident),
    /// `C(p, q)`: a value that the constructor made, of such fields.
    Fields(Ident, Vec<Pattern>),
}

/// How deep patterns may be nested, so that walks over them may recurse.
pub const DEEPEST_PATTERN: usize = 64;

impl Pattern {
    /// Where it begins.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Pattern::Any(span) => *span,
            Pattern::Name(name) | Pattern::Fields(name, _) => name.span,
        }
    }
}
