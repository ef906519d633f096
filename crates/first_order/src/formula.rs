//! Formulas and terms, as trees.
//!
//! Passes over them are recursive: whoever builds formulas from texts keeps them less deep than
//! [`DEEPEST`]. Long conjunctions are wide, not deep.

use std::sync::Arc;

use lustral_base::id;

use crate::signature::{SortId, SymbolId};

/// How deep a formula may be.
pub const DEEPEST: usize = 200;

id!(/// A bound variable or parameter. No two binders around one place have the same id, so nothing
    /// that is put into a formula is captured unless the ids say so.
    VarId);

/// A variable with its sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Which one it is.
    pub id: VarId,
    /// Its sort.
    pub sort: SortId,
    /// Its name, for people.
    pub name: Arc<str>,
}

/// Which of two states a symbol is looked up in. What never changes is looked up now.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Moment {
    /// The state that is left, or the only one.
    Now,
    /// The state that is entered.
    Next,
}

/// A symbol applied to arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Application {
    /// The symbol.
    pub symbol: SymbolId,
    /// Where it is looked up.
    pub moment: Moment,
    /// The arguments.
    pub arguments: Vec<Term>,
}

/// What stands for an element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// A variable.
    Variable(Variable),
    /// A function or a constant.
    Apply(Application),
    /// The second if the formula holds, else the third.
    Choice(Box<(Formula, Term, Term)>),
}

/// For all, or for some.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // the names say it
pub enum Quantifier {
    Forall,
    Exists,
}

/// What holds or does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// True or false.
    Constant(bool),
    /// A relation.
    Relation(Application),
    /// Two terms are the same element.
    Equal(Box<(Term, Term)>),
    /// It does not hold.
    Not(Box<Formula>),
    /// All hold.
    And(Vec<Formula>),
    /// One holds.
    Or(Vec<Formula>),
    /// The second holds if the first does.
    Implies(Box<(Formula, Formula)>),
    /// Both hold or neither.
    Iff(Box<(Formula, Formula)>),
    /// The second if the first holds, else the third.
    Choice(Box<(Formula, Formula, Formula)>),
    /// For all or for some elements.
    Quantified(Quantifier, Vec<Variable>, Box<Formula>),
}

impl Formula {
    /// For all these, or just the body if there are none.
    #[must_use]
    pub fn forall(variables: Vec<Variable>, body: Formula) -> Formula {
        if variables.is_empty() {
            return body;
        }
        Formula::Quantified(Quantifier::Forall, variables, Box::new(body))
    }

    /// That it does not hold.
    #[must_use]
    pub fn negated(self) -> Formula {
        Formula::Not(Box::new(self))
    }

    /// That two terms are equal.
    #[must_use]
    pub fn equal(left: Term, right: Term) -> Formula {
        Formula::Equal(Box::new((left, right)))
    }

    /// All of these; flat, if some are conjunctions.
    #[must_use]
    pub fn all(formulas: impl IntoIterator<Item = Formula>) -> Formula {
        let mut list = Vec::new();
        for formula in formulas {
            match formula {
                Formula::And(inner) => list.extend(inner),
                other => list.push(other),
            }
        }
        if list.len() == 1 { list.swap_remove(0) } else { Formula::And(list) }
    }

    /// Whether a symbol, looked up at a moment, occurs for which `wanted` says so.
    #[must_use]
    pub fn mentions(&self, wanted: &dyn Fn(&Application) -> bool) -> bool {
        match self {
            Formula::Constant(_) => false,
            Formula::Relation(atom) => atom.mentions(wanted),
            Formula::Equal(sides) => sides.0.mentions(wanted) || sides.1.mentions(wanted),
            Formula::Not(inner) | Formula::Quantified(_, _, inner) => inner.mentions(wanted),
            Formula::And(list) | Formula::Or(list) => list.iter().any(|f| f.mentions(wanted)),
            Formula::Implies(sides) | Formula::Iff(sides) => {
                sides.0.mentions(wanted) || sides.1.mentions(wanted)
            }
            Formula::Choice(three) => {
                three.0.mentions(wanted) || three.1.mentions(wanted) || three.2.mentions(wanted)
            }
        }
    }

    /// Whether it speaks of the state that is entered.
    #[must_use]
    pub fn speaks_of_next(&self) -> bool {
        self.mentions(&|atom| atom.moment == Moment::Next)
    }
}

impl Application {
    fn mentions(&self, wanted: &dyn Fn(&Application) -> bool) -> bool {
        wanted(self) || self.arguments.iter().any(|term| term.mentions(wanted))
    }
}

impl Term {
    /// Whether a symbol occurs for which `wanted` says so.
    #[must_use]
    pub fn mentions(&self, wanted: &dyn Fn(&Application) -> bool) -> bool {
        match self {
            Term::Variable(_) => false,
            Term::Apply(application) => application.mentions(wanted),
            Term::Choice(three) => {
                three.0.mentions(wanted) || three.1.mentions(wanted) || three.2.mentions(wanted)
            }
        }
    }

    /// Whether it speaks of the state that is entered.
    #[must_use]
    pub fn speaks_of_next(&self) -> bool {
        self.mentions(&|application| application.moment == Moment::Next)
    }
}

fn uses_in(application: &Application, variable: VarId) -> bool {
    application.arguments.iter().any(|term| term.uses(variable))
}

impl Formula {
    /// Whether a variable is used.
    #[must_use]
    pub fn uses(&self, variable: VarId) -> bool {
        match self {
            Formula::Constant(_) => false,
            Formula::Relation(atom) => uses_in(atom, variable),
            Formula::Equal(sides) => sides.0.uses(variable) || sides.1.uses(variable),
            Formula::Not(inner) | Formula::Quantified(_, _, inner) => inner.uses(variable),
            Formula::And(list) | Formula::Or(list) => list.iter().any(|f| f.uses(variable)),
            Formula::Implies(sides) | Formula::Iff(sides) => {
                sides.0.uses(variable) || sides.1.uses(variable)
            }
            Formula::Choice(three) => {
                three.0.uses(variable) || three.1.uses(variable) || three.2.uses(variable)
            }
        }
    }
}

impl Term {
    /// Whether a variable is used.
    #[must_use]
    pub fn uses(&self, variable: VarId) -> bool {
        match self {
            Term::Variable(own) => own.id == variable,
            Term::Apply(application) => uses_in(application, variable),
            Term::Choice(three) => {
                three.0.uses(variable) || three.1.uses(variable) || three.2.uses(variable)
            }
        }
    }
}
