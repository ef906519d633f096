//! How many stream values a second the simulation computes:
//!
//! ```text
//! cargo run --release -p lustral --example simulation-rate -- FOLDER…
//! ```
//!
//! One value is one variable, memory or operator of the compiled step in one
//! lane. The time includes drawing the inputs and obeying the constraints.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lustral_engines::prepare;
use lustral_sema::instances::{Wanted, properties};
use lustral_sema::{InstanceTree, analyse, select};
use lustral_simulation::Simulator;
use lustral_syntax::{Diagnostics, NoFiles, SourceMap, parse_program};
use lustral_system::TransitionSystem;
use lustral_term::Sort;

const LANES: usize = 256;
const TIME: Duration = Duration::from_millis(100);

fn main() {
    let mut files = Vec::new();
    for folder in std::env::args().skip(1) {
        collect(Path::new(&folder), &mut files);
    }
    files.sort();
    let mut rates: Vec<f64> = Vec::new();
    let mut real_rates: Vec<f64> = Vec::new();
    for file in files {
        let Some(system) = read(&file) else { continue };
        let simulator = Simulator::new(&system);
        let values = simulator.machine.values_per_step();
        // Preparation may leave nothing to compute.
        if values == 0 {
            continue;
        }
        let rate = measure(&simulator);
        let mut sorts = simulator.machine.inputs().chain(simulator.machine.memories());
        let real = sorts.any(|var| system.variable(var).sort == Sort::Real);
        println!("{:>8.1} million/s {values:>6} values a step  {}", rate / 1e6, file.display());
        if real { real_rates.push(rate) } else { rates.push(rate) }
    }
    show("integers and truth values", rates);
    show("with reals", real_rates);
}

fn show(what: &str, mut rates: Vec<f64>) {
    rates.sort_by(f64::total_cmp);
    if let (Some(least), Some(most)) = (rates.first(), rates.last()) {
        let median = rates[rates.len() / 2];
        let [least, median, most] = [least, &median, most].map(|rate| rate / 1e6);
        let count = rates.len();
        println!(
            "{what}: {count} programs, million/s: least {least:.1}, median {median:.1}, most {most:.1}"
        );
    }
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if let Ok(entries) = std::fs::read_dir(path) {
        entries.flatten().for_each(|entry| collect(&entry.path(), files));
    } else if path.extension().is_some_and(|extension| extension == "lus") {
        files.push(path.to_path_buf());
    }
}

fn read(file: &Path) -> Option<TransitionSystem> {
    let text = std::fs::read_to_string(file).ok()?;
    let mut sources = SourceMap::new();
    let main = sources.add(file.display().to_string(), text);
    let mut diagnostics = Diagnostics::new();
    let tree = parse_program(&mut sources, main, &NoFiles, &mut diagnostics);
    let program = analyse(&sources, &tree, &mut diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let root = *select::roots(&program, &[]).ok()?.last()?;
    let tree = InstanceTree::new(&program, root).ok()?;
    let properties = properties(&program, &tree, Wanted { called_nodes: false, outputs: true });
    let kernel = lustral_kernel::translate(&program.into(), &sources);
    Some(prepare(&lustral_flow::encode(&kernel, &tree, &properties)).system.into())
}

fn measure(simulator: &Simulator) -> f64 {
    let mut run = simulator.run(LANES, 1);
    let start = Instant::now();
    let mut steps = 0;
    while start.elapsed() < TIME {
        for _ in 0..16 {
            run.step();
            run.advance();
            steps += 1;
        }
    }
    let work = simulator.machine.values_per_step() * LANES * steps;
    work as f64 / start.elapsed().as_secs_f64()
}
