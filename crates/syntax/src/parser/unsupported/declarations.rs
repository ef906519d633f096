//! Declarations: contract nodes, packages, imported nodes, parameters.

use crate::ast::GapKind;
use crate::diagnostic::Diagnostic;
use crate::parser::{Parsed, Parser};
use crate::source::Span;
use crate::token::TokenKind;

impl Parser<'_> {
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

    /// Skips a declaration that there is no place for; what it declares is not
    /// known.
    pub(in crate::parser) fn unsupported_declaration(&mut self) -> bool {
        let span = self.span();
        let found = self.skip_declaration(span);
        if found {
            self.gap(GapKind::Text, span);
        }
        found
    }

    fn skip_declaration(&mut self, span: Span) -> bool {
        match self.peek() {
            TokenKind::Contract | TokenKind::ContractLine => {
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

    pub(in crate::parser) fn unsupported_imported(&mut self) -> Parsed<()> {
        let span = self.bump().span;
        let found = self.skip_imported(span);
        self.gap(GapKind::Text, span);
        found
    }

    fn skip_imported(&mut self, span: Span) -> Parsed<()> {
        self.diagnostics.push(
            Diagnostic::unsupported(span, "imported nodes and functions")
                .help("give it a body, or make its result an input of the calling node"),
        );
        self.ident("of a node")?;
        self.skip_group();
        self.expect(TokenKind::Returns, "after the inputs")?;
        self.skip_group();
        self.eat(TokenKind::Semicolon);
        while matches!(self.peek(), TokenKind::Contract | TokenKind::ContractLine) {
            self.skip_contract();
        }
        Ok(())
    }

    /// Skips a contract in a comment to its end.
    pub(in crate::parser) fn skip_contract(&mut self) {
        if self.bump().kind == TokenKind::Contract {
            while !matches!(self.peek(), TokenKind::Close | TokenKind::End) {
                self.bump();
            }
            self.eat(TokenKind::Close);
        }
    }

    /// `node f<<const n: int>>(…)` and `node f<T>(…)`
    pub(in crate::parser) fn unsupported_parameters(&mut self) {
        if self.peek() != TokenKind::Less {
            return;
        }
        let span = self.span();
        self.unsupported(span, "static parameters");
        self.node_gaps.inputs = true;
        while !matches!(self.peek(), TokenKind::LeftParen | TokenKind::End | TokenKind::Let) {
            self.bump();
        }
        // Types among them are known by name in the whole node.
        self.gap(GapKind::Text, span);
    }
}
