//! Operators of C and of dialects. Where the dialect has one, it is the operator
//! of Lustre that it means; elsewhere it is that too, with a diagnostic. Those that
//! Kind 2 has for machine integers stay what they are there.

use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::Dialect;
use crate::lexer::Lexer;
use crate::source::Span;
use crate::token::{Token, TokenKind};

impl Lexer<'_> {
    /// Says what an operator says of the whole file.
    pub(super) fn warn_of_sign(&mut self, place: Span) {
        let word = &self.text[place.range()];
        let message = format!("`{word}` is lustrec's: the file is read as lustrec reads it");
        self.diagnostics.push(
            Diagnostic::warning(Code::Dialect, place, message)
                .note(
                    "there `/`, `div` and `mod` on ints round towards zero, and `a fby b + c` is \
                     `a fby (b + c)`",
                )
                .help(
                    "if that is meant, write `--%DIALECT lustrec`; Kind 2 and JKind have `<>`, \
                     `and` and `or`",
                ),
        );
    }

    /// Makes foreign operators those that are meant.
    pub(super) fn settle_foreign(&mut self, tokens: &mut [Token], dialect: Dialect) {
        for at in 0..tokens.len() {
            let follows = tokens.get(at + 1).map(|token| token.kind);
            let token = &mut tokens[at];
            let Some((kind, meant)) = meaning(token.kind) else { continue };
            // `t.%1` is a component of a tuple, and `f@<int>` has a type; what else these mean elsewhere
            // the parser says.
            let is_other = match token.kind {
                TokenKind::Percent => !dialect.has_operator(token.kind),
                TokenKind::At => {
                    !dialect.has_operator(token.kind) || follows == Some(TokenKind::Less)
                }
                _ => false,
            };
            if dialect.has_bitwise(token.kind) || is_other {
                continue;
            }
            if !dialect.has_operator(token.kind) {
                let word = &self.text[token.span.range()];
                let message = format!("`{word}` is no operator of Lustre");
                self.diagnostics.push(
                    Diagnostic::error(Code::Syntax, token.span, message)
                        .help(format!("write `{meant}` instead")),
                );
            }
            token.kind = kind;
        }
    }
}

fn meaning(foreign: TokenKind) -> Option<(TokenKind, &'static str)> {
    Some(match foreign {
        TokenKind::Ampersand | TokenKind::DoubleAmpersand => (TokenKind::And, "and"),
        TokenKind::DoubleBar => (TokenKind::Or, "or"),
        TokenKind::DoubleEqual => (TokenKind::Equal, "="),
        TokenKind::BangEqual => (TokenKind::NotEqual, "<>"),
        TokenKind::Bang => (TokenKind::Not, "not"),
        TokenKind::Percent => (TokenKind::Mod, "mod"),
        TokenKind::At => (TokenKind::Bar, "|"),
        _ => return None,
    })
}
