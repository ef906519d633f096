//! The smallest SMT-LIB logic that holds some terms.

use lustral_term::{Operator, Sort, Term, TermId, Terms};

/// What terms need of a logic.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Logic {
    /// Integers.
    pub ints: bool,
    /// Reals.
    pub reals: bool,
    /// Products and quotients of variables.
    pub nonlinear: bool,
    /// Anything else: bit-vectors, arrays, functions, abstract sorts.
    pub more: bool,
}

impl Logic {
    /// What some terms need.
    #[must_use]
    pub fn of(terms: &Terms, roots: impl IntoIterator<Item = TermId>) -> Logic {
        let mut logic = Logic::default();
        for id in terms.closure(roots) {
            logic.add(terms.sort(id));
            logic.more |= matches!(terms.operator(id), Some(Operator::Call(_)));
            logic.nonlinear |= match terms.get(id) {
                Term::Apply(Operator::Mul, list) => {
                    list.iter().filter(|a| terms.value(**a).is_none()).count() > 1
                }
                // A quotient by zero is a function of the dividend, which no
                // linear logic has.
                Term::Apply(Operator::IntDiv, [_, b])
                | Term::Apply(Operator::Mod, [_, b])
                | Term::Apply(Operator::RealDiv, [_, b]) => {
                    terms.value(*b).is_none_or(|v| *v == lustral_term::Value::zero(v.sort()))
                }
                _ => false,
            };
        }
        logic
    }

    /// Makes it one that has a sort.
    pub fn add(&mut self, sort: Sort) {
        match sort {
            Sort::Int | Sort::Enum(_) => self.ints = true,
            Sort::Real => self.reals = true,
            Sort::Bool => {}
            Sort::BitVec(_) | Sort::Array(_) | Sort::Uninterpreted(_) => self.more = true,
        }
    }

    /// The name in SMT-LIB.
    #[must_use]
    pub fn name(self) -> &'static str {
        if self.more {
            // Not every combination has a name.
            return "ALL";
        }
        match (self.nonlinear, self.ints, self.reals) {
            (_, false, false) => "QF_UF",
            (false, true, false) => "QF_LIA",
            (false, false, true) => "QF_LRA",
            (false, true, true) => "QF_LIRA",
            (true, true, false) => "QF_NIA",
            (true, false, true) => "QF_NRA",
            (true, true, true) => "QF_NIRA",
        }
    }
}
