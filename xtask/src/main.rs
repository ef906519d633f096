//! The project's chores, as `cargo xtask COMMAND`.
//!
//! Owns the command line. Knows nothing of lustral's crates but `base`: it builds in
//! seconds and treats the checker as a program like any other.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod bench;
mod cargo;
mod faults;
mod fuzz;
mod horn;
mod modular;
mod paper;
mod scale;
mod stability;
mod test;
mod times;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The project's chores.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Runs the whole test suite; installs the solver it needs if that is missing
    Test(test::Options),
    /// Runs the random tests on many seeds
    Fuzz(fuzz::Options),
    /// Runs a folder of Lustre programs, compares with what is expected, measures
    Bench(Box<bench::Options>),
    /// Writes a folder of programs as Horn clauses, and has some of them solved by another solver
    HornCheck(horn::Options),
    /// Makes summaries of nodes from the proofs of a folder of programs, and makes them smaller
    ModularCheck(modular::Options),
    /// Repeats the measurements of Hagen and Tinelli on a folder of their programs
    PaperTable(paper::Options),
    /// Measures how time and memory grow with the size of generated programs
    Scale(scale::Options),
    /// Checks programs again and again, and kills the checker again and again
    Stability(stability::Options),
    /// Checks programs while panics, killed solvers, full disks and too little memory get in the way
    Faults(faults::Options),
    /// Runs one test program and notes how long it took; for `test`
    #[command(hide = true)]
    Timed(times::Options),
}

/// The chore could not be done at all; 1 is left to what a chore finds.
const FAILED: u8 = 2;

fn main() -> ExitCode {
    let done = match Arguments::parse().chore {
        Chore::Test(options) => test::run(&options),
        Chore::Fuzz(options) => fuzz::run(&options),
        Chore::Bench(options) => bench::run(&options),
        Chore::HornCheck(options) => horn::run(&options),
        Chore::ModularCheck(options) => modular::run(&options),
        Chore::PaperTable(options) => paper::run(&options),
        Chore::Scale(options) => scale::run(&options),
        Chore::Stability(options) => stability::run(&options),
        Chore::Faults(options) => faults::run(&options),
        Chore::Timed(options) => times::run(&options),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::from(FAILED)
        }
    }
}
