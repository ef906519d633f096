//! What a report says of the run itself.

use std::process::{Command, Stdio};

use lustral_report::{RunFacts, SolverFacts};
use lustral_smt::{Solver, z3_version};

use crate::cli::CheckOptions;

/// What was run: versions, and the options as they were given, but where the report goes.
pub(super) fn facts(options: &CheckOptions) -> RunFacts {
    let mut solvers: Vec<SolverFacts> = options
        .search
        .solvers()
        .filter(|solver| **solver != Solver::BuiltIn)
        .map(|solver| SolverFacts {
            name: solver.name().to_string(),
            version: version(solver),
            role: "search".into(),
        })
        .collect();
    solvers.dedup();
    let role = if solvers.is_empty() { "search and check" } else { "check" };
    solvers.push(SolverFacts {
        name: "Z3 (built in)".into(),
        version: z3_version(),
        role: role.into(),
    });
    RunFacts { version: env!("CARGO_PKG_VERSION").into(), solvers, options: given() }
}

/// The arguments of the command, without those that say where output goes.
fn given() -> Vec<String> {
    let mut given = Vec::new();
    let mut arguments = std::env::args().skip(2);
    while let Some(argument) = arguments.next() {
        let name = argument.split('=').next().unwrap_or_default();
        if ["--report", "--html", "--certificate", "--invariants-out"].contains(&name) {
            if name == argument {
                arguments.next();
            }
        } else {
            given.push(argument);
        }
    }
    given
}

/// What a solver says that it is, on one line.
fn version(solver: &Solver) -> String {
    let Solver::Program { program, .. } = solver else { return z3_version() };
    let said = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let first = said.unwrap_or_default().lines().next().unwrap_or_default().trim().to_string();
    if first.is_empty() { "of unknown version".into() } else { first }
}
