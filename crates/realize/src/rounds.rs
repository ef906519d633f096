//! The fixpoint.

use std::sync::Arc;

use lustral_projection::Valuation;
use lustral_smt::Session;
use lustral_system::{Game, Group as Moves, Layer, Outcome, Reason, Refutation, Strategy};
use lustral_term::{TermId, VarId};

use crate::Options;
use crate::arena::{Arena, Substitution};
use crate::groups::Group;
use crate::layers::Losing;

/// The computation of the region from which the system wins.
pub(crate) struct Rounds {
    pub(crate) arena: Arena,
    /// Speaks of states of the region that can be reached from it, and allowed choices of
    /// the environment to which no known moves are an answer.
    environment: Box<dyn Session>,
    /// Speaks of answers of the system.
    pub(crate) system: Box<dyn Session>,
    /// The demands of the round: the guarantees, and the region at the next step.
    demands: Vec<TermId>,
    /// The controlled variables, with the moves that are known.
    pub(crate) groups: Vec<Group>,
    /// The flag of each group in the session of the environment: it has no answer.
    failing: Vec<TermId>,
    /// The region at the beginning of the round: clauses over the memories.
    region: Vec<TermId>,
    /// What was taken out of it, all rounds together.
    layers: Vec<Layer>,
    /// The flag of this round in the session of the environment.
    round: TermId,
    /// The flag in the session of the system from which the demands follow.
    pub(crate) answered: TermId,
    /// That the state is the initial one: a flag of the session of the environment.
    initial: TermId,
    /// The step before, as variables of their own.
    before: Substitution,
}

impl Rounds {
    pub fn new(game: &Game, options: &Options) -> Result<Rounds, Reason> {
        let mut arena = Arena::new(game, options);
        let (mut environment, system) = (arena.session()?, arena.session()?);
        environment.assert(&arena.terms, arena.assumption);
        let first: Vec<(TermId, TermId)> =
            arena.memories.iter().map(|slot| (slot.term, slot.initial)).collect();
        let first = arena.equations(first);
        let initial = arena.named(&mut *environment, first);
        let before = arena.copies();
        let reached = arena.reached(&before);
        let reached = arena.terms.or([initial, reached]);
        environment.assert(&arena.terms, reached);
        let answered = arena.flag();
        let mut rounds = Rounds {
            round: answered,
            demands: Vec::new(),
            groups: Vec::new(),
            failing: Vec::new(),
            region: Vec::new(),
            layers: Vec::new(),
            arena,
            environment,
            system,
            answered,
            initial,
            before,
        };
        rounds.begin(vec![rounds.arena.guarantee]);
        Ok(rounds)
    }

    /// Round after round until the initial state is lost or nothing is.
    ///
    /// # Errors
    /// If that could not be found out, or the environment cannot even begin.
    pub fn run(mut self) -> Result<Outcome, Reason> {
        if !self.arena.ask(&mut *self.environment, &[self.initial])? {
            return Err(Reason::Vacuous);
        }
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
            tracing::debug!(layers = self.layers.len(), groups = self.groups.len(), "round");
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
            let here = self.arena.at(&point, &variables);
            let here = self.arena.named(&mut *self.system, here);
            if !self.arena.ask(&mut *self.system, &[here, self.answered])? {
                return Ok(Some(point));
            }
            let all = self.arena.all();
            let model = self.arena.model(&mut *self.system, &all)?;
            if !self.learn(&model) {
                return Err(Reason::Solver("two answers contradict each other".into()));
            }
        }
    }

    /// Adds the moves that a model of the session of the system suggests; whether there
    /// are new ones.
    pub(crate) fn learn(&mut self, model: &Valuation) -> bool {
        let mut more = false;
        for i in 0..self.groups.len() {
            if self.groups[i].learn(&mut self.arena, model) {
                more = true;
                if let Some(answers) = self.groups[i].answers.last().copied() {
                    self.tell_answer(i, answers);
                }
            }
        }
        more
    }

    /// Says to the session of the environment where a move of a group is an answer.
    fn tell_answer(&mut self, group: usize, answers: TermId) {
        let terms = &mut self.arena.terms;
        let none = terms.not(answers);
        let none = terms.implies(self.failing[group], none);
        self.environment.assert(&self.arena.terms, none);
    }

    fn take_out(&mut self, lost: Losing, before: usize) {
        let Losing { states, choice } = lost;
        tracing::trace!(literals = states.len(), layers = self.layers.len(), "lost");
        let lost = self.arena.terms.and(states.iter().copied());
        let kept = self.arena.terms.not(lost);
        self.environment.assert(&self.arena.terms, kept);
        let environment = self.arena.environment.clone();
        let choice = self.arena.choices(&environment, &choice);
        self.layers.push(Layer { states, choice, before });
    }

    /// Makes the region smaller by what was lost.
    fn next_round(&mut self, before: usize) {
        let next = self.arena.next(&Substitution::default());
        let mut more = Vec::new();
        for i in before..self.layers.len() {
            let states = self.layers[i].states.clone();
            let lost = self.arena.terms.and(states);
            let kept = self.arena.terms.not(lost);
            self.region.push(kept);
            more.push(self.arena.insert(kept, &next));
            let earlier = self.arena.insert(kept, &self.before);
            let earlier = self.arena.terms.or([self.initial, earlier]);
            self.environment.assert(&self.arena.terms, earlier);
        }
        self.begin(more);
    }

    /// Begins a round, with more demands.
    fn begin(&mut self, demands: Vec<TermId>) {
        for demand in &demands {
            let follows = self.arena.terms.implies(self.answered, *demand);
            self.system.assert(&self.arena.terms, follows);
        }
        self.demands.extend(demands);
        self.groups = Group::all(&mut self.arena, &self.demands, &self.groups);
        self.failing = self.groups.iter().map(|_| self.arena.flag()).collect();
        let some = self.arena.terms.or(self.failing.iter().copied());
        self.round = self.arena.named(&mut *self.environment, some);
        for i in 0..self.groups.len() {
            for answers in self.groups[i].answers.clone() {
                self.tell_answer(i, answers);
            }
        }
    }

    fn strategy(self) -> Strategy {
        let groups = self.groups.iter().filter(|group| !group.variables.is_empty());
        let moves = |group: &Group| Moves {
            variables: group.variables.iter().filter_map(|v| self.arena.terms.var(*v)).collect(),
            moves: (group.moves.iter())
                .map(|by| self.arena.choices(&group.variables, by))
                .collect::<Vec<Vec<(VarId, TermId)>>>(),
        };
        let groups = groups.map(moves).collect();
        Strategy { groups, region: self.region, terms: Arc::new(self.arena.terms) }
    }
}
