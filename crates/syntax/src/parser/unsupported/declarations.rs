//! Declarations: contract nodes, imported nodes, parameters.

use crate::ast::{GapKind, Ident};
use crate::diagnostic::Diagnostic;
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;
use crate::token::TokenKind;

impl Parser<'_> {
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
            TokenKind::Identifier if self.at_annotated_node("opaque") => {
                self.bump();
                let help = "leave `opaque` out: callers then see the body beside the contract";
                self.unsupported_but(span, "`opaque` nodes", help);
                true
            }
            _ => false,
        }
    }

    /// `--@ requires e;` and its like
    pub(in crate::parser) fn unsupported_contract_line(&mut self) {
        let span = self.bump().span;
        let unsupported = Diagnostic::unsupported(span, "contracts in such lines");
        let help = "a line says `requires e;`, `ensures e;`, `assume e;` or `guarantee e;`; \
                    write all else in `(*@contract … *)`";
        self.diagnostics.push(unsupported.help(help));
    }

    /// `function rec f(…)`, of which nothing else is read: that it calls itself is no
    /// mistake of its own.
    pub(in crate::parser) fn unsupported_recursion(&mut self, start: Span) -> Parsed<()> {
        if !self.is_word("rec") || self.peek_after(1) != TokenKind::Identifier {
            return Ok(());
        }
        let word = self.bump().span;
        self.gap(GapKind::Node, start);
        let help = "write out as many calls as are needed, each a function of its own, or say \
                    what is known of it in the contract of a function without a body";
        self.unsupported_but(word.to(self.span()), "recursive functions", help);
        Err(Skipped)
    }

    /// The name of a node; Heptagon has `node (+)(a: int; b: int)`, too.
    pub(in crate::parser) fn name_of_node(&mut self, is_function: bool) -> Parsed<Ident> {
        use TokenKind::{LeftParen, RightParen};
        let (last, follows) = (self.peek_after(2), self.peek_after(3));
        if (self.peek(), last, follows) != (LeftParen, RightParen, LeftParen) {
            return self.ident(if is_function { "of a function" } else { "of a node" });
        }
        let span = self.span();
        self.gap(GapKind::Node, span);
        self.unsupported(span, "nodes with the name of an operator (write it as a name)");
        self.bump();
        self.bump();
        self.bump();
        Ok(self.missing())
    }

    /// `contract f<<const n: int>>(…)`
    pub(in crate::parser) fn unsupported_parameters(&mut self) {
        if self.peek() == TokenKind::Less {
            let span = self.span();
            let help =
                "give them to the contract as constant inputs: `contract c(const n: int; …)`";
            self.unsupported_but(span, "parameters of contracts", help);
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
