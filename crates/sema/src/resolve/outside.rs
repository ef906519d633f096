//! What is outside of an array, where it must not be another value each time: in a function
//! equal arguments give equal results, at all steps and in all calls.

use lustral_syntax::Span;

use super::Resolver;
use crate::program::{BinaryOp, ExprId, ExprKind};
use crate::types::Type;

impl Resolver<'_> {
    /// In a function, the value of an element whose index is outside: a function of the
    /// inputs and of the index, of which nothing else is known, with a value of the type.
    ///
    /// The inputs alone decide what an index is, but where a quantifier goes over it. So this
    /// restricts a call by itself in nothing: any value of the type is one that some such
    /// function has there.
    pub(super) fn outside_in_function(
        &mut self,
        index: ExprId,
        ty: &Type,
        span: Span,
    ) -> Option<ExprId> {
        let value = self.of_inputs(&[index], ty, span)?;
        Some(self.brought_within(value, ty, span))
    }

    /// In a function, a value that is one of its inputs and of other values, of which nothing
    /// else is known.
    pub(super) fn of_inputs(&mut self, others: &[ExprId], ty: &Type, span: Span) -> Option<ExprId> {
        let inputs = self.scope.inputs.clone()?;
        let mut arguments = Vec::new();
        for input in inputs {
            let known = self.scope.types[input.index()].clone()?;
            let value = self.scope.exprs.push(ExprKind::Stream(input), known, span);
            // In a part that takes steps of its own they are those of its steps.
            arguments.push(self.sampled(value, self.level(input)));
        }
        arguments.extend_from_slice(others);
        Some(self.unknown_function(arguments, ty, span))
    }

    /// A value whose parts have those of another where these are within the bounds of a type,
    /// and elsewhere the plainest ones: unlike an assertion this takes nothing away where a
    /// variable of a quantifier decides the value.
    fn brought_within(&mut self, value: ExprId, ty: &Type, span: Span) -> ExprId {
        if !ty.has_bounds() {
            return value;
        }
        if !ty.is_scalar() {
            // Types are not nested deeply (`DEEPEST`).
            let part = |i| {
                let part = self.part(value, i, span);
                self.brought_within(part, ty.part(i), span)
            };
            let parts = (0..ty.part_count()).map(part).collect();
            return self.scope.exprs.push(ExprKind::Compose(parts), ty.clone(), span);
        }
        let other = self.plainest(ty, span);
        let kept = self.bounds_of_value(value, ty, span).into_iter().fold(None, |all, bound| {
            let both = |all| self.push_bool(ExprKind::Binary(BinaryOp::And, all, bound), span);
            Some(all.map_or(bound, both))
        });
        match kept {
            Some(kept) => self.scope.exprs.push(ExprKind::If(kept, value, other), ty.clone(), span),
            None => value,
        }
    }
}
