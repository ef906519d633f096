//! Proof obligations: cubes from which a step at which the property fails can
//! be reached in the abstraction, each with the cube that comes next.

use std::collections::BTreeSet;

use super::predicates::Cube;

/// A cube to be excluded from a frame.
pub(crate) struct Obligation {
    pub cube: Cube,
    /// The obligation that its transition leads to; none if the property fails
    /// after the next.
    pub next: Option<usize>,
}

/// The obligations, those of the lowest frames first, and of these the latest.
#[derive(Default)]
pub(crate) struct Obligations {
    all: Vec<Obligation>,
    queue: BTreeSet<(usize, std::cmp::Reverse<usize>)>,
}

impl Obligations {
    pub fn add(&mut self, cube: Cube, frame: usize, next: Option<usize>) {
        self.all.push(Obligation { cube, next });
        self.queue.insert((frame, std::cmp::Reverse(self.all.len() - 1)));
    }

    /// The first, which stays: its frame and number.
    pub fn first(&self) -> Option<(usize, usize)> {
        self.queue.first().map(|(frame, number)| (*frame, number.0))
    }

    pub fn get(&self, number: usize) -> &Obligation {
        &self.all[number]
    }

    /// Moves an obligation to another frame, or takes it away.
    pub fn moved(&mut self, number: usize, from: usize, to: Option<usize>) {
        self.queue.remove(&(from, std::cmp::Reverse(number)));
        match to {
            Some(frame) => drop(self.queue.insert((frame, std::cmp::Reverse(number)))),
            None if self.queue.is_empty() => self.all.clear(),
            None => {}
        }
    }

    pub fn clear(&mut self) {
        *self = Obligations::default();
    }

    /// The cubes from an obligation to the last.
    pub fn chain(&self, number: usize) -> Vec<Cube> {
        let mut chain = Vec::new();
        let mut next = Some(number);
        while let Some(number) = next {
            chain.push(self.all[number].cube.clone());
            next = self.all[number].next;
        }
        chain
    }
}
