//! Constants: expressions without flows, evaluated by the interpreter.

use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Span, ast};

use super::Resolver;
use super::scope::Scope;
use crate::interp::{Choices, Open, Undefined, default_value, evaluate_constant};
use crate::program::{ExprId, ExprKind};
use crate::types::{Type, Value};

/// A constant that can be declared.
pub(super) struct ResolvedConstant {
    /// None where it is free.
    pub expr: Option<ExprId>,
    /// Whether it is free, or made of one that is.
    pub open: bool,
    /// As declared, or else the type of the value.
    pub ty: Type,
    /// None where it is open, or a division by zero leaves it so: any value will do then.
    pub value: Option<Vec<Value>>,
    /// The value where there is none.
    pub default: Vec<Value>,
}

impl Resolver<'_> {
    /// Resolves the declaration of a constant; none if it has an error.
    pub(super) fn constant(
        &mut self,
        declared: &ast::ConstDeclaration,
    ) -> Option<ResolvedConstant> {
        let wanted = declared.ty.as_ref().map(|ty| self.ty(ty));
        let plain = |ty: &Type| (0..ty.leaves()).map(|i| default_value(ty.leaf(i))).collect();
        let Some(value) = declared.value else {
            let ty = wanted??;
            let default = plain(&ty);
            return Some(ResolvedConstant { expr: None, open: true, ty, value: None, default });
        };
        self.met_free = false;
        let (expr, ty) = self.constant_expr(value)?;
        let open = self.met_free;
        let wanted = match wanted {
            Some(wanted) => wanted?,
            None => ty.clone(),
        };
        let value = self.constant_value(expr);
        let span = self.ast[declared.value?].span;
        if !self.check_constant(span, value.as_deref(), &ty, &wanted) {
            return None;
        }
        if value.iter().flatten().any(|v| bits(v) > LARGEST_CONSTANT) {
            let message = "the value of this constant has more than a million digits";
            self.push(Diagnostic::error(Code::NotConstant, span, message));
            return None;
        }
        let default = plain(&ty);
        Some(ResolvedConstant { expr: Some(expr), open, ty: wanted, value, default })
    }

    /// Whether a constant has the type that is declared; reports if not, and where
    /// it is outside of the bounds of that.
    fn check_constant(
        &mut self,
        span: Span,
        value: Option<&[Value]>,
        ty: &Type,
        wanted: &Type,
    ) -> bool {
        if !ty.agrees(wanted) {
            let (found, wanted) = (self.show(ty), self.show(wanted));
            let message = format!("the constant is declared as {wanted}, its value is a {found}");
            self.push(Diagnostic::error(Code::Type, span, message));
            return false;
        }
        for (leaf, value) in (0..).zip(value.unwrap_or_default()) {
            if let (Type::Subrange(bounds), Value::Int(value)) = (wanted.leaf(leaf), value)
                && !bounds.contains(value)
            {
                let message = format!("the value {value} is outside of [{bounds}]");
                self.push(Diagnostic::error(Code::Type, span, message));
            }
        }
        true
    }

    /// Resolves an expression that must be constant, in a scope of constants.
    fn constant_expr(&mut self, root: ast::ExprId) -> Option<(ExprId, Type)> {
        let list = self.expr(root)?;
        let [one] = list[..] else {
            let span = self.ast[root].span;
            self.push(Diagnostic::error(Code::Arity, span, "a constant is one value, not several"));
            return None;
        };
        Some((one, self.scope.exprs[one].ty.clone()))
    }

    /// The value and the type of a bound, in a scope and an arena of its own. The flows
    /// around it are known there, because they hide constants of the same name.
    pub(super) fn constant_bound(
        &mut self,
        root: ast::ExprId,
    ) -> Option<(Option<Vec<Value>>, Type)> {
        let mut outer = std::mem::take(&mut self.scope);
        self.scope.streams = std::mem::take(&mut outer.streams);
        self.scope.bindings.clone_from(&outer.bindings);
        self.scope.parameters.clone_from(&outer.parameters);
        self.scope.hides_flows = outer.hides_flows;
        let found = self.constant_expr(root);
        let found = found.map(|(expr, ty)| (self.constant_value(expr), ty));
        outer.streams = std::mem::take(&mut self.scope.streams);
        self.scope = outer;
        found
    }

    /// Whether an expression uses a constant whose value nobody knows.
    fn uses_unknown(&self, expr: ExprId) -> bool {
        let exprs = &self.scope.exprs;
        exprs.present_closure([expr]).iter().any(|id| match &exprs[*id].kind {
            ExprKind::Const(c) => self.env.unknown_consts[c.index()],
            _ => false,
        })
    }

    /// The values of the leaves of a constant expression, or none if it divides by
    /// zero or reads an array outside of its bounds: then nobody knows them.
    pub(super) fn constant_value(&self, expr: ExprId) -> Option<Vec<Value>> {
        let mut choices = NoChoices::default();
        let constants = &self.env.const_values;
        let value = evaluate_constant(&self.scope.exprs, constants, expr, &mut choices);
        (!choices.asked && !self.uses_unknown(expr)).then_some(value)
    }

    /// The resolver of a constant gives back the arena that it was given.
    pub(super) fn into_constants(self) -> Scope {
        self.scope
    }
}

/// The largest constant, in bits. A constant that squares another, thirty
/// times over, would fill any memory.
const LARGEST_CONSTANT: u64 = 1 << 22;

fn bits(value: &Value) -> u64 {
    match value {
        Value::Int(n) | Value::Machine(_, n) => n.bits(),
        Value::Real(r) => r.numer().bits() + r.denom().bits(),
        Value::Bool(_) | Value::Enum(_) => 0,
        // As deep as types are nested.
        Value::Table(table) => {
            let one =
                |(key, value): (&[Value], &Value)| key.iter().map(bits).sum::<u64>() + bits(value);
            bits(table.rest()) + table.listed().map(one).sum::<u64>()
        }
    }
}

/// Notices when a value depends on what nobody knows.
#[derive(Default)]
struct NoChoices {
    asked: bool,
}

impl Choices for NoChoices {
    fn first_value(&mut self, _: Open, _: usize, ty: &Type) -> Value {
        self.asked = true;
        default_value(ty)
    }

    fn any_value(&mut self, _: Open, _: usize, ty: &Type) -> Value {
        self.asked = true;
        default_value(ty)
    }

    fn apply(&mut self, _: u32, _: &[(&Type, Value)], ty: &Type) -> Value {
        self.asked = true;
        default_value(ty)
    }

    fn division_by_zero(&mut self, operation: Undefined, _: &Value) -> Value {
        self.asked = true;
        default_value(match operation {
            Undefined::Divide => &Type::Real,
            Undefined::Div | Undefined::Mod => &Type::Int,
        })
    }
}
