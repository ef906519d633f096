//! Names in expressions: flows, constants, values of enumerations, called nodes.

use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast;
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::environment::{Global, Interface};
use super::expressions::count;
use super::operations::Given;
use super::scope::{Binding, Bound, ScopeKind};
use super::{Components, Resolver, similar};
use crate::program::{Call, CallId, ExprId, ExprKind, Meaning, NodeId, ScopeId};
use crate::types::Type;

impl Resolver<'_> {
    pub(super) fn name(&mut self, name: &Arc<str>, span: Span) -> Components {
        self.name_at(name, &[], span)
    }

    /// A name, with the types that stand behind it.
    pub(super) fn name_at(
        &mut self,
        name: &Arc<str>,
        types: &[ast::Type],
        span: Span,
    ) -> Components {
        if let Some(extra) = types.first()
            && !self.is_generic_constructor(name)
        {
            let message = format!("`{name}` has no type parameters");
            self.push(Diagnostic::error(Code::Type, extra.span, message));
            return None;
        }
        if let Some(bound) = self.scope.bindings.iter().rev().find(|b| b.name == *name) {
            let Binding { value, ty, meaning, .. } = bound.clone();
            self.mention(span, meaning);
            return match value {
                Bound::Constant(kind) => Some(self.scalar(kind, ty, span)),
                // It is an expression of the arena around.
                Bound::Expr(..) if self.scope.kind == ScopeKind::Constant => {
                    let message = format!("`{name}` is no constant");
                    self.push(Diagnostic::error(Code::NotConstant, span, message));
                    None
                }
                Bound::Expr(expr, level) => Some(vec![self.sampled(expr, level)]),
            };
        }
        if self.scope.kind == ScopeKind::Constant
            && let Some(parameter) = self.scope.parameters.get(name)
        {
            self.needed.insert(*parameter);
            self.template = true;
            return None;
        }
        if let Some(&stream) = self.scope.streams.get(name) {
            if self.scope.kind == ScopeKind::Constant {
                let message = format!("`{name}` is a flow here, no constant");
                self.push(Diagnostic::error(Code::NotConstant, span, message));
                return None;
            }
            self.mention(span, Meaning::Stream(stream));
            let ty = self.scope.types[stream.index()].clone()?;
            let flow = self.scope.exprs.push(ExprKind::Stream(stream), ty, span);
            return Some(vec![self.sampled(flow, self.level(stream))]);
        }
        match self.env.values.get(name).map(|d| &d.what) {
            Some(Global::Const(id, _)) if self.program.consts[id.index()].open => {
                self.mention(span, Meaning::Const(*id));
                self.open_constant(*id, span).map(|expr| vec![expr])
            }
            Some(Global::Const(id, ty)) => {
                self.mention(span, Meaning::Const(*id));
                Some(self.scalar(ExprKind::Const(*id), ty.clone(), span))
            }
            Some(Global::Enum(id, i)) => {
                self.mention(span, Meaning::Value(*id, *i));
                Some(self.scalar(ExprKind::Enum(*id, *i), Type::Enum(*id), span))
            }
            Some(Global::Constructor(ty, i)) => {
                let (constructor, name) =
                    ((ty.clone(), *i), ast::Ident { name: name.clone(), span });
                self.constructed(constructor, (&name, types), Some(Vec::new()), span)
            }
            Some(Global::Broken) => None,
            None => {
                self.undeclared(name, span);
                None
            }
        }
    }

    fn undeclared(&mut self, name: &str, span: Span) {
        if self.scope.hides_flows || self.env.hidden.hides_value(name) {
            return;
        }
        let mut diagnostic = if self.scope.kind == ScopeKind::Constant {
            let message = format!("there is no constant `{name}`");
            Diagnostic::error(Code::NotConstant, span, message)
        } else {
            Diagnostic::error(Code::Undeclared, span, format!("nothing declares `{name}`"))
        };
        let known = self.scope.streams.keys().chain(self.env.values.keys()).map(|k| &**k);
        let lower = name.to_ascii_lowercase();
        if matches!(&*lower, "true" | "false") {
            diagnostic = diagnostic.help(format!("write `{lower}`"));
        } else if self.scope.unseen.iter().any(|unseen| &**unseen == name) {
            let help = "a contract sees inputs, outputs and ghost flows, and no local flows";
            diagnostic = diagnostic.help(help);
        } else if name.starts_with("::") && self.scope.streams.keys().all(|k| !k.contains("::")) {
            let help = "modes are known in contracts: state it there, as a guarantee";
            diagnostic = diagnostic.help(help);
        } else if let Some(meant) = similar(name, known) {
            diagnostic = diagnostic.help(format!("is `{meant}` meant?"));
        } else if self.env.nodes.contains_key(name) {
            diagnostic = diagnostic.help(format!("`{name}` is a node: give it its arguments"));
        }
        self.push(diagnostic);
    }

    /// A call; its arguments are none where one of them has an error.
    pub(super) fn call(
        &mut self,
        (name, types): (&ast::Ident, &[ast::Type]),
        args: Option<Vec<ExprId>>,
        span: Span,
    ) -> Components {
        let Some((callee, _)) = self.env.interface(&name.name) else {
            let known = self.env.values.get(&name.name).map(|known| &known.what);
            return match known {
                Some(Global::Constructor(ty, i)) => {
                    self.constructed((ty.clone(), *i), (name, types), args, span)
                }
                Some(Global::Enum(id, _)) => self.no_arguments(*id, name, span),
                // Perhaps a constructor of a type with an error.
                Some(Global::Broken) => None,
                _ => self.call_of_nobody(name, args, span),
            };
        };
        self.mention(name.span, Meaning::Node(callee));
        let types = self.types_given(types)?;
        self.call_node(callee, Given { types, statics: Vec::new() }, args, span)
    }

    /// A call of a declared node.
    pub(super) fn call_node(
        &mut self,
        callee: NodeId,
        given: Given,
        args: Option<Vec<ExprId>>,
        span: Span,
    ) -> Components {
        let interface = &self.env.interfaces[callee.index()];
        if !self.may_call(interface, span) {
            return None;
        }
        let args = args?;
        if interface.incomplete {
            return None;
        }
        let (callee, interface) = self.callee((callee, interface), given, &args, span)?;
        if !self.arguments_fit(&interface, &args, span) {
            return None;
        }
        let outputs: Option<Vec<Type>> = interface.outputs.iter().cloned().collect();
        let (outputs, mut args) = (outputs?, args);
        for constant in &interface.free {
            args.push(self.open_constant(*constant, span)?);
        }
        let call = CallId(self.scope.calls.len() as u32);
        let (clock, reset, scope) = (None, None, ScopeId::NODE);
        let part = self.scope.sampled.last().copied();
        self.scope.calls.push(Call { callee, args, clock, reset, part, scope, span });
        if !interface.is_function {
            self.scope.stateful.insert(call);
        }
        let exprs = &mut self.scope.exprs;
        let push = |(i, ty)| exprs.push(ExprKind::Output(call, i as u32), ty, span);
        Some(outputs.into_iter().enumerate().map(push).collect())
    }

    /// `floor(e)` and its like, or a name that no node has.
    fn call_of_nobody(
        &mut self,
        name: &ast::Ident,
        args: Option<Vec<ExprId>>,
        span: Span,
    ) -> Components {
        if let Some(found) = self.builtin(name, args.as_deref(), span) {
            return found;
        }
        self.no_node(name);
        None
    }

    /// Says that no node has a name.
    pub(super) fn no_node(&mut self, name: &ast::Ident) {
        if self.env.hidden.hides_node(&name.name) {
            return;
        }
        if self.scope.kind == ScopeKind::Constant {
            let message = format!("a constant cannot call `{}`", name.name);
            let help = "declare it in a node, as a flow with an equation";
            self.push(Diagnostic::error(Code::NotConstant, name.span, message).help(help));
            return;
        }
        let message = format!("there is no node `{}`", name.name);
        let mut diagnostic = Diagnostic::error(Code::Undeclared, name.span, message);
        if let Some(meant) = similar(&name.name, self.env.nodes.keys().map(|k| &**k)) {
            diagnostic = diagnostic.help(format!("is `{meant}` meant?"));
        } else if let Some(value) = usual_function(&name.name) {
            diagnostic = diagnostic.help(format!("declare it as a function with `{value}`"));
        }
        self.push(diagnostic);
    }

    /// Whether a node can be called here; reports if not.
    fn may_call(&mut self, callee: &Interface, span: Span) -> bool {
        let diagnostic = match self.scope.kind {
            ScopeKind::Constant => {
                Diagnostic::error(Code::NotConstant, span, "a constant cannot call a node")
            }
            ScopeKind::Function if !callee.is_function => {
                let message = "a function has no state and cannot call a node";
                Diagnostic::error(Code::Type, span, message)
                    .also(callee.span, "declared as a node here")
                    .help("declare the caller as a `node`, or the callee as a `function`")
            }
            ScopeKind::Function | ScopeKind::Node => return true,
        };
        self.push(diagnostic);
        false
    }

    /// Whether arguments have the number and the types of the inputs; reports if not.
    fn arguments_fit(&mut self, callee: &Interface, args: &[ExprId], span: Span) -> bool {
        let inputs = &callee.inputs;
        if args.len() != inputs.len() {
            let (want, have) = (count(inputs.len(), "argument"), args.len());
            let message = format!("`{}` takes {want}, {have} given", callee.name);
            self.push(
                Diagnostic::error(Code::Arity, span, message).also(callee.span, "declared here"),
            );
            return false;
        }
        let mut good = true;
        for (arg, input) in args.iter().zip(inputs) {
            let Some(input) = input else {
                good = false;
                continue;
            };
            let context = format!("this input of `{}`", callee.name);
            good &= self.expect(*arg, input, &context);
        }
        good
    }
}

/// The equation of a function that other languages have.
fn usual_function(name: &str) -> Option<&'static str> {
    Some(match name {
        "abs" => "y = if x < 0 then -x else x",
        "max" => "z = if x >= y then x else y",
        "min" => "z = if x <= y then x else y",
        _ => return None,
    })
}
