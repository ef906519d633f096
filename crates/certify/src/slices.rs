//! The step case of a large proof, by slices.
//!
//! Of a proof with hundreds of invariants, each usually follows from a few of the others and
//! from a small part of the system. So the invariants are taken in groups: what a group
//! needs is looked for among the invariants that speak of nothing but what it reads, in
//! the part of the system that is one step away. An invariant about much of the
//! system, such as a property that says many things, is shown from the others at the same step.
//!
//! That is sound because it asks for more than the step case does. Every invariant is a
//! goal. The hypotheses of a group are some of the invariants at the step before, and memories,
//! definitions and constraints that are left out only leave more steps that could refute it. So where all
//! groups pass, all narrow invariants hold at the next step, and those that are shown from them
//! hold there too. Where something does not pass, nothing is said: the step case is asked as a whole.

use lustral_system::{Memory, Predicate, Role, TransitionSystem};
use lustral_term::{TermId, VarId};
use rustc_hash::FxHashSet;

use crate::obligations::Obligation;
use crate::queries;

/// Fewer invariants are looked at together.
const FEW: usize = 48;
/// The invariants of a group.
const GROUP: usize = 12;

/// An invariant about more memories is a wide one.
const NARROW: usize = 24;

/// What shows the step case of an induction over one step, if it is large.
pub(crate) fn step_case<'a>(
    system: &'a TransitionSystem,
    list: &'a [Predicate],
) -> Option<impl Iterator<Item = Obligation> + 'a> {
    if list.len() < FEW {
        return None;
    }
    let near = Near::new(system);
    let of = |p: &Predicate| (p.clone(), near.memories_of(p));
    let (narrow, wide): (Vec<_>, Vec<_>) =
        list.iter().map(of).partition(|(_, memories)| memories.len() <= NARROW);
    let known: Vec<Predicate> = narrow.iter().map(|(predicate, _)| predicate.clone()).collect();
    let follows = wide.into_iter().map(move |(p, _)| queries::implication(system, &known, &[p]));
    let constraints: Vec<Vec<VarId>> =
        system.constraints.iter().map(|c| near.memories_in(c.term)).collect();
    // Only memories and constraints are changed from group to group.
    let mut part = system.clone();
    let starts = (0..narrow.len()).step_by(GROUP);
    let groups = starts.map(move |start| {
        let group = &narrow[start..narrow.len().min(start + GROUP)];
        let own: FxHashSet<VarId> = group.iter().flat_map(|(_, vars)| vars).copied().collect();
        let read = near.read_by(&own);
        let is_near = |v: &VarId| own.contains(v) || read.contains(v);
        let hypotheses = narrow.iter().filter(|(_, vars)| vars.iter().all(is_near));
        let hypotheses: Vec<Predicate> = hypotheses.map(|(p, _)| p.clone()).collect();
        let goals: Vec<Predicate> = group.iter().map(|(p, _)| p.clone()).collect();
        part.memories = system.memories.iter().filter(|m| own.contains(&m.var)).cloned().collect();
        part.constraints = (system.constraints.iter().zip(&constraints))
            .filter(|(_, vars)| vars.iter().all(is_near))
            .map(|(constraint, _)| constraint.clone())
            .collect();
        queries::next_step(&part, &hypotheses, &goals)
    });
    Some(groups.chain(follows))
}

/// Which memories are one step away from which.
struct Near<'s> {
    system: &'s TransitionSystem,
    /// By variable: its definition.
    definitions: Vec<Option<TermId>>,
    /// By variable: what it is as a memory.
    memories: Vec<Option<&'s Memory>>,
}

impl<'s> Near<'s> {
    fn new(system: &'s TransitionSystem) -> Near<'s> {
        let definition = |role: Role| match role {
            Role::Defined(term) => Some(term),
            _ => None,
        };
        let mut memories = vec![None; system.variables.len()];
        system.memories.iter().for_each(|m| memories[m.var.index()] = Some(m));
        let definitions = system.variables.iter().map(|v| definition(v.role)).collect();
        Near { system, definitions, memories }
    }

    /// The memories that a predicate depends on at its own step.
    fn memories_of(&self, predicate: &Predicate) -> Vec<VarId> {
        self.below(predicate.terms.variables([predicate.term]))
    }

    /// The same of a term of the system.
    fn memories_in(&self, term: TermId) -> Vec<VarId> {
        self.below(self.system.terms.variables([term]))
    }

    /// The memories that the next values of some are made of.
    fn read_by(&self, own: &FxHashSet<VarId>) -> FxHashSet<VarId> {
        let nexts = own.iter().filter_map(|var| self.memories[var.index()]).map(|m| m.next);
        self.below(self.system.terms.variables(nexts)).into_iter().collect()
    }

    fn below(&self, mut pending: Vec<VarId>) -> Vec<VarId> {
        let mut seen: FxHashSet<VarId> = pending.iter().copied().collect();
        let mut found = Vec::new();
        while let Some(var) = pending.pop() {
            if self.memories[var.index()].is_some() {
                found.push(var);
            } else if let Some(term) = self.definitions[var.index()] {
                let more = self.system.terms.variables([term]);
                pending.extend(more.into_iter().filter(|v| seen.insert(*v)));
            }
        }
        found
    }
}
