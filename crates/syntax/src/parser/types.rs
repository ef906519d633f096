//! Types as written.

use crate::ast::{GapKind, Type, TypeKind};
use crate::parser::{Parsed, Parser};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Parsed<Type> {
        let start = self.span();
        let kind = match self.peek() {
            TokenKind::Bool => self.simple_type(TypeKind::Bool),
            TokenKind::Int => self.simple_type(TypeKind::Int),
            TokenKind::Real => self.simple_type(TypeKind::Real),
            TokenKind::Identifier if self.is_word("subrange") => self.subrange()?,
            TokenKind::Identifier if self.is_word("enum") => self.enumeration()?,
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

    /// `subrange [low, high] of int`
    fn subrange(&mut self) -> Parsed<TypeKind> {
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
        Ok(TypeKind::Subrange(low, high))
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
