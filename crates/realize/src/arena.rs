//! The game as terms, and sessions about them.

use lustral_projection::Valuation;
use lustral_smt::smtlib::Logic;
use lustral_smt::{Fault, NoAnswer, Outcome as Answer, Session, open_session};
use lustral_system::{Choices, Game, Reason, TransitionSystem};
use lustral_term::{Sort, TermId, Terms, Translation, Value, VarId};
use rustc_hash::FxHashMap;

use crate::Options;

/// Terms for variables.
pub(crate) type Substitution = FxHashMap<VarId, TermId>;

/// The game, its terms and what is made of them.
pub(crate) struct Arena {
    pub terms: Terms,
    /// The variables of the environment and of the system, as terms.
    pub environment: Vec<TermId>,
    pub controlled: Vec<TermId>,
    /// The memories that matter, as terms, with their initial values and the values at the
    /// next step.
    pub memories: Vec<Slot>,
    /// What the environment must keep to, and the system.
    pub assumption: TermId,
    pub guarantee: TermId,
    options: Options,
    logic: Logic,
    fresh: u32,
}

/// A memory.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    pub var: VarId,
    pub term: TermId,
    pub initial: TermId,
    pub next: TermId,
}

impl Arena {
    pub fn new(game: &Game, options: &Options) -> Arena {
        Arena::with(game, game.system.terms.clone(), options)
    }

    /// With the arena of the game's system to which terms were added.
    pub fn with(game: &Game, mut terms: Terms, options: &Options) -> Arena {
        let system: &TransitionSystem = &game.system;
        let with_ranges = |terms: &mut Terms, list: &[VarId], others: Vec<TermId>| {
            let mut all = others;
            for var in list {
                let variable = system.variable(*var);
                if let Some(range) = &variable.range {
                    let term = terms.variable(*var, variable.sort);
                    all.push(TransitionSystem::range_term(terms, term, range));
                }
            }
            terms.and(all)
        };
        let assumption = with_ranges(&mut terms, &game.environment, game.assumptions.clone());
        let demands = game.guarantees.iter().map(|demand| demand.term).collect();
        let guarantee = with_ranges(&mut terms, &game.controlled, demands);
        let cone = system.cone_of(terms.variables([assumption, guarantee]));
        let memories: Vec<Slot> = (system.memories.iter())
            .filter(|memory| cone[memory.var.index()])
            .map(|memory| Slot {
                var: memory.var,
                term: terms.variable(memory.var, system.variable(memory.var).sort),
                initial: terms.constant(memory.initial.clone()),
                next: memory.next,
            })
            .collect();
        let mut as_terms = |list: &[VarId]| -> Vec<TermId> {
            list.iter().map(|var| terms.variable(*var, system.variable(*var).sort)).collect()
        };
        let (environment, controlled) = (as_terms(&game.environment), as_terms(&game.controlled));
        let roots = memories.iter().map(|m| m.next).chain([assumption, guarantee]);
        let logic = Logic::of(&terms, roots);
        Arena {
            terms,
            environment,
            controlled,
            memories,
            assumption,
            guarantee,
            options: options.clone(),
            logic,
            fresh: system.variables.len() as u32,
        }
    }

    /// A term with terms for variables, all at once.
    pub fn insert(&mut self, term: TermId, by: &Substitution) -> TermId {
        let source = self.terms.clone();
        Translation::new().apply(&source, &mut self.terms, term, |terms, var, sort| {
            by.get(&var).copied().unwrap_or_else(|| terms.variable(var, sort))
        })
    }

    /// What each memory is at the next step, after choices that are terms.
    pub fn next(&mut self, choices: &Substitution) -> Substitution {
        let slots = self.memories.clone();
        slots.iter().map(|slot| (slot.var, self.insert(slot.next, choices))).collect()
    }

    /// A truth value of its own.
    pub fn flag(&mut self) -> TermId {
        let var = VarId(self.fresh);
        self.fresh += 1;
        self.terms.variable(var, Sort::Bool)
    }

    /// A flag from which a fact follows in a session.
    pub fn named(&mut self, session: &mut dyn Session, fact: TermId) -> TermId {
        let flag = self.flag();
        let follows = self.terms.implies(flag, fact);
        session.assert(&self.terms, follows);
        flag
    }

    /// That variables have the values of others.
    pub fn equations(&mut self, pairs: impl IntoIterator<Item = (TermId, TermId)>) -> TermId {
        let terms = &mut self.terms;
        let list: Vec<TermId> = pairs.into_iter().map(|(a, b)| terms.eq(a, b)).collect();
        terms.and(list)
    }

    /// A copy of each variable of a step.
    pub fn copies(&mut self) -> Substitution {
        let all = self.all();
        let mut copies = Substitution::default();
        for term in all {
            if let Some(var) = self.terms.var(term) {
                let copy = VarId(self.fresh);
                self.fresh += 1;
                let sort = self.terms.sort(term);
                copies.insert(var, self.terms.variable(copy, sort));
            }
        }
        copies
    }

    /// That the state comes after a step, whose variables these are, in which both keep to
    /// what they must.
    pub fn reached(&mut self, step: &Substitution) -> TermId {
        let next = self.next(step);
        let pairs: Vec<(TermId, TermId)> =
            self.memories.iter().map(|slot| (slot.term, next[&slot.var])).collect();
        let follows = self.equations(pairs);
        let assumed = self.insert(self.assumption, step);
        let kept = self.insert(self.guarantee, step);
        self.terms.and([follows, assumed, kept])
    }

    /// That variables have the values of a model.
    pub fn at(&mut self, model: &Valuation, variables: &[TermId]) -> TermId {
        let mut pairs = Vec::with_capacity(variables.len());
        for term in variables {
            let value = self.terms.var(*term).and_then(|var| model.values.get(&var));
            if let Some(value) = value {
                pairs.push((*term, self.terms.constant(value.clone())));
            }
        }
        self.equations(pairs)
    }

    /// Values for variables, as terms.
    pub fn constants(&mut self, values: Vec<(TermId, Value)>) -> Substitution {
        let mut constants = Substitution::default();
        for (term, value) in values {
            if let Some(var) = self.terms.var(term) {
                constants.insert(var, self.terms.constant(value));
            }
        }
        constants
    }

    pub fn session(&self) -> Result<Box<dyn Session>, Reason> {
        let Options { solver, solver_options, cancel } = &self.options;
        open_session(solver, self.logic, solver_options, cancel).map_err(|fault| self.failed(fault))
    }

    /// Whether some facts can hold together.
    pub fn ask(&self, session: &mut dyn Session, literals: &[TermId]) -> Result<bool, Reason> {
        match session.check(&self.terms, literals) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(NoAnswer::Fault(fault)) => Err(self.failed(fault)),
            Answer::Unknown(why) => Err(self.stopped(why.to_string())),
        }
    }

    /// The values of some variables in a model.
    pub fn model(
        &self,
        session: &mut dyn Session,
        variables: &[TermId],
    ) -> Result<Valuation, Reason> {
        let mut valuation = Valuation::default();
        for term in variables {
            let value = session.value(&self.terms, *term).map_err(|fault| self.failed(fault))?;
            let var = self.terms.var(*term).expect("variables are asked for");
            valuation.values.insert(var, value);
        }
        Ok(valuation)
    }

    /// The variables of the state, and those of the environment.
    pub fn before_the_answer(&self) -> Vec<TermId> {
        self.memories.iter().map(|slot| slot.term).chain(self.environment.clone()).collect()
    }

    /// All variables of a step.
    pub fn all(&self) -> Vec<TermId> {
        let mut all = self.before_the_answer();
        all.extend(&self.controlled);
        all
    }

    /// Terms for variables, as they are shown to others.
    pub fn choices(&self, variables: &[TermId], by: &Substitution) -> Choices {
        let vars = variables.iter().filter_map(|term| self.terms.var(*term));
        vars.filter_map(|var| Some((var, *by.get(&var)?))).collect()
    }

    fn failed(&self, fault: Fault) -> Reason {
        self.stopped(fault.to_string())
    }

    fn stopped(&self, why: String) -> Reason {
        match self.options.cancel.cause() {
            Some(cause) => cause.into(),
            None => Reason::Solver(why),
        }
    }
}
