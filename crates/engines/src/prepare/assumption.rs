//! Properties of the form "as long as A has always held, Q".
//!
//! `A` is *historical* if it can never become true again: where it holds, it
//! held at all steps before. If every property says nothing unless A holds,
//! then only executions at whose steps A holds can refute one, and A may be
//! assumed at every step, like an assertion. This is what makes the usual
//! idiom `Sofar(environment) => guarantee` a statement about the environment
//! that is meant, instead of about a flag that remembers it.
//!
//! The way back: what is inductive where A is assumed, f, is inductive as
//! `A => f` where it is not. At the next step either A fails, or it holds and
//! has held before, so f held before, and holds. A refutation needs no way
//! back: it is an execution of the original, at whose steps A happens to hold.

use lustral_system::{Origin, TransitionSystem};
use lustral_term::{Op, TermId, Terms, Translation, VarId};

/// A historical condition without which no property says anything.
pub(super) fn find(system: &TransitionSystem) -> Option<TermId> {
    let mut common: Option<Vec<TermId>> = None;
    for property in &system.properties {
        let own = premises(&system.terms, property.term);
        common = Some(match common {
            None => own,
            Some(known) => known.into_iter().filter(|term| own.contains(term)).collect(),
        });
    }
    common?.into_iter().find(|term| is_historical(system, *term))
}

/// The terms whose negation makes a property true.
fn premises(terms: &Terms, property: TermId) -> Vec<TermId> {
    let disjuncts: Vec<TermId> = match terms.op(property) {
        Op::Or(list) => list.to_vec(),
        _ => vec![property],
    };
    let mut found = Vec::new();
    for disjunct in disjuncts {
        if let Op::Not(premise) = terms.op(disjunct) {
            match terms.op(*premise) {
                Op::And(list) => found.extend(list.iter().copied()),
                _ => found.push(*premise),
            }
        }
    }
    found
}

/// Whether a term, where it holds after the first step, held at the step
/// before: a memory m has it as next value, and it is false where m is.
fn is_historical(system: &TransitionSystem, term: TermId) -> bool {
    let flag = |m: &&lustral_system::Memory| system.variable(m.var).origin == Origin::First;
    let Some(first) = system.memories.iter().find(flag).map(|m| m.var) else { return false };
    let remembers = system.memories.iter().filter(|m| m.next == term);
    remembers.into_iter().any(|memory| is_false_without(system, term, first, memory.var))
}

fn is_false_without(system: &TransitionSystem, term: TermId, first: VarId, memory: VarId) -> bool {
    let mut scratch = Terms::new();
    let rest = Translation::new().apply(&system.terms, &mut scratch, term, |terms, var, sort| {
        if var == first || var == memory { Terms::FALSE } else { terms.variable(var, sort) }
    });
    rest == Terms::FALSE
}
