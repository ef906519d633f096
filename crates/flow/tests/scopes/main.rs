//! Clock scopes: the encoding against the kernel's definition, and against
//! traces written down by hand. No solver.

#![allow(clippy::unwrap_used)]

mod build;
mod compare;
mod definition;
mod generate;
mod tables;

use lustral_testing::dice::Dice;
use lustral_testing::seeds;

use compare::{Count, compare};
use definition::V;

/// Random programs with activations, resets, nested and sibling scopes, calls in
/// scopes, held values, constraints and obligations.
#[test]
fn encoding_and_definition_agree() {
    let count = std::cell::RefCell::new(Count::default());
    seeds::for_each(3000, |seed| {
        let program = generate::random(&mut Dice::new(seed));
        let input = |position: usize, step: usize| {
            let n = Dice::new(seed << 20 | (position as u64) << 10 | step as u64).number();
            match position {
                0 => V::B(n.is_multiple_of(2)),
                1 => V::I((n % 5) as i64),
                _ => V::E((n % u64::from(build::COLOUR.size)) as u32),
            }
        };
        let run = || {
            let mut seen = Count::default();
            compare(&program, &input, seed, 10, &mut seen);
            seen
        };
        let seen = match std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)) {
            Ok(seen) => seen,
            Err(panic) => {
                println!("{}", lustral_kernel::dump(&program));
                std::panic::resume_unwind(panic);
            }
        };
        let mut count = count.borrow_mut();
        count.present += seen.present;
        count.absent += seen.absent;
        count.restarts += seen.restarts;
    });
    let count = count.into_inner();
    println!("{count:?}");
    assert!(count.absent > 0 && count.restarts > 0, "{count:?}");
}
