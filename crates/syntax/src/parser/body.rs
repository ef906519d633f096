//! The bodies of nodes: equations, assertions, properties, candidates. A mistake
//! in one leaves the others as they are; of an equation with a mistake, the flows
//! that it defines are kept where they could be read.

use crate::ast::{Block, Bound, BoundKind, Equation, Ident, Item, Property, Question};
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;
use crate::token::TokenKind;

impl Parser<'_> {
    /// All up to and including `tel`.
    pub(super) fn body(&mut self, items: &mut Vec<Item>) {
        loop {
            match self.peek() {
                TokenKind::Tel if self.lacks_tel(1) => {
                    // It is not the last one of the node.
                    let _: Parsed<()> = self.no_item();
                    self.bump();
                    if !self.begins_item() {
                        self.skip_to_item();
                    }
                }
                TokenKind::Tel if !self.stray_tel() => {
                    self.bump();
                    // `tel;` and `tel.` are old forms of `tel`.
                    if !self.eat(TokenKind::Semicolon) {
                        self.eat(TokenKind::Dot);
                    }
                    return;
                }
                // The head of an automaton got lost.
                _ if self.at_lost_state() => {
                    let _: Parsed<()> = self.no_item();
                    self.bump();
                    self.give_up_body();
                }
                _ if self.node_gaps.body && self.at_end_of_part() => self.skip_orphan(),
                _ if self.at_declaration() => {
                    let _: Parsed<()> = self.fail("`tel` at the end of the node", None);
                    self.node_gaps.body |= self.peek() != TokenKind::End;
                    return;
                }
                _ => {
                    if self.item(items).is_err() {
                        self.skip_to_item();
                    }
                }
            }
        }
    }

    pub(super) fn skip_to_item(&mut self) {
        loop {
            match self.peek() {
                TokenKind::Semicolon => {
                    let inside = self.is_inside_brackets();
                    self.bump();
                    if !inside {
                        return;
                    }
                }
                TokenKind::Tel if !self.stray_tel() => return,
                TokenKind::Close
                | TokenKind::Property
                | TokenKind::Candidate
                | TokenKind::Main
                | TokenKind::Realizable
                | TokenKind::Assert => return,
                _ if self.at_declaration() => return,
                _ if self.depth > 0 && self.begins_line() && self.at_end_of_part() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Whether the `tel` that stands here is a mistake in the middle of an expression.
    fn stray_tel(&self) -> bool {
        use TokenKind::{
            And, Arrow, Bar, Comma, Decimal, Div, Else, Equal, False, Fby, Greater, GreaterEqual,
            Implies, Integer, LazyImplies, Less, LessEqual, Minus, Mod, NotEqual, Or, Plus,
            RightBracket, RightParen, Slash, Star, Then, True, Xor,
        };
        const INSIDE: [TokenKind; 29] = [
            And,
            Arrow,
            Bar,
            Comma,
            Decimal,
            Div,
            Else,
            Equal,
            False,
            Fby,
            Greater,
            GreaterEqual,
            Implies,
            LazyImplies,
            Integer,
            Less,
            LessEqual,
            Minus,
            Mod,
            NotEqual,
            Or,
            Plus,
            RightBracket,
            RightParen,
            Slash,
            Star,
            Then,
            True,
            Xor,
        ];
        let behind = self.tokens.get(self.at + 1).map_or(0, |token| token.span.start as usize);
        let between = self.span().end as usize..behind;
        let same_line = self.text.get(between).is_some_and(|text| !text.contains('\n'));
        same_line && !self.begins_line() && INSIDE.contains(&self.peek_after(1))
    }

    /// Whether a part of a body begins here, or the body ends.
    pub(super) fn begins_item(&self) -> bool {
        match self.peek() {
            TokenKind::Tel => !self.stray_tel(),
            TokenKind::Property
            | TokenKind::Candidate
            | TokenKind::Main
            | TokenKind::Realizable
            | TokenKind::Assert
            | TokenKind::Contract
            | TokenKind::ContractLine
            | TokenKind::Close => true,
            TokenKind::Identifier if self.begins_line() => {
                self.is_word("check") || self.at_equation() || self.at_block()
            }
            TokenKind::If | TokenKind::When => self.begins_line(),
            _ => self.at_declaration(),
        }
    }

    /// Whether `a =`, `a, b =` or `a[i] =` stands here.
    pub(super) fn at_equation(&self) -> bool {
        let mut offset = 0;
        while self.peek_after(offset) == TokenKind::Identifier {
            while self.peek_after(offset + 1) == TokenKind::LeftBracket
                && self.peek_after(offset + 3) == TokenKind::RightBracket
            {
                offset += 3;
            }
            match self.peek_after(offset + 1) {
                TokenKind::Equal => return true,
                TokenKind::Comma => offset += 2,
                _ => return false,
            }
        }
        false
    }

    /// The `;` after a part of the body. Where it is missing and the next part
    /// begins, nothing is skipped.
    pub(super) fn end_of_item(&mut self, context: &str) -> Parsed<()> {
        // An annotation may end with its comment. In Heptagon and Vélus a `;` stands
        // between equations, not after the last.
        if self.peek() == TokenKind::Close
            || self.peek() == TokenKind::Tel && self.is_terse(self.terse_header)
            || self.depth > 0 && self.at_end_of_part()
        {
            return Ok(());
        }
        match self.expect(TokenKind::Semicolon, context) {
            Err(Skipped) if !self.begins_item() => Err(Skipped),
            _ => Ok(()),
        }
    }

    pub(super) fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.span();
        match self.peek() {
            TokenKind::Semicolon | TokenKind::Close => {
                self.bump();
                Ok(())
            }
            TokenKind::Assert => {
                self.bump();
                let expr = self.expr()?;
                let span = start.to(self.last_span());
                self.end_of_item("after the assertion")?;
                items.push(Item::Assert(expr, span));
                Ok(())
            }
            TokenKind::Main => {
                self.bump();
                items.push(Item::Main(start));
                // Old forms: `--!MAIN : true;`
                if self.eat(TokenKind::Colon) {
                    self.eat(TokenKind::True);
                }
                self.eat(TokenKind::Semicolon);
                Ok(())
            }
            TokenKind::Realizable => {
                self.bump();
                self.eat(TokenKind::Colon);
                let mut names = Vec::new();
                while self.peek() == TokenKind::Identifier {
                    let name = self.bump();
                    names.push(self.ident_of(name));
                    if !self.eat(TokenKind::Comma) {
                        break;
                    }
                }
                let span = start.to(self.last_span());
                self.end_of_item("after the inputs of the environment")?;
                items.push(Item::Realizable(names, span));
                Ok(())
            }
            TokenKind::Property => {
                self.bump();
                self.eat(TokenKind::Colon);
                self.property(items, start, true)
            }
            TokenKind::Candidate => {
                self.bump();
                self.eat(TokenKind::Colon);
                let role = self.candidate_role();
                let expr = self.expr()?;
                let span = start.to(self.last_span());
                self.end_of_item("after the candidate")?;
                items.push(Item::Candidate(role, expr, span));
                Ok(())
            }
            TokenKind::Contract => {
                items.push(Item::Contract(self.contract()));
                Ok(())
            }
            TokenKind::ContractLine => {
                self.contract_lines(items);
                Ok(())
            }
            TokenKind::Identifier if self.is_word("check") && self.starts_check() => {
                self.bump();
                self.property(items, start, false)
            }
            TokenKind::Identifier
                if self.is_word("last")
                    && self.peek_after(1) == TokenKind::Identifier
                    && self.peek_after(2) == TokenKind::Equal =>
            {
                self.last_value(items)
            }
            _ if self.at_block() => self.block(items),
            _ => self.equation_or_unsupported(items),
        }
    }

    /// `last x = e;`
    fn last_value(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.bump().span;
        let flow = self.ident("of a flow")?;
        self.bump();
        let value = self.expr().inspect_err(|_| self.node_gaps.body = true)?;
        let span = start.to(self.last_span());
        self.end_of_item("after the last value")?;
        items.push(Item::Last(flow, value, span));
        Ok(())
    }

    /// What is left may define flows: if it cannot be read, nobody knows which.
    fn equation_or_unsupported(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        self.unsupported_item().inspect_err(|_| self.node_gaps.body = true)?;
        match self.peek() {
            _ if self.at_call_statement() => self.call_statement(items),
            TokenKind::Identifier | TokenKind::LeftParen => self.equation(items),
            // A word too many, and nothing else is wrong.
            TokenKind::Let if self.lacks_tel(0) => {
                let _: Parsed<()> = self.no_item();
                self.skip_lost_block();
                Ok(())
            }
            TokenKind::Let => {
                let failed = self.no_equation();
                self.bump();
                if self.begins_item() { Ok(()) } else { failed }
            }
            _ => self.no_item(),
        }
    }

    /// Whether what follows, some tokens on, has more words `tel` than `let` before the
    /// next node: the head of a block got lost.
    pub(super) fn lacks_tel(&self, offset: usize) -> bool {
        let rest = self.tokens.iter().skip(self.at + offset).map(|token| token.kind);
        let node = rest.take_while(|kind| {
            // A contract in lines stands before a body, and perhaps before the next node.
            use TokenKind::{Const, ContractLine, End, Function, Node, Type};
            !matches!(kind, Node | Function | Type | Const | ContractLine | End)
        });
        let balance = node.fold(0i32, |balance, kind| match kind {
            TokenKind::Let => balance + 1,
            TokenKind::Tel => balance - 1,
            _ => balance,
        });
        balance < 0
    }

    /// Skips a block without its head: nobody knows what it defines.
    fn skip_lost_block(&mut self) {
        let mut open = 0usize;
        loop {
            match self.peek() {
                TokenKind::Let => open += 1,
                TokenKind::Tel => open -= 1,
                TokenKind::End => return,
                _ => {}
            }
            self.bump();
            if open == 0 {
                return;
            }
        }
    }

    /// What stands here is no part of a body. Where something was wrong before, it may well
    /// be the rest of that, unless it stands on a line of its own behind a `;`; what opens
    /// or closes a body is the rest of a block whose beginning was not understood.
    pub(super) fn no_item(&mut self) -> Parsed<()> {
        let last = self.tokens[self.at.saturating_sub(1)].kind;
        let is_frame = matches!(self.peek(), TokenKind::Var | TokenKind::Let | TokenKind::Tel);
        let apart = self.begins_line() && last == TokenKind::Semicolon && !is_frame;
        if std::mem::replace(&mut self.node_gaps.body, true) && !apart {
            return Err(Skipped);
        }
        self.no_equation()
    }

    fn no_equation(&mut self) -> Parsed<()> {
        self.fail("an equation, `assert`, `check`, `--%PROPERTY` or `tel`", None)
    }

    pub(super) fn equation(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.span();
        let (left, indices) = match self.left_hand_side() {
            Ok(left) => left,
            Err(Skipped) => {
                self.node_gaps.body = true;
                return Err(Skipped);
            }
        };
        let context = "after the left-hand side of the equation";
        let equal = match self.peek() {
            TokenKind::Becomes => self.fail(&format!("`=` {context}"), Some("write `=`")),
            _ => self.expect(TokenKind::Equal, context),
        };
        // Without `=`, nobody knows what is defined.
        self.node_gaps.body |= equal.is_err();
        let right = equal.and_then(|_| self.right_hand_side());
        let span = start.to(self.last_span());
        let ended = match right {
            Ok(_) => self.end_of_item("after the equation"),
            Err(Skipped) => Err(Skipped),
        };
        let (right, every) = match (right, &ended) {
            (Ok(right), Ok(())) => right,
            _ => (self.value_that_is_missing(), None),
        };
        let equation = Item::Equation(Equation { left, indices, right, span });
        items.push(Block::resetting(equation, every, span));
        ended
    }

    /// `check` is reserved only where it begins a property: a flow may have this name.
    fn starts_check(&self) -> bool {
        !matches!(self.peek_after(1), TokenKind::Equal | TokenKind::Comma)
    }

    pub(super) fn property(
        &mut self,
        items: &mut Vec<Item>,
        start: Span,
        annotation: bool,
    ) -> Parsed<()> {
        let reachable = self.eat_question("reachable");
        if !reachable {
            self.eat_question("invariant");
        }
        let name = self.quoted_name();
        let expr = self.expr()?;
        let question = match reachable {
            true => Question::Reachable(self.bounds_on_steps()?),
            false if self.is_word("provided") => {
                self.bump();
                Question::Provided(self.expr()?)
            }
            false => Question::Always,
        };
        let span = start.to(self.last_span());
        self.end_of_item("after the property")?;
        items.push(Item::Property(Property { name, question, expr, annotation, span }));
        Ok(())
    }

    /// Takes the word for what is asked, if it is one: a flow may have this name too, but
    /// then an operator follows, or the end. (Before `-` and `[` it is the word.)
    fn eat_question(&mut self, word: &str) -> bool {
        use TokenKind as T;
        let begins_expression = matches!(
            self.peek_after(1),
            T::String
                | T::Identifier
                | T::Integer
                | T::Decimal
                | T::True
                | T::False
                | T::LeftParen
                | T::LeftBracket
                | T::LeftBrace
                | T::DoubleColon
                | T::Not
                | T::Pre
                | T::If
                | T::When
                | T::Minus
                | T::Bang
                | T::Hash
                | T::Int
                | T::Real
        );
        let asks = self.is_word(word) && begins_expression;
        if asks {
            self.bump();
        }
        asks
    }

    fn bounds_on_steps(&mut self) -> Parsed<Vec<Bound>> {
        let mut bounds = Vec::new();
        while let Some(kind) = BoundKind::ALL.into_iter().find(|kind| self.is_word(kind.word())) {
            self.bump();
            bounds.push(Bound { kind, step: self.expr()? });
        }
        Ok(bounds)
    }

    /// The name of a property, if there is one.
    pub(super) fn quoted_name(&mut self) -> Option<Ident> {
        if self.peek() != TokenKind::String {
            return None;
        }
        let token = self.bump();
        let quoted = self.ident_of(token);
        // A name that nobody can see is none.
        let mut name = quoted.name.trim_matches('"').to_string();
        if name.contains('\n') {
            // It is shown in one line.
            name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        let name = (!name.trim().is_empty()).then(|| self.intern(&name))?;
        Some(Ident { name, span: quoted.span })
    }

    /// `a`, `a, b`, `(a, b)`, `()` or `a[i][j]`: the flows and the indices.
    fn left_hand_side(&mut self) -> Parsed<(Vec<Ident>, Vec<Ident>)> {
        let parenthesis = self.eat(TokenKind::LeftParen);
        let mut names = Vec::new();
        let mut indices = Vec::new();
        if !(parenthesis && self.peek() == TokenKind::RightParen) {
            names.push(self.ident("of a flow")?);
            while self.peek() == TokenKind::LeftBracket {
                let by_name = self.peek_after(1) == TokenKind::Identifier
                    && self.peek_after(2) == TokenKind::RightBracket;
                if !by_name {
                    return self.unsupported_element();
                }
                self.bump();
                indices.push(self.ident("of an index")?);
                self.bump();
            }
            if self.peek() == TokenKind::Dot {
                return self.unsupported_field();
            }
            while self.eat(TokenKind::Comma) {
                names.push(self.ident("of a flow")?);
                if !indices.is_empty() || self.peek() == TokenKind::LeftBracket {
                    let span = self.last_span();
                    return self.skip_unsupported(span, "definitions by index of several arrays");
                }
            }
        }
        if parenthesis {
            self.expect(TokenKind::RightParen, "after the flows of the equation")?;
        }
        Ok((names, indices))
    }
}
