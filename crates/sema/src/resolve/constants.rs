//! Constants: expressions without flows, evaluated by the interpreter.

use lustral_syntax::ast;
use lustral_syntax::diagnostic::{Code, Diagnostic};

use crate::instances::InstanceId;
use crate::interp::{Choices, Undefined, evaluate_constant};
use crate::program::{ConstId, Constant, ExprId, ExprKind};
use crate::resolve::expressions::Scope;
use crate::resolve::{Declared, Global, Resolver};
use crate::types::{Type, Value};

impl Resolver<'_> {
    pub(super) fn constant(&mut self, declaration: &ast::ConstDeclaration) {
        let declared = declaration.ty.as_ref().map(|ty| self.ty(ty));
        let resolved = self.constant_expr(declaration.value);
        let what = match (resolved, declared) {
            (None, _) | (_, Some(None)) => Global::Broken,
            (Some((expr, ty)), declared) => {
                let declared = declared.flatten().unwrap_or_else(|| ty.clone());
                self.check_constant(declaration, expr, &ty, &declared);
                let id = ConstId(self.program.consts.len() as u32);
                // Where it divides by zero any value will do: whoever needs the
                // value asks `constant_value`, which looks again.
                let value = self.constant_value(expr);
                if value.as_ref().is_some_and(|v| bits(v) > LARGEST_CONSTANT) {
                    let span = self.ast.exprs[declaration.value].span;
                    let message = "the value of this constant has more than a million digits";
                    self.push(Diagnostic::error(Code::NotConstant, span, message));
                    let broken = Declared { span: declaration.name.span, what: Global::Broken };
                    self.values.insert(declaration.name.name.clone(), broken);
                    return;
                }
                self.unknown_consts.push(value.is_none());
                self.const_values.push(value.unwrap_or_else(|| crate::interp::default_value(&ty)));
                let name = declaration.name.name.clone();
                self.program.consts.push(Constant { name, expr });
                Global::Const(id, declared)
            }
        };
        let name = &declaration.name;
        if let Some(first) = self.values.get(&name.name) {
            let first = first.span;
            self.duplicate("constant", &name.name, name.span, first);
            return;
        }
        self.values.insert(name.name.clone(), Declared { span: name.span, what });
    }

    fn check_constant(
        &mut self,
        declaration: &ast::ConstDeclaration,
        expr: ExprId,
        ty: &Type,
        declared: &Type,
    ) {
        let span = self.ast.exprs[declaration.value].span;
        if !ty.agrees(declared) {
            let (found, wanted) = (self.show(ty), self.show(declared));
            let message = format!("the constant is declared as {wanted}, its value is a {found}");
            self.push(Diagnostic::error(Code::Type, span, message));
        } else if let Type::Subrange(bounds) = declared
            && let Some(Value::Int(value)) = self.constant_value(expr)
            && !(bounds.low <= value && value <= bounds.high)
        {
            let message =
                format!("the value {value} is outside of {} to {}", bounds.low, bounds.high);
            self.push(Diagnostic::error(Code::Type, span, message));
        }
    }

    /// Resolves an expression that must be constant.
    pub(super) fn constant_expr(&mut self, root: ast::ExprId) -> Option<(ExprId, Type)> {
        let mut scope = Scope::constants(std::mem::take(&mut self.program.const_exprs));
        let components = self.expr(&mut scope, root);
        let exprs = scope.exprs;
        let found = components.map(|list| match list[..] {
            [one] => Some((one, exprs[one].ty.clone())),
            _ => None,
        });
        self.program.const_exprs = exprs;
        if let Some(None) = found {
            let span = self.ast.exprs[root].span;
            self.push(Diagnostic::error(Code::Arity, span, "a constant is one value, not several"));
        }
        found.flatten()
    }

    /// Whether an expression uses a constant whose value nobody knows.
    fn uses_unknown(&self, expr: ExprId) -> bool {
        let exprs = &self.program.const_exprs;
        exprs.present_closure([expr]).iter().any(|id| match &exprs[*id].kind {
            ExprKind::Const(c) => self.unknown_consts[c.index()],
            _ => false,
        })
    }

    /// The value of a constant expression, or none if it divides by zero: then
    /// it has a value that nobody knows.
    pub(super) fn constant_value(&self, expr: ExprId) -> Option<Value> {
        let mut choices = NoChoices::default();
        let value = evaluate_constant(&self.program, &self.const_values, expr, &mut choices);
        (!choices.asked && !self.uses_unknown(expr)).then_some(value)
    }
}

/// The largest constant, in bits. A constant that squares another, thirty
/// times over, would fill any memory.
const LARGEST_CONSTANT: u64 = 1 << 22;

fn bits(value: &Value) -> u64 {
    match value {
        Value::Int(n) => n.bits(),
        Value::Real(r) => r.numer().bits() + r.denom().bits(),
        Value::Bool(_) | Value::Enum(_) => 0,
    }
}

/// Notices when a value depends on a division by zero.
#[derive(Default)]
struct NoChoices {
    asked: bool,
}

impl Choices for NoChoices {
    fn first_value(&mut self, _: InstanceId, _: ExprId, ty: &Type) -> Value {
        self.asked = true;
        crate::interp::default_value(ty)
    }

    fn division_by_zero(&mut self, operation: Undefined, _: &Value) -> Value {
        self.asked = true;
        crate::interp::default_value(match operation {
            Undefined::Divide => &Type::Real,
            Undefined::Div | Undefined::Mod => &Type::Int,
        })
    }
}
