//! Expressions, by operator precedence with an explicit stack: no nesting is
//! too deep, and the time is linear in the number of tokens. What opens and closes
//! the parts of records and arrays is in `structures.rs`.

use lustral_base::sort::BitVec;

use crate::ast::{BinaryOp, ExprId, ExprKind, Ident, Quantifier, UnaryOp, Variable};
use crate::parser::clocks::{Clocked, Heading, strength_of_when};
use crate::parser::data::{Matching, ends_arm};
use crate::parser::statics::Callee;
use crate::parser::structures::{Open, Postfix};
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;
use crate::token::TokenKind;

/// What waits for an operand that is being parsed.
pub(super) enum Frame {
    Prefix(UnaryOp, Span),
    /// `uint8` waits for all that follows.
    Convert(BitVec, Span),
    Infix(BinaryOp, ExprId),
    /// `if`, or the lazy `when`, or the static `with`, waits for its condition.
    If(Span, Chosen),
    /// `if c then` waits for its first branch.
    Then(Span, Chosen, ExprId),
    /// `if c then a else` waits for its second branch.
    Else(Span, Chosen, ExprId, ExprId),
    /// A bracketed list and the expressions so far.
    Group(Group, Span, Vec<ExprId>),
    /// A part of a record or array.
    Structure(Open),
    /// A part of something with a clock.
    Clocked(Clocked),
    /// A part of a `match`.
    Match(Box<Matching>),
    /// `forall (i: int)` waits for what holds.
    Quantifier(Quantifier, Span, Vec<Variable>),
}

pub(super) enum Group {
    Paren,
    Call(Box<Callee>),
    /// `C?(`
    Tester(Ident),
    AtMostOne,
    Array,
    Set,
    TupleValue,
    Condact,
    /// The arguments of a node, behind when it runs.
    Activated(Box<Heading>),
}

impl Group {
    fn closing(&self) -> TokenKind {
        match self {
            Group::Array => TokenKind::RightBracket,
            Group::Set => TokenKind::RightBrace,
            _ => TokenKind::RightParen,
        }
    }
}

/// How one of two branches is chosen.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Chosen {
    If,
    /// Only the branch that is chosen takes a step.
    When,
    /// Before the program runs.
    With,
}

impl Chosen {
    /// Its word, with an article.
    fn word(self) -> (&'static str, &'static str) {
        match self {
            Chosen::If => ("if", "an"),
            Chosen::When => ("when", "a"),
            Chosen::With => ("with", "a"),
        }
    }
}

/// How far an expression goes.
#[derive(Clone, Copy, PartialEq)]
enum Extent {
    /// As far as it can.
    Whole,
    /// The size of an array in a type: up to an operator that binds less than
    /// `+`, or to the next size.
    Size,
    /// Up to a `|` that is not in parentheses.
    Selector,
}

/// What the parser expects next.
pub(super) enum State {
    Operand,
    /// An operator or the end of what the innermost frame waits for.
    Operator(ExprId),
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<ExprId> {
        self.expr_of(Extent::Whole)
    }

    /// The size of an array in a type.
    pub(super) fn size(&mut self) -> Parsed<ExprId> {
        self.expr_of(Extent::Size)
    }

    /// What a switch goes by, or a condition, with others to follow after `|`.
    pub(super) fn selector(&mut self) -> ExprId {
        self.expr_of(Extent::Selector).unwrap_or_else(|Skipped| self.skip_condition())
    }

    fn expr_of(&mut self, extent: Extent) -> Parsed<ExprId> {
        let mut stack: Vec<Frame> = Vec::new();
        let mut state = State::Operand;
        loop {
            state = match state {
                State::Operand => self.operand(&mut stack)?,
                State::Operator(value) => {
                    let value = self.repeated(&mut stack, value);
                    let ends = extent == Extent::Size && is_outermost(&stack);
                    if !(ends && self.peek() == TokenKind::Caret) {
                        match self.postfix(value)? {
                            Postfix::Value(value) => {
                                state = State::Operator(value);
                                continue;
                            }
                            Postfix::Open(open) => {
                                stack.push(Frame::Structure(open));
                                state = State::Operand;
                                continue;
                            }
                            Postfix::None => {}
                        }
                    }
                    if waits_to_repeat(&stack) {
                        state = State::Operator(self.reduce(&mut stack, value, None));
                        continue;
                    }
                    if !ends && self.at_when() {
                        let strength = strength_of_when(self.exprs.reading().dialect);
                        let value = self.reduce(&mut stack, value, Some((strength, true)));
                        state = State::Operator(self.when(value)?);
                        continue;
                    }
                    if self.at_reset(value, &stack) {
                        self.bump();
                        stack.push(Frame::Clocked(Clocked::Reset(value)));
                        state = State::Operand;
                        continue;
                    }
                    let loose = |op: &BinaryOp| {
                        let dialect = self.exprs.reading().dialect;
                        op.strength(dialect) < BinaryOp::Plus.strength(dialect)
                    };
                    // Asked only where it matters: the stack may be deep.
                    let bar = self.peek() == TokenKind::Bar
                        && (ends_arm(&stack)
                            || is_outermost(&stack)
                                && (extent == Extent::Selector || self.at_next_case()));
                    let op = self
                        .binary_operator()
                        .filter(|op| !(ends && loose(op) || bar && *op == BinaryOp::Concatenate));
                    if let Some(op) = op {
                        self.bump();
                        if matches!(op, BinaryOp::OrElse | BinaryOp::AndThen) {
                            self.bump();
                        }
                        let strength = op.strength(self.exprs.reading().dialect);
                        let value = self.reduce(&mut stack, value, Some((strength, false)));
                        stack.push(Frame::Infix(op, value));
                        State::Operand
                    } else {
                        let value = self.reduce(&mut stack, value, None);
                        match stack.pop() {
                            None => return Ok(value),
                            Some(Frame::Structure(open)) => {
                                self.close_part(&mut stack, open, value)?
                            }
                            Some(Frame::Clocked(clocked)) => {
                                self.close_clocked(&mut stack, clocked, value)?
                            }
                            Some(Frame::Match(matching)) => {
                                self.close_match(&mut stack, matching, value)?
                            }
                            Some(frame) => self.close(&mut stack, frame, value)?,
                        }
                    }
                }
            };
        }
    }

    pub(super) fn push(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.exprs.push(kind, span)
    }

    pub(super) fn expr_span(&self, id: ExprId) -> Span {
        self.exprs[id].span
    }

    /// The operator that stands before an operand here.
    fn prefix_operator(&self) -> Option<UnaryOp> {
        match self.peek() {
            TokenKind::Not => Some(UnaryOp::Not),
            TokenKind::Minus => Some(UnaryOp::Minus),
            TokenKind::Pre => Some(UnaryOp::Pre),
            TokenKind::Int => Some(UnaryOp::Int),
            TokenKind::Real => Some(UnaryOp::Real),
            TokenKind::Bang => Some(UnaryOp::BitNot),
            _ => None,
        }
    }

    /// Takes an operand, or opens what an operand begins with.
    fn operand(&mut self, stack: &mut Vec<Frame>) -> Parsed<State> {
        let span = self.span();
        if let Some(op) = self.prefix_operator() {
            self.bump();
            stack.push(Frame::Prefix(op, span));
            return Ok(State::Operand);
        }
        if let Some(to) = self.conversion()? {
            stack.push(Frame::Convert(to, span));
            return Ok(State::Operand);
        }
        if let Some(frame) = self.matching() {
            stack.push(frame);
            return Ok(State::Operand);
        }
        if let Some(unsupported) = self.unsupported_operand()? {
            return Ok(State::Operator(unsupported));
        }
        if let Some(state) = self.clocked(stack)? {
            return Ok(state);
        }
        if let Some(value) = self.arbitrary()? {
            return Ok(State::Operator(value));
        }
        if let Some(frame) = self.quantifier()? {
            stack.push(frame);
            return Ok(State::Operand);
        }
        if let Some(state) = self.structure(stack)? {
            return Ok(state);
        }
        let kind = match self.peek() {
            TokenKind::True => ExprKind::Bool(true),
            TokenKind::False => ExprKind::Bool(false),
            TokenKind::Integer => {
                let word = self.word().to_string();
                ExprKind::Int(self.intern(&word))
            }
            TokenKind::Decimal => {
                let word = self.word().to_string();
                ExprKind::Decimal(self.intern(&word))
            }
            TokenKind::Identifier if self.at_last() => return self.last(span),
            TokenKind::Fby if self.peek_after(1) == TokenKind::LeftParen => {
                return self.delayed(stack);
            }
            TokenKind::Identifier => return self.named(stack),
            TokenKind::DoubleColon => return self.mode_reference(span),
            TokenKind::LeftParen => {
                self.bump();
                return Ok(self.open(stack, Group::Paren, span));
            }
            TokenKind::Hash => {
                self.bump();
                self.expect(TokenKind::LeftParen, "after `#`")?;
                return Ok(self.open(stack, Group::AtMostOne, span));
            }
            TokenKind::If | TokenKind::When => {
                let when = self.bump().kind == TokenKind::When;
                stack.push(Frame::If(span, if when { Chosen::When } else { Chosen::If }));
                return Ok(State::Operand);
            }
            TokenKind::Then | TokenKind::Else => {
                return self
                    .fail("an expression", Some("is there an operator too many before it?"));
            }
            TokenKind::Equal => {
                let help = "comparisons are `=`, `<>`, `<`, `<=`, `>` and `>=`";
                return self.fail("an expression", Some(help));
            }
            _ => return self.fail("an expression", None),
        };
        self.bump();
        Ok(State::Operator(self.push(kind, span)))
    }

    /// Opens a bracketed list; an empty one is closed at once.
    pub(super) fn open(&mut self, stack: &mut Vec<Frame>, group: Group, span: Span) -> State {
        if self.peek() == group.closing() {
            self.bump();
            return State::Operator(self.close_group(group, span, Vec::new()));
        }
        stack.push(Frame::Group(group, span, Vec::new()));
        State::Operand
    }

    fn close_group(&mut self, group: Group, start: Span, mut list: Vec<ExprId>) -> ExprId {
        let span = start.to(self.last_span());
        match group {
            // `(e)` is e; its place stays that of e, so that a message points at it.
            Group::Paren if list.len() == 1 => {
                let inner = list.swap_remove(0);
                self.exprs.enclose(inner);
                inner
            }
            Group::Paren => self.push(ExprKind::Tuple(list), span),
            Group::Call(callee) => self.call(*callee, list, span),
            Group::Tester(name) => self.tested(name, list, span),
            Group::AtMostOne => self.push(ExprKind::AtMostOne(list), span),
            Group::Array => self.push(ExprKind::Array(list), span),
            Group::Set => self.push(ExprKind::Set(list), span),
            Group::TupleValue => self.push(ExprKind::TupleValue(list), span),
            Group::Condact => self.condact(list, span),
            Group::Activated(heading) => self.activated(*heading, list, span),
        }
    }

    fn binary_operator(&self) -> Option<BinaryOp> {
        Some(match self.peek() {
            TokenKind::Arrow => BinaryOp::Arrow,
            TokenKind::Fby => BinaryOp::Fby,
            TokenKind::Implies => BinaryOp::Implies,
            TokenKind::LazyImplies => BinaryOp::LazyImplies,
            TokenKind::Or if self.peek_after(1) == TokenKind::Else => BinaryOp::OrElse,
            TokenKind::And if self.peek_after(1) == TokenKind::Then => BinaryOp::AndThen,
            TokenKind::Or => BinaryOp::Or,
            TokenKind::Xor => BinaryOp::Xor,
            TokenKind::And => BinaryOp::And,
            TokenKind::Equal => BinaryOp::Equal,
            TokenKind::NotEqual => BinaryOp::NotEqual,
            TokenKind::Less => BinaryOp::Less,
            TokenKind::LessEqual => BinaryOp::LessEqual,
            TokenKind::Greater => BinaryOp::Greater,
            TokenKind::GreaterEqual => BinaryOp::GreaterEqual,
            TokenKind::Plus => BinaryOp::Plus,
            TokenKind::Minus => BinaryOp::Minus,
            TokenKind::Star => BinaryOp::Times,
            TokenKind::Slash => BinaryOp::Divide,
            TokenKind::Div => BinaryOp::Div,
            TokenKind::Mod => BinaryOp::Mod,
            TokenKind::Bar => BinaryOp::Concatenate,
            TokenKind::PlusPlus => BinaryOp::Join,
            TokenKind::DoubleBar => BinaryOp::BitOr,
            TokenKind::DoubleAmpersand => BinaryOp::BitAnd,
            TokenKind::Identifier if self.is_word("in") => BinaryOp::In,
            TokenKind::Identifier if self.is_word("lsh") => BinaryOp::ShiftLeft,
            TokenKind::Identifier if self.is_word("rsh") => BinaryOp::ShiftRight,
            _ => return None,
        })
    }

    /// Completes the operators on the stack that bind more than the next one, of
    /// which it is known how much it binds and whether it takes what binds as much.
    fn reduce(
        &mut self,
        stack: &mut Vec<Frame>,
        mut value: ExprId,
        next: Option<(u8, bool)>,
    ) -> ExprId {
        let dialect = self.exprs.reading().dialect;
        loop {
            let binds = |own: u8, groups_left: bool| {
                next.is_none_or(|(other, takes_equal)| {
                    own > other || own == other && (groups_left || takes_equal)
                })
            };
            value = match stack.last() {
                Some(&Frame::Prefix(op, start)) if binds(op.strength(dialect), false) => {
                    let span = start.to(self.expr_span(value));
                    self.push(ExprKind::Unary(op, value), span)
                }
                Some(&Frame::Convert(to, start)) if next.is_none() => {
                    let span = start.to(self.expr_span(value));
                    self.converted(to, value, span)
                }
                Some(&Frame::Infix(op, left))
                    if binds(op.strength(dialect), !op.groups_right()) =>
                {
                    self.warn_of_dialects(op, left, value);
                    let span = self.expr_span(left).to(self.expr_span(value));
                    self.push(ExprKind::Binary(op, left, value), span)
                }
                _ => return value,
            };
            stack.pop();
        }
    }

    /// The operand that a frame waited for is complete.
    fn close(&mut self, stack: &mut Vec<Frame>, frame: Frame, value: ExprId) -> Parsed<State> {
        match frame {
            Frame::If(start, how) => {
                let (word, _) = how.word();
                self.expect(TokenKind::Then, &format!("after the condition of `{word}`"))?;
                stack.push(Frame::Then(start, how, value));
                Ok(State::Operand)
            }
            Frame::Then(start, how, condition) => {
                if self.peek() != TokenKind::Else {
                    let (word, an) = how.word();
                    let help = format!(
                        "{an} `{word}` expression has a value at every step: give it an `else`"
                    );
                    let what = format!("`else` after the first branch of `{word}`");
                    return self.fail(&what, Some(&help));
                }
                self.bump();
                stack.push(Frame::Else(start, how, condition, value));
                Ok(State::Operand)
            }
            Frame::Else(start, how, condition, then) => {
                let span = start.to(self.expr_span(value));
                let kind = match how {
                    Chosen::If => ExprKind::If,
                    Chosen::When => ExprKind::Lazy,
                    Chosen::With => ExprKind::With,
                };
                Ok(State::Operator(self.push(kind(condition, then, value), span)))
            }
            Frame::Quantifier(quantifier, start, variables) => {
                let mut span = start.to(self.expr_span(value));
                if matches!(quantifier, Quantifier::Chosen(_)) {
                    let end =
                        self.expect(TokenKind::RightBrace, "after what holds of the value")?;
                    span = start.to(end.span);
                }
                let kind = ExprKind::Quantified(quantifier, variables, value);
                Ok(State::Operator(self.push(kind, span)))
            }
            Frame::Group(group, start, mut list) => {
                list.push(value);
                if self.eat(TokenKind::Comma) {
                    stack.push(Frame::Group(group, start, list));
                    return Ok(State::Operand);
                }
                if matches!(group, Group::Paren) {
                    match self.peek() {
                        TokenKind::Colon => return self.ascribed(start, &list),
                        TokenKind::DoubleColon => return self.on_clock(&list),
                        _ => {}
                    }
                }
                if self.peek() != group.closing() {
                    return self.unclosed(start);
                }
                self.bump();
                if matches!(group, Group::Set) {
                    return self.close_set(start, list);
                }
                Ok(State::Operator(self.close_group(group, start, list)))
            }
            Frame::Prefix(..)
            | Frame::Convert(..)
            | Frame::Infix(..)
            | Frame::Structure(_)
            | Frame::Match(_)
            | Frame::Clocked(_) => {
                unreachable!("operators are reduced before a frame is closed, and parts apart")
            }
        }
    }
}

/// Whether nothing encloses the expression that is being parsed.
fn is_outermost(stack: &[Frame]) -> bool {
    stack
        .iter()
        .all(|frame| matches!(frame, Frame::Prefix(..) | Frame::Convert(..) | Frame::Infix(..)))
}

/// Whether the operand is how often something is repeated, perhaps behind prefix
/// operators.
fn waits_to_repeat(stack: &[Frame]) -> bool {
    let below =
        stack.iter().rev().find(|frame| !matches!(frame, Frame::Prefix(..) | Frame::Convert(..)));
    matches!(below, Some(Frame::Structure(Open::Repeat(_))))
}
