//! The SEP-solver: the smallest set of clauses that separates states.
//!
//! A satisfiability problem over the matrix of states and literals: which
//! literals are in which clause. It is solved by backtracking search
//! that branches on what is violated.
//! A clause only ever gains literals, so it only ever gains states; a positive
//! state outside of a clause must be covered by one more literal of it. Where
//! the first state of an implication satisfies all clauses and the second one
//! does not, the second must be covered too, or a new clause must exclude the
//! first. Every separating set is found that way, a smallest one first.

use super::super::Halt;
use super::literals::ALONE;
use super::matrix::{Bits, Matrix};
use crate::failure::TooLarge;
use lustral_duality::{Separation, StateId};

/// The most branches of one search.
const MOST_NODES: usize = 100_000;

/// A clause in the making.
#[derive(Clone, Default, Debug)]
struct Clause {
    /// Positions in the matrix.
    literals: Vec<usize>,
    /// The states that satisfy it.
    truth: Bits,
    /// The literals that hold in a state that it excludes.
    forbidden: Bits,
    /// The positive states, those that the fewest other literals cover first.
    order: Vec<usize>,
}

/// A search for clauses.
pub(crate) struct Solver<'a> {
    matrix: &'a Matrix,
    positive: Bits,
    implications: Vec<(usize, usize)>,
    /// The most clauses, and the most literals in each.
    slots: usize,
    most_literals: usize,
    nodes: usize,
    /// The branches of all searches.
    all_nodes: usize,
    clauses: Vec<Clause>,
    stop: &'a dyn Fn() -> bool,
}

/// What is wrong with the clauses so far.
enum Violation {
    /// A clause must hold in a state.
    Cover(usize, usize),
    /// The same, or another clause must exclude the second state.
    CoverOrExclude(usize, usize, usize),
}

impl<'a> Solver<'a> {
    pub fn new(
        query: &Separation<'_>,
        matrix: &'a Matrix,
        (slots, most_literals): (usize, usize),
        stop: &'a dyn Fn() -> bool,
    ) -> Solver<'a> {
        let number = |s: &StateId| s.0 as usize;
        let mut positive = Bits::default();
        query.positive.iter().for_each(|s| positive.insert(number(s)));
        Solver {
            matrix,
            positive,
            implications: query.implications.iter().map(|(s, t)| (number(s), number(t))).collect(),
            slots,
            most_literals,
            nodes: 0,
            all_nodes: 0,
            clauses: Vec::new(),
            stop,
        }
    }

    /// Clauses of which one excludes a state, as sets of literals; an error if
    /// the search was cut short.
    pub fn exclude(&mut self, t: StateId) -> Result<Option<Vec<Vec<usize>>>, Halt> {
        let t = t.0 as usize;
        if self.positive.contains(t) {
            return Ok(None);
        }
        self.nodes = 0;
        self.clauses = vec![self.excluding(t)];
        let found = self.solve()?;
        let literals = |c: &Clause| c.literals.iter().map(|i| self.matrix.literals[*i]).collect();
        Ok(found.then(|| self.clauses.iter().map(literals).collect()))
    }

    /// The branches so far.
    pub fn nodes(&self) -> u32 {
        u32::try_from(self.all_nodes).unwrap_or(u32::MAX)
    }

    fn excluding(&self, state: usize) -> Clause {
        let forbidden = self.matrix.rows[state].clone();
        let mut order: Vec<usize> = self.positive.iter().collect();
        order.sort_by_cached_key(|s| self.matrix.rows[*s].count_without(&forbidden));
        Clause { forbidden, order, ..Clause::default() }
    }

    /// Whether the clauses can be completed. The depth of the recursion is the
    /// number of literals and clauses, a dozen or two.
    fn solve(&mut self) -> Result<bool, Halt> {
        self.nodes += 1;
        self.all_nodes += 1;
        if self.nodes > MOST_NODES {
            return Err(Halt::TooLarge(TooLarge::Separation));
        }
        if self.nodes.is_multiple_of(1024) && (self.stop)() {
            return Err(Halt::Interrupted);
        }
        match self.violation() {
            None => Ok(true),
            Some(Violation::Cover(clause, state)) => self.cover(clause, state),
            Some(Violation::CoverOrExclude(clause, state, before)) => {
                if self.cover(clause, state)? {
                    return Ok(true);
                }
                if self.clauses.len() == self.slots {
                    return Ok(false);
                }
                self.clauses.push(self.excluding(before));
                let found = self.solve()?;
                if !found {
                    self.clauses.pop();
                }
                Ok(found)
            }
        }
    }

    /// Whether some literal for a clause, true in a state, completes the clauses.
    fn cover(&mut self, clause: usize, state: usize) -> Result<bool, Halt> {
        let matrix = self.matrix;
        let own = &self.clauses[clause];
        let is_alone = |i: usize| matrix.literals[i] == ALONE;
        if own.literals.len() == self.most_literals || own.literals.iter().any(|i| is_alone(*i)) {
            return Ok(false);
        }
        let mut candidates = matrix.rows[state].clone();
        candidates.subtract(&own.forbidden);
        // The last literal has to cover all that is left.
        if own.literals.len() + 1 == self.most_literals {
            for s in own.order.iter().filter(|s| !own.truth.contains(**s)) {
                if !candidates.intersect(&matrix.rows[*s]) {
                    return Ok(false);
                }
            }
        }
        let first = own.literals.is_empty();
        for i in candidates.iter().filter(|i| first || !is_alone(*i)).collect::<Vec<_>>() {
            let own = &mut self.clauses[clause];
            let before = own.truth.clone();
            own.literals.push(i);
            own.truth.unite(&matrix.columns[i]);
            if self.solve()? {
                return Ok(true);
            }
            let own = &mut self.clauses[clause];
            own.literals.pop();
            own.truth = before;
        }
        Ok(false)
    }

    fn violation(&self) -> Option<Violation> {
        for (i, clause) in self.clauses.iter().enumerate() {
            if let Some(s) = clause.order.iter().find(|s| !clause.truth.contains(**s)) {
                return Some(Violation::Cover(i, *s));
            }
        }
        for (s, t) in &self.implications {
            if self.clauses.iter().all(|c| c.truth.contains(*s))
                && let Some(i) = self.clauses.iter().position(|c| !c.truth.contains(*t))
            {
                return Some(Violation::CoverOrExclude(i, *t, *s));
            }
        }
        None
    }
}
