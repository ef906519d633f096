//! Blocks of which one part is chosen: `cond`, `present`, `switch`.

use crate::ast::{BlockKind, Branch, Conditional, ExprId, ExprKind, Part, Switch};
use crate::dialect::Dialect;
use crate::parser::blocks::Only;
use crate::parser::{Parsed, Parser};
use crate::token::TokenKind;

impl Parser<'_> {
    /// `cond | c: … | d: … otherwise: … end`
    pub(super) fn cond(&mut self) -> Parsed<BlockKind> {
        self.bump();
        let mut branches = Vec::new();
        while self.eat(TokenKind::Bar) {
            let condition = self.condition();
            self.expect(TokenKind::Colon, "after the condition")?;
            branches.push(Branch { condition, part: self.part(Only::Anything) });
        }
        let mut otherwise = None;
        if self.is_word("otherwise") {
            self.bump();
            self.expect(TokenKind::Colon, "after `otherwise`")?;
            otherwise = Some(self.part(Only::Anything));
        }
        self.end_word("end", "at the end of the `cond` block")?;
        Ok(BlockKind::Conditional(Conditional {
            lazy: true,
            branches,
            otherwise,
            returns: Vec::new(),
        }))
    }

    /// `present c do … | d do … default do … end`
    pub(super) fn present(&mut self) -> Parsed<BlockKind> {
        self.bump();
        self.eat(TokenKind::Bar);
        let mut branches = Vec::new();
        loop {
            let condition = self.selector();
            if !self.is_word("do") {
                return self.fail("`do` after the condition of `present`", None);
            }
            branches.push(Branch { condition, part: self.part(Only::Anything) });
            if !self.eat(TokenKind::Bar) {
                break;
            }
        }
        let default = self.eat(TokenKind::Else) || self.is_word("default");
        if self.is_word("default") {
            self.bump();
        }
        let otherwise = default.then(|| self.part(Only::Anything));
        self.end_word("end", "at the end of the `present` block")?;
        Ok(BlockKind::Conditional(Conditional {
            lazy: true,
            branches,
            otherwise,
            returns: Vec::new(),
        }))
    }

    /// `switch e | A do … | B do … end`
    pub(super) fn switch(&mut self) -> Parsed<BlockKind> {
        self.bump();
        let selector = self.selector();
        if self.is_word("with") {
            self.bump();
        }
        let mut cases = Vec::new();
        self.eat(TokenKind::Bar);
        loop {
            let span = self.span();
            let value = self.value_of_switch()?;
            let read = self.eat(TokenKind::Arrow)
                || self.eat(TokenKind::Implies)
                || self.eat(TokenKind::Colon);
            if !read && !self.is_word("do") && self.peek() != TokenKind::Var {
                return self.fail("`do` after the value", None);
            }
            let part = self.part(Only::Anything);
            cases.push((value, Part { span: span.to(part.span), ..part }));
            if !self.eat(TokenKind::Bar) {
                break;
            }
        }
        self.end_word("end", "at the end of the `switch` block")?;
        Ok(BlockKind::Switch(Switch { selector, cases, returns: Vec::new() }))
    }

    /// A value of what a switch goes by.
    pub(super) fn value_of_switch(&mut self) -> Parsed<ExprId> {
        let span = self.span();
        let kind = match self.peek() {
            TokenKind::True => ExprKind::Bool(true),
            TokenKind::False => ExprKind::Bool(false),
            TokenKind::Identifier => {
                let token = self.tokens[self.at];
                ExprKind::Name(self.ident_of(token).name)
            }
            _ => return self.fail("a value that the selector may have", None),
        };
        self.bump();
        Ok(self.push(kind, span))
    }

    /// Whether the `|` that stands here begins the next part of a block, as in
    /// `| A do`: a `;` stands between equations, not after the last.
    pub(super) fn at_next_case(&self) -> bool {
        if self.depth == 0 || self.peek() != TokenKind::Bar {
            return false;
        }
        if matches!(self.exprs.reading().dialect, Dialect::Velus | Dialect::Heptagon) {
            // It is no operator there.
            return true;
        }
        let rest = &self.tokens[self.at + 1..];
        let ends = |kind| {
            use TokenKind::{Bar, End, Semicolon, Tel};
            matches!(kind, Semicolon | Bar | Tel | End)
        };
        let mut rest = rest.iter().take_while(|token| !ends(token.kind));
        rest.any(|token| {
            token.kind == TokenKind::Identifier && &self.text[token.span.range()] == "do"
        })
    }
}
