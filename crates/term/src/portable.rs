//! Arenas that travel: written and read back (by serde, in any format).
//!
//! An arena is written as the list of its terms in their order, each with the
//! numbers of its operands; the list is flat, so no reader goes deeper for
//! deeper terms. Reading interns again, without rewriting, and trusts nothing:
//! what comes from another process may be damaged, and a term with operands of
//! wrong sorts must not get into an arena.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::arena::{Op, TermId, Terms, VarId};
use crate::value::{Sort, Value};

/// What is wrong with a list of terms.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InvalidTerms {
    /// `false` and `true` have the same numbers in every arena.
    #[error("the first two terms are not `false` and `true`")]
    NoTruthValues,
    /// A term before its operands, or with operands that are not there.
    #[error("term {term} has the operand {operand}, which does not come before it")]
    Order {
        /// The term.
        term: usize,
        /// The operand.
        operand: u32,
    },
    /// An operator has not these operands.
    #[error("term {term}: {operator:?} has no operands of sorts {sorts:?}")]
    Sorts {
        /// The term.
        term: usize,
        /// Its operator.
        operator: OperatorName,
        /// The sorts of its operands.
        sorts: Vec<Sort>,
    },
    /// The same term twice, so that numbers would not mean what they meant.
    #[error("term {term} is the same as term {known}")]
    Twice {
        /// The second of them.
        term: usize,
        /// The first.
        known: usize,
    },
    /// A variable of two sorts.
    #[error("the variable {} has two sorts", .0.0)]
    TwoSorts(VarId),
}

/// An operator without its operands, as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum OperatorName {
    Not,
    And,
    Or,
    Ite,
    Eq,
    Le,
    Add,
    Mul,
    IntDiv,
    Mod,
    RealDiv,
    ToReal,
    Floor,
}

/// A term as it is written.
#[derive(Serialize, Deserialize)]
enum Written {
    Value(Value),
    Var(VarId, Sort),
    Apply(OperatorName, Vec<TermId>),
}

impl Written {
    fn of(op: &Op) -> Written {
        use OperatorName as Name;
        let list = |name, list: &[TermId]| Written::Apply(name, list.to_vec());
        match op {
            Op::Value(value) => Written::Value(value.clone()),
            Op::Var(var, sort) => Written::Var(*var, *sort),
            Op::Not(a) => list(Name::Not, &[*a]),
            Op::And(all) => list(Name::And, all),
            Op::Or(all) => list(Name::Or, all),
            Op::Ite(c, a, b) => list(Name::Ite, &[*c, *a, *b]),
            Op::Eq(a, b) => list(Name::Eq, &[*a, *b]),
            Op::Le(a, b) => list(Name::Le, &[*a, *b]),
            Op::Add(all) => list(Name::Add, all),
            Op::Mul(all) => list(Name::Mul, all),
            Op::IntDiv(a, b) => list(Name::IntDiv, &[*a, *b]),
            Op::Mod(a, b) => list(Name::Mod, &[*a, *b]),
            Op::RealDiv(a, b) => list(Name::RealDiv, &[*a, *b]),
            Op::ToReal(a) => list(Name::ToReal, &[*a]),
            Op::Floor(a) => list(Name::Floor, &[*a]),
        }
    }
}

/// The operator applied to operands of these sorts, if it can be.
fn applied(name: OperatorName, operands: &[TermId], sorts: &[Sort]) -> Option<Op> {
    use OperatorName as Name;
    use Sort::{Bool, Int, Real};
    let alike = sorts.windows(2).all(|pair| pair[0] == pair[1]);
    let all = || operands.into();
    let several = alike && sorts.len() >= 2;
    let numbers = sorts.first().is_some_and(|sort| *sort != Bool);
    match (name, operands, sorts) {
        (Name::Not, [a], [Bool]) => Some(Op::Not(*a)),
        (Name::And, _, [Bool, ..]) if several => Some(Op::And(all())),
        (Name::Or, _, [Bool, ..]) if several => Some(Op::Or(all())),
        (Name::Ite, [c, a, b], [Bool, x, y]) if x == y => Some(Op::Ite(*c, *a, *b)),
        (Name::Eq, [a, b], _) if alike => Some(Op::Eq(*a, *b)),
        (Name::Le, [a, b], _) if alike && numbers => Some(Op::Le(*a, *b)),
        (Name::Add, _, _) if several && numbers => Some(Op::Add(all())),
        (Name::Mul, _, _) if several && numbers => Some(Op::Mul(all())),
        (Name::IntDiv, [a, b], [Int, Int]) => Some(Op::IntDiv(*a, *b)),
        (Name::Mod, [a, b], [Int, Int]) => Some(Op::Mod(*a, *b)),
        (Name::RealDiv, [a, b], [Real, Real]) => Some(Op::RealDiv(*a, *b)),
        (Name::ToReal, [a], [Int]) => Some(Op::ToReal(*a)),
        (Name::Floor, [a], [Real]) => Some(Op::Floor(*a)),
        _ => None,
    }
}

impl Terms {
    /// Some terms in an arena that has nothing but what they reach, in the same
    /// order; and what they are there.
    #[must_use]
    pub fn part(&self, roots: &[TermId]) -> (Terms, Vec<TermId>) {
        let mut part = Terms::new();
        let mut there = rustc_hash::FxHashMap::default();
        for id in self.closure(roots.iter().copied()) {
            let op = match Written::of(self.op(id)) {
                Written::Value(value) => Op::Value(value),
                Written::Var(var, sort) => Op::Var(var, sort),
                Written::Apply(name, operands) => {
                    let sorts: Vec<Sort> = operands.iter().map(|a| self.sort(*a)).collect();
                    let operands: Vec<TermId> = operands.iter().map(|a| there[a]).collect();
                    applied(name, &operands, &sorts).expect("the terms of an arena are well-sorted")
                }
            };
            there.insert(id, part.intern(op));
        }
        let roots = roots.iter().map(|id| there[id]).collect();
        (part, roots)
    }

    fn read(list: Vec<Written>) -> Result<Terms, InvalidTerms> {
        let mut terms = Terms::new();
        let mut sorts = rustc_hash::FxHashMap::default();
        let truth =
            |at: usize, b| matches!(list.get(at), Some(Written::Value(Value::Bool(c))) if *c == b);
        if !truth(0, false) || !truth(1, true) {
            return Err(InvalidTerms::NoTruthValues);
        }
        for (term, written) in list.into_iter().enumerate().skip(2) {
            let op = match written {
                Written::Value(value) => Op::Value(value),
                Written::Var(var, sort) => {
                    if *sorts.entry(var).or_insert(sort) != sort {
                        return Err(InvalidTerms::TwoSorts(var));
                    }
                    Op::Var(var, sort)
                }
                Written::Apply(operator, operands) => {
                    if let Some(operand) = operands.iter().find(|a| a.index() >= term) {
                        return Err(InvalidTerms::Order { term, operand: operand.0 });
                    }
                    let sorts: Vec<Sort> = operands.iter().map(|a| terms.sort(*a)).collect();
                    applied(operator, &operands, &sorts).ok_or(InvalidTerms::Sorts {
                        term,
                        operator,
                        sorts,
                    })?
                }
            };
            let known = terms.intern(op).index();
            if known != term {
                return Err(InvalidTerms::Twice { term, known });
            }
        }
        Ok(terms)
    }
}

impl Serialize for Terms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ids = (0..self.len() as u32).map(TermId);
        serializer.collect_seq(ids.map(|id| Written::of(self.op(id))))
    }
}

impl<'de> Deserialize<'de> for Terms {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Terms, D::Error> {
        Terms::read(Vec::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
