//! `cargo xtask faults`: whatever goes wrong while programs are checked, no verdict is lost and none is wrong.
//!
//! Each program is checked once undisturbed, and then again and again with a fault: a panic somewhere in the
//! tool, a thread that the system does not start, a solver that is killed, a disk that is full, an output that cannot be
//! written, too little memory. What the tool says then is compared with what it says undisturbed.

mod judge;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use lustral_base::Random;

use crate::bench::process::{Bounds, Ended, run as run_process};
use crate::bench::{positive, seconds, stop_on_signals, stragglers, table};
use crate::cargo;
use judge::{Complaint, Said, judge};

/// What `cargo xtask faults` is told.
#[derive(Args)]
pub struct Options {
    /// The folder of programs
    folder: PathBuf,
    /// How many runs have a fault
    #[arg(long, value_name = "N", default_value = "1000", value_parser = positive)]
    runs: usize,
    /// Only each Nth file
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive)]
    every: usize,
    /// Limit for each run
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: f64,
    /// Chooses programs and faults
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: u64,
    /// Only this kind of fault (repeatable)
    #[arg(long, value_name = "KIND", value_enum)]
    kind: Vec<Kind>,
    /// The binary, instead of building it: one with debug assertions, or nothing panics
    #[arg(long, value_name = "PATH")]
    lustral: Option<PathBuf>,
}

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, clap::ValueEnum)]
pub enum Kind {
    /// A panic where a piece of work begins
    Panic,
    /// A thread that the system does not start
    Thread,
    /// A worker or solver that is killed
    Killed,
    /// Files that cannot grow
    Disk,
    /// An output that cannot be written
    Output,
    /// Too little memory
    Memory,
}

impl Kind {
    const ALL: [Kind; 6] =
        [Kind::Panic, Kind::Thread, Kind::Killed, Kind::Disk, Kind::Output, Kind::Memory];
}

/// Something was lost or wrong.
const BAD: u8 = 1;

/// Runs it all. Gives 1 if a verdict was lost or wrong, or an exit code.
///
/// # Errors
/// If there is nothing to run, or it cannot be run.
pub fn run(options: &Options) -> Result<u8, String> {
    let binary = match &options.lustral {
        Some(path) => path.canonicalize().map_err(|e| format!("{}: {e}", path.display()))?,
        None => cargo::build_for_faults()?,
    };
    // Each run has a folder of its own, from which other names would mean nothing.
    let folder = options.folder.canonicalize();
    let folder = folder.map_err(|e| format!("{}: {e}", options.folder.display()))?;
    let programs: Vec<PathBuf> = table::from_folder(&folder)?
        .into_iter()
        .step_by(options.every)
        .map(|program| program.path)
        .collect();
    if programs.is_empty() {
        return Err(format!("no program in {}", options.folder.display()));
    }
    let scratch = std::env::temp_dir().join(format!("lustral-faults-{}", std::process::id()));
    fs::create_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
    let stop = stop_on_signals()?;
    let trial = Trial { options, binary: &binary, scratch: &scratch, stop: &stop };
    let result = trial.all(&programs);
    let _ = fs::remove_dir_all(&scratch);
    result
}

/// What all runs have in common.
struct Trial<'a> {
    options: &'a Options,
    binary: &'a Path,
    scratch: &'a Path,
    stop: &'a AtomicBool,
}

impl Trial<'_> {
    fn all(&self, programs: &[PathBuf]) -> Result<u8, String> {
        let mut random = Random::new(self.options.seed);
        let kinds =
            if self.options.kind.is_empty() { &Kind::ALL[..] } else { &self.options.kind[..] };
        let mut undisturbed: BTreeMap<&Path, Said> = BTreeMap::new();
        let mut counts: BTreeMap<(Kind, String), usize> = BTreeMap::new();
        let mut bad = 0;
        for number in 0..self.options.runs {
            let (program, kind) = (random.pick(programs).as_path(), kinds[number % kinds.len()]);
            if !undisturbed.contains_key(program) {
                let ended = self.run(program, None, 0, &mut random)?;
                undisturbed.insert(program, Said::read(&ended.stdout));
            }
            let known = &undisturbed[program];
            // Of what has no verdict none can be lost.
            if known.is_empty() {
                continue;
            }
            let ended = self.run(program, Some(kind), number, &mut random)?;
            if self.stop.load(std::sync::atomic::Ordering::Relaxed) {
                break;
            }
            let judged = judge(kind, known, &ended);
            let word = match &judged {
                Ok(word) => (*word).to_string(),
                Err(complaint) => format!("{complaint:?}"),
            };
            *counts.entry((kind, word)).or_default() += 1;
            if let Err(complaint) = judged {
                bad += 1;
                self.complain(number, kind, program, complaint, &ended);
            }
        }
        for ((kind, word), count) in &counts {
            println!("{kind:?}: {count} {word}");
        }
        let runs: usize = counts.values().sum();
        if runs == 0 {
            return Err("no program has a verdict".into());
        }
        println!(
            "{runs} runs with a fault: {bad} with a verdict lost or wrong, or a wrong exit code"
        );
        Ok(if bad > 0 { BAD } else { 0 })
    }

    fn complain(
        &self,
        number: usize,
        kind: Kind,
        program: &Path,
        complaint: Complaint,
        ended: &Ended,
    ) {
        println!(
            "{complaint:?}: run {number}, {kind:?}, {}, {:?}",
            program.display(),
            ended.ending
        );
        for line in ended.stderr.lines().take(4) {
            println!("    {line}");
        }
    }

    /// Checks a program, with a fault or without.
    fn run(
        &self,
        program: &Path,
        kind: Option<Kind>,
        number: usize,
        random: &mut Random,
    ) -> Result<Ended, String> {
        let mark = format!("{}-fault-{number}", std::process::id());
        let folder = self.scratch.join(number.to_string());
        fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut command = self.command(program, kind, random);
        command.current_dir(&folder);
        // Few pieces of work are done in small programs: small numbers are drawn more often.
        let size = 1 + random.below(9);
        let drawn = 1 + random.below(1 << size);
        let fault = match kind {
            Some(Kind::Panic) => format!("work {drawn}"),
            Some(Kind::Thread) => format!("thread {}", 1 + drawn % 24),
            _ => String::new(),
        };
        command.env("LUSTRAL_FAULT", fault);
        let limit = Duration::from_secs_f64(self.options.timeout + 10.0);
        let bounds = Bounds { limit, stop: self.stop, mark: &mark };
        let moment = Duration::from_millis(random.below(1500));
        let killer = (kind == Some(Kind::Killed)).then(|| {
            let mark = mark.clone();
            std::thread::spawn(move || {
                std::thread::sleep(moment);
                stragglers::kill_child(&mark)
            })
        });
        let ended = run_process(command, bounds);
        if let Some(killer) = killer {
            let _ = killer.join();
        }
        let _ = fs::remove_dir_all(&folder);
        ended.map_err(|e| format!("cannot run {}: {e}", self.binary.display()))
    }

    /// The command; limits of the system are set by a shell.
    fn command(&self, program: &Path, kind: Option<Kind>, random: &mut Random) -> Command {
        let limits = match kind {
            // Whoever writes beyond the limit is to hear of it, and not to be killed.
            Some(Kind::Disk) => {
                format!("trap '' XFSZ; ulimit -f {}; exec \"$@\"", random.below(12))
            }
            Some(Kind::Output) => "exec \"$@\" > /dev/full".to_string(),
            Some(Kind::Memory) => {
                format!("ulimit -v {}; exec \"$@\"", 100_000 + random.below(2_000_000))
            }
            _ => "exec \"$@\"".to_string(),
        };
        let timeout = self.options.timeout.to_string();
        let mut command = Command::new("bash");
        command.args(["-c", &limits, "faults"]).arg(self.binary);
        command.args(["check", "--json", "--timeout", &timeout]).arg(program);
        if kind == Some(Kind::Disk) {
            command.args(["--certificate", "certificates", "--html", "page.html"]);
            command.args(["--cache=cache", "--invariants-out", "invariants"]);
        }
        // What is killed has to be there: a solver of its own, or the workers.
        let is_there = Command::new("cvc5").arg("--version").output().is_ok();
        if kind == Some(Kind::Killed) && is_there && random.below(2) == 0 {
            command.args(["--solver", "cvc5"]);
        }
        command
    }
}
