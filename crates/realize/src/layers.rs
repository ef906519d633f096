//! What the environment can do: from a state and a choice for which the system has no
//! answer, a set of states with a choice for each.

use lustral_projection::{Literal, Valuation, implicant};
use lustral_system::Reason;
use lustral_term::TermId;

use crate::arena::Substitution;
use crate::moves::suggested;
use crate::rounds::Rounds;

/// How often a generalisation is tried, each time with one more move of the system.
const MOST_ATTEMPTS: usize = 40;
/// Up to how many literals each is tried to do without.
const MOST_LITERALS: usize = 60;

/// States with a choice of the environment.
pub(crate) struct Losing {
    pub states: Vec<TermId>,
    pub choice: Substitution,
}

impl Rounds {
    /// Generalises a state and a choice for which the system has no answer in this round.
    pub(crate) fn losing(&mut self, point: &Valuation) -> Result<Losing, Reason> {
        let choice = self.choice(point);
        if let Some(states) = self.attempts(point, &choice)? {
            return Ok(Losing { states, choice });
        }
        // The point itself.
        let choice = self.constant_choice(point);
        if let Some(states) = self.attempts(point, &choice)? {
            return Ok(Losing { states, choice });
        }
        let memories: Vec<TermId> = self.arena.memories.iter().map(|slot| slot.term).collect();
        let states: Vec<TermId> =
            memories.iter().map(|term| self.arena.at(point, &[*term])).collect();
        let flag = self.premise(&choice);
        match self.enough(flag, &states)? {
            Some(states) => Ok(Losing { states, choice }),
            None => Err(Reason::Solver("two answers contradict each other".into())),
        }
    }

    /// The choice of a point as terms over the state, as the literals suggest that make it
    /// one without an answer.
    fn choice(&mut self, point: &Valuation) -> Substitution {
        let roots = self.unanswered();
        let environment = self.arena.environment.clone();
        suggested(&mut self.arena, &roots, point, &environment)
    }

    fn constant_choice(&mut self, point: &Valuation) -> Substitution {
        let mut values = point.evaluator(&self.arena.terms);
        let environment = self.arena.environment.iter();
        let found = environment.map(|term| (*term, values.of(*term))).collect();
        self.arena.constants(found)
    }

    /// That the assumptions hold, and some group has no move that is an answer.
    fn unanswered(&mut self) -> Vec<TermId> {
        let arena = &mut self.arena;
        let failing: Vec<TermId> =
            self.groups.iter().map(|group| group.unanswered(arena)).collect();
        vec![arena.assumption, arena.terms.or(failing)]
    }

    /// Literals of the state, which holds at the point, from which it follows that the
    /// choice is allowed and leaves no answer.
    fn attempts(
        &mut self,
        point: &Valuation,
        choice: &Substitution,
    ) -> Result<Option<Vec<TermId>>, Reason> {
        let flag = self.premise(choice);
        for _ in 0..MOST_ATTEMPTS {
            let roots = self.unanswered();
            let roots: Vec<TermId> =
                roots.into_iter().map(|root| self.arena.insert(root, choice)).collect();
            let Some(literals) = implicant(&self.arena.terms, &roots, point) else {
                return Ok(None);
            };
            let literals: Vec<TermId> = literals
                .into_iter()
                .flat_map(Literal::split)
                .map(|literal| literal.term(&mut self.arena.terms))
                .collect();
            if let Some(states) = self.enough(flag, &literals)? {
                return Ok(Some(states));
            }
            // The system has an answer at another state with these literals: one more move.
            let all = self.arena.all();
            let model = self.arena.model(&mut *self.system, &all)?;
            if !self.learn(&model) {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// A flag in the session of the system: the environment makes the choice, and it is
    /// not allowed or there is an answer.
    fn premise(&mut self, choice: &Substitution) -> TermId {
        let pairs: Vec<(TermId, TermId)> = (self.arena.environment.iter())
            .filter_map(|term| Some((*term, *choice.get(&self.arena.terms.var(*term)?)?)))
            .collect();
        let chosen = self.arena.equations(pairs);
        let terms = &mut self.arena.terms;
        let forbidden = terms.not(self.arena.assumption);
        let open = terms.or([forbidden, self.answered]);
        let premise = terms.and([chosen, open]);
        self.arena.named(&mut *self.system, premise)
    }

    /// As few of some literals as can be, if together they contradict a premise.
    fn enough(
        &mut self,
        premise: TermId,
        literals: &[TermId],
    ) -> Result<Option<Vec<TermId>>, Reason> {
        let mut named: Vec<(TermId, TermId)> = Vec::with_capacity(literals.len());
        for literal in literals {
            named.push((self.arena.named(&mut *self.system, *literal), *literal));
        }
        let query = |list: &[(TermId, TermId)]| -> Vec<TermId> {
            std::iter::once(premise).chain(list.iter().map(|(flag, _)| *flag)).collect()
        };
        if self.arena.ask(&mut *self.system, &query(&named))? {
            return Ok(None);
        }
        let core = self.system.core();
        named.retain(|(flag, _)| core.contains(flag));
        let mut i = 0;
        while i < named.len() && named.len() <= MOST_LITERALS {
            let mut fewer = named.clone();
            fewer.remove(i);
            if self.arena.ask(&mut *self.system, &query(&fewer))? {
                i += 1;
            } else {
                let core = self.system.core();
                fewer.retain(|(flag, _)| core.contains(flag));
                named = fewer;
            }
        }
        Ok(Some(named.into_iter().map(|(_, literal)| literal).collect()))
    }
}
