//! Types as written.

use crate::ast::{DEEPEST, ExprId, ExprKind, GapKind, Ident, Type, TypeKind, Variable};
use crate::diagnostic::{Code, Diagnostic};
use crate::parser::expressions::State;
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Parsed<Type> {
        // A type may stand in an expression, which may stand in a type.
        if self.types_around > DEEPEST {
            let span = self.span();
            return self.too_deep(span);
        }
        self.types_around += 1;
        let before = self.exprs.len();
        let parsed = self.type_inside(0);
        self.exprs.belong_to_type(before);
        self.types_around -= 1;
        parsed
    }

    /// A type inside some others; they are not nested so deeply that this could
    /// exhaust the stack.
    fn type_inside(&mut self, depth: usize) -> Parsed<Type> {
        let start = self.span();
        if depth > DEEPEST {
            return self.too_deep(start);
        }
        let kind = match self.peek() {
            TokenKind::Bool => self.simple_type(TypeKind::Bool),
            TokenKind::Int => self.simple_type(TypeKind::Int),
            TokenKind::Real => self.simple_type(TypeKind::Real),
            TokenKind::Identifier if self.is_word("subrange") => self.subrange()?,
            TokenKind::Identifier if self.is_word("enum") => self.enumeration()?,
            TokenKind::Identifier
                if self.is_word("struct") && self.peek_after(1) == TokenKind::LeftBrace =>
            {
                self.bump();
                self.record_type(depth)?
            }
            TokenKind::Identifier
                if self.is_word("subtype") && self.peek_after(1) == TokenKind::LeftBrace =>
            {
                self.refinement(depth)?
            }
            TokenKind::LeftBrace if self.at_braced_tuple() => self.tuple_type(depth)?,
            TokenKind::LeftBrace => self.record_type(depth)?,
            TokenKind::LeftBracket => self.tuple_type(depth)?,
            TokenKind::Identifier => match self.machine_type()? {
                Some(kind) => kind,
                None if self.unsupported_type() => TypeKind::Error,
                None => {
                    let token = self.bump();
                    let name = self.ident_of(token);
                    match self.applied(depth)? {
                        Some(types) => TypeKind::Applied(name, types),
                        None => TypeKind::Named(name.name),
                    }
                }
            },
            _ => return self.fail("a type", None),
        };
        let ty = Type { kind, span: start.to(self.last_span()) };
        self.dimensions(ty, depth)
    }

    /// `<int; bool>` after the name of a type, or `<<int; bool>>` as it once was written
    fn applied(&mut self, depth: usize) -> Parsed<Option<Vec<Type>>> {
        if self.peek() != TokenKind::Less {
            return Ok(None);
        }
        self.in_angles(|p| p.type_inside(depth + 1)).map(Some)
    }

    /// A list in angles, in one pair or in two.
    pub(super) fn in_angles<T>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        self.expect(TokenKind::Less, "and types")?;
        let twice = self.eat(TokenKind::Less);
        let mut list = Vec::new();
        loop {
            list.push(one(self)?);
            if !self.eat(TokenKind::Semicolon) && !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Greater, "after the types")?;
        if twice {
            self.expect(TokenKind::Greater, "after the types")?;
        }
        Ok(list)
    }

    fn too_deep<T>(&mut self, span: Span) -> Parsed<T> {
        let message = format!("types are nested at most {DEEPEST} deep");
        self.complain(Diagnostic::error(Code::Syntax, span, message));
        Err(Skipped)
    }

    /// `^n^m` after a type, or `[n]`
    fn dimensions(&mut self, element: Type, depth: usize) -> Parsed<Type> {
        let mut sizes = Vec::new();
        loop {
            if self.eat(TokenKind::Caret) {
                sizes.push(self.size()?);
            } else if self.eat(TokenKind::LeftBracket) {
                sizes.push(self.expr()?);
                self.expect(TokenKind::RightBracket, "after the size of the array")?;
            } else {
                break;
            }
        }
        let span = element.span.to(self.last_span());
        if depth + sizes.len() > DEEPEST {
            return self.too_deep(span);
        }
        Ok(if sizes.is_empty() {
            element
        } else {
            Type { kind: TypeKind::Array(Box::new(element), sizes), span }
        })
    }

    /// `{ a, b: int; c: bool }`
    fn record_type(&mut self, depth: usize) -> Parsed<TypeKind> {
        self.expect(TokenKind::LeftBrace, "after `struct`")?;
        let mut fields = Vec::new();
        while self.peek() != TokenKind::RightBrace {
            let mut names = vec![self.ident("of a field")?];
            while self.eat(TokenKind::Comma) {
                names.push(self.ident("of a field")?);
            }
            self.expect(TokenKind::Colon, "and the type of the field")?;
            let ty = self.type_inside(depth + 1)?;
            self.unsupported_field_value();
            fields.extend(names.into_iter().map(|name| Variable {
                name,
                ty: ty.clone(),
                constant: false,
                clock: None,
            }));
            if !self.eat(TokenKind::Semicolon) && !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightBrace, "after the fields of the record")?;
        Ok(TypeKind::Record(fields))
    }

    /// Whether `{t, u}` stands here: no field of a record is named before its end.
    fn at_braced_tuple(&self) -> bool {
        let mut depth = 0usize;
        for token in &self.tokens[self.at..] {
            match token.kind {
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace if depth == 1 => return self.peek_after(1) != token.kind,
                TokenKind::RightBrace => depth -= 1,
                TokenKind::Colon if depth == 1 => return false,
                TokenKind::Semicolon | TokenKind::Equal | TokenKind::Let | TokenKind::End => {
                    return false;
                }
                _ => {}
            }
        }
        false
    }

    /// `[t, u]`, or `{t, u}` as it once was written
    fn tuple_type(&mut self, depth: usize) -> Parsed<TypeKind> {
        let closing = match self.bump().kind {
            TokenKind::LeftBrace => TokenKind::RightBrace,
            _ => TokenKind::RightBracket,
        };
        let mut types = vec![self.type_inside(depth + 1)?];
        while self.eat(TokenKind::Comma) {
            types.push(self.type_inside(depth + 1)?);
        }
        self.expect(closing, "after the types of the tuple")?;
        Ok(TypeKind::Tuple(types))
    }

    fn simple_type(&mut self, kind: TypeKind) -> TypeKind {
        self.bump();
        kind
    }

    /// `subtype { x: t | p }`
    fn refinement(&mut self, depth: usize) -> Parsed<TypeKind> {
        self.bump();
        self.bump();
        let name = self.ident("of a value")?;
        self.expect(TokenKind::Colon, "and the type")?;
        let ty = self.type_inside(depth + 1)?;
        self.expect(TokenKind::Bar, "and what holds of the value")?;
        let condition = self.expr()?;
        self.expect(TokenKind::RightBrace, "after what holds of the value")?;
        let variable = Variable { name, ty, constant: false, clock: None };
        Ok(TypeKind::Refinement(Box::new(variable), condition))
    }

    /// `t`, or `t | p` after the name of a variable, of which `p` holds.
    pub(super) fn type_of(&mut self, names: &[Ident]) -> Parsed<Type> {
        let before = self.exprs.len();
        let ty = self.ty()?;
        let [name] = names else { return Ok(ty) };
        if !self.eat(TokenKind::Bar) {
            return Ok(ty);
        }
        let condition = self.expr()?;
        self.exprs.belong_to_type(before);
        let span = ty.span.to(self.last_span());
        let variable = Variable { name: name.clone(), ty, constant: false, clock: None };
        Ok(Type { kind: TypeKind::Refinement(Box::new(variable), condition), span })
    }

    /// `(e: t)`, from the colon on
    pub(super) fn ascribed(&mut self, start: Span, list: &[ExprId]) -> Parsed<State> {
        let [value] = *list else {
            return self.fail("`)` after a list of values, of which no type is said", None);
        };
        self.bump();
        let ty = self.ty()?;
        let end = self.expect(TokenKind::RightParen, "after the type of the value")?;
        let kind = ExprKind::Ascribed(value, Box::new(ty));
        Ok(State::Operator(self.push(kind, start.to(end.span))))
    }

    /// `subrange [low, high] of int`
    fn subrange(&mut self) -> Parsed<TypeKind> {
        self.bump();
        self.expect(TokenKind::LeftBracket, "after `subrange`")?;
        let low = self.bound()?;
        self.expect(TokenKind::Comma, "between the bounds of the subrange")?;
        let high = self.bound()?;
        self.expect(TokenKind::RightBracket, "after the bounds of the subrange")?;
        if !self.is_word("of") {
            return self.fail("`of int` after the bounds of the subrange", None);
        }
        self.bump();
        if matches!(self.peek(), TokenKind::Identifier | TokenKind::Real | TokenKind::Bool) {
            return Ok(self.unsupported_subrange());
        }
        self.expect(TokenKind::Int, "after `of`")?;
        Ok(TypeKind::Subrange(low, high))
    }

    /// A bound of a subrange, or `*` where there is none.
    fn bound(&mut self) -> Parsed<Option<ExprId>> {
        if self.eat(TokenKind::Star) { Ok(None) } else { self.expr().map(Some) }
    }

    /// `enum { A, B }`
    fn enumeration(&mut self) -> Parsed<TypeKind> {
        self.bump();
        let start = self.span();
        let found = self.enumeration_values();
        if found.is_err() {
            // A value whose name is missing may be any that is used.
            self.gap(GapKind::Value, start);
        }
        found
    }

    fn enumeration_values(&mut self) -> Parsed<TypeKind> {
        self.expect(TokenKind::LeftBrace, "after `enum`")?;
        let mut values = vec![self.ident("of an enumeration value")?];
        while self.eat(TokenKind::Comma) {
            values.push(self.ident("of an enumeration value")?);
        }
        self.expect(TokenKind::RightBrace, "after the values of the enumeration")?;
        Ok(TypeKind::Enum(values))
    }
}
