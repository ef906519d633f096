//! Which seeds are run: few by default, as many as are asked for.
//!
//! `LUSTRAL_SEEDS=N` runs N seeds of every test, `LUSTRAL_FIRST_SEED=S` begins
//! with S. With `LUSTRAL_KEEP_GOING=1` all seeds are run, whatever fails.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use crate::broken;
use crate::dice::Dice;
use crate::failure::{self, Failure};
use crate::generate::{Language, Profile, program};
use crate::tree::{Parentheses, Program};

fn variable(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number, not {text:?}")))
}

/// Runs a check on the programs of its seeds; a failing program is reduced.
///
/// # Panics
/// If a check fails.
pub fn each_program<L: Into<Language>>(
    name: &str,
    usual: u64,
    language: impl Fn(u64) -> L,
    check: impl Fn(&Program, u64) -> Result<(), Failure>,
) {
    for_each(usual, |seed| {
        failure::run(name, seed, &program(language(seed), seed), &|p| check(p, seed));
    });
}

/// The check of a text takes milliseconds; on the busiest machine one that takes
/// this long hangs.
const HANG: Duration = Duration::from_secs(20);

/// Runs a check on broken texts, twenty for each seed; a failing text is reduced.
/// A check that takes very long fails too.
///
/// # Panics
/// If a check fails.
pub fn each_text(name: &str, usual: u64, check: impl Fn(&str, u64) -> Result<(), Failure>) {
    for_each(usual, |seed| {
        let text = program(Profile::Rich, seed).text(Parentheses::Needed);
        let mut dice = Dice::new(!seed);
        for i in 0..20 {
            let broken = match i % 4 {
                0 => broken::nonsense(&text, &mut dice),
                _ => broken::mutated(&text, &mut dice),
            };
            failure::run_text(name, seed, &broken, &|text| {
                let started = Instant::now();
                check(text, seed)?;
                if started.elapsed() > HANG {
                    Err(Failure::new("slow", "it takes very long"))
                } else {
                    Ok(())
                }
            });
        }
    });
}

/// Runs a test on its seeds: so many, unless asked otherwise.
pub fn for_each(usual: u64, test: impl Fn(u64)) {
    let first = variable("LUSTRAL_FIRST_SEED").unwrap_or(0);
    let count = variable("LUSTRAL_SEEDS").unwrap_or(usual);
    let keep_going = variable("LUSTRAL_KEEP_GOING").is_some();
    let mut failed = None;
    for seed in first..first + count {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| test(seed))) {
            if !keep_going {
                resume_unwind(panic);
            }
            failed = Some(panic);
        }
    }
    if let Some(panic) = failed {
        resume_unwind(panic);
    }
}
