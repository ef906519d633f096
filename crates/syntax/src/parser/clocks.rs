//! Clocks: sampled flows, `merge`, and called nodes that run only at times.

use crate::ast::{Activation, BinaryOp, Case, ExprId, ExprKind, Ident, Sampling, UnaryOp};
use crate::diagnostic::{Code, Diagnostic};
use crate::parser::expressions::{Frame, Group, State};
use crate::parser::statics::Callee;
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;
use crate::token::TokenKind;

/// A part of a clocked expression that waits for its value.
pub(super) enum Clocked {
    /// `(activate f every`, `… initial default`, `… restart every`
    Heading(Box<Heading>, Stage),
    /// `merge c (A -> a) (B ->`, and whether the value of the clock is written
    Branch(Branches, (Case, bool)),
    /// `merge(c;`, and the first side if it is there
    Side(Span, Ident, Option<ExprId>),
    /// `f(x) every`
    Reset(ExprId),
    /// `fby(x; 2;`
    Delayed(Span, Vec<ExprId>),
}

/// What is said of a call before its arguments: `activate f every c …`.
pub(super) struct Heading {
    start: Span,
    callee: Callee,
    clock: Option<ExprId>,
    defaults: Option<Vec<ExprId>>,
    /// Whether the defaults are for before the node has run.
    initial: bool,
    reset: Option<ExprId>,
}

/// What of a heading is to follow.
#[derive(Clone, Copy)]
pub(super) enum Stage {
    Clock,
    Default,
    Reset,
    /// `restart f every` inside of `activate`
    Inner,
}

/// A `merge` with the branches so far.
pub(super) struct Branches {
    start: Span,
    flow: Ident,
    list: Vec<(Case, ExprId)>,
    /// Whether values of the clock are written before the branches.
    named: bool,
}

impl Parser<'_> {
    /// Opens a clocked expression where one begins.
    pub(super) fn clocked(&mut self, stack: &mut Vec<Frame>) -> Parsed<Option<State>> {
        let span = self.span();
        let follows = self.peek_after(1);
        let opened = match self.peek() {
            TokenKind::LeftParen if follows == TokenKind::Identifier => {
                return self.heading(stack);
            }
            // A node of the file may have such a name.
            TokenKind::Identifier if self.own.contains(self.word()) => return Ok(None),
            TokenKind::Identifier if follows == TokenKind::LeftParen => match self.word() {
                "condact" => {
                    self.bump();
                    self.bump();
                    return Ok(Some(self.open(stack, Group::Condact, span)));
                }
                "current" => Frame::Prefix(UnaryOp::Current, span),
                "merge" => {
                    self.bump();
                    self.bump();
                    let flow = self.ident("of the clock of `merge`")?;
                    self.expect(TokenKind::Semicolon, "after the clock of `merge`")?;
                    stack.push(Frame::Clocked(Clocked::Side(span, flow, None)));
                    return Ok(Some(State::Operand));
                }
                _ => return Ok(None),
            },
            TokenKind::Identifier if follows == TokenKind::Identifier => match self.word() {
                "current" => Frame::Prefix(UnaryOp::Current, span),
                // Heptagon's wish to its compiler, which changes nothing.
                "inlined" if self.peek_after(2) == TokenKind::LeftParen => {
                    self.bump();
                    return Ok(Some(State::Operand));
                }
                "merge" => {
                    self.bump();
                    let flow = self.ident("of the clock of `merge`")?;
                    return self.branch(
                        stack,
                        Branches { start: span, flow, list: Vec::new(), named: false },
                    );
                }
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        self.bump();
        stack.push(opened);
        Ok(Some(State::Operand))
    }

    /// `(activate f every`, `(restart f every` or `(activate (restart f every`
    fn heading(&mut self, stack: &mut Vec<Frame>) -> Parsed<Option<State>> {
        let follows = self.peek_after(2);
        let stage = match self.word_after(1) {
            "activate" if follows == TokenKind::LeftParen && self.word_after(3) == "restart" => {
                Stage::Inner
            }
            "activate" if follows == TokenKind::Identifier => Stage::Clock,
            "restart" if follows == TokenKind::Identifier => Stage::Reset,
            _ => return Ok(None),
        };
        if matches!(stage, Stage::Inner) && self.peek_after(4) != TokenKind::Identifier {
            return Ok(None);
        }
        let start = self.bump().span;
        self.bump();
        if matches!(stage, Stage::Inner) {
            self.bump();
            self.bump();
        }
        let name = self.ident("of a node")?;
        let callee = self.callee(name)?;
        self.expect_word("every", "after the node")?;
        let heading =
            Heading { start, callee, clock: None, defaults: None, initial: true, reset: None };
        stack.push(Frame::Clocked(Clocked::Heading(Box::new(heading), stage)));
        Ok(Some(State::Operand))
    }

    fn expect_word(&mut self, word: &str, context: &str) -> Parsed<()> {
        if self.is_word(word) {
            self.bump();
            return Ok(());
        }
        self.fail(&format!("`{word}` {context}"), None)
    }

    /// `(A ->`, after which the value of a branch is to follow. Where no value of
    /// the clock is written, the first branch is for `true`.
    fn branch(&mut self, stack: &mut Vec<Frame>, branches: Branches) -> Parsed<Option<State>> {
        if self.peek() != TokenKind::LeftParen
            && branches.list.len() < 2
            && let Some(value) = self.bare_branch()
        {
            return self.add_branch(stack, branches, None, value).map(Some);
        }
        self.expect(TokenKind::LeftParen, "and the branches of `merge`")?;
        // Only a name or a truth value can be a value of a clock: in `(0 -> pre n)` the arrow
        // belongs to the branch.
        let named =
            matches!(self.peek(), TokenKind::True | TokenKind::False | TokenKind::Identifier)
                && matches!(self.peek_after(1), TokenKind::Arrow | TokenKind::Implies);
        if !branches.list.is_empty() && named != branches.named {
            return self.mixed_branches(named);
        }
        let case = match self.peek() {
            TokenKind::True if named => Case::True,
            TokenKind::False if named => Case::False,
            TokenKind::Identifier if named => {
                let token = self.tokens[self.at];
                Case::Value(self.ident_of(token))
            }
            _ if branches.list.is_empty() => Case::True,
            _ => Case::False,
        };
        if named {
            self.bump();
            self.bump();
        }
        stack.push(Frame::Clocked(Clocked::Branch(branches, (case, named))));
        Ok(Some(State::Operand))
    }

    /// `(true -> x) (y)`: the arrow may belong to the branch or to the value, which makes a
    /// difference.
    fn mixed_branches<T>(&mut self, named: bool) -> Parsed<T> {
        let (expected, help) = if named {
            (
                "a branch without a value of the clock, as the one before it",
                "put what is initialised into parentheses of its own: `((true -> x))`",
            )
        } else {
            (
                "a value of the clock and `->`, as in the branch before it",
                "where the arrow before is no value of the clock, put it into parentheses of its \
                 own: `((true -> x))`",
            )
        };
        self.fail(expected, Some(help))
    }

    /// A branch of `merge` is complete: with its value of the clock, or one of two that
    /// have none, as Vélus and Heptagon write them (`merge c x 0`).
    fn add_branch(
        &mut self,
        stack: &mut Vec<Frame>,
        mut branches: Branches,
        case: Option<(Case, bool)>,
        value: ExprId,
    ) -> Parsed<State> {
        branches.named |= case.as_ref().is_some_and(|(_, named)| *named);
        let first = if branches.list.is_empty() { Case::True } else { Case::False };
        branches.list.push((case.map_or(first, |(case, _)| case), value));
        let another =
            self.peek() == TokenKind::LeftParen || !branches.named && branches.list.len() == 1;
        if another {
            let state = self.branch(stack, branches)?;
            return Ok(state.unwrap_or(State::Operand));
        }
        let Branches { start, flow, list, .. } = branches;
        let span = start.to(self.last_span());
        Ok(State::Operator(self.push(ExprKind::Merge(flow, list), span)))
    }

    /// A branch of `merge` without parentheses: a name or a constant.
    fn bare_branch(&mut self) -> Option<ExprId> {
        let span = self.span();
        let kind = match self.peek() {
            TokenKind::True => ExprKind::Bool(true),
            TokenKind::False => ExprKind::Bool(false),
            TokenKind::Integer | TokenKind::Decimal => {
                let decimal = self.peek() == TokenKind::Decimal;
                let word = self.word().to_string();
                let word = self.intern(&word);
                if decimal { ExprKind::Decimal(word) } else { ExprKind::Int(word) }
            }
            TokenKind::Identifier => {
                let token = self.tokens[self.at];
                ExprKind::Name(self.ident_of(token).name)
            }
            _ => return None,
        };
        self.bump();
        Some(self.push(kind, span))
    }

    /// The value that a part of a clocked expression waited for is complete.
    pub(super) fn close_clocked(
        &mut self,
        stack: &mut Vec<Frame>,
        clocked: Clocked,
        value: ExprId,
    ) -> Parsed<State> {
        match clocked {
            Clocked::Heading(heading, stage) => self.close_heading(stack, heading, stage, value),
            Clocked::Branch(branches, case) => {
                self.expect(TokenKind::RightParen, "after the branch of `merge`")?;
                self.add_branch(stack, branches, Some(case), value)
            }
            Clocked::Side(start, flow, None) => {
                self.expect(TokenKind::Semicolon, "after the first branch of `merge`")?;
                stack.push(Frame::Clocked(Clocked::Side(start, flow, Some(value))));
                Ok(State::Operand)
            }
            Clocked::Side(start, flow, Some(first)) => {
                self.expect(TokenKind::RightParen, "after the branches of `merge`")?;
                let span = start.to(self.last_span());
                let list = vec![(Case::True, first), (Case::False, value)];
                Ok(State::Operator(self.push(ExprKind::Merge(flow, list), span)))
            }
            Clocked::Delayed(start, parts) => self.close_delayed(stack, (start, parts), value),
            Clocked::Reset(call) => {
                let span = self.expr_span(call).to(self.expr_span(value));
                let (clock, defaults, reset) = (None, None, Some(value));
                let activation = Activation { call, clock, defaults, initial: true, reset };
                Ok(State::Operator(self.push(ExprKind::Activated(activation), span)))
            }
        }
    }

    fn close_heading(
        &mut self,
        stack: &mut Vec<Frame>,
        mut heading: Box<Heading>,
        stage: Stage,
        value: ExprId,
    ) -> Parsed<State> {
        match stage {
            Stage::Clock => heading.clock = Some(value),
            Stage::Default => heading.defaults.get_or_insert_default().push(value),
            Stage::Reset | Stage::Inner => heading.reset = Some(value),
        }
        let next = match stage {
            Stage::Inner => {
                self.expect(TokenKind::RightParen, "after when the node begins anew")?;
                self.expect_word("every", "and the clock of the node")?;
                Some(Stage::Clock)
            }
            Stage::Default if self.eat(TokenKind::Comma) => Some(Stage::Default),
            Stage::Clock if self.is_word("initial") => {
                self.bump();
                self.expect_word("default", "after `initial`")?;
                Some(Stage::Default)
            }
            Stage::Clock if self.is_word("default") => {
                self.bump();
                heading.initial = false;
                Some(Stage::Default)
            }
            Stage::Clock | Stage::Default if self.is_word("restart") && heading.reset.is_none() => {
                self.bump();
                self.expect_word("every", "after `restart`")?;
                Some(Stage::Reset)
            }
            _ => None,
        };
        if let Some(next) = next {
            stack.push(Frame::Clocked(Clocked::Heading(heading, next)));
            return Ok(State::Operand);
        }
        self.expect(TokenKind::RightParen, "after when the node runs")?;
        self.expect(TokenKind::LeftParen, "and the arguments of the node")?;
        let start = heading.start;
        Ok(self.open(stack, Group::Activated(heading), start))
    }

    /// A call with its arguments, behind what says when it runs.
    pub(super) fn activated(&mut self, heading: Heading, args: Vec<ExprId>, span: Span) -> ExprId {
        let Heading { callee, clock, defaults, initial, reset, .. } = heading;
        let call = self.call(callee, args, span);
        self.push(ExprKind::Activated(Activation { call, clock, defaults, initial, reset }), span)
    }

    /// `condact(c, f(x), d, e)`
    pub(super) fn condact(&mut self, mut list: Vec<ExprId>, span: Span) -> ExprId {
        if list.len() < 2 {
            let message = "`condact` takes a clock, a call, and a value for each output";
            self.complain(Diagnostic::error(Code::Arity, span, message));
            return self.push(ExprKind::Error, span);
        }
        let defaults = Some(list.split_off(2));
        let (call, clock) = (list[1], Some(list[0]));
        let activation = Activation { call, clock, defaults, initial: true, reset: None };
        self.push(ExprKind::Activated(activation), span)
    }

    /// `every` behind a call, as lustrec has it: the node begins anew. In a `reset` block it ends
    /// the block, unless the call is in parentheses: who has such blocks has no such calls.
    pub(super) fn at_reset(&self, value: ExprId, around: &[Frame]) -> bool {
        let is_of_call = || !self.in_reset || around.iter().any(|f| matches!(f, Frame::Group(..)));
        self.is_word("every")
            && matches!(self.exprs[value].kind, ExprKind::Call(..))
            && is_of_call()
    }

    /// Whether a sampling stands behind an operand.
    pub(super) fn at_when(&self) -> bool {
        self.peek() == TokenKind::When || self.is_word("whennot") || self.is_word("whenot")
    }

    /// `when c`, behind an operand that is complete.
    pub(super) fn when(&mut self, value: ExprId) -> Parsed<ExprId> {
        let negated = self.bump().kind != TokenKind::When;
        let mut sampling = self.sampling()?;
        if negated {
            sampling.case = match sampling.case {
                Case::True => Case::False,
                Case::False => Case::True,
                Case::Value(value) => {
                    let message = "`whennot` takes a boolean clock";
                    let diagnostic = Diagnostic::error(Code::Syntax, value.span, message);
                    let help = "sample by the other values of the enumeration, each with `when`";
                    self.diagnostics.push(diagnostic.help(help));
                    return Err(Skipped);
                }
            };
        }
        self.warn_of_sampling(value);
        let span = self.expr_span(value).to(self.last_span());
        Ok(self.push(ExprKind::When(value, sampling), span))
    }

    /// `c`, `not c`, `C(c)`, `c = C`, perhaps in parentheses.
    pub(super) fn sampling(&mut self) -> Parsed<Sampling> {
        let mut open = 0usize;
        while self.eat(TokenKind::LeftParen) {
            open += 1;
        }
        let inside = self.peek_after(1) == TokenKind::LeftParen;
        let (flow, case) = match self.peek() {
            TokenKind::Not => {
                self.bump();
                (self.enclosed_flow()?, Case::False)
            }
            TokenKind::True | TokenKind::False if inside => {
                let truth = self.bump().kind == TokenKind::True;
                let case = if truth { Case::True } else { Case::False };
                (self.enclosed_flow()?, case)
            }
            _ => {
                let name = self.ident("of a clock")?;
                if inside {
                    (self.enclosed_flow()?, Case::Value(name))
                } else if open > 0 && self.eat(TokenKind::Equal) {
                    let case = Case::Value(self.ident("of a value of the clock")?);
                    (name, case)
                } else {
                    (name, Case::True)
                }
            }
        };
        for _ in 0..open {
            self.expect(TokenKind::RightParen, "after the clock")?;
        }
        Ok(Sampling { flow, case, on: Vec::new() })
    }

    /// `c` or `(c)`
    fn enclosed_flow(&mut self) -> Parsed<Ident> {
        let enclosed = self.eat(TokenKind::LeftParen);
        let flow = self.ident("of a clock")?;
        if enclosed {
            self.expect(TokenKind::RightParen, "after the clock")?;
        }
        Ok(flow)
    }

    /// `(e :: .)` (Heptagon): e is on the clock of the node, which its use says as well.
    pub(super) fn on_clock(&mut self, list: &[ExprId]) -> Parsed<State> {
        let start = self.bump().span;
        let [value] = *list else {
            return self.fail("`)` after a list of values, of which no clock is said", None);
        };
        self.expect(TokenKind::Dot, "after `::`")?;
        if self.is_word("on") {
            let what = "clocks of expressions (declare a flow with its clock)";
            return self.skip_unsupported(start, what);
        }
        self.expect(TokenKind::RightParen, "after the clock of the value")?;
        self.exprs.enclose(value);
        Ok(State::Operator(value))
    }

    /// `when c` and `clock` behind the type of a flow; `:: . on c` (Vélus) and `on c` (Heptagon).
    pub(super) fn declared_clock(&mut self) -> Parsed<Option<Sampling>> {
        if self.is_word("clock") {
            // It may be the clock of others, as any flow may.
            self.bump();
        }
        let dotted = self.peek() == TokenKind::DoubleColon && self.peek_after(1) == TokenKind::Dot;
        if dotted {
            self.bump();
            self.bump();
        }
        if self.peek() != TokenKind::When && !self.is_word("on") {
            return Ok(None);
        }
        self.bump();
        let mut sampling = self.sampling()?;
        // `on c on d`: the flow d is on the clock c, so that d says it all if that is so.
        while self.is_word("on") {
            self.bump();
            let mut on = std::mem::take(&mut sampling.on);
            on.push(sampling);
            sampling = Sampling { on, ..self.sampling()? };
        }
        Ok(Some(sampling))
    }
}

/// How much `when` binds: whatever binds as much or more on its left is sampled.
pub(super) fn strength_of_when(dialect: crate::dialect::Dialect) -> u8 {
    use crate::dialect::Dialect;
    match dialect {
        Dialect::Kind2 => 0,
        Dialect::Lustrec => BinaryOp::Implies.strength(dialect),
        Dialect::Velus | Dialect::Heptagon => BinaryOp::Plus.strength(dialect),
        Dialect::V6 => BinaryOp::Times.strength(dialect) + 1,
    }
}
