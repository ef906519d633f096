//! Whether a formula holds in structures: the definition of truth, read literally.

use crate::formula::{Application, Formula, Moment, Quantifier, Term, VarId};
use crate::signature::Signature;
use crate::structure::Structure;

/// What free variables stand for.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    /// Later ones count.
    values: Vec<(VarId, u32)>,
}

impl Assignment {
    /// Nothing is assigned.
    #[must_use]
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Of these variables.
    #[must_use]
    pub fn of(values: impl IntoIterator<Item = (VarId, u32)>) -> Assignment {
        Assignment { values: values.into_iter().collect() }
    }

    fn value(&self, variable: VarId) -> u32 {
        let known = self.values.iter().rev().find(|(id, _)| *id == variable);
        known.expect("formulas are closed but for what is assigned").1
    }
}

/// A state and the one that is entered from it; or one state, which is both.
#[derive(Clone, Copy, Debug)]
pub struct States<'s> {
    signature: &'s Signature,
    now: &'s Structure,
    next: &'s Structure,
}

impl<'s> States<'s> {
    /// One state.
    #[must_use]
    pub fn one(signature: &'s Signature, now: &'s Structure) -> States<'s> {
        States { signature, now, next: now }
    }

    /// A state and the one that is entered from it; both have the same universe.
    #[must_use]
    pub fn two(signature: &'s Signature, now: &'s Structure, next: &'s Structure) -> States<'s> {
        States { signature, now, next }
    }

    /// Whether a formula holds, with its free variables assigned.
    ///
    /// # Panics
    /// If a free variable is not assigned.
    #[must_use]
    pub fn holds(self, formula: &Formula, assignment: &Assignment) -> bool {
        self.formula(formula, &mut assignment.clone())
    }

    /// The element that a term stands for.
    ///
    /// # Panics
    /// If a free variable is not assigned.
    #[must_use]
    pub fn value(self, term: &Term, assignment: &Assignment) -> u32 {
        self.term(term, &mut assignment.clone())
    }

    fn formula(self, formula: &Formula, given: &mut Assignment) -> bool {
        match formula {
            Formula::Constant(value) => *value,
            Formula::Relation(atom) => {
                let position = self.position(atom, given);
                self.at(atom.moment).holds_at(atom.symbol, position)
            }
            Formula::Equal(sides) => self.term(&sides.0, given) == self.term(&sides.1, given),
            Formula::Not(inner) => !self.formula(inner, given),
            Formula::And(list) => list.iter().all(|f| self.formula(f, given)),
            Formula::Or(list) => list.iter().any(|f| self.formula(f, given)),
            Formula::Implies(sides) => {
                !self.formula(&sides.0, given) || self.formula(&sides.1, given)
            }
            Formula::Iff(sides) => self.formula(&sides.0, given) == self.formula(&sides.1, given),
            Formula::Choice(three) => {
                let chosen = if self.formula(&three.0, given) { &three.1 } else { &three.2 };
                self.formula(chosen, given)
            }
            Formula::Quantified(quantifier, variables, body) => {
                let sorts: Vec<_> = variables.iter().map(|v| v.sort).collect();
                let before = given.values.len();
                let mut holds = |tuple: Vec<u32>| {
                    given.values.extend(variables.iter().map(|v| v.id).zip(tuple));
                    let holds = self.formula(body, given);
                    given.values.truncate(before);
                    holds
                };
                let mut tuples = self.now.universe().tuples(&sorts);
                match quantifier {
                    Quantifier::Forall => tuples.all(&mut holds),
                    Quantifier::Exists => tuples.any(&mut holds),
                }
            }
        }
    }

    fn term(self, term: &Term, given: &mut Assignment) -> u32 {
        match term {
            Term::Variable(variable) => given.value(variable.id),
            Term::Apply(application) => {
                let position = self.position(application, given);
                self.at(application.moment).value_at(application.symbol, position)
            }
            Term::Choice(three) => {
                let chosen = if self.formula(&three.0, given) { &three.1 } else { &three.2 };
                self.term(chosen, given)
            }
        }
    }

    fn position(self, atom: &Application, given: &mut Assignment) -> usize {
        let tuple: Vec<u32> = atom.arguments.iter().map(|t| self.term(t, given)).collect();
        let sorts = &self.signature.symbol(atom.symbol).arguments;
        self.now.universe().position(sorts, &tuple)
    }

    fn at(self, moment: Moment) -> &'s Structure {
        match moment {
            Moment::Now => self.now,
            Moment::Next => self.next,
        }
    }
}
