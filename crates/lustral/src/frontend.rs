//! From a file to a typed program, with its diagnostics shown.

use std::path::Path;

use lustral_render::{printable, render_diagnostics};
use lustral_report::Event;
use lustral_report::event::NoteSeverity;
use lustral_session::{Analysed, FileLoader, Remark, Unreadable, read};
use lustral_syntax::diagnostic::Diagnostic;
use lustral_syntax::{Diagnostics, Level, Severity, SourceMap};

use crate::cli::ReadingArguments;
use crate::exit::Exit;
use crate::output::{Output, eprint_line, stderr_style};

/// Diagnostics that are shown; a program with more has one cause for many.
const MOST_SHOWN: usize = 100;

/// Where diagnostics go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// To the standard error, for people.
    People,
    /// To the standard output, as JSON Lines.
    Json,
}

/// Reads and checks a program; shows what is wrong with it.
pub fn load(
    path: &Path,
    reading: &ReadingArguments,
    channel: Channel,
    output: &mut Output,
) -> Result<Analysed, Exit> {
    accept(path, reading.request(path).analyse(&FileLoader), channel, output)
}

/// Shows what is wrong with a program, which is accepted if there is no error.
pub fn accept(
    path: &Path,
    analysed: Result<Analysed, Unreadable>,
    channel: Channel,
    output: &mut Output,
) -> Result<Analysed, Exit> {
    let analysed = analysed.map_err(|unreadable| {
        remark(path, &unreadable.into(), channel, output);
        Exit::Failure
    })?;
    if analysed.latin && analysed.levels.of("not-utf-8", None) > Level::Allow {
        remark(path, &Remark::Latin, channel, output);
    }
    show(&analysed.sources, &analysed.diagnostics, channel, output);
    if analysed.diagnostics.has_errors() {
        return Err(Exit::Rejected);
    }
    analysed.quiet.count(&analysed.program);
    Ok(analysed)
}

/// Shows what there is to say of a program that is no diagnostic.
pub fn remark(path: &Path, remark: &Remark, channel: Channel, output: &mut Output) {
    let name = path.display().to_string();
    let (severity, message) = (remark.severity(), remark.to_string());
    match (remark, channel) {
        (Remark::Latin, _) => warn_of_latin(path),
        // What the system says of files is for people, whoever reads the output.
        (Remark::Unreadable(_), _) => {
            eprint_line(&format!("error: {}", printable(&message)));
            if channel == Channel::Json {
                let message = "the file cannot be read";
                output.write(&Event::note(&name, severity, message).line());
            }
        }
        (_, Channel::Json) => output.write(&Event::note(&name, severity, &message).line()),
        (_, Channel::People) => {
            let (mark, name) = (remark.mark(), printable(&name));
            eprint_line(&format!("{mark}: {name}: {}", printable(&message)));
        }
    }
}

fn warn_of_latin(path: &Path) {
    let name = printable(&path.display().to_string());
    eprint_line(&format!("warning[not-utf-8]: {name} is not UTF-8, read as Latin-1"));
}

/// Reads a file; says why not if it cannot be read.
pub fn open(path: &Path) -> Result<(SourceMap, lustral_syntax::FileId), Exit> {
    let name = path.display().to_string();
    let source = read(path).map_err(|reason| {
        eprint_line(&format!("error: cannot read {}: {reason}", printable(&name)));
        Exit::Failure
    })?;
    if source.latin {
        warn_of_latin(path);
    }
    let mut sources = SourceMap::new();
    let main = sources.add(name, source.text);
    Ok((sources, main))
}

/// Those of some diagnostics that are shown, in their order: where they are too many, no
/// warning takes the place of an error.
fn shown<'d>(list: &[&'d Diagnostic]) -> Vec<&'d Diagnostic> {
    let is_error = |d: &Diagnostic| d.severity == Severity::Error;
    let mut errors = list.iter().filter(|d| is_error(d)).count().min(MOST_SHOWN);
    let mut others = MOST_SHOWN - errors;
    let mut has_place = |d: &&&Diagnostic| {
        let left = if is_error(d) { &mut errors } else { &mut others };
        let found = *left > 0;
        *left -= usize::from(found);
        found
    };
    list.iter().filter(|d| has_place(d)).copied().collect()
}

/// Shows diagnostics.
pub fn show(sources: &SourceMap, diagnostics: &Diagnostics, channel: Channel, output: &mut Output) {
    let list = diagnostics.sorted();
    for diagnostic in shown(&list) {
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
