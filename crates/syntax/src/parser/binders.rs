//! What begins with a word or a mark and brings a type along: quantifiers, values
//! chosen by a condition or by nothing, the types that a call names.

use crate::ast::{Choice, ExprId, ExprKind, Quantifier, Type, Variable};
use crate::parser::expressions::Frame;
use crate::parser::variables::Role;
use crate::parser::{Parsed, Parser, Skipped};
use crate::token::TokenKind;

impl Parser<'_> {
    /// `@<int; bool>` after the name of a node, a record type or a contract
    pub(super) fn type_arguments(&mut self) -> Parsed<Vec<Type>> {
        if !self.eat(TokenKind::At) {
            return Ok(Vec::new());
        }
        self.in_angles(Self::ty)
    }

    /// The word `any` or `choose`, if one of them stands here.
    fn choice(&self) -> Option<Choice> {
        [Choice::Any, Choice::Choose].into_iter().find(|choice| self.is_word(choice.as_str()))
    }

    /// `any@<t>`, or `any t` as it once was written.
    pub(super) fn arbitrary(&mut self) -> Parsed<Option<ExprId>> {
        use TokenKind::{At, Bool, Identifier, Int, Real};
        let follows = self.peek_after(1);
        let Some(choice) = self.choice() else { return Ok(None) };
        if !matches!(follows, At | Bool | Identifier | Int | Real) {
            return Ok(None);
        }
        let start = self.bump().span;
        let angles = self.eat(At);
        if angles {
            self.expect(TokenKind::Less, "and the type of the value after `@`")?;
        }
        let ty = self.ty()?;
        if angles {
            self.expect(TokenKind::Greater, "after the type of the value")?;
        }
        let span = start.to(self.last_span());
        Ok(Some(self.push(ExprKind::Arbitrary(choice, Box::new(ty)), span)))
    }

    /// `forall (i: int)`, `exists (i: int)` or `any { x: int |`
    pub(super) fn quantifier(&mut self) -> Parsed<Option<Frame>> {
        let span = self.span();
        let begins = [TokenKind::LeftBrace, TokenKind::Identifier, TokenKind::Colon];
        if let Some(choice) = self.choice()
            && (1..).zip(begins).all(|(i, kind)| self.peek_after(i) == kind)
        {
            self.bump();
            self.bump();
            let name = self.ident("of a value")?;
            self.expect(TokenKind::Colon, "and the type")?;
            let ty = self.ty()?;
            self.expect(TokenKind::Bar, "and what holds of the value")?;
            let variable = Variable { name, ty, constant: false, clock: None };
            let quantifier = Quantifier::Chosen(choice);
            return Ok(Some(Frame::Quantifier(quantifier, span, vec![variable])));
        }
        let quantifier = match self.peek() {
            TokenKind::Identifier if self.peek_after(1) != TokenKind::LeftParen => return Ok(None),
            _ if self.is_word("forall") => Quantifier::All,
            _ if self.is_word("exists") => Quantifier::Some,
            _ => return Ok(None),
        };
        self.bump();
        let mut variables = Vec::new();
        if !self.interface(Role::Input, &mut variables)? {
            return Err(Skipped);
        }
        Ok(Some(Frame::Quantifier(quantifier, span, variables)))
    }
}
