//! `cargo xtask horn-check`: every program of a folder as Horn clauses; of some
//! of them, whether another solver that reads the text agrees with us.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use clap::Args;

use crate::bench::answer::{Answer, Verdict};
use crate::bench::process::{Bounds, run as run_child};
use crate::bench::table::{self, Program};
use crate::bench::{INTERRUPTED, WRONG, positive, seconds, stop_on_signals};
use crate::cargo;

/// What `cargo xtask horn-check` is told.
#[derive(Args)]
pub struct Options {
    /// The folder of programs, perhaps with a table expected.tsv
    folder: PathBuf,
    /// A solver of Horn clauses; it is given the file after its arguments
    #[arg(long, value_name = "COMMAND", default_value = "z3")]
    solver: String,
    /// How many programs are solved too, spread evenly
    #[arg(long, value_name = "N", default_value = "100", value_parser = positive)]
    sample: usize,
    /// Limit for each answer
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: f64,
    /// The binary to check, instead of building it
    #[arg(long, value_name = "PATH")]
    lustral: Option<PathBuf>,
    /// Write the files here, instead of in a folder that is removed
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// A program that became Horn clauses.
struct Compiled<'p> {
    program: &'p Program,
    text: PathBuf,
    seconds: f64,
    bytes: u64,
}

/// Runs the chore.
///
/// # Errors
/// If nothing can be run.
pub fn run(options: &Options) -> Result<u8, String> {
    let stop = stop_on_signals()?;
    let beside = options.folder.join("expected.tsv");
    let programs = if beside.is_file() {
        table::from_table(&beside, &options.folder)?
    } else {
        table::from_folder(&options.folder)?
    };
    let lustral = match &options.lustral {
        Some(path) => path.clone(),
        None => cargo::build_lustral()?,
    };
    let scratch = std::env::temp_dir().join(format!("horn-check-{}", std::process::id()));
    let folder = options.out.clone().unwrap_or_else(|| scratch.clone());
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let (compiled, failed) = compile_all(&lustral, &programs, &folder);
    let limit = Duration::from_secs_f64(options.timeout);
    let check = Check { solver: &options.solver, lustral: &lustral, limit, stop: &stop };
    let mut tally = Tally::default();
    let count = options.sample.min(compiled.len());
    for one in (0..count).map(|i| &compiled[i * compiled.len() / count]) {
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Ok(INTERRUPTED);
        }
        check.one(one, &mut tally)?;
    }
    if options.out.is_none() {
        let _ = std::fs::remove_dir_all(&scratch);
    }
    println!("{}", tally.text());
    Ok(if tally.contradictions > 0 || failed > 0 { WRONG } else { 0 })
}

/// Writes all programs as Horn clauses; says how many could not be.
fn compile_all<'p>(
    lustral: &Path,
    programs: &'p [Program],
    folder: &Path,
) -> (Vec<Compiled<'p>>, usize) {
    let mut compiled = Vec::new();
    for program in programs {
        let text = folder.join(program.name.replace('/', "_") + ".smt2");
        let start = Instant::now();
        let mut command = Command::new(lustral);
        command.arg("horn").arg(&program.path).arg("-o").arg(&text);
        let done = command.output().is_ok_and(|output| output.status.success());
        let seconds = start.elapsed().as_secs_f64();
        match std::fs::metadata(&text).ok().filter(|_| done) {
            Some(file) => compiled.push(Compiled { program, text, seconds, bytes: file.len() }),
            None => println!("{}: no Horn clauses", program.name),
        }
    }
    let failed = programs.len() - compiled.len();
    let mut times: Vec<f64> = compiled.iter().map(|c| c.seconds).collect();
    let mut sizes: Vec<u64> = compiled.iter().map(|c| c.bytes).collect();
    times.sort_by(f64::total_cmp);
    sizes.sort_unstable();
    if let (Some(longest), Some(largest)) = (times.last(), sizes.last()) {
        let (time, size) = (times[times.len() / 2], sizes[sizes.len() / 2]);
        println!(
            "{} of {} programs compiled: median {time:.3} s, at most {longest:.3} s; \
             median {size} bytes, at most {largest}",
            compiled.len(),
            programs.len()
        );
    }
    (compiled, failed)
}

#[derive(Default)]
struct Tally {
    agreed: usize,
    solver_undecided: usize,
    we_undecided: usize,
    contradictions: usize,
}

impl Tally {
    fn text(&self) -> String {
        let Tally { agreed, solver_undecided, we_undecided, contradictions } = self;
        format!(
            "{agreed} agree, {solver_undecided} not decided by the solver, \
             {we_undecided} only by the solver, {contradictions} contradictions"
        )
    }
}

struct Check<'c> {
    solver: &'c str,
    lustral: &'c Path,
    limit: Duration,
    stop: &'c std::sync::atomic::AtomicBool,
}

impl Check<'_> {
    fn one(&self, compiled: &Compiled<'_>, tally: &mut Tally) -> Result<(), String> {
        let name = &compiled.program.name;
        let theirs = self.solver_says(&compiled.text)?;
        if theirs.is_none() {
            tally.solver_undecided += 1;
            println!("{name}: not decided by the solver");
            return Ok(());
        }
        let ours = self.we_say(&compiled.program.path)?;
        match ours {
            None => tally.we_undecided += 1,
            ours if ours == theirs => tally.agreed += 1,
            _ => {
                tally.contradictions += 1;
                println!("{name}: CONTRADICTION: we say {ours:?}, the solver {theirs:?}");
            }
        }
        Ok(())
    }

    fn output(&self, command: Command) -> Result<String, String> {
        let mark = format!("horn-check-{}", std::process::id());
        let bounds =
            Bounds { limit: self.limit + Duration::from_secs(2), stop: self.stop, mark: &mark };
        let program = command.get_program().to_string_lossy().into_owned();
        Ok(run_child(command, bounds).map_err(|e| format!("{program}: {e}"))?.stdout)
    }

    /// Whether all properties are valid, by the word of the solver.
    fn solver_says(&self, file: &Path) -> Result<Option<bool>, String> {
        let mut words = self.solver.split_whitespace();
        let mut command = Command::new(words.next().ok_or("--solver: no command")?);
        command.args(words).arg(file);
        let output = self.output(command)?;
        let mut lines = output.lines().map(str::trim);
        Ok(lines.find_map(|line| match line {
            "sat" => Some(true),
            "unsat" => Some(false),
            _ => None,
        }))
    }

    /// Whether all properties are valid, by our word.
    fn we_say(&self, file: &Path) -> Result<Option<bool>, String> {
        let mut command = Command::new(self.lustral);
        let time = self.limit.as_secs_f64().to_string();
        command.args(["check", "--json", "--timeout", &time]).arg(file);
        let output = self.output(command)?;
        Ok(match Answer::from_json_lines(&output).map(|answer| answer.verdict) {
            Ok(Verdict::Valid) => Some(true),
            Ok(Verdict::Falsifiable) => Some(false),
            _ => None,
        })
    }
}
