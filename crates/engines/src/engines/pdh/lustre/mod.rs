//! Lustre programs as a domain of primal-dual Houdini: states are valuations
//! of memories, predicates are clauses.

mod literals;
mod matrix;
mod seeds;
mod separation;
#[cfg(test)]
mod separation_tests;
mod slice;
mod states;
#[cfg(test)]
mod tests;
mod transitions;

use std::time::Duration;

use indexmap::IndexSet;
use lustral_base::Cancel;
use lustral_base::schedule::{self, Moment};
use lustral_smt::Fault;
use lustral_system::Predicate;
use lustral_term::{TermId, Terms, Translation, VarId};
use num_traits::{Signed, ToPrimitive};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::Halt;
use crate::failure::{Misfit, TooLarge};
use crate::learn::Templates;
use crate::task::Task;
use literals::{ALONE, LEVELS, Literals};
use lustral_duality::{
    Domain, Judged, PredicateId, Predicates, Separation, StateId, States, Transition,
};
use matrix::{Bits, Matrix};
use separation::Solver;
pub(crate) use slice::Slice;
use states::Known;
pub(crate) use states::State;
use transitions::{Preference, StateStep, Transitions};

/// The most literals of a clause.
const MOST_IN_CLAUSE: usize = 3;
/// The most states that one query prefers.
const MOST_PREFERRED: usize = 60;
/// What a branch of the SEP-solver costs, by a clock that counts work.
const NODE: Duration = Duration::from_nanos(500);
/// How long an invariant that was found may wait for a narrower proof to be shown.
const NARROW: Duration = Duration::from_millis(250);
/// The most pairs of states that are looked at for transitions.
const MOST_PAIRS: usize = 3_000;

/// The domain of one property.
pub(crate) struct Lustre<'s> {
    slice: &'s Slice,
    pub known: Known,
    transitions: Transitions<'s>,
    literals: Literals,
    /// By literal: the states that satisfy it, of the first so many.
    columns: Vec<Bits>,
    filled: (usize, usize),
    /// By level: the matrix for the literals and states that it was made from.
    matrices: [Option<((usize, usize), Matrix)>; LEVELS],
    /// The predicates; number 0 is the property.
    predicates: IndexSet<TermId, FxBuildHasher>,
    /// By predicate: its literals, if it is a clause.
    made_of: Vec<Option<Vec<usize>>>,
    satisfied: FxHashMap<(StateId, PredicateId), bool>,
    /// Pairs of states between which there is no transition.
    apart: FxHashSet<(StateId, StateId)>,
    /// The layers of predicates: the largest level of literals, and the most
    /// literals in a clause.
    strata: Vec<(usize, usize)>,
    /// What predicates are about.
    templates: Templates,
    /// Whether a search was cut short.
    cut: bool,
    cancel: Cancel,
    deadline: Option<Moment>,
}

impl<'s> Lustre<'s> {
    /// The property, as a predicate.
    pub const P0: PredicateId = PredicateId(0);

    pub fn new(task: &Task, slice: &'s Slice) -> Result<Lustre<'s>, Fault> {
        let Templates { implications, .. } = task.options.learn.templates;
        let mut this = Lustre {
            slice,
            known: Known::new(&slice.system),
            transitions: Transitions::new(task, slice)?,
            literals: Literals::new(slice, &task.options.learn.templates),
            columns: Vec::new(),
            filled: (0, 0),
            matrices: Default::default(),
            predicates: IndexSet::default(),
            made_of: Vec::new(),
            satisfied: FxHashMap::default(),
            apart: FxHashSet::default(),
            strata: strata(if implications { MOST_IN_CLAUSE } else { 1 }),
            templates: task.options.learn.templates,
            cut: false,
            cancel: task.cancel.clone(),
            deadline: None,
        };
        this.predicate(slice.p0, None);
        seeds::walk(task, slice, &mut this.known);
        if task.options.learn.templates.affine {
            let reachable = this.known.reachable().iter();
            let states: Vec<&State> = reachable.map(|s| this.known.values(*s)).collect();
            this.literals.add_equalities(&this.known, &states);
        }
        Ok(this)
    }

    /// What predicates there are, for people.
    pub fn vocabulary(&self) -> String {
        let kinds = self.templates.enabled();
        let with = |name: &&str| !["implications", "triples"].contains(name);
        let kinds: Vec<&str> = kinds.into_iter().filter(with).collect();
        let what = if kinds.is_empty() {
            "boolean memories".into()
        } else {
            format!("memories, by {}", kinds.join(", "))
        };
        if self.templates.implications {
            format!("clauses of up to {MOST_IN_CLAUSE} literals about {what}")
        } else {
            format!("literals about {what}")
        }
    }

    /// When the domain has no more answers.
    pub fn set_deadline(&mut self, deadline: Option<Moment>) {
        self.deadline = deadline;
    }

    fn is_over(&self) -> bool {
        self.cancel.is_cancelled() || self.deadline.is_some_and(|d| d.left().is_zero())
    }

    /// Lets others work, and looks whether all is over.
    fn tick(&self) -> Result<(), Halt> {
        schedule::pause();
        if self.is_over() { Err(Halt::Interrupted) } else { Ok(()) }
    }

    fn predicate(&mut self, term: TermId, literals: Option<Vec<usize>>) -> PredicateId {
        let (number, new) = self.predicates.insert_full(term);
        if new {
            self.made_of.push(literals);
        }
        PredicateId(number as u32)
    }

    fn term(&self, p: PredicateId) -> TermId {
        self.predicates[p.0 as usize]
    }

    fn with_terms<'p>(
        &self,
        set: impl Iterator<Item = &'p PredicateId>,
    ) -> Vec<(PredicateId, TermId)> {
        set.map(|p| (*p, self.term(*p))).collect()
    }

    /// Takes a predicate of another arena, if it speaks of the state only and
    /// holds initially.
    pub fn give(&mut self, predicate: &Predicate) -> Option<PredicateId> {
        let variable = |terms: &mut Terms, var, sort| terms.variable(var, sort);
        let (source, target) = (&predicate.terms, &mut self.literals.terms);
        let term = Translation::new().apply(source, target, predicate.term, variable);
        let memories: FxHashSet<VarId> = self.known.memories().collect();
        let terms = &self.literals.terms;
        let of_state = terms.variables([term]).iter().all(|v| memories.contains(v));
        if !of_state || terms.value(term).is_some() || slice::is_open(terms, term) {
            return None;
        }
        let initial = self.known.values(Known::INITIAL);
        let holds = self.literals.truth(&self.known, initial, &[term])[0];
        holds.then(|| self.predicate(term, None))
    }

    /// Predicates that others can read, without the property.
    pub fn predicates(&self, list: impl Iterator<Item = PredicateId>) -> Vec<Predicate> {
        let terms = std::sync::Arc::new(self.literals.terms.clone());
        let others = list.filter(|p| *p != Lustre::P0);
        others.map(|p| Predicate { terms: terms.clone(), term: self.term(p) }).collect()
    }

    /// A known way to a state in which the property fails.
    pub fn failure(&mut self) -> Result<Option<Vec<StateId>>, Halt> {
        let mut failing = States::new();
        for s in self.known.reachable().clone() {
            if !self.satisfies(s, Lustre::P0)? {
                failing.insert(s);
            }
        }
        Ok(self.known.way_to(&failing))
    }

    /// How many queries were asked.
    pub fn queries(&self) -> usize {
        self.transitions.queries
    }

    /// Fills the matrix for new literals and new states.
    fn fill(&mut self) {
        let number = self.literals.list.len();
        self.columns.resize(number, Bits::default());
        let (literals, states) = self.filled;
        for s in 0..self.known.len() {
            let begin = if s < states { literals } else { 0 };
            if begin == number {
                continue;
            }
            let state = self.known.values(StateId(s as u32));
            let truth = self.literals.literals_in(&self.known, state, begin);
            for (column, holds) in self.columns[begin..].iter_mut().zip(truth) {
                if holds {
                    column.insert(s);
                }
            }
        }
        self.filled = (number, self.known.len());
    }

    /// The known states that satisfy all of some predicates, after `fill`.
    fn meaning(&mut self, set: &Predicates) -> Result<Bits, Halt> {
        let mut all = Bits::first(self.known.len());
        for p in set {
            let mut truth = Bits::default();
            match &self.made_of[p.0 as usize] {
                Some(literals) => literals.iter().for_each(|l| truth.unite(&self.columns[*l])),
                None => {
                    for s in all.iter().collect::<Vec<_>>() {
                        if self.satisfies(StateId(s as u32), *p)? {
                            truth.insert(s);
                        }
                    }
                }
            }
            if !all.intersect(&truth) {
                break;
            }
        }
        Ok(all)
    }

    fn learn(&mut self, step: StateStep) -> Transition {
        let from = Some(self.known.state(step.from));
        let transition = Transition { from, to: self.known.state(step.to) };
        self.known.add(transition, step.inputs);
        transition
    }

    /// Whether a transition is not parallel to `(P, P ∪ Q)`.
    fn breaks(&mut self, t: Transition, p: &Predicates, q: &Predicates) -> Result<bool, Halt> {
        Ok(!self.satisfies_all(t.to, q)?
            && self.satisfies_all(t.to, p)?
            && match t.from {
                Some(s) => self.satisfies_all(s, p)? && self.satisfies_all(s, q)?,
                None => true,
            })
    }

    /// A better counterexample than any: from a reachable state, from a known
    /// one, or with small numbers.
    fn better(
        &mut self,
        p: &[(PredicateId, TermId)],
        q: &[(PredicateId, TermId)],
        found: StateStep,
    ) -> Result<StateStep, Halt> {
        let all: Predicates = p.iter().chain(q).map(|(id, _)| *id).collect();
        let reachable = self.known.reachable().clone();
        let others = (0..self.known.len() as u32).map(StateId).filter(|s| !reachable.contains(s));
        let others: States = others.collect();
        for group in [&reachable, &others] {
            let inside = self.gamma(group, &all)?;
            let known = &self.known;
            let states: Vec<(StateId, &State)> =
                inside.iter().rev().take(MOST_PREFERRED).map(|s| (*s, known.values(*s))).collect();
            if states.is_empty() {
                continue;
            }
            let preference = Preference::From(&states);
            if let Ok(step) = self.transitions.against(&self.literals.terms, p, q, &preference)? {
                return Ok(step);
            }
        }
        let size = size(&found.from);
        for bound in [1, 4, 16, 256, 65_536].into_iter().take_while(|bound| *bound < size) {
            let preference = Preference::Small(bound);
            if let Ok(step) = self.transitions.against(&self.literals.terms, p, q, &preference)? {
                return Ok(step);
            }
        }
        Ok(found)
    }
}

/// The layers of predicates: more literals, or literals that say more.
fn strata(most_literals: usize) -> Vec<(usize, usize)> {
    let all = (0..LEVELS).flat_map(|level| (1..=most_literals).map(move |n| (level, n)));
    let mut strata: Vec<(usize, usize)> = all.collect();
    strata.sort_by_key(|(level, number)| (level + number, *level));
    strata
}

/// The largest absolute value in a state.
fn size(state: &State) -> u64 {
    let size = |value: &lustral_term::Value| match value {
        lustral_term::Value::Int(n) => n.abs().to_u64().unwrap_or(u64::MAX),
        lustral_term::Value::Real(r) => r.abs().ceil().to_integer().to_u64().unwrap_or(u64::MAX),
        _ => 0,
    };
    state.iter().map(size).max().unwrap_or(0)
}

impl Domain for Lustre<'_> {
    type Halt = Halt;

    fn too_many(&self, tried: usize) -> Halt {
        Halt::TooLarge(TooLarge::Steps(tried))
    }

    fn is_safe(&mut self) {
        let end = Moment::now() + NARROW;
        self.deadline = Some(self.deadline.map_or(end, |deadline| deadline.min(end)));
    }

    fn satisfies(&mut self, s: StateId, p: PredicateId) -> Result<bool, Halt> {
        if let Some(literals) = &self.made_of[p.0 as usize]
            && (s.0 as usize) < self.filled.1
        {
            return Ok(literals.iter().any(|l| self.columns[*l].contains(s.0 as usize)));
        }
        if let Some(known) = self.satisfied.get(&(s, p)) {
            return Ok(*known);
        }
        let (state, term) = (self.known.values(s), self.term(p));
        let holds = self.literals.truth(&self.known, state, &[term])[0];
        self.satisfied.insert((s, p), holds);
        Ok(holds)
    }

    fn transition_between(
        &mut self,
        from: &States,
        to: &States,
    ) -> Result<Option<Transition>, Halt> {
        self.tick()?;
        let inside =
            |t: &Transition| to.contains(&t.to) && t.from.is_none_or(|s| from.contains(&s));
        if let Some(known) = self.known.transitions().find(inside) {
            return Ok(Some(known));
        }
        let open = |s: &&StateId| to.iter().any(|t| !self.apart.contains(&(**s, *t)));
        let from: Vec<StateId> = from.iter().filter(open).copied().collect();
        if from.is_empty() || to.is_empty() || from.len() * to.len() > MOST_PAIRS {
            return Ok(None);
        }
        let known = &self.known;
        let before: Vec<(StateId, &State)> = from.iter().map(|s| (*s, known.values(*s))).collect();
        let after: Vec<(StateId, &State)> = to.iter().map(|s| (*s, known.values(*s))).collect();
        match self.transitions.between(&before, &after)? {
            Some(step) => Ok(Some(self.learn(step))),
            None => {
                self.apart.extend(from.iter().flat_map(|s| to.iter().map(move |t| (*s, *t))));
                Ok(None)
            }
        }
    }

    fn judge(&mut self, p: &Predicates, q: &Predicates) -> Result<Judged, Halt> {
        self.tick()?;
        self.fill();
        let (in_p, in_q) = (self.meaning(p)?, self.meaning(q)?);
        let inside = |s: StateId| in_p.contains(s.0 as usize) && in_q.contains(s.0 as usize);
        let breaks = |t: &Transition| {
            let to = t.to.0 as usize;
            in_p.contains(to) && !in_q.contains(to) && t.from.is_none_or(inside)
        };
        if let Some(transition) = self.known.transitions().find(breaks) {
            return Ok(Judged::Broken(transition));
        }
        let (of_p, of_q) = (self.with_terms(p.iter()), self.with_terms(q.difference(p)));
        if of_q.is_empty() {
            return Ok(Judged::Holds(p.clone()));
        }
        let terms = &self.literals.terms;
        let step = match self.transitions.against(terms, &of_p, &of_q, &Preference::Any)? {
            Err(core) => return Ok(Judged::Holds(core.into_iter().collect())),
            Ok(step) => self.better(&of_p, &of_q, step)?,
        };
        let transition = self.learn(step);
        self.fill();
        // Otherwise the same query would have the same answer for ever.
        if !self.breaks(transition, p, q)? {
            return Err(Halt::Solver(Misfit::NoCounterexample.into()));
        }
        Ok(Judged::Broken(transition))
    }

    fn separate(&mut self, query: &Separation<'_>) -> Result<Option<Predicates>, Halt> {
        // What does not hold initially is no use.
        let mut positive = query.positive.clone();
        positive.insert(Known::INITIAL);
        let query = Separation { positive: &positive, ..*query };
        self.tick()?;
        self.fill();
        let (level, most_literals) = self.stratum(query.stratum);
        for slots in 1..=query.width {
            if let Some(clauses) = self.clauses(&query, level, most_literals, slots)? {
                return Ok(Some(clauses.into_iter().map(|c| self.clause(c)).collect()));
            }
        }
        Ok(None)
    }

    fn strata(&self) -> usize {
        self.strata.len()
    }

    fn grow(&mut self, states: &States) -> bool {
        let states: Vec<State> = states.iter().map(|s| self.known.values(*s).clone()).collect();
        self.literals.grow(&self.known, states.into_iter()) > 0
    }

    fn known(&self) -> Vec<Transition> {
        self.known.transitions().collect()
    }

    fn is_exact(&self) -> bool {
        !self.cut
    }
}

impl Lustre<'_> {
    /// The largest level of literals, and the most literals in a clause, of a
    /// layer.
    fn stratum(&self, number: usize) -> (usize, usize) {
        self.strata[number - 1]
    }

    /// Clauses of a layer that separate.
    fn clauses(
        &mut self,
        query: &Separation<'_>,
        level: usize,
        most_literals: usize,
        slots: usize,
    ) -> Result<Option<Vec<Vec<usize>>>, Halt> {
        self.refresh(level);
        let Some((_, matrix)) = &self.matrices[level] else { return Ok(None) };
        let stop = || self.is_over();
        let mut solver = Solver::new(query, matrix, (slots, most_literals), &stop);
        let mut cut = false;
        for t in query.some_negative.iter().rev() {
            match solver.exclude(*t) {
                Ok(None) => {}
                Ok(found) => return Ok(found),
                Err(Halt::TooLarge(_)) => cut = true,
                Err(halt) => return Err(halt),
            }
        }
        schedule::charge(NODE * solver.nodes());
        self.cut |= cut;
        Ok(None)
    }

    /// Brings the matrix of a level up to date.
    fn refresh(&mut self, level: usize) {
        if self.matrices[level].as_ref().is_none_or(|(filled, _)| *filled != self.filled) {
            let list = &self.literals.list;
            let chosen: Vec<usize> = (0..list.len()).filter(|i| list[*i].level <= level).collect();
            let matrix = Matrix::new(&self.columns, &chosen, ALONE, self.filled.1);
            self.matrices[level] = Some((self.filled, matrix));
        }
    }

    fn clause(&mut self, mut literals: Vec<usize>) -> PredicateId {
        literals.sort_unstable();
        let list = &self.literals.list;
        let terms: Vec<TermId> = literals.iter().map(|l| list[*l].term).collect();
        let term = self.literals.terms.or(terms);
        self.predicate(term, Some(literals))
    }

    /// The property that the slice is about holds in a state.
    pub fn slice(&self) -> &Slice {
        self.slice
    }
}
