//! A solver for propositional clauses: conflict-driven clause learning with two watched literals,
//! decisions by activity, saved phases, restarts by Luby's sequence, and assumptions with cores
//! (Eén and Sörensson, "An Extensible SAT-solver", 2003).
//!
//! It is for those who ask very many small questions about one formula. Nobody trusts it: who
//! takes an answer from it has the answer checked.

mod heap;
mod solver;
#[cfg(test)]
mod tests;

pub use solver::{Answer, Solver};

/// A variable, positive or negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

impl Lit {
    /// The literal of a variable that says that it is true, or false.
    #[must_use]
    pub fn new(variable: u32, holds: bool) -> Lit {
        Lit(variable << 1 | u32::from(!holds))
    }

    /// The variable.
    #[must_use]
    pub fn variable(self) -> u32 {
        self.0 >> 1
    }

    /// Whether it says that the variable is true.
    #[must_use]
    pub fn holds(self) -> bool {
        self.0 & 1 == 0
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}
