//! `cargo xtask stability`: no verdict changes from run to run, and nothing is
//! left behind when the checker is killed. Both take long, so they are no tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use lustral_base::Random;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::bench::process::{Bounds, run as run_process};
use crate::bench::stragglers::{MARK, kill_all};
use crate::bench::{positive, seconds, stop_on_signals, table};
use crate::cargo;

/// What `cargo xtask stability` is told.
#[derive(Args)]
pub struct Options {
    /// The folder of programs
    folder: PathBuf,
    /// How often each is checked
    #[arg(long, value_name = "N", default_value = "100", value_parser = positive)]
    runs: usize,
    /// How often the checker is killed
    #[arg(long, value_name = "N", default_value = "100")]
    kills: usize,
    /// Only each Nth file
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive)]
    every: usize,
    /// Limit for each run
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: f64,
    /// The binary, instead of building it
    #[arg(long, value_name = "PATH")]
    lustral: Option<PathBuf>,
}

/// Something was unstable.
const UNSTABLE: u8 = 1;

/// Runs it all. Gives 1 if a verdict changed or something stayed behind.
///
/// # Errors
/// If there is nothing to run, or it cannot be run.
pub fn run(options: &Options) -> Result<u8, String> {
    let binary = match &options.lustral {
        Some(path) => path.canonicalize().map_err(|e| format!("{}: {e}", path.display()))?,
        None => cargo::build_lustral()?,
    };
    let programs: Vec<PathBuf> = table::from_folder(&options.folder)?
        .into_iter()
        .step_by(options.every)
        .map(|program| program.path)
        .collect();
    if programs.is_empty() {
        return Err(format!("no program in {}", options.folder.display()));
    }
    let stop = stop_on_signals()?;
    let mut flips = 0;
    let mut sometimes = 0;
    for program in &programs {
        let verdicts = repeated(&binary, program, options, &stop)?;
        for (property, words) in &verdicts {
            if words.contains("valid") && words.contains("falsifiable") {
                flips += 1;
                println!("FLIPS: {} {property}", program.display());
            } else if words.len() > 1 {
                sometimes += 1;
                println!("decided in some runs only: {} {property}", program.display());
            }
        }
    }
    let left = kills(&binary, &programs, options.kills)?;
    println!(
        "{} programs, {} runs each: {flips} verdicts flip, {sometimes} decided in some runs only\n\
         {} kills: {left} processes left behind",
        programs.len(),
        options.runs,
        options.kills
    );
    Ok(if flips + left > 0 { UNSTABLE } else { 0 })
}

/// By property: the verdicts of all runs.
fn repeated(
    binary: &Path,
    program: &Path,
    options: &Options,
    stop: &AtomicBool,
) -> Result<BTreeMap<String, BTreeSet<String>>, String> {
    let mut verdicts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let limit = Duration::from_secs_f64(options.timeout + 2.0);
    for number in 0..options.runs {
        let mark = format!("{}-stable-{number}", std::process::id());
        let mut command = Command::new(binary);
        command.args(["check", "--json", "--timeout", &options.timeout.to_string()]).arg(program);
        let ended = run_process(command, Bounds { limit, stop, mark: &mark });
        let ended = ended.map_err(|e| format!("cannot run {}: {e}", binary.display()))?;
        for (property, verdict) in read(&ended.stdout) {
            verdicts.entry(property).or_default().insert(verdict);
        }
    }
    Ok(verdicts)
}

/// The properties and verdicts of JSON Lines.
fn read(text: &str) -> impl Iterator<Item = (String, String)> {
    let events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    events.filter(|event| event["event"] == "verdict").map(|event| {
        let word = |name: &str| event[name].as_str().unwrap_or_default().to_string();
        (format!("{}.{}", word("node"), word("property")), word("verdict"))
    })
}

/// Kills the checker at random moments; the number of processes left behind.
fn kills(binary: &Path, programs: &[PathBuf], count: usize) -> Result<usize, String> {
    let mut left = 0;
    let mut random = Random::new(1);
    for number in 0..count {
        let signal = [Signal::KILL, Signal::TERM, Signal::INT][number % 3];
        let mark = format!("{}-kill-{number}", std::process::id());
        // Workers begin after a tenth of a second.
        let moment = Duration::from_millis(random.below(1000));
        let program = random.pick(programs);
        let mut child = Command::new(binary)
            .args(["check", "--timeout", "60"])
            .arg(program)
            .env(MARK, &mark)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("cannot run {}: {e}", binary.display()))?;
        std::thread::sleep(moment);
        let _ = kill_process(Pid::from_child(&child), signal);
        child.wait().map_err(|e| e.to_string())?;
        // The kernel tells them at once, but they must be given the processor.
        std::thread::sleep(Duration::from_millis(200));
        let behind = kill_all(&mark);
        if behind > 0 {
            println!("LEFT BEHIND: {behind} after {signal:?} at {moment:?}: {}", program.display());
        }
        left += behind;
    }
    Ok(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read_by_property() {
        let text = "{\"event\":\"verdict\",\"node\":\"n\",\"property\":\"p\",\"verdict\":\"valid\"}\n\
                    {\"event\":\"summary\"}\nnonsense\n";
        let read: Vec<_> = read(text).collect();
        assert_eq!(read, [("n.p".to_string(), "valid".to_string())]);
    }

    #[test]
    fn what_stays_behind_is_counted() {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::env::temp_dir().join(format!("lustral-stability-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let script = |name: &str, body: &str| {
            let path = folder.join(name);
            std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
            path
        };
        let programs = [folder.join("program.lus")];
        let tidy = script("tidy", "exec sleep 30");
        assert_eq!(kills(&tidy, &programs, 3), Ok(0));
        let sloppy = script("sloppy", "sleep 30 &\nsleep 30");
        assert!(kills(&sloppy, &programs, 3).unwrap() > 0);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
