//! What runs on how many processors.
//!
//! The engines are few, so on few processors they share those (see
//! [`lustral_base::schedule`]), and on many they are run a second time and more, with
//! another arithmetic in the solver or another seed: which of these is quick on
//! a hard query is luck, and luck is cheap on processors that would idle.

use super::EngineChoice;
use crate::engine::Task;

/// What the engines of a default run use at most: one thread each, one for the
/// second induction, and one for a second worker.
const FIRST: usize = 8;

/// More of the same than this is of no use.
const MOST: usize = 24;

/// Z3's older arithmetic, by its number.
const OLDER_ARITHMETIC: u32 = 2;

/// An engine once more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Instance {
    pub choice: EngineChoice,
    /// The arithmetic of its solver, if not the usual one.
    pub arithmetic: Option<u32>,
    /// What is added to the seed.
    pub seed: u32,
}

/// Those that are run again, the most promising first: proofs before
/// refutations, which three engines look for anyway.
const AGAIN: [EngineChoice; 6] = [
    EngineChoice::KInduction,
    EngineChoice::Horn,
    EngineChoice::Sorcar,
    EngineChoice::Bmc,
    EngineChoice::Simulation,
    EngineChoice::Ic3,
];

/// The engines that run once more where so many can work at the same time.
pub(crate) fn again(jobs: usize, engines: &[EngineChoice]) -> Vec<Instance> {
    let mut list = Vec::new();
    let spare = jobs.saturating_sub(FIRST).min(MOST);
    for seed in 1.. {
        for choice in AGAIN.iter().copied().filter(|c| engines.contains(c)) {
            if list.len() == spare {
                return list;
            }
            // Where there is no solver in the process, a seed must do.
            let solver = !matches!(choice, EngineChoice::Simulation | EngineChoice::Horn);
            let arithmetic = (solver && seed % 2 == 1).then_some(OLDER_ARITHMETIC);
            list.push(Instance { choice, arithmetic, seed });
        }
        if list.is_empty() {
            break;
        }
    }
    list
}

impl Instance {
    /// The task as this instance has it.
    pub fn task(self, task: &Task) -> Task {
        let mut own = task.clone();
        own.options.seed = own.options.seed.wrapping_add(self.seed);
        own.options.arithmetic = self.arithmetic.or(own.options.arithmetic);
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_allocations() {
        let engines = EngineChoice::DEFAULT;
        for (jobs, count) in [(1, 0), (2, 0), (4, 0), (8, 0), (16, 8), (32, 24), (64, 24)] {
            assert_eq!(again(jobs, &engines).len(), count, "{jobs}");
        }
        let some = again(16, &engines);
        assert_eq!(some[0].arithmetic, Some(2));
        assert_eq!((some[1].choice, some[1].arithmetic), (EngineChoice::Horn, None));
        assert_eq!((some[6].choice, some[6].seed), (some[0].choice, 2));
        for (i, one) in some.iter().enumerate() {
            assert!(!some[..i].contains(one), "no two are alike: {one:?}");
        }
    }

    #[test]
    fn only_what_was_asked_for_runs_again() {
        let some = again(11, &[EngineChoice::Bmc]);
        assert_eq!(some.len(), 3);
        assert!(some.iter().all(|one| one.choice == EngineChoice::Bmc));
        assert!(again(64, &[EngineChoice::Abstraction]).is_empty());
    }
}
