//! Declarations at the top of a file: includes, types and constants.

use crate::ast::{
    ConstDeclaration, Declaration, ExprId, ExprKind, GapKind, Ident, Include, Type,
    TypeDeclaration, TypeKind,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::Dialect;
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn file(&mut self) {
        while self.peek() != TokenKind::End {
            self.declaration_or_package();
        }
        self.finish_packages();
    }

    pub(super) fn skip_to_declaration(&mut self) {
        while !self.at_declaration() {
            self.bump();
        }
    }

    pub(super) fn declaration(&mut self) -> Parsed<()> {
        match self.peek() {
            TokenKind::Type => self.type_declarations(),
            TokenKind::Const => self.const_declarations(),
            TokenKind::Identifier if self.at_param() => self.const_declarations(),
            TokenKind::Node | TokenKind::Function => self.node(),
            // Callers see its body, as they do without the word.
            TokenKind::Identifier if self.at_annotated_node("transparent") => {
                self.bump();
                self.node()
            }
            TokenKind::Semicolon | TokenKind::Close => {
                self.bump();
                Ok(())
            }
            TokenKind::Identifier if self.at_data_type() => self.data_type(),
            TokenKind::Identifier if self.at_external() => self.external(),
            TokenKind::Identifier if self.at_fun() => self.node(),
            TokenKind::Identifier if self.at_open() => self.open_module(),
            TokenKind::Identifier if self.at_open_package() => {
                self.open_package();
                Ok(())
            }
            TokenKind::Identifier if self.at_marked_node() => self.marked_node(),
            TokenKind::Hash => self.open_library(),
            TokenKind::Identifier if self.is_word("include") => self.include(),
            TokenKind::Main => {
                self.main_of_nobody();
                Ok(())
            }
            TokenKind::Property | TokenKind::Candidate | TokenKind::Realizable => {
                self.stated_of_nobody()
            }
            _ if self.at_contract_node() => self.contract_node(),
            TokenKind::Contract | TokenKind::ContractLine => {
                self.contract_before_node();
                Ok(())
            }
            _ if self.unsupported_declaration() => Ok(()),
            _ => {
                self.previous_may_go_on();
                self.fail("a declaration: `node`, `function`, `const`, `type` or `include`", None)
            }
        }
    }

    /// What follows is perhaps the body of the node before, whose `tel` came too
    /// early.
    fn previous_may_go_on(&mut self) {
        if let Some(Declaration::Node(node)) = self.declarations.last_mut() {
            node.gaps.body = true;
        }
    }

    fn main_of_nobody(&mut self) {
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
    }

    fn stated_of_nobody(&mut self) -> Parsed<()> {
        let what = match self.bump().kind {
            TokenKind::Property => "property",
            TokenKind::Realizable => "question",
            _ => "candidate",
        };
        let message = format!("this {what} is outside of any node");
        self.diagnostics.push(
            Diagnostic::error(Code::Syntax, self.last_span(), message)
                .help("put it between `let` and `tel` of the node whose flows it names"),
        );
        self.previous_may_go_on();
        Err(Skipped)
    }

    fn include(&mut self) -> Parsed<()> {
        self.bump();
        let text = self.expect(TokenKind::String, "after `include`")?;
        self.eat(TokenKind::Semicolon);
        let quoted = self.ident_of(text);
        let name = self.intern(quoted.name.trim_matches('"'));
        self.includes.push(Include { path: Ident { name, span: quoted.span } });
        Ok(())
    }

    /// `#open <conv>` and `#open "library"` of lustrec. What the libraries declare
    /// is known without them, see `sema`.
    fn open_library(&mut self) -> Parsed<()> {
        self.bump();
        if !self.is_word("open") {
            return self.fail("`open` and the name of a library after `#`", None);
        }
        self.bump();
        if self.peek() == TokenKind::String {
            self.bump();
        } else {
            self.expect(TokenKind::Less, "and the name of a library")?;
            self.ident("of a library")?;
            self.expect(TokenKind::Greater, "after the name of the library")?;
        }
        self.eat(TokenKind::Semicolon);
        Ok(())
    }

    fn type_declarations(&mut self) -> Parsed<()> {
        let mut start = self.bump().span;
        loop {
            let names = self.declared_names("of a type", GapKind::Type)?;
            let parameters = if self.peek() == TokenKind::Less {
                self.in_angles(|p| p.ident("of a type"))?
            } else {
                Vec::new()
            };
            let definition = self.type_definition(&names);
            let whole = definition.is_ok();
            let definition = definition.unwrap_or_else(|Skipped| self.type_that_is_missing());
            // In Heptagon and Vélus nothing ends a declaration.
            let bare = matches!(definition.kind, TypeKind::Enum(_) | TypeKind::Abstract)
                && (self.at_declaration() || self.peek() == TokenKind::Const);
            let ended = whole && (bare || self.end_of_declaration("after the type").is_ok());
            let span = start.to(self.last_span());
            for name in names {
                let (definition, parameters) = (definition.clone(), parameters.clone());
                let declaration = TypeDeclaration { name, parameters, definition, span };
                self.declarations.push(Declaration::Type(declaration));
            }
            if !ended {
                self.skip_past_declaration(start);
            }
            // `type a = int; b = real;` is one declaration of two types.
            if !self.continues() {
                return if ended || self.at_declaration() { Ok(()) } else { Err(Skipped) };
            }
            start = self.span();
        }
    }

    fn type_definition(&mut self, names: &[Ident]) -> Parsed<Type> {
        // In Heptagon nothing ends the declaration.
        let alone = self.at_declaration() || self.peek() == TokenKind::Const;
        if self.peek() == TokenKind::Semicolon || self.in_heptagon() && alone {
            return Ok(Type { kind: TypeKind::Abstract, span: names[0].span });
        }
        self.expect(TokenKind::Equal, "and the definition of the type")?;
        let named = self.peek() == TokenKind::Identifier;
        if named && self.text[self.tokens[self.at + 1].span.range()] == *"of" {
            return self.skip_unsupported(self.span(), "algebraic data types");
        }
        if self.peek() == TokenKind::Bar || named && self.peek_after(1) == TokenKind::Bar {
            return self.values_between_bars();
        }
        self.ty()
    }

    /// `A | B | C`: an enumeration as Heptagon and Vélus write it
    fn values_between_bars(&mut self) -> Parsed<Type> {
        let start = self.span();
        self.eat(TokenKind::Bar);
        let mut values = vec![self.ident("of an enumeration value")?];
        while self.eat(TokenKind::Bar) {
            values.push(self.ident("of an enumeration value")?);
        }
        Ok(Type { kind: TypeKind::Enum(values), span: start.to(self.last_span()) })
    }

    pub(super) fn type_that_is_missing(&self) -> Type {
        let span = self.span();
        Type { kind: TypeKind::Error, span: Span { end: span.start, ..span } }
    }

    pub(super) fn value_that_is_missing(&mut self) -> ExprId {
        let span = self.type_that_is_missing().span;
        self.exprs.push(ExprKind::Error, span)
    }

    /// Whether a `param` stands here, which is another word for a free constant.
    pub(super) fn at_param(&self) -> bool {
        self.is_word("param")
            && self.peek_after(1) == TokenKind::Identifier
            && self.peek_after(2) == TokenKind::Colon
    }

    fn const_declarations(&mut self) -> Parsed<()> {
        let mut list = Vec::new();
        let parsed = self.constants(&mut list);
        self.declarations.extend(list.into_iter().map(Declaration::Const));
        parsed
    }

    /// `const a: int = 1; b: int;`, up to what declares no other constant.
    pub(super) fn constants(&mut self, list: &mut Vec<ConstDeclaration>) -> Parsed<()> {
        let mut start = self.bump().span;
        loop {
            let names = self.declared_names("of a constant", GapKind::Value)?;
            let defined = self.const_definition(&names);
            let whole = defined.is_ok();
            let (ty, mut value) =
                defined.unwrap_or_else(|Skipped| (None, Some(self.value_that_is_missing())));
            let ended = whole && self.end_of_declaration("after the constant").is_ok();
            let span = start.to(self.last_span());
            for name in names {
                list.push(ConstDeclaration { name, ty: ty.clone(), value, span });
                // The others of several names for one value have none.
                if value.is_some() {
                    value = Some(self.value_that_is_missing());
                }
            }
            if !ended {
                self.skip_past_declaration(start);
            }
            if !self.continues() {
                return if ended || self.at_declaration() { Ok(()) } else { Err(Skipped) };
            }
            start = self.span();
        }
    }

    fn const_definition(&mut self, names: &[Ident]) -> Parsed<(Option<Type>, Option<ExprId>)> {
        let ty = if self.eat(TokenKind::Colon) { Some(self.ty()?) } else { None };
        if self.eat(TokenKind::Equal) {
            if let Some(second) = names.get(1) {
                self.diagnostics.push(Diagnostic::error(
                    Code::Syntax,
                    second.span,
                    "each constant needs a definition of its own",
                ));
            }
            return Ok((ty, Some(self.expr()?)));
        }
        if ty.is_some() && self.peek() == TokenKind::Semicolon {
            return Ok((ty, None));
        }
        self.fail("`=` and the value of the constant", None)
    }

    /// `a, b`, what is declared. A name that is missing may be any that is used.
    fn declared_names(&mut self, context: &str, kind: GapKind) -> Parsed<Vec<Ident>> {
        let start = self.span();
        let mut names = Vec::new();
        loop {
            match self.ident(context) {
                Ok(name) => names.push(name),
                Err(Skipped) if names.is_empty() && !self.defines_something() => {
                    self.gap(kind, start);
                    return Err(Skipped);
                }
                Err(Skipped) => {
                    self.gap(kind, start);
                    names.push(self.missing());
                }
            }
            if !self.eat(TokenKind::Comma) {
                return Ok(names);
            }
        }
    }

    /// Whether the definition of a name that is missing follows.
    fn defines_something(&self) -> bool {
        matches!(self.peek(), TokenKind::Equal | TokenKind::Colon | TokenKind::Comma)
    }

    /// Whether the dialect has `;` only between equations, and none between declarations, or
    /// it may be such a one and `seems` to be.
    pub(super) fn is_terse(&self, seems: bool) -> bool {
        let reading = self.exprs.reading();
        seems && !reading.certain || matches!(reading.dialect, Dialect::Velus | Dialect::Heptagon)
    }

    /// The `;` after a declaration. Where it is missing and the next declaration
    /// begins, nothing is skipped.
    pub(super) fn end_of_declaration(&mut self, context: &str) -> Parsed<()> {
        if self.is_terse(true) && self.at_declaration() {
            return Ok(());
        }
        match self.expect(TokenKind::Semicolon, context) {
            Err(Skipped) if !self.at_declaration() && !self.continues() => Err(Skipped),
            _ => Ok(()),
        }
    }

    /// Whether another name of the same declaration follows.
    fn continues(&self) -> bool {
        self.peek() == TokenKind::Identifier
            && matches!(self.peek_after(1), TokenKind::Equal | TokenKind::Colon | TokenKind::Comma)
    }

    /// Skips what is left of a declaration with a mistake; its text is a gap.
    fn skip_past_declaration(&mut self, start: Span) {
        while self.peek() != TokenKind::Semicolon && !self.at_declaration() {
            self.bump();
        }
        self.eat(TokenKind::Semicolon);
        self.gap(GapKind::Text, start);
    }
}
