//! Parts of bodies: contracts, other queries than invariants.

use crate::diagnostic::Diagnostic;
use crate::parser::{Parsed, Parser, Skipped};
use crate::token::TokenKind;

impl Parser<'_> {
    /// `a[0] = e;`, `a[0..3] = e;`: where no index names all elements.
    pub(in crate::parser) fn unsupported_element<T>(&mut self) -> Parsed<T> {
        let span = self.span();
        self.skip_group();
        self.diagnostics.push(
            Diagnostic::unsupported(span.to(self.last_span()), "definitions of single elements")
                .help("define all elements at once: `a[i] = if i = 0 then … else …;`"),
        );
        Err(Skipped)
    }

    pub(in crate::parser) fn unsupported_item(&mut self) -> Parsed<()> {
        let span = self.span();
        let what = match self.peek() {
            TokenKind::Identifier
                if ["assume", "guarantee", "require", "ensure", "mode"]
                    .iter()
                    .any(|w| self.is_word(w))
                    && !matches!(self.peek_after(1), TokenKind::Equal | TokenKind::Comma) =>
            {
                "contracts"
            }
            _ => return Ok(()),
        };
        self.unsupported(span, what);
        Err(Skipped)
    }
}
