//! `cargo xtask modular-check`: of the programs of a folder that are proved, how
//! many have summaries of their nodes made from the proof, and how much state
//! these speak of before and after they are made smaller.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use serde_json::Value;

use crate::bench::answer::{Answer, Verdict};
use crate::bench::process::{Bounds, Ended, Ending, run as run_child};
use crate::bench::table::{self, Expected, Program};
use crate::bench::{INTERRUPTED, positive, seconds, stop_on_signals};
use crate::cargo;

/// What `cargo xtask modular-check` is told.
#[derive(Args)]
pub struct Options {
    /// The folder of programs; a table expected.tsv there says which are worth a try
    folder: PathBuf,
    /// Only every so manyth of them
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive)]
    every: usize,
    /// Limit for the summaries of a program
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = seconds)]
    timeout: f64,
    /// Limit for the proof of a program
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    prove: f64,
    /// The binary to check, instead of building it
    #[arg(long, value_name = "PATH")]
    lustral: Option<PathBuf>,
}

/// Numbers and bits, as `invariants --minimise` gives them: numbers count first.
type Rank = (u64, u64);

/// What came of the programs.
#[derive(Default)]
struct Tally {
    tried: usize,
    proved: usize,
    summarised: usize,
    /// Of those, the ones that the certificate was of no use for.
    anew: usize,
    /// Of those, the ones whose summaries are known to be as small as can be.
    smallest: usize,
    /// Of all nodes, and of those that were checked: before and after.
    nodes: Vec<(Rank, Rank)>,
    roots: Vec<(Rank, Rank)>,
}

/// Runs the chore.
///
/// # Errors
/// If nothing can be run.
pub fn run(options: &Options) -> Result<u8, String> {
    let stop = stop_on_signals()?;
    let beside = options.folder.join("expected.tsv");
    let mut programs = if beside.is_file() {
        table::from_table(&beside, &options.folder)?
    } else {
        table::from_folder(&options.folder)?
    };
    programs.retain(|p| !matches!(p.expected, Some(Expected::Falsifiable(_))));
    let lustral = match &options.lustral {
        Some(path) => path.clone(),
        None => cargo::build_lustral()?,
    };
    let mark = format!("modular-check-{}", std::process::id());
    let scratch = std::env::temp_dir().join(&mark);
    let check = Check { options, lustral: &lustral, scratch: &scratch, stop: &stop, mark: &mark };
    let mut tally = Tally::default();
    for program in programs.iter().step_by(options.every) {
        let done = check.one(program, &mut tally);
        let _ = std::fs::remove_dir_all(&scratch);
        done?;
        if stop.load(Ordering::Relaxed) {
            return Ok(INTERRUPTED);
        }
    }
    println!("{}", tally.text(options));
    Ok(0)
}

struct Check<'c> {
    options: &'c Options,
    lustral: &'c Path,
    /// Where the certificates of one program go.
    scratch: &'c Path,
    stop: &'c AtomicBool,
    mark: &'c str,
}

impl Check<'_> {
    fn one(&self, program: &Program, tally: &mut Tally) -> Result<(), String> {
        let (name, path) = (&program.name, &program.path);
        tally.tried += 1;
        let mut command = Command::new(self.lustral);
        command.args(["check", "--json", "--certificate"]).arg(self.scratch).arg(path);
        let ended = self.run(command, self.options.prove)?;
        let verdict = Answer::from_json_lines(&ended.stdout).map(|answer| answer.verdict);
        if verdict != Ok(Verdict::Valid) {
            println!("{name}: not proved");
            return Ok(());
        }
        tally.proved += 1;
        let mut command = Command::new(self.lustral);
        command.args(["invariants", "--modular", "--minimise", "--json", "--from"]);
        command.arg(self.scratch).arg(path);
        let ended = self.run(command, self.options.timeout)?;
        match summarised(&ended) {
            Ok(Ranks { nodes, smallest, note }) => {
                tally.summarised += 1;
                tally.anew += usize::from(note.is_some());
                note.into_iter().for_each(|note| println!("{name}: {note}"));
                tally.smallest += usize::from(smallest);
                // Called nodes come first.
                tally.roots.extend(nodes.last());
                tally.nodes.extend(nodes);
            }
            Err(reason) => println!("{name}: no summaries: {reason}"),
        }
        Ok(())
    }

    /// Runs a command of lustral for so many seconds, and a few to end.
    fn run(&self, mut command: Command, seconds: f64) -> Result<Ended, String> {
        command.args(["--timeout", &seconds.to_string()]);
        let limit = Duration::from_secs_f64(seconds + 5.0);
        let bounds = Bounds { limit, stop: self.stop, mark: self.mark };
        run_child(command, bounds).map_err(|e| format!("{}: {e}", self.lustral.display()))
    }
}

/// What the summaries of a program speak of.
#[derive(PartialEq, Eq, Debug)]
struct Ranks {
    nodes: Vec<(Rank, Rank)>,
    smallest: bool,
    /// Why they were not made from the certificate, if they were not.
    note: Option<String>,
}

/// Reads what `invariants` says; or why there are no summaries.
fn summarised(ended: &Ended) -> Result<Ranks, String> {
    let lines = ended.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut ranks = Ranks { nodes: Vec::new(), smallest: true, note: None };
    for event in lines {
        match event["event"].as_str() {
            Some("rank") => {
                let rank = |key: &str| -> Option<Rank> {
                    Some((event[key][0].as_u64()?, event[key][1].as_u64()?))
                };
                ranks.nodes.extend(rank("state").zip(rank("said")));
                ranks.smallest &= event["smallest"] == true;
            }
            Some("note") => ranks.note = event["message"].as_str().map(ToString::to_string),
            _ => {}
        }
    }
    match (&ended.ending, ranks.note) {
        (Ending::Exit(0), note) if !ranks.nodes.is_empty() => Ok(Ranks { note, ..ranks }),
        (_, Some(reason)) => Err(reason),
        (ending, None) => Err(format!("it ended with {ending:?}")),
    }
}

/// The middle one; of two, the lower.
fn median(ranks: impl Iterator<Item = Rank>) -> Rank {
    let mut all: Vec<Rank> = ranks.collect();
    all.sort_unstable();
    all.get(all.len().saturating_sub(1) / 2).copied().unwrap_or_default()
}

impl Tally {
    fn text(&self, options: &Options) -> String {
        let Tally { tried, proved, summarised, anew, smallest, .. } = self;
        let share = 100.0 * *summarised as f64 / (*proved).max(1) as f64;
        let lower = |list: &[(Rank, Rank)]| list.iter().filter(|(a, b)| b < a).count();
        let sum = |list: &mut dyn Iterator<Item = Rank>| {
            list.fold((0, 0), |(n, b), (m, c)| (n + m, b + c))
        };
        let of = |what: &str, list: &[(Rank, Rank)]| {
            let [before, after] = [0, 1].map(|i| {
                let one = |pair: &(Rank, Rank)| if i == 0 { pair.0 } else { pair.1 };
                (median(list.iter().map(one)), sum(&mut list.iter().map(one)))
            });
            format!(
                "{} {what}: median rank {:?} to {:?}, sum {:?} to {:?}; lower for {}",
                list.len(),
                before.0,
                after.0,
                before.1,
                after.1,
                lower(list)
            )
        };
        format!(
            "{proved} of {tried} programs proved within {} s\n\
             {summarised} of those, {share:.1} %, have validated summaries within {} s; \
             {anew} found anew, {smallest} as small as can be\n{}\n{}",
            options.prove,
            options.timeout,
            of("nodes", &self.nodes),
            of("checked nodes", &self.roots)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(ending: Ending, stdout: &str) -> Ended {
        let (wall, stdout, stderr) = (Duration::ZERO, stdout.to_string(), String::new());
        Ended { ending, wall, peak: 0, stdout, stderr }
    }

    #[test]
    fn ranks_are_read() {
        let line = |state: &str, said: &str, smallest: bool| {
            format!(
                "{{\"event\":\"rank\",\"node\":\"n\",\"state\":{state},\"said\":{said},\
                 \"smallest\":{smallest}}}\n"
            )
        };
        let text = line("[3,1]", "[1,0]", true) + &line("[2,0]", "[2,0]", false);
        let nodes = vec![((3, 1), (1, 0)), ((2, 0), (2, 0))];
        let read = summarised(&ended(Ending::Exit(0), &text));
        assert_eq!(read, Ok(Ranks { nodes, smallest: false, note: None }));
        let note = "{\"event\":\"note\",\"message\":\"node main: why\"}\n";
        let read = summarised(&ended(Ending::Exit(30), &(text + note)));
        assert_eq!(read, Err("node main: why".into()));
    }

    #[test]
    fn numbers_count_before_bits() {
        assert_eq!(median([(1, 0), (0, 9), (2, 0)].into_iter()), (1, 0));
        assert_eq!(median(std::iter::empty()), (0, 0));
    }
}
