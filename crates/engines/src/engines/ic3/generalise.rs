//! Inductive generalisation: smaller cubes, which exclude more, by the core of the query and by leaving
//! out literals one by one; and later frames for them.

use super::attempt::Attempt;
use super::predicates::{Cube, Lit};
use super::steps::{Place, Reached};
use crate::patience::Trouble;

/// So many literals in a row may turn out to be needed before it is enough.
const NEEDED: usize = 12;

impl Attempt<'_> {
    /// A part of a cube without the initial state that is not reached from a
    /// frame either, given one, a core, that may contain it.
    pub(super) fn generalise(&mut self, cube: &[Lit], core: Cube, before: usize) -> Cube {
        let mut part = self.apart(cube, core);
        // Those that were needed least are left out first.
        let mut order = part.clone();
        order.sort_by_key(|lit| (self.activity[lit.predicate()], *lit));
        let mut needed = 0;
        for lit in order {
            if needed >= NEEDED {
                break;
            }
            if !part.contains(&lit) || part.len() == 1 {
                continue;
            }
            let smaller: Cube = part.iter().copied().filter(|other| *other != lit).collect();
            if self.predicates.is_initial(&smaller) {
                continue;
            }
            // No answer is as good as that it is needed.
            match self.steps.reached(&smaller, Place::Frame(before), false) {
                Ok(Reached::No(core, _)) => {
                    part = self.apart(&smaller, core);
                    needed = 0;
                }
                Ok(Reached::Yes(_)) | Err(_) => needed += 1,
            }
        }
        part
    }

    /// The core, with a literal of the cube if it contains the initial state.
    pub(super) fn apart(&self, cube: &[Lit], mut core: Cube) -> Cube {
        if self.predicates.is_initial(&core) {
            let different = cube.iter().filter(|lit| !self.predicates.initially(**lit));
            core.extend(different.max_by_key(|lit| self.activity[lit.predicate()]));
            core.sort_unstable();
        }
        core
    }

    /// Excludes a cube from a frame, and from later ones as far as that goes.
    pub(super) fn exclude(&mut self, cube: Cube, mut frame: usize, last: usize) {
        for lit in &cube {
            self.activity[lit.predicate()] += 1;
        }
        self.steps.exclude(&cube, Place::Frame(frame));
        while frame < last
            && matches!(self.steps.stays_out(&cube, Place::Frame(frame)), Ok(Reached::No(..)))
        {
            frame += 1;
            self.steps.exclude(&cube, Place::Frame(frame));
        }
        self.frames.add(cube, frame);
    }

    /// Moves cubes to the next frame where they are excluded from it too; the
    /// number of a frame that is equal to the next, if there is one.
    pub(super) fn propagate(&mut self, last: usize) -> Result<Option<usize>, Trouble> {
        for frame in 1..=last {
            for cube in self.frames.of(frame).to_vec() {
                if !self.frames.of(frame).contains(&cube) {
                    continue;
                }
                if let Reached::No(core, _) = self.steps.stays_out(&cube, Place::Frame(frame))? {
                    let smaller = self.apart(&cube, core);
                    self.steps.exclude(&smaller, Place::Frame(frame + 1));
                    self.frames.add(smaller, frame + 1);
                }
            }
            if self.frames.of(frame).is_empty() {
                return Ok(Some(frame + 1));
            }
        }
        Ok(None)
    }
}
