//! Types of expressions: `(e: t)` is `e`. That it has the type is checked here, and what
//! the type says beyond that, bounds and conditions, is a property of the node: it is to be
//! proved wherever the expression is evaluated, and assumed nowhere.

use std::collections::BTreeMap;

use lustral_syntax::Span;
use lustral_syntax::ast;
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::scope::{Asked, ScopeKind};
use super::{Components, Resolver};
use crate::hazards::excerpt;
use crate::program::{BinaryOp, ExprId, ExprKind, Node, Property, PropertyKind};
use crate::types::Type;

impl<'a> Resolver<'a> {
    /// `(e: t)`
    pub(super) fn ascribed(
        &mut self,
        list: &[ExprId],
        ty: &'a ast::Type,
        span: Span,
    ) -> Components {
        let [value] = *list else {
            return self.several("(e: t)", list.len(), span);
        };
        let known = self.ty(ty)?;
        let found = self.scope.exprs[value].ty.clone();
        if !found.agrees(&known) {
            let (want, have) = (self.show(&known), self.show(&found));
            let message = format!("this is said to be of type {want}, and is of type {have}");
            let place = self.scope.exprs[value].span;
            let diagnostic = Diagnostic::error(Code::Type, place, message);
            self.push(diagnostic.label(format!("expected {want}, found {have}")));
            return None;
        }
        if !known.has_bounds() && !self.is_refined(ty) {
            return Some(vec![value]);
        }
        if self.scope.closed || self.scope.kind == ScopeKind::Constant {
            let what = "types with bounds or conditions of expressions outside of nodes";
            self.push(Diagnostic::unsupported(span, what));
            return None;
        }
        let mut all = self.bounds_of_value(value, &known, span);
        all.extend(self.conditions(ty, value)?);
        let holds = self.conjunction(&all, span);
        let holds = self.where_chosen(holds, span);
        self.scope.ascribed.push(Asked { holds, span, of: "type" });
        if !known.has_bounds() {
            return Some(vec![value]);
        }
        // The same value, with a type of its own: what `pre` of it is at first is of this
        // type.
        let always = self.push_bool(ExprKind::Bool(true), span);
        Some(self.scalar(ExprKind::If(always, value, value), known, span))
    }

    /// A truth value of the part around, and true where that takes no step.
    pub(super) fn where_chosen(&mut self, mut holds: ExprId, span: Span) -> ExprId {
        for condition in self.scope.sampled.clone().into_iter().rev() {
            let ty = self.scope.types[condition.flow.index()].clone().unwrap_or(Type::Bool);
            let count = match &ty {
                Type::Enum(id) => self.program.enums[id.index()].values.len() as u32,
                _ => 2,
            };
            let exprs = &mut self.scope.exprs;
            let clock = exprs.push(ExprKind::Stream(condition.flow), ty, span);
            let mut value = |value| match value {
                value if value == condition.value => holds,
                _ => exprs.push(ExprKind::Bool(true), Type::Bool, span),
            };
            let values = (0..count).map(&mut value).collect();
            holds = self.push_bool(ExprKind::Merge(clock, values), span);
        }
        holds
    }

    /// What types of expressions say becomes properties of the node: one for each place,
    /// for all values that it is resolved for.
    pub(super) fn state_ascribed(&mut self, node: &mut Node) {
        let mut places: BTreeMap<(u32, u32, u32, &str), (Span, ExprId)> = BTreeMap::new();
        for Asked { holds, span, of } in std::mem::take(&mut self.scope.ascribed) {
            let place = (span.file.0, span.start, span.end, of);
            let known = places.get(&place).copied();
            let all = known.map_or(holds, |(_, known)| {
                self.push_bool(ExprKind::Binary(BinaryOp::And, known, holds), span)
            });
            places.insert(place, (span, all));
        }
        for ((.., of), (span, expr)) in places {
            let line = self.sources.line_column(span).line;
            let text = excerpt(self.sources, span);
            let text = if of == "type" { text } else { format!("({text})") };
            let named = format!("{of}{text} at line {line}");
            let name = self.claim_name(node, Some(named), expr, span);
            node.properties.push(Property { name, kind: PropertyKind::Always, expr, span });
        }
    }
}
