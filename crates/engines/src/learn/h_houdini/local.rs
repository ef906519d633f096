//! H-Houdini where it stays local: each target over the memories that it reads.
//!
//! Whether a target holds after a step depends on the memories that its own memories are made
//! of, and on nothing else; so it is asked in a *part* of the system in which some memories
//! take steps and all others have any value. What holds in a part holds in the system: a part has
//! every step that the system has. So the abducts that are found are right by
//! construction, and are not asked again as a whole; that the proof is one is for the
//! checker to say, as always.
//!
//! A target is first looked at with the few memories that are nearest to it, and all else is cut
//! ([`part`](super::part)); where that does not do, with more of them, and in the end with all that it reads. So what a
//! target takes does not grow with what is behind what it reads.
//!
//! What is not found need not be wrong: a counterexample may use values that the others never
//! have. Then the target is given up, what rests on it is shown anew, and a property that
//! is given up is left to the search over the whole system.

use std::collections::VecDeque;
use std::sync::Arc;

use lustral_system::{Predicate, Proof, PropId};
use lustral_term::{Operator, Term, TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::abducts;
use super::super::consecution::{Case, Consecution, Counterexample, Step};
use super::super::limits::LeftOut;
use super::NAME;
use super::near::nearest;
use super::part::View;
use super::regions::{Regions, Stage};
use crate::board::{Finding, Found};
use crate::failure::Failure;
use crate::portfolio::Task;

/// So many memories take steps in one part of the system, which serves many targets.
const PART: usize = 32;
/// The most memories of a region.
pub(super) const MOST_READ: usize = 24;
/// How many memories are looked at first, and next; and then, with those of them that are a target's own.
const PAIR: usize = 2;
const TRIO: usize = 3;
/// In a system with no more memories than this, what comes after a trio is not far more.
const SMALL: usize = 12;
const FEW_READ: usize = 6;
const FEW_OWN: usize = 4;
/// So many waiting targets are looked at for those that fit into a part.
const WINDOW: usize = 256;

/// With how much of the system a target is looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Level {
    /// With the two memories that are nearest, and the candidates that come first.
    Pair,
    /// With one more: that which feeds two that go together is as near as they are.
    Trio,
    /// With a few memories, and the same.
    Few,
    /// With many.
    Many,
    /// With all that it reads.
    Deep,
}

impl Level {
    const EACH: [Level; 5] = [Level::Pair, Level::Trio, Level::Few, Level::Many, Level::Deep];

    /// How many memories of a target are looked at, and with those that these read.
    fn most(self) -> (usize, usize) {
        match self {
            Level::Pair => (PAIR, PAIR),
            Level::Trio => (TRIO, TRIO),
            Level::Few => (FEW_OWN, FEW_READ),
            _ => (MOST_READ, MOST_READ),
        }
    }

    fn stages(self) -> &'static [Stage] {
        if self <= Level::Few { &Stage::FEW } else { &Stage::EACH }
    }
}

/// The search.
pub(super) struct Local<'t> {
    task: &'t Task,
    regions: Regions<'t>,
    /// By memory: its next value, and the memories that it is made of, where somebody asked.
    next: FxHashMap<VarId, TermId>,
    reads: FxHashMap<VarId, Vec<VarId>>,
    /// By target: how it is looked at next, if not with a few memories.
    levels: FxHashMap<TermId, Level>,
    regions_of: FxHashMap<(TermId, Level), Arc<[VarId]>>,
    /// The properties that are looked for, each with its term.
    properties: Vec<(PropId, TermId)>,
    /// The terms of those that are not given up.
    wanted: FxHashSet<TermId>,
    /// By target: its abduct.
    abducts: FxHashMap<TermId, Vec<TermId>>,
    /// By candidate: the targets that had it in an abduct.
    users: FxHashMap<TermId, Vec<TermId>>,
    refuted: FxHashSet<TermId>,
    /// Whether there is no more to look at than what is looked at after that.
    is_small: bool,
    /// How many targets were given up of which more memories are read than were looked at.
    narrow: usize,
    waiting: [VecDeque<TermId>; Level::EACH.len()],
}

impl<'t> Local<'t> {
    /// A search before its first query.
    pub fn new(task: &'t Task) -> Local<'t> {
        let system = &task.system;
        let open = task.board.open().into_iter();
        let properties: Vec<(PropId, TermId)> =
            open.map(|p| (p, system.property(p).term)).collect();
        let mut waiting: [VecDeque<TermId>; Level::EACH.len()] = Default::default();
        waiting[Level::Pair as usize].extend(properties.iter().map(|(_, term)| *term));
        Local {
            task,
            regions: Regions::new(task),
            next: system.memories.iter().map(|m| (m.var, m.next)).collect(),
            reads: FxHashMap::default(),
            levels: FxHashMap::default(),
            regions_of: FxHashMap::default(),
            waiting,
            wanted: properties.iter().map(|(_, term)| *term).collect(),
            properties,
            abducts: FxHashMap::default(),
            users: FxHashMap::default(),
            refuted: FxHashSet::default(),
            is_small: system.memories.len() <= SMALL,
            narrow: 0,
        }
    }

    /// What the limits leave out.
    pub fn left_out(&self) -> LeftOut {
        let mut left_out = LeftOut::default();
        let given_up = self.refuted.len();
        let what = "facts that were given up had candidates about all that they read";
        left_out.note(what, given_up.saturating_sub(self.narrow), given_up);
        left_out
    }

    /// The targets in one part of the system; whether there are no more.
    pub fn round(&mut self) -> Result<bool, Failure> {
        self.split();
        let waiting =
            Level::EACH.into_iter().find(|level| !self.waiting[*level as usize].is_empty());
        let Some(level) = waiting else {
            self.conclude();
            return Ok(true);
        };
        let (members, targets) = self.members(level);
        let deep = level == Level::Deep;
        let (part, mut view) = View::new(self.task, self.regions.source(), members, &targets, deep);
        let mut base = Consecution::new(&part, Case::Initiation(0))?;
        let mut step = Consecution::new(&part, Case::Induction(1))?;
        let mut others = Vec::new();
        while let Some(target) = self.next(level, &view, &mut others) {
            if view.local(self.regions.source(), target).is_none() {
                others.push(target);
                continue;
            }
            let source = self.regions.source();
            let (failed, at) = match view.ask(source, &mut base, &[], target)? {
                Step::Fails(counterexample) => (counterexample, 0),
                Step::Holds(_) => match self.abduct(&mut view, &mut step, target, level)? {
                    Step::Holds(abduct) => {
                        self.accept(target, abduct);
                        continue;
                    }
                    Step::Fails(counterexample) => (counterexample, 1),
                },
            };
            match level {
                Level::Pair if self.is_small => self.look_again(target, Level::Few),
                Level::Pair => self.look_again(target, Level::Trio),
                Level::Trio => self.look_again(target, Level::Few),
                Level::Few => self.look_again(target, Level::Many),
                // Where nothing was cut, no more is to be seen.
                Level::Many if view.is_cut => self.look_again(target, Level::Deep),
                _ => self.refute(target, &failed, at, &part, &view),
            }
            if self.wanted.is_empty() {
                return Ok(true);
            }
        }
        self.waiting[level as usize].extend(others);
        Ok(false)
    }

    fn look_again(&mut self, target: TermId, level: Level) {
        self.levels.insert(target, level);
        self.wait(target);
    }

    fn wait(&mut self, target: TermId) {
        let level = self.levels.get(&target).copied().unwrap_or(Level::Pair);
        self.waiting[level as usize].push_back(target);
    }

    /// The next target that a part of the system can tell of. The others wait for another.
    fn next(&mut self, level: Level, view: &View, others: &mut Vec<TermId>) -> Option<TermId> {
        while others.len() < WINDOW {
            let target = self.waiting[level as usize].pop_front()?;
            let is_done = self.refuted.contains(&target) || self.abducts.contains_key(&target);
            if is_done || !self.is_wanted(target) {
                continue;
            }
            let is_conjunction = self.conjuncts(target).is_some();
            if !is_conjunction && view.has(&self.read(target, level)) {
                return Some(target);
            }
            others.push(target);
        }
        None
    }

    /// The memories that a part needs for a target.
    fn read(&mut self, target: TermId, level: Level) -> Arc<[VarId]> {
        let region = self.region(target, level);
        if level < Level::Deep {
            return region;
        }
        let own = self.regions.memories_of(target);
        region.iter().copied().chain(own).collect()
    }

    /// Whether something rests on a target.
    fn is_wanted(&self, target: TermId) -> bool {
        let uses = |user: &TermId| self.abducts.get(user).is_some_and(|a| a.contains(&target));
        self.wanted.contains(&target)
            || self.users.get(&target).is_some_and(|users| users.iter().any(uses))
    }

    /// The memories that take steps in the next part, and targets that it is made for: the one that
    /// waits longest, and others as long as there is room. Where it is looked at with all that it
    /// reads: those around it, which serve the targets after it.
    fn members(&mut self, level: Level) -> (FxHashSet<VarId>, Vec<TermId>) {
        let waiting: Vec<TermId> =
            self.waiting[level as usize].iter().take(PART).copied().collect();
        let (mut members, mut targets): (FxHashSet<VarId>, _) = (FxHashSet::default(), Vec::new());
        for target in waiting {
            let region = self.read(target, level);
            let more = region.iter().filter(|var| !members.contains(var)).count();
            if targets.is_empty() || members.len() + more <= PART {
                members.extend(region.iter());
                targets.push(target);
            }
        }
        if level == Level::Deep {
            let mut list: Vec<VarId> = members.iter().copied().collect();
            list.sort_unstable();
            let mut next = 0;
            while next < list.len() && list.len() < PART {
                list.extend(self.reads(list[next]).into_iter().filter(|var| members.insert(*var)));
                next += 1;
            }
        }
        members.extend(self.regions.first());
        (members, targets)
    }

    /// The memories that the next value of one is made of.
    fn reads(&mut self, memory: VarId) -> Vec<VarId> {
        if let Some(known) = self.reads.get(&memory) {
            return known.clone();
        }
        let next = self.next.get(&memory).copied();
        let list = next.map_or(Vec::new(), |next| self.regions.memories_of(next));
        self.reads.insert(memory, list.clone());
        list
    }

    /// Puts what they say in place of the targets that say several things.
    fn split(&mut self) {
        // None that says several things is looked at with more memories.
        let mut pending = std::mem::take(&mut self.waiting[0]);
        let mut single = VecDeque::new();
        while let Some(target) = pending.pop_front() {
            match self.conjuncts(target) {
                Some(parts) if !self.refuted.contains(&target) => {
                    self.accept(target, parts);
                    pending.append(&mut self.waiting[0]);
                }
                Some(_) => {}
                None => single.push_back(target),
            }
        }
        self.waiting[0] = single;
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
    fn abduct(
        &mut self,
        view: &mut View,
        step: &mut Consecution<'_>,
        target: TermId,
        level: Level,
    ) -> Result<Step, Failure> {
        let memories = self.region(target, level);
        let mut pool: Vec<TermId> = Vec::new();
        let mut last = None;
        for stage in level.stages() {
            let mut more = self.regions.facts(*stage, &memories);
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
            let source = self.regions.source();
            match view.ask(source, step, &hypotheses, target)? {
                Step::Holds(core) => {
                    let mut ask = |h: &[TermId], target| view.ask(source, step, h, target);
                    return Ok(Step::Holds(abducts::smallest(&mut ask, target, &pool, core)?));
                }
                fails @ Step::Fails(_) => last = Some(fails),
            }
        }
        last.ok_or(Failure::NoCandidates)
    }

    /// The memories that are nearest to a target, and those that are nearest to what these are at the
    /// next step.
    fn region(&mut self, target: TermId, level: Level) -> Arc<[VarId]> {
        if let Some(known) = self.regions_of.get(&(target, level)) {
            return known.clone();
        }
        let (own, most) = level.most();
        let near = self.regions.source().near;
        let mut list: Vec<VarId> = near.of(target).iter().take(own).map(|(_, var)| *var).collect();
        let nexts = list.iter().filter_map(|var| self.next.get(var));
        let read = nexts.flat_map(|next| near.of(*next)).copied().collect();
        for (_, var) in nearest(read, 2 * most) {
            if list.len() < most && !list.contains(&var) {
                list.push(var);
            }
        }
        list.sort_unstable();
        let region: Arc<[VarId]> = list.into();
        self.regions_of.insert((target, level), region.clone());
        region
    }

    fn accept(&mut self, target: TermId, abduct: Vec<TermId>) {
        for part in &abduct {
            self.users.entry(*part).or_default().push(target);
            if !self.abducts.contains_key(part) && !self.refuted.contains(part) {
                self.wait(*part);
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
                self.wait(target);
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
        part: &Task,
        view: &View,
    ) {
        let read = self.region(target, Level::Many).len();
        self.narrow += usize::from(read >= MOST_READ);
        let value = |var: VarId| view.value(part, counterexample, step, var);
        self.regions.weaken(target, counterexample.answers(), value);
        self.give_up(target);
    }

    /// All that a target says, one by one, if it says several things.
    fn said(&mut self, target: TermId) -> FxHashSet<TermId> {
        let mut said = FxHashSet::default();
        let mut pending = vec![target];
        while let Some(term) = pending.pop() {
            for part in self.conjuncts(term).unwrap_or_default() {
                if said.insert(part) {
                    pending.push(part);
                }
            }
        }
        said
    }

    /// Settles the properties that were shown, each by what it rests on. What a property says is not
    /// repeated part by part: of flows that feed each other each part has all that is before it.
    fn conclude(&mut self) {
        let said: Vec<FxHashSet<TermId>> =
            self.properties.clone().into_iter().map(|(_, term)| self.said(term)).collect();
        let terms = Arc::new(self.regions.terms.clone());
        let predicate = |term: &TermId| Predicate { terms: terms.clone(), term: *term };
        for ((property, term), said) in self.properties.iter().zip(&said) {
            if self.refuted.contains(term) {
                continue;
            }
            let typing = self.task.system.typing.iter().copied();
            let facts = self.rests_on(*term).into_iter().chain(typing);
            let facts: Vec<TermId> =
                facts.filter(|fact| fact != term && !said.contains(fact)).collect();
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
mod tests;
