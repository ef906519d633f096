//! Machine integers: their types, and conversions to them. The names of the types
//! are no keywords, so that old programs may have them for other things.

use lustral_base::sort::BitVec;

use crate::ast::{ExprId, ExprKind, TypeKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;
use crate::token::TokenKind;

impl Parser<'_> {
    /// `uint<12>` or `sint<12>`, as a type
    pub(super) fn machine_type(&mut self) -> Parsed<Option<TypeKind>> {
        let any_width = self.is_word("uint") || self.is_word("sint");
        if !any_width || self.peek_after(1) != TokenKind::Less {
            return Ok(None);
        }
        self.machine_width().map(|shape| Some(TypeKind::Machine(shape)))
    }

    /// `uint8` or `uint@<12>`, where an operand follows that it converts
    pub(super) fn conversion(&mut self) -> Parsed<Option<BitVec>> {
        if self.peek() != TokenKind::Identifier {
            return Ok(None);
        }
        let any_width = self.is_word("uint") || self.is_word("sint");
        if any_width && self.peek_after(1) == TokenKind::At {
            return self.machine_width().map(Some);
        }
        let shape = BitVec::named(self.word());
        if shape.is_none() || !begins_operand(self.peek_after(1)) {
            return Ok(None);
        }
        self.bump();
        Ok(shape)
    }

    /// `uint8 e`. It takes all that follows, which cannot be meant of a truth value.
    pub(super) fn converted(&mut self, to: BitVec, operand: ExprId, span: Span) -> ExprId {
        let ExprKind::Binary(op, ..) = self.exprs[operand].kind else {
            return self.push(ExprKind::Convert(to, operand), span);
        };
        if !op.compares() && !op.is_logical() || self.exprs.is_enclosed(operand) {
            return self.push(ExprKind::Convert(to, operand), span);
        }
        let (word, op) = (to.conversion(), op.as_str());
        let message = format!("`{word}` converts all that follows, also the `{op}`");
        let help = format!("write parentheses: `({word} …) {op} …`");
        self.complain(Diagnostic::error(Code::Type, span, message).help(help));
        self.push(ExprKind::Error, span)
    }

    /// `uint<12>` or `uint@<12>`
    fn machine_width(&mut self) -> Parsed<BitVec> {
        let signed = self.is_word("sint");
        self.bump();
        self.eat(TokenKind::At);
        self.expect(TokenKind::Less, "before the number of bits")?;
        let width = self.expect(TokenKind::Integer, "of bits")?;
        self.expect(TokenKind::Greater, "after the number of bits")?;
        let shape = self.text[width.span.range()].parse().ok();
        let shape = shape.and_then(|width: u16| BitVec::try_from((width, signed)).ok());
        let Some(shape) = shape else {
            let message = format!("a machine integer has 1 to {} bits", BitVec::MAX_WIDTH);
            self.complain(Diagnostic::error(Code::Type, width.span, message));
            return Err(Skipped);
        };
        Ok(shape)
    }
}

/// Whether a token behind the name of a type is the beginning of what it converts;
/// behind a flow of that name stands an operator. `int8 - 5` is taken for a number.
fn begins_operand(token: TokenKind) -> bool {
    matches!(
        token,
        TokenKind::Identifier
            | TokenKind::Integer
            | TokenKind::Decimal
            | TokenKind::LeftParen
            | TokenKind::LeftBracket
            | TokenKind::Minus
            | TokenKind::Bang
            | TokenKind::Not
            | TokenKind::True
            | TokenKind::False
            | TokenKind::Pre
            | TokenKind::If
            | TokenKind::Int
            | TokenKind::Real
    )
}
