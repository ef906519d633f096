//! Declarations and the bodies of nodes.

use crate::ast::{
    ConstDeclaration, Declaration, Equation, Ident, Item, NodeDeclaration, Property, Type,
    TypeDeclaration, TypeKind, Variable,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::parser::{Parsed, Parser};
use crate::source::Span;
use crate::token::TokenKind;

/// What a list of variables declares; for messages.
#[derive(Clone, Copy)]
enum Role {
    Input,
    Output,
    Local,
}

impl Parser<'_> {
    pub(super) fn file(&mut self) {
        while self.peek() != TokenKind::End {
            if self.declaration().is_err() {
                self.skip_to_declaration();
            }
        }
    }

    fn skip_to_declaration(&mut self) {
        loop {
            match self.peek() {
                TokenKind::Node
                | TokenKind::Function
                | TokenKind::Type
                | TokenKind::Const
                | TokenKind::End => return,
                TokenKind::Identifier if self.is_word("include") => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    fn declaration(&mut self) -> Parsed<()> {
        match self.peek() {
            TokenKind::Type => self.type_declarations(),
            TokenKind::Const => self.const_declarations(),
            TokenKind::Node | TokenKind::Function => self.node(),
            TokenKind::Semicolon => {
                self.bump();
                Ok(())
            }
            TokenKind::Identifier if self.is_word("include") => self.include(),
            TokenKind::Main => {
                self.bump();
                self.diagnostics.push(
                    Diagnostic::warning(
                        Code::Unused,
                        self.last_span(),
                        "this main mark is outside of any node and has no effect",
                    )
                    .help("put it between `let` and `tel` of the node to be checked"),
                );
                self.eat(TokenKind::Semicolon);
                Ok(())
            }
            TokenKind::Property | TokenKind::Candidate => {
                let what = match self.bump().kind {
                    TokenKind::Property => "property",
                    _ => "candidate",
                };
                self.diagnostics.push(
                    Diagnostic::error(
                        Code::Syntax,
                        self.last_span(),
                        format!("this {what} is outside of any node"),
                    )
                    .help("put it between `let` and `tel` of the node whose flows it names"),
                );
                Err(super::Skipped)
            }
            _ if self.unsupported_declaration() => Ok(()),
            _ => self.fail("a declaration: `node`, `function`, `const`, `type` or `include`", None),
        }
    }

    fn include(&mut self) -> Parsed<()> {
        self.bump();
        let text = self.expect(TokenKind::String, "after `include`")?;
        self.eat(TokenKind::Semicolon);
        let quoted = self.ident_of(text);
        let name = self.intern(quoted.name.trim_matches('"'));
        self.includes.push(Ident { name, span: quoted.span });
        Ok(())
    }

    fn type_declarations(&mut self) -> Parsed<()> {
        self.bump();
        loop {
            let mut names = vec![self.ident("of a type")?];
            while self.eat(TokenKind::Comma) {
                names.push(self.ident("of a type")?);
            }
            if self.peek() == TokenKind::Semicolon {
                let what = "types without a definition";
                self.diagnostics.push(Diagnostic::unsupported(names[0].span, what));
                self.bump();
            } else {
                self.expect(TokenKind::Equal, "and the definition of the type")?;
                let definition = self.ty()?;
                self.expect(TokenKind::Semicolon, "after the type")?;
                for name in names {
                    let definition = definition.clone();
                    let declaration = TypeDeclaration { name, definition };
                    self.program.declarations.push(Declaration::Type(declaration));
                }
            }
            // `type a = int; b = real;` is one declaration of two types.
            if self.peek() != TokenKind::Identifier || self.is_word("include") {
                return Ok(());
            }
        }
    }

    fn const_declarations(&mut self) -> Parsed<()> {
        self.bump();
        loop {
            let mut names = vec![self.ident("of a constant")?];
            while self.eat(TokenKind::Comma) {
                names.push(self.ident("of a constant")?);
            }
            let ty = if self.eat(TokenKind::Colon) { Some(self.ty()?) } else { None };
            if self.eat(TokenKind::Equal) {
                if names.len() > 1 {
                    self.diagnostics.push(Diagnostic::error(
                        Code::Syntax,
                        names[1].span,
                        "each constant needs a definition of its own",
                    ));
                }
                let value = self.expr()?;
                let name = names.swap_remove(0);
                let declaration = ConstDeclaration { name, ty, value };
                self.program.declarations.push(Declaration::Const(declaration));
            } else if ty.is_some() && self.peek() == TokenKind::Semicolon {
                self.diagnostics.push(
                    Diagnostic::unsupported(names[0].span, "constants without a value")
                        .help("give it a value, or make it an input of the node"),
                );
            } else {
                return self.fail("`=` and the value of the constant", None);
            }
            self.expect(TokenKind::Semicolon, "after the constant")?;
            if self.peek() != TokenKind::Identifier || self.is_word("include") {
                return Ok(());
            }
        }
    }

    fn ty(&mut self) -> Parsed<Type> {
        let start = self.span();
        let kind = match self.peek() {
            TokenKind::Bool => self.simple_type(TypeKind::Bool),
            TokenKind::Int => self.simple_type(TypeKind::Int),
            TokenKind::Real => self.simple_type(TypeKind::Real),
            TokenKind::Identifier if self.is_word("subrange") => {
                self.bump();
                self.expect(TokenKind::LeftBracket, "after `subrange`")?;
                let low = self.expr()?;
                self.expect(TokenKind::Comma, "between the bounds of the subrange")?;
                let high = self.expr()?;
                self.expect(TokenKind::RightBracket, "after the bounds of the subrange")?;
                if !self.is_word("of") {
                    return self.fail("`of int` after the bounds of the subrange", None);
                }
                self.bump();
                self.expect(TokenKind::Int, "after `of`")?;
                TypeKind::Subrange(low, high)
            }
            TokenKind::Identifier if self.is_word("enum") => {
                self.bump();
                self.expect(TokenKind::LeftBrace, "after `enum`")?;
                let mut values = vec![self.ident("of an enumeration value")?];
                while self.eat(TokenKind::Comma) {
                    values.push(self.ident("of an enumeration value")?);
                }
                self.expect(TokenKind::RightBrace, "after the values of the enumeration")?;
                TypeKind::Enum(values)
            }
            _ if self.unsupported_type() => TypeKind::Error,
            TokenKind::Identifier => {
                let token = self.bump();
                TypeKind::Named(self.ident_of(token).name)
            }
            _ => return self.fail("a type", None),
        };
        let mut ty = Type { kind, span: start.to(self.last_span()) };
        while self.unsupported_type_suffix(ty.span)? {
            ty = Type { kind: TypeKind::Error, span: start.to(self.last_span()) };
        }
        Ok(ty)
    }

    fn simple_type(&mut self, kind: TypeKind) -> TypeKind {
        self.bump();
        kind
    }

    fn node(&mut self) -> Parsed<()> {
        let is_function = self.bump().kind == TokenKind::Function;
        if self.is_word("imported") && self.peek_after(1) == TokenKind::Identifier {
            return self.unsupported_imported();
        }
        let name = self.ident(if is_function { "of a function" } else { "of a node" })?;
        self.unsupported_parameters();
        let inputs = self.interface(Role::Input)?;
        self.expect(TokenKind::Returns, "after the inputs")?;
        let outputs = self.interface(Role::Output)?;
        self.eat(TokenKind::Semicolon);
        let mut items = Vec::new();
        self.contracts(&mut items)?;
        let mut locals = Vec::new();
        loop {
            match self.peek() {
                TokenKind::Var => {
                    self.bump();
                    self.variables(Role::Local, &mut locals)?;
                }
                TokenKind::Const => {
                    let span = self.span();
                    self.diagnostics.push(
                        Diagnostic::unsupported(span, "constants inside a node")
                            .help("declare the constant before the node"),
                    );
                    while !matches!(self.peek(), TokenKind::Var | TokenKind::Let | TokenKind::End) {
                        self.bump();
                    }
                }
                TokenKind::Contract | TokenKind::Guarantees => self.contracts(&mut items)?,
                _ => break,
            }
        }
        self.expect(TokenKind::Let, "and the equations of the node")?;
        self.body(&mut items);
        let node = NodeDeclaration { name, is_function, inputs, outputs, locals, items };
        self.program.declarations.push(Declaration::Node(node));
        Ok(())
    }

    /// Contracts; those that only have guarantees state properties.
    fn contracts(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        loop {
            match self.peek() {
                TokenKind::Contract => {
                    let span = self.bump().span;
                    let help = "write assumptions as `assert e;` and guarantees as `check e;`, \
                                or leave all but guarantees out";
                    let what = "contracts other than `(*@contract guarantee e; … *)`";
                    let unsupported = Diagnostic::unsupported(span, what);
                    self.diagnostics.push(unsupported.help(help));
                }
                TokenKind::Guarantees => {
                    self.bump();
                    while self.is_word("guarantee") {
                        let start = self.bump().span;
                        self.property(items, start, false)?;
                    }
                    self.expect(TokenKind::Star, "and `)` after the guarantees")?;
                    self.expect(TokenKind::RightParen, "after the guarantees")?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// `(a, b: int; c: bool)`
    fn interface(&mut self, role: Role) -> Parsed<Vec<Variable>> {
        let what = match role {
            Role::Input => "and the inputs",
            _ => "and the outputs",
        };
        self.expect(TokenKind::LeftParen, what)?;
        let mut list = Vec::new();
        if self.peek() != TokenKind::RightParen {
            self.variables(role, &mut list)?;
        }
        self.expect(TokenKind::RightParen, "after the declarations")?;
        Ok(list)
    }

    /// `a, b: int; c: bool`; for locals each group ends with a `;`.
    fn variables(&mut self, role: Role, list: &mut Vec<Variable>) -> Parsed<()> {
        loop {
            if self.peek() == TokenKind::Const {
                let span = self.bump().span;
                self.diagnostics.push(Diagnostic::unsupported(span, "constant inputs"));
            }
            let context = match role {
                Role::Input => "of an input",
                Role::Output => "of an output",
                Role::Local => "of a local flow",
            };
            let mut names = vec![self.ident(context)?];
            while self.eat(TokenKind::Comma) {
                names.push(self.ident(context)?);
            }
            self.expect(TokenKind::Colon, "and the type")?;
            let ty = self.ty()?;
            self.unsupported_clock()?;
            list.extend(names.into_iter().map(|name| Variable { name, ty: ty.clone() }));
            if let Role::Local = role {
                self.expect(TokenKind::Semicolon, "after the declaration")?;
                if self.peek() != TokenKind::Identifier {
                    return Ok(());
                }
            } else if !self.eat(TokenKind::Semicolon) || self.peek() == TokenKind::RightParen {
                return Ok(());
            }
        }
    }

    /// All up to and including `tel`.
    fn body(&mut self, items: &mut Vec<Item>) {
        loop {
            match self.peek() {
                TokenKind::Tel => {
                    self.bump();
                    // `tel;` and `tel.` are old forms of `tel`.
                    if !self.eat(TokenKind::Semicolon) {
                        self.eat(TokenKind::Dot);
                    }
                    return;
                }
                TokenKind::End | TokenKind::Node | TokenKind::Function => {
                    let _: Parsed<()> = self.fail("`tel` at the end of the node", None);
                    return;
                }
                _ => {
                    if self.item(items).is_err() {
                        self.skip_to_item();
                    }
                }
            }
        }
    }

    fn skip_to_item(&mut self) {
        loop {
            match self.peek() {
                TokenKind::Semicolon => {
                    self.bump();
                    return;
                }
                TokenKind::Tel | TokenKind::End | TokenKind::Node | TokenKind::Function => return,
                TokenKind::Property
                | TokenKind::Candidate
                | TokenKind::Main
                | TokenKind::Assert => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.span();
        match self.peek() {
            TokenKind::Semicolon => {
                self.bump();
            }
            TokenKind::Assert => {
                self.bump();
                let expr = self.expr()?;
                items.push(Item::Assert(expr, start.to(self.last_span())));
                self.expect(TokenKind::Semicolon, "after the assertion")?;
            }
            TokenKind::Main => {
                self.bump();
                items.push(Item::Main(start));
                // Old forms: `--!MAIN : true;`
                if self.eat(TokenKind::Colon) {
                    self.eat(TokenKind::True);
                }
                self.eat(TokenKind::Semicolon);
            }
            TokenKind::Property => {
                self.bump();
                self.eat(TokenKind::Colon);
                self.property(items, start, true)?;
            }
            TokenKind::Candidate => {
                self.bump();
                self.eat(TokenKind::Colon);
                let expr = self.expr()?;
                items.push(Item::Candidate(expr));
                self.expect(TokenKind::Semicolon, "after the candidate")?;
            }
            TokenKind::Contract | TokenKind::Guarantees => self.contracts(items)?,
            TokenKind::Identifier if self.is_word("check") && self.starts_check() => {
                self.bump();
                self.property(items, start, false)?;
            }
            _ if self.unsupported_item()? => {}
            TokenKind::Identifier | TokenKind::LeftParen => {
                let left = self.left_hand_side()?;
                self.expect(TokenKind::Equal, "after the left-hand side of the equation")?;
                let right = self.expr()?;
                let span = start.to(self.last_span());
                items.push(Item::Equation(Equation { left, right, span }));
                self.expect(TokenKind::Semicolon, "after the equation")?;
            }
            _ => {
                return self.fail("an equation, `assert`, `check`, `--%PROPERTY` or `tel`", None);
            }
        }
        Ok(())
    }

    /// `check` is reserved only where it begins a property: a flow may have this name.
    fn starts_check(&self) -> bool {
        !matches!(self.peek_after(1), TokenKind::Equal | TokenKind::Comma)
    }

    fn property(&mut self, items: &mut Vec<Item>, start: Span, annotation: bool) -> Parsed<()> {
        if self.unsupported_property() {
            return Err(super::Skipped);
        }
        let name = if self.peek() == TokenKind::String {
            let token = self.bump();
            let quoted = self.ident_of(token);
            // A name that nobody can see is none.
            let name = quoted.name.trim_matches('"');
            (!name.trim().is_empty()).then(|| self.intern(name))
        } else {
            None
        };
        let expr = self.expr()?;
        let span = start.to(self.last_span());
        items.push(Item::Property(Property { name, expr, annotation, span }));
        self.expect(TokenKind::Semicolon, "after the property")?;
        Ok(())
    }

    /// `a`, `a, b`, `(a, b)` or `()`
    fn left_hand_side(&mut self) -> Parsed<Vec<Ident>> {
        let parenthesis = self.eat(TokenKind::LeftParen);
        let mut names = Vec::new();
        if !(parenthesis && self.peek() == TokenKind::RightParen) {
            names.push(self.ident("of a flow")?);
            self.unsupported_indexed_definition()?;
            while self.eat(TokenKind::Comma) {
                names.push(self.ident("of a flow")?);
                self.unsupported_indexed_definition()?;
            }
        }
        if parenthesis {
            self.expect(TokenKind::RightParen, "after the flows of the equation")?;
        }
        Ok(names)
    }
}
