//! What a term is: a value, a variable, or an operator applied to operands.

use std::hash::{Hash, Hasher};

use smallvec::SmallVec;

use crate::operator::Operator;
use crate::value::Value;
use lustral_base::sort::Sort;

lustral_base::id!(/// A term of a [`Terms`](crate::Terms) arena.
    TermId);
lustral_base::id!(/// A variable. What it stands for is the business of whoever made it.
    VarId);

/// A term, as its arena shows it. Passes that care about a few operators match
/// on these and have a sound answer for all others:
///
/// ```
/// use lustral_term::{Operator, Term, TermId, Terms};
///
/// fn conjuncts(terms: &Terms, id: TermId) -> Vec<TermId> {
///     match terms.get(id) {
///         Term::Apply(Operator::And, list) => list.to_vec(),
///         _ => vec![id],
///     }
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term<'a> {
    /// A value.
    Value(&'a Value),
    /// A variable.
    Var(VarId, Sort),
    /// An operator and its operands.
    Apply(Operator, &'a [TermId]),
}

/// A term, as its arena keeps it. Few operators have more than four operands,
/// and four need no memory of their own. Values are behind a box: they are few,
/// and would double the size of every term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stored {
    Value(Box<Value>),
    Var(VarId, Sort),
    Apply(Operator, SmallVec<[TermId; 4]>),
}

impl Stored {
    pub fn apply(operator: Operator, operands: &[TermId]) -> Stored {
        Stored::Apply(operator, SmallVec::from_slice(operands))
    }

    pub fn view(&self) -> Term<'_> {
        match self {
            Stored::Value(value) => Term::Value(value),
            Stored::Var(var, sort) => Term::Var(*var, *sort),
            Stored::Apply(operator, operands) => Term::Apply(*operator, operands),
        }
    }
}

/// As a term is hashed, so that an arena finds one that is not stored.
impl Hash for Stored {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.view().hash(state);
    }
}
