//! `lustral check`: one program after the other, and what is heard of each as
//! it comes.

mod report;
mod show;

use std::path::Path;

use lustral_base::Profile;
use lustral_render::printable;
use lustral_report::Event as Line;
use lustral_report::event::NoteSeverity;
use lustral_session::{Check, CheckProtocol, Event};
use lustral_smt::Solver;

use crate::cli::{CheckOptions, is_protocol};
use crate::exit::Exit;
use crate::output::eprint_line;
use crate::signals;
use show::Show;

/// Runs the command.
pub fn run(options: &CheckOptions) -> Exit {
    signals::watch();
    let profile = options.presentation.profile.then(Profile::new);
    profile.iter().for_each(|profile| profile.enter("stages"));
    let mut show = Show::new(options, profile);
    if let Some(wrong) = options.wrong_usage() {
        eprint_line(&format!("error: {wrong}"));
        return Exit::Usage;
    }
    for unused in options.unused() {
        eprint_line(&format!("warning: {unused}"));
    }
    if let Some(missing) = options.search.missing_program() {
        eprint_line(&format!("error: {missing}"));
        return Exit::Failure;
    }
    if let Some(missing) = options.search.solvers().find(|solver| !solver.is_there()) {
        no_solver(options, missing, &mut show);
        return show.finish();
    }
    for file in &options.files {
        if signals::received().is_some() || show.failed() {
            break;
        }
        let request = options.reading.request(file);
        if is_protocol(file) {
            let wish = options.protocol.options();
            let check = CheckProtocol::new(request, options.options(), wish).since(show.started());
            signals::stop_with(check.cancel());
            hear(file, check, &mut show);
        } else {
            let mut check = Check::new(request, options.options()).since(show.started());
            signals::stop_with(check.cancel());
            hear(file, check.by_ref(), &mut show);
            show.keep_texts(check.sources());
        }
    }
    show.finish()
}

/// Shows what is heard of a program or protocol.
fn hear(file: &Path, events: impl Iterator<Item = Event>, show: &mut Show<'_>) {
    for event in events {
        show.event(file, event);
        if show.failed() {
            break;
        }
    }
}

/// The solver is not installed: nothing can be checked.
fn no_solver(options: &CheckOptions, solver: &Solver, show: &mut Show<'_>) {
    let message = format!("error: {}", missing_solver(solver));
    eprint_line(&printable(&message));
    for file in &options.files {
        let file = file.display().to_string();
        show.line(&Line::note(&file, NoteSeverity::Error, &message));
    }
    show.worst(Exit::Failure);
}

/// What to say of a solver that is not installed.
pub fn missing_solver(solver: &Solver) -> String {
    let program = match solver {
        Solver::Program { program, .. } => program,
        Solver::BuiltIn => "z3-builtin",
    };
    format!("the solver {} cannot be started: there is no program `{program}`", solver.name())
}
