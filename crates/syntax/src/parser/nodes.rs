//! Nodes and functions: the header, part by part, and what stands between it and
//! the body. A mistake in one part leaves the others as they are.

use crate::ast::{ConstDeclaration, Declaration, GapKind, Ident, Item, NodeDeclaration, Variable};
use crate::parser::variables::Role;
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn node(&mut self) -> Parsed<()> {
        self.node_or_function(false)
    }

    /// A node or a function; one that is `external` has no body.
    pub(super) fn node_or_function(&mut self, external: bool) -> Parsed<()> {
        let start = self.span();
        let is_function = self.bump().kind != TokenKind::Node;
        let imported = self.is_word("imported") && self.peek_after(1) == TokenKind::Identifier;
        if imported {
            self.bump();
        }
        let imported = imported || external;
        self.unsupported_recursion(start)?;
        let name = match self.name_of_node(is_function) {
            Ok(name) => name,
            Err(Skipped) => {
                self.gap(GapKind::Node, start);
                let name = self.missing();
                let goes_on =
                    |p: &Self, n| p.peek_after(n) == TokenKind::LeftParen || p.at_statics(n);
                if !goes_on(self, 0) && goes_on(self, 1) {
                    // A reserved word, or what else stands for the name.
                    self.bump();
                }
                if !goes_on(self, 0) {
                    return Err(Skipped);
                }
                name
            }
        };
        self.node_gaps = Default::default();
        self.lasts.clear();
        let after_name = self.span();
        let mut type_parameters = self.type_parameters()?;
        let statics = self.static_parameters();
        let types = statics.iter().filter(|parameter| parameter.is_type());
        type_parameters.extend(types.map(|parameter| parameter.name().clone()));
        let strange = !matches!(self.peek(), TokenKind::LeftParen | TokenKind::Equal);
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let unread = self.node_gaps.inputs;
        let bare = self.peek() == TokenKind::Equal;
        if !bare && self.header(&mut inputs, &mut outputs).is_err() {
            self.skip_to_body();
            // Perhaps no node was meant, but a type or a constant.
            self.gap(GapKind::Text, start);
        } else if strange {
            // Perhaps there were type parameters.
            self.gap(GapKind::Text, after_name);
        }
        // Static parameters that could not be read may be named like flows.
        self.node_gaps.inputs |= unread;
        let header = start.to(self.last_span());
        let mut items: Vec<Item> = self.said_before.drain(..).map(Item::Contract).collect();
        let external = self.prototype()?;
        let imported = imported || external;
        let (mut locals, mut constants) = (Vec::new(), Vec::new());
        let alias = self.alias(bare, (&inputs, &outputs), &mut items);
        if alias.is_none() {
            let marks = !imported && self.constants_inside();
            self.before_body(&mut locals, &mut constants, &mut items, marks);
        }
        items.append(&mut self.lasts);
        // A function without a body is known by its contract, if it has one.
        let imported = imported || is_function && alias.is_none() && self.at_declaration();
        let body = if imported || alias.is_some() {
            self.no_body()
        } else {
            self.body_after_let(&mut items)
        };
        let span = start.to(self.last_span());
        let gaps = std::mem::take(&mut self.node_gaps);
        self.declarations.push(Declaration::Node(NodeDeclaration {
            name,
            is_function,
            imported,
            type_parameters,
            statics,
            alias,
            inputs,
            outputs,
            locals,
            constants,
            items,
            gaps,
            span,
            header,
            body,
        }));
        Ok(())
    }

    /// `<t; u>` after the name of a node or a contract
    pub(super) fn type_parameters(&mut self) -> Parsed<Vec<Ident>> {
        if self.peek() != TokenKind::Less || self.peek_after(1) != TokenKind::Identifier {
            return Ok(Vec::new());
        }
        self.in_angles(|p| p.ident("of a type"))
    }

    /// `(inputs) returns (outputs);`
    pub(super) fn header(
        &mut self,
        inputs: &mut Vec<Variable>,
        outputs: &mut Vec<Variable>,
    ) -> Parsed<()> {
        // Both are unknown until they were read.
        self.node_gaps.inputs = true;
        self.node_gaps.outputs = true;
        self.node_gaps.inputs = !self.interface(Role::Input, inputs)?;
        // Heptagon has `node f(x: int) = (y: int)` too.
        let equal = self.peek() == TokenKind::Equal && self.peek_after(1) == TokenKind::LeftParen;
        if equal {
            self.bump();
            self.node_gaps.outputs = !self.interface(Role::Output, outputs)?;
            self.terse_header = !self.eat(TokenKind::Semicolon);
            return Ok(());
        }
        if self.expect(TokenKind::Returns, "after the inputs").is_err() {
            let before = self.at;
            self.skip_in_header(&[TokenKind::Returns, TokenKind::LeftParen]);
            // What was skipped may have been inputs.
            self.node_gaps.inputs |= self.at > before;
            if !self.eat(TokenKind::Returns) && self.peek() != TokenKind::LeftParen {
                return Err(Skipped);
            }
        }
        self.node_gaps.outputs = !self.interface(Role::Output, outputs)?;
        self.terse_header = !self.eat(TokenKind::Semicolon);
        Ok(())
    }

    /// Skips to one of some tokens, but not out of the header.
    pub(super) fn skip_in_header(&mut self, wanted: &[TokenKind]) {
        while !wanted.contains(&self.peek()) && !self.ends_header() {
            self.bump();
        }
    }

    pub(super) fn ends_header(&self) -> bool {
        let kind = self.peek();
        matches!(kind, TokenKind::Var | TokenKind::Let | TokenKind::Tel) || self.at_declaration()
    }

    fn skip_to_body(&mut self) {
        while !self.ends_header() {
            self.bump();
        }
    }

    /// Local flows, local constants and contracts, and `marks` if a body follows.
    fn before_body(
        &mut self,
        locals: &mut Vec<Variable>,
        constants: &mut Vec<ConstDeclaration>,
        items: &mut Vec<Item>,
        marks: bool,
    ) {
        loop {
            match self.peek() {
                TokenKind::Var => {
                    self.bump();
                    self.node_gaps.locals |= !self.locals(locals);
                }
                TokenKind::Const if self.constants_inside() => self.local_constants(constants),
                _ if self.at_param() && self.constants_inside() => self.local_constants(constants),
                _ if self.at_contract() => items.push(Item::Contract(self.contract())),
                TokenKind::ContractLine => self.contract_lines(items),
                _ if self.at_control() => self.unsupported_control(),
                // Some programs have their marks before the body.
                TokenKind::Main | TokenKind::Property if marks => {
                    if self.item(items).is_err() {
                        self.skip_to_item();
                    }
                }
                _ => return,
            }
        }
    }

    fn local_constants(&mut self, list: &mut Vec<ConstDeclaration>) {
        if self.constants(list).is_err() {
            self.node_gaps.locals = true;
            self.skip_to_body();
        }
    }

    /// Whether a `const` here belongs to the node: its body is still to come.
    pub(super) fn constants_inside(&self) -> bool {
        let word =
            |at: usize| self.tokens.get(at).map_or("", |token| &self.text[token.span.range()]);
        let kind = |at: usize| self.tokens.get(at).map(|token| token.kind);
        // Heptagon's `fun f(` is a word like others.
        let is_fun = |at: usize| {
            word(at) == "fun"
                && kind(at + 1) == Some(TokenKind::Identifier)
                && matches!(kind(at + 2), Some(TokenKind::LeftParen | TokenKind::Less))
        };
        let begins = |at: &usize| {
            use TokenKind::{Function, Let, Node};
            is_fun(*at) || matches!(self.tokens[*at].kind, Let | Node | Function)
        };
        let first = (self.at..self.tokens.len()).find(begins);
        first.is_some_and(|at| self.tokens[at].kind == TokenKind::Let)
    }

    /// Which of some tokens comes first.
    fn first_ahead(&self, kinds: &[TokenKind]) -> Option<TokenKind> {
        self.tokens[self.at..].iter().map(|token| token.kind).find(|kind| kinds.contains(kind))
    }

    /// The place of the body of a node that has none.
    pub(super) fn no_body(&mut self) -> Span {
        let end = self.last_span();
        Span { start: end.end, ..end }
    }

    /// `let … tel`; returns its place.
    fn body_after_let(&mut self, items: &mut Vec<Item>) -> Span {
        let mut start = self.span();
        if self.at_lone_equation() {
            if self.item(items).is_err() {
                self.skip_to_item();
            }
            return start.to(self.last_span());
        }
        if self.expect(TokenKind::Let, "and the equations of the node").is_err() {
            // What was skipped among the local flows may have been equations.
            self.node_gaps.body |= self.node_gaps.locals;
            let ends = [TokenKind::Let, TokenKind::Tel, TokenKind::Node, TokenKind::Function];
            if self.first_ahead(&ends) == Some(TokenKind::Let) {
                // What stands before it may have declared local flows.
                self.node_gaps.locals = true;
                while !self.eat(TokenKind::Let) {
                    self.bump();
                }
            } else if !self.begins_item() {
                self.node_gaps.body = true;
                while self.peek() != TokenKind::Tel && !self.at_declaration() {
                    self.bump();
                }
            }
            start = self.span();
            if self.at_declaration() {
                self.node_gaps.body = true;
                let end = self.last_span();
                return Span { start: end.end, ..end };
            }
        }
        self.body(items);
        start.to(self.last_span())
    }
}
