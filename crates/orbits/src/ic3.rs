//! IC3 on an instance, for orbits of clauses (Bradley, "SAT-Based Model Checking without
//! Unrolling", 2011; Goel and Sakallah, "On Symmetry and Quantification", 2021, for the orbits).
//!
//! A state in which the property fails is to be excluded from a frame; so are the states that lead
//! there, from the frames before. What is excluded is made as general as the questions allow:
//! first whole elements are no longer mentioned, then single literals. It begins with all that
//! holds in the state, not only with what leads to the failure: what makes the state unreachable
//! is often something else, such as who is a member of what, and without it a clause has to mention
//! all elements of a sort.
//!
//! Nothing is excluded that a random execution has reached (`samples.rs`), unless there is no choice.

use std::collections::BTreeMap;

use lustral_protocol::instance::Execution;
use lustral_sat::Lit;

use crate::atoms::{AtomLit, Cube, MOST_RENAMED};
use crate::frames::{Blocked, FOREVER, Frames, Shape, Stopped};
use crate::pattern::Pattern;
use crate::samples::Samples;
use crate::system::Chosen;

/// What was found of an instance.
pub(crate) enum Decided {
    /// What is excluded for ever is never entered, and so the properties hold.
    Holds,
    /// An execution, at the end of which some property fails.
    Fails(Execution),
}

/// The most wider patterns that are tried for one.
const MOST_WIDER: usize = 60;
/// The same for what is excluded for ever, of which there is less.
const MOST_WIDER_FOREVER: usize = 200;

/// A cube that leads to a failure.
struct Goal {
    cube: Cube,
    /// The step that leads on, and the goal that it leads to.
    onward: Option<(Chosen, usize)>,
    depth: usize,
}

/// Blocks failures in frames, one after the other.
pub(crate) struct Ic3<'f, 'p> {
    frames: &'f mut Frames<'p>,
    property: Lit,
    /// States that are reached: nothing is excluded that one of them is in, as long as there is a choice.
    samples: Samples,
    /// The number of questions after which small cubes are tried, once.
    patience: Option<usize>,
    goals: Vec<Goal>,
    /// Cubes that are to be excluded from frames, the lowest first.
    queue: BTreeMap<(usize, usize), usize>,
}

impl<'f, 'p> Ic3<'f, 'p> {
    pub fn new(frames: &'f mut Frames<'p>, property: Lit, patience: usize) -> Ic3<'f, 'p> {
        let samples = Samples::default();
        let (patience, queue) = (Some(patience), BTreeMap::new());
        Ic3 { frames, property, samples, patience, goals: Vec::new(), queue }
    }

    pub fn run(mut self) -> Result<Decided, Stopped> {
        if self.frames.fails(0, self.property)? {
            let first = self.frames.system.state();
            return Ok(Decided::Fails(self.frames.system.execution(&first, &[])));
        }
        self.samples = Samples::collect(self.frames)?;
        self.patience = self.patience.map(|most| self.frames.questions + most);
        let mut last = 1;
        loop {
            while self.frames.fails(last, self.property)? {
                let state = self.frames.system.state();
                if self.is_impatient() {
                    self.patience = None;
                    let holds = self.frames.try_together(self.property, &self.samples)?;
                    self.widen_all()?;
                    if holds {
                        return Ok(Decided::Holds);
                    }
                    continue;
                }
                self.goals.clear();
                self.queue.clear();
                if let Some(execution) = self.goal(state, None, last)? {
                    return Ok(Decided::Fails(execution));
                }
                if let Some(execution) = self.block(last)? {
                    return Ok(Decided::Fails(execution));
                }
            }
            if self.propagate(last)? {
                return Ok(Decided::Holds);
            }
            last += 1;
            tracing::debug!(
                last,
                clauses = self.frames.blocked.len(),
                questions = self.frames.questions,
                "frames"
            );
        }
    }

    fn is_impatient(&self) -> bool {
        self.patience.is_some_and(|most| self.frames.questions > most)
    }

    /// A cube that is to be excluded from a frame; an execution if it has a first state.
    fn goal(
        &mut self,
        cube: Cube,
        onward: Option<(Chosen, usize)>,
        level: usize,
    ) -> Result<Option<Execution>, Stopped> {
        let depth = onward.as_ref().map_or(0, |(_, next)| self.goals[*next].depth + 1);
        let number = self.goals.len();
        let initial = self.frames.uninitial(&cube)?.is_none();
        let state = initial.then(|| self.frames.system.state());
        self.goals.push(Goal { cube, onward, depth });
        if let Some(first) = state {
            let mut steps = Vec::new();
            let mut at = number;
            while let Some((chosen, next)) = &self.goals[at].onward {
                steps.push(chosen.clone());
                at = *next;
            }
            return Ok(Some(self.frames.system.execution(&first, &steps)));
        }
        self.queue.insert((level, number), number);
        Ok(None)
    }

    /// Excludes all that is to be excluded.
    fn block(&mut self, last: usize) -> Result<Option<Execution>, Stopped> {
        while let Some(((level, _), number)) = self.queue.pop_first() {
            if self.is_impatient() {
                return Ok(None);
            }
            let cube = self.goals[number].cube.clone();
            if !self.frames.meets(level, &cube)? {
                if level < last {
                    self.queue.insert((level + 1, number), number);
                }
                continue;
            }
            let alone = self.frames.excluded(std::slice::from_ref(&cube));
            let entered = self.frames.enters(level - 1, &[alone], &cube);
            match entered? {
                None => {
                    let (state, chosen) = (self.frames.system.state(), self.frames.system.chosen());
                    self.frames.drop(alone);
                    if let Some(found) = self.goal(state, Some((chosen, number)), level - 1)? {
                        return Ok(Some(found));
                    }
                    self.queue.insert((level, number), number);
                }
                Some(part) => {
                    self.frames.drop(alone);
                    let reached = self.exclude(&cube, part, level, last)?;
                    if reached < last {
                        self.queue.insert((reached + 1, number), number);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Excludes the part of a cube that no step leads into, made as general as possible, from
    /// as many frames as possible: up to the frame that is said.
    fn exclude(
        &mut self,
        cube: &[AtomLit],
        part: Cube,
        level: usize,
        last: usize,
    ) -> Result<usize, Stopped> {
        let part = self.without_first(cube, part)?;
        let mut best: Option<Cube> = None;
        // From all that holds in the state, with elements left out in one order or another, and
        // from what was needed.
        for attempt in 0..3 {
            // The core may rest on what was excluded: it is asked again for what is left.
            let from = if attempt == 2 && self.inductive(&part, level)?.is_some() {
                part.clone()
            } else {
                cube.to_vec()
            };
            let found = self.generalised(from, level, attempt == 1)?;
            if best.as_ref().is_none_or(|best| self.price(&found) < self.price(best)) {
                best = Some(found);
            }
        }
        let best = best.unwrap_or_else(|| cube.to_vec());
        let pattern = Pattern::of(&self.frames.system.atoms, &best);
        let shape = match self.frames.shape(pattern.clone()) {
            Some(shape) => self.widened(shape, level)?,
            // Of too many cubes only this one is excluded.
            None => Shape { pattern, cubes: vec![best.clone()], each: vec![best] },
        };
        let selector = self.frames.excluded(&shape.cubes);
        let mut reached = level;
        while reached < last && self.frames.keeps_out(reached, &[selector], &shape)? {
            reached += 1;
        }
        self.frames.add(shape, reached, selector);
        Ok(reached)
    }

    /// Lets variables of a pattern be the same that were different, and different that were the
    /// same, as long as what is excluded is not entered.
    fn widened(&mut self, shape: Shape, level: usize) -> Result<Shape, Stopped> {
        let mut best = shape;
        let mut tries = if level == FOREVER { MOST_WIDER_FOREVER } else { MOST_WIDER };
        'again: loop {
            let universe = &self.frames.system.atoms.universe;
            let split = best.pattern.split(universe);
            let wider = best.pattern.merged().into_iter().chain(split);
            for pattern in wider {
                tries -= 1;
                if tries == 0 {
                    return Ok(best);
                }
                let Some(shape) = self.frames.shape(pattern) else { continue };
                if self.samples.meet_one(&shape.cubes) || !self.frames.begins_outside(&shape)? {
                    continue;
                }
                let selector = self.frames.excluded(&shape.cubes);
                let kept_out = self.frames.keeps_out(level - 1, &[selector], &shape);
                self.frames.drop(selector);
                if kept_out? {
                    best = shape;
                    continue 'again;
                }
            }
            return Ok(best);
        }
    }

    /// Lets all that is excluded for ever say more, and leaves out what the others say then. What is left says at least
    /// as much together, and what it says more is kept by every step from where all that holds: it is
    /// inductive as well.
    fn widen_all(&mut self) -> Result<(), Stopped> {
        let mut i = 0;
        while i < self.frames.blocked.len() {
            if self.frames.blocked[i].level != FOREVER {
                i += 1;
                continue;
            }
            let known = self.frames.blocked.swap_remove(i);
            let mut says_more = false;
            for cube in &known.shape.each {
                says_more |= self.frames.meets(FOREVER, cube)?;
            }
            if !says_more {
                self.frames.drop(known.selector);
                continue;
            }
            self.frames.blocked.push(known);
            let last = self.frames.blocked.len() - 1;
            self.frames.blocked.swap(i, last);
            let shape = self.widened(self.frames.blocked[i].shape.clone(), FOREVER)?;
            if shape.pattern != self.frames.blocked[i].shape.pattern {
                let selector = self.frames.excluded(&shape.cubes);
                self.frames.blocked[i] = Blocked { shape, level: FOREVER, selector };
            }
            i += 1;
        }
        Ok(())
    }

    /// What speaks against a cube: that it mentions all elements of a sort, where it may hide that
    /// there is some; many elements; many literals.
    fn price(&self, cube: &[AtomLit]) -> (usize, usize, usize) {
        let atoms = &self.frames.system.atoms;
        let mentioned = atoms.mentioned(cube);
        let sorts = self.frames.system.protocol.signature.sort_ids();
        let all = sorts.filter(|sort| {
            let size = atoms.universe.size(*sort) as usize;
            size > 2 && mentioned.iter().filter(|e| e.0 == *sort).count() == size
        });
        (all.count(), mentioned.len(), cube.len())
    }

    /// A part of a cube with more of it, so that no first state is in it.
    fn without_first(&mut self, cube: &[AtomLit], part: Cube) -> Result<Cube, Stopped> {
        if self.frames.uninitial(&part)?.is_some() {
            return Ok(part);
        }
        let mut part = part;
        part.extend(self.frames.uninitial(cube)?.unwrap_or_else(|| cube.to_vec()));
        part.sort_unstable();
        part.dedup();
        Ok(part)
    }

    /// The part of a cube that no step from a frame leads into, given that nothing of its orbit
    /// holds before; nothing if a first state is in it or some step leads into it.
    fn inductive(&mut self, cube: &[AtomLit], level: usize) -> Result<Option<Cube>, Stopped> {
        if self.frames.uninitial(cube)?.is_none() {
            return Ok(None);
        }
        let atoms = &self.frames.system.atoms;
        let few = atoms.ways(cube) <= MOST_RENAMED / 8;
        let cubes = if few { atoms.orbit(cube) } else { vec![cube.to_vec()] };
        if self.samples.meet_one(&cubes) {
            return Ok(None);
        }
        let selector = self.frames.excluded(&cubes);
        let part = self.frames.enters(level - 1, &[selector], cube)?;
        self.frames.drop(selector);
        match part {
            None => Ok(None),
            Some(part) => Ok(Some(self.without_first(cube, part)?)),
        }
    }

    /// Makes an inductive cube smaller.
    fn generalised(&mut self, cube: Cube, level: usize, forward: bool) -> Result<Cube, Stopped> {
        let mut best = cube;
        self.fewer_elements(&mut best, level, forward)?;
        let mut order = best.clone();
        order.sort_by_key(|literal| self.worth(*literal));
        for literal in order {
            if !best.contains(&literal) || best.len() == 1 {
                continue;
            }
            let smaller: Cube = best.iter().copied().filter(|l| *l != literal).collect();
            self.try_smaller(&mut best, &smaller, level)?;
        }
        Ok(best)
    }

    /// Leaves out all that mentions an element, one element after the other: what is left says more
    /// of all the others.
    fn fewer_elements(
        &mut self,
        best: &mut Cube,
        level: usize,
        forward: bool,
    ) -> Result<(), Stopped> {
        let mut elements = self.frames.system.atoms.mentioned(best);
        if !forward {
            elements.reverse();
        }
        for element in elements {
            let atoms = &self.frames.system.atoms;
            let smaller: Cube = best
                .iter()
                .copied()
                .filter(|(atom, _)| !atoms.elements(*atom).contains(&element))
                .collect();
            if smaller.len() < best.len() && !smaller.is_empty() {
                self.try_smaller(best, &smaller, level)?;
            }
        }
        Ok(())
    }

    /// Takes a smaller cube if it is inductive: then the part of it that was needed, if that is
    /// inductive by itself.
    fn try_smaller(
        &mut self,
        best: &mut Cube,
        smaller: &[AtomLit],
        level: usize,
    ) -> Result<(), Stopped> {
        let Some(part) = self.inductive(smaller, level)? else { return Ok(()) };
        *best = smaller.to_vec();
        if part.len() < smaller.len() && self.inductive(&part, level)?.is_some() {
            *best = part;
        }
        Ok(())
    }

    /// What is left out first: negative literals of what changes, which mostly say only that
    /// something did not happen yet.
    fn worth(&self, (atom, holds): AtomLit) -> (u8, usize, u32) {
        let system = &self.frames.system;
        let symbol = system.atoms.symbol(atom);
        let kind = match (
            system.protocol.definition(symbol).is_some(),
            system.protocol.is_immutable(symbol),
        ) {
            (true, _) => 3,
            (_, true) => 1,
            (_, false) => u8::from(holds) * 2,
        };
        (kind, system.atoms.elements(atom).len(), atom)
    }

    /// Moves what is excluded to higher frames; whether two frames are the same, so that all of the
    /// second is excluded for ever.
    fn propagate(&mut self, last: usize) -> Result<bool, Stopped> {
        for level in 1..=last {
            for i in 0..self.frames.blocked.len() {
                if self.frames.blocked[i].level != level {
                    continue;
                }
                let shape = self.frames.blocked[i].shape.clone();
                if self.frames.keeps_out(level, &[], &shape)? {
                    self.frames.blocked[i].level = level + 1;
                }
            }
            if !self.frames.blocked.iter().any(|b| b.level == level) {
                for known in &mut self.frames.blocked {
                    if known.level > level {
                        known.level = FOREVER;
                    }
                }
                return Ok(true);
            }
        }
        Ok(false)
    }
}
