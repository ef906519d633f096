//! Properties, and what else must be one truth value.

use std::sync::Arc;

use lustral_syntax::ast;
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::Resolver;
use crate::program::{ExprId, ExprKind, Node, Property};
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
        let name: Arc<str> = match (&property.name, &self.scope.exprs[expr].kind) {
            (Some(name), _) => name.name.clone(),
            (None, ExprKind::Stream(stream)) => node.stream(*stream).name.clone(),
            _ => format!("line {}", self.sources.line_column(property.span).line).into(),
        };
        // Names tell properties apart in reports: a second one gets its place.
        let taken = |name: &str| node.properties.iter().any(|p| &*p.name == name);
        let mut unique = name.clone();
        if taken(&unique) {
            let place = self.sources.line_column(property.span);
            let (line, column) = (place.line, place.column);
            let own_name = property.name.is_some() || !name.starts_with("line ");
            let shorter = format!("{name} (line {line})");
            unique = match own_name {
                true if !taken(&shorter) => shorter.into(),
                true => format!("{name} (line {line}:{column})").into(),
                false => format!("line {line}:{column}").into(),
            };
        }
        node.properties.push(Property { name: unique, expr, span: property.span });
    }
}
