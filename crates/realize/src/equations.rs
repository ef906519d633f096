//! A strategy as equations: each output by cases over the moves, each memory as the contract
//! has it.

use lustral_system::{Choices, Game, Role, Strategy};
use lustral_term::{Term, TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;

use crate::Options;
use crate::arena::{Arena, Substitution};

/// Equations for a node that keeps a contract. The terms speak of memories and inputs; what
/// memories are next may also speak of outputs.
pub struct Equations {
    /// The arena.
    pub terms: Terms,
    /// The outputs.
    pub outputs: Choices,
    /// The memories that the outputs depend on: their first values, and the next ones.
    pub memories: Vec<(VarId, Value, TermId)>,
    /// What always holds of the memories: the region that the strategy stays in.
    pub region: Vec<TermId>,
}

/// The equations of a strategy: the first move that is an answer is taken, of each group.
///
/// Some flows of the contract may be taken to hold: that the environment has kept the
/// assumptions so far is true wherever somebody is to answer.
#[must_use]
pub fn equations(
    game: &Game,
    strategy: &Strategy,
    given: &[VarId],
    options: &Options,
) -> Equations {
    let mut arena = Arena::with(game, (*strategy.terms).clone(), options);
    let next = arena.next(&Substitution::default());
    let mut demands = vec![arena.guarantee];
    for clause in &strategy.region {
        demands.push(arena.insert(*clause, &next));
    }
    let mut outputs = chosen(&mut arena, strategy, &demands);
    for term in arena.controlled.clone() {
        let var = arena.terms.var(term).expect("it is a variable");
        if outputs.iter().all(|(known, _)| *known != var) {
            let zero = Value::zero(arena.terms.sort(term));
            outputs.push((var, arena.terms.constant(zero)));
        }
    }
    outputs.sort_unstable();
    let given: Vec<TermId> = (given.iter())
        .filter_map(|var| match game.system.variable(*var).role {
            Role::Defined(term) => Some(term),
            _ => None,
        })
        .collect();
    let nexts = game.system.memories.iter().map(|memory| memory.next);
    let roots: Vec<TermId> = outputs.iter().map(|(_, term)| *term).chain(nexts).collect();
    let done = with_facts(&mut arena.terms, &roots, &given);
    for (_, term) in &mut outputs {
        *term = done[term];
    }
    let memories = used(game, &arena.terms, &outputs, &done);
    Equations { terms: arena.terms, outputs, memories, region: strategy.region.clone() }
}

/// What the groups of outputs are, by cases.
fn chosen(arena: &mut Arena, strategy: &Strategy, demands: &[TermId]) -> Choices {
    let demands = arena.terms.conjuncts(demands.iter().copied());
    let mut outputs = Choices::new();
    for group in &strategy.groups {
        let mut own = demands.clone();
        own.retain(|demand| {
            let used = arena.terms.variables([*demand]);
            used.iter().any(|var| group.variables.contains(var))
        });
        let Some((last, others)) = group.moves.split_last() else { continue };
        let mut chosen = last.clone();
        for choices in others.iter().rev() {
            let by: Substitution = choices.iter().copied().collect();
            let kept: Vec<TermId> = own.iter().map(|demand| arena.insert(*demand, &by)).collect();
            let kept = arena.terms.and(kept);
            for (var, other) in &mut chosen {
                if let Some(term) = by.get(var) {
                    *other = arena.terms.ite(kept, *term, *other);
                }
            }
        }
        outputs.extend(chosen);
    }
    outputs
}

/// Terms in which some parts are true.
fn with_facts(terms: &mut Terms, roots: &[TermId], facts: &[TermId]) -> FxHashMap<TermId, TermId> {
    let source = terms.clone();
    let mut all = source.closure(roots.iter().copied());
    all.sort_unstable();
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    for id in all {
        let new = match source.get(id) {
            _ if facts.contains(&id) => Terms::TRUE,
            Term::Apply(..) => terms.rebuild(source.get(id), |operand| done[&operand]),
            _ => id,
        };
        done.insert(id, new);
    }
    done
}

/// The memories that outputs depend on, at once or through others.
fn used(
    game: &Game,
    terms: &Terms,
    outputs: &Choices,
    done: &FxHashMap<TermId, TermId>,
) -> Vec<(VarId, Value, TermId)> {
    let memories = &game.system.memories;
    let mut inside = vec![false; memories.len()];
    let mut pending = terms.variables(outputs.iter().map(|(_, term)| *term));
    while let Some(var) = pending.pop() {
        let Some(at) = memories.iter().position(|memory| memory.var == var) else { continue };
        if !std::mem::replace(&mut inside[at], true) {
            pending.extend(terms.variables([done[&memories[at].next]]));
        }
    }
    let memories = memories.iter().zip(inside).filter(|(_, inside)| *inside);
    memories.map(|(m, _)| (m.var, m.initial.clone(), done[&m.next])).collect()
}
