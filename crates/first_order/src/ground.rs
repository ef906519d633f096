//! Formulas written out for a universe: quantifiers become conjunctions and disjunctions, and
//! what symbols mean is left open, as leaves of a circuit.

use crate::circuit::{Circuit, GateId};
use crate::formula::{Application, Formula, Moment, Quantifier, Term, VarId};
use crate::signature::{Signature, SymbolId};
use crate::structure::Universe;

/// What symbols are at ground tuples.
pub trait Leaves {
    /// Whether the tuple at a position is in a relation.
    fn relation(
        &mut self,
        circuit: &mut Circuit,
        symbol: SymbolId,
        moment: Moment,
        position: usize,
    ) -> GateId;

    /// Whether a function has this value for the tuple at a position: of all values exactly one.
    fn value(
        &mut self,
        circuit: &mut Circuit,
        symbol: SymbolId,
        moment: Moment,
        position: usize,
        value: u32,
    ) -> GateId;
}

/// What a term stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ground {
    /// This element.
    Element(u32),
    /// The element whose gate holds: of all exactly one.
    Open(Vec<GateId>),
}

/// The instance has too many parts to be written out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// The most gates that a circuit is given.
const MOST_GATES: usize = 1_000_000;

/// Writes formulas out.
pub struct Grounder<'a, L> {
    /// The symbols.
    pub signature: &'a Signature,
    /// The elements.
    pub universe: &'a Universe,
    /// What is written.
    pub circuit: &'a mut Circuit,
    /// What symbols are.
    pub leaves: &'a mut L,
}

impl<L: Leaves> Grounder<'_, L> {
    /// A formula, with what its free variables stand for.
    ///
    /// # Errors
    /// If it becomes too large.
    ///
    /// # Panics
    /// If a free variable stands for nothing.
    pub fn formula(
        &mut self,
        formula: &Formula,
        given: &mut Vec<(VarId, Ground)>,
    ) -> Result<GateId, TooLarge> {
        if self.circuit.len() > MOST_GATES {
            return Err(TooLarge);
        }
        Ok(match formula {
            Formula::Constant(value) => self.circuit.constant(*value),
            Formula::Relation(atom) => self.relation(atom, given)?,
            Formula::Equal(sides) => {
                let (left, right) = (self.term(&sides.0, given)?, self.term(&sides.1, given)?);
                self.equal(&left, &right)
            }
            Formula::Not(inner) => {
                let inner = self.formula(inner, given)?;
                self.circuit.not(inner)
            }
            Formula::And(list) => self.joined(list, given, Quantifier::Forall)?,
            Formula::Or(list) => self.joined(list, given, Quantifier::Exists)?,
            Formula::Implies(sides) => {
                let left = self.formula(&sides.0, given)?;
                if self.circuit.known(left) == Some(false) {
                    return Ok(self.circuit.constant(true));
                }
                let right = self.formula(&sides.1, given)?;
                self.circuit.implies(left, right)
            }
            Formula::Iff(sides) => {
                let (left, right) =
                    (self.formula(&sides.0, given)?, self.formula(&sides.1, given)?);
                self.circuit.iff(left, right)
            }
            Formula::Choice(three) => {
                let condition = self.formula(&three.0, given)?;
                let (then, otherwise) =
                    (self.formula(&three.1, given)?, self.formula(&three.2, given)?);
                self.circuit.choice(condition, then, otherwise)
            }
            Formula::Quantified(quantifier, variables, body) => {
                let sorts: Vec<_> = variables.iter().map(|v| v.sort).collect();
                let mut parts = Vec::new();
                for tuple in self.universe.tuples(&sorts) {
                    let before = given.len();
                    let elements = tuple.into_iter().map(Ground::Element);
                    given.extend(variables.iter().map(|v| v.id).zip(elements));
                    let part = self.formula(body, given);
                    given.truncate(before);
                    let part = part?;
                    if self.circuit.known(part) == Some(*quantifier == Quantifier::Exists) {
                        return Ok(part);
                    }
                    parts.push(part);
                }
                self.together(parts, *quantifier)
            }
        })
    }

    fn joined(
        &mut self,
        list: &[Formula],
        given: &mut Vec<(VarId, Ground)>,
        quantifier: Quantifier,
    ) -> Result<GateId, TooLarge> {
        let parts = list.iter().map(|f| self.formula(f, given)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.together(parts, quantifier))
    }

    fn together(&mut self, parts: Vec<GateId>, quantifier: Quantifier) -> GateId {
        match quantifier {
            Quantifier::Forall => self.circuit.and(parts),
            Quantifier::Exists => self.circuit.or(parts),
        }
    }

    /// Whether two terms stand for the same element.
    pub fn equal(&mut self, left: &Ground, right: &Ground) -> GateId {
        match (left, right) {
            (Ground::Element(left), Ground::Element(right)) => self.circuit.constant(left == right),
            (Ground::Element(element), Ground::Open(gates))
            | (Ground::Open(gates), Ground::Element(element)) => {
                let known = gates.get(*element as usize).copied();
                known.unwrap_or_else(|| self.circuit.constant(false))
            }
            (Ground::Open(left), Ground::Open(right)) if left == right => {
                self.circuit.constant(true)
            }
            (Ground::Open(left), Ground::Open(right)) => {
                let pairs = left.iter().zip(right);
                let both: Vec<_> = pairs.map(|(l, r)| self.circuit.and([*l, *r])).collect();
                self.circuit.or(both)
            }
        }
    }

    /// What a term stands for.
    ///
    /// # Errors
    /// If it becomes too large.
    ///
    /// # Panics
    /// If a free variable stands for nothing.
    pub fn term(
        &mut self,
        term: &Term,
        given: &mut Vec<(VarId, Ground)>,
    ) -> Result<Ground, TooLarge> {
        match term {
            Term::Variable(variable) => {
                let known = given.iter().rev().find(|(id, _)| *id == variable.id);
                Ok(known.expect("formulas are closed but for what is given").1.clone())
            }
            Term::Apply(application) => self.function(application, given),
            Term::Choice(three) => {
                let condition = self.formula(&three.0, given)?;
                let then = self.term(&three.1, given)?;
                let otherwise = self.term(&three.2, given)?;
                Ok(self.either(condition, then, otherwise))
            }
        }
    }

    fn either(&mut self, condition: GateId, then: Ground, otherwise: Ground) -> Ground {
        let size = |ground: &Ground| match ground {
            Ground::Element(element) => *element as usize + 1,
            Ground::Open(gates) => gates.len(),
        };
        if then == otherwise {
            return then;
        }
        // Of two known elements the larger says how many gates are needed at least; the gates
        // beyond would be false.
        let most = size(&then).max(size(&otherwise));
        let gate = |this: &mut Self, ground: &Ground, element: usize| match ground {
            Ground::Element(known) => this.circuit.constant(*known as usize == element),
            Ground::Open(gates) => match gates.get(element) {
                Some(gate) => *gate,
                None => this.circuit.constant(false),
            },
        };
        let mut gates = Vec::with_capacity(most);
        for element in 0..most {
            let (then, otherwise) = (gate(self, &then, element), gate(self, &otherwise, element));
            gates.push(self.circuit.choice(condition, then, otherwise));
        }
        Ground::Open(gates)
    }

    fn arguments(
        &mut self,
        application: &Application,
        given: &mut Vec<(VarId, Ground)>,
    ) -> Result<Vec<(Vec<u32>, GateId)>, TooLarge> {
        let mut tuples = vec![(Vec::new(), self.circuit.constant(true))];
        for argument in &application.arguments {
            let ground = self.term(argument, given)?;
            let choices: Vec<(u32, GateId)> = match ground {
                Ground::Element(element) => vec![(element, self.circuit.constant(true))],
                Ground::Open(gates) => (0..).zip(gates).collect(),
            };
            let mut longer = Vec::with_capacity(tuples.len() * choices.len());
            for (tuple, condition) in &tuples {
                for (element, gate) in &choices {
                    let both = self.circuit.and([*condition, *gate]);
                    if self.circuit.known(both) == Some(false) {
                        continue;
                    }
                    let mut tuple: Vec<u32> = tuple.clone();
                    tuple.push(*element);
                    longer.push((tuple, both));
                }
            }
            if longer.len() > MOST_GATES {
                return Err(TooLarge);
            }
            tuples = longer;
        }
        Ok(tuples)
    }

    /// The tuples that the arguments of an application may be, each by its position, with the
    /// gate that says that it is: of all exactly one.
    ///
    /// # Errors
    /// If there are too many.
    pub fn positions(
        &mut self,
        application: &Application,
        given: &mut Vec<(VarId, Ground)>,
    ) -> Result<Vec<(usize, GateId)>, TooLarge> {
        let sorts = &self.signature.symbol(application.symbol).arguments;
        let tuples = self.arguments(application, given)?;
        let position =
            |(tuple, gate): (Vec<u32>, GateId)| (self.universe.position(sorts, &tuple), gate);
        Ok(tuples.into_iter().map(position).collect())
    }

    fn relation(
        &mut self,
        atom: &Application,
        given: &mut Vec<(VarId, Ground)>,
    ) -> Result<GateId, TooLarge> {
        let mut parts = Vec::new();
        for (position, condition) in self.positions(atom, given)? {
            let holds = self.leaves.relation(self.circuit, atom.symbol, atom.moment, position);
            parts.push(self.circuit.and([condition, holds]));
        }
        Ok(self.circuit.or(parts))
    }

    fn function(
        &mut self,
        application: &Application,
        given: &mut Vec<(VarId, Ground)>,
    ) -> Result<Ground, TooLarge> {
        let Application { symbol, moment, .. } = *application;
        let result = self.signature.symbol(symbol).result.expect("terms are of functions");
        let positions = self.positions(application, given)?;
        let mut gates = Vec::new();
        for value in 0..self.universe.size(result) {
            let mut parts = Vec::with_capacity(positions.len());
            for (position, condition) in &positions {
                let is = self.leaves.value(self.circuit, symbol, moment, *position, value);
                parts.push(self.circuit.and([*condition, is]));
            }
            gates.push(self.circuit.or(parts));
        }
        Ok(Ground::Open(gates))
    }
}
