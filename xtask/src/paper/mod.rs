//! `cargo xtask paper-table`: the measurements of Hagen and Tinelli ("Scaling up
//! the formal verification of Lustre programs with SMT-based techniques", FMCAD
//! 2008, section 4.1), again, on the programs of theirs that are public today.

mod figures;
mod groups;
mod render;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;

use crate::bench::progress::Progress;
use crate::bench::run::{Plan, Row};
use crate::bench::table::{self, Expected, Program};
use crate::bench::tool::{Tool, words};
use crate::bench::{INTERRUPTED, WRONG, positive, seconds, stop_on_signals};
use crate::cargo;
use groups::{GROUPS, Group};

/// What `cargo xtask paper-table` is told.
#[derive(Args)]
pub struct Options {
    /// The folder of programs
    folder: PathBuf,
    /// Table of what is expected; FOLDER/expected.tsv if it is not given
    #[arg(long, value_name = "FILE")]
    expected: Option<PathBuf>,
    /// Limit for each run
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    timeout: f64,
    /// How many runs at a time
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive)]
    jobs: usize,
    /// Only each Nth program of each group
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive)]
    every: usize,
    /// Write the tables to a file too
    #[arg(long, value_name = "FILE.md")]
    out: Option<PathBuf>,
    /// The binary to measure, instead of building it
    #[arg(long, value_name = "PATH")]
    lustral: Option<PathBuf>,
}

/// A group with what came out: for each configuration a row for each program.
pub struct Measured<'a> {
    group: &'static Group,
    programs: usize,
    runs: Vec<Vec<Row<'a>>>,
}

/// Runs all configurations. Gives 1 if an answer was wrong, or if two
/// configurations disagree.
///
/// # Errors
/// If the measurements cannot be made.
pub fn run(options: &Options) -> Result<u8, String> {
    let table = options.expected.clone().unwrap_or_else(|| options.folder.join("expected.tsv"));
    let all = table::from_table(&table, &options.folder)?;
    let open = all.iter().filter(|p| p.expected == Some(Expected::Open)).count();
    let binary = match &options.lustral {
        Some(path) => path.canonicalize().map_err(|e| format!("{}: {e}", path.display()))?,
        None => cargo::build_lustral()?,
    };
    let stop = stop_on_signals()?;
    let chosen: Vec<Vec<Program>> =
        GROUPS.iter().map(|group| programs(group, &all, options.every)).collect();
    if chosen.iter().all(Vec::is_empty) {
        return Err(format!("no program to run in {}", options.folder.display()));
    }
    let mut measured = Vec::new();
    for (group, programs) in GROUPS.iter().zip(&chosen) {
        measured.push(options.measure(group, programs, &binary, &stop)?);
    }
    let faults: Vec<String> = measured.iter().flat_map(figures::faults).collect();
    let text = render::markdown(&options.command_line(), open, &measured);
    println!("{text}");
    if let Some(path) = &options.out {
        fs::write(path, &text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    faults.iter().for_each(|fault| eprintln!("WRONG: {fault}"));
    Ok(match (faults.is_empty(), stop.load(Ordering::Relaxed)) {
        (false, _) => WRONG,
        (true, true) => INTERRUPTED,
        (true, false) => 0,
    })
}

/// Each Nth of the programs of a group.
fn programs(group: &Group, all: &[Program], every: usize) -> Vec<Program> {
    let mine = all.iter().filter(|p| p.expected.is_some_and(|e| (group.contains)(e)));
    mine.step_by(every).cloned().collect()
}

impl Options {
    fn measure<'a>(
        &self,
        group: &'static Group,
        programs: &'a [Program],
        binary: &std::path::Path,
        stop: &AtomicBool,
    ) -> Result<Measured<'a>, String> {
        let mut runs = Vec::new();
        for configuration in group.configurations {
            let further = words(configuration.arguments)?;
            let ours = Tool::lustral(binary.to_path_buf(), self.timeout, further);
            let timeout = Duration::from_secs_f64(self.timeout);
            let plan = Plan { programs, ours: &ours, other: None, timeout, jobs: self.jobs, stop };
            let mut progress = Progress::new(programs.len());
            runs.push(plan.run(|row| progress.show(row)));
            progress.clear();
        }
        Ok(Measured { group, programs: programs.len(), runs })
    }

    /// The command that would do the same again.
    fn command_line(&self) -> String {
        let mut line = format!("cargo xtask paper-table BENCHMARKS --timeout {}", self.timeout);
        if self.every > 1 {
            line += &format!(" --every {}", self.every);
        }
        if self.jobs > 1 {
            line += &format!(" --jobs {}", self.jobs);
        }
        line
    }
}
