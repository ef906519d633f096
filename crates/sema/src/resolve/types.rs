//! The types that texts mean.

use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, TypeKind};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use num_bigint::BigInt;

use super::{Resolver, similar};
use crate::program::Meaning;
use crate::types::{Bounds, Type, Value};

impl Resolver<'_> {
    /// The type that a text means; none if it has an error.
    pub(super) fn ty(&mut self, ty: &ast::Type) -> Option<Type> {
        match &ty.kind {
            TypeKind::Bool => Some(Type::Bool),
            TypeKind::Int => Some(Type::Int),
            TypeKind::Real => Some(Type::Real),
            TypeKind::Subrange(low, high) => self.subrange(ty.span, *low, *high),
            TypeKind::Enum(_) => {
                self.push(
                    Diagnostic::error(Code::Type, ty.span, "an enumeration needs a name")
                        .help("declare it: `type t = enum { … };`"),
                );
                None
            }
            TypeKind::Named(name) => self.named_type(name, ty.span),
            TypeKind::Error => None,
        }
    }

    fn named_type(&mut self, name: &str, span: Span) -> Option<Type> {
        if let Some((id, ty)) = self.env.types.get(name) {
            self.mention(span, Meaning::Type(*id));
            return ty.clone();
        }
        if self.env.hidden.hides_type(name) {
            return None;
        }
        let message = format!("there is no type `{name}`");
        let mut diagnostic = Diagnostic::error(Code::Undeclared, span, message);
        let known = self.env.types.keys().map(|k| &**k).chain(["bool", "int", "real"]);
        if let Some(meant) = similar(name, known) {
            diagnostic = diagnostic.help(format!("is `{meant}` meant?"));
        }
        self.push(diagnostic);
        None
    }

    fn subrange(&mut self, span: Span, low: ast::ExprId, high: ast::ExprId) -> Option<Type> {
        let low = self.constant_int(low);
        let high = self.constant_int(high);
        let (low, high) = (low?, high?);
        if low > high {
            let message = format!("the subrange from {low} to {high} has no values");
            self.push(
                Diagnostic::error(Code::Type, span, message).help("the smaller bound comes first"),
            );
            return None;
        }
        Some(Type::Subrange(Arc::new(Bounds { low, high })))
    }

    fn constant_int(&mut self, root: ast::ExprId) -> Option<BigInt> {
        let (value, ty) = self.constant_bound(root)?;
        let span = self.ast[root].span;
        if !ty.is_int() {
            let found = self.show(&ty);
            let message = format!("a bound of a subrange is an int, this is a {found}");
            self.push(Diagnostic::error(Code::Type, span, message));
            return None;
        }
        match value {
            Some(Value::Int(n)) => Some(n),
            _ => {
                let message = "a bound of a subrange cannot divide by zero";
                self.push(Diagnostic::error(Code::DivisionByZero, span, message));
                None
            }
        }
    }
}
