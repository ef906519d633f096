//! The queries: two steps in a row, in one solver session.
//!
//! A cube is a set of states, those whose predicates have the values it says.
//! The implicit abstraction asks whether a cube has an abstract successor with
//! a copy of the state on each side of the transition, equal to it as far as
//! the predicates tell. As all that is said of the copies (frames, cubes) is
//! said with predicates, whatever a copy satisfies the state itself satisfies:
//! one transition needs no copies, and the memories of the second step can be
//! the next-state functions. What is abstract is that a chain of transitions
//! need not meet in the middle: each begins in *some* state of the cube in
//! which the one before ended.
//!
//! Constraints hold at both steps: every state of interest is one at which an
//! execution takes a step. So does the property at the first. All but the
//! constraints at the first step stands behind literals.

use std::sync::Arc;
use std::time::Duration;

use lustral_base::schedule::Moment;
use lustral_smt::{Fault, Outcome, Session};
use lustral_system::{Predicate, PropId};
use lustral_term::{TermId, Terms, Value, VarId};

use super::predicates::{Cube, Lit, Predicates};
use crate::board::Lemma;
use crate::model::Model;
use crate::patience::Trouble;
use crate::task::Task;
use crate::unroll::{Start, Unroller};
use lustral_projection::Valuation;

/// Where the first step of a query is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// In the frame of this number; the first is the initial state.
    Frame(usize),
    /// Where what was shown for good holds.
    Always,
}

/// The answer to a query about a cube at the second step.
pub(crate) enum Reached {
    /// It is, by this transition, if that was asked for.
    Yes(Option<Transition>),
    /// It is not; this part of it is enough to see that, and perhaps lemmas of
    /// the board.
    No(Cube, bool),
}

/// Two steps, the second with its memories, as a model has them.
pub(crate) struct Transition {
    pub first: Valuation,
    pub second: Valuation,
}

/// The session with what it knows.
pub(crate) struct Steps<'t> {
    task: &'t Task,
    session: Box<dyn Session>,
    pub unroller: Unroller<'t>,
    slice: Vec<VarId>,
    /// That the second step is one.
    step: TermId,
    /// That the property holds at the first step.
    good: TermId,
    /// That it fails at the second.
    bad: TermId,
    /// That the first step is the initial state.
    initial: TermId,
    /// Behind which the lemmas of the board stand.
    board: TermId,
    frames: Vec<TermId>,
    /// By predicate: what stands for it at the two steps.
    predicates: Vec<[TermId; 2]>,
    limit: Option<Duration>,
    /// Facts that served one query each.
    pub temporaries: usize,
}

impl<'t> Steps<'t> {
    /// A session about a property. The typing facts and the slice are its own.
    pub fn new(
        task: &'t Task,
        property: PropId,
        slice: &[VarId],
        typing: &[Predicate],
    ) -> Result<Steps<'t>, Fault> {
        let session = task.session()?;
        let mut unroller = Unroller::new(&task.system, Start::Anywhere);
        let [step, good, bad, initial, board] = [(); 5].map(|()| unroller.literal());
        let slice = slice.to_vec();
        let (frames, predicates) = (Vec::new(), Vec::new());
        let (limit, temporaries) = (None, 0);
        #[rustfmt::skip]
        let mut steps = Steps {
            task, session, unroller, slice, step, good, bad, initial, board, frames, predicates,
            limit, temporaries,
        };
        for fact in steps.unroller.extend() {
            steps.assert(fact);
        }
        // The ranges of all inputs of the first step hold whether or not there
        // is a second.
        for memory in &task.system.memories {
            steps.unroller.at(0, memory.next);
        }
        steps.assert(Terms::TRUE);
        for fact in steps.unroller.extend() {
            steps.assert_if(step, fact);
        }
        for fact in typing {
            let [first, second] = [0, 1].map(|at| steps.unroller.predicate_at(at, fact));
            steps.assert(first);
            steps.assert_if(step, second);
        }
        let term = task.system.property(property).term;
        let [first, second] = [0, 1].map(|at| steps.unroller.at(at, term));
        let fails = steps.unroller.terms.not(second);
        steps.assert_if(good, first);
        steps.assert_if(bad, fails);
        for memory in &task.system.memories {
            if steps.slice.contains(&memory.var) {
                let fact = steps.is(memory.var, &memory.initial);
                steps.assert_if(initial, fact);
            }
        }
        Ok(steps)
    }

    /// How long each query may take from now on.
    pub fn limit(&mut self, limit: Option<Duration>) {
        self.limit = limit;
        self.session.limit(limit);
    }

    /// That a memory has a value at the first step.
    fn is(&mut self, var: VarId, value: &Value) -> TermId {
        let memory = self.unroller.memory(0, var);
        let value = self.unroller.terms.constant(value.clone());
        self.unroller.terms.eq(memory, value)
    }

    fn assert(&mut self, fact: TermId) {
        for due in self.unroller.due() {
            self.session.assert(&self.unroller.terms, due);
        }
        self.session.assert(&self.unroller.terms, fact);
    }

    fn assert_if(&mut self, literal: TermId, fact: TermId) {
        let fact = self.unroller.terms.implies(literal, fact);
        self.assert(fact);
    }

    /// A literal for a fact that is of use for one query.
    fn temporary(&mut self, fact: TermId) -> TermId {
        self.temporaries += 1;
        let literal = self.unroller.literal();
        self.assert_if(literal, fact);
        literal
    }

    /// The query of such a literal is over.
    fn retire(&mut self, literal: TermId) {
        let gone = self.unroller.terms.not(literal);
        self.assert(gone);
    }

    /// Uses a lemma of the board.
    pub fn use_lemma(&mut self, lemma: &Arc<Lemma>) {
        let [first, second] = [0, 1].map(|at| self.unroller.predicate_at(at, &lemma.predicate));
        self.assert_if(self.board, first);
        let second = self.unroller.terms.implies(self.step, second);
        self.assert_if(self.board, second);
    }

    /// Makes the predicates known that are not yet.
    pub fn know(&mut self, predicates: &Predicates) {
        for next in self.predicates.len()..predicates.len() {
            let term = predicates.term(next);
            let pair = [0, 1].map(|at| {
                let mut translation = lustral_term::Translation::new();
                let value = self.unroller.translate(at, predicates.terms(), term, &mut translation);
                let literal = self.unroller.literal();
                let same = self.unroller.terms.eq(literal, value);
                self.assert(same);
                literal
            });
            self.predicates.push(pair);
        }
    }

    /// A literal of a cube at a step.
    fn at(&mut self, step: usize, lit: Lit) -> TermId {
        let literal = self.predicates[lit.predicate()][step];
        if lit.polarity() { literal } else { self.unroller.terms.not(literal) }
    }

    fn clause(&mut self, cube: &[Lit]) -> TermId {
        let mut list = Vec::with_capacity(cube.len());
        for lit in cube {
            let holds = self.at(0, *lit);
            list.push(self.unroller.terms.not(holds));
        }
        self.unroller.terms.or(list)
    }

    /// Excludes a cube from a frame, and so from those before, or for good.
    pub fn exclude(&mut self, cube: &[Lit], place: Place) {
        let clause = self.clause(cube);
        match place {
            Place::Always => self.assert(clause),
            Place::Frame(frame) => {
                while self.frames.len() <= frame {
                    let literal = self.unroller.literal();
                    self.frames.push(literal);
                }
                self.assert_if(self.frames[frame], clause);
            }
        }
    }

    /// The literals of a place.
    fn place(&self, place: Place) -> Vec<TermId> {
        match place {
            Place::Always => vec![self.board],
            Place::Frame(frame) => {
                let initial = (frame == 0).then_some(self.initial);
                let frames = self.frames.iter().skip(frame).copied();
                [self.board, self.good].into_iter().chain(initial).chain(frames).collect()
            }
        }
    }

    /// Asks; whether there is a model.
    fn ask(&mut self, assumptions: &[TermId]) -> Result<bool, Trouble> {
        let start = Moment::now();
        match self.session.check(&self.unroller.terms, assumptions) {
            Outcome::Sat => Ok(true),
            Outcome::Unsat => Ok(false),
            Outcome::Unknown(reason) => Err(Trouble::of(reason, start, self.limit)),
        }
    }

    /// That the property fails at the first step.
    pub fn failure(&mut self, property: PropId) -> TermId {
        let holds = self.unroller.at(0, self.task.system.property(property).term);
        self.unroller.terms.not(holds)
    }

    /// A transition from this place to a step at which the property fails.
    pub fn fails_next(&mut self, place: Place) -> Result<Option<Transition>, Trouble> {
        let mut assumptions = self.place(place);
        assumptions.extend([self.step, self.bad]);
        if self.ask(&assumptions)? { self.transition().map(Some) } else { Ok(None) }
    }

    /// A transition from a cube to such a step.
    pub fn fails_after(&mut self, cube: &[Lit]) -> Result<Option<Transition>, Trouble> {
        let mut assumptions: Vec<TermId> = cube.iter().map(|lit| self.at(0, *lit)).collect();
        assumptions.extend([self.board, self.step, self.bad]);
        if self.ask(&assumptions)? { self.transition().map(Some) } else { Ok(None) }
    }

    /// Whether a cube can follow a step from outside of it at this place; by
    /// what transition, if that is of interest.
    pub fn reached(&mut self, cube: &[Lit], place: Place, how: bool) -> Result<Reached, Trouble> {
        let clause = self.clause(cube);
        let outside = self.temporary(clause);
        let answer = self.reached_if(cube, place, how, Some(outside));
        self.retire(outside);
        answer
    }

    /// The same of a cube that is excluded from this place.
    pub fn stays_out(&mut self, cube: &[Lit], place: Place) -> Result<Reached, Trouble> {
        self.reached_if(cube, place, false, None)
    }

    fn reached_if(
        &mut self,
        cube: &[Lit],
        place: Place,
        how: bool,
        outside: Option<TermId>,
    ) -> Result<Reached, Trouble> {
        let next: Vec<TermId> = cube.iter().map(|lit| self.at(1, *lit)).collect();
        let mut assumptions = self.place(place);
        assumptions.extend(outside.into_iter().chain([self.step]));
        assumptions.extend(&next);
        match self.ask(&assumptions) {
            Ok(true) if how => self.transition().map(|found| Reached::Yes(Some(found))),
            Ok(true) => Ok(Reached::Yes(None)),
            Ok(false) => {
                let core = self.session.core();
                let lits = cube.iter().zip(&next).filter(|(_, term)| core.contains(term));
                let lits = lits.map(|(lit, _)| *lit).collect();
                Ok(Reached::No(lits, core.contains(&self.board)))
            }
            Err(trouble) => Err(trouble),
        }
    }

    /// How some facts about the second step can follow a step from a cube; if
    /// they cannot, an error with those that together cannot, by position.
    pub fn follow(
        &mut self,
        cube: &[Lit],
        facts: &[TermId],
    ) -> Result<Result<Transition, Vec<usize>>, Trouble> {
        let literals: Vec<TermId> = facts.iter().map(|fact| self.temporary(*fact)).collect();
        let mut assumptions: Vec<TermId> = cube.iter().map(|lit| self.at(0, *lit)).collect();
        assumptions.extend([self.board, self.step]);
        assumptions.extend(&literals);
        let answer = match self.ask(&assumptions) {
            Ok(true) => self.transition().map(Ok),
            Ok(false) => {
                let core = self.session.core();
                let inside = (0..facts.len()).filter(|i| core.contains(&literals[*i]));
                Ok(Err(inside.collect()))
            }
            Err(trouble) => Err(trouble),
        };
        literals.into_iter().for_each(|literal| self.retire(literal));
        answer
    }

    /// The first step in an execution whose memories have these values, such
    /// that some fact about both steps holds.
    pub fn walk(&mut self, state: &Valuation, fact: TermId) -> Result<Option<Transition>, Trouble> {
        let mut facts = vec![fact];
        for var in self.slice.clone() {
            if let Some(value) = state.values.get(&var) {
                facts.push(self.is(var, value));
            }
        }
        let all = self.unroller.terms.and(facts);
        let literal = self.temporary(all);
        let answer = match self.ask(&[literal]) {
            Ok(true) => self.transition().map(Some),
            Ok(false) => Ok(None),
            Err(trouble) => Err(trouble),
        };
        self.retire(literal);
        answer
    }

    /// The transition in the model of the last query.
    fn transition(&mut self) -> Result<Transition, Trouble> {
        let model = Model::read(&mut *self.session, &self.unroller)?;
        let mut first = Valuation::default();
        let mut second = Valuation::default();
        for ((step, var), value) in &model.inputs.values {
            let valuation = if *step == 0 { &mut first } else { &mut second };
            valuation.values.insert(*var, value.clone());
        }
        let mut evaluation = model.evaluator(&self.unroller.terms);
        for var in &self.slice {
            let value = evaluation.eval(self.unroller.memory(1, *var));
            second.values.insert(*var, value);
        }
        first.divisions = model.inputs.divisions.clone();
        second.divisions = model.inputs.divisions;
        Ok(Transition { first, second })
    }
}
