//! What an execution of a protocol is, decided by the evaluator alone: nothing here knows how
//! protocols are written out, so it is an independent check of that.

use lustral_first_order::{Assignment, SortId, States, Structure, SymbolId};

use crate::instance::{Execution, ExecutionStep};
use crate::protocol::{Change, Protocol};

/// A transition with its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argued {
    /// Its number among the transitions.
    pub transition: usize,
    /// The elements.
    pub arguments: Vec<u32>,
}

/// An execution of a protocol, at the end of which a safety property fails. Only [`replay`]
/// makes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    execution: Execution,
    property: usize,
}

impl Replayed {
    /// The execution.
    #[must_use]
    pub fn execution(&self) -> &Execution {
        &self.execution
    }

    /// The number of the property among the safety properties.
    #[must_use]
    pub fn property(&self) -> usize {
        self.property
    }
}

/// Why something is no execution at the end of which a property fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreplayed {
    /// This axiom does not hold.
    Axiom(String),
    /// This part of `init` does not hold of the first state.
    Init(String),
    /// This step, counted from 1, is none of its transition.
    Step(usize, String),
    /// The property holds at the end.
    Holds(String),
}

impl std::fmt::Display for Unreplayed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unreplayed::Axiom(name) => write!(f, "{name} does not hold"),
            Unreplayed::Init(name) => write!(f, "{name} does not hold of the first state"),
            Unreplayed::Step(step, name) => write!(f, "step {step} is none of `{name}`"),
            Unreplayed::Holds(name) => write!(f, "{name} holds in the last state"),
        }
    }
}

/// Gives derived relations the tables that their definitions say.
pub fn complete(protocol: &Protocol, state: &mut Structure) {
    for (symbol, known) in protocol.signature.symbols() {
        let Some(definition) = protocol.definition(symbol) else { continue };
        let tuples: Vec<Vec<u32>> = state.universe().tuples(&known.arguments).collect();
        for (position, tuple) in tuples.into_iter().enumerate() {
            let given = Assignment::of(definition.variables.iter().map(|v| v.id).zip(tuple));
            let holds = States::one(&protocol.signature, state).holds(&definition.body, &given);
            state.set(symbol, position, holds);
        }
    }
}

impl Protocol {
    /// Whether a state may be the first one.
    ///
    /// # Errors
    /// With what does not hold of it.
    pub fn begins(&self, state: &Structure) -> Result<(), Unreplayed> {
        let states = States::one(&self.signature, state);
        let fails = |stated: &&crate::Stated| !states.holds(&stated.formula, &Assignment::new());
        if let Some(axiom) = self.axioms.iter().find(fails) {
            return Err(Unreplayed::Axiom(axiom.name.clone()));
        }
        match self.init.iter().find(fails) {
            Some(init) => Err(Unreplayed::Init(init.name.clone())),
            None => Ok(()),
        }
    }

    /// Whether a transition leads from a state to another, both with derived relations as they
    /// are defined.
    #[must_use]
    pub fn leads(&self, by: &Argued, from: &Structure, to: &Structure) -> bool {
        let Some(transition) = self.transitions.get(by.transition) else { return false };
        let stays = |symbol: SymbolId| match self.changes[symbol.index()] {
            Change::Immutable => true,
            Change::Mutable => !transition.modifies.contains(&symbol),
            Change::Derived(_) => false,
        };
        let sorts = transition.parameters.iter().map(|p| p.sort);
        let in_range = |(sort, element): (SortId, &u32)| *element < from.universe().size(sort);
        let given = transition.parameters.iter().map(|p| p.id).zip(by.arguments.iter().copied());
        from.universe() == to.universe()
            && transition.parameters.len() == by.arguments.len()
            && sorts.zip(&by.arguments).all(in_range)
            && self.signature.symbols().all(|(id, _)| !stays(id) || from.agrees(to, id))
            && States::two(&self.signature, from, to)
                .holds(&transition.body, &Assignment::of(given))
    }
}

/// Goes through an execution and sees whether it is one, and whether a safety property fails
/// at its end.
///
/// # Errors
/// With why it is none.
pub fn replay(
    protocol: &Protocol,
    execution: &Execution,
    property: usize,
) -> Result<Replayed, Unreplayed> {
    let mut execution = execution.clone();
    complete(protocol, &mut execution.first);
    protocol.begins(&execution.first)?;
    let mut before = execution.first.clone();
    for (i, ExecutionStep { by, state }) in execution.steps.iter_mut().enumerate() {
        complete(protocol, state);
        if !protocol.leads(by, &before, state) {
            let name = protocol.transitions.get(by.transition).map(|t| t.name.clone());
            return Err(Unreplayed::Step(i + 1, name.unwrap_or_default()));
        }
        before = state.clone();
    }
    let stated = &protocol.safety[property];
    let last = States::one(&protocol.signature, &before);
    if last.holds(&stated.formula, &Assignment::new()) {
        return Err(Unreplayed::Holds(stated.name.clone()));
    }
    Ok(Replayed { execution, property })
}
