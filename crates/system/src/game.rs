//! Games: systems in which some variables are chosen by the environment and some by the
//! one who implements a contract, and what can be said of who wins.
//!
//! At each step the environment chooses values that satisfy the assumptions; then, seeing
//! them, the system chooses its values, which must satisfy the guarantees. Whoever cannot
//! move loses; the system wins whatever goes on for ever. A contract is *realizable* if
//! the system wins from the initial state.

use std::sync::Arc;

use lustral_term::{TermId, Terms, Value, VarId};

use crate::inlined::Inlined;
use crate::transition::Role;

/// A game. Its terms are those of its system and speak of memories and of what the two
/// choose.
#[derive(Clone, Debug)]
pub struct Game {
    /// Memories, initial values and next-state functions. Its constraints and properties
    /// are divided below.
    pub system: Inlined,
    /// What the environment chooses.
    pub environment: Vec<VarId>,
    /// What the system chooses, seeing that.
    pub controlled: Vec<VarId>,
    /// What the environment must keep to; does not depend on what is chosen after it.
    pub assumptions: Vec<TermId>,
    /// What the system must keep to.
    pub guarantees: Vec<Demand>,
}

impl Game {
    /// Whether a variable depends on what the system chooses at the same step.
    #[must_use]
    pub fn depends_on_outputs(&self, var: VarId) -> bool {
        let used = match self.system.variable(var).role {
            Role::Defined(term) => self.system.terms.variables([term]),
            _ => vec![var],
        };
        used.iter().any(|var| self.controlled.contains(var))
    }
}

/// Something that the system must keep to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Demand {
    /// Its name; nothing for the range of a type.
    pub name: Option<String>,
    /// What must hold at every step.
    pub term: TermId,
}

/// Terms for some variables.
pub type Choices = Vec<(VarId, TermId)>;

/// Who wins a game, and how.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The system.
    System(Strategy),
    /// The environment.
    Environment(Refutation),
}

/// How the system wins: the initial state is in the region, and from each state of it
/// that is the initial one or comes after a step from the region, whatever the
/// environment chooses, moves of the groups keep the guarantees and lead to the region.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// The arena of the game's system, with more terms.
    pub terms: Arc<Terms>,
    /// The region: a conjunction over the memories.
    pub region: Vec<TermId>,
    /// The controlled variables in groups that no part of the guarantees connects, nor of
    /// the region at the next step: one move of each makes an answer.
    pub groups: Vec<Group>,
}

/// Controlled variables that are chosen together.
#[derive(Clone, Debug)]
pub struct Group {
    /// The variables.
    pub variables: Vec<VarId>,
    /// What may be chosen for them: a term for each, over the memories and what the
    /// environment chooses.
    pub moves: Vec<Choices>,
}

impl Strategy {
    /// The number of moves.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.groups.iter().map(|group| group.moves.len()).sum()
    }
}

/// How the environment wins. The initial state is in the last layer.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The arena of the game's system, with more terms.
    pub terms: Arc<Terms>,
    /// Sets of states.
    pub layers: Vec<Layer>,
}

/// States from which the environment has a choice after which the system can keep the
/// guarantees only by going to layers before this one.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The states: a conjunction over the memories.
    pub states: Vec<TermId>,
    /// The choice: a term over the memories for each variable of the environment.
    pub choice: Choices,
    /// How many layers before this one count: those of earlier rounds.
    pub before: usize,
}

/// A play that ends because the system cannot move: at each step what both chose, at the
/// last what the environment chose.
#[derive(Clone, Default, Debug)]
pub struct Play {
    /// By step.
    pub steps: Vec<Vec<(VarId, Value)>>,
}
