//! Lists of flows: inputs, outputs, locals. A group with a mistake is left out,
//! and the list is then known to be incomplete.

use crate::ast::{Ident, Item, Variable};
use crate::diagnostic::{Code, Diagnostic};
use crate::parser::{Parsed, Parser, Skipped};
use crate::token::TokenKind;

/// What a list of variables declares; for messages.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Role {
    Input,
    Output,
    Local,
}

impl Parser<'_> {
    /// `(a, b: int; c: bool)`. Whether all of it was read.
    pub(super) fn interface(&mut self, role: Role, list: &mut Vec<Variable>) -> Parsed<bool> {
        let what = match role {
            Role::Input => "and the inputs",
            _ => "and the outputs",
        };
        let mut whole = true;
        if self.expect(TokenKind::LeftParen, what).is_err() && !self.at_group() {
            self.skip_in_header(&[TokenKind::LeftParen, TokenKind::Returns]);
            if self.peek() == TokenKind::Returns && role == Role::Input {
                return Ok(false);
            }
            if !self.eat(TokenKind::LeftParen) {
                return Err(Skipped);
            }
        }
        if self.peek() != TokenKind::RightParen {
            whole &= self.groups(role, list);
        }
        if self.expect(TokenKind::RightParen, "after the declarations").is_err() {
            whole &= self.rest_of_interface(role, list);
        }
        Ok(whole)
    }

    /// What follows where a `)` was expected. Whether it could be read all the same.
    fn rest_of_interface(&mut self, role: Role, list: &mut Vec<Variable>) -> bool {
        let mut whole = true;
        if self.at_group() {
            // Only a `;` is missing.
            whole &= self.groups(role, list);
            if self.eat(TokenKind::RightParen) {
                return whole;
            }
        }
        let before = self.at;
        self.skip_in_header(&[TokenKind::RightParen, TokenKind::Returns, TokenKind::Semicolon]);
        whole &= before == self.at;
        if self.peek() == TokenKind::Semicolon && self.peek_after(1) == TokenKind::Identifier {
            self.bump();
            whole &= self.groups(role, list);
        }
        self.eat(TokenKind::RightParen);
        whole
    }

    /// `a, b: int; c: bool;`. Whether all of it was read.
    pub(super) fn locals(&mut self, list: &mut Vec<Variable>) -> bool {
        self.groups(Role::Local, list)
    }

    /// Whether a group of variables begins here.
    fn at_group(&self) -> bool {
        if self.peek() == TokenKind::Const {
            return self.peek_after(1) == TokenKind::Identifier;
        }
        let declares = |offset| {
            self.peek_after(offset) == TokenKind::Identifier
                && matches!(self.peek_after(offset + 1), TokenKind::Colon | TokenKind::Comma)
        };
        declares(0) || self.is_word("clock") && declares(1)
    }

    /// Whether flows in parentheses stand here, with `when` behind them.
    fn at_clocked_groups(&self) -> bool {
        if self.peek() != TokenKind::LeftParen {
            return false;
        }
        let mut depth = 0usize;
        for offset in 0.. {
            match self.peek_after(offset) {
                TokenKind::LeftParen => depth += 1,
                TokenKind::RightParen => depth -= 1,
                TokenKind::Equal | TokenKind::Let | TokenKind::Tel | TokenKind::End => {
                    return false;
                }
                _ => {}
            }
            if depth == 0 {
                return self.peek_after(offset + 1) == TokenKind::When;
            }
        }
        false
    }

    /// `(a: bool; b, c: int) when d`, as Lustre V4 and V6 have it: each of them is on that
    /// clock, unless it says otherwise itself.
    fn clocked_groups(&mut self, role: Role, list: &mut Vec<Variable>) -> Parsed<()> {
        self.bump();
        let first = list.len();
        let mut whole = true;
        loop {
            if self.peek() == TokenKind::LeftParen {
                return self.fail("a name of a flow", Some("groups have no groups in them"));
            }
            if self.group(role, list).is_err() {
                whole = false;
                self.skip_in_header(&[
                    TokenKind::Semicolon,
                    TokenKind::RightParen,
                    TokenKind::Returns,
                ]);
            }
            if !self.eat(TokenKind::Semicolon) || self.peek() == TokenKind::RightParen {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "after the flows of the group")?;
        if self.peek() != TokenKind::When {
            return self.fail("`when` and the clock of the group", None);
        }
        let clock = self.declared_clock()?;
        for variable in &mut list[first..] {
            variable.clock = variable.clock.take().or_else(|| clock.clone());
        }
        if whole { Ok(()) } else { Err(Skipped) }
    }

    /// Whether the word stands here that ends the flows of a part of a block.
    fn at_do(&self) -> bool {
        self.depth > 0 && (self.is_word("do") || self.is_word("in")) && !self.at_group()
    }

    /// `a, b: int; c: bool`; for locals each group ends with a `;`.
    fn groups(&mut self, role: Role, list: &mut Vec<Variable>) -> bool {
        let mut whole = true;
        loop {
            let before = list.len();
            let read = self.group(role, list);
            let ended = match role {
                _ if read.is_err() => false,
                Role::Local => {
                    self.expect(TokenKind::Semicolon, "after the declaration").is_ok()
                        || self.at_group()
                        || self.ends_header()
                }
                _ => true,
            };
            if !ended {
                whole = false;
                // What is skipped may be a part of the type.
                let unknown = self.type_that_is_missing();
                list[before..].iter_mut().for_each(|v| v.ty.clone_from(&unknown));
                self.skip_group_of_variables(role);
            }
            let more = match role {
                Role::Local => {
                    // Where `let` is missing, equations follow.
                    (self.peek() == TokenKind::Identifier || self.at_clocked_groups())
                        && !self.at_equation()
                        && !self.at_do()
                        && (ended || self.at_group())
                }
                _ => {
                    (self.eat(TokenKind::Semicolon) || self.eat_comma_between_groups())
                        && self.peek() != TokenKind::RightParen
                        && (ended || self.at_group())
                }
            };
            if !more {
                return whole;
            }
        }
    }

    /// `a: int, b: int`, as most languages write it: said, and read as it was meant.
    fn eat_comma_between_groups(&mut self) -> bool {
        let declares = self.peek_after(1) == TokenKind::Identifier
            && matches!(self.peek_after(2), TokenKind::Colon | TokenKind::Comma);
        if self.peek() != TokenKind::Comma || !declares {
            return false;
        }
        let message = "expected `;` between declarations, found `,`";
        let diagnostic = Diagnostic::error(Code::Syntax, self.span(), message);
        let help = "write `;` here: a comma joins flows of one type, as in `a, b: int; c: bool`";
        self.complain(diagnostic.help(help));
        self.bump();
        true
    }

    /// Skips what is left of a group with a mistake.
    fn skip_group_of_variables(&mut self, role: Role) {
        let stops = match role {
            Role::Local => &[TokenKind::Semicolon][..],
            _ => &[TokenKind::Semicolon, TokenKind::RightParen, TokenKind::Returns],
        };
        self.skip_in_header(stops);
        if role == Role::Local {
            self.eat(TokenKind::Semicolon);
        }
    }

    /// `a, b: int`
    fn group(&mut self, role: Role, list: &mut Vec<Variable>) -> Parsed<()> {
        if self.at_clocked_groups() {
            return self.clocked_groups(role, list);
        }
        let constant = self.peek() == TokenKind::Const;
        if constant {
            let span = self.bump().span;
            if role != Role::Input {
                self.diagnostics.push(Diagnostic::unsupported(span, "constants among flows"));
            }
        }
        let context = match role {
            Role::Input => "of an input",
            Role::Output => "of an output",
            Role::Local => "of a local flow",
        };
        // Heptagon: `last x: int = 0`
        if self.is_word("clock") && self.peek_after(1) == TokenKind::Identifier {
            // SCADE's mark for what may be the clock of others, as any flow may.
            self.bump();
        }
        let last = self.is_word("last") && self.peek_after(1) == TokenKind::Identifier;
        if last {
            self.bump();
        }
        let mut names = vec![self.ident(context)?];
        while self.eat(TokenKind::Comma) {
            names.push(self.ident(context)?);
        }
        let colon = self.expect(TokenKind::Colon, "and the type");
        let typed = match colon {
            Err(Skipped) if !self.at_simple_type() => Err(Skipped),
            _ => self.type_of(&names),
        };
        let ty = match &typed {
            Ok(ty) => ty.clone(),
            Err(Skipped) => self.type_that_is_missing(),
        };
        self.skip_location();
        let clock = if typed.is_ok() { self.declared_clock() } else { Ok(None) };
        let known = clock.as_ref().ok().cloned().flatten();
        let given = if typed.is_ok() && role != Role::Input {
            self.declared_last(&names, last).and_then(|()| self.unsupported_default())
        } else {
            Ok(())
        };
        let variable = |name| Variable { name, ty: ty.clone(), constant, clock: known.clone() };
        list.extend(names.into_iter().map(variable));
        typed?;
        given?;
        clock.map(|_| ())
    }

    /// `= e` behind the type of a flow that is marked `last`, or `last = e` (SCADE): what it is
    /// before the first step.
    fn declared_last(&mut self, names: &[Ident], marked: bool) -> Parsed<()> {
        let behind = self.is_word("last");
        if behind {
            self.bump();
        } else if !marked || self.peek() != TokenKind::Equal {
            return Ok(());
        }
        let equal = self.expect(TokenKind::Equal, "and the last value of the flow");
        let value = equal.and_then(|_| self.expr());
        let value = value.inspect_err(|_| self.node_gaps.body = true)?;
        for name in names {
            self.lasts.push(Item::Last(name.clone(), value, name.span));
        }
        Ok(())
    }

    fn at_simple_type(&self) -> bool {
        matches!(self.peek(), TokenKind::Bool | TokenKind::Int | TokenKind::Real)
    }
}
