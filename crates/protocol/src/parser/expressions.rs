//! Expressions. How tightly operators bind, loosest first: `<->`, `->`, `|`, `&`, `=` and `!=`,
//! `!`. What follows a quantifier, `else` or `in` goes as far as it can. `&` and `|` may stand
//! before the first operand too, as in lists that are written one line each.

use lustral_first_order::DEEPEST;
use lustral_syntax::diagnostic::Code;
use lustral_syntax::{Diagnostic, Span};

use super::{Parsed, Parser};
use crate::ast::{Binary, Expr, ExprKind, Name};
use crate::token::Kind;

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Iff,
    Implies,
    Or,
    And,
    Equal,
    Operand,
}

impl Level {
    fn tighter(self) -> Level {
        match self {
            Level::Iff => Level::Implies,
            Level::Implies => Level::Or,
            Level::Or => Level::And,
            Level::And => Level::Equal,
            Level::Equal | Level::Operand => Level::Operand,
        }
    }
}

impl Parser<'_, '_> {
    /// An expression.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.at_level(Level::Iff)
    }

    fn at_level(&mut self, level: Level) -> Parsed<Expr> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let span = self.peek().span;
            return Err(self.wrong(
                Diagnostic::error(Code::Syntax, span, "the formula is nested too deeply")
                    .help("give parts of it names, as derived relations"),
            ));
        }
        let first = self.operand();
        let parsed = first.and_then(|first| self.rest(first, level));
        self.depth -= 1;
        parsed
    }

    /// What follows an operand, as far as operators bind at least so tightly.
    fn rest(&mut self, first: Expr, level: Level) -> Parsed<Expr> {
        let mut left = first;
        // Operators that do not associate, of the expression so far.
        let mut last = None;
        while let Some((own, operator)) = self.operator().filter(|(own, _)| *own >= level) {
            let place = self.next().span;
            if last == Some(own) && matches!(own, Level::Iff | Level::Equal) {
                let message = format!("`{operator}` twice in a row has no meaning");
                return Err(self.wrong(
                    Diagnostic::error(Code::Syntax, place, message)
                        .help("write parentheses around one of them"),
                ));
            }
            last = Some(own);
            // An implication groups to the right, all others to the left.
            let right = match own {
                Level::Implies => self.at_level(Level::Implies)?,
                _ => self.at_level(own.tighter())?,
            };
            left = joined(left, operator, right);
        }
        Ok(left)
    }

    fn operator(&self) -> Option<(Level, &'static str)> {
        let token = self.peek();
        if token.kind != Kind::Sign {
            return None;
        }
        Some(match token.text {
            "<->" => (Level::Iff, "<->"),
            "->" => (Level::Implies, "->"),
            "|" => (Level::Or, "|"),
            "&" => (Level::And, "&"),
            "=" => (Level::Equal, "="),
            "!=" => (Level::Equal, "!="),
            _ => return None,
        })
    }

    fn operand(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        let start = token.span;
        match (token.kind, token.text) {
            (Kind::Name, _) => self.application(),
            (Kind::Sign, "(") => {
                self.next();
                let mut inner = self.expression()?;
                let Some(end) = self.take(")") else {
                    let wrong = self.about_next("expected `)` at the end of what began with `(`");
                    return Err(self.wrong(wrong.also(start, "it begins here")));
                };
                inner.span = start.to(end);
                Ok(inner)
            }
            (Kind::Sign, "!") => {
                self.next();
                let inner = self.at_level(Level::Operand)?;
                let span = start.to(inner.span);
                Ok(Expr { kind: ExprKind::Not(Box::new(inner)), span })
            }
            (Kind::Sign, "&") => {
                self.next();
                self.at_level(Level::Equal)
            }
            (Kind::Sign, "|") => {
                self.next();
                self.at_level(Level::And)
            }
            (Kind::Word, word @ ("true" | "false")) => {
                self.next();
                Ok(Expr { kind: ExprKind::Constant(word == "true"), span: start })
            }
            (Kind::Word, word @ ("forall" | "exists")) => self.quantified(start, word),
            (Kind::Word, "if") => self.choice(start),
            (Kind::Word, "let") => self.local(start),
            (Kind::Word, "distinct") => {
                self.next();
                let (arguments, end) = self.arguments()?;
                Ok(Expr { kind: ExprKind::Distinct(arguments), span: start.to(end) })
            }
            (Kind::Word, "new") => {
                self.next();
                self.expect("(", "after `new`")?;
                let inner = self.expression()?;
                let end = self.expect(")", "at the end of `new(`")?;
                Ok(Expr { kind: ExprKind::New(Box::new(inner)), span: start.to(end) })
            }
            (Kind::Word, "old") => {
                Err(self.wrong(Diagnostic::unsupported(start, "values of `old`").help(
                    "outside of `new(…)` everything is that of the state before the transition",
                )))
            }
            _ => Err(self.unexpected("expected a formula or a term")),
        }
    }

    /// A name, perhaps with arguments.
    fn application(&mut self) -> Parsed<Expr> {
        let token = self.next();
        let name = Name { text: token.text.to_string(), span: token.span };
        if !self.is("(") {
            return Ok(Expr { kind: ExprKind::Apply(name, Vec::new()), span: token.span });
        }
        let (arguments, end) = self.arguments()?;
        Ok(Expr { kind: ExprKind::Apply(name, arguments), span: token.span.to(end) })
    }

    fn arguments(&mut self) -> Parsed<(Vec<Expr>, Span)> {
        self.expect("(", "before the arguments")?;
        if let Some(end) = self.take(")") {
            return Ok((Vec::new(), end));
        }
        let arguments = self.list(Parser::expression)?;
        let end = self.expect(")", "after the arguments")?;
        Ok((arguments, end))
    }

    fn quantified(&mut self, start: Span, word: &str) -> Parsed<Expr> {
        self.next();
        let variables = self.list(|this| this.binder("a variable"))?;
        self.expect(".", &format!("after the variables of `{word}`"))?;
        let body = self.expression()?;
        let span = start.to(body.span);
        let kind = ExprKind::Quantified(word == "forall", variables, Box::new(body));
        Ok(Expr { kind, span })
    }

    fn choice(&mut self, start: Span) -> Parsed<Expr> {
        self.next();
        let condition = self.expression()?;
        self.expect("then", "after the condition of `if`")?;
        let then = self.expression()?;
        self.expect("else", "after what holds if the condition does")?;
        let otherwise = self.expression()?;
        let span = start.to(otherwise.span);
        Ok(Expr { kind: ExprKind::If(Box::new((condition, then, otherwise))), span })
    }

    fn local(&mut self, start: Span) -> Parsed<Expr> {
        self.next();
        let variable = self.binder("a variable")?;
        self.expect("=", "after the variable of `let`")?;
        let value = self.expression()?;
        self.expect("in", "after the value of the variable")?;
        let body = self.expression()?;
        let span = start.to(body.span);
        Ok(Expr { kind: ExprKind::Let(variable, Box::new((value, body))), span })
    }
}

/// Two operands and what stands between them; a row of `&` or `|` is one expression. (In a row
/// of the right operand, which is in parentheses, the grouping is the same.)
fn joined(left: Expr, operator: &str, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    let binary = |binary, left, right| ExprKind::Binary(binary, Box::new((left, right)));
    let kind = match (operator, left) {
        ("&", Expr { kind: ExprKind::And(mut list), .. }) => {
            list.push(right);
            ExprKind::And(list)
        }
        ("|", Expr { kind: ExprKind::Or(mut list), .. }) => {
            list.push(right);
            ExprKind::Or(list)
        }
        ("&", left) => ExprKind::And(vec![left, right]),
        ("|", left) => ExprKind::Or(vec![left, right]),
        ("->", left) => binary(Binary::Implies, left, right),
        ("<->", left) => binary(Binary::Iff, left, right),
        ("=", left) => binary(Binary::Equal, left, right),
        (_, left) => binary(Binary::NotEqual, left, right),
    };
    Expr { kind, span }
}
