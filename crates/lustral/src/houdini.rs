//! `lustral houdini`: what becomes of candidates, and why.

use std::time::Duration;

use lustral_report::{CandidateFate, CandidateKind, Houdini as Report, houdini_html};
use lustral_session::{Event, Houdini, HoudiniOptions as Asking};
use lustral_smt::SolverOptions;

use crate::cli::{HoudiniOptions, limit};
use crate::exit::Exit;
use crate::frontend::{self, Channel};
use crate::output::{Output, eprint_line, lines, stdout_style, terminal_width};
use crate::signals;

/// Runs the command.
pub fn run(options: &HoudiniOptions) -> Exit {
    signals::watch();
    let mut output = Output::new();
    let asking = Asking {
        nodes: options.nodes.clone(),
        files: options.candidates.clone(),
        templates: options.templates,
        solver: options.solver.clone(),
        solver_options: SolverOptions { seed: options.seed, ..SolverOptions::default() },
        time: limit(options.timeout),
        executions: Duration::from_secs_f64(options.executions),
    };
    let houdini = Houdini::new(options.reading.request(&options.file), asking);
    signals::stop_with(houdini.cancel());
    let channel = if options.json { Channel::Json } else { Channel::People };
    let mut exit = Exit::Valid;
    for event in houdini {
        match &event {
            Event::Diagnostics(found) => {
                frontend::show(&found.sources, &found.list, channel, &mut output);
                if found.list.has_errors() {
                    exit = exit.min(Exit::Rejected);
                }
            }
            Event::Remark { remark, .. } => {
                exit = exit.min(Exit::of(remark));
                frontend::remark(&options.file, remark, channel, &mut output);
            }
            Event::Candidates(found) => {
                exit = exit.min(exit_of(found));
                output.write(&match channel {
                    Channel::Json => lines(&event.lines()),
                    Channel::People => found.text(stdout_style(), terminal_width(), !options.table),
                });
                exit = exit.min(write_page(options, found));
            }
            _ => {}
        }
    }
    if let Some(code) = signals::received() {
        signal_hook::low_level::exit(code);
    }
    output.finish(exit)
}

/// What the program states must be left, or it is not shown.
fn exit_of(found: &Report) -> Exit {
    let stated = found.candidates.iter().filter(|c| c.kind == CandidateKind::Property);
    let open = stated.filter(|c| *c.fate() != CandidateFate::Kept).count();
    if open > 0 { Exit::Unknown } else { Exit::Valid }
}

/// Writes the page, if one is wanted.
fn write_page(options: &HoudiniOptions, found: &Report) -> Exit {
    let Some(path) = &options.html else { return Exit::Valid };
    let page = houdini_html(&options.file.display().to_string(), found);
    match std::fs::write(path, page) {
        Ok(()) => Exit::Valid,
        Err(error) => {
            eprint_line(&format!("error: cannot write {}: {error}", path.display()));
            Exit::Failure
        }
    }
}
