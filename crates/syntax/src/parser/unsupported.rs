//! Parts of Lustre, Kind 2 and SCADE that Lustral does not have yet: recognised,
//! skipped, and answered with one clear diagnostic each, never a syntax error.

use crate::ast::{ExprId, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::parser::{Parsed, Parser};
use crate::source::Span;
use crate::token::TokenKind;

const MACHINE_INTEGERS: [&str; 10] =
    ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "sint", "uint"];

impl Parser<'_> {
    fn unsupported(&mut self, span: Span, what: &str) {
        self.diagnostics.push(Diagnostic::unsupported(span, what));
    }

    /// Gives up the statement: what follows would have to be parsed to be skipped.
    fn skip_unsupported<T>(&mut self, start: Span, what: &str) -> Parsed<T> {
        let span = start.to(self.span());
        self.unsupported(span, what);
        Err(super::Skipped)
    }

    /// Skips to the `;` after which the next declaration begins.
    fn skip_past_semicolon(&mut self) {
        while !matches!(self.peek(), TokenKind::Semicolon | TokenKind::End | TokenKind::Node) {
            self.bump();
        }
        self.eat(TokenKind::Semicolon);
    }

    /// Skips to the end of a body, `tel`.
    fn skip_past_tel(&mut self) {
        while !matches!(self.peek(), TokenKind::Tel | TokenKind::End) {
            self.bump();
        }
        self.bump();
        self.eat(TokenKind::Semicolon);
    }

    pub(super) fn unsupported_declaration(&mut self) -> bool {
        let span = self.span();
        match self.peek() {
            TokenKind::Contract | TokenKind::Guarantees => {
                self.skip_contract();
                self.unsupported(span, "contracts outside of nodes");
                true
            }
            TokenKind::Identifier if self.is_word("contract") => {
                self.unsupported(span, "contract nodes");
                self.skip_past_tel();
                true
            }
            TokenKind::Identifier if self.is_word("package") || self.is_word("model") => {
                self.unsupported(span, "packages and models");
                self.skip_past_semicolon();
                true
            }
            TokenKind::Identifier if self.is_word("datatype") => {
                self.unsupported(span, "algebraic data types");
                self.skip_past_semicolon();
                true
            }
            TokenKind::Identifier if self.is_word("param") => {
                self.unsupported(span, "parameters");
                self.skip_past_semicolon();
                true
            }
            TokenKind::Identifier
                if ["extern", "unsafe", "transparent", "opaque"]
                    .iter()
                    .any(|w| self.is_word(w))
                    && matches!(self.peek_after(1), TokenKind::Node | TokenKind::Function) =>
            {
                let word = self.word().to_string();
                self.bump();
                self.unsupported(span, &format!("`{word}` nodes"));
                true
            }
            _ => false,
        }
    }

    pub(super) fn unsupported_imported(&mut self) -> Parsed<()> {
        let span = self.bump().span;
        self.diagnostics.push(
            Diagnostic::unsupported(span, "imported nodes and functions")
                .help("give it a body, or make its result an input of the calling node"),
        );
        self.ident("of a node")?;
        self.skip_group();
        self.expect(TokenKind::Returns, "after the inputs")?;
        self.skip_group();
        self.eat(TokenKind::Semicolon);
        while matches!(self.peek(), TokenKind::Contract | TokenKind::Guarantees) {
            self.skip_contract();
        }
        Ok(())
    }

    /// Skips a contract to its end.
    fn skip_contract(&mut self) {
        if self.bump().kind != TokenKind::Guarantees {
            return;
        }
        let closed =
            |p: &Self| p.peek() == TokenKind::Star && p.peek_after(1) == TokenKind::RightParen;
        while !closed(self) && self.peek() != TokenKind::End {
            self.bump();
        }
        self.eat(TokenKind::Star);
        self.eat(TokenKind::RightParen);
    }

    /// `node f<<const n: int>>(…)` and `node f<T>(…)`
    pub(super) fn unsupported_parameters(&mut self) {
        if self.peek() != TokenKind::Less {
            return;
        }
        let span = self.span();
        self.unsupported(span, "static parameters");
        while !matches!(self.peek(), TokenKind::LeftParen | TokenKind::End | TokenKind::Let) {
            self.bump();
        }
    }

    pub(super) fn unsupported_type(&mut self) -> bool {
        let span = self.span();
        match self.peek() {
            TokenKind::LeftBrace => {
                self.skip_group();
                self.unsupported(span.to(self.last_span()), "records");
                true
            }
            TokenKind::LeftBracket => {
                self.skip_group();
                self.unsupported(span.to(self.last_span()), "tuple types");
                true
            }
            TokenKind::Identifier if self.is_word("struct") => {
                self.bump();
                self.skip_group();
                self.unsupported(span.to(self.last_span()), "records");
                true
            }
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

    /// `int^3`
    pub(super) fn unsupported_type_suffix(&mut self, ty: Span) -> Parsed<bool> {
        if !self.eat(TokenKind::Caret) {
            return Ok(false);
        }
        self.expr()?;
        let span = ty.to(self.last_span());
        self.unsupported(span, "arrays");
        Ok(true)
    }

    /// `x: int when c`
    pub(super) fn unsupported_clock(&mut self) -> Parsed<()> {
        if self.peek() == TokenKind::When {
            let start = self.bump().span;
            self.expr()?;
            self.unsupported(start.to(self.last_span()), "clocks");
        }
        Ok(())
    }

    /// `a[i] = e;`
    pub(super) fn unsupported_indexed_definition(&mut self) -> Parsed<()> {
        if self.peek() == TokenKind::LeftBracket {
            let span = self.span();
            self.skip_group();
            self.unsupported(span.to(self.last_span()), "arrays");
            return Err(super::Skipped);
        }
        Ok(())
    }

    pub(super) fn unsupported_item(&mut self) -> Parsed<bool> {
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
                return Err(super::Skipped);
            }
            TokenKind::Identifier
                if self.is_word("reachable")
                    && !matches!(self.peek_after(1), TokenKind::Equal | TokenKind::Comma) =>
            {
                self.unsupported(span, "reachability queries");
                return Err(super::Skipped);
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

    /// `check reachable …`, `--%PROPERTY reachable …`
    pub(super) fn unsupported_property(&mut self) -> bool {
        let follows = self.peek_after(1);
        if self.is_word("reachable")
            && matches!(follows, TokenKind::String | TokenKind::Identifier | TokenKind::LeftParen)
        {
            let span = self.span();
            self.unsupported(span, "reachability queries");
            return true;
        }
        if self.is_word("provided") {
            let span = self.span();
            self.unsupported(span, "conditional properties");
            return true;
        }
        false
    }

    pub(super) fn unsupported_operand(&mut self) -> Parsed<Option<ExprId>> {
        let span = self.span();
        let follows = self.peek_after(1);
        let what = match self.peek() {
            TokenKind::LeftBracket => {
                self.skip_group();
                "arrays"
            }
            TokenKind::LeftParen if follows == TokenKind::Identifier => {
                // `(restart f every r)(x)`, `(activate f every c initial default d)(x)`
                let inner = self.tokens[self.at + 1].span;
                let word = &self.text[inner.range()];
                let what = match word {
                    "restart" => "restarts",
                    "activate" => "clocks",
                    _ => return Ok(None),
                };
                if self.peek_after(2) != TokenKind::Identifier {
                    return Ok(None);
                }
                self.skip_group();
                if self.peek() == TokenKind::LeftParen {
                    self.skip_group();
                }
                what
            }
            TokenKind::Identifier
                if MACHINE_INTEGERS.contains(&self.word())
                    && matches!(
                        follows,
                        TokenKind::Integer | TokenKind::Identifier | TokenKind::Minus
                    ) =>
            {
                self.bump();
                self.eat(TokenKind::Minus);
                self.bump();
                "machine integers"
            }
            TokenKind::Identifier if follows == TokenKind::LeftParen => {
                let word = self.word();
                let what = match word {
                    "condact" => "clocks",
                    "forall" | "exists" => "quantifiers",
                    "merge" | "current" => "clocks",
                    _ if MACHINE_INTEGERS.contains(&word) => "machine integers",
                    _ => return Ok(None),
                };
                self.bump();
                self.skip_group();
                if what == "quantifiers" {
                    return self.skip_unsupported(span, what);
                }
                what
            }
            TokenKind::Identifier if follows == TokenKind::LeftBrace => {
                self.bump();
                self.skip_group();
                "records"
            }
            TokenKind::Identifier
                if (self.is_word("merge") || self.is_word("current"))
                    && follows == TokenKind::Identifier =>
            {
                self.bump();
                self.bump();
                while self.peek() == TokenKind::LeftParen {
                    self.skip_group();
                }
                "clocks"
            }
            TokenKind::Identifier
                if self.is_word("activate") && follows == TokenKind::Identifier =>
            {
                while !matches!(
                    self.peek(),
                    TokenKind::LeftParen | TokenKind::Semicolon | TokenKind::End | TokenKind::Tel
                ) {
                    self.bump();
                }
                self.skip_group();
                "clocks"
            }
            _ => return Ok(None),
        };
        let span = span.to(self.last_span());
        self.unsupported(span, what);
        Ok(Some(self.program.exprs.push(ExprKind::Error, span)))
    }

    pub(super) fn unsupported_postfix(&mut self, value: ExprId) -> Parsed<Option<ExprId>> {
        let start = self.program.exprs[value].span;
        let what = match self.peek() {
            TokenKind::LeftBracket => {
                self.skip_group();
                "arrays"
            }
            TokenKind::Dot if self.peek_after(1) == TokenKind::Identifier => {
                self.bump();
                self.bump();
                "records"
            }
            TokenKind::Caret => return self.skip_unsupported(start, "arrays"),
            TokenKind::When => return self.skip_unsupported(start, "clocks"),
            _ => return Ok(None),
        };
        let span = start.to(self.last_span());
        self.unsupported(span, what);
        Ok(Some(self.program.exprs.push(ExprKind::Error, span)))
    }
}
