//! What Spacer says of the flattened clauses, read back.

use std::sync::Arc;

use lustral_horn::{Definition, STATE, definitions};
use lustral_smt::smtlib::{SExpr, parse_sexprs, parse_value};
use lustral_system::{Predicate, TransitionSystem};
use lustral_term::{Operator, Term, Terms, Translation, Value, VarId};
use rustc_hash::FxHashMap;

use crate::failure::Flaw;

/// The conjuncts of the invariant in an answer, over the memories that are the
/// arguments of the predicate.
pub(crate) fn invariant(
    text: &str,
    system: &TransitionSystem,
    state: &[VarId],
) -> Result<Vec<Predicate>, Flaw> {
    read_invariant(text, system, state).ok_or(Flaw::Unreadable)
}

fn read_invariant(
    text: &str,
    system: &TransitionSystem,
    state: &[VarId],
) -> Option<Vec<Predicate>> {
    let sorts = state.iter().map(|var| system.variable(*var).sort).collect();
    let wanted = FxHashMap::from_iter([(STATE, sorts)]);
    let Definition { terms: source, term } = definitions(text, &wanted)?.remove(STATE)?;
    let mut terms = Terms::new();
    let term = Translation::new().apply(&source, &mut terms, term, |terms, argument, sort| {
        terms.variable(state[argument.index()], sort)
    });
    let conjuncts = match terms.get(term) {
        Term::Apply(Operator::And, list) => list.to_vec(),
        _ if term == Terms::TRUE => Vec::new(),
        _ => vec![term],
    };
    let terms = Arc::new(terms);
    Some(conjuncts.into_iter().map(|term| Predicate { terms: terms.clone(), term }).collect())
}

fn is(expr: &SExpr, name: &str) -> bool {
    matches!(expr, SExpr::Atom(atom) if atom == name)
}

/// What is known of a derivation.
#[derive(Default)]
pub(crate) struct Derivation {
    /// The number of steps, if it is known; the property fails at the last.
    pub steps: Option<usize>,
    /// The states from the first, if they can be read: by step and memory of
    /// the slice.
    pub states: Option<Vec<Vec<Value>>>,
}

/// The derivation in an answer, whose facts come from the query back. Z3 leaves
/// out facts where its simplifications do without them.
pub(crate) fn derivation(text: &str, system: &TransitionSystem, state: &[VarId]) -> Derivation {
    let mut facts = parse_sexprs(text).unwrap_or_default();
    // The query comes first, under one name or another.
    facts.retain(|fact| match fact {
        SExpr::List(list) => list.first().is_some_and(|head| is(head, STATE)),
        SExpr::Atom(_) => is(fact, STATE),
    });
    let backwards = facts.iter().rev();
    let states: Option<Vec<_>> = backwards.map(|fact| values(fact, system, state)).collect();
    let initial = |values: &Vec<Value>| {
        let memory = |var: &VarId| system.memories.iter().find(|m| m.var == *var);
        let mut pairs = state.iter().zip(values);
        pairs.all(|(var, value)| memory(var).is_some_and(|m| m.initial == *value))
    };
    let states = states.filter(|states| states.first().is_some_and(initial));
    let steps = Some(facts.len()).filter(|steps| *steps > 0);
    Derivation { steps, states }
}

fn values(fact: &SExpr, system: &TransitionSystem, state: &[VarId]) -> Option<Vec<Value>> {
    let list = match fact {
        SExpr::List(list) => list.get(1..)?,
        SExpr::Atom(_) => &[],
    };
    if list.len() != state.len() {
        return None;
    }
    let value = |(e, var): (&SExpr, &VarId)| parse_value(e, system.variable(*var).sort);
    list.iter().zip(state).map(value).collect()
}
