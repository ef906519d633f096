//! Models from what was learned of the nodes, without Spacer.
//!
//! What was learned often proves the properties by itself: in the states that a node was
//! learned to stay in, its steps keep its properties. That is stated here, and nobody has
//! checked it: `NodeClauses::check` does.

use lustral_horn::{Definition, Model, ModularClauses, Place};
use lustral_system::Modular;
use lustral_term::{Sort, TermId, Terms, Translation, VarId};

/// What is to be added to what was learned: that the properties hold, of each node in the
/// states that it was learned to stay in, and of the program at every step.
pub(super) fn properties_hold(
    modular: &Modular,
    clauses: &ModularClauses,
    learned: &Model,
) -> Model {
    let mut more = Model::always(&clauses.clauses);
    for node in &clauses.nodes {
        let states = node.invariant.map(|invariant| &learned.definitions[invariant]);
        if let Some(flag) = flag(&node.initial_places) {
            more.definitions[node.initial] = holds(flag);
        }
        if let Some(flag) = flag(&node.step_places) {
            let mut said = holds(flag);
            let before = states.and_then(|states| {
                restated(states, &node.step_places, Place::Before, &mut said.terms)
            });
            if let Some(before) = before {
                said.term = said.terms.implies(before, said.term);
            }
            more.definitions[node.step] = said;
        }
    }
    let root = &clauses.nodes[modular.root()];
    let mut main = flag(&root.initial_places).map_or_else(Definition::always, holds);
    let states = root.invariant.map(|invariant| &learned.definitions[invariant]);
    let after = states
        .and_then(|states| restated(states, &root.initial_places, Place::After, &mut main.terms));
    if let Some(after) = after {
        main.term = main.terms.and([main.term, after]);
    }
    more.definitions[clauses.main] = main;
    more
}

/// The position of the flag that says that the properties hold.
fn flag(places: &[Place]) -> Option<usize> {
    places.iter().position(|place| *place == Place::Flag)
}

/// That the argument at a position is true.
fn holds(position: usize) -> Definition {
    let mut terms = Terms::new();
    let term = terms.variable(VarId(position as u32), Sort::Bool);
    Definition { terms, term }
}

/// What is said of a state, of that which some arguments are; nothing if they are not all there.
fn restated(
    states: &Definition,
    places: &[Place],
    place: fn(usize) -> Place,
    terms: &mut Terms,
) -> Option<TermId> {
    let mut all_there = true;
    let term = Translation::new().apply(&states.terms, terms, states.term, |terms, var, sort| {
        let position = places.iter().position(|known| *known == place(var.index()));
        all_there &= position.is_some();
        terms.variable(VarId(position.unwrap_or(0) as u32), sort)
    });
    all_there.then_some(term)
}
