//! Realizability: who wins the game of a contract.
//!
//! The states from which the system wins are a greatest fixpoint: those from which, for
//! every choice of the environment that the assumptions allow, the system has one that
//! keeps the guarantees and leads to such a state again. It is computed in rounds from
//! above. A round finds the states of the region from which the environment can leave it,
//! in sets (*layers*) that are generalised from single states, and takes them out:
//!
//! - `arena.rs`: the game as terms, with substitution and sessions of a solver;
//! - `moves.rs`: what the system can do. Where it has an answer at one state and choice of
//!   the environment, terms for its variables (witnesses of model-based projection) are an
//!   answer at many; a *move* is such terms, and answers wherever the guarantees and the
//!   next state are right with them inserted. So neither side needs a quantifier;
//! - `groups.rs`: outputs that nothing connects, whose moves are combined;
//! - `layers.rs`: what the environment can do, generalised from a state and a choice for
//!   which the system has no answer;
//! - `rounds.rs`: the fixpoint;
//! - `play.rs`: a play that the environment wins;
//! - `equations.rs`: a strategy as equations of a node;
//! - `stuck.rs`: plays after which the assumptions leave the environment no input;
//! - `conflict.rs`: which guarantees are enough for the environment to win.
//!
//! Nothing here is trusted: `certify` checks regions, moves and layers anew. Where rounds
//! do not end, or a solver gives up, there is no answer.

mod arena;
mod conflict;
mod equations;
mod groups;
mod layers;
mod moves;
mod play;
mod rounds;
mod stuck;

use lustral_base::Cancel;
use lustral_smt::{Solver, SolverOptions};
use lustral_system::{Game, Outcome, Reason};

pub use conflict::{Conflict, Winner, conflict};
pub use equations::{Equations, equations};
pub use play::play;
pub use stuck::{Shown, stuck};

/// How games are solved.
#[derive(Clone)]
pub struct Options {
    /// The solver.
    pub solver: Solver,
    /// How it is set up.
    pub solver_options: SolverOptions,
    /// Stops the search.
    pub cancel: Cancel,
}

/// Finds out who wins a game.
///
/// # Errors
/// If that could not be found out.
pub fn solve(game: &Game, options: &Options) -> Result<Outcome, Reason> {
    rounds::Rounds::new(game, options)?.run()
}
