//! Small proofs about large programs, by what is near to them.
//!
//! Hundreds of properties of a large program have a proof each, most of them about the few flows
//! around the property. To write down for each of them what all flows are takes more time than to find the proofs. So
//! what is near is tried first: the definitions, memories and constraints that are the fewest definitions away.
//!
//! That is sound as slices are ([`crate::slices`]): a flow without its definition has any value, of its range or not, a memory
//! that is left out any value at the first step and at the next, and constraints that are left out exclude nothing.
//! So there are more steps, and more first steps, that could refute a proof. One that passes passes as a
//! whole; where it does not, nothing is said, and it is asked as a whole.

use std::collections::VecDeque;

use lustral_system::{Origin, Predicate, Role, TransitionSystem, Variable};
use lustral_term::{TermId, VarId};

use crate::obligations::Obligation;
use crate::queries;
use crate::slices::set_free;

/// So many definitions are near, at the first try and at the second.
const NEAR: [usize; 2] = [40, 300];

/// Which cases of a proof by induction over one step are shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Shown {
    pub base: bool,
    pub step: bool,
}

/// What of a proof by induction over one step is shown by what is near to its invariants: `passes` says
/// whether an obligation holds.
pub(crate) fn show(
    system: &TransitionSystem,
    list: &[Predicate],
    passes: &mut dyn FnMut(&Obligation) -> bool,
) -> Shown {
    let mut shown = Shown::default();
    for most in NEAR {
        let Some(part) = part(system, list, most) else { break };
        shown.step = shown.step || passes(&queries::next_step(&part, list, list));
        shown.base = shown.base || passes(&queries::base(&part, list, 0, "the invariant"));
        if shown.step && shown.base {
            break;
        }
    }
    shown
}

/// Whether the step case is shown by what is nearest.
pub(crate) fn show_step_case(
    system: &TransitionSystem,
    list: &[Predicate],
    passes: &mut dyn FnMut(&Obligation) -> bool,
) -> bool {
    part(system, list, NEAR[0]).is_some_and(|part| passes(&queries::next_step(&part, list, list)))
}

/// The system with so many definitions and next values at the most, those that are nearest to some predicates; nothing if
/// that leaves out less than half.
fn part(system: &TransitionSystem, list: &[Predicate], most: usize) -> Option<TransitionSystem> {
    let definition = |variable: &Variable| match variable.role {
        Role::Defined(term) => Some(term),
        _ => None,
    };
    let mut below: Vec<Option<TermId>> = system.variables.iter().map(definition).collect();
    system.memories.iter().for_each(|m| below[m.var.index()] = Some(m.next));
    // The flag of the first step is near to everything.
    let is_flag = |variable: &Variable| variable.origin == Origin::First;
    let flags = system.variables().filter(|(_, v)| is_flag(v)).map(|(var, _)| var);
    let roots = flags.chain(list.iter().flat_map(|p| p.terms.variables([p.term])));
    let mut reached = vec![false; system.variables.len()];
    let mut taken = vec![false; system.variables.len()];
    let mut left = most;
    let mut pending: VecDeque<VarId> = roots.collect();
    while let Some(var) = pending.pop_front() {
        if std::mem::replace(&mut reached[var.index()], true) {
            continue;
        }
        let Some(term) = below[var.index()] else { continue };
        if left > 0 {
            left -= 1;
            taken[var.index()] = true;
            pending.extend(system.terms.variables([term]));
        }
    }
    if left > 0 || below.iter().flatten().count() < 2 * most {
        return None;
    }
    let mut part = system.clone();
    for (variable, taken) in part.variables.iter_mut().zip(&taken) {
        if matches!(variable.role, Role::Defined(_)) && !taken {
            set_free(variable);
        }
    }
    part.memories.retain(|memory| taken[memory.var.index()]);
    let is_near = |var: &VarId| reached[var.index()];
    part.constraints.retain(|c| system.terms.variables([c.term]).iter().all(is_near));
    Some(part)
}

#[cfg(test)]
mod tests;
