//! The independent checker (`checker/`): its own tests, which have it judge Lustral's answers about the
//! project's programs, and answers that were made wrong.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use common::{require_cvc5, run};

/// What its tests may take, on a busy machine.
const LIMIT: Duration = Duration::from_secs(300);

fn require_python() {
    let found = Command::new("python3").arg("--version").output();
    assert!(
        found.is_ok_and(|output| output.status.success()),
        "this test needs `python3` on the PATH: `cargo xtask test` installs it"
    );
}

#[test]
fn the_independent_checker_accepts_answers_and_rejects_mutants() {
    require_cvc5();
    require_python();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checker");
    let mut command = Command::new("python3");
    command.args(["-B", "-m", "unittest", "discover", "-t", ".", "-s", "tests"]);
    command.current_dir(folder).env("LUSTRAL", env!("CARGO_BIN_EXE_lustral"));
    let tests = run(command, LIMIT).expect(0);
    assert!(!tests.stderr.contains("skipped"), "{}", tests.stderr);
}
