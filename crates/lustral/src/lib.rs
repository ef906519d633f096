//! The program `lustral`: arguments, files, what is shown, signals, exit codes. No
//! search lives here: in which order the stages are called is `session`'s business.

mod allocator;
mod certify;
mod check;
pub mod cli;
mod diff;
mod dump;
pub mod exit;
mod frontend;
mod horn;
mod houdini;
mod invariants;
mod output;
mod realize;
mod signals;
mod simulate;
mod tests;
mod worker;

use std::process::ExitCode;

use clap::Parser as _;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::cli::{Arguments, Command};

/// Runs the program.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|wrong| cli::exit_with(wrong));
    start_tracing(arguments.verbose);
    let searches = matches!(
        arguments.command,
        Command::Check(_)
            | Command::Diff(_)
            | Command::Houdini(_)
            | Command::Invariants(_)
            | Command::Realize(_)
            | Command::Tests(_)
    );
    if searches {
        allocator::set_up();
    }
    let code = match &arguments.command {
        Command::Check(options) => check::run(options),
        Command::Invariants(options) => invariants::run(options),
        Command::Diff(options) => diff::run(options),
        Command::Realize(options) => realize::run(options),
        Command::Houdini(options) => houdini::run(options),
        Command::Horn(options) => horn::run(options),
        Command::Simulate(options) => simulate::run(options),
        Command::Tests(options) => tests::run(options),
        Command::Certify(options) => certify::run(options),
        Command::Dump(options) => dump::run(options),
        Command::Schema => output::Output::new().finish_with(&lustral_report::event::schema()),
        Command::Worker(options) => worker::run(options),
    };
    // At once and without clean-up: a solver thread may still be at work, and
    // the library must not be taken down under it. All output is flushed.
    signal_hook::low_level::exit(code.into())
}

/// Logs go to the standard error, if they are asked for.
fn start_tracing(verbose: u8) {
    let level = match verbose {
        0 => return,
        1 => tracing::Level::INFO,
        2 => tracing::Level::DEBUG,
        _ => tracing::Level::TRACE,
    };
    // Our own crates only: the solver's bindings log every term.
    let ours = tracing_subscriber::filter::Targets::new().with_target("lustral", level);
    let layer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    tracing_subscriber::registry().with(layer.with_filter(ours)).init();
}
