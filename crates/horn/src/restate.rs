//! Parts of definitions as predicates over the variables of a node at a step.

use std::sync::Arc;

use lustral_system::{Modular, ModularNode, Origin, Predicate, Slot};
use lustral_term::{TermId, Terms, Translation, VarId};

use crate::rules::{ModularClauses, Place};

/// What a part of a definition is about, by the predicate that it is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// `I_N`: the first step.
    First,
    /// `T_N`: the later steps.
    Later,
    /// `Inv_N`: the states between steps.
    State,
    /// `Main`: every step of the root.
    Main,
}

/// A part of a definition as a predicate that holds at every step of the node,
/// over the variables of its system: of `I_N` at the first step, of `T_N` at
/// the later ones, and of `Inv_N` too, whose state is the one before the step.
/// What is after a step is what is remembered then. Nothing if it speaks of the
/// states of calls, which a node cannot name.
#[must_use]
pub fn restate(
    modular: &Modular,
    clauses: &ModularClauses,
    node: usize,
    about: About,
    (source, part): (&Terms, TermId),
) -> Option<Predicate> {
    let known = &modular.nodes[node];
    let predicates = &clauses.nodes[node];
    let mut terms = known.system.terms.clone();
    let mut named = true;
    let term = Translation::new().apply(source, &mut terms, part, |terms, var, sort| {
        let place = match about {
            About::First | About::Main => predicates.initial_places[var.index()],
            About::Later => predicates.step_places[var.index()],
            About::State => Place::Before(var.index()),
        };
        let term = at(known, clauses, node, place, terms);
        named &= term.is_some();
        term.unwrap_or_else(|| terms.variable(var, sort))
    });
    let (flag, _) = known.system.variables().find(|(_, v)| v.origin == Origin::First)?;
    let first = terms.variable(flag, known.system.variable(flag).sort);
    let term = match about {
        About::First => terms.implies(first, term),
        About::Later | About::State => terms.or([first, term]),
        About::Main => term,
    };
    named.then(|| Predicate { terms: Arc::new(terms), term })
}

/// What an argument is, in the arena of the node's system.
fn at(
    node: &ModularNode,
    clauses: &ModularClauses,
    number: usize,
    place: Place,
    terms: &mut Terms,
) -> Option<TermId> {
    let variable = |var: VarId, terms: &mut Terms| {
        let sort = node.system.variable(var).sort;
        terms.variable(var, sort)
    };
    let own = |slot: usize| match node.state[slot] {
        Slot::Own(var) => Some(var),
        Slot::Called { .. } => None,
    };
    match place {
        Place::Flow(var) => Some(variable(var, terms)),
        Place::Flag if !clauses.selection.calls[number].is_empty() => None,
        Place::Flag => {
            let own = clauses.selection.own[number].iter();
            let properties: Vec<TermId> = own.map(|p| node.system.properties[*p].term).collect();
            Some(terms.and(properties))
        }
        Place::Before(slot) => own(slot).map(|var| variable(var, terms)),
        Place::After(slot) => own(slot).and_then(|var| node.memory_of(var)).map(|m| m.next),
    }
}
