//! The induction duality structure (Definition 3.4), as a domain offers it.
//!
//! Two graphs face each other. The vertices of one are finite sets of states,
//! its edges `E` add a state that is initial or follows one of the set. The
//! vertices of the other are finite sets of predicates, its edges `Ẽ` add at
//! most k predicates that hold wherever those of the set do, by induction. What
//! connects them is satisfaction, and eq. (6): an edge `(X, Y)` of `E` and an
//! edge `(P, P ∪ Q)` of `Ẽ` are *parallel* unless `X ⊨ P`, `X ⊨ Q`, `Y ⊨ P` and
//! not `Y ⊨ Q`.
//!
//! States and predicates are numbers here; what stands behind them is the
//! domain's business.

use std::collections::BTreeSet;

/// A state, by its number in the domain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(pub u32);

/// A predicate, by its number in the domain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PredicateId(pub u32);

/// A finite set of states: a vertex of the primal graph.
pub type States = BTreeSet<StateId>;
/// A finite set of predicates, read as their conjunction: a vertex of the dual graph.
pub type Predicates = BTreeSet<PredicateId>;

/// An edge of `E` without what is not needed of its source: an initial state,
/// or a state with one that follows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Transition {
    /// The state before, unless the other is initial.
    pub from: Option<StateId>,
    /// The state that is reached.
    pub to: StateId,
}

impl Transition {
    /// The states at its ends.
    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        self.from.into_iter().chain([self.to])
    }
}

/// An edge `(P, P ∪ Q)` of `Ẽ`: a k-width induction step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InductionStep {
    /// `P`: what is assumed.
    pub from: Predicates,
    /// `Q`: what is added.
    pub adds: Predicates,
}

impl InductionStep {
    /// The predicates at its ends.
    pub fn predicates(&self) -> impl Iterator<Item = PredicateId> + '_ {
        self.from.iter().chain(&self.adds).copied()
    }
}

/// Whether `(P, P ∪ Q)` is an edge of `Ẽ`, but for its width.
#[derive(Clone, Debug)]
pub enum Judged {
    /// It is, and these of `P` are enough for it.
    Holds(Predicates),
    /// It is not: this edge of `E` is not parallel.
    Broken(Transition),
}

/// `SEP(S⁺, S⁻, S→, k)` of section 5.1, except that only *some* state of `S⁻`
/// need be excluded: Algorithm 4 asks for some `t` in a set each time.
pub struct Separation<'q> {
    /// `S⁺`: all of these satisfy the answer.
    pub positive: &'q States,
    /// `S⁻`: at least one of these does not.
    pub some_negative: &'q States,
    /// `S→`: where the first satisfies it, the second does.
    pub implications: &'q [(StateId, StateId)],
    /// The most predicates in the answer.
    pub width: usize,
    /// The layers of predicates that the answer may be from: those before this.
    pub stratum: usize,
}

/// States, predicates, satisfaction, and the oracles of section 4.
pub trait Domain {
    /// Why a computation ended without a result: time is up, a solver does not know, there would
    /// be too much to look at.
    type Halt;

    /// That this many sets of predicates were tried for one induction step, and others were not.
    fn too_many(&self, tried: usize) -> Self::Halt;

    /// `s ⊨ p`.
    fn satisfies(&mut self, s: StateId, p: PredicateId) -> Result<bool, Self::Halt>;

    /// Some edge of `E` from `from` (or from nowhere, to an initial state) to
    /// one of `to`.
    fn transition_between(
        &mut self,
        from: &States,
        to: &States,
    ) -> Result<Option<Transition>, Self::Halt>;

    /// The E-solver: whether all of `E` is parallel to `(P, P ∪ Q)`.
    fn judge(&mut self, p: &Predicates, q: &Predicates) -> Result<Judged, Self::Halt>;

    /// The SEP-solver: a set of predicates that separates.
    fn separate(&mut self, query: &Separation<'_>) -> Result<Option<Predicates>, Self::Halt>;

    /// The number of layers of predicates, each of them finite (section 4.3).
    fn strata(&self) -> usize;

    /// Makes the last layer larger, so that it may separate some states from
    /// others; false if it is not worth it.
    fn grow(&mut self, states: &States) -> bool;

    /// Transitions that are known anyway. What they rule out need not be asked.
    fn known(&self) -> Vec<Transition>;

    /// It is known that the property holds: an inductive set has it. What is asked from now on is
    /// asked only to say how narrow a proof can be.
    fn is_safe(&mut self) {}

    /// Whether all answers so far were exact: where a search was cut short,
    /// nothing is found to be inseparable.
    fn is_exact(&self) -> bool {
        true
    }

    /// `S ⊨ p`.
    fn all_satisfy(&mut self, states: &States, p: PredicateId) -> Result<bool, Self::Halt> {
        for s in states {
            if !self.satisfies(*s, p)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `s ⊨ P`.
    fn satisfies_all(&mut self, s: StateId, predicates: &Predicates) -> Result<bool, Self::Halt> {
        for p in predicates {
            if !self.satisfies(s, *p)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `P ∩ α(S)`: those of the predicates that all of the states satisfy.
    fn alpha(
        &mut self,
        predicates: &Predicates,
        states: &States,
    ) -> Result<Predicates, Self::Halt> {
        let mut found = Predicates::new();
        for p in predicates {
            if self.all_satisfy(states, *p)? {
                found.insert(*p);
            }
        }
        Ok(found)
    }

    /// `S ∩ γ(P)`: those of the states that satisfy all of the predicates.
    fn gamma(&mut self, states: &States, predicates: &Predicates) -> Result<States, Self::Halt> {
        let mut found = States::new();
        for s in states {
            if self.satisfies_all(*s, predicates)? {
                found.insert(*s);
            }
        }
        Ok(found)
    }
}
