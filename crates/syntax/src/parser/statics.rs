//! What is called, with what stands between its name and its arguments: types,
//! `f@<int>(x)`, and static arguments, `f<<3, int, +>>(x)`.

use crate::ast::{DEEPEST, ExprId, ExprKind, Ident, Operator, StaticArgument, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::parser::expressions::{Frame, Group, State};
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;
use crate::token::TokenKind;

/// What is called.
pub(super) struct Callee {
    pub name: Ident,
    /// The types that the call names.
    pub types: Vec<Type>,
    pub statics: Vec<StaticArgument>,
}

impl Parser<'_> {
    /// What stands behind the name of something that is called, before its arguments.
    pub(super) fn callee(&mut self, name: Ident) -> Parsed<Callee> {
        let types = self.type_arguments()?;
        let statics = self.static_arguments()?;
        Ok(Callee { name, types, statics })
    }

    /// A name, or a call.
    pub(super) fn named(&mut self, stack: &mut Vec<Frame>) -> Parsed<State> {
        let token = self.bump();
        let name = self.ident_of(token);
        let callee = self.callee(name)?;
        if self.eat(TokenKind::LeftParen) {
            return Ok(self.open(stack, Group::Call(Box::new(callee)), token.span));
        }
        if !callee.statics.is_empty() {
            return self.fail("`(` and the arguments after `>>`", None);
        }
        let name = self.push(ExprKind::Name(callee.name.name), token.span);
        Ok(State::Operator(name))
    }

    /// A call with its arguments.
    pub(super) fn call(&mut self, callee: Callee, args: Vec<ExprId>, span: Span) -> ExprId {
        let call = self.push(ExprKind::Call(callee.name, args), span);
        self.exprs.instantiate(call, callee.types);
        self.exprs.give(call, callee.statics);
        call
    }

    /// Whether `<<` stands some tokens on.
    pub(super) fn at_statics(&self, offset: usize) -> bool {
        self.peek_after(offset) == TokenKind::Less && self.peek_after(offset + 1) == TokenKind::Less
    }

    /// `<<3, int, +>>`, if it stands here
    fn static_arguments(&mut self) -> Parsed<Vec<StaticArgument>> {
        if !self.at_statics(0) {
            return Ok(Vec::new());
        }
        // They may stand in each other, and in types, which have expressions in them.
        if self.types_around > DEEPEST {
            let message = format!("static arguments are nested at most {DEEPEST} deep");
            self.complain(Diagnostic::error(Code::Syntax, self.span(), message));
            return Err(Skipped);
        }
        self.types_around += 1;
        let before = self.exprs.len();
        let parsed = self.static_list();
        self.exprs.belong_to_type(before);
        self.types_around -= 1;
        parsed
    }

    fn static_list(&mut self) -> Parsed<Vec<StaticArgument>> {
        self.bump();
        self.bump();
        let mut list = Vec::new();
        loop {
            list.push(self.static_argument()?);
            if !self.eat(TokenKind::Comma) && !self.eat(TokenKind::Semicolon) {
                break;
            }
        }
        for _ in 0..2 {
            self.expect(TokenKind::Greater, "after the static arguments, which `>>` ends")?;
        }
        Ok(list)
    }

    /// Whether a static argument ends some tokens on.
    fn static_ends(&self, offset: usize) -> bool {
        let kind = self.peek_after(offset);
        matches!(kind, TokenKind::Comma | TokenKind::Semicolon | TokenKind::Greater)
    }

    fn static_argument(&mut self) -> Parsed<StaticArgument> {
        match self.peek() {
            TokenKind::Const => {
                self.bump();
                Ok(StaticArgument::Const(self.size()?))
            }
            TokenKind::Type => {
                self.bump();
                Ok(StaticArgument::Type(self.ty()?))
            }
            TokenKind::Node | TokenKind::Function => {
                self.bump();
                Ok(StaticArgument::Operator(self.operator()?))
            }
            TokenKind::Bool | TokenKind::Int | TokenKind::Real
                if self.static_ends(1) || self.peek_after(1) == TokenKind::Caret =>
            {
                Ok(StaticArgument::Type(self.ty()?))
            }
            TokenKind::Identifier if self.static_ends(1) => {
                let name = self.ident("of a static argument")?;
                let expr = self.push(ExprKind::Name(name.name.clone()), name.span);
                Ok(StaticArgument::Name(name, expr))
            }
            TokenKind::Identifier
                if self.at_statics(1) || self.peek_after(1) == TokenKind::DoubleColon =>
            {
                Ok(StaticArgument::Operator(self.operator()?))
            }
            _ if self.at_symbol() => Ok(StaticArgument::Operator(self.operator()?)),
            _ => self.size().map(StaticArgument::Const),
        }
    }

    /// Whether an operator stands here without operands.
    fn at_symbol(&self) -> bool {
        // No expression begins with a comparison.
        self.peek().is_symbol()
            && (self.static_ends(1) || matches!(self.peek(), TokenKind::Less | TokenKind::Greater))
    }

    /// `f`, `Lustre::plus`, `+` or `f<<3>>`
    pub(super) fn operator(&mut self) -> Parsed<Operator> {
        let start = self.span();
        if self.peek().is_symbol() {
            let token = self.bump();
            let name = self.ident_of(token);
            return Ok(Operator { name, arguments: Vec::new(), span: start });
        }
        let mut name = self.ident("of a node")?;
        if self.eat(TokenKind::DoubleColon) {
            // The names of operators are words that are reserved elsewhere.
            let word = self.word().to_string();
            let token = self.bump();
            let whole = format!("{}::{word}", name.name);
            name = Ident { name: self.intern(&whole), span: start.to(token.span) };
        }
        let arguments = self.static_arguments()?;
        Ok(Operator { name, arguments, span: start.to(self.last_span()) })
    }
}
