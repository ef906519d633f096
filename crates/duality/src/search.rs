//! Primal-dual Houdini (Algorithm 3): Houdini in the primal learns states from
//! the predicates, Houdini in the dual learns predicates from the states.

use crate::duality::{Domain, InductionStep, PredicateId, Predicates, StateId, States, Transition};
use crate::houdini::{
    dual_houdini, needed_steps, path_to, primal_houdini, reach_predicates, reach_states,
};

/// The four answers of Corollary 4.6, with their evidence.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The property has a k-width incremental proof: these steps.
    Provable(Vec<InductionStep>),
    /// It is part of an inductive set of predicates.
    Safe(Predicates),
    /// It fails in the last of these states, each of which follows the one before.
    Unsafe(Vec<StateId>),
    /// It fails in one of these states, all of which satisfy whatever is k-provable.
    Unprovable(States),
}

/// How many states and predicates there were at the end of a round: discovered; then, facing each
/// other, abstractly reachable and invariant; reachable and provable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// The width.
    pub k: usize,
    /// Of states.
    pub states: [usize; 3],
    /// Of predicates.
    pub predicates: [usize; 3],
}

/// The state of Algorithm 3, under the paper's names.
pub struct PrimalDualHoudini {
    p0: PredicateId,
    /// The induction width.
    pub k: usize,
    /// Discovered predicates.
    pub p: Predicates,
    /// Those that are invariant.
    pub p_i: Predicates,
    /// Those that are k-provable.
    pub p_r: Predicates,
    /// Discovered states.
    pub s: States,
    /// The k-abstractly-reachable.
    pub s_i: States,
    /// The reachable.
    pub s_r: States,
    /// The CTIs of the last primal half.
    pub e_h: Vec<Transition>,
    /// The dual-CTIs of the last dual one.
    pub dual_e_h: Vec<InductionStep>,
    /// The ghosts: all predicates and states that were ever explored.
    p_g: Predicates,
    s_g: States,
    /// Whether the last round was interrupted, or was one of another width.
    disturbed: bool,
    /// One row for each round.
    pub rounds: Vec<Tally>,
}

impl PrimalDualHoudini {
    /// Line 2. The search may begin with more predicates than the property:
    /// they are pruned like any other.
    pub fn new(p0: PredicateId, seeds: Predicates, k: usize) -> PrimalDualHoudini {
        let mut p = seeds;
        p.insert(p0);
        PrimalDualHoudini {
            p0,
            k,
            p_g: p.clone(),
            p,
            p_i: Predicates::new(),
            p_r: Predicates::new(),
            s: States::new(),
            s_i: States::new(),
            s_r: States::new(),
            e_h: Vec::new(),
            dual_e_h: Vec::new(),
            s_g: States::new(),
            disturbed: false,
            rounds: Vec::new(),
        }
    }

    /// A round of the loop; the answer if it is the last. After an
    /// interruption the round may be begun again: what was learned is kept.
    pub fn round<D: Domain>(&mut self, domain: &mut D) -> Result<Option<Answer>, D::Halt> {
        let ghosts = (self.s_g.len(), self.p_g.len());
        let answer = match self.primal_half(domain)? {
            Some(answer) => Some(answer),
            None => self.dual_half(domain)?,
        };
        self.rounds.push(self.tally());
        if answer.is_none() {
            self.learn();
        }
        // Theorem 4.7: a round that is not the last explores at least one new
        // state and one new predicate; if it begins with what a whole round of
        // the same width has left.
        if answer.is_none() && !std::mem::replace(&mut self.disturbed, false) && domain.is_exact() {
            debug_assert!(self.s_g.len() > ghosts.0, "no new state in a round");
            debug_assert!(self.p_g.len() > ghosts.1, "no new predicate in a round");
        }
        Ok(answer)
    }

    /// Lines 4 to 7.
    pub fn primal_half<D: Domain>(&mut self, domain: &mut D) -> Result<Option<Answer>, D::Halt> {
        (self.p_i, self.e_h) = primal_houdini(domain, &self.p, &self.s)?;
        let safe = self.p_i.contains(&self.p0);
        if safe {
            domain.is_safe();
        }
        let proof;
        (self.p_r, proof) = match reach_predicates(domain, &self.p_i, self.k) {
            // The invariant is one, whatever else can be said of it.
            Err(_) if safe => return Ok(Some(Answer::Safe(self.p_i.clone()))),
            other => other?,
        };
        if self.p_r.contains(&self.p0) {
            return Ok(Some(Answer::Provable(needed_steps(&proof, self.p0))));
        }
        Ok(safe.then(|| Answer::Safe(self.p_i.clone())))
    }

    /// Lines 8 to 14. Of states, as many as allowed are pruned, of predicates
    /// none: that is the choice of section 5.2.
    pub fn dual_half<D: Domain>(&mut self, domain: &mut D) -> Result<Option<Answer>, D::Halt> {
        let found: States = self.e_h.iter().flat_map(Transition::states).collect();
        self.s_g.extend(&found);
        self.s.extend(&found);
        let mut kept = domain.gamma(&self.s, &self.p_i)?;
        kept.extend(&self.s_i);
        self.s = kept;
        let mut learned = Vec::new();
        let s_i = dual_houdini(domain, &self.s, &self.p, self.k, &mut learned);
        self.dual_e_h = learned;
        self.s_i = match s_i {
            Ok(s_i) => s_i,
            Err(halt) => {
                self.disturbed = true;
                self.learn();
                return Err(halt);
            }
        };
        let path;
        (self.s_r, path) = reach_states(domain, &self.s_i)?;
        // The first that was reached, so that no state before it fails.
        for Transition { to, .. } in &path {
            if !domain.satisfies(*to, self.p0)? {
                return Ok(Some(Answer::Unsafe(path_to(&path, *to))));
            }
        }
        if !domain.all_satisfy(&self.s_i, self.p0)? {
            return Ok(Some(Answer::Unprovable(self.s_i.clone())));
        }
        Ok(None)
    }

    /// Lines 15 to 17: learns the predicates of the dual-CTIs.
    pub fn learn(&mut self) {
        let found = self.dual_e_h.iter().flat_map(InductionStep::predicates);
        let found: Predicates = found.collect();
        self.p_g.extend(&found);
        self.p.extend(found);
    }

    /// Goes on with wider induction steps, after the property was found to
    /// have no proof with these.
    pub fn widen(&mut self) {
        self.k += 1;
        self.disturbed = true;
        self.learn();
    }

    /// What is known now.
    pub fn tally(&self) -> Tally {
        let states = [&self.s, &self.s_i, &self.s_r].map(States::len);
        let predicates = [&self.p, &self.p_i, &self.p_r].map(Predicates::len);
        Tally { k: self.k, states, predicates }
    }
}
