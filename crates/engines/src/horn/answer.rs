//! What Spacer says of the flattened clauses, read back.

use std::sync::Arc;

use lustral_smt::smtlib::{SExpr, parse_sexprs, parse_term, parse_value};
use lustral_system::{Predicate, TransitionSystem};
use lustral_term::{Op, Terms, Value, VarId};
use rustc_hash::FxHashMap;

use super::flat::STATE;

/// An invariant that cannot be read.
const UNREADABLE: &str = "the invariant is not a formula without quantifiers over the state";

/// The conjuncts of the invariant in an answer, over the memories that are the
/// arguments of the predicate.
pub(crate) fn invariant(
    text: &str,
    system: &TransitionSystem,
    state: &[VarId],
) -> Result<Vec<Predicate>, String> {
    read_invariant(text, system, state).ok_or_else(|| UNREADABLE.to_string())
}

fn read_invariant(
    text: &str,
    system: &TransitionSystem,
    state: &[VarId],
) -> Option<Vec<Predicate>> {
    let answer = parse_sexprs(text)?;
    let [answer] = &answer[..] else { return None };
    let definitions = match answer {
        SExpr::List(list) if list.first().is_some_and(|head| is(head, "and")) => &list[1..],
        one => std::slice::from_ref(one),
    };
    let (names, body) = definitions.iter().find_map(|d| definition(d, state.len()))?;
    let mut terms = Terms::new();
    let mut variables = FxHashMap::default();
    for (name, var) in names.iter().zip(state) {
        variables.insert(*name, terms.variable(*var, system.variable(*var).sort));
    }
    let term = match body {
        Body::Term(body) => parse_term(body, &mut terms, &variables)?,
        Body::Always => Terms::TRUE,
    };
    let conjuncts = match terms.op(term) {
        Op::And(list) => list.to_vec(),
        _ if term == Terms::TRUE => Vec::new(),
        _ => vec![term],
    };
    let terms = Arc::new(terms);
    Some(conjuncts.into_iter().map(|term| Predicate { terms: terms.clone(), term }).collect())
}

fn is(expr: &SExpr, name: &str) -> bool {
    matches!(expr, SExpr::Atom(atom) if atom == name)
}

/// What a predicate is.
enum Body<'e> {
    Term(&'e SExpr),
    Always,
}

/// The definition of the predicate, if this is one: the names of its arguments
/// and its body. `(forall BINDINGS (! (= (state A B) BODY) :weight 0))`, or
/// without the parts that are not needed.
fn definition(expr: &SExpr, arity: usize) -> Option<(Vec<&str>, Body<'_>)> {
    let mut expr = expr;
    loop {
        match expr {
            SExpr::List(list) => match &list[..] {
                [head, _, body] if is(head, "forall") => expr = body,
                [head, body, ..] if is(head, "!") => expr = body,
                [head, left, body] if is(head, "=") => {
                    return Some((arguments(left, arity)?, Body::Term(body)));
                }
                _ => return Some((arguments(expr, arity)?, Body::Always)),
            },
            SExpr::Atom(_) => return Some((arguments(expr, arity)?, Body::Always)),
        }
    }
}

/// The arguments of an application of the predicate to names.
fn arguments(expr: &SExpr, arity: usize) -> Option<Vec<&str>> {
    let names: Vec<&str> = match expr {
        SExpr::Atom(_) if is(expr, STATE) => Vec::new(),
        SExpr::Atom(_) => return None,
        SExpr::List(list) => {
            if !list.first().is_some_and(|head| is(head, STATE)) {
                return None;
            }
            list[1..].iter().map(atom).collect::<Option<_>>()?
        }
    };
    (names.len() == arity).then_some(names)
}

fn atom(expr: &SExpr) -> Option<&str> {
    match expr {
        SExpr::Atom(name) => Some(name),
        SExpr::List(_) => None,
    }
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
