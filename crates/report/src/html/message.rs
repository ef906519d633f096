//! What was said of files and is no verdict: what is wrong with a program, and why it was
//! not checked. A page that kept silent of that would look better than the run was.

use std::fmt::Write;

use super::escape::escape_html;
use crate::event::{DiagnosticSeverity, Event};

/// A message of a file: the class of the style sheet for it, and the line.
pub(super) struct Message<'a> {
    pub file: &'a str,
    class: &'static str,
    line: String,
}

impl<'a> Message<'a> {
    /// The message of an event, if it is one.
    pub fn of(event: &'a Event) -> Option<Message<'a>> {
        match event {
            Event::Diagnostic(said) => {
                let class = match said.severity {
                    DiagnosticSeverity::Error => "error",
                    DiagnosticSeverity::Warning => "warning",
                };
                let mut line = format!("{}:{}: {class}: {}", said.line, said.column, said.message);
                if let Some(help) = &said.help {
                    let _ = write!(line, " ({help})");
                }
                Some(Message { file: &said.file, class, line })
            }
            Event::Note(said) => {
                let class = said.severity.word();
                let line = format!("{class}: {}", said.message);
                Some(Message { file: &said.file, class, line })
            }
            _ => None,
        }
    }
}

/// The messages of one file.
pub(super) fn messages<'a>(out: &mut String, list: impl Iterator<Item = &'a Message<'a>>) {
    let mut list = list.peekable();
    if list.peek().is_none() {
        return;
    }
    out.push_str("<ul class=\"messages\">\n");
    for Message { class, line, .. } in list {
        let _ = writeln!(out, "<li class=\"{class}\">{}</li>", escape_html(line));
    }
    out.push_str("</ul>\n");
}
