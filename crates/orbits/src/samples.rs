//! States that are reached by random executions.
//!
//! What one of them is in is no invariant, however many steps it takes to get there. So nothing is excluded that one of
//! them is in: IC3 alone would exclude it from the frames before, and would have to find out later that it is
//! reached.

use lustral_base::Random;
use lustral_sat::Lit;
use rustc_hash::FxHashSet;

use crate::atoms::{AtomLit, Cube};
use crate::frames::{Frames, Stopped};

/// As many states are enough.
const MOST_STATES: usize = 1_024;
/// No more steps are tried.
const MOST_STEPS: usize = 4_000;
/// After so many steps to states that are known, there are perhaps no others.
const MOST_FRUITLESS: usize = 300;
/// An execution is not longer.
const LONGEST: usize = 40;

/// States, side by side.
#[derive(Default)]
pub(crate) struct Samples {
    /// By atom: in which of the states it holds, a bit for each.
    holds: Vec<Vec<u64>>,
    states: Vec<Cube>,
    seen: FxHashSet<Cube>,
}

impl Samples {
    /// Runs random executions.
    pub fn collect(frames: &mut Frames<'_>) -> Result<Samples, Stopped> {
        let atoms = frames.system.atoms.len();
        let holds = vec![vec![0; MOST_STATES / 64]; atoms];
        let mut samples = Samples { holds, ..Samples::default() };
        let mut random = Random::new(0);
        let (mut steps, mut length, mut fruitless) = (0, LONGEST, 0);
        let mut state: Cube = Vec::new();
        while steps < MOST_STEPS && samples.states.len() < MOST_STATES && fruitless < MOST_FRUITLESS
        {
            steps += 1;
            length += 1;
            fruitless += 1;
            let next =
                if length < LONGEST { frames.random_step(&state, &mut random)? } else { None };
            state = match next {
                Some(next) => next,
                None => {
                    length = 0;
                    // From a state that is known, or from a first one.
                    match random.below(4) {
                        0..3 if !samples.states.is_empty() => {
                            let number = random.below(samples.states.len() as u64);
                            samples.states[number as usize].clone()
                        }
                        _ => match frames.random_first(&mut random)? {
                            Some(first) => first,
                            None => break,
                        },
                    }
                }
            };
            if samples.add(&state) {
                fruitless = 0;
            }
        }
        tracing::debug!(states = samples.states.len(), steps, "random executions");
        Ok(samples)
    }

    /// The states.
    pub fn states(&self) -> &[Cube] {
        &self.states
    }

    /// Adds a state; whether it is new.
    fn add(&mut self, state: &Cube) -> bool {
        let number = self.states.len();
        if number == MOST_STATES || !self.seen.insert(state.clone()) {
            return false;
        }
        for (atom, holds) in state {
            self.holds[*atom as usize][number / 64] |= u64::from(*holds) << (number % 64);
        }
        self.states.push(state.clone());
        true
    }

    /// Whether one of them is in a cube.
    pub fn meet(&self, cube: &[AtomLit]) -> bool {
        let number = self.states.len();
        (0..number.div_ceil(64)).any(|word| {
            let rest = number - 64 * word;
            let all = if rest >= 64 { u64::MAX } else { (1 << rest) - 1 };
            let both = |left: u64, (atom, holds): &AtomLit| {
                let one = self.holds[*atom as usize][word];
                left & if *holds { one } else { !one }
            };
            cube.iter().fold(all, both) != 0
        })
    }

    /// Whether one of them is in one of some cubes.
    pub fn meet_one(&self, cubes: &[Cube]) -> bool {
        cubes.iter().any(|cube| self.meet(cube))
    }
}

impl Frames<'_> {
    /// Some first state.
    fn random_first(&mut self, random: &mut Random) -> Result<Option<Cube>, Stopped> {
        let now: Vec<Lit> = self.system.now.clone();
        for literal in now {
            let wanted = if random.below(2) == 0 { literal } else { !literal };
            self.system.solver.prefer(wanted);
        }
        let first = self.system.first;
        Ok(self.ask(&[first])?.then(|| self.system.state()))
    }

    /// Some state that follows another; nothing if none does.
    fn random_step(&mut self, state: &Cube, random: &mut Random) -> Result<Option<Cube>, Stopped> {
        self.system.prefer_any_step(random);
        let known: Vec<Lit> = state.iter().map(|literal| self.system.now(*literal)).collect();
        let number = self.system.taken.len();
        let begin = random.below(number.max(1) as u64) as usize;
        for i in 0..number {
            let mut assumptions = known.clone();
            assumptions.extend([self.system.taken[(begin + i) % number], self.system.step]);
            if self.ask(&assumptions)? {
                return Ok(Some(self.system.entered()));
            }
        }
        Ok(None)
    }
}
