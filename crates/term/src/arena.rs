//! The arena of interned terms.

use crate::layers::Layers;
use crate::value::{Sort, Value};

lustral_base::id!(/// A term of a [`Terms`] arena.
    TermId);
lustral_base::id!(/// A variable. What it stands for is the business of whoever made it.
    VarId);

/// The operator of a term with its operands. There is no strict order and no
/// subtraction: `a < b` is `not (b <= a)`, `a - b` is `a + -1 * b`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A value.
    Value(Value),
    /// A variable.
    Var(VarId, Sort),
    /// Negation.
    Not(TermId),
    /// Conjunction of two or more.
    And(Box<[TermId]>),
    /// Disjunction of two or more.
    Or(Box<[TermId]>),
    /// `if c then a else b`, of any sort.
    Ite(TermId, TermId, TermId),
    /// Equality of two terms of one sort; of truth values, equivalence.
    Eq(TermId, TermId),
    /// `a <= b`
    Le(TermId, TermId),
    /// Sum of two or more.
    Add(Box<[TermId]>),
    /// Product of two or more; a constant factor comes first.
    Mul(Box<[TermId]>),
    /// Euclidean quotient of integers.
    IntDiv(TermId, TermId),
    /// Euclidean remainder of integers.
    Mod(TermId, TermId),
    /// Quotient of reals.
    RealDiv(TermId, TermId),
    /// An integer as a real.
    ToReal(TermId),
    /// The largest integer not above a real.
    Floor(TermId),
}

/// An arena of terms. A copy costs nothing: it shares the terms that are there,
/// and goes on with the same numbers.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The operators, each with the sort of its term.
    ops: Layers<Op, Sort>,
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
        let mut terms = Terms { ops: Layers::new() };
        terms.intern(Op::Value(Value::Bool(false)));
        terms.intern(Op::Value(Value::Bool(true)));
        terms
    }

    /// The number of terms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Never: there are always `false` and `true`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The operator of a term.
    ///
    /// # Panics
    /// If the term is of a larger arena.
    #[must_use]
    pub fn op(&self, id: TermId) -> &Op {
        self.ops.get(id.index())
    }

    /// The sort of a term.
    #[must_use]
    pub fn sort(&self, id: TermId) -> Sort {
        self.ops.note(id.index())
    }

    /// The value of a term that is one.
    #[must_use]
    pub fn value(&self, id: TermId) -> Option<&Value> {
        match self.op(id) {
            Op::Value(value) => Some(value),
            _ => None,
        }
    }

    /// The variable of a term that is one.
    #[must_use]
    pub fn var(&self, id: TermId) -> Option<VarId> {
        match self.op(id) {
            Op::Var(var, _) => Some(*var),
            _ => None,
        }
    }

    /// The term of an operator, as it stands: the constructors rewrite first.
    pub(crate) fn intern(&mut self, op: Op) -> TermId {
        TermId(self.ops.intern(op, sort_of) as u32)
    }

    /// Hands each operand of a term to `visit`.
    pub fn operands(&self, id: TermId, mut visit: impl FnMut(TermId)) {
        match self.op(id) {
            Op::Value(_) | Op::Var(..) => {}
            Op::Not(a) | Op::ToReal(a) | Op::Floor(a) => visit(*a),
            Op::And(list) | Op::Or(list) | Op::Add(list) | Op::Mul(list) => {
                list.iter().copied().for_each(visit);
            }
            Op::Eq(a, b) | Op::Le(a, b) | Op::IntDiv(a, b) | Op::Mod(a, b) | Op::RealDiv(a, b) => {
                visit(*a);
                visit(*b);
            }
            Op::Ite(c, a, b) => {
                visit(*c);
                visit(*a);
                visit(*b);
            }
        }
    }

    /// All terms below some roots, the roots included, operands first, each once.
    #[must_use]
    pub fn closure(&self, roots: impl IntoIterator<Item = TermId>) -> Vec<TermId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<TermId> = roots.into_iter().collect();
        let mut found = Vec::new();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                found.push(id);
                self.operands(id, |operand| stack.push(operand));
            }
        }
        found.sort_unstable();
        found
    }

    /// The variables below some roots, in order, each once.
    #[must_use]
    pub fn variables(&self, roots: impl IntoIterator<Item = TermId>) -> Vec<VarId> {
        let mut found: Vec<VarId> =
            self.closure(roots).into_iter().filter_map(|id| self.var(id)).collect();
        found.sort_unstable();
        found
    }
}

fn sort_of(known: &Layers<Op, Sort>, op: &Op) -> Sort {
    match op {
        Op::Value(value) => value.sort(),
        Op::Var(_, sort) => *sort,
        Op::Not(_) | Op::And(_) | Op::Or(_) | Op::Eq(..) | Op::Le(..) => Sort::Bool,
        Op::Ite(_, a, _) => known.note(a.index()),
        Op::Add(list) | Op::Mul(list) => known.note(list[0].index()),
        Op::IntDiv(..) | Op::Mod(..) | Op::Floor(_) => Sort::Int,
        Op::RealDiv(..) | Op::ToReal(_) => Sort::Real,
    }
}
