//! The arena of interned terms (hash-consing).

use smallvec::SmallVec;

use crate::layers::Layers;
use crate::operator::Operator;
use crate::term::{Stored, Term, TermId, VarId};
use crate::value::Value;
use lustral_base::sort::Sort;

/// An arena of terms. A copy costs nothing: it shares the terms that are there,
/// and goes on with the same numbers.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The terms, each with its sort.
    stored: Layers<Stored, Sort>,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    /// The term `false`, in every arena.
    pub const FALSE: TermId = TermId(0);
    /// The term `true`, in every arena.
    pub const TRUE: TermId = TermId(1);

    /// An arena with `false` and `true`.
    #[must_use]
    pub fn new() -> Terms {
        let mut terms = Terms { stored: Layers::new() };
        terms.constant(Value::Bool(false));
        terms.constant(Value::Bool(true));
        terms
    }

    /// The number of terms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.stored.len()
    }

    /// Never: there are always `false` and `true`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// A term.
    ///
    /// # Panics
    /// If the term is of a larger arena.
    #[must_use]
    pub fn get(&self, id: TermId) -> Term<'_> {
        self.stored.get(id.index()).view()
    }

    /// The sort of a term.
    #[must_use]
    pub fn sort(&self, id: TermId) -> Sort {
        self.stored.note(id.index())
    }

    /// The value of a term that is one.
    #[must_use]
    pub fn value(&self, id: TermId) -> Option<&Value> {
        match self.get(id) {
            Term::Value(value) => Some(value),
            _ => None,
        }
    }

    /// The variable of a term that is one.
    #[must_use]
    pub fn var(&self, id: TermId) -> Option<VarId> {
        match self.get(id) {
            Term::Var(var, _) => Some(var),
            _ => None,
        }
    }

    /// The operator of a term that has one.
    #[must_use]
    pub fn operator(&self, id: TermId) -> Option<Operator> {
        match self.get(id) {
            Term::Apply(operator, _) => Some(operator),
            _ => None,
        }
    }

    /// The operands of a term: none, if it is a value or a variable.
    #[must_use]
    pub fn operands(&self, id: TermId) -> &[TermId] {
        match self.get(id) {
            Term::Apply(_, operands) => operands,
            _ => &[],
        }
    }

    /// A value.
    pub fn constant(&mut self, value: Value) -> TermId {
        // Most values are known, and a look needs no box.
        let known = Term::Value(&value);
        match self.stored.position(&known, |stored| stored.view() == known) {
            Some(index) => TermId(index as u32),
            None => self.intern(Stored::Value(Box::new(value))),
        }
    }

    /// A variable. One variable has one sort.
    pub fn variable(&mut self, var: VarId, sort: Sort) -> TermId {
        self.intern(Stored::Var(var, sort))
    }

    /// An operator applied to operands, as it stands: the constructors rewrite first.
    pub(crate) fn raw(&mut self, operator: Operator, operands: &[TermId]) -> TermId {
        self.intern(Stored::apply(operator, operands))
    }

    fn intern(&mut self, term: Stored) -> TermId {
        TermId(self.stored.intern(term, sort_of) as u32)
    }
}

fn sort_of(known: &Layers<Stored, Sort>, term: &Stored) -> Sort {
    match term {
        Stored::Value(value) => value.sort(),
        Stored::Var(_, sort) => *sort,
        Stored::Apply(operator, operands) => {
            let sorts: SmallVec<[Sort; 4]> =
                operands.iter().map(|a| known.note(a.index())).collect();
            let sort = operator.result(&sorts);
            sort.unwrap_or_else(|| panic!("{operator:?} has no operands of sorts {sorts:?}"))
        }
    }
}
