//! `lustral dump`: what each stage makes of a program.

use std::fmt::Write;

use lustral_engines::{horn_clauses, prepare};
use lustral_render::printable;
use lustral_sema::instances::Wanted;
use lustral_session::{Analysed, FileLoader, roots};
use lustral_syntax::{Diagnostics, Forest, lexer, printer};
use lustral_system::TransitionSystem;

use crate::cli::{DumpOptions, Stage};
use crate::exit::Exit;
use crate::frontend::{self, Channel};
use crate::output::{Output, eprint_line};
use lustral_coordinator::Unit;

/// Runs the command.
pub fn run(options: &DumpOptions) -> Exit {
    let mut output = Output::new();
    let text = match options.stage {
        Stage::Tokens | Stage::Ast => syntax(options, &mut output),
        Stage::Typed | Stage::Equations | Stage::System | Stage::Prepared | Stage::Horn => {
            meaning(options, &mut output)
        }
    };
    match text {
        Ok(text) => {
            let lines = text.lines().map(|line| printable(line) + "\n");
            output.finish_with(&lines.collect::<String>())
        }
        Err(exit) => exit,
    }
}

fn syntax(options: &DumpOptions, output: &mut Output) -> Result<String, Exit> {
    let (mut sources, main) = frontend::open(&options.file)?;
    let mut diagnostics = Diagnostics::new();
    let text = if options.stage == Stage::Tokens {
        lexer::show_tokens(&sources, main, &mut diagnostics)
    } else {
        let mut forest = Forest::new(options.reading.dialect);
        let tree = forest.program(&mut sources, main, &FileLoader, &mut diagnostics);
        printer::print_program(&tree)
    };
    frontend::show(&sources, &diagnostics, Channel::People, output);
    if diagnostics.has_errors() { Err(Exit::Rejected) } else { Ok(text) }
}

fn meaning(options: &DumpOptions, output: &mut Output) -> Result<String, Exit> {
    let Analysed { program, kernel, .. } =
        frontend::load(&options.file, &options.reading, Channel::People, output)?;
    match options.stage {
        Stage::Typed => return Ok(lustral_sema::dump::dump(&program)),
        Stage::Equations => return Ok(lustral_kernel::dump(&kernel)),
        _ => {}
    }
    let reject = |message: String| {
        eprint_line(&format!("error: {}", printable(&message)));
        Exit::Rejected
    };
    let mut text = String::new();
    let comment = if options.stage == Stage::Horn { ";" } else { "--" };
    for root in roots(&program, &options.nodes).map_err(|none| reject(none.to_string()))? {
        let unit =
            Unit::new(&kernel, root, Wanted::ALL).map_err(|error| reject(error.to_string()))?;
        let _ = writeln!(text, "{comment} node {}", program.node(root).name);
        text += &match options.stage {
            Stage::Prepared => lustral_system::dump(&prepare(&unit.system).system),
            Stage::Horn => horn(&prepare(&unit.system).system),
            _ => lustral_system::dump(&unit.system),
        };
    }
    Ok(text)
}

fn horn(system: &TransitionSystem) -> String {
    let mut text = String::new();
    for property in system.property_ids() {
        let _ = writeln!(text, "; property {}", system.property(property).name);
        let _ = match horn_clauses(system, property) {
            Ok(clauses) => writeln!(text, "{clauses}"),
            Err(reason) => writeln!(text, "; none: {reason}"),
        };
    }
    text
}
