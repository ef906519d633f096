//! Calls that stand by themselves: of nodes without outputs, for what they check; and what stands
//! on the right of an equation.

use crate::ast::{Equation, ExprId, ExprKind, Item};
use crate::diagnostic::{Code, Diagnostic};
use crate::parser::{Parsed, Parser, Skipped};
use crate::token::TokenKind;

impl Parser<'_> {
    /// Whether a call stands some tokens on that is no left-hand side: `obs(x);`,
    /// `condact(c, obs(x));`, `(activate obs every c)(x);`. What stands behind it is told by
    /// `ends`.
    fn at_call(&self, offset: usize, ends: impl Fn(TokenKind) -> bool) -> bool {
        let follows = self.peek_after(offset + 1);
        let headed = match self.peek_after(offset) {
            TokenKind::LeftParen => {
                follows == TokenKind::Identifier
                    && match self.word_after(offset + 1) {
                        "activate" | "restart" => {
                            self.peek_after(offset + 2) == TokenKind::Identifier
                                || self.word_after(offset + 3) == "restart"
                        }
                        _ => false,
                    }
            }
            TokenKind::Identifier => follows == TokenKind::LeftParen,
            _ => false,
        };
        if !headed {
            return false;
        }
        let mut depth = 0usize;
        for ahead in offset.. {
            match self.peek_after(ahead) {
                TokenKind::LeftParen => depth += 1,
                TokenKind::RightParen => {
                    depth = depth.saturating_sub(1);
                    let next = self.peek_after(ahead + 1);
                    if depth == 0 && next != TokenKind::LeftParen {
                        return ends(next);
                    }
                }
                TokenKind::Tel | TokenKind::Let | TokenKind::End => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether a call that is a statement stands here.
    pub(super) fn at_call_statement(&self) -> bool {
        // Anything else is the rest of something whose beginning got lost.
        self.at_call(0, |next| {
            use TokenKind::{Bar, Else, Identifier, Semicolon, Tel};
            matches!(next, Semicolon | Tel | Identifier | Else | Bar)
        })
    }

    /// Whether a call with its `;` stands some tokens on, and not the rest of an expression.
    pub(super) fn begins_call_statement(&self, offset: usize) -> bool {
        self.at_call(offset, |next| next == TokenKind::Semicolon)
    }

    /// `obs(x);`, which is `() = obs(x);`
    pub(super) fn call_statement(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.span();
        let right = self.expr().inspect_err(|Skipped| self.node_gaps.body = true)?;
        let span = start.to(self.last_span());
        if !matches!(self.exprs[right].kind, ExprKind::Call(..) | ExprKind::Activated(_)) {
            let message = "expected an equation, or a call of a node without outputs";
            self.complain(
                Diagnostic::error(Code::Syntax, span, message)
                    .label("nothing takes this value")
                    .help("name the flow that it defines: `x = …;`"),
            );
            self.node_gaps.body = true;
        }
        self.end_of_item("after the call")?;
        items.push(Item::Equation(Equation { left: Vec::new(), indices: Vec::new(), right, span }));
        Ok(())
    }

    /// The value that an equation gives its flows, and when that begins anew: `x = reset 0 fby
    /// (x + 1) every r;` (Vélus) is `reset x = 0 fby (x + 1); every r`.
    pub(super) fn right_hand_side(&mut self) -> Parsed<(ExprId, Option<ExprId>)> {
        if !self.at_reset_value() {
            return Ok((self.expr()?, None));
        }
        self.bump();
        let value = self.expr()?;
        if let Some((call, reset)) = self.call_with_every(value) {
            return Ok((call, Some(reset)));
        }
        if !self.is_word("every") {
            let help = "behind a call it belongs to that alone: put the value into parentheses";
            return self.fail("`every` and when the value begins anew", Some(help));
        }
        self.bump();
        Ok((value, Some(self.expr()?)))
    }

    /// The parts of `f(e) every r`, of which `every` was read as that of the call: behind `reset` it is
    /// that of all of the value, what the call is given too.
    fn call_with_every(&self, value: ExprId) -> Option<(ExprId, ExprId)> {
        let ExprKind::Activated(activated) = &self.exprs[value].kind else { return None };
        let (call, reset) = (activated.call, activated.reset?);
        // `(restart f every r)(e)` says it of the call alone.
        let is_behind = self.expr_span(reset).start >= self.expr_span(call).end;
        is_behind.then_some((call, reset))
    }

    /// Whether `reset` stands here and a value behind it, which no flow and no call has.
    fn at_reset_value(&self) -> bool {
        use TokenKind::{Decimal, False, Identifier, If, Integer, LeftParen, Not, Pre, True};
        let begins = match self.peek_after(1) {
            Identifier => self.word_after(1) != "every",
            // A node may have this name.
            LeftParen => !self.own.contains("reset"),
            follows => matches!(follows, Decimal | False | If | Integer | Not | Pre | True),
        };
        let mut rest = self.tokens[self.at..].iter().take_while(|token| {
            use TokenKind::{End, Let, Semicolon, Tel};
            !matches!(token.kind, End | Let | Semicolon | Tel)
        });
        let ends = |range: std::ops::Range<usize>| &self.text[range] == "every";
        self.is_word("reset") && begins && rest.any(|token| ends(token.span.range()))
    }
}
