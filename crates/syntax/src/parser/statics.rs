//! What is called, with what stands between its name and its arguments: types,
//! `f@<int>(x)`, and static arguments, `f<<3, int, +>>(x)`; what nodes declare of these, and
//! other names for them, `node g = f<<3>>;`.

use crate::ast::{
    DEEPEST, Equation, ExprId, ExprKind, Ident, Item, Operator, StaticArgument, StaticNode,
    StaticParameter, Type, Variable,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::parser::expressions::{Chosen, Frame, Group, State};
use crate::parser::variables::Role;
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

    /// A name, or a call, or the word `with`.
    pub(super) fn named(&mut self, stack: &mut Vec<Frame>) -> Parsed<State> {
        let with = self.at_with(0);
        let token = self.bump();
        if with {
            stack.push(Frame::If(token.span, Chosen::With));
            return Ok(State::Operand);
        }
        let name = self.ident_of(token);
        if self.peek() == TokenKind::Question {
            return self.tester(stack, name, token.span);
        }
        let mut callee = self.callee(name)?;
        self.iterated(&mut callee)?;
        if self.eat(TokenKind::LeftParen) {
            return Ok(self.open(stack, Group::Call(Box::new(callee)), token.span));
        }
        if !callee.statics.is_empty() {
            return self.fail("`(` and the arguments after `>>`", None);
        }
        let name = self.push(ExprKind::Name(callee.name.name), token.span);
        self.exprs.instantiate(name, callee.types);
        Ok(State::Operator(name))
    }

    /// What an iterator as Heptagon writes it iterates, which stands behind the size:
    /// `map<<n>> f (a)` is `map<<n, node f>>(a)`.
    fn iterated(&mut self, callee: &mut Callee) -> Parsed<()> {
        let size =
            matches!(callee.statics[..], [StaticArgument::Name(..)] | [StaticArgument::Const(_)]);
        let words = ["map", "mapi", "fold", "foldi", "mapfold"];
        // A node may have such a name; what follows is its arguments then.
        let symbol = self.peek() == TokenKind::LeftParen
            && self.peek_after(1).is_symbol()
            && self.peek_after(2) == TokenKind::RightParen;
        let apart = symbol || self.peek() == TokenKind::Identifier;
        if !(size && apart && words.contains(&&*callee.name.name)) {
            return Ok(());
        }
        if symbol {
            self.bump();
        }
        let of = self.operator()?;
        if symbol {
            self.bump();
        }
        if self.peek() == TokenKind::Less {
            let what = "arguments of an iterator that are the same for all elements, `<(c)>`,";
            let help = "give it an array of them: `c^n`";
            let span = self.span();
            self.diagnostics.push(Diagnostic::unsupported(span, what).help(help));
            return Err(Skipped);
        }
        callee.statics.push(StaticArgument::Operator(of));
        Ok(())
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
        use TokenKind::{Comma, Greater, RightParen, Semicolon};
        matches!(kind, Comma | Semicolon | Greater | RightParen)
    }

    pub(super) fn static_argument(&mut self) -> Parsed<StaticArgument> {
        // At the beginning of a line it is rather a declaration that begins.
        let word = !self.begins_line();
        match self.peek() {
            TokenKind::Const if word => {
                self.bump();
                Ok(StaticArgument::Const(self.size()?))
            }
            TokenKind::Type if word => {
                self.bump();
                Ok(StaticArgument::Type(self.ty()?))
            }
            TokenKind::Node | TokenKind::Function if word => {
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

    /// `<<const n: int; type t; node g(x: t) returns (y: t)>>` after the name of a node
    pub(super) fn static_parameters(&mut self) -> Vec<StaticParameter> {
        use TokenKind::{Const, Function, Less, Node, Type};
        let start = self.span();
        let mut list = Vec::new();
        // One `<` may be missing.
        let begins = matches!(self.peek_after(1), Less | Const | Type | Node | Function);
        if self.peek() == Less && begins && self.parameter_list(&mut list).is_err() {
            self.skip_parameters(start);
        }
        list
    }

    fn parameter_list(&mut self, list: &mut Vec<StaticParameter>) -> Parsed<()> {
        for _ in 0..2 {
            self.expect(TokenKind::Less, "before the static parameters, which `<<` begins")?;
        }
        loop {
            self.static_parameter(list)?;
            if !self.eat(TokenKind::Semicolon) && !self.eat(TokenKind::Comma) {
                break;
            }
        }
        for _ in 0..2 {
            self.expect(TokenKind::Greater, "after the static parameters, which `>>` ends")?;
        }
        Ok(())
    }

    pub(super) fn static_parameter(&mut self, list: &mut Vec<StaticParameter>) -> Parsed<()> {
        match self.peek() {
            TokenKind::Type => {
                self.bump();
                let names = self.static_names("of a type")?;
                list.extend(names.into_iter().map(StaticParameter::Type));
            }
            TokenKind::Node | TokenKind::Function => {
                let is_function = self.bump().kind == TokenKind::Function;
                let name = self.ident("of a node")?;
                let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
                let mut whole = self.interface(Role::Input, &mut inputs)?;
                self.expect(TokenKind::Returns, "after the inputs")?;
                whole &= self.interface(Role::Output, &mut outputs)?;
                if !whole {
                    return Err(Skipped);
                }
                let node = StaticNode { name, is_function, inputs, outputs };
                list.push(StaticParameter::Node(node));
            }
            _ => {
                // Heptagon writes `<<n: int>>`.
                self.eat(TokenKind::Const);
                let names = self.static_names("of a constant")?;
                self.expect(TokenKind::Colon, "and the type of the constant")?;
                let ty = self.ty()?;
                let constant = |name| {
                    let (ty, constant, clock) = (ty.clone(), true, None);
                    StaticParameter::Const(Variable { name, ty, constant, clock })
                };
                list.extend(names.into_iter().map(constant));
            }
        }
        Ok(())
    }

    /// `a, b`; behind the last one no other declaration begins.
    fn static_names(&mut self, context: &str) -> Parsed<Vec<Ident>> {
        let mut names = vec![self.ident(context)?];
        while self.peek() == TokenKind::Comma && self.peek_after(1) == TokenKind::Identifier {
            self.bump();
            names.push(self.ident(context)?);
        }
        Ok(names)
    }

    /// Whether the word `with` begins a choice some tokens on; a flow of that name is
    /// followed by an operator.
    pub(super) fn at_with(&self, offset: usize) -> bool {
        use TokenKind::{False, Identifier, Integer, LeftParen, Not, True};
        let follows = self.peek_after(offset + 1);
        self.word_after(offset) == "with"
            && matches!(follows, False | Identifier | Integer | LeftParen | Not | True)
    }

    /// Whether `node g = f<<` stands here.
    pub(super) fn at_alias(&self) -> bool {
        self.peek_after(2) == TokenKind::Equal
            && self.peek_after(3) == TokenKind::Identifier
            && self.at_statics(4)
    }

    /// `= f<<3>>;`, after the name of a node or after its inputs and outputs. With these it
    /// is an equation.
    pub(super) fn alias(
        &mut self,
        bare: bool,
        (inputs, outputs): (&[Variable], &[Variable]),
        items: &mut Vec<Item>,
    ) -> Option<Operator> {
        let start = self.span();
        if !self.eat(TokenKind::Equal) {
            return None;
        }
        let Ok(operator) = self.operator() else {
            self.node_gaps.inputs = true;
            self.node_gaps.outputs = true;
            self.node_gaps.body = true;
            while self.peek() != TokenKind::Semicolon && !self.at_declaration() {
                self.bump();
            }
            self.eat(TokenKind::Semicolon);
            let (name, arguments) = (self.missing(), Vec::new());
            return Some(Operator { name, arguments, span: start });
        };
        let span = start.to(self.last_span());
        let _ = self.expect(TokenKind::Semicolon, "after the node");
        if !bare {
            let args = inputs.iter().map(|input| {
                let Ident { name, span } = input.name.clone();
                self.exprs.push(ExprKind::Name(name), span)
            });
            let args: Vec<ExprId> = args.collect();
            let Operator { name, arguments, .. } = operator.clone();
            let callee = Callee { name, types: Vec::new(), statics: arguments };
            let right = self.call(callee, args, span);
            let left = outputs.iter().map(|output| output.name.clone()).collect();
            items.push(Item::Equation(Equation { left, indices: Vec::new(), right, span }));
        }
        Some(operator)
    }
}
