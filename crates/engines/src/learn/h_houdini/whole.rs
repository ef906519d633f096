//! H-Houdini over a whole system.
//!
//! A *target* is something to be shown inductive; first the properties. Its
//! *slice* are the memories that reach it in one step. From the candidates
//! over the slice an *abduct* is found: a smallest set that, with the target,
//! makes the target hold at the next step. Its members are targets in turn;
//! a target that is being shown already may be used, so circles are fine, and
//! all that was gathered is checked as a whole at the end.
//!
//! Where the slice has no abduct, all candidates are tried; where these have
//! none, the counterexample leads to a step that every inductive set of
//! candidates admits, and what fails there, the target among it, is no
//! candidate any more. Whatever was shown with its help is shown anew from
//! those that are left: that is the backtracking, and it ends because
//! candidates only ever go.
//!
//! Targets that wait at the same time are independent: in a large system their
//! abducts are found side by side, and taken over in a fixed order.

use lustral_smt::Fault;
use lustral_system::PropId;
use lustral_term::{TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::abducts::{self, Job, Workers};
use super::super::consecution::Step;
use super::super::learner::Learner;
use super::super::limits::LeftOut;
use super::{Abduction, NAME};
use crate::failure::Failure;
use crate::portfolio::Task;

/// The terms of a candidate that is short.
const SHORT: usize = 12;

/// In a system with fewer terms, starting a thread takes longer than a target.
const SMALL: usize = 2_000;
/// The most targets at once.
const MOST_AT_ONCE: usize = 8;

/// The search over all of a system.
pub(super) struct Whole<'t> {
    learner: Learner<'t>,
    initiated: bool,
    /// By target: its abduct.
    abducts: FxHashMap<TermId, Vec<TermId>>,
    /// By memory: what its next value depends on.
    reach: FxHashMap<VarId, Vec<VarId>>,
    /// How often an abduct had to be found anew.
    backtracks: usize,
    /// Whether targets are looked at side by side, and by whom.
    side_by_side: bool,
    workers: Option<Workers>,
}

impl<'t> Whole<'t> {
    /// A search before its first query; `local` is what was left out of the search before it.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn new(task: &'t Task, local: &LeftOut) -> Result<Whole<'t>, Fault> {
        let learner = Learner::new(task, 1)?;
        let mut left_out = local.clone();
        left_out.add(&learner.left_out());
        left_out.tell(&task.board, NAME);
        let system = &task.system;
        let reach = system.memories.iter();
        let reach = reach.map(|m| (m.var, system.terms.variables([m.next]))).collect();
        Ok(Whole {
            learner,
            initiated: false,
            abducts: FxHashMap::default(),
            reach,
            backtracks: 0,
            side_by_side: task.options.h_houdini.abduction == Abduction::Core
                && system.terms.len() > SMALL,
            workers: None,
        })
    }

    /// One target, or some at once; whether they were the last.
    pub fn round(&mut self) -> Result<bool, Failure> {
        if !self.initiated {
            self.initiated = self.learner.initiation()?;
            return Ok(false);
        }
        let targets = self.learner.targets();
        if targets.is_empty() {
            return Ok(true);
        }
        let mut waiting = self.needed(&targets);
        waiting.retain(|candidate| !self.abducts.contains_key(candidate));
        match &waiting[..] {
            [] => return self.conclude(&targets),
            [_, _, ..] if self.side_by_side => self.find_several(&waiting)?,
            [target, ..] => {
                let job = self.job(*target);
                let step = self.find_one(&job)?;
                self.take_over(*target, step)?;
            }
        }
        Ok(false)
    }

    /// The abducts of some targets, side by side.
    fn find_several(&mut self, waiting: &[TermId]) -> Result<(), Failure> {
        let chosen = &waiting[..waiting.len().min(MOST_AT_ONCE)];
        let jobs = chosen.iter().map(|target| self.job(*target)).collect();
        let task = self.learner.task;
        let workers = self.workers.get_or_insert_with(|| Workers::start(task));
        let found = workers.find(self.learner.terms(), jobs)?;
        for (target, step) in chosen.iter().zip(found) {
            self.take_over(*target, step?)?;
        }
        Ok(())
    }

    /// What was found of a target. What others were found to refute meanwhile
    /// is no part of it.
    fn take_over(&mut self, target: TermId, step: Step) -> Result<(), Failure> {
        let left = self.left();
        match step {
            _ if !left.contains(&target) => {}
            Step::Holds(abduct) => {
                if abduct.iter().all(|part| left.contains(part)) {
                    self.abducts.insert(target, abduct);
                }
            }
            // All that is left was assumed, so it must hold at the next step.
            Step::Fails(counterexample) => {
                self.learner.absorb(&counterexample, 1)?;
                self.forget_what_rests_on_the_refuted();
            }
        }
        Ok(())
    }

    /// What an abduct of a target may be made of. Short candidates make short
    /// proofs; where they are not enough, all of the slice, and where that is
    /// not, all there are.
    fn job(&mut self, target: TermId) -> Job {
        let facts = self.learner.facts();
        let slice = self.mine(target, &facts);
        let is_short = |c: &TermId| self.learner.cost(*c) <= SHORT;
        let short = slice.iter().copied().filter(is_short).collect();
        let mut pools = vec![short, slice, facts.to_vec()];
        for pool in &mut pools {
            pool.retain(|candidate| *candidate != target);
            // What is known already is cheap, then what is short.
            let known = |c: &TermId| self.abducts.contains_key(c);
            pool.sort_by_cached_key(|c| (!known(c), self.learner.cost(*c), *c));
        }
        Job { target, pools }
    }

    /// The targets and all that their abducts rest on, as far as they go.
    fn needed(&self, targets: &[PropId]) -> Vec<TermId> {
        let mut needed: Vec<TermId> = targets.iter().map(|p| self.learner.term(*p)).collect();
        let mut seen: FxHashSet<TermId> = needed.iter().copied().collect();
        let mut next = 0;
        while let Some(candidate) = needed.get(next) {
            next += 1;
            for part in self.abducts.get(candidate).into_iter().flatten() {
                if seen.insert(*part) {
                    needed.push(*part);
                }
            }
        }
        needed
    }

    /// What no row has refuted. A property that preparation has made plainly true
    /// is stated nowhere.
    fn left(&mut self) -> FxHashSet<TermId> {
        self.learner.facts().iter().copied().chain([Terms::TRUE]).collect()
    }

    fn forget_what_rests_on_the_refuted(&mut self) {
        let left = self.left();
        let before = self.abducts.len();
        self.abducts.retain(|target, abduct| {
            left.contains(target) && abduct.iter().all(|part| left.contains(part))
        });
        self.backtracks += before - self.abducts.len();
    }

    /// The candidates over what reaches the target in one step.
    fn mine(&self, target: TermId, facts: &[TermId]) -> Vec<TermId> {
        let terms = self.learner.terms();
        let mut slice: FxHashSet<VarId> = FxHashSet::default();
        for var in terms.variables([target]) {
            slice.extend(self.reach.get(&var).into_iter().flatten());
        }
        let inside = |fact: &&TermId| terms.variables([**fact]).iter().all(|v| slice.contains(v));
        facts.iter().filter(inside).copied().collect()
    }

    /// An abduct of one target, on this thread.
    fn find_one(&mut self, job: &Job) -> Result<Step, Failure> {
        for pool in &job.pools {
            if let Some(core) = self.suggested(job.target, pool)? {
                let learner = &mut self.learner;
                let mut ask = |h: &[TermId], target| learner.consecution(h, &[target]);
                let abduct = abducts::smallest(&mut ask, job.target, pool, core)?;
                return Ok(Step::Holds(abduct));
            }
        }
        let learner = &mut self.learner;
        abducts::find(&mut |h, target| learner.consecution(h, &[target]), job)
    }

    /// An abduct of the other oracle, if it is wanted, finds one, and it is one.
    fn suggested(
        &mut self,
        target: TermId,
        pool: &[TermId],
    ) -> Result<Option<Vec<TermId>>, Failure> {
        if self.learner.task.options.h_houdini.abduction == Abduction::Core {
            return Ok(None);
        }
        let Some(suggested) = self.learner.suggested(target, pool) else { return Ok(None) };
        let hypotheses = [&[target], &suggested[..]].concat();
        Ok(match self.learner.consecution(&hypotheses, &[target])? {
            Step::Holds(core) => Some(core),
            Step::Fails(_) => None,
        })
    }

    /// Checks as a whole what was gathered, and posts it.
    fn conclude(&mut self, targets: &[PropId]) -> Result<bool, Failure> {
        let set = self.needed(targets);
        let (queries, terms) = self.learner.queries();
        tracing::debug!(
            size = set.len(),
            queries,
            terms,
            backtracks = self.backtracks,
            "h-houdini: done"
        );
        match self.learner.consecution(&set, &set)? {
            Step::Holds(_) => self.learner.post(targets, &set, NAME),
            Step::Fails(_) => return Err(Failure::Abducts),
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{Builder, settled};
    use super::*;

    /// y stays 0 because z and w cancel out; for a long time also because x is
    /// small, which is the shorter reason and does not last.
    fn misleading() -> Task {
        let mut builder = Builder::default();
        let (x, y) = (builder.memory(0), builder.memory(0));
        let (z, w) = (builder.memory(0), builder.memory(0));
        let input = builder.input(lustral_term::Sort::Bool);
        let terms = &mut builder.system.terms;
        let (zero, one, far) = (terms.int(0), terms.int(1), terms.int(2000));
        let more = terms.add(&[x, one]);
        let reached = terms.le(far, x);
        let sum = terms.add(&[z, w]);
        let negative = terms.lt(sum, zero);
        let both = terms.and([reached, negative]);
        let broken = terms.ite(both, one, y);
        let (z_up, z_down) = (terms.add(&[z, one]), terms.sub(z, one));
        let (w_up, w_down) = (terms.add(&[w, one]), terms.sub(w, one));
        let (z_next, w_next) = (terms.ite(input, z_up, z_down), terms.ite(input, w_down, w_up));
        let still = terms.eq(y, zero);
        builder.next(x, more);
        builder.next(y, broken);
        builder.next(z, z_next);
        builder.next(w, w_next);
        builder.property(still);
        builder.task()
    }

    fn run(engine: &mut Whole<'_>) {
        while !engine.round().unwrap() {}
    }

    #[test]
    fn a_reason_that_fails_is_replaced() {
        let task = misleading();
        let mut engine = Whole::new(&task, &LeftOut::default()).unwrap();
        run(&mut engine);
        assert!(settled(&task));
        assert!(engine.backtracks >= 2, "{}", engine.backtracks);
    }

    #[test]
    fn targets_side_by_side_give_the_same_in_every_run() {
        let once = || {
            let task = misleading();
            let mut engine = Whole::new(&task, &LeftOut::default()).unwrap();
            engine.side_by_side = true;
            run(&mut engine);
            assert!(settled(&task));
            assert!(engine.workers.is_some());
            let mut found: Vec<(TermId, Vec<TermId>)> = engine.abducts.into_iter().collect();
            found.sort_unstable();
            found
        };
        // In threads of their own, as engines are.
        let run = || std::thread::spawn(once).join().unwrap();
        let first = run();
        (0..3).for_each(|_| assert_eq!(run(), first));
    }

    #[test]
    fn nothing_can_be_left_out_of_an_abduct() {
        let task = misleading();
        let mut engine = Whole::new(&task, &LeftOut::default()).unwrap();
        run(&mut engine);
        assert!(!engine.abducts.is_empty());
        for (target, abduct) in engine.abducts.clone() {
            for i in 0..abduct.len() {
                let mut rest = abduct.clone();
                rest.remove(i);
                rest.push(target);
                let step = engine.learner.consecution(&rest, &[target]).unwrap();
                assert!(matches!(step, Step::Fails(_)), "{target:?} {abduct:?}");
            }
        }
    }
}
