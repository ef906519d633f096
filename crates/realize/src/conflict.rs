//! Which guarantees are enough for the environment to win.

use lustral_system::{Demand, Game};

/// Who wins a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winner {
    /// The one who implements the contract.
    System,
    /// The environment.
    Environment,
}

/// Guarantees that cannot be kept together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// Their positions in the game.
    pub guarantees: Vec<usize>,
    /// Whether the rest can be kept without any one of them.
    pub minimal: bool,
}

/// The guarantees of a game that the environment wins, without those that it wins without.
/// `winner` says who wins a game with fewer guarantees, if that is known.
pub fn conflict(game: &Game, mut winner: impl FnMut(&Game) -> Option<Winner>) -> Conflict {
    let mut kept: Vec<usize> = (0..game.guarantees.len()).collect();
    let (mut i, mut minimal) = (0, true);
    while i < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(i);
        match winner(&part(game, &fewer)) {
            Some(Winner::Environment) => kept = fewer,
            Some(Winner::System) => i += 1,
            None => {
                minimal = false;
                i += 1;
            }
        }
    }
    Conflict { guarantees: kept, minimal }
}

/// The game with some of its guarantees.
fn part(game: &Game, kept: &[usize]) -> Game {
    let guarantees: Vec<Demand> = kept.iter().map(|at| game.guarantees[*at].clone()).collect();
    Game { guarantees, ..game.clone() }
}
