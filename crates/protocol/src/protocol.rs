//! Protocols with names and sorts resolved.
//!
//! A state is a structure in which the axioms hold and derived relations are what their
//! definitions say. Executions begin in a state in which all of `init` holds; a step is by a
//! transition, for some elements as its parameters: its body holds of the states before and
//! after, and what it does not modify stays as it is, as do all immutable symbols.

use lustral_first_order::{Formula, Signature, SymbolId, Term, Variable};
use lustral_syntax::Span;

/// A protocol.
#[derive(Clone, Debug, Default)]
pub struct Protocol {
    /// Its sorts and symbols.
    pub signature: Signature,
    /// What each symbol does over time, by symbol.
    pub changes: Vec<Change>,
    /// What always holds, of immutable symbols.
    pub axioms: Vec<Stated>,
    /// What holds in the first state.
    pub init: Vec<Stated>,
    /// What is to be shown of all states.
    pub safety: Vec<Stated>,
    /// What somebody believes of all states, as a help.
    pub invariants: Vec<Stated>,
    /// What is to be shown of all structures, or pairs of them, with the number of states.
    pub theorems: Vec<(u8, Stated)>,
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// The traces that are said to be possible or impossible.
    pub traces: Vec<Trace>,
}

/// What a symbol does over time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Transitions may change it.
    Mutable,
    /// It stays as it is.
    Immutable,
    /// It follows from the others in each state.
    Derived(Definition),
}

/// The definition of a derived relation: it holds of the variables if and only if the body
/// does, which mentions no derived relation but those that are declared earlier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// One for each argument.
    pub variables: Vec<Variable>,
    /// About one state.
    pub body: Formula,
}

/// A closed formula that is stated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stated {
    /// Its name, or where it stands.
    pub name: String,
    /// The formula.
    pub formula: Formula,
    /// Its place.
    pub span: Span,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Variable>,
    /// What it may change.
    pub modifies: Vec<SymbolId>,
    /// About two states and the parameters.
    pub body: Formula,
    /// The place of its name.
    pub span: Span,
}

/// A trace that is said to be possible or impossible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Where it stands.
    pub name: String,
    /// Whether it is said to be possible.
    pub possible: bool,
    /// Its parts.
    pub parts: Vec<Part>,
    /// Its place.
    pub span: Span,
}

/// A part of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// The state is an initial one.
    Init,
    /// This holds in the state.
    Holds(Formula),
    /// A step by any transition.
    Any,
    /// A step by one of these.
    Step(Vec<Step>),
}

/// A step by a transition, with those arguments that are given, as terms in the state before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Its number among the transitions.
    pub transition: usize,
    /// By parameter.
    pub arguments: Vec<Option<Term>>,
}

impl Protocol {
    /// Whether a symbol stays as it is.
    #[must_use]
    pub fn is_immutable(&self, symbol: SymbolId) -> bool {
        self.changes[symbol.index()] == Change::Immutable
    }

    /// The definition of a symbol, if it is derived.
    #[must_use]
    pub fn definition(&self, symbol: SymbolId) -> Option<&Definition> {
        match &self.changes[symbol.index()] {
            Change::Derived(definition) => Some(definition),
            Change::Mutable | Change::Immutable => None,
        }
    }
}
