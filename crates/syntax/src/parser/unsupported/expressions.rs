//! Expressions: sets, calls with a clock and without parentheses.

use crate::ast::{ExprId, ExprKind};
use crate::parser::{Parsed, Parser};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(in crate::parser) fn unsupported_operand(&mut self) -> Parsed<Option<ExprId>> {
        let span = self.span();
        let follows = self.peek_after(1);
        let what = match self.peek() {
            TokenKind::LeftBrace => {
                self.skip_set();
                Some("sets and records without a type")
            }
            TokenKind::Identifier if follows == TokenKind::LeftBrace => self.skip_braces(),
            TokenKind::Identifier if follows == TokenKind::At && self.after_angles(2).is_none() => {
                self.skip_instance()
            }
            TokenKind::Identifier => self.skip_word_operator(follows),
            _ => None,
        };
        let Some(what) = what else { return Ok(None) };
        let span = span.to(self.last_span());
        self.unsupported(span, what);
        Ok(Some(self.exprs.push(ExprKind::Error, span)))
    }

    /// `t { r with a = 1 }`
    fn skip_braces(&mut self) -> Option<&'static str> {
        let with = self.tokens.get(self.at + 3).map(|token| &self.text[token.span.range()]);
        let what = match self.word() {
            _ if self.peek_after(2) == TokenKind::Identifier && with == Some("with") => {
                "records made with `with`"
            }
            _ => return None,
        };
        self.bump();
        self.skip_group();
        Some(what)
    }

    /// `c@<int>`: a constant of a type with parameters
    fn skip_instance(&mut self) -> Option<&'static str> {
        let what = match self.word() {
            "any" | "choose" => return None,
            _ => "constants with type parameters",
        };
        self.bump();
        self.bump();
        self.skip_angles();
        Some(what)
    }

    /// What follows the types in angles that stand some tokens on.
    pub(in crate::parser) fn after_angles(&self, offset: usize) -> Option<TokenKind> {
        let mut depth = 0usize;
        for token in self.tokens.get(self.at + offset..)? {
            match token.kind {
                TokenKind::Less => depth += 1,
                TokenKind::Greater => depth = depth.saturating_sub(1),
                TokenKind::Let | TokenKind::Tel | TokenKind::End => return None,
                kind if depth == 0 => return Some(kind),
                _ => {}
            }
        }
        None
    }

    /// `{1, 2}`, up to its end or that of the statement.
    fn skip_set(&mut self) {
        while !matches!(
            self.peek(),
            TokenKind::RightBrace | TokenKind::Semicolon | TokenKind::Tel | TokenKind::End
        ) {
            self.bump();
        }
        self.eat(TokenKind::RightBrace);
    }

    /// `a[i..j step k]`
    pub(in crate::parser) fn unsupported_step<T>(&mut self) -> Parsed<T> {
        let span = self.span();
        self.skip_unsupported(span, "slices with a step")
    }

    /// `activate f every c (x)`
    fn skip_word_operator(&mut self, follows: TokenKind) -> Option<&'static str> {
        let name = follows == TokenKind::Identifier;
        match self.word() {
            "activate" if name => {
                while !matches!(
                    self.peek(),
                    TokenKind::LeftParen | TokenKind::Semicolon | TokenKind::End | TokenKind::Tel
                ) {
                    self.bump();
                }
                self.skip_group();
                Some("`activate` without parentheses around it")
            }
            _ => None,
        }
    }
}
