//! Preparation: a smaller system with the same answers, and the way back.
//!
//! Definitions are inlined, memories that never change or that always agree
//! are replaced, and what no property and no constraint depends on is dropped.
//! Constraints are never dropped: any of them might block an execution.
//! Bounds of memories become facts.

mod assumption;
mod bounds;
mod equal;
mod memories;
mod passes;

use std::sync::Arc;
use std::time::Instant;

use lustral_system::{
    Answers, Certificate, Constraint, ConstraintSource, Inlined, Predicate, Proof, Role, States,
    Trace, TransitionSystem,
};
use lustral_term::{TermId, Terms, Translation, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::Inputs;

pub use passes::Passes;

/// A prepared system and the way back.
pub struct Prepared {
    /// The system to work on. Its variables have the ids of the original's.
    pub system: Inlined,
    /// The way back.
    pub lens: Lens,
}

/// The way back from a prepared system to the one it was made from.
pub struct Lens {
    /// Facts of the original system that the preparation relied on: each is
    /// true initially, and together they are inductive. With each, the memory
    /// that it says what equals.
    facts: Vec<(VarId, Predicate)>,
    /// What the prepared system assumes at every step.
    assumption: Option<Predicate>,
    /// Memories that were replaced, and by what.
    replaced: FxHashMap<VarId, Replacement>,
}

/// What a memory always equals.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Replacement {
    /// A value.
    Constant(Value),
    /// Another memory.
    Like(VarId),
}

impl Lens {
    /// A proof about the prepared system, restated for the original.
    #[must_use]
    pub fn proof(&self, original: &TransitionSystem, proof: Proof) -> Certificate {
        // The facts are inductive by themselves, so they are k-inductive with
        // whatever was k-inductive where they were built in; and they are what
        // makes the memories that are left a state of the original: its other
        // memories equal one of these, or a constant, or reach nothing.
        let mut roots = roots(original, &proof);
        if let Some(assumption) = &self.assumption {
            roots.extend(assumption.terms.variables([assumption.term]));
        }
        let facts = self.facts_about(original, roots);
        let with_facts = |states: States| States { facts: facts.clone(), ..states };
        let proof = match proof {
            Proof::Induction { k, properties, mut invariants, compression } => {
                let compression = compression.map(with_facts);
                if let Some(assumption) = &self.assumption {
                    invariants = under(assumption, &invariants);
                }
                invariants.extend(facts);
                Proof::Induction { k, properties, invariants, compression }
            }
            Proof::Exhausted { steps, states } => {
                Proof::Exhausted { steps, states: with_facts(states) }
            }
        };
        Certificate { proof }
    }

    /// The facts about memories that some variables depend on. Others would be
    /// true, and would draw memories into the proof that have no part in it.
    fn facts_about(&self, original: &TransitionSystem, roots: Vec<VarId>) -> Vec<Predicate> {
        let mut cone = original.cone_of(roots.clone());
        let mut chosen = vec![false; self.facts.len()];
        let mut roots = roots;
        loop {
            let before = roots.len();
            for (i, (memory, fact)) in self.facts.iter().enumerate() {
                if cone[memory.index()] && !std::mem::replace(&mut chosen[i], true) {
                    roots.extend(fact.terms.variables([fact.term]));
                }
            }
            if roots.len() == before {
                break;
            }
            cone = original.cone_of(roots.clone());
        }
        let facts = self.facts.iter().zip(chosen).filter(|(_, chosen)| *chosen);
        facts.map(|((_, fact), _)| fact.clone()).collect()
    }

    /// The execution of the original system on the inputs and choices of a
    /// trace of the prepared one. What was dropped gets a plain value: nothing
    /// that a constraint or the property depends on was dropped.
    #[must_use]
    pub fn trace(
        &self,
        original: &TransitionSystem,
        length: usize,
        answers: Answers,
        free: impl Fn(usize, VarId) -> Option<Value>,
    ) -> Trace {
        Trace::run(original, length, answers, |step, var| {
            free(step, var).unwrap_or_else(|| original.plain(var))
        })
    }

    /// The steps of the original system from the state and on the inputs of a
    /// counterexample to induction of the prepared one.
    #[must_use]
    pub fn counterexample_to_induction(
        &self,
        original: &TransitionSystem,
        length: usize,
        inputs: &Inputs,
    ) -> Trace {
        let value = |step, var| inputs.values.get(&(step, var)).cloned();
        let state = |var: VarId| match self.replaced.get(&var) {
            Some(Replacement::Constant(constant)) => Some(constant.clone()),
            Some(Replacement::Like(other)) => value(0, *other),
            None => value(0, var),
        };
        let free = |step, var| value(step, var).unwrap_or_else(|| original.plain(var));
        Trace::run_from(original, state, length, inputs.answers.clone(), free)
    }
}

/// The variables of the original that a proof mentions, by itself or by what
/// its obligations add.
fn roots(original: &TransitionSystem, proof: &Proof) -> Vec<VarId> {
    let constraints = original.constraints.iter().map(|c| c.term);
    let mut roots = original.terms.variables(constraints);
    let states = match proof {
        Proof::Induction { properties, invariants, compression, .. } => {
            let properties = properties.iter().map(|p| original.property(*p).term);
            roots.extend(original.terms.variables(properties));
            for invariant in invariants {
                roots.extend(invariant.terms.variables([invariant.term]));
            }
            compression.as_ref()
        }
        // It proves whatever held at its steps.
        Proof::Exhausted { states, .. } => {
            let properties = original.properties.iter().map(|p| p.term);
            roots.extend(original.terms.variables(properties));
            Some(states)
        }
    };
    roots.extend(states.iter().flat_map(|states| &states.memories));
    roots
}

impl Prepared {
    /// The candidates of another preparation, of the same system with
    /// candidates and their memories, that speak of nothing but this one.
    #[must_use]
    pub fn candidates_of(&self, other: &Prepared) -> Arc<[Predicate]> {
        let system = &self.system;
        let mut alive: FxHashSet<VarId> = system.memories.iter().map(|m| m.var).collect();
        alive.extend(system.terms.variables(system.roots()));
        let terms = Arc::new(other.system.terms.clone());
        let known = |t: &&TermId| terms.variables([**t]).iter().all(|v| alive.contains(v));
        let kept = other.system.candidates.iter().filter(known);
        kept.map(|term| Predicate { terms: terms.clone(), term: *term }).collect()
    }
}

/// Each predicate where an assumption holds, in an arena of their own.
fn under(assumption: &Predicate, list: &[Predicate]) -> Vec<Predicate> {
    let mut terms = Terms::clone(&assumption.terms);
    let fails = terms.not(assumption.term);
    // Predicates that were found together share their arena.
    let mut translation = Translation::new();
    let mut source: Option<Arc<Terms>> = None;
    let mut found = Vec::with_capacity(list.len());
    for predicate in list {
        if !source.as_ref().is_some_and(|known| Arc::ptr_eq(known, &predicate.terms)) {
            translation = Translation::new();
            source = Some(predicate.terms.clone());
        }
        let term =
            translation.apply(&predicate.terms, &mut terms, predicate.term, |terms, var, sort| {
                terms.variable(var, sort)
            });
        found.push(terms.or([fails, term]));
    }
    let terms = Arc::new(terms);
    found.into_iter().map(|term| Predicate { terms: terms.clone(), term }).collect()
}

/// The system as it is, with nothing but its definitions inlined.
#[must_use]
pub fn unprepared(original: &TransitionSystem) -> Prepared {
    prepare_by(original, Passes::NONE)
}

/// Prepares a system by the usual passes.
#[must_use]
pub fn prepare(original: &TransitionSystem) -> Prepared {
    prepare_by(original, Passes::DEFAULT)
}

/// Prepares a system by some passes.
#[must_use]
pub fn prepare_by(original: &TransitionSystem, passes: Passes) -> Prepared {
    let mut system = Inlined::new(original);
    let mut facts = Vec::new();
    let mut replaced = FxHashMap::default();
    if passes.memories {
        replaced = system.change(|system| memories::merge(system, &mut facts));
    }
    if passes.equal {
        let again = replace_equal(&mut system, &mut facts);
        replaced = composed(replaced, again);
    }
    system.change(|system| {
        if passes.sofar {
            system.assumption = assumption::find(system);
        }
        if let Some(term) = system.assumption {
            system.constraints.push(Constraint { term, source: ConstraintSource::Assumption });
        }
        if passes.slice {
            drop_unused(system);
        }
        if passes.bounds {
            let (start, found) = (Instant::now(), bounds::add(system));
            tracing::debug!(found, took = ?start.elapsed(), "bounds");
        }
    });
    let terms = Arc::new(system.terms.clone());
    let of = |term| Predicate { terms: terms.clone(), term };
    let facts = facts.into_iter().map(|(var, term)| (var, of(term))).collect();
    let assumption = system.assumption.map(of);
    Prepared { system, lens: Lens { facts, assumption, replaced } }
}

/// Replaces memories that a solver says are equal, among those that matter.
fn replace_equal(
    system: &mut Inlined,
    facts: &mut Vec<(VarId, TermId)>,
) -> FxHashMap<VarId, Replacement> {
    let start = Instant::now();
    let mut part = system.clone();
    part.change(drop_unused);
    let found = equal::find(&part).unwrap_or_default();
    let classes = part.memories.iter().map(|m| m.var).zip(found).collect();
    let replaced = system.change(|system| memories::replace(system, facts, classes));
    tracing::debug!(found = replaced.len(), took = ?start.elapsed(), "equal");
    replaced
}

/// What memories are after both of two rounds of replacement.
fn composed(
    first: FxHashMap<VarId, Replacement>,
    second: FxHashMap<VarId, Replacement>,
) -> FxHashMap<VarId, Replacement> {
    let last = |class: Replacement| match &class {
        Replacement::Like(leader) => second.get(leader).cloned().unwrap_or(class),
        Replacement::Constant(_) => class,
    };
    let mut both: FxHashMap<VarId, Replacement> =
        first.into_iter().map(|(var, class)| (var, last(class))).collect();
    both.extend(second);
    both
}

/// Replaces variables everywhere.
fn substitute(system: &mut TransitionSystem, map: impl Fn(VarId) -> Option<TermId>) {
    let source = system.terms.clone();
    let mut translation = Translation::new();
    let terms = &mut system.terms;
    let mut apply = |term: TermId| {
        translation.apply(&source, terms, term, |terms, var, sort| {
            map(var).unwrap_or_else(|| terms.variable(var, sort))
        })
    };
    system.memories.iter_mut().for_each(|m| m.next = apply(m.next));
    system.constraints.iter_mut().for_each(|c| c.term = apply(c.term));
    system.typing.iter_mut().for_each(|t| *t = apply(*t));
    system.properties.iter_mut().for_each(|p| p.term = apply(p.term));
    system.candidates.iter_mut().for_each(|c| *c = apply(*c));
    for variable in &mut system.variables {
        if let Role::Defined(term) = &mut variable.role {
            *term = apply(*term);
        }
    }
    system.constraints.retain(|c| c.term != Terms::TRUE);
}

/// The cone of influence of the properties and of all constraints. Candidates
/// keep nothing in it: those that speak of something else go.
fn drop_unused(system: &mut TransitionSystem) {
    let properties = system.properties.iter().map(|p| p.term);
    let constraints = system.constraints.iter().map(|c| c.term);
    let needed = system.cone_of(system.terms.variables(properties.chain(constraints)));
    system.memories.retain(|m| needed[m.var.index()]);
    let terms = &system.terms;
    let inside = |t: &TermId| terms.variables([*t]).iter().all(|v| needed[v.index()]);
    system.typing.retain(inside);
    system.candidates.retain(inside);
}
