//! The SEP-solver: the smallest set of clauses that separates states.
//!
//! A satisfiability problem over the matrix of states and literals: which
//! literals are in which clause. It is solved by branching on what is violated.
//! A clause only ever gains literals, so it only ever gains states; a positive
//! state outside of a clause must be covered by one more literal of it. Where
//! the first state of an implication satisfies all clauses and the second one
//! does not, the second must be covered too, or a new clause must exclude the
//! first. Every separating set is found that way, a smallest one first.

use super::super::duality::{Halt, Separation, StateId};
use super::literals::ALONE;

/// The most branches of one search.
const MOST_NODES: usize = 300_000;

/// A set of small numbers.
#[derive(Clone, Default, Debug)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub fn insert(&mut self, i: usize) {
        if self.0.len() <= i / 64 {
            self.0.resize(i / 64 + 1, 0);
        }
        self.0[i / 64] |= 1 << (i % 64);
    }

    pub fn contains(&self, i: usize) -> bool {
        self.0.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    fn unite(&mut self, other: &Bits) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }
}

/// A clause in the making.
#[derive(Clone, Default, Debug)]
struct Clause {
    literals: Vec<usize>,
    /// The states that satisfy it.
    truth: Bits,
    /// The states that it excludes.
    excluded: Vec<usize>,
}

/// A search for clauses over some literals.
pub(crate) struct Solver<'a> {
    /// By literal: the states that satisfy it.
    columns: &'a [Bits],
    /// The literals that may be used, the simple ones first.
    literals: &'a [usize],
    positive: Vec<usize>,
    implications: Vec<(usize, usize)>,
    /// The most clauses, and the most literals in each.
    width: usize,
    most_literals: usize,
    nodes: usize,
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
        columns: &'a [Bits],
        literals: &'a [usize],
        most_literals: usize,
        stop: &'a dyn Fn() -> bool,
    ) -> Solver<'a> {
        let number = |s: &StateId| s.0 as usize;
        Solver {
            columns,
            literals,
            positive: query.positive.iter().map(number).collect(),
            implications: query.implications.iter().map(|(s, t)| (number(s), number(t))).collect(),
            width: query.width,
            most_literals,
            nodes: 0,
            clauses: Vec::new(),
            stop,
        }
    }

    /// Clauses of which one excludes a state, as sets of literals; an error if
    /// the search was cut short.
    pub fn exclude(&mut self, t: StateId, slots: usize) -> Result<Option<Vec<Vec<usize>>>, Halt> {
        let t = t.0 as usize;
        if self.positive.contains(&t) {
            return Ok(None);
        }
        self.width = slots;
        self.nodes = 0;
        self.clauses = vec![Clause { excluded: vec![t], ..Clause::default() }];
        let found = self.solve()?;
        let clauses = std::mem::take(&mut self.clauses);
        Ok(found.then(|| clauses.into_iter().map(|c| c.literals).collect()))
    }

    /// Whether the clauses can be completed. The depth of the recursion is the
    /// number of literals and clauses, a dozen at most.
    fn solve(&mut self) -> Result<bool, Halt> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return Err(Halt::TooLarge("the separation has too many cases".into()));
        }
        if self.nodes.is_multiple_of(4096) && (self.stop)() {
            return Err(Halt::Interrupted);
        }
        match self.violation() {
            None => Ok(true),
            Some(Violation::Cover(clause, state)) => self.cover(clause, state),
            Some(Violation::CoverOrExclude(clause, state, before)) => {
                if self.cover(clause, state)? {
                    return Ok(true);
                }
                if self.clauses.len() == self.width {
                    return Ok(false);
                }
                self.clauses.push(Clause { excluded: vec![before], ..Clause::default() });
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
        let own = &self.clauses[clause].literals;
        if own.len() == self.most_literals || own.contains(&ALONE) {
            return Ok(false);
        }
        let any = own.is_empty();
        for i in 0..self.literals.len() {
            let literal = self.literals[i];
            let (columns, own) = (self.columns, &mut self.clauses[clause]);
            let column = &columns[literal];
            if literal == ALONE && !any
                || !column.contains(state)
                || own.excluded.iter().any(|s| column.contains(*s))
            {
                continue;
            }
            let before = own.truth.clone();
            own.literals.push(literal);
            own.truth.unite(column);
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
            if let Some(s) = self.positive.iter().find(|s| !clause.truth.contains(**s)) {
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
