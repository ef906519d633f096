//! A part of a system: some memories take steps, and all else has any value.
//!
//! What does not mention them is cut: a term about other memories becomes an input, the same wherever
//! the term occurs. So a part has every step that the system has, whatever is cut, and it is as
//! small as what is near to its memories, whatever they read in the end. It has an arena
//! and variables of its own.

use std::sync::Arc;

use lustral_system::{Inlined, Memory, Origin, Role, TransitionSystem, Variable};
use lustral_term::{TermId, Terms, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::consecution::{Consecution, Counterexample, Step};
use super::near::Near;
use crate::failure::Failure;
use crate::portfolio::Task;

/// What parts are made of.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub system: &'a Inlined,
    /// The arena of all candidates, which begins with the terms of the system.
    pub terms: &'a Terms,
    pub near: &'a Near,
    pub index: &'a Index,
}

/// Where facts that hold at each step are found, by what they are about.
pub(super) struct Index {
    memories: FxHashMap<VarId, usize>,
    typing: FxHashMap<VarId, Vec<TermId>>,
    /// By memory that is near, or by input if there is none.
    constraints: FxHashMap<VarId, Vec<usize>>,
}

impl Index {
    pub fn new(system: &Inlined, near: &Near) -> Index {
        let memories = system.memories.iter().enumerate().map(|(i, m)| (m.var, i)).collect();
        let mut typing: FxHashMap<VarId, Vec<TermId>> = FxHashMap::default();
        for fact in &system.typing {
            // One about many memories is of little use to a part.
            if let Some((_, var)) = near.of(*fact).first() {
                typing.entry(*var).or_default().push(*fact);
            }
        }
        let mut constraints: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
        for (at, constraint) in system.constraints.iter().enumerate() {
            let mut about: Vec<VarId> = near.of(constraint.term).iter().map(|(_, v)| *v).collect();
            if about.is_empty() {
                let is_free =
                    |v: &VarId| matches!(system.variable(*v).role, Role::Input | Role::Choice);
                about = system.terms.variables([constraint.term]);
                about.retain(is_free);
            }
            about.into_iter().for_each(|var| constraints.entry(var).or_default().push(at));
        }
        Index { memories, typing, constraints }
    }
}

/// A part as it is seen from the whole.
pub(super) struct View {
    /// The memories that take steps.
    members: FxHashSet<VarId>,
    /// Whether only other memories are cut, and no terms above them.
    deep: bool,
    /// The arena of what is asked of the part.
    terms: Terms,
    /// By term of the whole: what it is here; and the other way around.
    local: FxHashMap<TermId, TermId>,
    whole: FxHashMap<TermId, TermId>,
    /// By variable of the whole: what it is here.
    variables: FxHashMap<VarId, VarId>,
    /// The variables of the part, until it is made.
    made: Option<Vec<Variable>>,
    /// Whether a term that is no variable was cut.
    pub is_cut: bool,
}

impl View {
    /// The part in which some memories take steps, and of which some targets are asked; `deep` says
    /// that it has all that these read.
    pub fn new(
        task: &Task,
        source: Source<'_>,
        members: FxHashSet<VarId>,
        targets: &[TermId],
        deep: bool,
    ) -> (Task, View) {
        let mut view = View {
            members,
            deep,
            terms: Terms::new(),
            local: FxHashMap::default(),
            whole: FxHashMap::default(),
            variables: FxHashMap::default(),
            made: Some(Vec::new()),
            is_cut: false,
        };
        let system = Inlined::new(&view.system(source, targets));
        view.made = None;
        (Task { system: Arc::new(system), ..task.clone() }, view)
    }

    fn system(&mut self, source: Source<'_>, targets: &[TermId]) -> TransitionSystem {
        let Source { system, index, .. } = source;
        let mut order: Vec<usize> =
            self.members.iter().filter_map(|var| index.memories.get(var).copied()).collect();
        order.sort_unstable();
        let mut memories = Vec::new();
        for Memory { var, initial, next } in order.into_iter().map(|at| &system.memories[at]) {
            // While variables are made there is a term for everything.
            let Some(next) = self.local(source, *next) else { continue };
            let var = self.variable(system, *var);
            memories.push(Memory { var, initial: initial.clone(), next });
        }
        for target in targets {
            self.local(source, *target);
        }
        let mut known: Vec<VarId> = self.variables.keys().copied().collect();
        known.sort_unstable();
        let mut at: Vec<usize> =
            known.iter().filter_map(|var| index.constraints.get(var)).flatten().copied().collect();
        at.sort_unstable();
        at.dedup();
        let mut constraints = Vec::new();
        for mut constraint in at.into_iter().map(|at| system.constraints[at].clone()) {
            if let Some(term) = self.local(source, constraint.term) {
                constraint.term = term;
                constraints.push(constraint);
            }
        }
        let mut typing = Vec::new();
        for fact in known.iter().filter_map(|var| index.typing.get(var)).flatten() {
            let is_known = |var: VarId| self.variables.contains_key(&var);
            if source.near.all(*fact).is_some_and(|mut all| all.all(is_known)) {
                typing.extend(self.local(source, *fact));
            }
        }
        TransitionSystem {
            terms: self.terms.clone(),
            variables: self.made.clone().unwrap_or_default(),
            memories,
            constraints,
            typing,
            enumerations: system.enumerations.clone(),
            ..TransitionSystem::default()
        }
    }

    /// What a term of the whole is here; nothing if it needs a variable that the part does not have.
    pub fn local(&mut self, source: Source<'_>, root: TermId) -> Option<TermId> {
        let mut pending = vec![root];
        while let Some(term) = pending.last().copied() {
            if self.local.contains_key(&term) {
                pending.pop();
                continue;
            }
            if self.is_outside(source, term) {
                let here = self.stands_for(source, term)?;
                self.local.insert(term, here);
                continue;
            }
            let definition = source.terms.var(term).map(|var| source.system.variable(var).role);
            let below = match &definition {
                Some(Role::Defined(definition)) => std::slice::from_ref(definition),
                _ => source.terms.operands(term),
            };
            let before = pending.len();
            pending.extend(below.iter().filter(|t| !self.local.contains_key(t)));
            if pending.len() == before {
                let here = match definition {
                    Some(Role::Defined(definition)) => self.local[&definition],
                    Some(_) => self.stands_for(source, term)?,
                    None => {
                        self.terms.rebuild(source.terms.get(term), |operand| self.local[&operand])
                    }
                };
                self.local.insert(term, here);
            }
        }
        let here = self.local[&root];
        self.whole.entry(here).or_insert(root);
        Some(here)
    }

    /// Whether a term is about memories, but none that take steps here.
    fn is_outside(&self, source: Source<'_>, term: TermId) -> bool {
        if self.deep && source.terms.var(term).is_none() {
            return false;
        }
        let near = source.near.of(term);
        !near.is_empty() && !near.iter().any(|(_, var)| self.members.contains(var))
    }

    /// The variable for a variable, or for a term that is cut.
    fn stands_for(&mut self, source: Source<'_>, term: TermId) -> Option<TermId> {
        let sort = source.terms.sort(term);
        let known = source.terms.var(term).and_then(|var| self.variables.get(&var).copied());
        let here = match (known, source.terms.var(term)) {
            (Some(known), _) => known,
            _ if self.made.is_none() => return None,
            (None, Some(var)) => self.variable(source.system, var),
            (None, None) => {
                self.is_cut = true;
                let name = "cut".into();
                let (role, origin) = (Role::Input, Origin::Auxiliary);
                self.add(Variable { name, sort, role, range: None, origin })
            }
        };
        Some(self.terms.variable(here, sort))
    }

    fn variable(&mut self, system: &Inlined, var: VarId) -> VarId {
        if let Some(known) = self.variables.get(&var) {
            return *known;
        }
        let mut variable = system.variable(var).clone();
        let is_free = match variable.role {
            Role::Input | Role::Choice => false,
            Role::Memory => !self.members.contains(&var),
            // A flow whose definition is cut has any value, of its range or not.
            Role::Defined(_) => true,
        };
        if is_free {
            (variable.role, variable.range) = (Role::Input, None);
        }
        let here = self.add(variable);
        self.variables.insert(var, here);
        here
    }

    fn add(&mut self, variable: Variable) -> VarId {
        let made = self.made.get_or_insert_default();
        made.push(variable);
        VarId(made.len() as u32 - 1)
    }

    /// Whether hypotheses make a target hold at the next step. What cannot be said here is left out.
    pub fn ask(
        &mut self,
        source: Source<'_>,
        session: &mut Consecution<'_>,
        hypotheses: &[TermId],
        target: TermId,
    ) -> Result<Step, Failure> {
        let Some(goal) = self.local(source, target) else { return Err(Failure::NoCandidates) };
        let hypotheses: Vec<TermId> =
            hypotheses.iter().filter_map(|h| self.local(source, *h)).collect();
        Ok(match session.ask(&self.terms, &hypotheses, &[goal])? {
            Step::Holds(core) => {
                Step::Holds(core.iter().filter_map(|h| self.whole.get(h).copied()).collect())
            }
            fails @ Step::Fails(_) => fails,
        })
    }

    /// The value of a memory that takes steps here.
    pub fn value(
        &self,
        task: &Task,
        counterexample: &Counterexample,
        step: usize,
        var: VarId,
    ) -> Option<Value> {
        let here = self.members.contains(&var).then(|| self.variables.get(&var))??;
        Some(counterexample.value(step, *here, &task.system))
    }

    /// Whether all of some memories take steps here.
    pub fn has(&self, memories: &[VarId]) -> bool {
        memories.iter().all(|var| self.members.contains(var))
    }

    /// What a variable of the whole is here.
    pub fn here(&self, var: VarId) -> Option<VarId> {
        self.variables.get(&var).copied()
    }
}
