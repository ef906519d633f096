//! The standard output, and what happens when it cannot be written.

use std::io::{self, IsTerminal, Write};

use lustral_render::Style;
use lustral_report::Event;

use crate::exit::Exit;

/// The standard output. Every piece is flushed, so that nothing is lost
/// whatever happens next; a failure is remembered and ends in an exit code.
pub struct Output {
    stream: io::Stdout,
    failed: bool,
}

impl Output {
    /// The standard output.
    pub fn new() -> Output {
        Output { stream: io::stdout(), failed: false }
    }

    /// Writes and flushes.
    pub fn write(&mut self, text: &str) {
        if self.failed {
            return;
        }
        let mut stream = self.stream.lock();
        if let Err(error) = stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
            self.failed = true;
            // A reader that has seen enough needs no message.
            if error.kind() != io::ErrorKind::BrokenPipe {
                eprint_line(&format!("error: cannot write the output: {error}"));
            }
        }
    }

    /// Whether something could not be written.
    pub fn failed(&self) -> bool {
        self.failed
    }

    /// The exit code: a failure if something could not be written.
    pub fn finish(&self, exit: Exit) -> Exit {
        if self.failed { Exit::Failure } else { exit }
    }

    /// Writes a text, and that is all.
    pub fn finish_with(mut self, text: &str) -> Exit {
        self.write(text);
        self.finish(Exit::Valid)
    }
}

/// Events as JSON Lines.
pub fn lines(events: &[Event]) -> String {
    events.iter().map(Event::line).collect()
}

/// A line on the standard error. If that fails there is nobody left to tell.
pub fn eprint_line(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Colours on a terminal only, and not if the user does not want them.
fn style(is_terminal: bool) -> Style {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
    if is_terminal && !refused && !dumb { Style::Colour } else { Style::Plain }
}

/// How to write to the standard output.
pub fn stdout_style() -> Style {
    style(io::stdout().is_terminal())
}

/// How to write to the standard error.
pub fn stderr_style() -> Style {
    style(io::stderr().is_terminal())
}

/// The width of tables: the terminal's, or what fits a page.
pub fn terminal_width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    columns.unwrap_or(100).clamp(40, 400)
}
