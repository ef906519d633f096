//! What runs on how many processors.
//!
//! The engines are few, so on few processors they share those (see
//! [`lustral_base::schedule`]), and on many they are run a second time and more, with
//! another arithmetic in the solver or another seed: which of these is quick on
//! a hard query is luck, and luck is cheap on processors that would idle.

use super::{Asks, EngineChoice};
use crate::task::Task;

/// What the engines of a default run use at most: one thread each, one for the
/// second induction, and one for a second worker.
const FIRST: usize = 8;

/// More of the same than this is of no use.
const MOST_INSTANCES_AGAIN: usize = 24;

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

/// The engines that run once more where so many can work at the same time, the
/// most promising first: proofs before refutations, which three engines look
/// for anyway.
pub(crate) fn again(jobs: usize, engines: &[EngineChoice]) -> Vec<Instance> {
    let mut promising: Vec<EngineChoice> =
        engines.iter().copied().filter(|engine| engine.again.is_some()).collect();
    promising.sort_by_key(|engine| engine.again);
    let mut list = Vec::new();
    let spare = jobs.saturating_sub(FIRST).min(MOST_INSTANCES_AGAIN);
    for seed in 1.. {
        for choice in promising.iter().copied() {
            if list.len() == spare {
                return list;
            }
            // Where there is no solver in the process, a seed must do.
            let solver = !matches!(choice.asks, Asks::Nobody | Asks::Workers);
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
        let options = &mut own.sessions.options;
        options.seed = options.seed.wrapping_add(self.seed);
        options.arithmetic = self.arithmetic.or(options.arithmetic);
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::{abstraction, bmc, horn};

    #[test]
    fn the_table_of_allocations() {
        let engines = EngineChoice::defaults();
        for (jobs, count) in [(1, 0), (2, 0), (4, 0), (8, 0), (16, 8), (32, 24), (64, 24)] {
            assert_eq!(again(jobs, &engines).len(), count, "{jobs}");
        }
        let some = again(16, &engines);
        assert_eq!(some[0].arithmetic, Some(2));
        assert_eq!((some[1].choice, some[1].arithmetic), (EngineChoice(&horn::ENGINE), None));
        assert_eq!((some[6].choice, some[6].seed), (some[0].choice, 2));
        for (i, one) in some.iter().enumerate() {
            assert!(!some[..i].contains(one), "no two are alike: {one:?}");
        }
    }

    #[test]
    fn only_what_was_asked_for_runs_again() {
        let some = again(11, &[EngineChoice(&bmc::ENGINE)]);
        assert_eq!(some.len(), 3);
        assert!(some.iter().all(|one| one.choice == EngineChoice(&bmc::ENGINE)));
        assert!(again(64, &[EngineChoice(&abstraction::ENGINE)]).is_empty());
    }
}
