//! Expressions: records without a name, calls with a clock and without parentheses.

use crate::ast::{ExprId, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::parser::{Parsed, Parser, Skipped};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(in crate::parser) fn unsupported_operand(&mut self) -> Parsed<Option<ExprId>> {
        let span = self.span();
        let follows = self.peek_after(1);
        let mut help = None;
        let what = match self.peek() {
            TokenKind::LeftBrace if self.at_nameless_record() => {
                self.skip_record();
                help = Some("name the type: `t { a = 1; b = 2 }`");
                Some("records without the name of their type")
            }
            TokenKind::Identifier if follows == TokenKind::LeftBrace => {
                help = Some("write the record that is changed: `r[a := 1]`");
                self.skip_braces()
            }
            TokenKind::Identifier if follows == TokenKind::At && self.after_angles(2).is_none() => {
                self.skip_instance()
            }
            TokenKind::Identifier => self.skip_word_operator(follows),
            _ => None,
        };
        let Some(what) = what else { return Ok(None) };
        let span = span.to(self.last_span());
        let diagnostic = Diagnostic::unsupported(span, what);
        self.diagnostics.push(match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        });
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

    /// Whether `{ a = 1;` stands here, which is no set of truth values.
    fn at_nameless_record(&self) -> bool {
        let named =
            self.peek_after(1) == TokenKind::Identifier && self.peek_after(2) == TokenKind::Equal;
        let mut rest = self.tokens[self.at..].iter().map(|token| token.kind);
        let ends = |kind: &TokenKind| {
            matches!(kind, TokenKind::Semicolon | TokenKind::RightBrace | TokenKind::End)
        };
        named && rest.find(ends) == Some(TokenKind::Semicolon)
    }

    /// `{ a = 1; b = 2 }`, up to its end or that of the statement.
    fn skip_record(&mut self) {
        loop {
            match self.peek() {
                TokenKind::RightBrace | TokenKind::Tel | TokenKind::Let | TokenKind::End => break,
                TokenKind::Semicolon if !self.is_inside_brackets() => break,
                _ => self.bump(),
            };
        }
        self.eat(TokenKind::RightBrace);
    }

    /// `a[i..j step k]`
    pub(in crate::parser) fn unsupported_step<T>(&mut self) -> Parsed<T> {
        let diagnostic = Diagnostic::unsupported(self.span(), "slices with a step");
        let help =
            "name the elements: `[a[0], a[2]]`, or define the array by index: `b[i] = a[2 * i];`";
        self.complain(diagnostic.help(help));
        Err(Skipped)
    }

    /// `a[i, j]`
    pub(in crate::parser) fn unsupported_indices<T>(&mut self) -> Parsed<T> {
        let what = "several indices in one pair of brackets";
        self.complain(Diagnostic::unsupported(self.span(), what).help("write `a[i][j]`"));
        Err(Skipped)
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
