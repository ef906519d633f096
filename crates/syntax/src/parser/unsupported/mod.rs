//! Parts of Lustre, Kind 2 and SCADE that Lustral does not have yet: recognised,
//! skipped, and answered with one clear diagnostic each, never a syntax error.

mod declarations;
mod types;
mod items;
mod expressions;
mod foreign;

use crate::diagnostic::Diagnostic;
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;

impl Parser<'_> {
    pub(in crate::parser) fn unsupported(&mut self, span: Span, what: &str) {
        self.diagnostics.push(Diagnostic::unsupported(span, what));
    }

    /// The same, with what to write instead.
    pub(in crate::parser) fn unsupported_but(&mut self, span: Span, what: &str, help: &str) {
        self.diagnostics.push(Diagnostic::unsupported(span, what).help(help));
    }

    /// Gives up the statement: what follows would have to be parsed to be skipped.
    pub(super) fn skip_unsupported<T>(&mut self, start: Span, what: &str) -> Parsed<T> {
        let span = start.to(self.span());
        self.unsupported(span, what);
        Err(Skipped)
    }
}
