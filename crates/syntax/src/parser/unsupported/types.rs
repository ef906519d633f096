//! Types: histories, subranges of other types.

use crate::ast::TypeKind;
use crate::diagnostic::Diagnostic;
use crate::parser::Parser;
use crate::token::TokenKind;

/// What to write instead of `forall (old: history(x)) p(old)`.
const OF_HISTORIES: &str =
    "say in a flow what has held so far: `ok = p(x) -> p(x) and pre ok;`, and check `ok`";

impl Parser<'_> {
    pub(in crate::parser) fn unsupported_type(&mut self) -> bool {
        let span = self.span();
        match self.peek() {
            TokenKind::Identifier if self.peek_after(1) == TokenKind::Less => {
                if !self.is_word("history") {
                    return false;
                }
                self.bump();
                self.skip_angles();
                self.unsupported_but(span.to(self.last_span()), "histories", OF_HISTORIES);
                true
            }
            TokenKind::Identifier
                if self.is_word("history") && self.peek_after(1) == TokenKind::LeftParen =>
            {
                self.bump();
                self.skip_group();
                self.unsupported_but(span.to(self.last_span()), "histories", OF_HISTORIES);
                true
            }
            _ => false,
        }
    }

    /// `subrange [a, b] of` something else than `int`
    pub(in crate::parser) fn unsupported_subrange(&mut self) -> TypeKind {
        let span = self.bump().span;
        let diagnostic = Diagnostic::unsupported(span, "subranges of other types than `int`");
        self.diagnostics.push(diagnostic.help("write `subtype { x: uint8 | x <= 3 }`"));
        TypeKind::Error
    }

    /// `= 0.` behind a field of a record type, up to the next field
    pub(in crate::parser) fn unsupported_field_value(&mut self) {
        use TokenKind::{Comma, End, Let, RightBrace, Semicolon, Tel};
        if self.peek() != TokenKind::Equal {
            return;
        }
        let span = self.bump().span;
        while !matches!(self.peek(), Semicolon | Comma | RightBrace | Let | Tel | End) {
            self.bump();
        }
        let what = "values that fields have where none is said";
        let diagnostic = Diagnostic::unsupported(span.to(self.last_span()), what);
        self.diagnostics.push(diagnostic.help("give all fields a value where a record is made"));
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
