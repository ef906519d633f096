//! Random choices from a seed, the same on every machine.

use lustral_base::Random;

/// A generator of random choices.
#[derive(Clone, Debug)]
pub struct Dice {
    random: Random,
}

impl Dice {
    /// The generator of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Dice {
        // Neighbouring seeds must not give neighbouring sequences.
        let mut random = Random::new(seed ^ 0x5851_f42d_4c95_7f2d);
        random.number();
        Dice { random }
    }

    /// The next 64 bits.
    pub fn number(&mut self) -> u64 {
        self.random.number()
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: usize) -> usize {
        self.random.below(n as u64) as usize
    }

    /// A number between bounds, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// An element of a list that is not empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// An index, each as often as its weight says.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut at = self.below(weights.iter().sum());
        for (i, weight) in weights.iter().enumerate() {
            if at < *weight {
                return i;
            }
            at -= weight;
        }
        unreachable!("below the sum of the weights")
    }

    /// Puts a list into a random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}
