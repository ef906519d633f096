//! From a file to a typed program, with its diagnostics shown.

use std::path::Path;

use lustral_report::{diagnostic_line, note_line, printable, render_diagnostics};
use lustral_sema::{Program, analyse};
use lustral_syntax::{Diagnostics, SourceMap, ast, parse_program};

use crate::exit::Exit;
use crate::files::{FileLoader, read};
use crate::output::{Output, eprint_line, stderr_style};

/// Diagnostics that are shown; a program with more has one cause for many.
const MOST_SHOWN: usize = 100;

/// A program that was accepted.
pub struct Accepted {
    pub sources: SourceMap,
    pub program: Program,
}

/// Where diagnostics go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// To the standard error, for people.
    People,
    /// To the standard output, as JSON Lines.
    Json,
}

/// Reads and checks a program; shows what is wrong with it.
pub fn load(path: &Path, channel: Channel, output: &mut Output) -> Result<Accepted, Exit> {
    accept(path, analyse_file(path), channel, output)
}

/// A program as it was read, with what is wrong with it.
pub struct Analysed {
    sources: SourceMap,
    program: Program,
    diagnostics: Diagnostics,
}

/// Reads and checks a program. Of what is wrong, it shows only why a file
/// cannot be read.
pub fn analyse_file(path: &Path) -> Result<Analysed, Exit> {
    let (mut sources, main) = open(path)?;
    let mut diagnostics = Diagnostics::new();
    let tree = parse_program(&mut sources, main, &FileLoader, &mut diagnostics);
    let program = check(&sources, &tree, &mut diagnostics);
    Ok(Analysed { sources, program, diagnostics })
}

/// Shows what is wrong with a program, which is accepted if there is no error.
pub fn accept(
    path: &Path,
    analysed: Result<Analysed, Exit>,
    channel: Channel,
    output: &mut Output,
) -> Result<Accepted, Exit> {
    let Analysed { sources, program, diagnostics } = analysed.inspect_err(|_| {
        if channel == Channel::Json {
            output.write(&note_line(&path.display().to_string(), "error: the file cannot be read"));
        }
    })?;
    show(&sources, &diagnostics, channel, output);
    if diagnostics.has_errors() { Err(Exit::Rejected) } else { Ok(Accepted { sources, program }) }
}

/// Reads a file; says why not if it cannot be read.
pub fn open(path: &Path) -> Result<(SourceMap, lustral_syntax::FileId), Exit> {
    let name = path.display().to_string();
    let source = read(path).map_err(|reason| {
        eprint_line(&format!("error: cannot read {}: {reason}", printable(&name)));
        Exit::Failure
    })?;
    if source.latin {
        eprint_line(&format!("warning: {} is not UTF-8, read as Latin-1", printable(&name)));
    }
    let mut sources = SourceMap::new();
    let main = sources.add(name, source.text);
    Ok((sources, main))
}

/// Types are of interest only if the text could be parsed.
fn check(sources: &SourceMap, tree: &ast::Program, diagnostics: &mut Diagnostics) -> Program {
    if diagnostics.has_errors() { Program::default() } else { analyse(sources, tree, diagnostics) }
}

/// Shows diagnostics.
pub fn show(sources: &SourceMap, diagnostics: &Diagnostics, channel: Channel, output: &mut Output) {
    let list = diagnostics.sorted();
    for diagnostic in list.iter().take(MOST_SHOWN) {
        match channel {
            Channel::Json => output.write(&diagnostic_line(sources, diagnostic)),
            Channel::People => {
                eprint_line(&render_diagnostics(sources, diagnostic, stderr_style()));
                eprint_line("");
            }
        }
    }
    if list.len() > MOST_SHOWN {
        let more = list.len() - MOST_SHOWN;
        match channel {
            Channel::Json => {
                let main = sources.files().next().map_or("", |(_, file)| &file.name);
                let message = format!("{more} more diagnostics are not shown");
                output.write(&note_line(main, &message));
            }
            Channel::People => eprint_line(&format!("… and {more} more")),
        }
    }
    if diagnostics.has_errors() && channel == Channel::People {
        let n = diagnostics.errors();
        eprint_line(&format!(
            "the program is rejected: {n} error{}",
            if n == 1 { "" } else { "s" }
        ));
    }
}
