//! How long each test program takes. Cargo runs every test program through
//! `xtask timed PROGRAM ARGUMENTS…` (cargo's `runner`), which measures it and
//! appends a line to a file; afterwards the lines are shown, the longest first.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use clap::Args;

/// The file that the lines go to.
const FILE: &str = "LUSTRAL_TEST_TIMES";

/// What `cargo xtask timed` is told.
#[derive(Args)]
pub struct Options {
    /// The program and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<String>,
}

/// Runs one test program and notes how long it took.
///
/// # Errors
/// If it cannot be run, or there is nowhere to note the time.
pub fn run(options: &Options) -> Result<u8, String> {
    let [program, arguments @ ..] = &options.command[..] else {
        return Err("no program to measure".into());
    };
    let started = Instant::now();
    let status = Command::new(program)
        .args(arguments)
        .status()
        .map_err(|e| format!("cannot run {program}: {e}"))?;
    if let Some(file) = std::env::var_os(FILE) {
        let line = format!("{}\t{}\n", started.elapsed().as_millis(), name(program));
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&file)
            .map_err(|e| format!("cannot open {}: {e}", PathBuf::from(&file).display()))?;
        // One call, so that lines of programs side by side do not mix.
        file.write_all(line.as_bytes()).map_err(|e| format!("cannot note the time: {e}"))?;
    }
    Ok(crate::test::exit_code(status))
}

/// The package and the target of a test program. Cargo runs it in the folder of
/// its package, and its file is named after the target, with a hash.
fn name(program: &str) -> String {
    let stem = Path::new(program).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let target = match stem.rsplit_once('-') {
        Some((target, _)) => target.to_string(),
        None => "doctests".into(),
    };
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    if package.is_empty() { target } else { format!("{package} {target}") }
}

/// A call of cargo in which test programs are measured.
pub struct Times {
    /// Where the lines go.
    file: PathBuf,
    /// This program, which cargo is to run. Cargo may link it anew while it tests the
    /// workspace: the system then calls the running one deleted, while the path still
    /// leads to an `xtask`. So it is asked for once, before cargo is called.
    own: PathBuf,
}

impl Times {
    /// A file for the times of one call.
    ///
    /// # Errors
    /// If nobody knows where this program is.
    pub fn new() -> Result<Times, String> {
        let name = format!("lustral-test-times-{}", std::process::id());
        let own = std::env::current_exe().map_err(|e| format!("cannot find myself: {e}"))?;
        Ok(Times { file: std::env::temp_dir().join(name), own })
    }

    /// Tells cargo to measure.
    ///
    /// # Errors
    /// If cargo cannot be told where this program is.
    pub fn measure(&self, cargo: &mut Command) -> Result<(), String> {
        let own = self.own.to_str().ok_or("the path of xtask is no UTF-8")?;
        let runner = format!("target.'cfg(all())'.runner=[{own:?}, \"timed\"]");
        cargo.args(["--config", &runner]).env(FILE, &self.file);
        Ok(())
    }

    /// The table, if anything was measured. The file is gone then.
    #[must_use]
    pub fn table(&self) -> Option<String> {
        let lines = std::fs::read_to_string(&self.file).ok()?;
        let _ = std::fs::remove_file(&self.file);
        Some(table(&lines))
    }
}

/// The times of a file, added up for each name, the longest first.
fn table(lines: &str) -> String {
    let mut times: Vec<(String, Duration)> = Vec::new();
    for (time, name) in lines.lines().filter_map(|line| line.split_once('\t')) {
        let time = Duration::from_millis(time.parse().unwrap_or(0));
        match times.iter_mut().find(|(other, _)| other == name) {
            Some((_, sum)) => *sum += time,
            None => times.push((name.to_string(), time)),
        }
    }
    times.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let sum: Duration = times.iter().map(|(_, time)| *time).sum();
    times.push(("all test programs together".into(), sum));
    let line =
        |(name, time): &(String, Duration)| format!("{:8.1} s  {name}\n", time.as_secs_f64());
    times.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_added_up_and_sorted() {
        let found = table("1500\ta x\n20000\tb y\n700\ta x\nno time\n");
        let expected = "    20.0 s  b y\n     2.2 s  a x\n    22.2 s  all test programs together\n";
        assert_eq!(found, expected);
    }

    #[test]
    fn test_programs_are_named_after_their_targets() {
        assert!(name("/t/debug/deps/corpus-0123abcd").ends_with("corpus"));
        assert!(name("/tmp/rust_out").ends_with("doctests"));
    }
}
