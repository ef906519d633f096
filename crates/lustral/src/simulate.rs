//! `lustral simulate`: a program run by the interpreter.

use std::io::Read;
use std::path::Path;

use lustral_render::printable;
use lustral_session::{Inputs, NotRun, Seen, SimulateOptions, simulate};

use crate::cli::{SimulateArguments, TraceFormat};
use crate::exit::Exit;
use crate::frontend::{self, Channel};
use crate::output::{Output, eprint_line};

/// Runs the command.
pub fn run(arguments: &SimulateArguments) -> Exit {
    let mut output = Output::new();
    match text(arguments, &mut output) {
        Ok((text, exit)) => {
            output.write(&text);
            output.finish(exit)
        }
        Err((exit, message)) => {
            if !message.is_empty() {
                eprint_line(&format!("error: {}", printable(&message)));
            }
            exit
        }
    }
}

fn text(
    arguments: &SimulateArguments,
    output: &mut Output,
) -> Result<(String, Exit), (Exit, String)> {
    let loaded = frontend::load(&arguments.file, &arguments.reading, Channel::People, output);
    let analysed = loaded.map_err(|exit| (exit, String::new()))?;
    let inputs = match &arguments.inputs {
        Some(path) => given(path).map_err(|message| (Exit::Failure, message))?,
        None => Inputs::Random { seed: arguments.seed },
    };
    let options = SimulateOptions {
        node: arguments.node.clone(),
        inputs,
        steps: arguments.steps,
        all: arguments.all,
    };
    let simulated = simulate(&analysed, &options).map_err(|error| refused(&error, arguments))?;
    for seen in &simulated.seen {
        let word = seen.severity().word();
        eprint_line(&format!("{word}: {}", printable(&seen.to_string())));
    }
    // Like a property that fails: something is not as it was said to be.
    let differs = simulated.seen.iter().any(|seen| matches!(seen, Seen::Differs { .. }));
    let exit = if differs { Exit::Falsifiable } else { Exit::Valid };
    let execution = &simulated.execution;
    let text = match arguments.format {
        TraceFormat::Table => execution.table(),
        TraceFormat::Csv => execution.csv(),
        TraceFormat::Json => execution.json(),
        TraceFormat::Vcd => execution.vcd(),
    };
    Ok((text, exit))
}

/// The inputs in a file, in the form that its name tells.
fn given(path: &Path) -> Result<Inputs, String> {
    let name = path.display().to_string();
    let text = if name == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(path)
    };
    let text = text.map_err(|e| format!("cannot read {name}: {e}"))?;
    let json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    Ok(if json { Inputs::Json(text) } else { Inputs::Csv(text) })
}

/// What is said of a program that was not run, with the exit code.
fn refused(error: &NotRun, arguments: &SimulateArguments) -> (Exit, String) {
    match (error, &arguments.inputs) {
        (NotRun::Inputs(unusable), Some(path)) => {
            (Exit::Failure, format!("{}: {unusable}", path.display()))
        }
        (NotRun::Inputs(_) | NotRun::TooLong(_) | NotRun::TooFew { .. }, _) => {
            (Exit::Failure, error.to_string())
        }
        (NotRun::Several(_), _) => (Exit::Rejected, format!("{error}; choose one with --node")),
        (NotRun::Rejected | NotRun::NoNode(_) | NotRun::TooLarge, _) => {
            (Exit::Rejected, error.to_string())
        }
    }
}
