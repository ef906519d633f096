//! `lustral realize`: whether contracts can be kept, as it is heard.

use std::path::Path;

use lustral_render::printable;
use lustral_report::{ContractOutcome, ContractVerdict};
use lustral_session::{Event, Realize, RealizeOptions as Searching};
use lustral_smt::SolverOptions;

use crate::cli::{RealizeOptions, limit};
use crate::exit::Exit;
use crate::frontend::{self, Channel};
use crate::output::{Output, eprint_line, lines, stdout_style, terminal_width};
use crate::signals;

/// Runs the command.
pub fn run(options: &RealizeOptions) -> Exit {
    signals::watch();
    let mut output = Output::new();
    let mut exit = Exit::Valid;
    for file in &options.files {
        exit = exit.min(one(options, file, &mut output));
        if let Some(code) = signals::received() {
            signal_hook::low_level::exit(code);
        }
    }
    output.finish(exit)
}

/// Looks at a program.
fn one(options: &RealizeOptions, file: &Path, output: &mut Output) -> Exit {
    let searching = Searching {
        nodes: options.nodes.clone(),
        strategies: options.strategy.is_some(),
        solver: options.solver.clone(),
        solver_options: SolverOptions { seed: options.seed, ..SolverOptions::default() },
        time: limit(options.timeout),
    };
    let realize = Realize::new(options.reading.request(file), searching);
    signals::stop_with(realize.cancel());
    let channel = if options.json { Channel::Json } else { Channel::People };
    let mut exit = Exit::Valid;
    for event in realize {
        match &event {
            Event::Diagnostics(found) => {
                frontend::show(&found.sources, &found.list, channel, output);
                if found.list.has_errors() {
                    exit = exit.min(Exit::Rejected);
                }
            }
            Event::Remark { remark, .. } => {
                exit = exit.min(Exit::of(remark));
                frontend::remark(file, remark, channel, output);
            }
            Event::Contract(verdict) => {
                exit = exit.min(exit_of(verdict)).min(write_node(options, verdict));
                output.write(&match channel {
                    Channel::Json => lines(&event.lines()),
                    Channel::People => verdict.text(stdout_style(), terminal_width()),
                });
            }
            _ => {}
        }
    }
    exit
}

/// Writes the program with a body for a node, if that is wanted and there is one.
fn write_node(options: &RealizeOptions, verdict: &ContractVerdict) -> Exit {
    let (Some(folder), ContractOutcome::Realizable { node: Some(text), .. }) =
        (&options.strategy, verdict.outcome())
    else {
        return Exit::Valid;
    };
    let plain = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '_' };
    let name: String = verdict.node.chars().map(plain).collect();
    let path = folder.join(format!("{name}.lus"));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
    match written {
        Ok(()) => Exit::Valid,
        Err(error) => {
            let path = printable(&path.display().to_string());
            eprint_line(&format!("error: cannot write {path}: {error}"));
            Exit::Failure
        }
    }
}

/// How a run ends with a verdict.
fn exit_of(verdict: &ContractVerdict) -> Exit {
    match verdict.outcome() {
        ContractOutcome::Realizable { .. } => Exit::Valid,
        ContractOutcome::Unrealizable { .. } => Exit::Falsifiable,
        ContractOutcome::Unknown { .. } => Exit::Unknown,
    }
}
