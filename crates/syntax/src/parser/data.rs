//! Algebraic data types: their declarations, `match … with … end` and testers.

use crate::ast::{
    Arms, Constructor, DEEPEST_PATTERN, Declaration, ExprId, ExprKind, Ident, Pattern, Type,
    TypeDeclaration, TypeKind, Variable,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::parser::expressions::{Frame, Group, State};
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;
use crate::token::TokenKind;

/// A `match` with the arms so far.
pub(super) struct Matching {
    start: Span,
    steps: Arms,
    /// What is taken apart; none while it is being parsed.
    value: Option<ExprId>,
    arms: Vec<(Pattern, ExprId)>,
    /// The pattern of the arm whose value is being parsed.
    pattern: Option<Pattern>,
}

impl Parser<'_> {
    /// Whether `datatype t` stands here.
    pub(super) fn at_data_type(&self) -> bool {
        self.is_word("datatype") && self.peek_after(1) == TokenKind::Identifier
    }

    /// `datatype t = A (x: int, y: bool) | B;`
    pub(super) fn data_type(&mut self) -> Parsed<()> {
        let start = self.bump().span;
        let name = self.ident("of a data type")?;
        let parameters = self.type_parameters()?;
        self.expect(TokenKind::Equal, "and the constructors of the data type")?;
        let from = self.span();
        self.eat(TokenKind::Bar);
        let mut constructors = vec![self.constructor()?];
        while self.eat(TokenKind::Bar) {
            constructors.push(self.constructor()?);
        }
        let span = from.to(self.last_span());
        // Where no constructor has fields, it is an enumeration.
        let plain = parameters.is_empty() && constructors.iter().all(|c| c.fields.is_empty());
        let kind = if plain {
            TypeKind::Enum(constructors.into_iter().map(|constructor| constructor.name).collect())
        } else {
            TypeKind::Data(constructors)
        };
        let ended = self.end_of_declaration("after the data type");
        let span_of_all = start.to(self.last_span());
        let definition = Type { kind, span };
        let declaration = TypeDeclaration { name, parameters, definition, span: span_of_all };
        self.declarations.push(Declaration::Type(declaration));
        ended
    }

    /// `A (x: int, y: bool)`
    fn constructor(&mut self) -> Parsed<Constructor> {
        let name = self.ident("of a constructor")?;
        let mut fields = Vec::new();
        if !self.eat(TokenKind::LeftParen) {
            return Ok(Constructor { name, fields });
        }
        if self.peek_after(1) != TokenKind::Colon {
            return self.unsupported_fields();
        }
        loop {
            let name = self.ident("of a field")?;
            self.expect(TokenKind::Colon, "and the type of the field")?;
            let ty = self.ty()?;
            fields.push(Variable { name, ty, constant: false, clock: None });
            if !self.eat(TokenKind::Comma) && !self.eat(TokenKind::Semicolon) {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "after the fields of the constructor")?;
        Ok(Constructor { name, fields })
    }

    /// Whether a `match` expression begins here: `match` is a name too.
    fn at_match(&self) -> bool {
        use TokenKind::{Decimal, False, Identifier, If, Integer, Not, Pre, Quote, True};
        use TokenKind::{LeftBracket, LeftParen, Minus};
        if !self.is_word("match") {
            return false;
        }
        match self.peek_after(1) {
            Identifier => !matches!(self.word_after(1), "lsh" | "rsh" | "end" | "every"),
            If | Pre | Quote | Not | True | False | Integer | Decimal => true,
            LeftParen | LeftBracket | Minus => self.word_follows("with"),
            _ => false,
        }
    }

    /// Whether a word follows what stands behind the next token, in the same brackets.
    fn word_follows(&self, word: &str) -> bool {
        use TokenKind::{LeftBrace, LeftBracket, LeftParen, RightBrace, RightBracket, RightParen};
        const FAR: usize = 1000;
        let mut depth = 0usize;
        for token in self.tokens[self.at + 1..].iter().take(FAR) {
            match token.kind {
                LeftParen | LeftBracket | LeftBrace => depth += 1,
                RightParen | RightBracket | RightBrace if depth == 0 => return false,
                RightParen | RightBracket | RightBrace => depth -= 1,
                TokenKind::Tel => return false,
                // Inside of brackets these belong to records and to other `match`es.
                TokenKind::Semicolon | TokenKind::End if depth == 0 => return false,
                TokenKind::Identifier if depth == 0 && self.text[token.span.range()] == *word => {
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// Opens a `match` where one begins.
    pub(super) fn matching(&mut self) -> Option<Frame> {
        let steps = match self.word() {
            "match" if self.at_match() => Arms::Chosen,
            "case" if self.at_case() => Arms::All,
            _ => return None,
        };
        let start = self.bump().span;
        let matching = Matching { start, steps, value: None, arms: Vec::new(), pattern: None };
        Some(Frame::Match(Box::new(matching)))
    }

    /// What a `match` waited for is complete: the value that it takes apart, or that of an
    /// arm.
    pub(super) fn close_match(
        &mut self,
        stack: &mut Vec<Frame>,
        mut matching: Box<Matching>,
        found: ExprId,
    ) -> Parsed<State> {
        if matching.steps == Arms::All {
            return self.close_case(stack, matching, found);
        }
        if let Some(pattern) = matching.pattern.take() {
            matching.arms.push((pattern, found));
            if !self.eat(TokenKind::Bar) {
                return self.end_of_match(*matching);
            }
        } else {
            matching.value = Some(found);
            if !self.is_word("with") {
                return self.fail("an operator, or `with` and the arms of the `match`", None);
            }
            self.bump();
            self.eat(TokenKind::Bar);
        }
        matching.pattern = Some(self.pattern(0)?);
        self.expect(TokenKind::Colon, "and the value after the pattern")?;
        stack.push(Frame::Match(matching));
        Ok(State::Operand)
    }

    fn end_of_match(&mut self, matching: Matching) -> Parsed<State> {
        if !self.is_word("end") {
            let help = "a `match` goes to its `end`";
            return self.fail("an operator, `|` and another arm, or `end`", Some(help));
        }
        let end = self.bump().span;
        let Matching { start, value: Some(value), arms, .. } = matching else {
            return Err(Skipped);
        };
        Ok(State::Operator(self.push(ExprKind::Match(Arms::Chosen, value, arms), start.to(end))))
    }

    /// Whether a `case` expression begins here: `case` is a name too.
    fn at_case(&self) -> bool {
        matches!(self.peek_after(1), TokenKind::Identifier | TokenKind::LeftParen)
            && self.word_follows("of")
    }

    /// `case e of (A => a) (_ => b)`: what it goes by, or the value of an arm, is complete.
    fn close_case(
        &mut self,
        stack: &mut Vec<Frame>,
        mut case: Box<Matching>,
        found: ExprId,
    ) -> Parsed<State> {
        if let Some(pattern) = case.pattern.take() {
            self.expect(TokenKind::RightParen, "after the branch of `case`")?;
            case.arms.push((pattern, found));
            if self.peek() != TokenKind::LeftParen {
                let Matching { start, value: Some(value), arms, .. } = *case else {
                    return Err(Skipped);
                };
                let span = start.to(self.last_span());
                return Ok(State::Operator(
                    self.push(ExprKind::Match(Arms::All, value, arms), span),
                ));
            }
        } else {
            case.value = Some(found);
            if !self.is_word("of") {
                return self.fail("an operator, or `of` and the branches of `case`", None);
            }
            self.bump();
        }
        self.expect(TokenKind::LeftParen, "and the branches of `case`")?;
        // A name is a value of the type here, and never a variable.
        case.pattern = Some(match self.pattern(0)? {
            Pattern::Name(name) => Pattern::Fields(name, Vec::new()),
            other => other,
        });
        if !self.eat(TokenKind::Arrow) {
            self.expect(TokenKind::Implies, "and the value of the branch")?;
        }
        stack.push(Frame::Match(case));
        Ok(State::Operand)
    }

    /// `_`, `x`, `C` or `C(p, q)`
    fn pattern(&mut self, depth: usize) -> Parsed<Pattern> {
        use TokenKind::{Decimal, False, Integer, Minus, True};
        if depth > DEEPEST_PATTERN {
            let message = format!("patterns are nested at most {DEEPEST_PATTERN} deep");
            self.complain(Diagnostic::error(Code::Syntax, self.span(), message));
            return Err(Skipped);
        }
        if matches!(self.peek(), Integer | Decimal | Minus | True | False) {
            return self.unsupported_pattern();
        }
        let name = self.ident("of a constructor, or `_`")?;
        if self.peek() != TokenKind::LeftParen {
            return Ok(if &*name.name == "_" {
                Pattern::Any(name.span)
            } else {
                Pattern::Name(name)
            });
        }
        self.bump();
        let mut fields = vec![self.pattern(depth + 1)?];
        while self.eat(TokenKind::Comma) {
            fields.push(self.pattern(depth + 1)?);
        }
        self.expect(TokenKind::RightParen, "after the fields of the pattern")?;
        Ok(Pattern::Fields(name, fields))
    }

    /// `C?(`, from the mark on
    pub(super) fn tester(
        &mut self,
        stack: &mut Vec<Frame>,
        name: Ident,
        span: Span,
    ) -> Parsed<State> {
        self.bump();
        self.expect(TokenKind::LeftParen, "and the value that is tested")?;
        Ok(self.open(stack, Group::Tester(name), span))
    }

    /// `C?(e)`, its operand complete
    pub(super) fn tested(&mut self, name: Ident, mut list: Vec<ExprId>, span: Span) -> ExprId {
        let operand = match list.len() {
            1 => list.swap_remove(0),
            _ => self.push(ExprKind::Tuple(list), span),
        };
        self.push(ExprKind::Tester(name, operand), span)
    }
}

/// Whether a `|` ends the value of an arm: nothing but operators is open in it.
pub(super) fn ends_arm(stack: &[Frame]) -> bool {
    let open = stack.iter().rev().find(|frame| {
        !matches!(
            frame,
            Frame::Prefix(..)
                | Frame::Convert(..)
                | Frame::Infix(..)
                | Frame::If(..)
                | Frame::Then(..)
                | Frame::Else(..)
        )
    });
    matches!(open, Some(Frame::Match(_)))
}
