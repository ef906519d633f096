//! Drawing inputs: each is held for stretches, and each lane has habits of its
//! own: how long it holds an input, and how often a truth value is true. Both
//! change now and then, so that an execution has phases.

use crate::column::ones;
use crate::domain::Domain;
use crate::machine::{Input, Lanes};
use crate::{Column, WORD};
use lustral_base::Random;

/// The longest stretch of each habit.
const STRETCHES: [u64; 6] = [1, 1, 4, 24, 128, 700];

/// How often a truth value is true, in 256.
const BIASES: [u8; 5] = [127, 127, 16, 239, 3];

/// A new habit comes after so many stretches, on average.
const PHASE: u64 = 12;

/// An input that is drawn.
#[derive(Clone, Debug)]
struct Drawn {
    input: Input,
    domain: Domain,
    /// By lane: steps until the next change.
    left: Vec<u16>,
    /// By lane: the longest stretch.
    stretch: Vec<u16>,
    /// By lane: how often true.
    bias: Vec<u8>,
    /// The values of the step before, for another try.
    before: Column,
}

/// What draws the inputs of some lanes.
#[derive(Clone, Debug)]
pub(crate) struct Drawer {
    pub random: Random,
    inputs: Vec<Drawn>,
    /// Whether there is a step before.
    started: bool,
}

impl Drawer {
    pub fn new(inputs: &[Input], domains: &[Domain], lanes: usize, seed: u64) -> Drawer {
        let mut random = Random::new(seed);
        // A lane has one habit for all inputs, or one for each.
        let common: Vec<Option<u16>> =
            (0..lanes).map(|_| (random.below(2) == 0).then(|| stretch(&mut random))).collect();
        let drawn = inputs.iter().zip(domains).filter(|(input, _)| input.drawn.is_some());
        let inputs = drawn
            .map(|(input, domain)| Drawn {
                input: *input,
                domain: domain.clone(),
                left: vec![1; lanes],
                stretch: common.iter().map(|c| c.unwrap_or_else(|| stretch(&mut random))).collect(),
                bias: (0..lanes).map(|_| *random.pick(&BIASES)).collect(),
                before: Column::new(input.sort, lanes),
            })
            .collect();
        Drawer { random, inputs, started: false }
    }

    /// The inputs of the next step. With `again`, the values so far are kept
    /// for [`Drawer::retry`].
    pub fn draw(&mut self, lanes: &mut Lanes<'_>, again: bool) {
        for drawn in &mut self.inputs {
            let Some(reg) = drawn.input.drawn else { continue };
            let column = &mut lanes.registers.columns[reg.index()];
            if again {
                drawn.before.clone_from(column);
            }
            for word in 0..drawn.left.len() / WORD {
                let left = &mut drawn.left[word * WORD..][..WORD];
                let mut over = false;
                for left in left.iter_mut() {
                    *left -= 1;
                    over |= *left == 0;
                }
                if over {
                    for lane in word * WORD..(word + 1) * WORD {
                        if drawn.left[lane] == 0 {
                            drawn.change(lane, column, &mut self.random);
                        }
                    }
                }
            }
            // Before the first step there is nothing, not even within a range.
            if again && !self.started {
                drawn.before.clone_from(column);
            }
        }
        self.started = true;
    }

    /// Other inputs for some lanes: at the first try those of the step before,
    /// then with one changed, then all new.
    pub fn retry(&mut self, lanes: &mut Lanes<'_>, mask: &[u64], attempt: usize) {
        let count = self.inputs.len() as u64;
        for lane in ones(mask) {
            let changed = match attempt {
                0 => None,
                _ => Some(self.random.below(count.max(1)) as usize),
            };
            for (i, drawn) in self.inputs.iter_mut().enumerate() {
                let Some(reg) = drawn.input.drawn else { continue };
                let column = &mut lanes.registers.columns[reg.index()];
                if attempt < KEEPING {
                    column.set(lane, drawn.before.get(lane));
                }
                if attempt >= KEEPING || changed == Some(i) {
                    drawn.change(lane, column, &mut self.random);
                }
            }
        }
    }
}

/// Attempts that keep most inputs as they were, and attempts in all.
const KEEPING: usize = 4;
pub(crate) const ATTEMPTS: usize = 8;

impl Drawn {
    fn change(&mut self, lane: usize, column: &mut Column, random: &mut Random) {
        column.set(lane, self.domain.draw(random, self.bias[lane]));
        if random.below(PHASE) == 0 {
            self.stretch[lane] = stretch(random);
            self.bias[lane] = *random.pick(&BIASES);
        }
        self.left[lane] = 1 + random.below(self.stretch[lane].into()) as u16;
    }
}

fn stretch(random: &mut Random) -> u16 {
    *random.pick(&STRETCHES) as u16
}
