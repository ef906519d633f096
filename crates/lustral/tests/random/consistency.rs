//! Programs with infinitely many states: no engine contradicts another, nor a
//! random execution.

use std::time::Duration;

use lustral_engines::Survey;

use crate::engines::{Setup, Verdict, verdicts};
use crate::verdicts::{Tally, surveyed};
use lustral_testing::dice::Dice;
use lustral_testing::encoding::accepted;
use lustral_testing::execution::Execution;
use lustral_testing::failure::Failure;
use lustral_testing::tree::{Parentheses, Program};

/// What products and quotients of flows may cost: they are hard for solvers.
const TIME: Duration = Duration::from_secs(2);

/// What was seen of a property.
#[derive(Clone, Debug, Default)]
struct Seen {
    valid: Option<Setup>,
    falsified: Option<(usize, Setup)>,
    /// By engines that need not find the first failure.
    falsified_somewhere: Option<(usize, Setup)>,
    /// It fails at this step of some random execution.
    fails: Option<usize>,
}

/// Compares the answers of some setups, all checked, with each other and with
/// random executions.
pub fn check(program: &Program, seed: u64, tally: &Tally) -> Result<(), Failure> {
    let unit = accepted(&program.text(Parentheses::Needed))?;
    Tally::count(&tally.programs);
    if surveyed(&unit)? == Survey::BlocksAt(0) {
        Tally::count(&tally.vacuous);
        return Ok(());
    }
    let mut seen: Vec<Seen> = vec![Seen::default(); unit.properties.len()];
    let unprepared = Setup { prepared: false, ..Setup::first() };
    for setup in [Setup::first(), unprepared, Setup::usual()] {
        for (verdict, seen) in verdicts(&unit, &setup, TIME)?.0.iter().zip(&mut seen) {
            tally.verdict(verdict);
            match verdict {
                Verdict::Valid => seen.valid = Some(setup.clone()),
                Verdict::Falsified(step) if !setup.refutes_at_first() => {
                    seen.falsified_somewhere = Some((*step, setup.clone()));
                }
                Verdict::Falsified(step) => {
                    let other = seen.falsified.replace((*step, setup.clone()));
                    if other.is_some_and(|(other, _)| other != *step) {
                        return Err(contradiction(seen));
                    }
                }
                Verdict::Declined | Verdict::Unknown(_) => {}
            }
        }
    }
    let mut dice = Dice::new(seed);
    for _ in 0..20 {
        let execution = Execution::random(&unit, &mut dice, 6);
        for step in (0..6).rev().filter(|step| execution.alive(*step)) {
            for (seen, holds) in seen.iter_mut().zip(&execution.steps[step].holds) {
                if !holds {
                    seen.fails = Some(seen.fails.map_or(step, |other| other.min(step)));
                }
            }
        }
    }
    match seen.iter().find(|seen| !seen.is_consistent()) {
        Some(seen) => Err(contradiction(seen)),
        None => Ok(()),
    }
}

impl Seen {
    fn is_consistent(&self) -> bool {
        let too_late = match (&self.falsified, self.fails) {
            (Some((step, _)), Some(fails)) => *step > fails,
            _ => false,
        };
        let false_proof =
            self.valid.is_some() && (self.falsified.is_some() || self.fails.is_some());
        let false_refutation = self.falsified_somewhere.as_ref().is_some_and(|(step, _)| {
            self.valid.is_some() || self.falsified.as_ref().is_some_and(|(first, _)| step < first)
        });
        !too_late && !false_proof && !false_refutation
    }
}

fn contradiction(seen: &Seen) -> Failure {
    Failure::new("contradiction", format!("{seen:?}"))
}
