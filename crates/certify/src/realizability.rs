//! Checking who wins the game of a contract. Both answers come with terms for what is
//! chosen, so that every obligation is a query without quantifiers.
//!
//! **The system wins** if the initial state is in the region, and there is no state of the
//! region, initial or after a step from the region, with an allowed choice of the environment
//! where for some group of outputs each of its moves breaks a guarantee or leads out of the
//! region: then moves of all groups together are an answer, and by induction there is one at
//! every step.
//!
//! **The environment wins** if the initial state is in the last layer, and at each state of
//! a layer its choice is allowed, and every answer of the system that keeps the guarantees
//! leads to a layer before: after as many steps as there are layers, there is none.

use std::fmt::Write;

use lustral_smt::smtlib::{Declarations, Writer};
use lustral_system::{
    Choices, Demand, Divisions, Game, Group, Play, Reason, Refutation, Strategy, Trace,
    TransitionSystem,
};
use lustral_term::{Evaluator, TermId, Terms, Translation, VarId};
use rustc_hash::FxHashMap;

use crate::obligations::{Expected, Obligation};
use crate::{Checked, ProofChecker, Rejected};

/// What is known of a contract.
#[derive(Clone, Debug)]
pub enum Realizability {
    /// Some node keeps it.
    Realizable(Strategy),
    /// None does.
    Unrealizable {
        /// How the environment wins.
        refutation: Refutation,
        /// A play that it wins: at its last step the outputs have no meaning, because the
        /// system has none to choose.
        play: Trace,
    },
    /// There is no answer. There is nothing to check in that.
    Unknown(Reason),
}

impl Realizability {
    /// No answer needs no check.
    #[must_use]
    pub fn unknown(node: &str, reason: Reason) -> Checked<Realizability> {
        Checked::of_node(node.to_string(), Realizability::Unknown(reason))
    }
}

impl ProofChecker {
    /// Checks that the system wins a game.
    ///
    /// # Errors
    /// If an obligation fails, or the solver cannot tell.
    pub fn check_system_wins(
        &mut self,
        game: &Game,
        strategy: Strategy,
    ) -> Result<Checked<Realizability>, Rejected> {
        self.check_strategy(game, &strategy)?;
        let found = Realizability::Realizable(strategy);
        Ok(Checked::of_node(game.system.root().node.clone(), found))
    }

    /// Checks that the environment wins a game, and a play in which it does. The play is
    /// run by the system that the game is made of.
    ///
    /// # Errors
    /// If an obligation fails, or the solver cannot tell.
    pub fn check_environment_wins(
        &mut self,
        game: &Game,
        system: &TransitionSystem,
        refutation: Refutation,
        play: &Play,
    ) -> Result<Checked<Realizability>, Rejected> {
        self.check_refutation(game, &refutation)?;
        let play = self.check_play(game, system, play)?;
        let found = Realizability::Unrealizable { refutation, play };
        Ok(Checked::of_node(game.system.root().node.clone(), found))
    }

    /// Runs a play: the environment keeps to the assumptions at every step, the system to
    /// the guarantees at all but the last, where nothing that it could choose does.
    fn check_play(
        &mut self,
        game: &Game,
        system: &TransitionSystem,
        play: &Play,
    ) -> Result<Trace, Rejected> {
        let chosen = |step: usize, var: VarId| {
            let found = play.steps[step].iter().find(|(chosen, _)| *chosen == var);
            found.map_or_else(|| system.plain(var), |(_, value)| value.clone())
        };
        let trace = Trace::run(system, play.steps.len(), Divisions::default(), chosen);
        let mut claim = Claim::new(game, &game.system.terms);
        let Some(last) = trace.len().checked_sub(1) else {
            return Err(Rejected::Trace("a play without a step".into()));
        };
        for step in 0..=last {
            let mut evaluator = Evaluator::new(&claim.terms, &trace.divisions);
            let mut holds =
                |term| evaluator.eval(term, |var| trace.value(step, var).clone()).is_true();
            if !holds(claim.assumption) || (step < last && !holds(claim.guarantee)) {
                return Err(Rejected::Trace(format!("step {step} of the play is not allowed")));
            }
        }
        let mut by = Substitution::default();
        let memories = game.system.memories.iter().map(|memory| &memory.var);
        for var in memories.chain(&game.environment) {
            by.insert(*var, claim.terms.constant(trace.value(last, *var).clone()));
        }
        let answered = claim.insert(claim.guarantee, &by);
        self.one(&claim.unsat("deadlock", &[answered]))?;
        Ok(trace)
    }

    fn check_strategy(&mut self, game: &Game, strategy: &Strategy) -> Result<(), Rejected> {
        let mut claim = Claim::new(game, &strategy.terms);
        claim.only_state(&strategy.region)?;
        self.one(&claim.initial(&strategy.region))?;
        let mut facts = strategy.region.clone();
        facts.push(claim.assumption);
        facts.push(claim.reached(&strategy.region));
        let failing = claim.failing(strategy)?;
        facts.push(failing);
        self.one(&claim.unsat("answer", &facts))
    }

    fn check_refutation(&mut self, game: &Game, refutation: &Refutation) -> Result<(), Rejected> {
        let mut claim = Claim::new(game, &refutation.terms);
        let Some(last) = refutation.layers.last() else {
            return Err(Rejected::Malformed("there is no layer".into()));
        };
        self.one(&claim.initial(&last.states))?;
        for (i, layer) in refutation.layers.iter().enumerate() {
            claim.only_state(&layer.states)?;
            let by = claim.choices(&layer.choice, &game.environment)?;
            for (_, term) in &layer.choice {
                claim.only_state(&[*term])?;
            }
            let allowed = claim.insert(claim.assumption, &by);
            let mut facts = layer.states.clone();
            facts.push(claim.terms.not(allowed));
            self.one(&claim.unsat("allowed", &facts))?;
            let mut facts = layer.states.clone();
            facts.push(claim.insert(claim.guarantee, &by));
            let next = claim.next(&by);
            for before in &refutation.layers[..layer.before.min(i)] {
                let states = claim.terms.and(before.states.iter().copied());
                let outside = claim.terms.not(states);
                facts.push(claim.insert(outside, &next));
            }
            self.one(&claim.unsat("unanswered", &facts))?;
        }
        Ok(())
    }
}

/// Terms for variables.
type Substitution = FxHashMap<VarId, TermId>;

/// A game with more terms.
struct Claim<'g> {
    game: &'g Game,
    terms: Terms,
    assumption: TermId,
    guarantee: TermId,
}

impl<'g> Claim<'g> {
    /// The arena must be that of the game with more terms: what is asked is taken from the
    /// game, and the terms of it are the same there.
    fn new(game: &'g Game, terms: &Terms) -> Claim<'g> {
        let system: &TransitionSystem = &game.system;
        let mut own = terms.clone();
        // Into the arena of the claim, whatever that is.
        let mut translation = Translation::new();
        let mut take = |own: &mut Terms, term: TermId| {
            translation.apply(&system.terms, own, term, |own, var, sort| own.variable(var, sort))
        };
        let demands = game.guarantees.iter().map(|Demand { term, .. }| *term);
        let demands: Vec<TermId> = demands.map(|term| take(&mut own, term)).collect();
        let assumed: Vec<TermId> =
            game.assumptions.iter().map(|term| take(&mut own, *term)).collect();
        let mut with_ranges = |variables: &[VarId], mut list: Vec<TermId>| {
            for var in variables {
                let variable = system.variable(*var);
                if let Some(range) = &variable.range {
                    let term = own.variable(*var, variable.sort);
                    list.push(TransitionSystem::range_term(&mut own, term, range));
                }
            }
            own.and(list)
        };
        let assumption = with_ranges(&game.environment, assumed);
        let guarantee = with_ranges(&game.controlled, demands);
        Claim { game, terms: own, assumption, guarantee }
    }

    fn insert(&mut self, term: TermId, by: &Substitution) -> TermId {
        let source = self.terms.clone();
        Translation::new().apply(&source, &mut self.terms, term, |terms, var, sort| {
            by.get(&var).copied().unwrap_or_else(|| terms.variable(var, sort))
        })
    }

    /// That some group has no move that keeps its part of the demands: the guarantees and
    /// the region at the next step. No part may speak of two groups, so that moves that
    /// keep theirs keep them together.
    fn failing(&mut self, strategy: &Strategy) -> Result<TermId, Rejected> {
        let next = self.next(&Substitution::default());
        let mut demands = vec![self.guarantee];
        demands.extend(strategy.region.iter().map(|clause| self.insert(*clause, &next)));
        let mut parts: Vec<Vec<TermId>> = vec![Vec::new(); strategy.groups.len()];
        let mut failing = Vec::new();
        for part in self.terms.conjuncts(demands) {
            let used = self.terms.variables([part]);
            let used: Vec<VarId> =
                used.into_iter().filter(|var| self.game.controlled.contains(var)).collect();
            let owner = |group: &Group| used.iter().all(|var| group.variables.contains(var));
            match strategy.groups.iter().position(owner) {
                _ if used.is_empty() => failing.push(self.terms.not(part)),
                Some(group) => parts[group].push(part),
                None => return Err(Rejected::Malformed("a demand is of no group".into())),
            }
        }
        for (group, parts) in strategy.groups.iter().zip(parts) {
            let mut none = Vec::with_capacity(group.moves.len());
            for choices in &group.moves {
                let by = self.choices(choices, &group.variables)?;
                let kept: Vec<TermId> = parts.iter().map(|part| self.insert(*part, &by)).collect();
                let kept = self.terms.and(kept);
                none.push(self.terms.not(kept));
            }
            failing.push(self.terms.and(none));
        }
        Ok(self.terms.or(failing))
    }

    /// That the state is the initial one, or comes after a step from the region in which
    /// both keep to what they must. So it is at every step, by induction.
    fn reached(&mut self, region: &[TermId]) -> TermId {
        let system: &'g TransitionSystem = &self.game.system;
        let mut before = Substitution::default();
        for (id, variable) in system.variables() {
            let copy = VarId((system.variables.len() + id.index()) as u32);
            before.insert(id, self.terms.variable(copy, variable.sort));
        }
        let (mut initially, mut later) = (Vec::new(), Vec::new());
        let next = self.next(&before);
        for memory in &system.memories {
            let var = self.terms.variable(memory.var, system.variable(memory.var).sort);
            let initial = self.terms.constant(memory.initial.clone());
            initially.push(self.terms.eq(var, initial));
            later.push(self.terms.eq(var, next[&memory.var]));
        }
        for fact in region.iter().copied().chain([self.assumption, self.guarantee]) {
            later.push(self.insert(fact, &before));
        }
        let (initially, later) = (self.terms.and(initially), self.terms.and(later));
        self.terms.or([initially, later])
    }

    /// What each memory is at the next step.
    fn next(&mut self, by: &Substitution) -> Substitution {
        let system: &'g TransitionSystem = &self.game.system;
        let mut next = Substitution::default();
        for memory in &system.memories {
            let own = Translation::new().apply(
                &system.terms,
                &mut self.terms,
                memory.next,
                |terms, var, sort| terms.variable(var, sort),
            );
            next.insert(memory.var, self.insert(own, by));
        }
        next
    }

    /// Choices for all of some variables, and for no others.
    fn choices(&self, choices: &Choices, wanted: &[VarId]) -> Result<Substitution, Rejected> {
        let malformed = |why: &str| Err(Rejected::Malformed(why.into()));
        for (var, term) in choices {
            if !wanted.contains(var) {
                return malformed("somebody else chooses this");
            }
            if self.terms.sort(*term) != self.game.system.variable(*var).sort {
                return malformed("a choice has another sort");
            }
            let after = |var: &VarId| self.game.controlled.contains(var);
            if self.terms.variables([*term]).iter().any(after) {
                return malformed("a choice depends on what is chosen later");
            }
        }
        Ok(choices.iter().copied().collect())
    }

    /// That terms speak of the memories only.
    fn only_state(&self, list: &[TermId]) -> Result<(), Rejected> {
        let system: &TransitionSystem = &self.game.system;
        let is_memory = |var: &VarId| system.memories.iter().any(|m| m.var == *var);
        if self.terms.variables(list.iter().copied()).iter().all(is_memory) {
            Ok(())
        } else {
            Err(Rejected::Malformed("a set of states depends on something else".into()))
        }
    }

    /// That terms hold in the initial state.
    fn initial(&mut self, list: &[TermId]) -> Obligation {
        let system: &'g TransitionSystem = &self.game.system;
        let mut values = Substitution::default();
        for memory in &system.memories {
            values.insert(memory.var, self.terms.constant(memory.initial.clone()));
        }
        let all = self.terms.and(list.iter().copied());
        let all = self.insert(all, &values);
        let not = self.terms.not(all);
        self.unsat("initial", &[not])
    }

    /// That some facts cannot hold together.
    fn unsat(&self, name: &str, facts: &[TermId]) -> Obligation {
        let (mut text, declared) = (String::new(), Declarations::default());
        let mut writer = Writer::sharing("t", declared.clone());
        let mut known: FxHashMap<VarId, String> = FxHashMap::default();
        for fact in facts {
            let fact = writer.term(&self.terms, *fact, &mut text, &mut |out, var, sort| {
                let name = known.entry(var).or_insert_with(|| {
                    let name = format!("v{}", var.0);
                    declared.constant(out, &name, sort);
                    name
                });
                name.clone()
            });
            let _ = writeln!(text, "(assert {fact})");
        }
        Obligation {
            name: name.into(),
            meaning: "these cannot hold together".into(),
            needed: true,
            expected: Expected::Unsat,
            text,
        }
    }
}
