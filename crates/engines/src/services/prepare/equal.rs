//! Memories that agree, where only a solver can tell (signal correspondence, or
//! sweeping).
//!
//! Memories that have the same values in all random executions are candidates;
//! so are those that keep their first value there. As in `memories`, all of it
//! is assumed and what the next-state functions do not confirm is dropped,
//! until all is confirmed; but here a solver is asked whether two functions
//! are equal, not the shape of their terms. Without candidates, none is
//! started.
//!
//! Constraints are not assumed: the facts of the lens must be inductive
//! without them (see `certify/src/states.rs`), although the executions that
//! suggest them obey them.

use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_simulation::{Column, SampleOptions, Samples};
use lustral_smt::{Outcome, Session, Solver, SolverOptions, open_session};
use lustral_system::{Memory, TransitionSystem};
use lustral_term::{TermId, Terms, Translation, VarId};
use rustc_hash::FxHashMap;

use crate::prepare::Replacement;
use crate::task::logic;

/// Queries in all, and the time for each and for all: beyond that, nothing is
/// replaced.
const MOST_QUERIES: usize = 300;
const TIME_FOR_ONE: Duration = Duration::from_millis(200);
const TIME: Duration = Duration::from_secs(1);

/// What each memory is, in their order; nothing if that is all as before.
pub(super) fn find(system: &TransitionSystem) -> Option<Vec<Replacement>> {
    let mut classes = candidates(system);
    if !system.memories.iter().zip(&classes).any(|(m, class)| is_replaced(m, class)) {
        return None;
    }
    let mut confirmation = Confirmation::new(system)?;
    loop {
        let next = confirmation.round(&classes)?;
        if next == classes {
            tracing::debug!(queries = confirmation.queries, "equal memories");
            return Some(classes);
        }
        classes = next;
    }
}

fn is_replaced(memory: &Memory, class: &Replacement) -> bool {
    *class != Replacement::Like(memory.var)
}

/// What random executions say.
fn candidates(system: &TransitionSystem) -> Vec<Replacement> {
    let lengths = vec![8, 40];
    let options = SampleOptions { rows: 512, lanes: 64, lengths, ..SampleOptions::default() };
    let samples = Samples::collect(system, &options);
    let mut leaders: Vec<(&Memory, &Column)> = Vec::new();
    let mut classes = Vec::new();
    for memory in &system.memories {
        let Some(column) = samples.column(memory.var).filter(|_| !samples.is_empty()) else {
            classes.push(Replacement::Like(memory.var));
            continue;
        };
        let initial = |row| column.get(row).value(memory.initial.sort()) == memory.initial;
        if (0..samples.len()).all(initial) {
            classes.push(Replacement::Constant(memory.initial.clone()));
            continue;
        }
        let same = |(leader, other): &&(&Memory, &Column)| {
            leader.initial == memory.initial && *other == column
        };
        let leader = leaders.iter().find(same).map_or(memory.var, |(leader, _)| leader.var);
        if leader == memory.var {
            leaders.push((memory, column));
        }
        classes.push(Replacement::Like(leader));
    }
    classes
}

/// Asks a solver.
struct Confirmation<'s> {
    system: &'s TransitionSystem,
    session: Box<dyn Session>,
    terms: Terms,
    /// The first variable that is none of the system's.
    fresh: u32,
    queries: usize,
    until: Instant,
}

impl<'s> Confirmation<'s> {
    fn new(system: &'s TransitionSystem) -> Option<Confirmation<'s>> {
        let until = Instant::now() + TIME;
        let cancel = Cancel::with_deadline(Some(until));
        let options = SolverOptions::default();
        let mut session = open_session(&Solver::BuiltIn, logic(system), &options, &cancel).ok()?;
        session.limit(Some(TIME_FOR_ONE));
        let fresh = system.variables.len() as u32;
        Some(Confirmation { system, session, terms: Terms::new(), fresh, queries: 0, until })
    }

    /// What the next-state functions confirm of some classes under the
    /// assumption of all. Those of a class that do not agree with its leader
    /// are a class of their own, to be looked at in the next round.
    fn round(&mut self, classes: &[Replacement]) -> Option<Vec<Replacement>> {
        let nexts = self.nexts(classes);
        let place: FxHashMap<VarId, usize> =
            self.system.memories.iter().enumerate().map(|(i, m)| (m.var, i)).collect();
        let mut rest: FxHashMap<&Replacement, VarId> = FxHashMap::default();
        let mut result = Vec::with_capacity(classes.len());
        for ((memory, class), next) in self.system.memories.iter().zip(classes).zip(&nexts) {
            let expected = match class {
                Replacement::Constant(value) => self.terms.constant(value.clone()),
                Replacement::Like(leader) => nexts[*place.get(leader)?],
            };
            result.push(if self.agree(*next, expected)? {
                class.clone()
            } else {
                Replacement::Like(*rest.entry(class).or_insert(memory.var))
            });
        }
        Some(result)
    }

    /// The next-state functions where the classes are as assumed.
    fn nexts(&mut self, classes: &[Replacement]) -> Vec<TermId> {
        let system = self.system;
        let assumed: FxHashMap<VarId, &Replacement> =
            system.memories.iter().zip(classes).map(|(m, class)| (m.var, class)).collect();
        let mut translation = Translation::new();
        let mut apply =
            |term| {
                translation.apply(&system.terms, &mut self.terms, term, |terms, var, sort| {
                    match assumed.get(&var) {
                        Some(Replacement::Constant(value)) => terms.constant(value.clone()),
                        Some(Replacement::Like(leader)) => terms.variable(*leader, sort),
                        None => terms.variable(var, sort),
                    }
                })
            };
        system.memories.iter().map(|m| apply(m.next)).collect()
    }

    /// Whether two terms are equal; nothing if there is no more time.
    fn agree(&mut self, a: TermId, b: TermId) -> Option<bool> {
        let same = self.terms.eq(a, b);
        if same == Terms::TRUE || same == Terms::FALSE {
            return Some(same == Terms::TRUE);
        }
        self.queries += 1;
        if self.queries > MOST_QUERIES || Instant::now() > self.until {
            return None;
        }
        let literal = self.terms.variable(VarId(self.fresh), lustral_term::Sort::Bool);
        self.fresh += 1;
        let differ = self.terms.not(same);
        let query = self.terms.implies(literal, differ);
        self.session.assert(&self.terms, query);
        // What the solver cannot tell is not confirmed.
        Some(self.session.check(&self.terms, &[literal]) == Outcome::Unsat)
    }
}

#[cfg(test)]
mod tests {
    use lustral_system::{Goal, Origin, Property, Role, Variable};
    use lustral_term::{Sort, Value};

    use super::*;

    /// Two integer memories from 0, and an integer input.
    fn system(
        nexts: impl Fn(&mut Terms, [TermId; 3]) -> [TermId; 2],
    ) -> (TransitionSystem, [VarId; 2]) {
        let mut system = TransitionSystem::default();
        let mut add = |role| {
            let (name, origin) = (String::new(), Origin::Auxiliary);
            system.add_variable(Variable { name, sort: Sort::Int, role, range: None, origin })
        };
        let ((a, at), (b, bt), (_, input)) =
            (add(Role::Memory), add(Role::Memory), add(Role::Input));
        let nexts = nexts(&mut system.terms, [at, bt, input]);
        for (var, next) in [a, b].into_iter().zip(nexts) {
            system.memories.push(Memory { var, initial: Value::zero(Sort::Int), next });
        }
        let term = system.terms.le(at, bt);
        system.properties.push(Property { name: "p".into(), term, goal: Goal::Always });
        (system, [a, b])
    }

    /// The larger of two, and the same from the other side.
    fn maxima(terms: &mut Terms, [a, b, input]: [TermId; 3]) -> [TermId; 2] {
        let (below, above) = (terms.le(a, input), terms.le(input, b));
        [terms.ite(below, input, a), terms.ite(above, b, input)]
    }

    #[test]
    fn what_only_looks_different_is_found_equal() {
        let (system, [a, _]) = system(maxima);
        let same = [Replacement::Like(a), Replacement::Like(a)];
        assert_eq!(find(&system).as_deref(), Some(&same[..]));
    }

    #[test]
    fn what_is_rarely_different_is_not_merged() {
        let (system, [a, b]) = system(|terms, [a, b, input]| {
            let rare = terms.int(123_456_789);
            let (now, one) = (terms.eq(input, rare), terms.int(1));
            let [next, other] = maxima(terms, [a, b, input]);
            let off = terms.add(&[other, one]);
            [next, terms.ite(now, off, other)]
        });
        let apart = [Replacement::Like(a), Replacement::Like(b)];
        assert!(find(&system).is_none_or(|found| found == apart));
    }
}
