//! `lustral worker`: what the tool starts beside itself, for work that may
//! crash, hang or use up the memory. Not for people.

use std::io::{Read, Write};

use lustral_smt::WorkerCommand;
use lustral_smt::horn::{HornAnswer, HornQuery, Unsolved, solve};
use rustix::process::{Signal, getppid, set_parent_process_death_signal};

use crate::cli::{WorkerKind, WorkerOptions};
use crate::exit::Exit;

/// How this program starts itself as a worker for Horn clauses, if it knows
/// where it is.
pub fn horn_command() -> Option<WorkerCommand> {
    let program = std::env::current_exe().ok()?;
    let parent = std::process::id().to_string();
    let args = ["worker", "--parent", &parent, "horn"].map(Into::into).to_vec();
    Some(WorkerCommand { program, args })
}

/// Runs the command.
pub fn run(options: &WorkerOptions) -> Exit {
    // However the parent ends, this process ends with it; and if it has ended
    // already, nobody wants an answer.
    let bound = set_parent_process_death_signal(Some(Signal::KILL)).is_ok();
    let orphan = getppid().map(|pid| pid.as_raw_nonzero().get()) != Some(options.parent);
    if !bound || orphan {
        return Exit::Failure;
    }
    match options.kind {
        WorkerKind::Horn => horn(),
    }
}

fn horn() -> Exit {
    let mut input = String::new();
    if std::io::stdin().read_to_string(&mut input).is_err() {
        return Exit::Failure;
    }
    let Some(query) = HornQuery::from_text(&input) else { return Exit::Failure };
    drop(input);
    // Solvers recurse as deep as terms are nested.
    let (sender, answer) = std::sync::mpsc::channel();
    lustral_base::spawn("horn", move || drop(sender.send(solve(&query))));
    let answer = answer
        .recv()
        .unwrap_or(HornAnswer::Unknown(Unsolved::GaveUp("the solver panicked".into())));
    let mut output = std::io::stdout();
    match output.write_all(answer.to_text().as_bytes()).and_then(|()| output.flush()) {
        Ok(()) => Exit::Valid,
        Err(_) => Exit::Failure,
    }
}
