//! Parts of bodies: blocks, automata, contracts, other queries than invariants.

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

    pub(in crate::parser) fn unsupported_item(&mut self) -> Parsed<bool> {
        let span = self.span();
        let what = match self.peek() {
            TokenKind::If => "`if` blocks",
            TokenKind::Identifier
                if self.is_word("frame") && self.peek_after(1) == TokenKind::LeftParen =>
            {
                "`frame` blocks"
            }
            TokenKind::Identifier
                if self.is_word("automaton") && self.peek_after(1) == TokenKind::Identifier =>
            {
                "automata"
            }
            TokenKind::Identifier
                if ["assume", "guarantee", "require", "ensure", "mode"]
                    .iter()
                    .any(|w| self.is_word(w))
                    && !matches!(self.peek_after(1), TokenKind::Equal | TokenKind::Comma) =>
            {
                self.unsupported(span, "contracts");
                return Err(Skipped);
            }
            _ => return Ok(false),
        };
        self.unsupported(span, what);
        // Such a block runs to its own end word, which may hold equations: the
        // rest of the node cannot be told apart from it.
        while !matches!(self.peek(), TokenKind::Tel | TokenKind::End | TokenKind::Node) {
            self.bump();
        }
        Ok(true)
    }
}
