//! What SCADE 6 writes in its own way: `activate` blocks, delays by several steps.

use crate::ast::{BlockKind, Branch, Conditional, ExprId, ExprKind, Part, Switch};
use crate::parser::blocks::Only;
use crate::parser::clocks::Clocked;
use crate::parser::expressions::{Frame, State};
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;
use crate::token::TokenKind;

impl Parser<'_> {
    /// Whether a body of one equation stands here, without `let` and `tel`.
    pub(super) fn at_lone_equation(&self) -> bool {
        use TokenKind::{Const, End, Function, Node, Semicolon, Type};
        if !self.at_equation() {
            return false;
        }
        let semicolon = (0..).find(|n| matches!(self.peek_after(*n), Semicolon | End));
        let after = semicolon.unwrap_or(0) + 1;
        matches!(self.peek_after(after), Node | Function | Type | Const | End)
            || matches!(self.word_after(after), "package" | "end" | "private" | "public")
    }

    /// Whether `activate if`, `activate when`, or the same with a name, stands here.
    pub(super) fn at_activate_block(&self) -> bool {
        let begins = |kind| matches!(kind, TokenKind::If | TokenKind::When);
        self.is_word("activate")
            && (begins(self.peek_after(1))
                || self.peek_after(1) == TokenKind::Identifier && begins(self.peek_after(2)))
    }

    /// `activate if c then … else if d then … else … returns x;` and
    /// `activate when m match | A : … | B : … returns ..;`: of the branches only the one that
    /// is chosen takes a step.
    pub(super) fn activate_block(&mut self) -> Parsed<BlockKind> {
        self.bump();
        if self.peek() == TokenKind::Identifier {
            // The name of the block, which means nothing.
            self.bump();
        }
        let mut kind =
            if self.eat(TokenKind::If) { self.activated_if()? } else { self.activated_match()? };
        if !self.eat(TokenKind::Returns) {
            let help = "name the flows that the block defines, or write `returns ..;`";
            return self.fail("`returns` at the end of the `activate` block", Some(help));
        }
        let named = self.returned()?;
        if let BlockKind::Conditional(Conditional { returns, .. })
        | BlockKind::Switch(Switch { returns, .. }) = &mut kind
        {
            *returns = named;
        }
        Ok(kind)
    }

    fn activated_if(&mut self) -> Parsed<BlockKind> {
        let mut branches = Vec::new();
        let mut otherwise = None;
        loop {
            let condition = self.condition();
            self.expect(TokenKind::Then, "after the condition of `activate`")?;
            branches.push(Branch { condition, part: self.activated_part()? });
            if !self.eat(TokenKind::Else) {
                break;
            }
            if !self.eat(TokenKind::If) {
                otherwise = Some(self.activated_part()?);
                break;
            }
        }
        Ok(BlockKind::Conditional(Conditional {
            lazy: true,
            branches,
            otherwise,
            returns: Vec::new(),
        }))
    }

    fn activated_match(&mut self) -> Parsed<BlockKind> {
        self.bump();
        let selector = self.selector();
        self.end_word("match", "and the branches of `activate`")?;
        let mut cases = Vec::new();
        while self.eat(TokenKind::Bar) {
            let span = self.span();
            let value = self.value_of_switch()?;
            self.expect(TokenKind::Colon, "after the value")?;
            let part = self.activated_part()?;
            cases.push((value, Part { span: span.to(part.span), ..part }));
        }
        Ok(BlockKind::Switch(Switch { selector, cases, returns: Vec::new() }))
    }

    /// Equations, or `var … let … tel`.
    fn activated_part(&mut self) -> Parsed<Part> {
        let start = self.span();
        self.signals()?;
        let mut locals = Vec::new();
        let mut items = self.part_locals(&mut locals);
        if self.eat(TokenKind::Let) {
            items.extend(self.part_items(Only::Anything));
            self.expect(TokenKind::Tel, "at the end of the branch")?;
            self.eat(TokenKind::Semicolon);
        } else {
            items.extend(self.part_items(Only::Anything));
        }
        Ok(Part { locals, items, span: start.to(self.last_span()) })
    }

    /// `sig a; b;`
    pub(super) fn signals(&mut self) -> Parsed<()> {
        if !self.is_word("sig") || self.peek_after(1) != TokenKind::Identifier {
            return Ok(());
        }
        self.unsupported_signals()
    }

    /// Signals, which nothing here stands for.
    pub(super) fn unsupported_signals<T>(&mut self) -> Parsed<T> {
        let span = self.span();
        self.skip_unsupported(span, "signals (declare a bool that is false where nothing emits it)")
    }

    /// Opens `fby(x; n; i)`, which stands here.
    pub(super) fn delayed(&mut self, stack: &mut Vec<Frame>) -> Parsed<State> {
        let start = self.bump().span;
        self.bump();
        stack.push(Frame::Clocked(Clocked::Delayed(start, Vec::new())));
        Ok(State::Operand)
    }

    /// A part of `fby(x; n; i)` is complete; also `fby(x, n, i)`.
    pub(super) fn close_delayed(
        &mut self,
        stack: &mut Vec<Frame>,
        (start, mut parts): (Span, Vec<ExprId>),
        value: ExprId,
    ) -> Parsed<State> {
        parts.push(value);
        let [delayed, steps, initial] = parts[..] else {
            if !self.eat(TokenKind::Semicolon) && !self.eat(TokenKind::Comma) {
                let help = "`fby(x; n; i)` is x of n steps before, and i at the first n steps";
                return self.fail("`;` and the next part of `fby(…; …; …)`", Some(help));
            }
            stack.push(Frame::Clocked(Clocked::Delayed(start, parts)));
            return Ok(State::Operand);
        };
        self.expect(TokenKind::RightParen, "after the parts of `fby`")?;
        let span = start.to(self.last_span());
        let kind = ExprKind::Delayed(delayed, steps, initial);
        Ok(State::Operator(self.push(kind, span)))
    }

    /// `= e` behind the word `default` and the type of a flow.
    pub(super) fn unsupported_default(&mut self) -> Parsed<()> {
        if !self.is_word("default") || self.peek_after(1) != TokenKind::Equal {
            return Ok(());
        }
        let span = self.span();
        let what = "`default` values of flows (define the flow in each branch, or give it a last \
                    value: `last = e`)";
        self.unsupported(span, what);
        self.bump();
        self.bump();
        // What branches leave out has no value now, and that is no mistake of its own.
        self.node_gaps.body = true;
        self.expr().map(|_| ()).or(Err(Skipped))
    }
}
