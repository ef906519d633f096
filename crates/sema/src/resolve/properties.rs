//! Properties, and what else must be one truth value.

use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast;
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::Resolver;
use crate::program::{ExprId, ExprKind, Meaning, Node, Property};
use crate::types::Type;

impl Resolver<'_> {
    /// An expression that must be one truth value; none if it has an error.
    pub(super) fn boolean(&mut self, root: ast::ExprId, what: &str) -> Option<ExprId> {
        let list = self.expr(root)?;
        let span = self.ast[root].span;
        match list[..] {
            [one] if self.scope.exprs[one].ty == Type::Bool => Some(one),
            [one] => {
                let found = self.show(&self.scope.exprs[one].ty);
                let message = format!("{what} is a bool, this is of type {found}");
                self.push(Diagnostic::error(Code::Type, span, message));
                None
            }
            _ => {
                let message = format!("{what} is one value, this has {}", list.len());
                self.push(Diagnostic::error(Code::Arity, span, message));
                None
            }
        }
    }

    pub(super) fn property(&mut self, node: &mut Node, property: &ast::Property) {
        let Some(expr) = self.boolean(property.expr, "a property") else { return };
        let named = property.name.as_ref().map(|name| name.name.to_string());
        let name = self.claim_name(node, named, expr, property.span);
        node.properties.push(Property { name, expr, span: property.span });
    }

    /// The inputs that the environment chooses.
    pub(super) fn realizable(&mut self, node: &mut Node, names: &[ast::Ident], span: Span) {
        if node.realizable.is_some() {
            let message = "the inputs of the environment are given twice";
            self.push(Diagnostic::error(Code::Duplicate, span, message));
            return;
        }
        let mut inputs = Vec::with_capacity(names.len());
        for name in names {
            match self.scope.streams.get(&name.name) {
                Some(stream) if stream.index() < node.inputs => {
                    inputs.push(*stream);
                    self.mention(name.span, Meaning::Stream(inputs[inputs.len() - 1]));
                }
                Some(_) => {
                    let message = format!("`{}` is no input of the node", name.name);
                    let help = "name the inputs that the environment chooses; the other \
                                inputs are chosen so that the properties hold";
                    self.push(Diagnostic::error(Code::Type, name.span, message).help(help));
                }
                None if self.scope.hides_flows => {}
                None => {
                    let message = format!("there is no flow `{}`", name.name);
                    self.push(Diagnostic::error(Code::Undeclared, name.span, message));
                }
            }
        }
        node.realizable = Some(inputs);
    }

    /// The name of a property or of what a contract says: as given, or the flow's, or
    /// its line. Names tell properties apart in reports: a second one gets its place.
    pub(super) fn claim_name(
        &self,
        node: &Node,
        named: Option<String>,
        expr: ExprId,
        span: Span,
    ) -> Arc<str> {
        let place = self.sources.line_column(span);
        let (line, column) = (place.line, place.column);
        let (name, own) = match (named, &self.scope.exprs[expr].kind) {
            (Some(name), _) => (name, true),
            (None, ExprKind::Stream(stream)) => (node.stream(*stream).name.to_string(), true),
            _ => (format!("line {line}"), false),
        };
        let taken = |name: &str| {
            node.properties.iter().any(|p| &*p.name == name)
                || node.clauses.iter().any(|c| &*c.name == name)
        };
        if !taken(&name) {
            return name.into();
        }
        let shorter = format!("{name} (line {line})");
        match own {
            true if !taken(&shorter) => shorter.into(),
            true => format!("{name} (line {line}:{column})").into(),
            false => format!("line {line}:{column}").into(),
        }
    }
}
