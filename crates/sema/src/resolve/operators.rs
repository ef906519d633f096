//! Operators on single values.

use lustral_syntax::Span;
use lustral_syntax::ast::{self, BinaryOp as A};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use num_bigint::BigInt;

use super::expressions::count;
use super::{Components, Resolver};
use crate::program::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::types::{Type, Value};

impl Resolver<'_> {
    pub(super) fn unary(&mut self, op: ast::UnaryOp, list: Vec<ExprId>, span: Span) -> Components {
        if op == ast::UnaryOp::Pre {
            return self.delay(list, span);
        }
        if op == ast::UnaryOp::Current {
            return self.current(list, span);
        }
        let [operand] = list[..] else {
            return self.several(op.as_str(), list.len(), span);
        };
        let ty = self.scope.exprs[operand].ty.clone();
        let real = ty == Type::Real;
        if op == ast::UnaryOp::BitNot {
            self.machine("`!`", operand)?;
        }
        let (kind, wanted, result) = match op {
            ast::UnaryOp::BitNot => (UnaryOp::BitNot, ty.clone(), ty),
            ast::UnaryOp::Minus if ty.machine().is_some() => (UnaryOp::Minus, ty.clone(), ty),
            ast::UnaryOp::Int if ty.machine().is_some() => (UnaryOp::ToInt, ty, Type::Int),
            ast::UnaryOp::Not => (UnaryOp::Not, Type::Bool, Type::Bool),
            ast::UnaryOp::Minus if real => (UnaryOp::Minus, Type::Real, Type::Real),
            ast::UnaryOp::Minus => (UnaryOp::Minus, Type::Int, Type::Int),
            ast::UnaryOp::Int => (UnaryOp::Floor, Type::Real, Type::Int),
            ast::UnaryOp::Real => (UnaryOp::ToReal, Type::Int, Type::Real),
            ast::UnaryOp::Pre | ast::UnaryOp::Current => unreachable!("handled above"),
        };
        let good = self.expect(operand, &wanted, &format!("`{}`", op.as_str()));
        good.then(|| self.scalar(ExprKind::Unary(kind, operand), result, span))
    }

    pub(super) fn several(&mut self, op: &str, found: usize, span: Span) -> Components {
        let message = format!("`{op}` takes one value, this has {}", count(found, "value"));
        self.push(Diagnostic::error(Code::Arity, span, message));
        None
    }

    /// `#(a, b, c)`
    pub(super) fn at_most_one(&mut self, list: Vec<ExprId>, span: Span) -> Components {
        let good = list.iter().all(|operand| self.expect(*operand, &Type::Bool, "`#`"));
        good.then(|| self.scalar(ExprKind::AtMostOne(list), Type::Bool, span))
    }

    pub(super) fn binary(
        &mut self,
        op: A,
        a: Vec<ExprId>,
        b: Vec<ExprId>,
        span: Span,
    ) -> Components {
        let kind = match (op, combinational(op)) {
            // Written out below.
            (A::In, _) => BinaryOp::Equal,
            (A::Concatenate, _) => return self.concatenation(a, b, span),
            (_, Some(kind)) => kind,
            (_, None) => return self.initialised(op, a, b, span),
        };
        if matches!(op, A::Equal | A::NotEqual) && a.len() == b.len() && a.len() > 1 {
            return self.same_lists(kind, a, b, span);
        }
        if matches!(op, A::Equal | A::NotEqual) && a.is_empty() && b.is_empty() {
            let equal = op == A::Equal;
            let message = format!("both sides have no values, so this is always {equal}");
            self.push(Diagnostic::warning(Code::Unused, span, message));
            return Some(self.scalar(ExprKind::Bool(equal), Type::Bool, span));
        }
        let ([a], [b]) = (&a[..], &b[..]) else {
            let found = if a.len() == 1 { b.len() } else { a.len() };
            return self.several(op.as_str(), found, span);
        };
        let (mut a, mut b) = (*a, *b);
        if let Some(made) = self.of_sets(op, a, b, span) {
            return made;
        }
        if op == A::In {
            return self.is_in(a, b, span).map(|found| vec![found]);
        }
        let ty = self.result_type(op, a, b)?;
        if matches!(op, A::Equal | A::NotEqual) {
            [a, b] = self.compared([a, b], span)?;
        }
        if op.divides() {
            self.warn_zero(b);
            if ty.machine().is_some() {
                let kind = if op == A::Mod { BinaryOp::Mod } else { BinaryOp::Div };
                return Some(self.scalar(ExprKind::Binary(kind, a, b), ty, span));
            }
            if ty.is_int() {
                let op = if kind == BinaryOp::Mod { kind } else { BinaryOp::Div };
                if kind == BinaryOp::Divide {
                    self.warn_of_division(span);
                }
                return Some(self.divide_ints(op, a, b, span));
            }
        }
        Some(self.scalar(ExprKind::Binary(kind, a, b), ty, span))
    }

    /// `(a, b) = (c, d)`, or `<>`
    fn same_lists(
        &mut self,
        kind: BinaryOp,
        a: Vec<ExprId>,
        b: Vec<ExprId>,
        span: Span,
    ) -> Components {
        let combine = if kind == BinaryOp::Equal { BinaryOp::And } else { BinaryOp::Or };
        let mut all = None;
        for (a, b) in a.into_iter().zip(b) {
            self.same_type(if kind == BinaryOp::Equal { "=" } else { "<>" }, a, b)?;
            let [a, b] = self.compared([a, b], span)?;
            let exprs = &mut self.scope.exprs;
            let one = exprs.push(ExprKind::Binary(kind, a, b), Type::Bool, span);
            all = Some(match all {
                Some(others) => {
                    exprs.push(ExprKind::Binary(combine, others, one), Type::Bool, span)
                }
                None => one,
            });
        }
        all.map(|all| vec![all])
    }

    /// The type of what an operator makes of two operands; reports if they do
    /// not have the types that it takes.
    fn result_type(&mut self, op: A, a: ExprId, b: ExprId) -> Option<Type> {
        let machine = |id: ExprId| self.scope.exprs[id].ty.machine().is_some();
        match op {
            _ if op.is_bitwise() => self.bitwise_type(op, a, b),
            _ if op.divides() && (machine(a) || machine(b)) => self.same_type(op.as_str(), a, b),
            _ if op.is_logical() => self.both(op, a, b, Type::Bool),
            A::Equal | A::NotEqual => self.same_type(op.as_str(), a, b).map(|_| Type::Bool),
            A::Div | A::Mod => {
                let (left, right) = (&self.scope.exprs[a].ty, &self.scope.exprs[b].ty);
                if op == A::Div && *left == Type::Real && *right == Type::Real {
                    let message = "`div` takes ints, these are reals";
                    return self.other_division(a, b, message, "reals are divided with `/`");
                }
                self.both(op, a, b, Type::Int)
            }
            A::Divide => {
                let (left, right) = (&self.scope.exprs[a].ty, &self.scope.exprs[b].ty);
                let ty = if left.is_int() && right.is_int() { Type::Int } else { Type::Real };
                self.both(op, a, b, ty)
            }
            A::Less | A::LessEqual | A::Greater | A::GreaterEqual => {
                self.numbers(op, a, b).map(|_| Type::Bool)
            }
            A::Plus | A::Minus | A::Times => self.numbers(op, a, b),
            A::And
            | A::AndThen
            | A::Or
            | A::OrElse
            | A::Xor
            | A::Implies
            | A::LazyImplies
            | A::Arrow
            | A::Fby
            | A::Concatenate
            | A::In
            | A::Join
            | A::BitOr
            | A::BitAnd
            | A::ShiftLeft
            | A::ShiftRight => unreachable!("handled above, or not on single values"),
        }
    }

    /// Both operands must have one type, which is that of the result.
    fn both(&mut self, op: A, a: ExprId, b: ExprId, ty: Type) -> Option<Type> {
        let place = format!("`{}`", op.as_str());
        let left = self.expect(a, &ty, &place);
        let right = self.expect(b, &ty, &place);
        (left && right).then_some(ty)
    }

    /// Both operands must be ints, or reals, or machine integers of one type.
    fn numbers(&mut self, op: A, a: ExprId, b: ExprId) -> Option<Type> {
        match self.same_type(op.as_str(), a, b)? {
            ty @ (Type::Real | Type::Machine(_)) => Some(ty),
            ty if ty.is_int() => Some(Type::Int),
            ty => {
                let span = self.scope.exprs[a].span.to(self.scope.exprs[b].span);
                let found = self.show(&ty);
                let message = format!("`{}` takes numbers, these are {found}", op.as_str());
                let mut diagnostic = Diagnostic::error(Code::Type, span, message);
                if let Some(help) = element_by_element(op.as_str(), &ty) {
                    diagnostic = diagnostic.help(help);
                }
                self.push(diagnostic);
                None
            }
        }
    }

    /// Says that `/` on integers is not the same everywhere, unless the dialect is
    /// known.
    fn warn_of_division(&mut self, span: Span) {
        if self.ast.reading().certain || std::mem::replace(&mut self.warned_of_division, true) {
            return;
        }
        let message = "`/` on ints is not the same in all dialects";
        self.push(
            Diagnostic::warning(Code::Dialect, span, message)
                .label("read as `div`: the remainder is never negative")
                .note("lustrec, Lustre V6 and Vélus round the quotient towards zero, as C does")
                .help("write `div`, or name the dialect: `--dialect`"),
        );
    }

    /// The quotient or remainder of integers, as the dialect rounds it.
    fn divide_ints(&mut self, op: BinaryOp, a: ExprId, b: ExprId, span: Span) -> Vec<ExprId> {
        if self.ast.reading().dialect.truncates() {
            return self.truncated(op, a, b, span);
        }
        self.scalar(ExprKind::Binary(op, a, b), Type::Int, span)
    }

    fn other_division(&mut self, a: ExprId, b: ExprId, message: &str, help: &str) -> Option<Type> {
        let span = self.scope.exprs[a].span.to(self.scope.exprs[b].span);
        self.push(Diagnostic::error(Code::Type, span, message).help(help));
        None
    }

    /// Warns where the divisor is a constant that is zero: the quotient is unspecified.
    fn warn_zero(&mut self, divisor: ExprId) {
        let zero = match &self.scope.exprs[divisor].kind {
            ExprKind::Real(r) => *r.numer() == BigInt::ZERO,
            ExprKind::Const(id) if !self.env.unknown_consts[id.index()] => {
                match &self.env.const_values[id.index()][..] {
                    [Value::Int(n) | Value::Machine(_, n)] => *n == BigInt::ZERO,
                    [Value::Real(r)] => *r.numer() == BigInt::ZERO,
                    _ => false,
                }
            }
            _ => self.written(divisor) == Some(BigInt::ZERO),
        };
        // An index goes through all its values, whether they are used or not.
        if zero && self.scope.bindings.is_empty() {
            let span = self.scope.exprs[divisor].span;
            let message = "division by a constant that is zero";
            let note = if self.scope.exprs[divisor].ty.machine().is_some() {
                "the quotient is all ones, or 1 if the dividend is negative, and the remainder is \
                 the dividend"
            } else {
                "the result is some value, the same for the same dividend, and nothing else is \
                 known of it"
            };
            self.push(
                Diagnostic::warning(Code::DivisionByZero, span, message)
                    .label("this is zero")
                    .note(note),
            );
        }
    }
}

/// The operator of one step on scalars that a written operator is.
fn combinational(op: A) -> Option<BinaryOp> {
    Some(match op {
        A::And | A::AndThen => BinaryOp::And,
        A::Or | A::OrElse => BinaryOp::Or,
        A::Xor => BinaryOp::Xor,
        A::Implies | A::LazyImplies => BinaryOp::Implies,
        A::Equal => BinaryOp::Equal,
        A::NotEqual => BinaryOp::NotEqual,
        A::Less => BinaryOp::Less,
        A::LessEqual => BinaryOp::LessEqual,
        A::Greater => BinaryOp::Greater,
        A::GreaterEqual => BinaryOp::GreaterEqual,
        A::Plus => BinaryOp::Plus,
        A::Minus => BinaryOp::Minus,
        A::Times => BinaryOp::Times,
        A::Divide => BinaryOp::Divide,
        A::Div => BinaryOp::Div,
        A::Mod => BinaryOp::Mod,
        A::Join => BinaryOp::Join,
        A::BitOr => BinaryOp::BitOr,
        A::BitAnd => BinaryOp::BitAnd,
        A::ShiftLeft => BinaryOp::ShiftLeft,
        A::ShiftRight => BinaryOp::ShiftRight,
        A::Arrow | A::Fby | A::Concatenate | A::In => return None,
    })
}

/// What to write for an operator on arrays, which works on their elements in Lustre V4.
pub(super) fn element_by_element(op: &str, ty: &Type) -> Option<String> {
    let Type::Array(array) = ty else { return None };
    let n = array.length;
    Some(format!("element by element it is `map<<{op}, {n}>>(…)`, or `c[i] = …;` of each element"))
}
