//! `cargo xtask test`: the whole test suite, with what it needs.
//!
//! The tests check certificates a second time with cvc5, and answers with the independent
//! checker, which is written in Python. Where both are on the PATH nothing is fetched; otherwise
//! Debian's packages are installed.

use std::io::ErrorKind;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Output, Stdio};

use clap::Args;
use rustix::process::geteuid;

use crate::cargo;
use crate::times::Times;

/// What the tests call, by the names of the programs and of their packages.
const NEEDED: [&str; 2] = ["cvc5", "python3"];

const BY_HAND: &str = "\
The tests check certificates with cvc5 and python3, which are not both on the PATH. To install them by hand:
  on Debian or Ubuntu, as root:  apt-get update && apt-get install cvc5 python3
  elsewhere: put the binary of a release of https://github.com/cvc5/cvc5 on the PATH as `cvc5`,
  and a Python of 3.9 or later as `python3`";

/// What `cargo xtask test` is told.
#[derive(Args)]
pub struct Options {
    /// Arguments for `cargo test`, e.g. `-- --release` or `-- -p xtask -- --nocapture`
    #[arg(last = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

/// Runs the tests, shows how long each test program took, and gives the exit
/// code of `cargo test`.
///
/// # Errors
/// If something that the tests call is missing and cannot be installed, or cargo cannot be run.
pub fn run(options: &Options) -> Result<u8, String> {
    for program in NEEDED {
        if !runs(program)? {
            install(program)?;
            if !runs(program)? {
                return Err(format!("the package was installed without an effect.\n{BY_HAND}"));
            }
        }
    }
    let times = Times::new()?;
    let mut code = cargo_test(&times, &["--workspace"], &options.arguments)?;
    if code == 0 && options.arguments.is_empty() && has_more_cases() {
        eprintln!("xtask: the cases beside the workspace");
        code = cargo_test(&times, &MORE_CASES, &[])?;
    }
    if let Some(table) = times.table() {
        eprint!("xtask: how long the test programs took\n{table}");
    }
    Ok(code)
}

/// The test that needs the collection beside the workspace, and is ignored
/// without being asked for. It is chosen from the workspace: of one package cargo would
/// build everything again, with the features that this package alone asks for.
const MORE_CASES: [&str; 6] =
    ["--workspace", "--test", "corpus", "cases_beside_the_workspace", "--", "--ignored"];

/// Whether a larger collection of cases lies beside the workspace.
fn has_more_cases() -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.join("../shared/cases/cases.tsv").exists()
}

/// Runs `cargo test`, measured; its exit code.
fn cargo_test(times: &Times, selection: &[&str], arguments: &[String]) -> Result<u8, String> {
    let mut command = cargo::command();
    command.arg("test");
    times.measure(&mut command)?;
    let status = command.args(selection).args(arguments).status();
    Ok(exit_code(status.map_err(|e| format!("cannot run cargo: {e}"))?))
}

/// As a shell would give it.
pub fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// Whether a program is there; one that is there but broken is an error.
fn runs(program: &str) -> Result<bool, String> {
    let asked = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    match asked {
        Ok(output) if output.status.success() => Ok(true),
        Ok(output) => Err(format!(
            "`{program} --version` fails ({}): {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        )),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(false),
        Err(e) => Err(format!("cannot run {program}: {e}")),
    }
}

fn install(program: &str) -> Result<(), String> {
    eprintln!("xtask: {program} is not on the PATH: installing Debian's package");
    // Lists that are a little old may still do: only the installation decides.
    let update = apt_get(&["update"])?;
    let install = apt_get(&["install", "-y", "--no-install-recommends", program])?;
    if install.status.success() {
        return Ok(());
    }
    let mut message = String::new();
    for (what, output) in [("update", &update), ("install", &install)] {
        if !output.status.success() {
            let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
            let text = String::from_utf8_lossy(&text);
            message += &format!("`apt-get {what}` failed ({}):\n{}\n", output.status, text.trim());
        }
    }
    Err(format!("{message}{BY_HAND}"))
}

/// Calls apt-get, as root, asking nothing.
fn apt_get(arguments: &[&str]) -> Result<Output, String> {
    let mut words = vec!["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"];
    words.extend(["-o", "DPkg::Lock::Timeout=120"]);
    words.extend(arguments);
    if !geteuid().is_root() {
        words.splice(0..0, ["sudo", "-n"]);
    }
    Command::new(words[0]).args(&words[1..]).stdin(Stdio::null()).output().map_err(|e| {
        let whom = if words[0] == "sudo" { "not root, and cannot run sudo" } else { "cannot run" };
        format!("{whom}: {e}\n{BY_HAND}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_those_of_a_shell() {
        assert_eq!(exit_code(ExitStatus::from_raw(101 << 8)), 101);
        assert_eq!(exit_code(ExitStatus::from_raw(0)), 0);
        assert_eq!(exit_code(ExitStatus::from_raw(9)), 137);
    }
}
