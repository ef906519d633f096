//! The SEP-solver: subclauses of diagrams that separate states.
//!
//! A clause that a state violates says of some of its elements, which are different, that not all of some of the
//! literals hold that hold of them there: it is part of the negation of their *diagram*. It holds in another
//! state if, whichever different elements are taken for them, one of these literals does not hold. So which
//! literals to take is a question of hitting sets: one set for each way to take elements, added when a choice of
//! literals misses it. All numbers of elements up to those of the state are tried, so that where
//! nothing is found, no clause with different variables separates the states.

use lustral_first_order::{SortId, Universe};
use lustral_sat::{Answer, Lit, Solver};

use crate::atoms::{Atoms, Cube, Element};
use crate::pattern::{Part, Pattern};

/// A state with the atoms of its size.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub atoms: &'a Atoms,
    pub state: &'a Cube,
}

/// What a clause has to do.
pub(super) struct Wanted<'a> {
    /// It holds in these.
    pub positive: &'a [Shown<'a>],
    /// Where it holds in the first of these, it holds in the second.
    pub implications: &'a [(Shown<'a>, Shown<'a>)],
}

/// A clause that a state violates, with so many variables. An error if the work is stopped.
pub(super) fn separate(
    wanted: &Wanted<'_>,
    negative: Shown<'_>,
    variables: usize,
    solver: &dyn Fn() -> Solver,
) -> Result<Option<Pattern>, ()> {
    for elements in chosen(&negative.atoms.universe, variables) {
        let diagram = Diagram::of(negative, elements);
        if let Some(pattern) = Search::new(&diagram, wanted, solver()).run()? {
            return Ok(Some(pattern));
        }
    }
    Ok(None)
}

/// All choices of so many elements.
fn chosen(universe: &Universe, number: usize) -> Vec<Vec<Element>> {
    let sorts = universe.sizes().iter().zip(0..);
    let all: Vec<Element> =
        sorts.flat_map(|(size, sort)| (0..*size).map(move |e| (SortId(sort), e))).collect();
    let mut found: Vec<Vec<Element>> = vec![Vec::new()];
    for element in all {
        let with = found.iter().filter(|list| list.len() < number).map(|list| {
            let mut more = list.clone();
            more.push(element);
            more
        });
        let with: Vec<_> = with.collect();
        found.extend(with);
    }
    found.retain(|list| list.len() == number);
    found
}

/// What holds of some elements of a state.
struct Diagram {
    elements: Vec<Element>,
    parts: Vec<Part>,
}

impl Diagram {
    fn of(shown: Shown<'_>, elements: Vec<Element>) -> Diagram {
        let mut parts = Vec::new();
        for (atom, holds) in shown.state {
            let places = shown.atoms.elements(*atom).iter();
            let places: Option<Vec<usize>> =
                places.map(|e| elements.iter().position(|other| other == e)).collect();
            if let Some(places) = places {
                parts.push((shown.atoms.symbol(*atom), places, *holds));
            }
        }
        Diagram { elements, parts }
    }

    /// The ways to take different elements of a state for those of the diagram.
    fn ways(&self, universe: &Universe) -> Vec<Vec<u32>> {
        let mut found: Vec<Vec<u32>> = vec![Vec::new()];
        for (sort, _) in &self.elements {
            let more = |known: &Vec<u32>| {
                let known = known.clone();
                (0..universe.size(*sort)).filter_map(move |element| {
                    let mut taken = known.iter().zip(&self.elements);
                    if taken.any(|(e, (other, _))| *e == element && other == sort) {
                        return None;
                    }
                    Some([&known[..], &[element]].concat())
                })
            };
            found = found.iter().flat_map(more).collect();
        }
        found
    }

    /// The literals of the diagram that do not hold of some elements of a state, by number.
    fn missing(&self, shown: Shown<'_>, way: &[u32]) -> Vec<usize> {
        let differs = |(_, (symbol, places, holds)): &(usize, &Part)| {
            let elements = places.iter().map(|place| way[*place]).collect();
            let atom = shown.atoms.number(*symbol, elements);
            atom.is_none_or(|atom| shown.state[atom as usize].1 != *holds)
        };
        self.parts.iter().enumerate().filter(differs).map(|(i, _)| i).collect()
    }

    /// By way, what is missing in a state.
    fn rows(&self, shown: Shown<'_>) -> Vec<Vec<usize>> {
        self.ways(&shown.atoms.universe).iter().map(|way| self.missing(shown, way)).collect()
    }
}

/// A search for literals.
struct Search<'d> {
    diagram: &'d Diagram,
    solver: Solver,
    /// By literal of the diagram: that it is taken.
    taken: Vec<Lit>,
    /// What each positive state asks for.
    positive: Vec<Vec<Vec<usize>>>,
    implications: Vec<[Vec<Vec<usize>>; 2]>,
}

impl<'d> Search<'d> {
    fn new(diagram: &'d Diagram, wanted: &Wanted<'_>, mut solver: Solver) -> Search<'d> {
        let taken = diagram.parts.iter().map(|_| Lit::new(solver.variable(), true)).collect();
        let positive = wanted.positive.iter().map(|shown| diagram.rows(*shown)).collect();
        let both = wanted.implications.iter();
        let implications =
            both.map(|(from, to)| [diagram.rows(*from), diagram.rows(*to)]).collect();
        Search { diagram, solver, taken, positive, implications }
    }

    fn run(mut self) -> Result<Option<Pattern>, ()> {
        // No choice of literals is missed by nothing.
        if self.positive.iter().flatten().any(Vec::is_empty) {
            return Ok(None);
        }
        let mut encoded = vec![false; self.implications.len()];
        loop {
            let Some(taken) = self.solve(&[])? else { return Ok(None) };
            if self.refined(&taken, &mut encoded) {
                continue;
            }
            let taken = self.fewer(taken, &mut encoded)?;
            let parts = taken.iter().map(|i| self.diagram.parts[*i].clone()).collect();
            let sorts = self.diagram.elements.iter().map(|e| e.0).collect();
            return Ok(Some(Pattern::over(parts, sorts)));
        }
    }

    /// Some choice of literals that does what is known to be needed.
    fn solve(&mut self, assumptions: &[Lit]) -> Result<Option<Vec<usize>>, ()> {
        self.taken.iter().for_each(|taken| self.solver.prefer(!*taken));
        match self.solver.solve(assumptions) {
            Answer::Stopped => Err(()),
            Answer::Unsat => Ok(None),
            Answer::Sat => {
                let is_taken = |i: &usize| self.solver.value(self.taken[*i]);
                Ok(Some((0..self.taken.len()).filter(is_taken).collect()))
            }
        }
    }

    /// Adds what a choice does not do; whether there is something.
    fn refined(&mut self, taken: &[usize], encoded: &mut [bool]) -> bool {
        let misses = |row: &&Vec<usize>| !row.iter().any(|i| taken.contains(i));
        for rows in &self.positive {
            if let Some(row) = rows.iter().find(misses) {
                let clause: Vec<Lit> = row.iter().map(|i| self.taken[*i]).collect();
                self.solver.add(&clause);
                return true;
            }
        }
        let broken = |([from, to], known): (&[Vec<Vec<usize>>; 2], &bool)| {
            !known && !from.iter().any(|row| misses(&row)) && to.iter().any(|row| misses(&row))
        };
        let number = self.implications.iter().zip(encoded.iter()).position(broken);
        if let Some(number) = number {
            encoded[number] = true;
            self.imply(number);
            return true;
        }
        false
    }

    /// That a clause that holds in the first of two states holds in the second.
    fn imply(&mut self, number: usize) {
        let [from, to] = &self.implications[number];
        // Some way misses all that is taken, and so the clause does not hold in the first state.
        let mut either = Vec::new();
        for row in from {
            let missed = Lit::new(self.solver.variable(), true);
            row.iter().for_each(|i| self.solver.add(&[!missed, !self.taken[*i]]));
            either.push(missed);
        }
        let holds = Lit::new(self.solver.variable(), true);
        either.push(holds);
        self.solver.add(&either);
        for row in to {
            let mut clause = vec![!holds];
            clause.extend(row.iter().map(|i| self.taken[*i]));
            self.solver.add(&clause);
        }
    }

    /// Leaves literals out, one by one.
    fn fewer(&mut self, taken: Vec<usize>, encoded: &mut [bool]) -> Result<Vec<usize>, ()> {
        let mut best = taken;
        let mut needed: Vec<usize> = Vec::new();
        while let Some(without) = best.iter().copied().find(|i| !needed.contains(i)) {
            let assumptions: Vec<Lit> = (0..self.taken.len())
                .filter(|i| *i == without || !best.contains(i))
                .map(|i| !self.taken[i])
                .collect();
            loop {
                let Some(found) = self.solve(&assumptions)? else {
                    needed.push(without);
                    break;
                };
                if !self.refined(&found, encoded) {
                    best = found;
                    break;
                }
            }
        }
        Ok(best)
    }
}
