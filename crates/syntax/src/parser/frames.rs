//! Frames: blocks in which flows keep their values.

use crate::ast::{BlockKind, Equation, Frame, Ident, Item};
use crate::parser::blocks::Only;
use crate::parser::{Parsed, Parser, Skipped};
use crate::token::TokenKind;

impl Parser<'_> {
    /// `frame (x, y) x = e; let … tel`
    pub(super) fn frame(&mut self) -> Parsed<BlockKind> {
        self.bump();
        let mut flows = Vec::new();
        let mut initial = Vec::new();
        if self.head_of_frame(&mut flows, &mut initial).is_err() {
            self.node_gaps.body = true;
            while !matches!(self.peek(), TokenKind::Let | TokenKind::Tel) && !self.at_declaration()
            {
                self.bump();
            }
            if !self.eat(TokenKind::Let) {
                return Err(Skipped);
            }
        }
        let mut items = self.part_items(Only::Equations);
        while self.at_end_of_part() {
            // It belongs to no block that is open.
            let _: Parsed<()> = self.no_item();
            self.skip_orphan();
            items.extend(self.part_items(Only::Equations));
        }
        self.expect(TokenKind::Tel, "at the end of the frame")?;
        Ok(BlockKind::Frame(Frame { flows, initial, items }))
    }

    /// `(x, y) x = e; let`
    fn head_of_frame(&mut self, flows: &mut Vec<Ident>, initial: &mut Vec<Equation>) -> Parsed<()> {
        self.expect(TokenKind::LeftParen, "and the flows of the frame")?;
        if self.peek() != TokenKind::RightParen {
            flows.push(self.ident("of a flow")?);
            while self.eat(TokenKind::Comma) {
                flows.push(self.ident("of a flow")?);
            }
        }
        self.expect(TokenKind::RightParen, "after the flows of the frame")?;
        let mut items = Vec::new();
        while matches!(self.peek(), TokenKind::Identifier | TokenKind::LeftParen)
            && !self.at_declaration()
        {
            self.equation(&mut items)?;
        }
        initial.extend(items.into_iter().filter_map(|item| match item {
            Item::Equation(equation) => Some(equation),
            _ => None,
        }));
        self.expect(TokenKind::Let, "and the equations of the frame").map(|_| ())
    }
}
