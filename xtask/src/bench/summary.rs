//! The summary of a benchmark.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::answer::Verdict;
use super::comparison::{Comparison, Pair};
use super::judge::{Judged, Status};
use super::run::Row;
use super::statistics::{maximum, mean, median, percentile};

/// How many errors are listed; the table has all.
const LISTED_ERRORS: usize = 20;

/// The numbers about one tool.
#[derive(Debug, Default, PartialEq)]
pub struct Digest {
    files: usize,
    valid: usize,
    falsifiable: usize,
    wrong: usize,
    undecided: usize,
    errors: usize,
    /// The mean of the wall times, where twice the limit stands for unsolved.
    pub par2: f64,
    pub median_wall: f64,
    mean_wall: f64,
    median_peak: f64,
    high_peak: f64,
    max_peak: f64,
    total_wall: f64,
}

impl Digest {
    pub fn of<'a>(runs: impl IntoIterator<Item = &'a Judged>, timeout: f64) -> Digest {
        let runs: Vec<&Judged> = runs.into_iter().collect();
        let count = |holds: fn(&Judged) -> bool| runs.iter().filter(|run| holds(run)).count();
        let walls: Vec<f64> = runs.iter().map(|run| run.measure.wall).collect();
        let peaks: Vec<f64> = runs.iter().map(|run| run.measure.peak).collect();
        let penalised: Vec<f64> =
            runs.iter().map(|run| run.solved_wall().unwrap_or(2.0 * timeout)).collect();
        Digest {
            files: runs.len(),
            valid: count(|run| run.solved() == Some(Verdict::Valid)),
            falsifiable: count(|run| run.solved() == Some(Verdict::Falsifiable)),
            wrong: count(|run| matches!(run.status, Status::Wrong(_))),
            undecided: count(|run| run.status == Status::Undecided),
            errors: count(|run| matches!(run.status, Status::Error(_))),
            par2: mean(&penalised).unwrap_or_default(),
            median_wall: median(&walls).unwrap_or_default(),
            mean_wall: mean(&walls).unwrap_or_default(),
            median_peak: median(&peaks).unwrap_or_default(),
            high_peak: percentile(&peaks, 95).unwrap_or_default(),
            max_peak: maximum(&peaks).unwrap_or_default(),
            total_wall: walls.iter().sum(),
        }
    }

    pub fn solved(&self) -> usize {
        self.valid + self.falsifiable
    }

    fn report(&self) -> String {
        let Digest { valid, falsifiable, wrong, undecided, errors, .. } = self;
        format!(
            "  files {}: solved {} (valid {valid}, falsifiable {falsifiable}), wrong {wrong}, \
             undecided {undecided}, errors {errors}\n  \
             PAR-2 {:.3} s, wall median {:.3} s, mean {:.3} s, total {:.1} s\n  \
             peak memory median {:.1} MB, 95th percentile {:.1} MB, max {:.1} MB\n",
            self.files,
            self.solved(),
            self.par2,
            self.median_wall,
            self.mean_wall,
            self.total_wall,
            self.median_peak,
            self.high_peak,
            self.max_peak,
        )
    }
}

/// All about the runs, as text.
pub fn summary(rows: &[Row<'_>], timeout: f64) -> String {
    let mut text = format!("lustral, limit {timeout} s\n");
    text += &Digest::of(rows.iter().map(|row| &row.ours), timeout).report();
    text += &lists(rows, |row| Some(&row.ours));
    if rows.iter().any(|row| row.other.is_some()) {
        text += "\nthe other tool\n";
        text += &Digest::of(rows.iter().filter_map(|row| row.other.as_ref()), timeout).report();
        text += &lists(rows, |row| row.other.as_ref());
        text += &beside(rows);
    }
    text += &shares(rows);
    text + &by_folder(rows, timeout)
}

/// Where the time went, if that was asked for. The share of a run's time is
/// what the stage or engine took, against the time of the whole run: engines
/// work beside each other.
fn shares(rows: &[Row<'_>]) -> String {
    let mut by_name: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for row in rows {
        let all = row.ours.measure.shares.iter().find(|(name, _)| name == "stage all");
        let Some((_, all)) = all.filter(|(_, all)| *all > 0.0) else { continue };
        for (name, seconds) in &row.ours.measure.shares {
            by_name.entry(name).or_default().push((*seconds, *all));
        }
    }
    let total: f64 = by_name.get("stage all").map_or(0.0, |all| all.iter().map(|(s, _)| s).sum());
    if by_name.is_empty() {
        return String::new();
    }
    let mut text =
        format!("\n{:22} {:>6} {:>10} {:>10}\n", "share of", "files", "of all", "median");
    for (name, list) in by_name {
        let sum: f64 = list.iter().map(|(seconds, _)| seconds).sum();
        let parts: Vec<f64> = list.iter().map(|(seconds, all)| seconds / all).collect();
        let (files, middle) = (list.len(), median(&parts).unwrap_or_default());
        let (sum, middle) = (100.0 * sum / total, 100.0 * middle);
        let _ = writeln!(text, "{name:22} {files:6} {sum:9.1}% {middle:9.1}%");
    }
    text
}

/// The files that someone should look at.
fn lists<'a>(rows: &'a [Row<'_>], run: impl Fn(&'a Row<'_>) -> Option<&'a Judged>) -> String {
    let (mut wrong, mut new, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        let Some(run) = run(row) else { continue };
        let name = &row.program.name;
        match &run.status {
            Status::Wrong(how) => wrong.push(format!("{name}: {how}")),
            Status::New => {
                let verdict = run.solved().map_or("", Verdict::word);
                new.push(format!("{name}: {verdict}"));
            }
            Status::Error(how) => errors.push(format!("{name}: {how}")),
            Status::Ok | Status::Undecided => {}
        }
    }
    let more = errors.len().saturating_sub(LISTED_ERRORS);
    errors.truncate(LISTED_ERRORS);
    errors.extend((more > 0).then(|| format!("and {more} more")));
    let mut text = String::new();
    for (title, lines) in [("WRONG", wrong), ("new", new), ("errors", errors)] {
        if !lines.is_empty() {
            let _ = writeln!(text, "  {title}:\n    {}", lines.join("\n    "));
        }
    }
    text
}

/// Lustral beside the other tool.
fn beside(rows: &[Row<'_>]) -> String {
    let comparison = Comparison::of(rows.iter().map(|row| Pair {
        file: &row.program.name,
        before: row.other.as_ref().and_then(Judged::solved_wall),
        after: row.ours.solved_wall(),
    }));
    let (ours, other) = comparison.gained_and_lost();
    let mut text = format!(
        "\nlustral / the other tool\n  {}\n  solved only by lustral {}, only by the other {}\n",
        comparison.ratios(),
        ours.len(),
        other.len()
    );
    for file in disagreements(rows) {
        let _ = writeln!(text, "  THEY DISAGREE: {file}");
    }
    text
}

/// Files about which the two tools contradict each other, and no table says who
/// is right.
pub fn disagreements<'a>(rows: &'a [Row<'_>]) -> impl Iterator<Item = &'a str> {
    let disagree = |row: &&Row<'_>| {
        let other = row.other.as_ref().and_then(Judged::solved);
        row.ours.solved().zip(other).is_some_and(|(ours, other)| ours != other)
    };
    rows.iter().filter(disagree).map(|row| row.program.name.as_str())
}

/// A line for each folder, if there are several.
fn by_folder(rows: &[Row<'_>], timeout: f64) -> String {
    let mut folders: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
    for row in rows {
        folders.entry(row.program.folder()).or_default().push(&row.ours);
    }
    if folders.len() < 2 {
        return String::new();
    }
    let width = folders.keys().map(|folder| folder.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "\n{:width$}  files  solved  wrong  undecided  errors   PAR-2 s  median s\n",
        "folder"
    );
    for (folder, runs) in folders {
        let d = Digest::of(runs, timeout);
        let (files, solved, wrong, undecided, errors) =
            (d.files, d.solved(), d.wrong, d.undecided, d.errors);
        let folder = if folder.is_empty() { "." } else { folder };
        let _ = writeln!(
            text,
            "{folder:width$}  {files:5}  {solved:6}  {wrong:5}  {undecided:9}  {errors:6}  {:8.3}  {:8.3}",
            d.par2, d.median_wall
        );
    }
    text
}

#[cfg(test)]
#[path = "summary_tests.rs"]
mod tests;
