//! From a file to a typed program, with its diagnostics shown.

use std::path::Path;
use std::sync::Arc;

use lustral_kernel::translate;
use lustral_render::{printable, render_diagnostics};
use lustral_report::Event;
use lustral_report::event::NoteSeverity;
use lustral_sema::{Program, analyse};
use lustral_syntax::{Diagnostics, SourceMap, parse_program};

use crate::cache::{self, Keys};
use crate::candidates::{Origins, Quiet};
use crate::exit::Exit;
use crate::files::{FileLoader, read};
use crate::output::{Output, eprint_line, stderr_style};

/// Diagnostics that are shown; a program with more has one cause for many.
const MOST_SHOWN: usize = 100;

/// A program that was accepted.
pub struct Accepted {
    /// The program's files, and after them those of candidates.
    pub sources: SourceMap,
    pub program: Arc<Program>,
    /// Its kernel, which is encoded.
    pub kernel: Arc<lustral_kernel::Program>,
    /// The number of the program's own files.
    pub files: usize,
    /// What identifies each node in a cache, if there is one.
    pub keys: Keys,
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
    accept(path, analyse_file(path, &Origins::default()), channel, output)
}

/// A program as it was read, with what is wrong with it.
pub struct Analysed {
    accepted: Accepted,
    diagnostics: Diagnostics,
    quiet: Quiet,
}

/// Reads and checks a program with its candidates. Of what is wrong, it shows
/// only why a file cannot be read.
pub fn analyse_file(path: &Path, origins: &Origins) -> Result<Analysed, Exit> {
    let (mut sources, main) = open(path)?;
    let mut diagnostics = Diagnostics::new();
    let mut tree = parse_program(&mut sources, main, &FileLoader, &mut diagnostics);
    let files = sources.files().count();
    let keys = if origins.cache.is_some() { cache::keys(&tree) } else { Keys::new() };
    let quiet = origins.add(&keys, &mut sources, &mut tree, &mut diagnostics)?;
    let program = Arc::new(analyse(&sources, &tree, &mut diagnostics));
    let diagnostics = quiet.remove_from(diagnostics);
    let kernel = match diagnostics.has_errors() {
        true => lustral_kernel::Program::default(),
        false => translate(&program, &sources),
    };
    let accepted = Accepted { sources, program, kernel: Arc::new(kernel), files, keys };
    Ok(Analysed { accepted, diagnostics, quiet })
}

/// Shows what is wrong with a program, which is accepted if there is no error.
pub fn accept(
    path: &Path,
    analysed: Result<Analysed, Exit>,
    channel: Channel,
    output: &mut Output,
) -> Result<Accepted, Exit> {
    let Analysed { accepted, diagnostics, quiet } = analysed.inspect_err(|_| {
        if channel == Channel::Json {
            let (file, message) = (path.display().to_string(), "error: the file cannot be read");
            output.write(&Event::note(&file, NoteSeverity::Error, message).line());
        }
    })?;
    show(&accepted.sources, &diagnostics, channel, output);
    if diagnostics.has_errors() {
        return Err(Exit::Rejected);
    }
    quiet.count(&accepted.program);
    Ok(accepted)
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

/// Shows diagnostics.
pub fn show(sources: &SourceMap, diagnostics: &Diagnostics, channel: Channel, output: &mut Output) {
    let list = diagnostics.sorted();
    for diagnostic in list.iter().take(MOST_SHOWN) {
        match channel {
            Channel::Json => output.write(&Event::diagnostic(sources, diagnostic).line()),
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
                output.write(&Event::note(main, NoteSeverity::Note, &message).line());
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
