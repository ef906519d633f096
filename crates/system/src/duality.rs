//! How a primal-dual search came to its end. It is for the reader: no verdict
//! rests on it.

use lustral_term::{Value, VarId};

use crate::verdict::Predicate;

/// The rounds of a search, and what it found.
#[derive(Clone, Debug)]
pub struct DualSearch {
    /// What was known of the states from the start: the types, and what
    /// preparation found. Steps of a proof may rest on it.
    pub given: Vec<Predicate>,
    /// What is known after each round.
    pub rounds: Vec<DualRound>,
    /// What it found.
    pub answer: DualAnswer,
}

/// How much is known after a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DualRound {
    /// The induction width: the most predicates that a step of a proof may add.
    pub width: usize,
    /// The states that were discovered.
    pub states: usize,
    /// Those that satisfy all that steps of this width can prove.
    pub abstractly_reachable: usize,
    /// Those that are reachable.
    pub reachable: usize,
    /// The predicates that were discovered.
    pub predicates: usize,
    /// Those that are an inductive invariant together.
    pub invariant: usize,
    /// Those that have a proof of this width.
    pub provable: usize,
}

/// A predicate of the prepared system; nothing stands for the property.
pub type DualPredicate = Option<Predicate>;

/// What a search found.
#[derive(Clone, Debug)]
pub enum DualAnswer {
    /// The property has an incremental proof: each step adds predicates that
    /// are inductive relative to those before.
    Provable {
        /// The most predicates in a step.
        width: usize,
        /// The steps.
        steps: Vec<Vec<DualPredicate>>,
    },
    /// It is part of an inductive invariant; there is no proof of the width.
    Safe {
        /// The width.
        width: usize,
        /// The invariant.
        invariant: Vec<DualPredicate>,
    },
    /// It fails in the last of these states, each of which follows the one before.
    Unsafe(DualStates),
    /// It has no proof of the width: it fails in one of these states, and all
    /// that such proofs can show holds in all of them.
    Unprovable {
        /// The width.
        width: usize,
        /// The states.
        states: DualStates,
    },
}

/// States: the values of some memories.
#[derive(Clone, Debug, Default)]
pub struct DualStates {
    /// The memories.
    pub memories: Vec<VarId>,
    /// Their values, in each state.
    pub states: Vec<Vec<Value>>,
}
