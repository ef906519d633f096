//! Constants inside of nodes: `const k: int = 3;` between the header and the body. Each
//! is a flow of the node, and where its value is known before the program runs, its name
//! stands for that value, in types too. One without a value is free: each instance of the
//! node has its own.

use lustral_syntax::ast::{self, NodeDeclaration};
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::Resolver;
use super::equations::{Definition, Definitions};
use super::parameters::literal;
use super::scope::{Binding, Bound, ScopeKind};
use crate::program::{ExprId, ExprKind, Meaning, Node, StreamId};
use crate::types::Type;

impl Resolver<'_> {
    /// The type of a local constant, whose name stands for its value from here on if that
    /// is known.
    pub(super) fn local_constant(
        &mut self,
        declared: &ast::ConstDeclaration,
        stream: StreamId,
    ) -> Option<Type> {
        let wanted = declared.ty.as_ref().map(|ty| self.ty(ty));
        let Some(value) = declared.value else { return wanted? };
        // What is wrong with the value is said where it is defined.
        let template = std::mem::take(&mut self.template);
        let found = self.quiet_constant(value);
        if std::mem::replace(&mut self.template, template) {
            // It is made of constant inputs, and known when these are.
            self.scope.parameters.insert(declared.name.name.clone(), stream);
        }
        let Some((value, found)) = found else { return wanted? };
        let ty = wanted.unwrap_or(Some(found.clone()))?;
        if let (true, Some([value])) = (found.agrees(&ty), value.as_deref())
            && let Some(kind) = literal(value, &ty)
        {
            let (name, value) = (declared.name.name.clone(), Bound::Constant(kind));
            let meaning = Meaning::Stream(stream);
            self.scope.bindings.push(Binding { name, value, ty: ty.clone(), meaning });
        }
        Some(ty)
    }

    /// Gives the local constants of a node their values.
    pub(super) fn define_local_constants(
        &mut self,
        result: &mut Node,
        definitions: &mut Definitions,
        node: &NodeDeclaration,
    ) {
        let first = (result.inputs + result.outputs) as u32;
        for (stream, constant) in (first..).map(StreamId).zip(&node.constants) {
            definitions.set(stream, Definition::At(constant.name.clone(), None));
            let definition = match constant.value {
                Some(value) => self.constant_flow(value),
                None => self.kept_value(constant, stream),
            };
            if let Some(definition) = definition
                && self.fits(result, stream, &constant.name, definition)
            {
                result.streams[stream.index()].definition = Some(definition);
            }
        }
    }

    /// An expression that must be made of constants; none if it has an error.
    fn constant_flow(&mut self, value: ast::ExprId) -> Option<ExprId> {
        let found = self.expr(value)?;
        let span = self.ast[value].span;
        let one = self.single(found, "a constant", span)?;
        if !self.is_parameter(one) {
            let message = "this is not known before the program runs";
            self.push(Diagnostic::error(Code::NotConstant, span, message));
            return None;
        }
        Some(one)
    }

    /// Any value, always the same.
    fn kept_value(&mut self, declared: &ast::ConstDeclaration, stream: StreamId) -> Option<ExprId> {
        let (ty, span) = (self.scope.types[stream.index()].clone()?, declared.name.span);
        if self.scope.kind != ScopeKind::Node {
            let what = "constants without a value inside of functions";
            self.push(Diagnostic::unsupported(span, what).help("declare it outside"));
            return None;
        }
        let exprs = &mut self.scope.exprs;
        let any = exprs.push(ExprKind::Any, ty.clone(), span);
        let itself = exprs.push(ExprKind::Stream(stream), ty.clone(), span);
        let before = exprs.push(ExprKind::Pre(itself), ty.clone(), span);
        Some(exprs.push(ExprKind::Arrow(any, before), ty, span))
    }
}
