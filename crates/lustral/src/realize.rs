//! `lustral realize`: whether contracts can be kept, as it is heard.

use std::path::{Path, PathBuf};

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
                exit = exit.min(exit_of(verdict));
                output.write(&match channel {
                    Channel::Json => lines(&event.lines()),
                    Channel::People => verdict.text(stdout_style(), terminal_width()),
                });
                match write_node(options, file, verdict) {
                    Ok(Some(path)) if channel == Channel::People => {
                        output.write(&format!("  written to {}\n", shown(&path)));
                    }
                    Ok(_) => {}
                    Err((path, error)) => {
                        eprint_line(&format!("error: cannot write {}: {error}", shown(&path)));
                        exit = exit.min(Exit::Failure);
                    }
                }
            }
            _ => {}
        }
    }
    exit
}

fn shown(path: &Path) -> String {
    printable(&path.display().to_string())
}

/// Writes the program with a body for a node, if that is wanted and there is one: where
/// it is then. Of several programs each has a folder: nodes of two may have one name.
fn write_node(
    options: &RealizeOptions,
    file: &Path,
    verdict: &ContractVerdict,
) -> Result<Option<PathBuf>, (PathBuf, std::io::Error)> {
    let (Some(folder), ContractOutcome::Realizable { node: Some(text), .. }) =
        (&options.strategy, verdict.outcome())
    else {
        return Ok(None);
    };
    let plain = |name: &str| -> String {
        name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect()
    };
    let folder = match &options.files[..] {
        [_] => folder.clone(),
        _ => folder.join(plain(&file.display().to_string())),
    };
    let path = folder.join(format!("{}.lus", plain(&verdict.node)));
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, text));
    match written {
        Ok(()) => Ok(Some(path)),
        Err(error) => Err((path, error)),
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
