//! Types: maps, sets and histories.

use crate::parser::Parser;
use crate::token::TokenKind;

impl Parser<'_> {
    pub(in crate::parser) fn unsupported_type(&mut self) -> bool {
        let span = self.span();
        match self.peek() {
            TokenKind::Identifier if self.peek_after(1) == TokenKind::Less => {
                let what = match self.word() {
                    "map" => "maps",
                    "set" => "sets",
                    "history" => "histories",
                    _ => return false,
                };
                self.bump();
                self.skip_angles();
                self.unsupported(span.to(self.last_span()), what);
                true
            }
            TokenKind::Identifier
                if self.is_word("history") && self.peek_after(1) == TokenKind::LeftParen =>
            {
                self.bump();
                self.skip_group();
                self.unsupported(span.to(self.last_span()), "histories");
                true
            }
            _ => false,
        }
    }

    /// `<int, set<int>>`, up to its end or that of the statement.
    pub(in crate::parser) fn skip_angles(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.peek() {
                TokenKind::Less => depth += 1,
                TokenKind::Greater => depth = depth.saturating_sub(1),
                TokenKind::Let | TokenKind::Tel | TokenKind::Node | TokenKind::End => return,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }
}
