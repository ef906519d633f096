//! H-Houdini where it stays local: each target over the memories that it reads.
//!
//! Whether a target holds after a step depends on the memories that its own memories are made
//! of, and on nothing else; so it is asked in a *part* of the system in which some memories
//! take steps and all others have any value. What holds in a part holds in the system: a part has
//! every step that the system has. So the abducts that are found are right by
//! construction, and are not asked again as a whole; that the proof is one is for the
//! checker to say, as always.
//!
//! What is not found need not be wrong: a counterexample may use values that the others never
//! have. Then the target is given up, what rests on it is shown anew, and a property that
//! is given up is left to the search over the whole system.

use std::collections::VecDeque;
use std::sync::Arc;

use lustral_system::{Predicate, Proof, PropId, Role};
use lustral_term::{Operator, Term, TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::abducts;
use super::super::consecution::{Case, Consecution, Counterexample, Step};
use super::NAME;
use super::regions::{Regions, Stage};
use crate::board::{Finding, Found};
use crate::failure::Failure;
use crate::portfolio::Task;

/// So many memories take steps in one part of the system, which serves many targets.
const PART: usize = 32;
/// The most memories of a region.
const MOST_READ: usize = 24;

/// The search.
pub(super) struct Local<'t> {
    task: &'t Task,
    regions: Regions<'t>,
    /// By memory: the memories that its next value is made of.
    reads: FxHashMap<VarId, Vec<VarId>>,
    /// The properties that are looked for, each with its term.
    properties: Vec<(PropId, TermId)>,
    /// The terms of those that are not given up.
    wanted: FxHashSet<TermId>,
    /// By target: its abduct.
    abducts: FxHashMap<TermId, Vec<TermId>>,
    /// By candidate: the targets that had it in an abduct.
    users: FxHashMap<TermId, Vec<TermId>>,
    refuted: FxHashSet<TermId>,
    waiting: VecDeque<TermId>,
}

impl<'t> Local<'t> {
    /// A search before its first query.
    pub fn new(task: &'t Task) -> Local<'t> {
        let system = &task.system;
        let is_memory = |v: &VarId| system.variable(*v).role == Role::Memory;
        let read = |term| system.terms.variables([term]).into_iter().filter(is_memory).collect();
        let open = task.board.open().into_iter();
        let properties: Vec<(PropId, TermId)> =
            open.map(|p| (p, system.property(p).term)).collect();
        Local {
            task,
            regions: Regions::new(task),
            reads: system.memories.iter().map(|m| (m.var, read(m.next))).collect(),
            waiting: properties.iter().map(|(_, term)| *term).collect(),
            wanted: properties.iter().map(|(_, term)| *term).collect(),
            properties,
            abducts: FxHashMap::default(),
            users: FxHashMap::default(),
            refuted: FxHashSet::default(),
        }
    }

    /// The targets in one part of the system; whether there are no more.
    pub fn round(&mut self) -> Result<bool, Failure> {
        self.split();
        let Some(target) = self.waiting.front().copied() else {
            self.conclude();
            return Ok(true);
        };
        let members = self.members(target);
        let part = self.part(&members);
        let mut base = Consecution::new(&part, Case::Initiation(0))?;
        let mut step = Consecution::new(&part, Case::Induction(1))?;
        let mut others = Vec::new();
        while let Some(target) = self.next(&members, &mut others) {
            match base.ask(&self.regions.terms, &[], &[target])? {
                Step::Fails(counterexample) => self.refute(target, &counterexample, 0, &members),
                Step::Holds(_) => match self.abduct(&mut step, target)? {
                    Step::Holds(abduct) => self.accept(target, abduct),
                    Step::Fails(counterexample) => {
                        self.refute(target, &counterexample, 1, &members);
                    }
                },
            }
            if self.wanted.is_empty() {
                return Ok(true);
            }
        }
        self.waiting.extend(others);
        Ok(false)
    }

    /// The next target that a part of the system can tell of. The others wait for another.
    fn next(&mut self, members: &FxHashSet<VarId>, others: &mut Vec<TermId>) -> Option<TermId> {
        while let Some(target) = self.waiting.pop_front() {
            let is_done = self.refuted.contains(&target) || self.abducts.contains_key(&target);
            if is_done || !self.is_wanted(target) {
                continue;
            }
            let is_conjunction = self.conjuncts(target).is_some();
            let mut memories = self.regions.memories_of(target).into_iter();
            if !is_conjunction && memories.all(|v| members.contains(&v)) {
                return Some(target);
            }
            others.push(target);
        }
        None
    }

    /// Whether something rests on a target.
    fn is_wanted(&self, target: TermId) -> bool {
        let uses = |user: &TermId| self.abducts.get(user).is_some_and(|a| a.contains(&target));
        self.wanted.contains(&target)
            || self.users.get(&target).is_some_and(|users| users.iter().any(uses))
    }

    /// The memories that take steps in the part for a target: its own, and those around it,
    /// which serve the targets after it.
    fn members(&self, target: TermId) -> FxHashSet<VarId> {
        let mut list = self.regions.memories_of(target);
        let mut members: FxHashSet<VarId> = list.iter().copied().collect();
        let mut next = 0;
        while next < list.len() && list.len() < PART {
            for var in self.reads.get(&list[next]).into_iter().flatten() {
                if members.insert(*var) {
                    list.push(*var);
                }
            }
            next += 1;
        }
        members.extend(self.regions.first());
        members
    }

    /// The part of the system in which only some memories take steps.
    fn part(&self, members: &FxHashSet<VarId>) -> Task {
        let mut system = (*self.task.system).clone();
        let read = members.iter().filter_map(|var| self.reads.get(var)).flatten();
        let near: FxHashSet<VarId> = members.iter().chain(read).copied().collect();
        system.change(|system| {
            system.memories.retain(|memory| members.contains(&memory.var));
            for (id, variable) in system.variables.iter_mut().enumerate() {
                if variable.role == Role::Memory && !members.contains(&VarId(id as u32)) {
                    variable.role = Role::Input;
                }
            }
            system.properties.clear();
            system.candidates.clear();
            let terms = &system.terms;
            let about = |term| terms.variables([term]);
            system.constraints.retain(|c| about(c.term).iter().any(|v| near.contains(v)));
            system.typing.retain(|t| about(*t).iter().all(|v| near.contains(v)));
        });
        Task { system: Arc::new(system), ..self.task.clone() }
    }

    /// Puts what they say in place of the targets that say several things.
    fn split(&mut self) {
        let mut single = VecDeque::new();
        while let Some(target) = self.waiting.pop_front() {
            match self.conjuncts(target) {
                Some(parts) if !self.refuted.contains(&target) => self.accept(target, parts),
                Some(_) => {}
                None => single.push_back(target),
            }
        }
        self.waiting = single;
    }

    /// A target that says several things says each of them.
    fn conjuncts(&mut self, target: TermId) -> Option<Vec<TermId>> {
        let terms = &mut self.regions.terms;
        let (inner, others) = match terms.get(target) {
            Term::Apply(Operator::And, _) => (target, Vec::new()),
            Term::Apply(Operator::Or, list) => {
                let is_and = |t: &TermId| matches!(terms.get(*t), Term::Apply(Operator::And, _));
                let list = list.to_vec();
                let at = list.iter().position(is_and)?;
                (list[at], [&list[..at], &list[at + 1..]].concat())
            }
            _ => return None,
        };
        let Term::Apply(_, parts) = terms.get(inner) else { return None };
        let parts = parts.to_vec();
        let mut each = |part| terms.or(others.iter().copied().chain([part]));
        Some(parts.into_iter().map(&mut each).collect())
    }

    /// A smallest abduct of a target, of as few kinds of candidates as will do; or a step
    /// that shows that there is none.
    fn abduct(&mut self, step: &mut Consecution<'_>, target: TermId) -> Result<Step, Failure> {
        let memories = self.region(target);
        let mut pool: Vec<TermId> = Vec::new();
        let mut last = None;
        for stage in Stage::EACH {
            let mut more = self.regions.facts(stage, &memories);
            more.retain(|f| *f != target && !self.refuted.contains(f) && !pool.contains(f));
            if more.is_empty() && last.is_some() {
                continue;
            }
            // What is being shown already is cheap, then what is short.
            let known = |f: &TermId| self.users.contains_key(f);
            let terms = &self.regions.terms;
            more.sort_by_cached_key(|f| (!known(f), terms.closure([*f]).len(), *f));
            pool.append(&mut more);
            let hypotheses = [&[target], &pool[..]].concat();
            match step.ask(terms, &hypotheses, &[target])? {
                Step::Holds(core) => {
                    let mut ask = |h: &[TermId], target| step.ask(terms, h, &[target]);
                    return Ok(Step::Holds(abducts::smallest(&mut ask, target, &pool, core)?));
                }
                fails @ Step::Fails(_) => last = Some(fails),
            }
        }
        last.ok_or(Failure::NoCandidates)
    }

    /// The memories that a target reads in a step, and its own: those that are nearest.
    fn region(&self, target: TermId) -> Vec<VarId> {
        let mut list = self.regions.memories_of(target);
        for at in 0..list.len() {
            for var in self.reads.get(&list[at]).into_iter().flatten() {
                if Some(*var) != self.regions.first() && !list.contains(var) {
                    list.push(*var);
                }
            }
        }
        if list.len() > MOST_READ {
            tracing::debug!(read = list.len(), most = MOST_READ, "h-houdini: a region is cut");
            list.truncate(MOST_READ);
        }
        list.sort_unstable();
        list
    }

    fn accept(&mut self, target: TermId, abduct: Vec<TermId>) {
        for part in &abduct {
            self.users.entry(*part).or_default().push(target);
            if !self.abducts.contains_key(part) && !self.refuted.contains(part) {
                self.waiting.push_back(*part);
            }
        }
        self.abducts.insert(target, abduct);
        // A part that was given up before cannot be used.
        self.forget_if_refuted(target);
    }

    fn forget_if_refuted(&mut self, target: TermId) {
        let refuted = &self.refuted;
        let abduct = self.abducts.get(&target);
        if abduct.is_some_and(|abduct| abduct.iter().any(|part| refuted.contains(part))) {
            self.abducts.remove(&target);
            // Nothing else says what a conjunction says.
            if self.conjuncts(target).is_some() {
                self.give_up(target);
            } else {
                self.waiting.push_back(target);
            }
        }
    }

    /// A target is no candidate any more; what rests on it is shown anew.
    fn give_up(&mut self, target: TermId) {
        self.refuted.insert(target);
        self.wanted.remove(&target);
        self.abducts.remove(&target);
        for user in self.users.remove(&target).unwrap_or_default() {
            self.forget_if_refuted(user);
        }
    }

    fn refute(
        &mut self,
        target: TermId,
        counterexample: &Counterexample,
        step: usize,
        members: &FxHashSet<VarId>,
    ) {
        let system = &self.task.system;
        let value =
            |var: VarId| members.contains(&var).then(|| counterexample.value(step, var, system));
        self.regions.weaken(target, counterexample.answers(), value);
        self.give_up(target);
    }

    /// Settles the properties that were shown, each by what it rests on.
    fn conclude(&mut self) {
        let terms = Arc::new(self.regions.terms.clone());
        let predicate = |term: &TermId| Predicate { terms: terms.clone(), term: *term };
        for (property, term) in &self.properties {
            if self.refuted.contains(term) {
                continue;
            }
            let typing = self.task.system.typing.iter().copied();
            let facts = self.rests_on(*term).into_iter().chain(typing);
            let facts: Vec<TermId> = facts.filter(|fact| fact != term).collect();
            tracing::debug!(size = facts.len(), "h-houdini: done locally");
            let proof = Proof::Induction {
                k: 1,
                properties: vec![*property],
                invariants: facts.iter().map(predicate).collect(),
                compression: None,
            };
            let found = Found::Proof(proof);
            self.task.board.settle(Finding { property: *property, found, engine: NAME });
        }
    }

    /// A target, and all that its abduct rests on.
    fn rests_on(&self, target: TermId) -> Vec<TermId> {
        let mut list = vec![target];
        let mut seen: FxHashSet<TermId> = list.iter().copied().collect();
        let mut next = 0;
        while let Some(at) = list.get(next) {
            let abduct = self.abducts.get(at).into_iter().flatten();
            list.extend(abduct.copied().filter(|part| seen.insert(*part)).collect::<Vec<_>>());
            next += 1;
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{Builder, settled};
    use super::*;
    use lustral_term::{Sort, Terms};

    /// Cells in a row: two counters that go together as long as those of the cell before do.
    fn chain(cells: usize, together: bool) -> Task {
        let mut builder = Builder::default();
        let mut before: Option<(TermId, TermId)> = None;
        let mut all = Vec::new();
        for cell in 0..cells {
            let (x, y) = (builder.memory(0), builder.memory(0));
            let tick = builder.input(Sort::Bool);
            let terms = &mut builder.system.terms;
            let (zero, one, two) = (terms.int(0), terms.int(1), terms.int(2));
            let fine = before.map_or(Terms::TRUE, |(x, y)| terms.eq(x, y));
            // The last of a chain that comes apart does not look at the one before.
            let fine = if together || cell + 1 < cells { fine } else { tick };
            let faster = terms.ite(fine, one, two);
            let (more, less) = (terms.ite(tick, faster, zero), terms.ite(tick, one, zero));
            let (x_next, y_next) = (terms.add(&[x, more]), terms.add(&[y, less]));
            let y_next = if together || cell + 1 < cells { y_next } else { y };
            all.push(terms.eq(x, y));
            builder.next(x, x_next);
            builder.next(y, y_next);
            before = Some((x, y));
        }
        let property = builder.system.terms.and(all);
        builder.property(property);
        builder.task()
    }

    fn run(search: &mut Local<'_>) {
        while !search.round().unwrap() {}
    }

    /// What is found is found in parts, and holds in the whole.
    #[test]
    fn abducts_of_parts_are_abducts_of_the_whole() {
        let task = chain(60, true);
        let mut search = Local::new(&task);
        run(&mut search);
        assert!(settled(&task));
        let property = task.system.properties[0].term;
        let mut step = Consecution::new(&task, Case::Induction(1)).unwrap();
        for (target, abduct) in &search.abducts {
            assert!(*target == property || abduct.len() < 4, "{abduct:?}");
            let hypotheses = [&[*target], &abduct[..]].concat();
            // A conjunction follows from its parts at the same step.
            if *target != property {
                let found = step.ask(&search.regions.terms, &hypotheses, &[*target]).unwrap();
                assert!(matches!(found, Step::Holds(_)), "{target:?}");
            }
        }
    }

    /// A property that is false is given up, and nothing is said of it.
    #[test]
    fn what_is_false_is_given_up() {
        let task = chain(20, false);
        let mut search = Local::new(&task);
        run(&mut search);
        assert!(!settled(&task));
        assert!(search.wanted.is_empty());
    }
}
