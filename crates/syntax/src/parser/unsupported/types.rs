//! Types: machine integers, refinements, clocks.

use super::MACHINE_INTEGERS;
use crate::parser::{Parsed, Parser};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(in crate::parser) fn unsupported_type(&mut self) -> bool {
        let span = self.span();
        match self.peek() {
            TokenKind::Identifier if self.is_word("subtype") => {
                self.bump();
                self.skip_group();
                self.unsupported(span.to(self.last_span()), "refinement types");
                true
            }
            TokenKind::Identifier if MACHINE_INTEGERS.contains(&self.word()) => {
                self.bump();
                self.unsupported(span, "machine integers");
                if self.eat(TokenKind::Less) {
                    while !matches!(
                        self.peek(),
                        TokenKind::Greater | TokenKind::Semicolon | TokenKind::End
                    ) {
                        self.bump();
                    }
                    self.eat(TokenKind::Greater);
                }
                true
            }
            _ => false,
        }
    }

    /// `x: int when c`
    pub(in crate::parser) fn unsupported_clock(&mut self) -> Parsed<()> {
        if self.peek() == TokenKind::When {
            let start = self.bump().span;
            self.expr()?;
            self.unsupported(start.to(self.last_span()), "clocks");
        }
        Ok(())
    }
}
