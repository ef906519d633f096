//! Delta frames: by number, the cubes that no execution enters within so many
//! transitions and that are not known to stay out for longer.

use super::predicates::{Cube, Lit};

/// The frames.
#[derive(Default)]
pub(crate) struct Frames {
    delta: Vec<Vec<Cube>>,
    /// The cubes that no execution ever enters, by induction.
    pub always: Vec<Cube>,
}

/// Whether all literals of one cube are in another. Both are in order.
pub(crate) fn is_part(part: &[Lit], whole: &[Lit]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|lit| rest.any(|other| other == lit))
}

impl Frames {
    /// The cubes of a frame that are in no later one.
    pub fn of(&self, frame: usize) -> &[Cube] {
        self.delta.get(frame).map_or(&[], |cubes| cubes)
    }

    /// Whether a cube is excluded from a frame, as far as can be seen.
    pub fn excludes(&self, cube: &[Lit], frame: usize) -> bool {
        let later = self.delta.iter().skip(frame).flatten();
        later.chain(&self.always).any(|known| is_part(known, cube))
    }

    /// Adds a cube; those that it makes superfluous go.
    pub fn add(&mut self, cube: Cube, frame: usize) {
        if self.delta.len() <= frame {
            self.delta.resize(frame + 1, Vec::new());
        }
        for cubes in &mut self.delta[..=frame] {
            cubes.retain(|known| !is_part(&cube, known));
        }
        self.delta[frame].push(cube);
    }

    /// Moves a cube from its frame to those that stay out for good.
    pub fn add_always(&mut self, cube: Cube) {
        for cubes in &mut self.delta {
            cubes.retain(|known| !is_part(&cube, known));
        }
        self.always.push(cube);
    }

    /// All cubes with the number of their frame.
    pub fn all(&self) -> impl Iterator<Item = (usize, &Cube)> {
        let frames = self.delta.iter().enumerate();
        frames.flat_map(|(frame, cubes)| cubes.iter().map(move |cube| (frame, cube)))
    }

    /// The cubes of a frame and all later ones.
    pub fn from(&self, frame: usize) -> impl Iterator<Item = &Cube> {
        self.delta.iter().skip(frame).flatten().chain(&self.always)
    }
}
