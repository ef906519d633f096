//! Records, tuples and arrays in expressions: what opens them, what stands behind
//! an operand (`.f`, `[i]`, `^n`, updates), and how their parts are closed.

use crate::ast::{ExprId, ExprKind, Ident, Selector, Type, UpdateForm};
use crate::diagnostic::{Code, Diagnostic};
use crate::parser::expressions::{Frame, Group, State};
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// A part of a structure that waits for its value.
pub(super) enum Open {
    /// `t { a = 1; b =` waits for the value of its last field.
    Field {
        of: RecordName,
        fields: Vec<(Ident, ExprId)>,
        field: Ident,
    },
    /// `a[` waits for an index.
    Index(ExprId),
    /// `a[i..` waits for the last index.
    Slice(ExprId, ExprId),
    /// `x[7:` waits for the lowest bit.
    Bits(ExprId, ExprId),
    /// `[a with [` of Heptagon waits for an index, and then for the new value.
    WithIndex(ExprId),
    WithValue(ExprId, ExprId),
    /// `a[i := e;` waits for the next index.
    Selector(Update),
    /// `a[i :=` waits for a value.
    Change(Update, Selector),
    /// `e^` waits for a number of times.
    Repeat(ExprId),
}

/// The name of the type of a record, and the types that it names for its parameters.
pub(super) type RecordName = (Ident, Vec<Type>);

/// An update with the changes so far.
pub(super) struct Update {
    form: UpdateForm,
    whole: ExprId,
    changes: Vec<(Selector, ExprId)>,
}

/// What stands behind an operand.
pub(super) enum Postfix {
    None,
    /// It is complete.
    Value(ExprId),
    /// An operand is to follow.
    Open(Open),
}

impl Parser<'_> {
    /// Opens a record, tuple or array where one begins.
    pub(super) fn structure(&mut self, stack: &mut Vec<Frame>) -> Parsed<Option<State>> {
        let span = self.span();
        match self.peek() {
            TokenKind::LeftBracket => {
                self.bump();
                Ok(Some(self.open(stack, Group::Array, span)))
            }
            TokenKind::LeftBrace => {
                self.bump();
                if self.peek() == TokenKind::RightBrace {
                    self.bump();
                    return self.close_set(span, Vec::new()).map(Some);
                }
                Ok(Some(self.open(stack, Group::Set, span)))
            }
            TokenKind::Identifier if self.at_map() => {
                self.bump();
                if self.peek_after(1) != TokenKind::RightBracket {
                    return Ok(Some(State::Operator(self.push(ExprKind::EmptyMap, span))));
                }
                self.bump();
                self.bump();
                let types = self.type_arguments()?;
                let span = span.to(self.last_span());
                if types.is_empty() {
                    let message = "from what to what this is a map is not known";
                    let help = "name the types: `map[]@<int, bool>`";
                    self.complain(Diagnostic::error(Code::Type, span, message).help(help));
                    return Ok(Some(State::Operator(self.push(ExprKind::Error, span))));
                }
                let map = self.push(ExprKind::EmptyMap, span);
                self.exprs.instantiate(map, types);
                Ok(Some(State::Operator(map)))
            }
            TokenKind::Quote => {
                if self.peek_after(1) == TokenKind::Identifier {
                    return self.unsupported_signals();
                }
                self.bump();
                self.expect(TokenKind::LeftParen, "after `'`")?;
                Ok(Some(self.open(stack, Group::TupleValue, span)))
            }
            TokenKind::Identifier if self.at_record() => {
                let token = self.bump();
                let name = self.ident_of(token);
                let types = self.type_arguments()?;
                self.bump();
                stack.push(self.field((name, types), Vec::new())?);
                Ok(Some(State::Operand))
            }
            _ => Ok(None),
        }
    }

    /// A list that is not closed where it should be.
    pub(super) fn unclosed<T>(&mut self, open: Span) -> Parsed<T> {
        let (closing, what) = if self.text[open.range()].ends_with('[') {
            ("]", "bracket")
        } else if self.text[open.range()].ends_with('{') {
            ("}", "brace")
        } else {
            (")", "parenthesis")
        };
        let message = format!("expected an operator, `,` or `{closing}`, found {}", self.found());
        let diagnostic = Diagnostic::error(Code::Syntax, self.span(), message)
            .also(open, format!("the {what} opened here is not closed"));
        self.complain(diagnostic);
        Err(Skipped)
    }

    /// A set behind its elements, and their type where it is named.
    pub(super) fn close_set(&mut self, start: Span, list: Vec<ExprId>) -> Parsed<State> {
        let types = self.type_arguments()?;
        let set = self.push(ExprKind::Set(list), start.to(self.last_span()));
        self.exprs.instantiate(set, types);
        Ok(State::Operator(set))
    }

    /// Whether `map[]` or `map[a := b` stands here: an array may have this name, and `map[i]`
    /// is an element of it.
    fn at_map(&self) -> bool {
        if !self.is_word("map") || self.peek_after(1) != TokenKind::LeftBracket {
            return false;
        }
        let mut depth = 0usize;
        for token in &self.tokens[self.at + 1..] {
            match token.kind {
                TokenKind::LeftBracket | TokenKind::LeftParen | TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBracket if depth == 1 => {
                    return self.peek_after(2) == TokenKind::RightBracket;
                }
                TokenKind::RightBracket | TokenKind::RightParen | TokenKind::RightBrace => {
                    depth = depth.saturating_sub(1);
                }
                TokenKind::Becomes if depth == 1 => return true,
                TokenKind::Equal | TokenKind::Let | TokenKind::Tel | TokenKind::End
                    if depth <= 1 =>
                {
                    return false;
                }
                TokenKind::End => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether `t {` or `t@<u> {` stands here, and is no update.
    fn at_record(&self) -> bool {
        match self.peek_after(1) {
            TokenKind::LeftBrace => !self.at_update(1),
            TokenKind::At => self.after_angles(2) == Some(TokenKind::LeftBrace),
            _ => false,
        }
    }

    /// Whether `{ a :=` stands some tokens on.
    fn at_update(&self, offset: usize) -> bool {
        self.peek_after(offset) == TokenKind::LeftBrace
            && self.peek_after(offset + 1) == TokenKind::Identifier
            && self.peek_after(offset + 2) == TokenKind::Becomes
    }

    /// `a =`, after which the value of a field is to follow.
    fn field(&mut self, of: RecordName, fields: Vec<(Ident, ExprId)>) -> Parsed<Frame> {
        let field = self.ident("of a field")?;
        self.expect(TokenKind::Equal, "and the value of the field")?;
        Ok(Frame::Structure(Open::Field { of, fields, field }))
    }

    /// `^` binds what follows before all others.
    pub(super) fn repeated(&mut self, stack: &mut Vec<Frame>, mut value: ExprId) -> ExprId {
        while let Some(Frame::Structure(Open::Repeat(repeated))) = stack.last() {
            let repeated = *repeated;
            stack.pop();
            let span = self.expr_span(repeated).to(self.last_span());
            value = self.push(ExprKind::Repeat(repeated, value), span);
        }
        value
    }

    /// `[i]`, `.f`, `^n`, `{f := e}`, behind an operand.
    pub(super) fn postfix(&mut self, value: ExprId) -> Parsed<Postfix> {
        let start = self.expr_span(value);
        match self.peek() {
            TokenKind::LeftBracket => {
                self.bump();
                let form = UpdateForm::Brackets;
                if self.peek() == TokenKind::Identifier && self.peek_after(1) == TokenKind::Becomes
                {
                    return self.named_change(Update { form, whole: value, changes: Vec::new() });
                }
                Ok(Postfix::Open(Open::Index(value)))
            }
            TokenKind::LeftBrace if self.at_update(0) => {
                self.bump();
                let form = UpdateForm::Braces;
                self.named_change(Update { form, whole: value, changes: Vec::new() })
            }
            TokenKind::Dot if self.peek_after(1) == TokenKind::Identifier => {
                self.bump();
                let field = self.ident("of a field")?;
                let span = start.to(field.span);
                Ok(Postfix::Value(self.push(ExprKind::Field(value, field), span)))
            }
            TokenKind::Dot if self.peek_after(1) == TokenKind::Percent => {
                self.bump();
                self.bump();
                self.split_decimal();
                let number = self.expect(TokenKind::Integer, "after `.%`")?;
                let number = self.ident_of(number);
                let span = start.to(number.span);
                Ok(Postfix::Value(self.push(ExprKind::Component(value, number), span)))
            }
            TokenKind::Caret => {
                self.bump();
                Ok(Postfix::Open(Open::Repeat(value)))
            }
            TokenKind::Identifier
                if self.is_word("with") && self.peek_after(1) == TokenKind::LeftBracket =>
            {
                self.bump();
                self.bump();
                Ok(Postfix::Open(Open::WithIndex(value)))
            }
            _ => Ok(Postfix::None),
        }
    }

    /// In `t.%1.%0` the `1.` is no decimal number: it becomes `1`, and the `.` that follows stands
    /// for itself.
    fn split_decimal(&mut self) {
        let Token { kind: TokenKind::Decimal, span } = self.tokens[self.at] else { return };
        let follows = self.peek_after(1) == TokenKind::Percent;
        let Some(digits) = self.word().strip_suffix('.').filter(|_| follows) else { return };
        if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let dot = Span { start: span.end - 1, ..span };
            let number = Span { end: span.end - 1, ..span };
            self.tokens[self.at] = Token { kind: TokenKind::Integer, span: number };
            self.tokens.insert(self.at + 1, Token { kind: TokenKind::Dot, span: dot });
        }
    }

    /// `a :=`, after which a value is to follow.
    fn named_change(&mut self, update: Update) -> Parsed<Postfix> {
        let name = self.ident("of what is changed")?;
        self.expect(TokenKind::Becomes, "and the new value")?;
        Ok(Postfix::Open(Open::Change(update, Selector::Name(name))))
    }

    /// The value that a part of a structure waited for is complete.
    pub(super) fn close_part(
        &mut self,
        stack: &mut Vec<Frame>,
        open: Open,
        value: ExprId,
    ) -> Parsed<State> {
        match open {
            Open::Field { of, fields, field } => {
                self.close_field(stack, of, fields, (field, value))
            }
            Open::Index(array) => self.close_index(stack, array, value),
            Open::WithIndex(array) => {
                self.closing(TokenKind::RightBracket, "after the index")?;
                self.expect(TokenKind::Equal, "and the new value")?;
                stack.push(Frame::Structure(Open::WithValue(array, value)));
                Ok(State::Operand)
            }
            Open::WithValue(array, index) => self.close_with(stack, (array, index), value),
            Open::Slice(array, first) => {
                self.closing(TokenKind::RightBracket, "after the slice")?;
                let span = self.expr_span(array).to(self.last_span());
                Ok(State::Operator(self.push(ExprKind::Slice(array, first, value), span)))
            }
            Open::Bits(word, high) => {
                self.closing(TokenKind::RightBracket, "after the bits")?;
                let span = self.expr_span(word).to(self.last_span());
                Ok(State::Operator(self.push(ExprKind::Bits(word, high, value), span)))
            }
            Open::Selector(update) => {
                self.expect(TokenKind::Becomes, "and the new value")?;
                stack.push(Frame::Structure(Open::Change(update, Selector::Index(value))));
                Ok(State::Operand)
            }
            Open::Change(mut update, selector) => {
                update.changes.push((selector, value));
                self.close_change(stack, update)
            }
            Open::Repeat(_) => unreachable!("`^` takes its operand at once"),
        }
    }

    fn close_field(
        &mut self,
        stack: &mut Vec<Frame>,
        of: RecordName,
        mut fields: Vec<(Ident, ExprId)>,
        found: (Ident, ExprId),
    ) -> Parsed<State> {
        fields.push(found);
        let more = self.eat(TokenKind::Semicolon) || self.eat(TokenKind::Comma);
        // Where a record is not closed, the equations that follow look like fields.
        let gaps = self.node_gaps;
        self.node_gaps.body = true;
        if more && self.peek() != TokenKind::RightBrace {
            stack.push(self.field(of, fields)?);
            self.node_gaps = gaps;
            return Ok(State::Operand);
        }
        self.closing(TokenKind::RightBrace, "after the fields of the record")?;
        self.node_gaps = gaps;
        let (name, types) = of;
        let span = name.span.to(self.last_span());
        let record = self.push(ExprKind::Record(name, fields), span);
        self.exprs.instantiate(record, types);
        Ok(State::Operator(record))
    }

    fn close_index(
        &mut self,
        stack: &mut Vec<Frame>,
        array: ExprId,
        index: ExprId,
    ) -> Parsed<State> {
        let open = match self.peek() {
            TokenKind::DotDot => Open::Slice(array, index),
            TokenKind::Colon => Open::Bits(array, index),
            TokenKind::Becomes => {
                let (form, changes) = (UpdateForm::Brackets, Vec::new());
                Open::Change(Update { form, whole: array, changes }, Selector::Index(index))
            }
            _ => {
                self.closing(TokenKind::RightBracket, "after the index")?;
                let span = self.expr_span(array).to(self.last_span());
                return Ok(State::Operator(self.push(ExprKind::Element(array, index), span)));
            }
        };
        self.bump();
        stack.push(Frame::Structure(open));
        Ok(State::Operand)
    }

    fn close_change(&mut self, stack: &mut Vec<Frame>, update: Update) -> Parsed<State> {
        let closing = match update.form {
            UpdateForm::Brackets => TokenKind::RightBracket,
            UpdateForm::Braces => TokenKind::RightBrace,
        };
        let more = self.eat(TokenKind::Semicolon) || self.eat(TokenKind::Comma);
        if more && self.peek() != closing {
            let named =
                self.peek() == TokenKind::Identifier && self.peek_after(1) == TokenKind::Becomes;
            let open = if named {
                match self.named_change(update)? {
                    Postfix::Open(open) => open,
                    _ => return Err(Skipped),
                }
            } else {
                Open::Selector(update)
            };
            stack.push(Frame::Structure(open));
            return Ok(State::Operand);
        }
        self.closing(closing, "after the changes")?;
        let Update { form, whole, changes } = update;
        let span = self.expr_span(whole).to(self.last_span());
        Ok(State::Operator(self.push(ExprKind::Update(form, whole, changes), span)))
    }

    /// `[a with [i] = e]`, which is `a[i := e]`: the brackets around belong to it.
    fn close_with(
        &mut self,
        stack: &mut Vec<Frame>,
        (array, index): (ExprId, ExprId),
        value: ExprId,
    ) -> Parsed<State> {
        let changes = vec![(Selector::Index(index), value)];
        let update = ExprKind::Update(UpdateForm::Brackets, array, changes);
        let span = self.expr_span(array).to(self.last_span());
        match stack.pop() {
            Some(Frame::Group(Group::Array, start, list)) if list.is_empty() => {
                let end = self.closing(TokenKind::RightBracket, "after the new value")?;
                Ok(State::Operator(self.push(update, start.to(end))))
            }
            _ => {
                let help = "an update is written in brackets, `[a with [i] = e]`";
                let diagnostic = Diagnostic::error(Code::Syntax, span, "this update stands alone");
                self.complain(diagnostic.help(help));
                Err(Skipped)
            }
        }
    }

    fn closing(&mut self, kind: TokenKind, context: &str) -> Parsed<Span> {
        if self.peek() == TokenKind::Identifier && self.is_word("step") {
            return self.unsupported_step();
        }
        if self.peek() == TokenKind::Comma && kind == TokenKind::RightBracket {
            return self.unsupported_indices();
        }
        if self.peek() == kind {
            return Ok(self.bump().span);
        }
        let message = format!(
            "expected an operator or {} {context}, found {}",
            kind.describe(),
            self.found()
        );
        self.complain(Diagnostic::error(Code::Syntax, self.span(), message));
        Err(Skipped)
    }
}
