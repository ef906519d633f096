//! `cargo xtask bench`: runs a folder of programs, compares the verdicts with
//! a table, measures time and memory.
//!
//! The modules in reading order: what is run (`table`, `tool`), how
//! (`process`, `run`), what it is worth (`answer`, `judge`), what is said about
//! it (`results`, `summary`, `comparison`).

pub mod table;
pub mod tool;
#[cfg(test)]
mod tool_tests;

pub mod process;
pub mod progress;
pub mod run;
pub mod stragglers;

pub mod answer;
pub mod judge;

mod comparison;
mod leave_one_out;
mod results;
mod statistics;
mod summary;

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::cargo;
use comparison::{Comparison, Pair};
use judge::Status;
use progress::Progress;
use results::{Past, Tools, Writer};
use run::{Plan, Row};
use table::Program;
use tool::{Tool, words};

/// Some answer was wrong.
pub const WRONG: u8 = 1;
/// Stopped by the user.
pub const INTERRUPTED: u8 = 130;

/// What `cargo xtask bench` is told.
#[derive(Args)]
pub struct Options {
    /// The folder of programs
    folder: PathBuf,
    /// Table of what is expected: file, expected (valid, falsifiable, open), step;
    /// FOLDER/expected.tsv if that is there, otherwise all *.lus files are run
    #[arg(long, value_name = "FILE")]
    expected: Option<PathBuf>,
    /// Limit for each file
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: f64,
    /// How many files at a time
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive)]
    jobs: usize,
    /// Only files with this in their name
    #[arg(long, value_name = "SUBSTRING")]
    filter: Option<String>,
    /// Only each Nth file
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive)]
    every: usize,
    /// Write the results as a table
    #[arg(long, value_name = "FILE.tsv")]
    out: Option<PathBuf>,
    /// Compare with the table of an earlier run
    #[arg(long, value_name = "OLD.tsv")]
    baseline: Option<PathBuf>,
    /// The binary to measure, instead of building it
    #[arg(long, value_name = "PATH")]
    lustral: Option<PathBuf>,
    /// Further arguments for lustral
    #[arg(long, value_name = "ARGUMENTS", default_value = "", allow_hyphen_values = true)]
    lustral_args: String,
    /// Also ask lustral where the time went, and show the share of each stage and engine
    #[arg(long)]
    shares: bool,
    /// The engines of the portfolio, separated by commas: run with all of them, and without each
    #[arg(long, value_name = "ENGINES", value_delimiter = ',', conflicts_with_all = ["out", "baseline", "other"])]
    leave_one_out: Vec<String>,
    /// Another tool to run beside lustral; {file} and {timeout} are replaced
    #[arg(long, value_name = "COMMAND", requires_all = ["other_valid", "other_falsifiable"])]
    other: Option<String>,
    /// Output by which the other tool says valid
    #[arg(long, value_name = "SUBSTRING", requires = "other")]
    other_valid: Option<String>,
    /// Output by which the other tool says falsifiable (looked for first)
    #[arg(long, value_name = "SUBSTRING", requires = "other")]
    other_falsifiable: Option<String>,
}

/// A limit, as an argument.
///
/// # Errors
/// If it is none.
pub fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|s| *s > 0.0 && *s <= 1e6);
    seconds.ok_or_else(|| "expected a positive number of seconds".into())
}

/// A number of things, as an argument.
///
/// # Errors
/// If it is none.
pub fn positive(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().filter(|n| *n > 0);
    number.ok_or_else(|| "expected a positive number".into())
}

/// Runs a benchmark. Gives 1 if an answer was wrong.
///
/// # Errors
/// If the benchmark cannot be run.
pub fn run(options: &Options) -> Result<u8, String> {
    let past = options.baseline.as_deref().map(results::read).transpose()?;
    let programs = options.programs()?;
    let other = options.other_tool()?;
    let ours = options.our_tool()?;
    let tools = if other.is_some() { Tools::Two } else { Tools::One };
    let mut table = options.out.as_deref().map(|path| Writer::create(path, tools)).transpose()?;

    let stop = stop_on_signals()?;
    let timeout = Duration::from_secs_f64(options.timeout);
    let (jobs, other) = (options.jobs, other.as_ref());
    let plan = Plan { programs: &programs, ours: &ours, other, timeout, jobs, stop: &stop };
    if !options.leave_one_out.is_empty() {
        let tool = |arguments| options.our_tool_with(&ours, arguments);
        print!("{}", leave_one_out::table(&plan, &options.leave_one_out, options.timeout, tool));
        return Ok(0);
    }
    let mut progress = Progress::new(programs.len());
    let mut unwritten = None;
    let start = Instant::now();
    let rows = plan.run(|row| {
        progress.show(row);
        unwritten = table.as_mut().and_then(|table| table.add(row).err()).or(unwritten.take());
    });
    progress.clear();

    let elapsed = start.elapsed().as_secs_f64();
    let mut text = summary::summary(&rows, options.timeout);
    text += &past.as_ref().map(|past| against(past, &rows)).unwrap_or_default();
    let interrupted = rows.len() < programs.len();
    let what = if interrupted { "interrupted" } else { "done" };
    text += &format!("\n{what}: {} of {} files in {elapsed:.1} s\n", rows.len(), programs.len());
    // Who closes the pipe does not want to read it.
    let _ = stdout().write_all(text.as_bytes());
    unwritten = table.and_then(|table| table.finish(&rows).err()).or(unwritten);
    unwritten.map_or_else(|| Ok(exit_code(&rows, interrupted)), Err)
}

fn exit_code(rows: &[Row<'_>], interrupted: bool) -> u8 {
    let wrong = rows.iter().any(|row| matches!(row.ours.status, Status::Wrong(_)));
    if wrong || summary::disagreements(rows).next().is_some() {
        WRONG
    } else if interrupted {
        INTERRUPTED
    } else {
        0
    }
}

/// The rows beside those of an earlier run.
fn against(past: &Past, rows: &[Row<'_>]) -> String {
    let known = rows.iter().filter(|row| past.contains_key(&row.program.name));
    let pairs = known.map(|row| Pair {
        file: &row.program.name,
        before: past.get(&row.program.name).copied().flatten(),
        after: row.ours.solved_wall(),
    });
    let pairs: Vec<Pair<'_>> = pairs.collect();
    let (common, here, there) = (pairs.len(), rows.len(), past.len());
    let report = Comparison::of(pairs).report();
    format!("\nagainst the baseline ({common} files in both, {here} here, {there} there)\n{report}")
}

/// The first signal asks for the summary.
///
/// # Errors
/// If signals cannot be caught.
pub fn stop_on_signals() -> Result<Arc<AtomicBool>, String> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&stop))
            .map_err(|e| format!("cannot catch signals: {e}"))?;
    }
    Ok(stop)
}

impl Options {
    fn programs(&self) -> Result<Vec<Program>, String> {
        let beside = self.folder.join("expected.tsv");
        let table = self.expected.clone().or_else(|| beside.is_file().then_some(beside));
        let mut programs = match &table {
            Some(table) => table::from_table(table, &self.folder)?,
            None => table::from_folder(&self.folder)?,
        };
        if let Some(part) = &self.filter {
            programs.retain(|program| program.name.contains(part));
        }
        let programs: Vec<Program> = programs.into_iter().step_by(self.every).collect();
        if programs.is_empty() {
            return Err(format!("no program to run in {}", self.folder.display()));
        }
        Ok(programs)
    }

    fn our_tool(&self) -> Result<Tool, String> {
        let mut further = words(&self.lustral_args)?;
        further.extend(self.shares.then(|| "--profile".to_string()));
        let binary = match &self.lustral {
            Some(path) => {
                path.canonicalize().map_err(|e| format!("--lustral {}: {e}", path.display()))?
            }
            None => cargo::build_lustral()?,
        };
        Ok(Tool::lustral(binary, self.timeout, further))
    }

    /// Lustral with more arguments.
    fn our_tool_with(&self, ours: &Tool, more: Vec<String>) -> Tool {
        match ours.clone() {
            Tool::Lustral { binary, mut arguments } => {
                arguments.extend(more);
                Tool::Lustral { binary, arguments }
            }
            other @ Tool::Other { .. } => other,
        }
    }

    fn other_tool(&self) -> Result<Option<Tool>, String> {
        let (Some(line), Some(valid), Some(falsifiable)) =
            (&self.other, &self.other_valid, &self.other_falsifiable)
        else {
            return Ok(None);
        };
        let words = words(line)?;
        if !words.iter().any(|word| word.contains("{file}")) {
            return Err(format!("--other: no {{file}} in: {line}"));
        }
        let (valid, falsifiable) = (valid.clone(), falsifiable.clone());
        Ok(Some(Tool::Other { words, timeout: self.timeout, valid, falsifiable }))
    }
}
