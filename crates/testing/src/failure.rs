//! What goes wrong, and how it is told: the seed, the program, the difference;
//! and the smallest program found that fails in the same way.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::reduce::{reduce, reduce_text};
use crate::tree::{Parentheses, Program};

/// A check that did not pass.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Failures of one kind are taken for the same when a program is reduced.
    pub kind: &'static str,
    /// What differs.
    pub text: String,
}

impl Failure {
    /// A failure of a kind.
    pub fn new(kind: &'static str, text: impl Into<String>) -> Failure {
        Failure { kind, text: text.into() }
    }
}

/// Fails with a text unless two things are equal.
///
/// # Errors
/// If they are not.
pub fn expect_equal<T: PartialEq + std::fmt::Debug>(
    kind: &'static str,
    found: &T,
    expected: &T,
    what: impl FnOnce() -> String,
) -> Result<(), Failure> {
    if found == expected {
        return Ok(());
    }
    Err(Failure::new(kind, format!("{}: {found:?}, expected {expected:?}", what())))
}

/// A check of a program, given as a tree.
pub type Check<'c> = dyn Fn(&Program) -> Result<(), Failure> + 'c;

/// A panic is a failure like any other.
///
/// # Errors
/// If the check fails or panics.
pub fn guarded<T: ?Sized>(
    check: &dyn Fn(&T) -> Result<(), Failure>,
    subject: &T,
) -> Result<(), Failure> {
    catch_unwind(AssertUnwindSafe(|| check(subject))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Err(Failure::new("panic", text.unwrap_or_default()))
    })
}

/// Runs a check of the program of a seed.
///
/// # Panics
/// If it fails, with the whole story.
pub fn run(name: &str, seed: u64, program: &Program, check: &Check<'_>) {
    let Err(failure) = guarded(check, program) else { return };
    let (small, last) = reduce(program, &failure, check);
    panic!(
        "{name}, seed {seed}: {}\n{}\n\nthe program:\n{}\nreduced:\n{}\nwhich gives {}:\n{}",
        failure.kind,
        failure.text,
        program.text(Parentheses::Needed),
        small.text(Parentheses::Needed),
        last.kind,
        last.text,
    );
}

/// Runs a check of a text that no tree belongs to.
///
/// # Panics
/// If it fails, with the whole story.
pub fn run_text(name: &str, seed: u64, text: &str, check: &dyn Fn(&str) -> Result<(), Failure>) {
    if let Err(failure) = guarded(check, text) {
        let small = reduce_text(text, &failure, check);
        let Failure { kind, text: what } = failure;
        panic!("{name}, seed {seed}: {kind}\n{what}\n\nthe text:\n{text}\n\nreduced:\n{small}\n");
    }
}
