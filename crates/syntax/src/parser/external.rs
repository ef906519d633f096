//! What Vélus, Heptagon and Lustre V6 write otherwise: `external f(int) returns bool` and
//! `extern function f(x: int) returns (y: bool);`, which are functions without a body, `fun` for
//! `function`, `open` and `at`, which change nothing here, and contracts with what a
//! controller may choose, which are not supported.

use crate::ast::{Declaration, Ident, NodeDeclaration, Variable};
use crate::dialect::Dialect;
use crate::parser::{Parsed, Parser};
use crate::token::TokenKind;

impl Parser<'_> {
    /// Whether `external f(` stands here.
    pub(super) fn at_external(&self) -> bool {
        self.is_word("external")
            && self.peek_after(1) == TokenKind::Identifier
            && self.peek_after(2) == TokenKind::LeftParen
    }

    /// Whether `fun f(` stands here.
    pub(super) fn at_fun(&self) -> bool {
        self.is_word("fun")
            && self.begins_line()
            && self.peek_after(1) == TokenKind::Identifier
            && matches!(self.peek_after(2), TokenKind::LeftParen | TokenKind::Less)
    }

    pub(super) fn in_heptagon(&self) -> bool {
        self.exprs.reading().dialect == Dialect::Heptagon
    }

    /// Whether Heptagon's `open Module` stands here.
    pub(super) fn at_open(&self) -> bool {
        self.in_heptagon()
            && self.is_word("open")
            && self.peek_after(1) == TokenKind::Identifier
            && self.begins_line()
    }

    /// `open Module`. What is in it has to be declared, or it is not known.
    pub(super) fn open_module(&mut self) -> Parsed<()> {
        self.bump();
        self.bump();
        self.eat(TokenKind::Semicolon);
        Ok(())
    }

    /// `at r` behind a type in Heptagon: where a compiler is to put the flow.
    pub(super) fn skip_location(&mut self) {
        if self.in_heptagon() && self.is_word("at") && self.peek_after(1) == TokenKind::Identifier {
            self.bump();
            self.bump();
        }
    }

    /// How many of V6's words `extern` and `unsafe` stand here before a node.
    fn marks(&self) -> usize {
        let marks = (0..2).take_while(|n| matches!(self.word_after(*n), "extern" | "unsafe"));
        let count = marks.count();
        let node = matches!(self.peek_after(count), TokenKind::Node | TokenKind::Function);
        if node { count } else { 0 }
    }

    pub(super) fn at_marked_node(&self) -> bool {
        self.marks() > 0
    }

    /// `unsafe node f(…)` may have effects, which are not seen here; `extern` ones have no body. What
    /// is both need not be a function of its inputs, whatever it is called.
    pub(super) fn marked_node(&mut self) -> Parsed<()> {
        let mut words = Vec::new();
        for _ in 0..self.marks() {
            words.push(self.word().to_string());
            self.bump();
        }
        let marked = |word: &str| words.iter().any(|w| w == word);
        let before = self.declarations.len();
        let read = self.node_or_function(marked("extern"));
        if let Some(Declaration::Node(node)) = self.declarations.get_mut(before)
            && marked("unsafe")
            && node.imported
        {
            node.is_function = false;
        }
        read
    }

    /// lustrec's `prototype C lib m`, behind inputs and outputs: the body is in another language.
    pub(super) fn prototype(&mut self) -> Parsed<bool> {
        let found = self.is_word("prototype") && self.peek_after(1) == TokenKind::Identifier;
        if found {
            self.bump();
            self.bump();
            if self.is_word("lib") {
                self.bump();
                self.ident("of a library")?;
            }
            self.eat(TokenKind::Semicolon);
        }
        Ok(found)
    }

    /// `external f(int, bool) returns int`
    pub(super) fn external(&mut self) -> Parsed<()> {
        let start = self.bump().span;
        let name = self.ident("of a function")?;
        self.node_gaps = Default::default();
        self.expect(TokenKind::LeftParen, "after the name of the function")?;
        let mut inputs = Vec::new();
        if !self.eat(TokenKind::RightParen) {
            loop {
                let number = inputs.len() + 1;
                inputs.push(self.without_name(&format!("x{number}"))?);
                if !self.eat(TokenKind::Comma) && !self.eat(TokenKind::Semicolon) {
                    break;
                }
            }
            self.expect(TokenKind::RightParen, "after the types of the inputs")?;
        }
        self.expect(TokenKind::Returns, "after the inputs")?;
        let output = self.without_name("y")?;
        self.eat(TokenKind::Semicolon);
        let span = start.to(self.last_span());
        let body = self.no_body();
        self.declarations.push(Declaration::Node(NodeDeclaration {
            name,
            is_function: true,
            imported: true,
            type_parameters: Vec::new(),
            statics: Vec::new(),
            alias: None,
            inputs,
            outputs: vec![output],
            locals: Vec::new(),
            constants: Vec::new(),
            items: Vec::new(),
            gaps: Default::default(),
            span,
            header: span,
            body,
        }));
        Ok(())
    }

    /// A flow of which only the type is written.
    fn without_name(&mut self, name: &str) -> Parsed<Variable> {
        let ty = self.ty()?;
        let name = Ident { name: self.intern(name), span: ty.span };
        Ok(Variable { name, ty, constant: false, clock: None })
    }

    /// Whether a contract as Heptagon has them stands here.
    pub(super) fn at_control(&self) -> bool {
        let follows = self.peek_after(1);
        self.is_word("contract")
            && (matches!(follows, TokenKind::Var | TokenKind::Let)
                || matches!(self.word_after(1), "assume" | "enforce"))
    }

    /// `contract var … let … tel assume e enforce e with (c: bool)`
    pub(super) fn unsupported_control(&mut self) {
        let span = self.bump().span;
        let help = "write `assume` and `guarantee` in `(*@contract … *)`: of a node without a body, \
                    `realize` says whether there is a controller";
        let what = "contracts of Heptagon, which ask for a controller,";
        self.unsupported_but(span, what, help);
        let body = |p: &Self| matches!(p.peek(), TokenKind::Let | TokenKind::Var | TokenKind::End);
        if body(self) {
            while !matches!(self.peek(), TokenKind::Tel | TokenKind::End) {
                self.bump();
            }
            self.eat(TokenKind::Tel);
        }
        // What a controller may choose are flows of the node.
        self.node_gaps.locals = true;
        while !body(self) {
            self.bump();
        }
    }
}
