//! `cargo xtask fuzz`: the random tests on many more seeds than the suite runs.
//!
//! Nothing stops at the first failure; each is shown with its seed and a reduced
//! program, and `--first SEED --seeds 1` shows it again.

use clap::Args;

use crate::cargo;
use crate::test::exit_code;

/// The test targets that run on seeds: package and target, in the order of the
/// stages. The first four link no solver.
const TARGETS: [(&str, &str); 9] = [
    ("lustral-syntax", "random"),
    ("lustral-sema", "random"),
    ("lustral-sema", "blocks"),
    ("lustral-flow", "random"),
    ("lustral-orbits", "instances"),
    ("lustral-engines", "unrolling"),
    ("lustral-certify", "execution"),
    ("lustral-session", "realize"),
    ("lustral", "random"),
];

/// What `cargo xtask fuzz` is told.
#[derive(Args)]
pub struct Options {
    /// Seeds for each test
    #[arg(long, default_value_t = 20_000)]
    seeds: u64,
    /// The first seed
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Only the tests of this package, e.g. `lustral-flow`; may be repeated
    #[arg(long = "package", short = 'p', value_name = "PACKAGE")]
    packages: Vec<String>,
    /// Only tests whose names contain this
    name: Option<String>,
}

/// Runs the random tests, one target after the other.
///
/// # Errors
/// If there is no such package, or cargo cannot be run.
pub fn run(options: &Options) -> Result<u8, String> {
    let mut worst = 0;
    for (package, target) in chosen(&options.packages)? {
        let status = cargo::command()
            .args(["test", "--package", package, "--test", target, "--"])
            .args(&options.name)
            .env("LUSTRAL_SEEDS", options.seeds.to_string())
            .env("LUSTRAL_FIRST_SEED", options.first.to_string())
            .env("LUSTRAL_KEEP_GOING", "1")
            .status()
            .map_err(|e| format!("cannot run cargo: {e}"))?;
        worst = worst.max(exit_code(status));
    }
    Ok(worst)
}

fn chosen(packages: &[String]) -> Result<Vec<(&'static str, &'static str)>, String> {
    if let Some(other) = packages.iter().find(|p| TARGETS.iter().all(|(own, _)| own != p)) {
        let known: Vec<&str> = TARGETS.iter().map(|(package, _)| *package).collect();
        return Err(format!("{other} has no random tests; {} have", known.join(", ")));
    }
    let wanted = |package: &str| packages.is_empty() || packages.iter().any(|p| p == package);
    Ok(TARGETS.into_iter().filter(|(package, _)| wanted(package)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_chosen_in_the_order_of_the_stages() {
        assert_eq!(chosen(&[]).unwrap(), TARGETS);
        let two = ["lustral-flow".to_string(), "lustral-syntax".into()];
        assert_eq!(chosen(&two).unwrap(), [TARGETS[0], TARGETS[3]]);
        assert!(chosen(&["lustral-smt".into()]).unwrap_err().contains("lustral-flow"));
    }

    /// A target that was renamed would be fuzzed no more.
    #[test]
    fn all_targets_exist() {
        for (package, target) in TARGETS {
            let folder = package.strip_prefix("lustral-").unwrap_or(package);
            let tests = format!("{}/../crates/{folder}/tests", env!("CARGO_MANIFEST_DIR"));
            let paths = [format!("{tests}/{target}.rs"), format!("{tests}/{target}/main.rs")];
            assert!(paths.iter().any(|p| std::path::Path::new(p).exists()), "{paths:?}");
        }
    }
}
