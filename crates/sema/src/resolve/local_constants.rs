//! Constants inside of nodes: `const k: int = 3;` between the header and the body. Each
//! is a flow of the node, and where its value is known before the program runs, its name
//! stands for that value, in types too. One without a value is free: each instance of the
//! node has its own.

use std::sync::Arc;

use lustral_syntax::ast::{self, NodeDeclaration};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use super::Resolver;
use super::equations::{Definition, Definitions};
use super::parameters::literal;
use super::scope::{Binding, Bound, Scope, ScopeKind};
use crate::program::{ExprId, ExprKind, Meaning, Node, StreamId};
use crate::types::{Type, Value};

/// What is known of the value of a constant where it is declared.
pub(super) struct Early {
    /// The values of its leaves, if they are known, and its type.
    found: Option<(Option<Vec<Value>>, Type)>,
    /// It is made of constant inputs, and known when these are.
    of_inputs: bool,
}

impl Early {
    /// Whether it is a constant at all.
    pub fn is_known(&self) -> bool {
        self.found.is_some() || self.of_inputs
    }
}

/// What names stand for that are known before the program runs: in a contract those of the
/// node around are not seen.
#[derive(Clone, Default)]
pub(super) struct Constants {
    /// Those that stand for values.
    pub bindings: Vec<Binding>,
    /// Those that will when there are values for the constant inputs.
    pub parameters: FxHashMap<Arc<str>, StreamId>,
}

impl Constants {
    /// Lets the names of a scope be these.
    pub(super) fn enter(&self, scope: &mut Scope) {
        scope.bindings.clone_from(&self.bindings);
        scope.parameters.clone_from(&self.parameters);
    }
}

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
        let known = self.early(value);
        self.stands_for_value(&declared.name.name, wanted, known, stream)
    }

    /// What is known of the value of a constant. What is wrong with it is said where it is
    /// defined.
    pub(super) fn early(&mut self, value: ast::ExprId) -> Early {
        let template = std::mem::take(&mut self.template);
        let found = self.quiet_constant(value);
        let of_inputs = std::mem::replace(&mut self.template, template);
        Early { found, of_inputs }
    }

    /// The type of a constant, for whose value its name stands from here on if that is known.
    pub(super) fn stands_for_value(
        &mut self,
        name: &Arc<str>,
        wanted: Option<Option<Type>>,
        Early { found, of_inputs }: Early,
        stream: StreamId,
    ) -> Option<Type> {
        if of_inputs {
            self.scope.parameters.insert(name.clone(), stream);
        }
        let Some((value, found)) = found else { return wanted? };
        if value.is_none() {
            // It is made of a free constant, or of a division by zero.
            self.scope.constant_flows.insert(stream);
        }
        let ty = wanted.unwrap_or(Some(found.clone()))?;
        if let (true, Some([value])) = (found.agrees(&ty), value.as_deref())
            && let Some(kind) = literal(value, &ty)
        {
            let (name, value) = (name.clone(), Bound::Constant(kind));
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
