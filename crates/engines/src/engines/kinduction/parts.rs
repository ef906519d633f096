//! Induction over parts of the system, where the common step case is too much for the solver.
//!
//! The common step case has the whole system in it: a hypothesis brings along all that it is
//! about, and a constraint too. Where there is no answer to it in time, the properties that depend
//! on the same memories are taken by themselves, in a *part* of the system: nothing else takes
//! steps, other memories have any value, and constraints that mention them are left out. Every step
//! of the system is one of the part, so what is inductive in the part is so in the system.
//! The converse fails: what speaks against a property in a part may be no step of the system, and
//! nobody hears of it.
//!
//! Paths that repeat a state are not left out here: which state that is depends on all constraints.

use std::sync::Arc;
use std::time::Duration;

use lustral_base::schedule::Moment;
use lustral_smt::NoAnswer;
use lustral_system::{PropId, Role};
use lustral_term::VarId;
use rustc_hash::FxHashSet;

use super::{Compression, KInduction};
use crate::failure::Failure;
use crate::portfolio::Task;
use crate::states::Cone;

/// How long the first queries about a part may take.
const FIRST: Duration = Duration::from_secs(1);

/// What is known of taking parts.
pub(super) struct Parts {
    start: Moment,
    /// The time that they have taken.
    spent: Duration,
    /// How long a query about one may take.
    limit: Duration,
    /// The last k at which they were taken, and whether that was with less time than now.
    last: Option<(usize, Duration)>,
}

impl Parts {
    pub fn new() -> Parts {
        Parts { start: Moment::now(), spent: Duration::ZERO, limit: FIRST, last: None }
    }

    /// Whether they have their turn at this k: once for each k and limit, and for no more than
    /// half of the time.
    fn turn(&mut self, k: usize) -> bool {
        let now = (k, self.limit);
        self.spent <= self.start.elapsed() / 2 && self.last.replace(now) != Some(now)
    }
}

impl KInduction<'_> {
    /// Settles those of some properties that are k-inductive over parts of the system; the others
    /// are left.
    pub(super) fn by_parts(&mut self, k: usize, set: &[PropId]) -> Result<Vec<PropId>, Failure> {
        let groups = self.groups(set);
        if groups.is_empty() || !self.parts.as_mut().is_some_and(|parts| parts.turn(k)) {
            return Ok(set.to_vec());
        }
        let limit = self.parts.as_ref().map(|parts| parts.limit);
        let (start, mut slow) = (Moment::now(), false);
        for (cone, group) in &groups {
            slow |= self.by_part(k, cone, group, limit)?;
            if self.task.cancel.is_cancelled() {
                return Err(NoAnswer::Stopped.into());
            }
        }
        if let Some(parts) = &mut self.parts {
            parts.spent += start.elapsed();
            // A solver may give up at once, and as often as it is asked.
            parts.limit = parts.limit.saturating_mul(if slow { 2 } else { 1 });
        }
        let open = self.task.board.open();
        let left: Vec<PropId> = set.iter().filter(|p| open.contains(p)).copied().collect();
        if left.len() < set.len() {
            let ready = self.patience.ready(&open);
            self.renew(k, &ready)?;
            self.look_at_board();
        }
        Ok(left)
    }

    /// Properties by what they depend on, if that is no more than half of what all of them depend
    /// on (of nothing there is no part); those that depend on less are first, because they are of use
    /// to the others.
    fn groups(&self, set: &[PropId]) -> Vec<(Cone, Vec<PropId>)> {
        let size = |cone: &Cone| cone.iter().filter(|inside| **inside).count();
        let mut all: Cone = vec![false; self.cones.all().len()];
        let mut groups: Vec<(Cone, Vec<PropId>)> = Vec::new();
        for property in set {
            let cone = self.cones.of_property(*property);
            all.iter_mut().zip(cone).for_each(|(all, inside)| *all |= inside);
            match groups.iter_mut().find(|(known, _)| known == cone) {
                Some((_, properties)) => properties.push(*property),
                None => groups.push((cone.clone(), vec![*property])),
            }
        }
        let all = size(&all);
        groups.retain(|(cone, _)| all > 0 && size(cone) <= all / 2);
        groups.sort_by_key(|(cone, _)| size(cone));
        groups
    }

    /// Settles those of some properties that are k-inductive over some memories; whether some
    /// query took too long.
    fn by_part(
        &self,
        k: usize,
        cone: &Cone,
        group: &[PropId],
        limit: Option<Duration>,
    ) -> Result<bool, Failure> {
        let task = part(self.task, self.cones.all(), cone, group);
        let mut engine = KInduction::with_session(&task)?;
        engine.parts = None;
        engine.limit = limit;
        engine.session.limit(limit);
        engine.look_at_board();
        // Another lemma would bring in what it is about, and what rests on compression is of no
        // use without.
        let role = |task: &Task, var: VarId| task.system.variable(var).role;
        let is_inside = |var| role(self.task, var) == role(&task, var);
        engine.lemmas.retain(|known| {
            let predicate = &known.lemma.predicate;
            let variables = predicate.terms.variables([predicate.term]);
            !known.lemma.compression && variables.into_iter().all(is_inside)
        });
        engine.extend();
        for step in 0..k {
            engine.assume(group, step);
            engine.extend();
        }
        engine.conclude(k, group.to_vec(), &mut Vec::new())?;
        Ok(engine.is_late)
    }
}

/// The part of a system for some properties, in which only the memories of their cone take steps.
fn part(task: &Task, memories: &[VarId], cone: &Cone, group: &[PropId]) -> Task {
    let outside: FxHashSet<VarId> =
        memories.iter().zip(cone).filter(|(_, inside)| !**inside).map(|(var, _)| *var).collect();
    let mut system = (*task.system).clone();
    let terms = group.iter().map(|property| system.property(*property).term);
    let near = system.cone_of(system.terms.variables(terms));
    system.change(|system| {
        system.memories.retain(|memory| !outside.contains(&memory.var));
        for var in &outside {
            system.variables[var.index()].role = Role::Input;
        }
        let terms = &system.terms;
        let mentions_none = |list: &[VarId]| list.iter().all(|var| !outside.contains(var));
        let is_near = |list: &[VarId]| list.is_empty() || list.iter().any(|var| near[var.index()]);
        system.constraints.retain(|c| {
            let variables = terms.variables([c.term]);
            mentions_none(&variables) && is_near(&variables)
        });
        system.typing.retain(|fact| mentions_none(&terms.variables([*fact])));
    });
    let mut task = Task { system: Arc::new(system), ..task.clone() };
    task.options.kinduction.compression = Compression::Off;
    task
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::channel;

    use lustral_system::Proof;
    use lustral_term::Sort;

    use super::*;
    use crate::board::{Board, Found, News};
    use crate::learn::tests::Builder;

    /// A pair of memories that keep each other, as often as asked, and a constraint about all of them:
    /// `a' = b and (input or b)`, `b' = a`.
    fn pairs(count: usize) -> Builder {
        let mut builder = Builder::default();
        let mut all = Vec::new();
        for _ in 0..count {
            let (a, b) = (builder.memory(true), builder.memory(true));
            let input = builder.input(Sort::Bool);
            let other = builder.system.terms.or([input, b]);
            let next = builder.system.terms.and([b, other]);
            builder.next(a, next);
            builder.next(b, a);
            builder.property(a);
            builder.property(b);
            all.push(a);
        }
        let some = builder.system.terms.or(all);
        builder.constraint(some);
        builder
    }

    /// What is inductive over a part is settled; the base case is known to hold.
    #[test]
    fn properties_are_proved_over_what_they_depend_on() {
        let (sender, news) = channel();
        let sender = Mutex::new(sender);
        let board = Board::new(6, Box::new(move |news| drop(sender.lock().unwrap().send(news))));
        let task = Task { board: Arc::new(board), ..pairs(3).task() };
        let set: Vec<PropId> = (0..6).map(PropId).collect();
        task.board.post_depth(&set, 5);
        let mut engine = KInduction::new(&task).unwrap();
        let groups = engine.groups(&set);
        assert_eq!(groups.iter().map(|(_, group)| group.len()).collect::<Vec<_>>(), [2, 2, 2]);
        let small = part(&task, engine.cones.all(), &groups[0].0, &groups[0].1);
        assert_eq!((small.system.memories.len(), small.system.constraints.len()), (2, 0));
        assert!(engine.by_parts(1, &set).unwrap().is_empty());
        let mut proofs = 0;
        for news in news.try_iter() {
            let News::Finding(finding) = news else { continue };
            let Found::Proof(Proof::Induction { k, properties, .. }) = finding.found else {
                panic!("a proof by induction");
            };
            assert_eq!((k, properties.len()), (1, 2), "of itself and the other of its pair");
            proofs += 1;
        }
        assert_eq!(proofs, 6);
    }

    /// A property that needs the constraint that was left out is left, and nobody is told of the
    /// state of the part that speaks against it.
    #[test]
    fn what_a_part_does_not_show_is_left() {
        let mut builder = Builder::default();
        let mut all = Vec::new();
        for _ in 0..2 {
            let (memory, input) = (builder.memory(true), builder.input(Sort::Bool));
            builder.next(memory, input);
            builder.property(memory);
            all.push(memory);
        }
        let together = builder.system.terms.and(all);
        builder.constraint(together);
        let task = builder.task();
        let set = [PropId(0), PropId(1)];
        task.board.post_depth(&set, 5);
        let mut engine = KInduction::new(&task).unwrap();
        assert_eq!(engine.by_parts(1, &set).unwrap(), set);
        assert!(task.board.counterexample_to_induction(set[0]).is_none());
    }
}
