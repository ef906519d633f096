//! The fixpoint.

use std::sync::Arc;

use lustral_projection::Valuation;
use lustral_smt::Session;
use lustral_system::{Game, Layer, Outcome, Reason, Refutation, Strategy};
use lustral_term::TermId;
use rustc_hash::FxHashSet;

use crate::Options;
use crate::arena::Arena;
use crate::layers::Losing;
use crate::moves::Move;

/// The computation of the region from which the system wins.
pub(crate) struct Rounds {
    pub(crate) arena: Arena,
    /// Speaks of states of the region and allowed choices of the environment to which no
    /// known move is an answer.
    environment: Box<dyn Session>,
    /// Speaks of answers of the system.
    pub(crate) system: Box<dyn Session>,
    /// The moves that are known.
    moves: Vec<Move>,
    known: FxHashSet<Vec<(u32, TermId)>>,
    /// Where each of them is an answer, in this round.
    pub(crate) answers: Vec<TermId>,
    /// The region at the beginning of the round: clauses over the memories.
    region: Vec<TermId>,
    /// What was taken out of it, all rounds together.
    layers: Vec<Layer>,
    /// The flag of this round in the session of the environment.
    round: TermId,
    /// The flag in the session of the system from which it follows that the guarantees
    /// hold, and the region at the next step.
    pub(crate) answered: TermId,
    /// The flag of the initial state.
    initial: TermId,
}

impl Rounds {
    pub fn new(game: &Game, options: &Options) -> Result<Rounds, Reason> {
        let mut arena = Arena::new(game, options);
        let (mut environment, mut system) = (arena.session()?, arena.session()?);
        environment.assert(&arena.terms, arena.assumption);
        let first: Vec<(TermId, TermId)> =
            arena.memories.iter().map(|slot| (slot.term, slot.initial)).collect();
        let first = arena.equations(first);
        let initial = arena.named(&mut *environment, first);
        let round = arena.flag();
        let guarantee = arena.guarantee;
        let answered = arena.named(&mut *system, guarantee);
        Ok(Rounds {
            arena,
            environment,
            system,
            moves: Vec::new(),
            known: FxHashSet::default(),
            answers: Vec::new(),
            region: Vec::new(),
            layers: Vec::new(),
            round,
            answered,
            initial,
        })
    }

    /// Round after round until the initial state is lost or nothing is.
    pub fn run(mut self) -> Result<Outcome, Reason> {
        loop {
            let before = self.layers.len();
            // Looked at first, so that the environment wins as soon as it can.
            if let Some(point) = self.unanswered_point(Some(self.initial))? {
                let lost = self.losing(&point)?;
                self.take_out(lost, before);
                let terms = Arc::new(self.arena.terms);
                let layers = self.layers;
                return Ok(Outcome::Environment(Refutation { terms, layers }));
            }
            while let Some(point) = self.unanswered_point(None)? {
                let lost = self.losing(&point)?;
                self.take_out(lost, before);
            }
            if self.layers.len() == before {
                return Ok(Outcome::System(self.strategy()));
            }
            self.next_round(before);
        }
    }

    /// A state of the region and an allowed choice to which the system has no answer.
    fn unanswered_point(&mut self, also: Option<TermId>) -> Result<Option<Valuation>, Reason> {
        let literals: Vec<TermId> = std::iter::once(self.round).chain(also).collect();
        loop {
            if !self.arena.ask(&mut *self.environment, &literals)? {
                return Ok(None);
            }
            let variables = self.arena.before_the_answer();
            let point = self.arena.model(&mut *self.environment, &variables)?;
            let pairs: Vec<(TermId, TermId)> = (variables.iter())
                .map(|term| {
                    let var = self.arena.terms.var(*term).expect("it is a variable");
                    (*term, self.arena.terms.constant(point.values[&var].clone()))
                })
                .collect();
            let here = self.arena.equations(pairs);
            let here = self.arena.named(&mut *self.system, here);
            if !self.arena.ask(&mut *self.system, &[here, self.answered])? {
                return Ok(Some(point));
            }
            let all = self.arena.all();
            let model = self.arena.model(&mut *self.system, &all)?;
            if !self.learn(&model)? {
                return Err(Reason::Solver("two answers contradict each other".into()));
            }
        }
    }

    /// Adds the move that a model of the session of the system suggests; whether it is new.
    pub(crate) fn learn(&mut self, model: &Valuation) -> Result<bool, Reason> {
        let mut demands = vec![self.arena.guarantee];
        let next = self.arena.next(&Default::default());
        for clause in self.region.clone() {
            demands.push(self.arena.insert(clause, &next));
        }
        let found = Move::new(&mut self.arena, &demands, model);
        let mut key: Vec<(u32, TermId)> =
            found.choices.iter().map(|(var, term)| (var.0, *term)).collect();
        key.sort_unstable();
        if !self.known.insert(key) {
            return Ok(false);
        }
        self.add_answer(&found);
        self.moves.push(found);
        Ok(true)
    }

    /// Says to the session of the environment where a move is an answer in this round.
    fn add_answer(&mut self, found: &Move) {
        let answers = found.answers(&mut self.arena, &self.region);
        let terms = &mut self.arena.terms;
        let none = terms.not(answers);
        let none = terms.implies(self.round, none);
        self.environment.assert(&self.arena.terms, none);
        self.answers.push(answers);
    }

    fn take_out(&mut self, lost: Losing, before: usize) {
        let Losing { states, choice } = lost;
        let lost = self.arena.terms.and(states.iter().copied());
        let kept = self.arena.terms.not(lost);
        self.environment.assert(&self.arena.terms, kept);
        let environment = self.arena.environment.clone();
        let choice = self.arena.choices(&environment, &choice);
        self.layers.push(Layer { states, choice, before });
    }

    /// Makes the region smaller by what was lost.
    fn next_round(&mut self, before: usize) {
        let next = self.arena.next(&Default::default());
        for i in before..self.layers.len() {
            let states = self.layers[i].states.clone();
            let terms = &mut self.arena.terms;
            let lost = terms.and(states);
            let kept = terms.not(lost);
            self.region.push(kept);
            let kept = self.arena.insert(kept, &next);
            let kept = self.arena.terms.implies(self.answered, kept);
            self.system.assert(&self.arena.terms, kept);
        }
        self.round = self.arena.flag();
        self.answers.clear();
        let moves = std::mem::take(&mut self.moves);
        moves.iter().for_each(|found| self.add_answer(found));
        self.moves = moves;
    }

    fn strategy(self) -> Strategy {
        let controlled = self.arena.controlled.clone();
        let moves = self.moves.iter().map(|m| self.arena.choices(&controlled, &m.choices));
        let moves = moves.collect();
        Strategy { region: self.region, moves, terms: Arc::new(self.arena.terms) }
    }
}
