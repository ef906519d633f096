//! `cargo xtask scale`: how time and memory grow with the size of a program.
//!
//! The modules in reading order: what is run (`programs`, `data`, `time`), how fast
//! it grows (`fit`), what that looks like (`plot`).

mod contracts;
mod data;
mod fit;
mod learning;
mod plot;
mod programs;
mod time;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;

use crate::bench::judge::Status;
use crate::bench::run::Plan;
use crate::bench::table::Program;
use crate::bench::tool::{Tool, words};
use crate::bench::{INTERRUPTED, WRONG, positive, seconds, stop_on_signals};
use crate::cargo;
use plot::Panel;
use programs::Family;

/// What `cargo xtask scale` is told.
#[derive(Args)]
pub struct Options {
    /// Only these families (repeatable)
    #[arg(long = "family", value_name = "NAME")]
    families: Vec<String>,
    /// Only these sizes, instead of growing ones (repeatable)
    #[arg(long = "size", value_name = "N")]
    sizes: Vec<usize>,
    /// Limit for each run; a family ends at the first size that exceeds it
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = seconds)]
    timeout: f64,
    /// The best of so many runs counts
    #[arg(long, value_name = "N", default_value = "2", value_parser = positive)]
    repeat: usize,
    /// Write scale.tsv and a plot for each family to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the programs to this folder and keep them
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// The binary to measure, instead of building it
    #[arg(long, value_name = "PATH")]
    lustral: Option<PathBuf>,
    /// Further arguments for lustral
    #[arg(long, value_name = "ARGUMENTS", default_value = "", allow_hyphen_values = true)]
    lustral_args: String,
}

/// What a size took.
struct Point {
    size: usize,
    /// Seconds.
    wall: f64,
    /// MB.
    peak: f64,
    engine: String,
}

/// A family and what came out: the sizes that were decided, in order, and why
/// it ended.
struct Measured {
    family: &'static Family,
    points: Vec<Point>,
    end: String,
}

/// Runs all families. Gives 1 if an answer was wrong.
///
/// # Errors
/// If the measurements cannot be made.
pub fn run(options: &Options) -> Result<u8, String> {
    let chosen = options.chosen()?;
    let binary = match &options.lustral {
        Some(path) => path.canonicalize().map_err(|e| format!("{}: {e}", path.display()))?,
        None => cargo::build_lustral()?,
    };
    let tool = Tool::lustral(binary, options.timeout, words(&options.lustral_args)?);
    let own = std::env::temp_dir().join(format!("lustral-scale-{}", process::id()));
    let folder = options.keep.clone().unwrap_or_else(|| own.clone());
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let stop = stop_on_signals()?;
    let mut measured = Vec::new();
    for family in chosen {
        if !stop.load(Ordering::Relaxed) {
            measured.push(options.measure(family, &tool, &folder, &stop)?);
        }
    }
    if options.keep.is_none() {
        // What cannot be removed from a temporary folder is no reason to fail.
        let _ = fs::remove_dir_all(own);
    }
    println!("{}", table(&measured));
    if let Some(out) = &options.out {
        write(out, &measured)?;
    }
    let wrong = measured.iter().any(|m| m.end.starts_with("wrong"));
    Ok(match (wrong, stop.load(Ordering::Relaxed)) {
        (true, _) => WRONG,
        (false, true) => INTERRUPTED,
        (false, false) => 0,
    })
}

impl Options {
    fn chosen(&self) -> Result<Vec<&'static Family>, String> {
        let all = || {
            programs::FAMILIES
                .iter()
                .chain(&data::FAMILIES)
                .chain(&time::FAMILIES)
                .chain(&learning::FAMILIES)
                .chain(&contracts::FAMILIES)
        };
        if self.families.is_empty() {
            return Ok(all().collect());
        }
        let find = |name: &String| {
            let known = || all().map(|f| f.name).collect::<Vec<_>>().join(", ");
            let found = all().find(|f| f.name == name);
            found.ok_or_else(|| format!("there is no family {name}; there are {}", known()))
        };
        self.families.iter().map(find).collect()
    }

    /// Raises the size until a run is not decided in time.
    fn measure(
        &self,
        family: &'static Family,
        tool: &Tool,
        folder: &Path,
        stop: &AtomicBool,
    ) -> Result<Measured, String> {
        let (mut points, mut end) = (Vec::new(), format!("{} decided", family.largest));
        let own = || sizes(family).collect();
        let sizes: Vec<usize> = if self.sizes.is_empty() { own() } else { self.sizes.clone() };
        for size in sizes {
            let name = format!("{}-{size}.lus", family.name);
            let path = folder.join(&name);
            fs::write(&path, (family.text)(size))
                .map_err(|e| format!("{}: {e}", path.display()))?;
            let program = Program { name, path, expected: Some(family.expected) };
            match self.point(size, program, tool, stop) {
                Ok(point) => {
                    eprintln!("{} {size}: {:.3} s, {:.0} MB", family.name, point.wall, point.peak);
                    points.push(point);
                }
                Err(status) => {
                    end = format!("{} at {size}", status.text());
                    eprintln!("{}: {end}", family.name);
                    break;
                }
            }
        }
        Ok(Measured { family, points, end })
    }

    /// The best of some runs. Those that take long are not repeated: noise is a
    /// small part of them.
    fn point(
        &self,
        size: usize,
        program: Program,
        tool: &Tool,
        stop: &AtomicBool,
    ) -> Result<Point, Status> {
        let timeout = Duration::from_secs_f64(self.timeout);
        let programs = [program];
        let plan = Plan { programs: &programs, ours: tool, other: None, timeout, jobs: 1, stop };
        let mut best: Option<Point> = None;
        for _ in 0..self.repeat {
            let Some(row) = plan.run(|_| {}).pop() else {
                return Err(Status::Error("interrupted".into()));
            };
            let measure = row.ours.measure;
            let Some(answer) = measure.answer.filter(|_| row.ours.status.solved()) else {
                return Err(row.ours.status);
            };
            let (wall, peak, engine) = (measure.wall, measure.peak, answer.engine);
            if best.as_ref().is_none_or(|best| wall < best.wall) {
                best = Some(Point { size, wall, peak, engine });
            }
            if wall > self.timeout / 10.0 {
                break;
            }
        }
        best.ok_or_else(|| Status::Error("not run".into()))
    }
}

fn sizes(family: &Family) -> impl Iterator<Item = usize> {
    let largest = family.largest;
    // n and half as much again, then 2n: 4, 6, 8, 12, 16, 24, …
    let next = |n: &usize| Some(if n.is_power_of_two() { n * 3 / 2 } else { n * 4 / 3 });
    std::iter::successors(Some(family.smallest), next).take_while(move |n| *n <= largest)
}

impl Measured {
    fn series(&self, of: fn(&Point) -> f64) -> Vec<(f64, f64)> {
        self.points.iter().map(|point| (point.size as f64, of(point))).collect()
    }
}

/// The exponents, as a table in Markdown.
fn table(measured: &[Measured]) -> String {
    let mut text = String::from(
        "| family | largest decided | its time | its memory | time ~ n^ | memory ~ n^ | engine | \
         end |\n|---|---|---|---|---|---|---|---|\n",
    );
    for m in measured {
        let Some(last) = m.points.last() else {
            let _ = writeln!(text, "| {} | – | | | | | | {} |", m.family.name, m.end);
            continue;
        };
        let exponent = |of| match fit::power_law(&m.series(of)) {
            Some((exponent, _)) => format!("{exponent:.2}"),
            None => "–".into(),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {:.2} s | {:.0} MB | {} | {} | {} | {} |",
            m.family.name,
            last.size,
            last.wall,
            last.peak,
            exponent(|p| p.wall),
            exponent(|p| p.peak),
            last.engine,
            m.end,
        );
    }
    text
}

/// The figures and a plot for each family.
fn write(folder: &Path, measured: &[Measured]) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let put = |name: String, text: String| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
    };
    let mut rows = String::from("family\tn\twall_s\tpeak_mb\tengine\n");
    for m in measured {
        for p in &m.points {
            let (name, engine) = (m.family.name, &p.engine);
            let _ = writeln!(rows, "{name}\t{}\t{:.4}\t{:.1}\t{engine}", p.size, p.wall, p.peak);
        }
        let (wall, peak) = (m.series(|p| p.wall), m.series(|p| p.peak));
        let panels = [
            Panel {
                title: "wall time",
                unit: "seconds",
                points: &wall,
                line: fit::power_law(&wall),
            },
            Panel { title: "peak memory", unit: "MB", points: &peak, line: fit::power_law(&peak) },
        ];
        let heading = format!("{}: n {}", m.family.name, m.family.what);
        put(format!("{}.svg", m.family.name), plot::svg(&heading, &panels))?;
    }
    put("scale.tsv".into(), rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A family is chosen by its name, so no two have one.
    #[test]
    fn every_family_has_a_name_of_its_own() {
        let all = || {
            let own = programs::FAMILIES.iter().chain(&data::FAMILIES);
            own.chain(&time::FAMILIES).chain(&learning::FAMILIES).chain(&contracts::FAMILIES)
        };
        let names: std::collections::BTreeSet<&str> = all().map(|f| f.name).collect();
        assert_eq!(names.len(), all().count());
    }
}
