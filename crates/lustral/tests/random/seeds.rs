//! Which seeds are run: few by default, as many as are asked for.
//!
//! `LUSTRAL_SEEDS=N` runs N seeds of every test, `LUSTRAL_FIRST_SEED=S` begins
//! with S. With `LUSTRAL_KEEP_GOING=1` all seeds are run, whatever fails.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

fn variable(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number, not {text:?}")))
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
