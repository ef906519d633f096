//! Arenas that travel: written and read back (by serde, in any format).
//!
//! An arena is written as the list of its terms in their order, each with the
//! numbers of its operands; the list is flat, so no reader goes deeper for
//! deeper terms. Reading interns again, without rewriting, and trusts nothing:
//! what comes from another process may be damaged, and a term with operands of
//! wrong sorts must not get into an arena.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::arena::Terms;
use crate::operator::Operator;
use crate::term::{Term, TermId, VarId};
use crate::value::Value;
use lustral_base::sort::Sort;

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
        operator: Operator,
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
    /// Something that is no value of its sort.
    #[error("term {term} is no value of its sort")]
    NoValue {
        /// The term.
        term: usize,
    },
    /// A variable of two sorts.
    #[error("the variable {} has two sorts", .0.0)]
    TwoSorts(VarId),
}

/// A term as it is written.
#[derive(Serialize, Deserialize)]
enum Written {
    Value(Value),
    Var(VarId, Sort),
    Apply(Operator, Vec<TermId>),
}

impl Written {
    fn of(term: Term<'_>) -> Written {
        match term {
            Term::Value(value) => Written::Value(value.clone()),
            Term::Var(var, sort) => Written::Var(var, sort),
            Term::Apply(operator, operands) => Written::Apply(operator, operands.to_vec()),
        }
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
            let copy = match self.get(id) {
                Term::Value(value) => part.constant(value.clone()),
                Term::Var(var, sort) => part.variable(var, sort),
                Term::Apply(operator, operands) => {
                    let operands: Vec<TermId> = operands.iter().map(|a| there[a]).collect();
                    part.raw(operator, &operands)
                }
            };
            there.insert(id, copy);
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
            let known = match written {
                Written::Value(value) if !value.is_valid() => {
                    return Err(InvalidTerms::NoValue { term });
                }
                Written::Value(value) => terms.constant(value),
                Written::Var(var, sort) => {
                    if *sorts.entry(var).or_insert(sort) != sort {
                        return Err(InvalidTerms::TwoSorts(var));
                    }
                    terms.variable(var, sort)
                }
                Written::Apply(operator, operands) => {
                    if let Some(operand) = operands.iter().find(|a| a.index() >= term) {
                        return Err(InvalidTerms::Order { term, operand: operand.0 });
                    }
                    let sorts: Vec<Sort> = operands.iter().map(|a| terms.sort(*a)).collect();
                    if operator.result(&sorts).is_none() {
                        return Err(InvalidTerms::Sorts { term, operator, sorts });
                    }
                    terms.raw(operator, &operands)
                }
            };
            let known = known.index();
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
        serializer.collect_seq(ids.map(|id| Written::of(self.get(id))))
    }
}

impl<'de> Deserialize<'de> for Terms {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Terms, D::Error> {
        Terms::read(Vec::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
