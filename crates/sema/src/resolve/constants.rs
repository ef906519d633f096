//! Constants: expressions without flows, evaluated by the interpreter.

use lustral_syntax::ast;
use lustral_syntax::diagnostic::{Code, Diagnostic};

use crate::interp::evaluate_constant;
use crate::program::{ConstId, Constant, ExprId};
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
            && let Value::Int(value) = self.constant_value(expr)
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

    pub(super) fn constant_value(&self, expr: ExprId) -> Value {
        evaluate_constant(&self.program, expr)
    }
}
