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

    /// Whether a word stands here, and behind it a node.
    pub(in crate::parser) fn at_annotated_node(&self, word: &str) -> bool {
        let node = matches!(self.peek_after(1), TokenKind::Node | TokenKind::Function);
        node && self.is_word(word)
    }

    fn skip_declaration(&mut self, span: Span) -> bool {
        match self.peek() {
            TokenKind::Contract | TokenKind::ContractLine => {
                self.skip_contract();
                self.unsupported(span, "contracts outside of nodes");
                true
            }
            TokenKind::Identifier if self.is_word("package") || self.is_word("model") => {
                self.unsupported(span, "packages and models");
                self.skip_past_semicolon();
                true
            }
            TokenKind::Identifier if self.at_annotated_node("opaque") => {
                self.bump();
                self.unsupported(span, "`opaque` nodes");
                true
            }
            _ => false,
        }
    }

    /// `--@ requires e;` and its like
    pub(in crate::parser) fn unsupported_contract_line(&mut self) {
        let span = self.bump().span;
        let unsupported = Diagnostic::unsupported(span, "contracts in line comments");
        self.diagnostics.push(unsupported.help("write `(*@contract … *)`"));
    }

    /// Skips a contract in a comment to its end.
    fn skip_contract(&mut self) {
        if self.bump().kind == TokenKind::Contract {
            while !matches!(self.peek(), TokenKind::Close | TokenKind::End) {
                self.bump();
            }
            self.eat(TokenKind::Close);
        }
    }

    /// `function rec f(…)`, of which nothing else is read: that it calls itself is no
    /// mistake of its own.
    pub(in crate::parser) fn unsupported_recursion(&mut self, start: Span) -> Parsed<()> {
        if !self.is_word("rec") || self.peek_after(1) != TokenKind::Identifier {
            return Ok(());
        }
        let word = self.bump().span;
        self.gap(GapKind::Node, start);
        self.skip_unsupported(word, "recursive functions")
    }

    /// `contract f<<const n: int>>(…)`
    pub(in crate::parser) fn unsupported_parameters(&mut self) {
        if self.peek() == TokenKind::Less {
            let span = self.span();
            self.unsupported(span, "parameters of contracts");
            self.skip_parameters(span);
        }
    }

    /// Skips static parameters that cannot be read.
    pub(in crate::parser) fn skip_parameters(&mut self, span: Span) {
        self.node_gaps.inputs = true;
        let ends =
            |kind: TokenKind| matches!(kind, TokenKind::End | TokenKind::Let | TokenKind::Tel);
        let pairs = self.tokens[self.at..].windows(2);
        let mut pairs = pairs.take_while(|pair| !ends(pair[0].kind));
        // They may have parentheses of their own.
        let closed = pairs.position(|pair| pair.iter().all(|t| t.kind == TokenKind::Greater));
        self.at += closed.map_or(0, |position| position + 2);
        while self.peek() != TokenKind::LeftParen && !ends(self.peek()) && !self.at_declaration() {
            self.bump();
        }
        // Types among them are known by name in the whole node.
        self.gap(GapKind::Text, span);
    }
}
