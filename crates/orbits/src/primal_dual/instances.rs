//! The first tier of the E-solver: counterexamples to induction with few elements, by propositional clauses.

use lustral_base::Cancel;
use lustral_first_order::{Structure, TooLarge, Universe};
use lustral_protocol::Protocol;
use lustral_sat::Lit;
use rustc_hash::FxHashMap;

use super::Predicate;
use crate::atoms::Cube;
use crate::encode::conjunction;
use crate::frames::{Frames, Stopped};
use crate::system::{Chosen, System};

/// The states of one size, and what predicates say of them.
pub(super) struct Instance<'p> {
    pub frames: Frames<'p>,
    /// By predicate: what says of it that it holds in a state, and that it fails there and in the next.
    said: FxHashMap<usize, Said>,
    /// By predicate: the cubes that it excludes. The property has none.
    cubes: FxHashMap<usize, Option<Vec<Cube>>>,
}

#[derive(Clone, Copy)]
struct Said {
    holds: Lit,
    holds_next: Lit,
    fails: Lit,
    fails_next: Lit,
}

/// A step that was found.
pub(super) struct Step {
    pub from: Cube,
    pub to: Cube,
}

impl<'p> Instance<'p> {
    pub fn new(
        protocol: &'p Protocol,
        universe: Universe,
        cancel: &Cancel,
    ) -> Result<Instance<'p>, TooLarge> {
        let frames = Frames::new(System::new(protocol, universe, cancel)?);
        Ok(Instance { frames, said: FxHashMap::default(), cubes: FxHashMap::default() })
    }

    pub fn universe(&self) -> &Universe {
        &self.frames.system.atoms.universe
    }

    /// The structure of a state.
    pub fn structure(&self, state: &Cube) -> Structure {
        self.frames.system.structure(&|i| state[i].1)
    }

    /// Whether a predicate that is a clause holds in a state; nothing of others.
    pub fn satisfies(
        &mut self,
        state: &Cube,
        number: usize,
        predicate: &Predicate,
    ) -> Option<bool> {
        let cubes = self.cubes(number, predicate);
        let inside =
            |cube: &Cube| cube.iter().all(|(atom, holds)| state[*atom as usize].1 == *holds);
        Some(!cubes.as_ref()?.iter().any(inside))
    }

    fn cubes(&mut self, number: usize, predicate: &Predicate) -> &Option<Vec<Cube>> {
        let atoms = &self.frames.system.atoms;
        self.cubes.entry(number).or_insert_with(|| match predicate {
            Predicate::Clause(pattern) => Some(pattern.all_cubes(atoms)),
            Predicate::Property(_) => None,
        })
    }

    fn said(&mut self, number: usize, predicate: &Predicate) -> Said {
        if let Some(said) = self.said.get(&number) {
            return *said;
        }
        let cubes = self.cubes(number, predicate).clone();
        let system = &mut self.frames.system;
        let said = match (cubes, predicate) {
            (Some(cubes), _) => {
                let holds = Lit::new(system.solver.variable(), true);
                let holds_next = Lit::new(system.solver.variable(), true);
                let mut some = Vec::new();
                let mut some_next = Vec::new();
                for cube in &cubes {
                    let now: Vec<Lit> = cube.iter().map(|l| system.now(*l)).collect();
                    let next: Vec<Lit> = cube.iter().map(|l| system.next(*l)).collect();
                    for (holds, cube) in [(holds, &now), (holds_next, &next)] {
                        let mut clause = vec![!holds];
                        clause.extend(cube.iter().map(|l| !*l));
                        system.solver.add(&clause);
                    }
                    some.push(!conjunction(&mut system.solver, now));
                    some_next.push(!conjunction(&mut system.solver, next));
                }
                let fails = !conjunction(&mut system.solver, some);
                let fails_next = !conjunction(&mut system.solver, some_next);
                Said { holds, holds_next, fails, fails_next }
            }
            (None, Predicate::Property(property)) => {
                let holds = system.properties[*property];
                let holds_next = system.properties_next[*property];
                Said { holds, holds_next, fails: !holds, fails_next: !holds_next }
            }
            (None, Predicate::Clause(_)) => unreachable!("clauses have cubes"),
        };
        self.said.insert(number, said);
        said
    }

    /// A first state in which some predicates hold and one of others fails.
    pub fn first(
        &mut self,
        holds: &[(usize, &Predicate)],
        adds: &[(usize, &Predicate)],
    ) -> Result<Option<Cube>, Stopped> {
        let fails: Vec<Lit> = adds.iter().map(|(n, p)| self.said(*n, p).fails).collect();
        let mut assumptions: Vec<Lit> = holds.iter().map(|(n, p)| self.said(*n, p).holds).collect();
        let some = self.some(fails);
        assumptions.extend([self.frames.system.first, some]);
        let found = self.frames.ask(&assumptions)?;
        let state = found.then(|| self.frames.system.state());
        self.frames.drop(some);
        Ok(state)
    }

    /// A step from a state in which some predicates and others hold to one in which the first ones still hold and one
    /// of the others fails (eq. 12 of the paper); perhaps from a state that is given.
    pub fn step(
        &mut self,
        holds: &[(usize, &Predicate)],
        adds: &[(usize, &Predicate)],
        from: Option<&Cube>,
    ) -> Result<Option<Step>, Stopped> {
        let fails: Vec<Lit> = adds.iter().map(|(n, p)| self.said(*n, p).fails_next).collect();
        let mut assumptions: Vec<Lit> =
            holds.iter().chain(adds).map(|(n, p)| self.said(*n, p).holds).collect();
        assumptions.extend(holds.iter().map(|(n, p)| self.said(*n, p).holds_next));
        let some = self.some(fails);
        let system = &self.frames.system;
        assumptions.extend([system.step, some]);
        if let Some(from) = from {
            assumptions.extend(from.iter().map(|literal| system.now(*literal)));
        }
        let found = self.frames.ask(&assumptions)?;
        let system = &self.frames.system;
        let step = found.then(|| Step { from: system.state(), to: system.entered() });
        self.frames.drop(some);
        Ok(step)
    }

    /// What chooses a step from one state to another, if there is one.
    pub fn between(&mut self, from: &Cube, to: &Cube) -> Result<Option<Chosen>, Stopped> {
        let system = &self.frames.system;
        let mut assumptions: Vec<Lit> = from.iter().map(|l| system.now(*l)).collect();
        assumptions.extend(to.iter().map(|l| system.next(*l)));
        assumptions.push(system.step);
        let found = self.frames.ask(&assumptions)?;
        Ok(found.then(|| self.frames.system.chosen()))
    }

    /// Whether a state is a first one.
    pub fn begins(&mut self, state: &Cube) -> Result<bool, Stopped> {
        Ok(self.frames.uninitial(state)?.is_none())
    }

    /// That one of some holds, for one question.
    fn some(&mut self, list: Vec<Lit>) -> Lit {
        let solver = &mut self.frames.system.solver;
        let some = Lit::new(solver.variable(), true);
        let clause: Vec<Lit> = std::iter::once(!some).chain(list).collect();
        solver.add(&clause);
        some
    }
}
