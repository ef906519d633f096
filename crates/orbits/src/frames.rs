//! The frames of IC3: clauses with the number of steps for which they are known to hold, and
//! the questions that are asked of them.
//!
//! A clause stands for all that it becomes when elements are renamed (its *orbit*). What can be
//! reached in so many steps is the same whatever elements are called, and so is every frame; so a
//! question about one clause answers it for its orbit.

use std::collections::BTreeSet;

use lustral_sat::{Answer, Lit};
use rustc_hash::FxHashSet;

use crate::atoms::{AtomLit, Cube};
use crate::pattern::Pattern;
use crate::system::System;

/// What no state of some frames is in.
pub(crate) struct Blocked {
    pub shape: Shape,
    /// The highest frame that it is in; the last number if it holds for ever.
    pub level: usize,
    /// What it is asserted by.
    pub selector: Lit,
}

/// A pattern with the cubes that it excludes at this size.
#[derive(Clone)]
pub(crate) struct Shape {
    pub pattern: Pattern,
    pub cubes: Vec<Cube>,
    /// One of each orbit.
    pub each: Vec<Cube>,
}

/// Known to hold of everything that is reachable.
pub(crate) const FOREVER: usize = usize::MAX;

/// That the work was stopped.
pub(crate) struct Stopped;

pub(crate) struct Frames<'p> {
    pub system: System<'p>,
    pub blocked: Vec<Blocked>,
    /// Questions since the solver was tidied up.
    asked: usize,
    pub questions: usize,
    /// What the last step that is not possible rests on (`together.rs`).
    pub needed: Vec<Lit>,
}

impl<'p> Frames<'p> {
    pub fn new(system: System<'p>) -> Frames<'p> {
        Frames { system, blocked: Vec::new(), asked: 0, questions: 0, needed: Vec::new() }
    }

    pub fn ask(&mut self, assumptions: &[Lit]) -> Result<bool, Stopped> {
        self.asked += 1;
        self.questions += 1;
        if self.asked > 2_000 {
            self.asked = 0;
            self.system.solver.tidy();
        }
        // Small questions are answered before the solver itself looks whether it is to stop.
        if self.asked.is_multiple_of(64) && self.system.cancel.is_cancelled() {
            return Err(Stopped);
        }
        match self.system.solver.solve(assumptions) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Stopped => Err(Stopped),
        }
    }

    /// Whether there is a first state, as the evaluator sees it too.
    pub fn begins(&mut self) -> Result<bool, Stopped> {
        Ok(self.ask(&[self.system.first])? && self.system.begins())
    }

    /// What is assumed of the states of a frame.
    fn frame(&self, level: usize) -> Vec<Lit> {
        let holds = self.blocked.iter().filter(|b| b.level >= level);
        let mut list: Vec<Lit> = holds.map(|b| b.selector).collect();
        if level == 0 {
            list.push(self.system.first);
        }
        list
    }

    /// Whether some state of a frame is in a cube.
    pub fn meets(&mut self, level: usize, cube: &[AtomLit]) -> Result<bool, Stopped> {
        let mut assumptions = self.frame(level);
        assumptions.extend(cube.iter().map(|l| self.system.now(*l)));
        self.ask(&assumptions)
    }

    /// Whether some state of a frame does not have a property.
    pub fn fails(&mut self, level: usize, property: Lit) -> Result<bool, Stopped> {
        let mut assumptions = self.frame(level);
        assumptions.push(!property);
        self.ask(&assumptions)
    }

    /// The part of a cube that no first state is in; nothing if one is.
    pub fn uninitial(&mut self, cube: &[AtomLit]) -> Result<Option<Cube>, Stopped> {
        let mut assumptions = vec![self.system.first];
        assumptions.extend(cube.iter().map(|l| self.system.now(*l)));
        if self.ask(&assumptions)? {
            return Ok(None);
        }
        let core = self.system.solver.core().to_vec();
        Ok(Some(cube.iter().copied().filter(|l| core.contains(&self.system.now(*l))).collect()))
    }

    /// A pattern with its cubes; nothing if they are too many.
    pub fn shape(&self, pattern: Pattern) -> Option<Shape> {
        let cubes = pattern.cubes(&self.system.atoms)?;
        let mut seen = FxHashSet::default();
        let mut each = Vec::new();
        for cube in &cubes {
            if !seen.contains(cube) {
                seen.extend(self.system.atoms.orbit(cube));
                each.push(cube.clone());
            }
        }
        Some(Shape { pattern, cubes, each })
    }

    /// A literal that asserts that the state that is left is in none of some cubes.
    pub fn excluded(&mut self, cubes: &[Cube]) -> Lit {
        let selector = Lit::new(self.system.solver.variable(), true);
        for cube in cubes {
            let mut clause = vec![!selector];
            clause.extend(cube.iter().map(|l| !self.system.now(*l)));
            self.system.solver.add(&clause);
        }
        selector
    }

    /// Whether no step leads from a frame, without what a literal excludes, into a shape.
    pub fn keeps_out(
        &mut self,
        level: usize,
        without: &[Lit],
        shape: &Shape,
    ) -> Result<bool, Stopped> {
        for cube in &shape.each {
            if self.enters(level, without, cube)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether no first state is in a shape.
    pub fn begins_outside(&mut self, shape: &Shape) -> Result<bool, Stopped> {
        for cube in &shape.each {
            if self.uninitial(cube)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a step leads from a frame, without what a literal excludes, into a cube. If none
    /// does, the part of the cube that no step leads into.
    pub fn enters(
        &mut self,
        level: usize,
        without: &[Lit],
        cube: &[AtomLit],
    ) -> Result<Option<Cube>, Stopped> {
        // What stands first is more often to blame: what derived relations say before the rest.
        let (cells, derived): (Vec<AtomLit>, Vec<AtomLit>) =
            cube.iter().partition(|(atom, _)| !self.system.is_derived(*atom));
        let ordered = derived.iter().chain(&cells);
        let mut assumptions: Vec<Lit> = ordered.map(|l| self.system.next(*l)).collect();
        assumptions.push(self.system.step);
        assumptions.extend(without);
        assumptions.extend(self.frame(level));
        if self.ask(&assumptions)? {
            return Ok(None);
        }
        let core = self.system.solver.core().to_vec();
        Ok(Some(cube.iter().copied().filter(|l| core.contains(&self.system.next(*l))).collect()))
    }

    /// A literal that asserted something for a question is no longer needed.
    pub fn drop(&mut self, selector: Lit) {
        self.system.solver.add(&[!selector]);
    }

    /// Adds a shape to all frames up to a level, by the literal that excludes it.
    pub fn add(&mut self, shape: Shape, level: usize, selector: Lit) {
        let covers = |cube: &Cube| shape.cubes.iter().any(|new| contains(cube, new));
        let says_more = |old: &Blocked| old.level <= level && old.shape.each.iter().all(covers);
        let gone: Vec<usize> =
            (0..self.blocked.len()).filter(|i| says_more(&self.blocked[*i])).collect();
        for i in gone.into_iter().rev() {
            let old = self.blocked.swap_remove(i);
            self.drop(old.selector);
        }
        self.blocked.push(Blocked { shape, level, selector });
    }

    /// Excludes only what is said, by number.
    pub fn keep_only(&mut self, numbers: &BTreeSet<usize>) {
        let mut number = 0..;
        self.blocked.retain(|_| number.next().is_some_and(|number| numbers.contains(&number)));
    }

    /// Keeps those of some patterns that hold for ever, as far as they show that of each other.
    pub fn begin_with(&mut self, patterns: &[Pattern]) -> Result<(), Stopped> {
        let mut alive = Vec::new();
        for pattern in patterns {
            if let Some(shape) = self.shape(pattern.clone())
                && self.begins_outside(&shape)?
            {
                let selector = self.excluded(&shape.cubes);
                alive.push((shape, selector));
            }
        }
        loop {
            let before = alive.len();
            let mut i = 0;
            while i < alive.len() {
                let (shape, _) = alive[i].clone();
                let all: Vec<Lit> = alive.iter().map(|(_, selector)| *selector).collect();
                if self.keeps_out(FOREVER, &all, &shape)? {
                    i += 1;
                } else {
                    let (_, selector) = alive.swap_remove(i);
                    self.drop(selector);
                }
            }
            if alive.len() == before {
                break;
            }
        }
        for (shape, selector) in alive {
            self.add(shape, FOREVER, selector);
        }
        Ok(())
    }
}

/// Whether all of the second, which is in order, is in the first.
fn contains(all: &[AtomLit], part: &[AtomLit]) -> bool {
    let mut left = all.iter();
    part.iter().all(|one| left.any(|other| other == one))
}
