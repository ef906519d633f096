//! What candidates are made of: the streams, memories and atoms of a system.
//!
//! Memories have a meaning from the second step on, so candidates speak of the
//! later steps: the flag of the first step is replaced by `false`, which makes
//! most arrows disappear, and what is learned is stated behind that flag. At
//! the first step it holds for want of anything to say.

use lustral_simulation::{Column, Samples};
use lustral_system::{Inlined, Origin, Role, StreamRole, TransitionSystem, Variable};
use lustral_term::{Enumeration, Operator, Sort, Term, TermId, Terms, Translation, Value, VarId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

use super::bounds::Bounded;
use super::group::Parts;
use super::number::Number;
use super::scopes::ClockScope;
use super::templates::Templates;

/// The most boolean features: their order has four times the square in bits.
const MOST_BOOLEANS: usize = 512;
/// In a system with more terms than this, flows are no features.
const MOST_FEATURE_TERMS: usize = 20_000;
/// A memory with more values than this holds no mode.
const MOST_VALUES: usize = 8;
/// The most numeric features.
const MOST_NUMBERS: usize = 64;
/// The most features of enumerations.
const MOST_CHOICES: usize = 32;
/// An enumeration with more values is no mode.
const MOST_MODES: usize = 256;
/// Of an enumeration with more values than this, not each is asked for.
const MOST_VALUES_NAMED: usize = 16;

/// The features of a system, as terms of the pool's arena.
pub(crate) struct Features {
    /// The flag of the first step, if the system has one.
    pub first: Option<TermId>,
    pub parts: Parts,
    /// The flows among them that are named, with their definitions.
    pub named: Vec<(VarId, TermId)>,
    /// The numeric constants of the system.
    pub constants: Vec<Number>,
}

struct FeatureSearch<'s> {
    system: &'s TransitionSystem,
    /// The flags that are false where the features mean something.
    flags: Vec<VarId>,
    /// The memories that are looked at.
    memories: Vec<VarId>,
    translation: Translation,
    seen: FxHashSet<TermId>,
    /// By variable: whether it is part of the state or an input in use.
    alive: Vec<bool>,
    found: Features,
    beyond: Beyond,
}

/// How many features there are beyond what is looked at.
#[derive(Default)]
struct Beyond {
    booleans: usize,
    numbers: usize,
    choices: usize,
    flows: usize,
}

impl Features {
    /// The features of a system.
    pub fn new(
        system: &Inlined,
        terms: &mut Terms,
        templates: &Templates,
        samples: &Samples,
    ) -> Features {
        let flag = |m: &&lustral_system::Memory| system.variable(m.var).origin == Origin::First;
        let first = system.memories.iter().find(flag).map(|m| m.var);
        let memories = system.memories.iter().map(|m| m.var).collect();
        let flags = first.into_iter().collect();
        let mut search = FeatureSearch::new(system, flags, memories);
        search.alive = alive(system, templates.names);
        search.found.first = first.map(|var| terms.variable(var, Sort::Bool));
        search.memories(terms);
        let roots = search.roots(terms, templates.names);
        if templates.atoms {
            search.atoms(terms, &roots);
            search.values(terms, samples);
        }
        if templates.streams {
            search.streams(terms, templates.names);
        }
        if templates.atoms {
            search.choices(terms);
        }
        search.clock_flags(terms);
        search.constants(terms, &roots);
        search.finish()
    }

    /// The features of a clock scope: its memories and those near them, and what is compared
    /// between these, as it is after the scope has run.
    pub fn of_scope(
        system: &Inlined,
        scope: &ClockScope,
        terms: &mut Terms,
        templates: &Templates,
        samples: &Samples,
    ) -> Parts {
        let is_first = |v: &VarId| system.variable(*v).origin == Origin::First;
        let first = system.memories.iter().map(|m| m.var).find(is_first);
        let flags = scope.flags.iter().copied().chain(first).collect();
        let memories: Vec<VarId> = scope.own.iter().chain(&scope.near).copied().collect();
        let inside: FxHashSet<VarId> = memories.iter().copied().collect();
        let mut search = FeatureSearch::new(system, flags, memories);
        search.memories(terms);
        if templates.atoms {
            let nexts = system.memories.iter().filter(|m| inside.contains(&m.var));
            let roots: Vec<TermId> = nexts.map(|m| search.later(terms, m.next)).collect();
            let all: Vec<TermId> = search.comparisons(terms, &roots);
            let about = |t: &TermId| terms.variables([*t]).iter().all(|v| inside.contains(v));
            let about: Vec<TermId> = all.into_iter().filter(about).collect();
            about.into_iter().for_each(|atom| search.add_atom(terms, atom));
            search.values(terms, samples);
            search.choices(terms);
        }
        search.finish().parts
    }
}

/// `term = value` for each value of an enumeration that has few.
pub(crate) fn value_atoms(terms: &mut Terms, term: TermId) -> Vec<TermId> {
    let few = terms.sort(term).enumeration().filter(|e| e.size as usize <= MOST_VALUES_NAMED);
    few.map_or(Vec::new(), |e| equal_to_each(terms, term, e))
}

fn equal_to_each(terms: &mut Terms, term: TermId, e: Enumeration) -> Vec<TermId> {
    let mut atom = |i| {
        let value = terms.constant(Value::Enum(e, i));
        terms.eq(term, value)
    };
    (0..e.size).map(&mut atom).collect()
}

/// What the outputs of a system are defined by.
fn outputs(system: &TransitionSystem) -> impl Iterator<Item = TermId> {
    let streams = system.root().streams.iter().filter(|s| s.role == StreamRole::Output);
    streams.filter_map(|stream| match system.variable(stream.var).role {
        Role::Defined(term) => Some(term),
        _ => None,
    })
}

/// The memories, and the inputs and choices that something depends on: the outputs too, where
/// people want to know what a node does.
fn alive(system: &TransitionSystem, names: bool) -> Vec<bool> {
    let mut alive = vec![false; system.variables.len()];
    system.memories.iter().for_each(|m| alive[m.var.index()] = true);
    for var in system.terms.variables(system.roots()) {
        alive[var.index()] = true;
    }
    if names && !system.instances.is_empty() {
        for var in system.terms.variables(outputs(system)) {
            alive[var.index()] = true;
        }
    }
    alive
}

impl<'s> FeatureSearch<'s> {
    /// A search before anything was found.
    fn new(system: &'s Inlined, flags: Vec<VarId>, memories: Vec<VarId>) -> FeatureSearch<'s> {
        FeatureSearch {
            system,
            flags,
            memories,
            translation: Translation::new(),
            seen: FxHashSet::default(),
            alive: Vec::new(),
            found: Features {
                first: None,
                parts: Parts::default(),
                named: Vec::new(),
                constants: Vec::new(),
            },
            beyond: Beyond::default(),
        }
    }

    /// A term of the system as it is where the flags are false.
    fn later(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        let flags = &self.flags;
        self.translation.apply(&self.system.terms, terms, term, |terms, var, sort| {
            if flags.contains(&var) { Terms::FALSE } else { terms.variable(var, sort) }
        })
    }

    /// Adds a feature unless it is known, constant, or one too many.
    fn add(&mut self, terms: &Terms, term: TermId) {
        let bare = match terms.get(term) {
            Term::Value(_) => return,
            Term::Apply(Operator::Not, [inner]) => *inner,
            _ => term,
        };
        let sort = terms.sort(bare);
        let Parts { booleans, numbers, choices, .. } = &mut self.found.parts;
        let (count, most, beyond) = match sort {
            Sort::Bool => (booleans.len(), MOST_BOOLEANS, &mut self.beyond.booleans),
            Sort::Int | Sort::Real => (numbers.len(), MOST_NUMBERS, &mut self.beyond.numbers),
            Sort::Enum(_) => (choices.len(), MOST_CHOICES, &mut self.beyond.choices),
            // Nothing is built from these but equations that the program has.
            _ => return,
        };
        if !self.seen.insert(bare) {
            return;
        }
        match sort {
            _ if count >= most => *beyond += 1,
            Sort::Bool => booleans.push(bare),
            Sort::Enum(_) => choices.push(bare),
            _ => numbers.push(Bounded { term: bare, sort }),
        }
    }

    /// What was found, and what was left out of it.
    fn finish(mut self) -> Features {
        let Beyond { booleans, numbers, choices, flows } = self.beyond;
        let Parts { left_out, .. } = &mut self.found.parts;
        let mut note = |what, most, beyond| left_out.note(what, most, most + beyond);
        note("numbers are looked at", MOST_NUMBERS, numbers);
        note("truth values are looked at", MOST_BOOLEANS, booleans);
        note("flows of enumerations are looked at", MOST_CHOICES, choices);
        left_out.note("flows beside the memories are looked at", 0, flows);
        self.found
    }

    /// The memories; those that have a mode by their sort are guards.
    fn memories(&mut self, terms: &mut Terms) {
        for var in self.memories.clone() {
            if self.flags.contains(&var) {
                continue;
            }
            let Variable { sort, origin, .. } = self.system.variable(var);
            let term = terms.variable(var, *sort);
            self.add(terms, term);
            match sort {
                Sort::Bool if !matches!(origin, Origin::Clock { .. }) => {
                    self.found.parts.guards.push(term);
                }
                Sort::Enum(e) if e.size as usize <= MOST_MODES => {
                    self.found.parts.guards.extend(equal_to_each(terms, term, *e));
                }
                _ => {}
            }
        }
    }

    /// That a scope has not run yet guards what others say meanwhile.
    fn clock_flags(&mut self, terms: &mut Terms) {
        for var in &self.memories {
            if matches!(self.system.variable(*var).origin, Origin::Clock { .. }) {
                self.found.parts.guards.push(terms.variable(*var, Sort::Bool));
            }
        }
    }

    /// All that the system says, after the first step.
    fn roots(&mut self, terms: &mut Terms, names: bool) -> Vec<TermId> {
        let system = self.system;
        let properties = system.properties.iter().map(|p| p.term);
        let constraints = system.constraints.iter().map(|c| c.term);
        let nexts = system.memories.iter().map(|m| m.next);
        let mut all: Vec<TermId> = properties.chain(constraints).chain(nexts).collect();
        if names && !system.instances.is_empty() {
            all.extend(outputs(system));
        }
        all.into_iter().map(|term| self.later(terms, term)).collect()
    }

    /// The comparisons that the system makes: over the state first, because
    /// an invariant is about states.
    fn atoms(&mut self, terms: &Terms, roots: &[TermId]) {
        let is_memory = |v: &VarId| self.system.variable(*v).role == Role::Memory;
        let (over_state, over_inputs): (Vec<TermId>, Vec<TermId>) = self
            .comparisons(terms, roots)
            .into_iter()
            .partition(|term| terms.variables([*term]).iter().all(is_memory));
        over_state.into_iter().for_each(|term| self.add_atom(terms, term));
        over_inputs.into_iter().for_each(|term| self.add(terms, term));
    }

    /// All comparisons in some terms.
    fn comparisons(&self, terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
        let is_comparison = |term: &TermId| match terms.get(*term) {
            Term::Apply(Operator::Eq, [a, _]) => terms.sort(*a) != Sort::Bool,
            Term::Apply(Operator::Le, _) => true,
            _ => false,
        };
        terms.closure(roots.iter().copied()).into_iter().filter(is_comparison).collect()
    }

    /// A comparison of memories; with a constant, it tells a mode.
    fn add_atom(&mut self, terms: &Terms, atom: TermId) {
        self.add(terms, atom);
        if let Term::Apply(Operator::Eq, [a, b]) = terms.get(atom)
            && (terms.value(*a).is_some() || terms.value(*b).is_some())
            && !self.found.parts.guards.contains(&atom)
        {
            self.found.parts.guards.push(atom);
        }
    }

    /// That a memory has one of its values, where simulation has seen few: it
    /// holds a mode then, whatever its type.
    fn values(&mut self, terms: &mut Terms, samples: &Samples) {
        for var in self.memories.clone() {
            let sort = self.system.variable(var).sort;
            let Some(column @ Column::Int(_)) = samples.column(var) else { continue };
            let mut seen: BTreeSet<Value> = BTreeSet::new();
            for row in 0..samples.len() {
                seen.insert(column.get(row).value(sort));
                if seen.len() > MOST_VALUES {
                    break;
                }
            }
            if !(2..=MOST_VALUES).contains(&seen.len()) {
                continue;
            }
            let var = terms.variable(var, sort);
            for value in seen {
                let value = terms.constant(value);
                let atom = terms.eq(var, value);
                self.add(terms, atom);
                if !self.found.parts.guards.contains(&atom) {
                    self.found.parts.guards.push(atom);
                }
            }
        }
    }

    /// That something of an enumeration has one of its values, or not.
    fn choices(&mut self, terms: &mut Terms) {
        for term in self.found.parts.choices.clone() {
            for atom in value_atoms(terms, term) {
                self.add(terms, atom);
            }
        }
    }

    /// The flows of the program, as far as they depend on what is left of it.
    fn streams(&mut self, terms: &mut Terms, names: bool) {
        // In a large system flows are many and their definitions long.
        if self.system.terms.len() > MOST_FEATURE_TERMS {
            let is_flow = |v: &&Variable| matches!(v.role, Role::Defined(_) | Role::Input);
            self.beyond.flows = self.system.variables.iter().filter(is_flow).count();
            return;
        }
        for (id, variable) in self.system.variables() {
            match variable.role {
                Role::Defined(term) => {
                    let inside = |v: &VarId| self.alive[v.index()];
                    if !self.system.terms.variables([term]).iter().all(inside) {
                        continue;
                    }
                    // Under its own name only if it is more than another name.
                    let later = self.later(terms, term);
                    if !names || terms.var(later).is_some() {
                        self.add(terms, later);
                    } else if terms.value(later).is_none() {
                        self.found.named.push((id, term));
                        let name = terms.variable(id, variable.sort);
                        self.add(terms, name);
                    }
                }
                Role::Input if self.alive[id.index()] => {
                    let term = terms.variable(id, variable.sort);
                    self.add(terms, term);
                }
                _ => {}
            }
        }
    }

    fn constants(&mut self, terms: &Terms, roots: &[TermId]) {
        let all = terms.closure(roots.iter().copied());
        let mut found: Vec<Number> =
            all.into_iter().filter_map(|t| terms.value(t).and_then(Number::of)).collect();
        found.sort_unstable();
        found.dedup();
        self.found.constants = found;
    }
}
