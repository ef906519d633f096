//! Machine integers: conversions to them, and operators on their bits.

use lustral_base::sort::BitVec;
use lustral_syntax::Span;
use lustral_syntax::ast::BinaryOp as A;
use lustral_syntax::diagnostic::{Code, Diagnostic};
use num_bigint::BigInt;

use super::{Components, Resolver};
use crate::program::{ExprId, ExprKind, UnaryOp};
use crate::types::Type;

impl Resolver<'_> {
    /// `uint8 e`
    pub(super) fn convert(&mut self, to: BitVec, list: Vec<ExprId>, span: Span) -> Components {
        let [operand] = list[..] else {
            return self.several(&to.conversion(), list.len(), span);
        };
        match self.scope.exprs[operand].ty {
            Type::Machine(from) if from.is_signed() == to.is_signed() => {}
            Type::Machine(from) => {
                let message = format!("`{}` does not convert from {from}", to.conversion());
                let help = format!("convert to int in between: `{} int …`", to.conversion());
                let place = self.scope.exprs[operand].span;
                self.push(Diagnostic::error(Code::Type, place, message).help(help));
                return None;
            }
            _ => {
                let place = format!("`{}`", to.conversion());
                if !self.expect(operand, &Type::Int, &place) {
                    return None;
                }
                self.warn_of_overflow(to, operand);
            }
        }
        Some(self.scalar(ExprKind::Unary(UnaryOp::ToMachine(to), operand), Type::Machine(to), span))
    }

    /// Warns where a number as written is none of the type.
    fn warn_of_overflow(&mut self, to: BitVec, operand: ExprId) {
        let exprs = &self.scope.exprs;
        let number = match &exprs[operand].kind {
            ExprKind::Unary(UnaryOp::Minus, inner) => self.written(*inner).map(|n| -n),
            _ => self.written(operand),
        };
        let Some(number) = number else { return };
        let [low, high] = to.range();
        // An index goes through all its values, whether they are used or not.
        if low <= number && number <= high || !self.scope.bindings.is_empty() {
            return;
        }
        let read = to.number(&to.wrap(&number));
        let message = format!("{number} is no number of {to}");
        self.push(
            Diagnostic::warning(Code::Overflow, exprs[operand].span, message)
                .label(format!("read as {read}"))
                .note(format!(
                    "the numbers of {to} are {low} to {high}, and all others wrap around"
                )),
        );
    }

    /// `x[high:low]`
    pub(super) fn bits(
        &mut self,
        word: Vec<ExprId>,
        [high, low]: [Vec<ExprId>; 2],
        span: Span,
    ) -> Components {
        let [word] = word[..] else { return self.several("[…:…]", word.len(), span) };
        let width = self.unsigned("`[…:…]`", word)?.width();
        let mut position = |list: Vec<ExprId>| {
            let [bit] = list[..] else {
                return self.several("[…:…]", list.len(), span).map(|_| 0);
            };
            if !self.expect(bit, &Type::Int, "the number of a bit") {
                return None;
            }
            let known = self.known_int(bit).and_then(|n| u16::try_from(n).ok());
            let known = known.filter(|bit| *bit < width);
            if known.is_none() {
                let message = format!("the number of a bit is a constant from 0 to {}", width - 1);
                let place = self.scope.exprs[bit].span;
                self.push(Diagnostic::error(Code::Index, place, message));
            }
            known
        };
        let (high, low) = (position(high), position(low));
        let (high, low) = (high?, low?);
        if high < low {
            let message = format!("there are no bits from {high} down to {low}");
            self.push(
                Diagnostic::error(Code::Index, span, message).help("the highest bit comes first"),
            );
            return None;
        }
        let shape = BitVec::unsigned(high - low + 1);
        let kind = ExprKind::Unary(UnaryOp::Bits { high, low }, word);
        Some(self.scalar(kind, Type::Machine(shape), span))
    }

    /// The type of what an operator on bits makes of two operands.
    pub(super) fn bitwise_type(&mut self, op: A, a: ExprId, b: ExprId) -> Option<Type> {
        let place = format!("`{}`", op.as_str());
        match op {
            A::Join => {
                let (left, right) = (self.unsigned(&place, a), self.unsigned(&place, b));
                let width = left?.width() + right?.width();
                if width > BitVec::MAX_WIDTH {
                    let span = self.scope.exprs[a].span.to(self.scope.exprs[b].span);
                    let most = BitVec::MAX_WIDTH;
                    let message = format!("a machine integer has at most {most} bits, not {width}");
                    self.push(Diagnostic::error(Code::Type, span, message));
                    return None;
                }
                Some(Type::Machine(BitVec::unsigned(width)))
            }
            A::ShiftLeft | A::ShiftRight => {
                let shape = self.machine(&place, a)?;
                let amount = Type::Machine(BitVec::unsigned(shape.width()));
                let good = self.expect(b, &amount, &format!("a shift of {shape}"));
                good.then_some(Type::Machine(shape))
            }
            _ => {
                let both = [a, b].map(|id| self.scope.exprs[id].ty.machine());
                if both == [None, None] {
                    return self.no_bits(op, a, b);
                }
                let (left, right) = (self.machine(&place, a), self.machine(&place, b));
                left.zip(right)?;
                self.same_type(op.as_str(), a, b)
            }
        }
    }

    /// `&&` or `||` of two that have no bits: a habit from other languages.
    fn no_bits(&mut self, op: A, a: ExprId, b: ExprId) -> Option<Type> {
        let (left, right) = (&self.scope.exprs[a], &self.scope.exprs[b]);
        let (span, ty) = (left.span.to(right.span), left.ty.clone());
        let (written, meant) = (op.as_str(), if op == A::BitAnd { "and" } else { "or" });
        let found = self.show(&ty);
        let message = format!("`{written}` takes machine integers, this begins with {found}");
        self.push(
            Diagnostic::error(Code::Type, span, message)
                .note(format!("`{written}` works on bits, and binds more than `+` and `=`"))
                .help(format!("of truth values write `{meant}`")),
        );
        None
    }

    /// The shape of an operand that must be a machine integer; reports if it is none.
    pub(super) fn machine(&mut self, place: &str, operand: ExprId) -> Option<BitVec> {
        let found = &self.scope.exprs[operand];
        if let Type::Machine(shape) = found.ty {
            return Some(shape);
        }
        let (span, ty) = (found.span, found.ty.clone());
        let message = format!("{place} takes machine integers, this is {}", self.show(&ty));
        let mut diagnostic = Diagnostic::error(Code::Type, span, message);
        diagnostic = match (place, ty) {
            ("`!`", Type::Bool) => diagnostic.help("of truth values write `not`"),
            (_, Type::Int | Type::Subrange(_)) => {
                diagnostic.help("write with its type how many bits it has: `uint8 …`")
            }
            _ => diagnostic,
        };
        self.push(diagnostic);
        None
    }

    /// The same of one that must have no sign.
    fn unsigned(&mut self, place: &str, operand: ExprId) -> Option<BitVec> {
        let shape = self.machine(place, operand)?;
        if !shape.is_signed() {
            return Some(shape);
        }
        let wanted = BitVec::unsigned(shape.width());
        let message = format!("{place} takes machine integers without a sign, this is {shape}");
        let help = format!("convert it: `{} int …`", wanted.conversion());
        let span = self.scope.exprs[operand].span;
        self.push(Diagnostic::error(Code::Type, span, message).help(help));
        None
    }

    /// The number of an operand that is a constant as written.
    pub(super) fn written(&self, operand: ExprId) -> Option<BigInt> {
        let mut shapes = Vec::new();
        let mut at = operand;
        while let ExprKind::Unary(UnaryOp::ToMachine(shape), inner) = &self.scope.exprs[at].kind {
            shapes.push(*shape);
            at = *inner;
        }
        let (ExprKind::Int(n) | ExprKind::Machine(_, n)) = &self.scope.exprs[at].kind else {
            return None;
        };
        let convert = |n: BigInt, shape: BitVec| shape.number(&shape.wrap(&n));
        Some(shapes.into_iter().rev().fold(n.clone(), convert))
    }
}
