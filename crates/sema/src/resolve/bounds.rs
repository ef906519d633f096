//! The bounds of the leaves of a value, written out.

use lustral_syntax::Span;

use super::Resolver;
use crate::program::{BinaryOp, ExprId, ExprKind};
use crate::types::Type;

impl Resolver<'_> {
    /// That the leaves of a value are within their bounds.
    pub(super) fn within_bounds(&mut self, value: ExprId, span: Span) -> Vec<ExprId> {
        let ty = self.scope.exprs[value].ty.clone();
        self.bounds_of_value(value, &ty, span)
    }

    /// That the leaves of a value are within the bounds of a type.
    pub(super) fn bounds_of_value(&mut self, value: ExprId, ty: &Type, span: Span) -> Vec<ExprId> {
        let mut found = Vec::new();
        let mut work = vec![(value, ty)];
        while let Some((value, ty)) = work.pop() {
            let Type::Subrange(bounds) = ty else {
                let parts = if ty.has_bounds() { ty.part_count() } else { 0 };
                work.extend((0..parts).map(|i| (self.part(value, i, span), ty.part(i))));
                continue;
            };
            let ends = [(&bounds.low, BinaryOp::GreaterEqual), (&bounds.high, BinaryOp::LessEqual)];
            for (bound, op) in ends {
                if let Some(bound) = bound {
                    let bound = ExprKind::Int(bound.clone());
                    let bound = self.scope.exprs.push(bound, Type::Int, span);
                    found.push(self.push_bool(ExprKind::Binary(op, value, bound), span));
                }
            }
        }
        found
    }
}
