//! Functions that no program declares: `floor` of JKind, and what `#open <conv>`
//! brings with lustrec. And the division of C, which rounds towards zero. All are made of
//! operators that there are.

use lustral_syntax::Span;
use lustral_syntax::ast::Ident;
use lustral_syntax::diagnostic::{Code, Diagnostic};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::expressions::count;
use super::{Components, Resolver};
use crate::program::{BinaryOp, ExprId, ExprKind, Function, LIBRARY, UnaryOp};
use crate::types::Type;

/// A function of one number or truth value.
#[derive(Clone, Copy, PartialEq)]
enum Conversion {
    ToReal,
    /// The next integer below.
    Floor,
    /// The next integer above.
    Ceiling,
    /// Towards zero.
    Truncate,
    /// To the nearest integer; of two, that away from zero.
    Round,
    Absolute,
    /// 1 for true, 0 for false.
    OneOrZero(Number),
    /// Whether it is not zero.
    IsNotZero(Number),
}

#[derive(Clone, Copy, PartialEq)]
enum Number {
    Int,
    Real,
}

impl Number {
    fn ty(self) -> Type {
        match self {
            Number::Int => Type::Int,
            Number::Real => Type::Real,
        }
    }

    fn literal(self, value: i32) -> ExprKind {
        match self {
            Number::Int => ExprKind::Int(BigInt::from(value)),
            Number::Real => ExprKind::Real(BigRational::from_integer(BigInt::from(value))),
        }
    }
}

impl Conversion {
    fn named(name: &str) -> Option<Conversion> {
        Some(match name {
            "int_to_real" => Conversion::ToReal,
            "floor" | "_Floor" => Conversion::Floor,
            "_Ceiling" => Conversion::Ceiling,
            "real_to_int" | "_Fix" => Conversion::Truncate,
            "_Round" => Conversion::Round,
            "_fabs" | "fabs" => Conversion::Absolute,
            "bool_to_int" => Conversion::OneOrZero(Number::Int),
            "bool_to_real" => Conversion::OneOrZero(Number::Real),
            "int_to_bool" => Conversion::IsNotZero(Number::Int),
            "real_to_bool" => Conversion::IsNotZero(Number::Real),
            _ => return None,
        })
    }

    fn takes(self) -> Type {
        match self {
            Conversion::ToReal | Conversion::IsNotZero(Number::Int) => Type::Int,
            Conversion::OneOrZero(_) => Type::Bool,
            _ => Type::Real,
        }
    }
}

/// Whether a name is that of a function that no program declares.
pub(super) fn is_builtin(name: &str) -> bool {
    LIBRARY.iter().any(|(known, _)| *known == name) || Conversion::named(name).is_some()
}

impl Resolver<'_> {
    /// A call of a function that no program declares. None if the name is no such
    /// function either.
    pub(super) fn builtin(
        &mut self,
        name: &Ident,
        args: Option<&[ExprId]>,
        span: Span,
    ) -> Option<Components> {
        if let Some(function) = LIBRARY.iter().position(|(known, _)| **known == *name.name) {
            return Some(args.and_then(|args| self.library(function, args, span)));
        }
        let conversion = Conversion::named(&name.name)?;
        let Some(args) = args else { return Some(None) };
        let &[operand] = args else {
            let message = format!("`{}` takes 1 argument, {} given", name.name, args.len());
            self.push(Diagnostic::error(Code::Arity, span, message));
            return Some(None);
        };
        if !self.expect(operand, &conversion.takes(), &format!("`{}`", name.name)) {
            return Some(None);
        }
        let mut build = Build { resolver: self, span };
        Some(Some(vec![build.conversion(conversion, operand)]))
    }

    /// A mathematical function: of which nothing is known but that it is one.
    fn library(&mut self, function: usize, args: &[ExprId], span: Span) -> Components {
        let (name, arity) = LIBRARY[function];
        if args.len() != arity {
            let (want, have) = (count(arity, "argument"), args.len());
            let message = format!("`{name}` takes {want}, {have} given");
            self.push(Diagnostic::error(Code::Arity, span, message));
            return None;
        }
        if !args.iter().all(|arg| self.expect(*arg, &Type::Real, &format!("`{name}`"))) {
            return None;
        }
        let apply = ExprKind::Apply(Function::Library(function as u32), args.to_vec());
        Some(self.scalar(apply, Type::Real, span))
    }

    /// `a div b` or `a mod b` with the quotient rounded towards zero, so that the
    /// remainder has the sign of `a`. For `a >= 0` the Euclidean division is just that,
    /// whatever the sign of `b`; the other half is its mirror image.
    pub(super) fn truncated(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        span: Span,
    ) -> Vec<ExprId> {
        let mut build = Build { resolver: self, span };
        let value = build
            .mirrored(a, Number::Int, |build, a| build.push(ExprKind::Binary(op, a, b), Type::Int));
        vec![value]
    }
}

struct Build<'a, 'b> {
    resolver: &'a mut Resolver<'b>,
    span: Span,
}

impl Build<'_, '_> {
    fn push(&mut self, kind: ExprKind, ty: Type) -> ExprId {
        self.resolver.scope.exprs.push(kind, ty, self.span)
    }

    fn literal(&mut self, of: Number, value: i32) -> ExprId {
        self.push(of.literal(value), of.ty())
    }

    fn minus(&mut self, a: ExprId) -> ExprId {
        let ty = self.resolver.scope.exprs[a].ty.clone();
        let ty = if ty == Type::Real { ty } else { Type::Int };
        self.push(ExprKind::Unary(UnaryOp::Minus, a), ty)
    }

    fn floor(&mut self, a: ExprId) -> ExprId {
        self.push(ExprKind::Unary(UnaryOp::Floor, a), Type::Int)
    }

    /// `if a >= 0 then f(a) else -f(-a)`
    fn mirrored(
        &mut self,
        a: ExprId,
        of: Number,
        f: impl Fn(&mut Self, ExprId) -> ExprId,
    ) -> ExprId {
        let zero = self.literal(of, 0);
        let positive = self.push(ExprKind::Binary(BinaryOp::GreaterEqual, a, zero), Type::Bool);
        let above = f(self, a);
        let mirror = self.minus(a);
        let below = f(self, mirror);
        let below = self.minus(below);
        let ty = self.resolver.scope.exprs[above].ty.clone();
        self.push(ExprKind::If(positive, above, below), ty)
    }

    fn conversion(&mut self, conversion: Conversion, a: ExprId) -> ExprId {
        match conversion {
            Conversion::ToReal => self.push(ExprKind::Unary(UnaryOp::ToReal, a), Type::Real),
            Conversion::Floor => self.floor(a),
            Conversion::Ceiling => {
                let mirror = self.minus(a);
                let floor = self.floor(mirror);
                self.minus(floor)
            }
            Conversion::Truncate => self.mirrored(a, Number::Real, Self::floor),
            Conversion::Round => self.mirrored(a, Number::Real, |build, a| {
                let half = BigRational::new(BigInt::from(1), BigInt::from(2));
                let half = build.push(ExprKind::Real(half), Type::Real);
                let sum = build.push(ExprKind::Binary(BinaryOp::Plus, a, half), Type::Real);
                build.floor(sum)
            }),
            Conversion::Absolute => {
                let zero = self.literal(Number::Real, 0);
                let negative = self.push(ExprKind::Binary(BinaryOp::Less, a, zero), Type::Bool);
                let mirror = self.minus(a);
                self.push(ExprKind::If(negative, mirror, a), Type::Real)
            }
            Conversion::OneOrZero(number) => {
                let (one, zero) = (self.literal(number, 1), self.literal(number, 0));
                self.push(ExprKind::If(a, one, zero), number.ty())
            }
            Conversion::IsNotZero(number) => {
                let zero = self.literal(number, 0);
                self.push(ExprKind::Binary(BinaryOp::NotEqual, a, zero), Type::Bool)
            }
        }
    }
}
