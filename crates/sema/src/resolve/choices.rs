//! Values that are chosen: `any { x: t | p }` at each step and for each occurrence in the
//! text anew, `choose { x: t | p }` by a function of what `p` names. Where nothing can be
//! chosen, there is no such step.

use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, Choice, ExprKind as Ast};
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::scope::{Binding, Bound, ScopeKind};
use super::{Components, Resolver};
use crate::program::{ExprId, ExprKind, Meaning};
use crate::types::Type;

impl<'a> Resolver<'a> {
    /// `any@<t>`, `choose@<t>`
    pub(super) fn arbitrary(
        &mut self,
        choice: Choice,
        ty: &'a ast::Type,
        span: Span,
    ) -> Components {
        if !self.may_choose(choice, span) {
            return None;
        }
        let known = self.ty(ty)?;
        let value = match choice {
            Choice::Any => self.scope.exprs.push(ExprKind::Any, known, span),
            Choice::Choose => self.chosen_by_function(Vec::new(), &known, span),
        };
        self.holds_of_chosen(ty, value, span)?;
        Some(vec![value])
    }

    /// `any { x: t | p }`, `choose { x: t | p }`
    pub(super) fn chosen(
        &mut self,
        choice: Choice,
        variables: &'a [ast::Variable],
        body: ast::ExprId,
        span: Span,
    ) -> Components {
        if !self.may_choose(choice, span) {
            return None;
        }
        let [variable] = variables else { return None };
        let ty = self.ty(&variable.ty)?;
        let index = self.scope.declared_indices.len() as u32;
        self.scope.declared_indices.push((variable.name.name.clone(), variable.name.span));
        let value = match choice {
            Choice::Any => self.scope.exprs.push(ExprKind::Any, ty.clone(), span),
            Choice::Choose => {
                let arguments = self.named_in(&variable.name.name, body)?;
                // What a map has for a key that is missing is open wherever the map is made, so what is
                // chosen may be another value for an equal map: that is no function of it.
                if arguments.iter().any(|of| self.scope.exprs[*of].ty.has_maps()) {
                    let what = "choices by `choose` that name a map";
                    let help = "name what it has for the keys that matter: `v = m[k];`";
                    self.push(Diagnostic::unsupported(span, what).help(help));
                    return None;
                }
                self.chosen_by_function(arguments, &ty, span)
            }
        };
        let (name, meaning) = (variable.name.name.clone(), Meaning::Index(index));
        let level = self.scope.sampled.len();
        let bound = Bound::Expr(value, level);
        self.scope.bindings.push(Binding { name, value: bound, ty, meaning });
        // The condition of a function has no past.
        let kind = self.scope.kind;
        if choice == Choice::Choose {
            self.scope.kind = ScopeKind::Function;
        }
        let holds = self.boolean(body, "what holds of the value");
        self.scope.kind = kind;
        self.scope.bindings.pop();
        self.holds_where_chosen(holds?, span);
        self.holds_of_chosen(&variable.ty, value, span)?;
        Some(vec![value])
    }

    /// Whether a value may be chosen here; reports if not.
    fn may_choose(&mut self, choice: Choice, span: Span) -> bool {
        let message = match (choice, self.scope.kind) {
            (_, ScopeKind::Node) | (Choice::Choose, ScopeKind::Function) => return true,
            (Choice::Any, _) => "`any` has another value at each step: only nodes may use it",
            (Choice::Choose, _) => "`choose` is no constant",
        };
        self.push(Diagnostic::error(Code::Type, span, message));
        false
    }

    /// A value that is a function of some arguments, within the bounds of its type.
    fn chosen_by_function(&mut self, arguments: Vec<ExprId>, ty: &Type, span: Span) -> ExprId {
        let value = self.unknown_function(arguments, ty, span);
        let bounds = self.bounds_of_value(value, ty, span);
        bounds.into_iter().for_each(|holds| self.holds_where_chosen(holds, span));
        value
    }

    fn holds_of_chosen(&mut self, ty: &'a ast::Type, value: ExprId, span: Span) -> Option<()> {
        let holds = self.conditions(ty, value)?;
        holds.into_iter().for_each(|holds| self.holds_where_chosen(holds, span));
        Some(())
    }

    /// What is true of a value that is chosen, at the steps at which it is.
    fn holds_where_chosen(&mut self, holds: ExprId, span: Span) {
        let holds = self.at_steps_of_part(holds);
        self.scope.chosen.push((holds, span));
    }

    /// The flows and other values that a condition names, but for the variable that it is
    /// about, each once.
    fn named_in(&mut self, variable: &Arc<str>, body: ast::ExprId) -> Option<Vec<ExprId>> {
        let mut names: Vec<(Arc<str>, Span)> = Vec::new();
        let mut stack = vec![body];
        while let Some(id) = stack.pop() {
            if let Ast::Name(name) = &self.ast[id].kind
                && name != variable
                && !names.iter().any(|(known, _)| known == name)
                && self.is_value(name)
            {
                names.push((name.clone(), self.ast[id].span));
            }
            stack.extend(self.ast.operands(id));
        }
        let mut arguments = Vec::new();
        for (name, span) in names {
            arguments.extend(self.name(&name, span)?);
        }
        Some(arguments)
    }

    /// Whether a name stands for a flow, or for another value of the place.
    fn is_value(&self, name: &Arc<str>) -> bool {
        let open = |id: crate::program::ConstId| self.program.consts[id.index()].open;
        self.scope.streams.contains_key(name)
            || self.scope.bindings.iter().any(|binding| binding.name == *name)
            || matches!(
                self.env.values.get(name).map(|known| &known.what),
                Some(super::environment::Global::Const(id, _)) if open(*id)
            )
    }
}
