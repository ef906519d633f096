//! The command line of Lustral.

use std::process::ExitCode;

fn main() -> ExitCode {
    lustral::main()
}
