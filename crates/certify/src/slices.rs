//! The step case of a large proof, by slices.
//!
//! Of a proof with hundreds of invariants, each usually follows from a few of the others and
//! from a small part of the system. So the invariants are taken in groups: what a group
//! needs is looked for among the invariants that speak of nothing but what it reads, in
//! the part of the system that is one step away. An invariant about much of the
//! system, such as a property that says many things, is shown from the others at the same step.
//!
//! Definitions are left out, too, where they read more than that: in a chain of cells that feed each other
//! in the same step, each reads all before it, and what it needs of them is often nothing.
//!
//! That is sound because it asks for more than the step case does. Every invariant is a
//! goal. The hypotheses of a group are some of the invariants at the step before, and memories,
//! definitions and constraints that are left out only leave more steps that could refute it: a flow without its
//! definition has any value, of its range or not. So where all
//! groups pass, all narrow invariants hold at the next step, and those that are shown from them
//! hold there too. Where something does not pass, nothing is said: the step case is asked as a whole.

use std::collections::VecDeque;

use lustral_system::{Memory, Origin, Predicate, Role, TransitionSystem, Variable};
use lustral_term::{TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::obligations::Obligation;
use crate::queries;

/// Fewer invariants are looked at together.
const FEW: usize = 48;
/// The invariants of a group.
const GROUP: usize = 12;

/// An invariant about more memories is a wide one.
const NARROW: usize = 24;

/// How many definitions that read memories are between what a slice is about and what is in it: the flow
/// that a memory remembers, and one more; or as many as there are.
const HOPS: [usize; 2] = [2, usize::MAX];

/// Whether a proof of these invariants is large.
pub(crate) fn is_large(list: &[Predicate]) -> bool {
    list.len() >= FEW
}

/// Whether the step case of an induction over one step passes by slices, if the proof is large: `passes`
/// says whether an obligation holds.
pub(crate) fn show_step_case(
    system: &TransitionSystem,
    list: &[Predicate],
    passes: &mut dyn FnMut(&Obligation) -> bool,
) -> bool {
    let mut near = Near::new(system);
    let of = |p: &Predicate| (p.clone(), near.memories_of(p));
    let all: Vec<(Predicate, Vec<VarId>)> = list.iter().map(of).collect();
    let (narrow, wide): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(_, memories)| memories.len() <= NARROW);
    let known: Vec<Predicate> = narrow.iter().map(|(predicate, _)| predicate.clone()).collect();
    let mut groups = Groups::new(near, narrow);
    for start in (0..known.len()).step_by(GROUP) {
        // What is not shown nearby may be shown by all that is read in the step.
        if !HOPS.into_iter().any(|hops| passes(&groups.obligation(start, hops))) {
            return false;
        }
    }
    let shallow = Shallow::new(system, &known);
    wide.into_iter().all(|(p, _)| {
        passes(&shallow.implication(&known, &p))
            || passes(&queries::implication(system, &known, std::slice::from_ref(&p)))
    })
}

/// The groups of narrow invariants.
struct Groups<'s> {
    near: Near<'s>,
    narrow: Vec<(Predicate, Vec<VarId>)>,
    /// By memory: the invariants about it and those before it, by position.
    about: FxHashMap<Option<VarId>, Vec<usize>>,
    constraints: Vec<Vec<VarId>>,
    /// The system; memories, constraints and definitions are changed from group to group.
    part: TransitionSystem,
}

impl<'s> Groups<'s> {
    fn new(mut near: Near<'s>, narrow: Vec<(Predicate, Vec<VarId>)>) -> Groups<'s> {
        let system = near.system;
        let mut about: FxHashMap<Option<VarId>, Vec<usize>> = FxHashMap::default();
        for (at, (_, memories)) in narrow.iter().enumerate() {
            about.entry(memories.last().copied()).or_default().push(at);
        }
        let constraints =
            system.constraints.iter().map(|c| near.memories_in(c.term, usize::MAX)).collect();
        Groups { near, narrow, about, constraints, part: system.clone() }
    }

    /// That the group that begins here holds at the next step.
    fn obligation(&mut self, start: usize, hops: usize) -> Obligation {
        let Groups { near, narrow, about, constraints, part } = self;
        let group = &narrow[start..narrow.len().min(start + GROUP)];
        let own: FxHashSet<VarId> = group.iter().flat_map(|(_, vars)| vars).copied().collect();
        let mut inside = own.clone();
        own.iter().for_each(|memory| inside.extend(near.read_by(*memory, hops)));
        let is_inside = |vars: &[VarId]| vars.iter().all(|v| inside.contains(v));
        let keys = inside.iter().copied().map(Some).chain([None]);
        let mut around: Vec<usize> =
            keys.filter_map(|key| about.get(&key)).flatten().copied().collect();
        around.retain(|i| is_inside(&narrow[*i].1));
        around.sort_unstable();
        let hypotheses: Vec<Predicate> = around.iter().map(|i| narrow[*i].0.clone()).collect();
        let goals: Vec<Predicate> = group.iter().map(|(p, _)| p.clone()).collect();
        let system = near.system;
        part.memories = system.memories.iter().filter(|m| own.contains(&m.var)).cloned().collect();
        part.constraints = (system.constraints.iter().zip(&*constraints))
            .filter(|(_, vars)| is_inside(vars))
            .map(|(constraint, _)| constraint.clone())
            .collect();
        let nexts = part.memories.iter().map(|m| m.next);
        let mut roots =
            system.terms.variables(nexts.chain(part.constraints.iter().map(|c| c.term)));
        let mentioned = |p: &Predicate| p.terms.variables([p.term]);
        roots.extend(hypotheses.iter().chain(&goals).flat_map(mentioned));
        let cut = near.cut(roots, &inside);
        cut.iter().for_each(|var| set_free(&mut part.variables[var.index()]));
        let obligation = queries::next_step(part, &hypotheses, &goals);
        for var in cut {
            part.variables[var.index()] = system.variable(var).clone();
        }
        obligation
    }
}

/// A flow without its definition has any value.
pub(crate) fn set_free(variable: &mut Variable) {
    variable.role = Role::Input;
    variable.range = None;
}

/// What follows at the same step from facts about flows, whatever these flows are.
struct Shallow<'s> {
    system: &'s TransitionSystem,
    /// By fact: what it mentions.
    mentions: Vec<Vec<VarId>>,
    /// What some fact mentions.
    mentioned: FxHashSet<VarId>,
    /// The system with these flows free.
    part: TransitionSystem,
}

impl<'s> Shallow<'s> {
    fn new(system: &'s TransitionSystem, known: &[Predicate]) -> Shallow<'s> {
        let mentions: Vec<Vec<VarId>> = known.iter().map(|p| p.terms.variables([p.term])).collect();
        let mentioned: FxHashSet<VarId> = mentions.iter().flatten().copied().collect();
        let mut part = system.clone();
        part.constraints.clear();
        for var in &mentioned {
            if matches!(part.variable(*var).role, Role::Defined(_)) {
                set_free(&mut part.variables[var.index()]);
            }
        }
        // The state is what it is: nothing is asked of another step.
        part.memories.clear();
        Shallow { system, mentions, mentioned, part }
    }

    fn implication(&self, known: &[Predicate], goal: &Predicate) -> Obligation {
        let mut reached: FxHashSet<VarId> = FxHashSet::default();
        let mut pending = goal.terms.variables([goal.term]);
        while let Some(var) = pending.pop() {
            if reached.insert(var)
                && !self.mentioned.contains(&var)
                && let Role::Defined(term) = self.system.variable(var).role
            {
                pending.extend(self.system.terms.variables([term]));
            }
        }
        let near = |vars: &Vec<VarId>| vars.iter().all(|v| reached.contains(v));
        let about = known.iter().zip(&self.mentions).filter(|(_, vars)| near(vars));
        let known: Vec<Predicate> = about.map(|(p, _)| p.clone()).collect();
        queries::implication(&self.part, &known, std::slice::from_ref(goal))
    }
}

/// Which memories are near to which: what is read with at most one definition between that reads
/// memories itself.
struct Near<'s> {
    system: &'s TransitionSystem,
    /// By variable: what its definition mentions.
    definitions: FxHashMap<VarId, Vec<VarId>>,
    /// By variable: what it is as a memory.
    memories: Vec<Option<&'s Memory>>,
}

impl<'s> Near<'s> {
    fn new(system: &'s TransitionSystem) -> Near<'s> {
        let mut memories = vec![None; system.variables.len()];
        system.memories.iter().for_each(|m| memories[m.var.index()] = Some(m));
        Near { system, definitions: FxHashMap::default(), memories }
    }

    /// What the definition of a variable mentions, if it has one.
    fn mentioned(&mut self, var: VarId) -> &[VarId] {
        let system = self.system;
        self.definitions.entry(var).or_insert_with(|| match system.variable(var).role {
            Role::Defined(term) => system.terms.variables([term]),
            _ => Vec::new(),
        })
    }

    fn is_memory(&self, var: VarId) -> bool {
        self.memories[var.index()].is_some()
    }

    /// The memories that a predicate is about at its own step.
    fn memories_of(&mut self, predicate: &Predicate) -> Vec<VarId> {
        self.below(predicate.terms.variables([predicate.term]), 1)
    }

    /// The memories that a term of the system reads.
    fn memories_in(&mut self, term: TermId, hops: usize) -> Vec<VarId> {
        self.below(self.system.terms.variables([term]), hops)
    }

    /// The memories that the next value of one is made of.
    fn read_by(&mut self, memory: VarId, hops: usize) -> Vec<VarId> {
        let next = self.memories[memory.index()].map(|m| m.next);
        next.map_or(Vec::new(), |next| self.memories_in(next, hops))
    }

    /// The memories below some variables, with so many definitions between that read memories.
    fn below(&mut self, roots: Vec<VarId>, hops: usize) -> Vec<VarId> {
        let mut seen: FxHashSet<VarId> = roots.iter().copied().collect();
        let mut layer: VecDeque<VarId> = roots.into();
        let mut found = Vec::new();
        for _ in 0..hops {
            let mut behind = VecDeque::new();
            while let Some(var) = layer.pop_front() {
                if self.is_memory(var) {
                    found.push(var);
                    continue;
                }
                let mentioned = self.mentioned(var).to_vec();
                let bears = mentioned.iter().any(|v| self.is_memory(*v) && !self.is_flag(*v));
                for v in mentioned.into_iter().filter(|v| seen.insert(*v)) {
                    // What is behind a definition that reads memories is further away.
                    let further = bears && !self.is_memory(v);
                    if further { behind.push_back(v) } else { layer.push_back(v) }
                }
            }
            if behind.is_empty() {
                break;
            }
            layer = behind;
        }
        found.sort_unstable();
        found
    }

    /// The flag of the first step is everywhere.
    fn is_flag(&self, var: VarId) -> bool {
        self.system.variable(var).origin == Origin::First
    }

    /// The flows below some variables that read more than some memories, and what is behind
    /// them is not looked at.
    fn cut(&mut self, roots: Vec<VarId>, inside: &FxHashSet<VarId>) -> Vec<VarId> {
        let mut pending = roots;
        let mut seen: FxHashSet<VarId> = pending.iter().copied().collect();
        let mut cut = Vec::new();
        while let Some(var) = pending.pop() {
            let mentioned = self.mentioned(var).to_vec();
            if mentioned.iter().any(|v| self.is_memory(*v) && !inside.contains(v)) {
                cut.push(var);
            } else {
                pending.extend(mentioned.into_iter().filter(|v| seen.insert(*v)));
            }
        }
        cut
    }
}
