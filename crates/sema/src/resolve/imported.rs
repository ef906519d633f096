//! Nodes without a body: what is known of them stands in their contracts.

use lustral_syntax::Span;

use super::Resolver;
use crate::program::{Assertion, BinaryOp, ClauseKind, ExprId, ExprKind, Node, Stream, StreamId};
use crate::types::Type;

/// A type with bounds that is no scalar.
struct Structured;

impl Resolver<'_> {
    /// A node without a body: its outputs are whatever its contract allows. At a step
    /// what it guarantees holds if what it assumes has held at all its steps so far, the
    /// present one included; beyond that nothing is known.
    pub(super) fn known_by_contract(&mut self, result: &mut Node) {
        for output in result.output_ids() {
            let Stream { ty, span, .. } = result.stream(output).clone();
            let any = self.scope.exprs.push(ExprKind::Any, ty, span);
            result.streams[output.index()].definition = Some(any);
        }
        let of = |kinds: &[ClauseKind], result: &Node| -> Vec<(ExprId, Span)> {
            let wanted = result.clauses.iter().filter(|c| kinds.contains(&c.kind));
            wanted.map(|clause| (clause.expr, clause.span)).collect()
        };
        let mut assumed = of(&[ClauseKind::Assume], result);
        for input in result.input_ids() {
            match self.in_range(result, input) {
                Ok(range) => assumed.extend(range.map(|range| (range, result.stream(input).span))),
                // Where it cannot be said that the input is in range, nothing is known.
                Err(Structured) => return,
            }
        }
        let known = of(&[ClauseKind::Guarantee, ClauseKind::Mode], result);
        if known.is_empty() {
            return;
        }
        let kept = (!assumed.is_empty()).then(|| self.so_far(result, &assumed));
        for (expr, span) in known {
            let expr = match kept {
                None => expr,
                Some(kept) => {
                    let kept = self.push_bool(ExprKind::Stream(kept), span);
                    self.push_bool(ExprKind::Binary(BinaryOp::Implies, kept, expr), span)
                }
            };
            result.asserts.push(Assertion { expr, given: false, span });
        }
    }

    /// That an input is in the range of its type, if that has one.
    fn in_range(&mut self, result: &Node, input: StreamId) -> Result<Option<ExprId>, Structured> {
        let Stream { ty, span, .. } = result.stream(input).clone();
        let Type::Subrange(bounds) = &ty else {
            return if ty.has_bounds() { Err(Structured) } else { Ok(None) };
        };
        let exprs = &mut self.scope.exprs;
        let mut push = |kind, ty| exprs.push(kind, ty, span);
        let value = push(ExprKind::Stream(input), ty.clone());
        let low = push(ExprKind::Int(bounds.low.clone()), Type::Int);
        let high = push(ExprKind::Int(bounds.high.clone()), Type::Int);
        let above = push(ExprKind::Binary(BinaryOp::LessEqual, low, value), Type::Bool);
        let below = push(ExprKind::Binary(BinaryOp::LessEqual, value, high), Type::Bool);
        Ok(Some(push(ExprKind::Binary(BinaryOp::And, above, below), Type::Bool)))
    }

    /// A flow that is true as long as some conditions have held at all steps.
    fn so_far(&mut self, result: &mut Node, conditions: &[(ExprId, Span)]) -> StreamId {
        let span = result.span;
        let flow = self.ghost(result, "(assumptions so far)".into(), Some(Type::Bool), span);
        let conditions: Vec<ExprId> = conditions.iter().map(|(expr, _)| *expr).collect();
        let now = self.conjunction(&conditions, span);
        let itself = self.push_bool(ExprKind::Stream(flow), span);
        let before = self.push_bool(ExprKind::Pre(itself), span);
        let yes = self.push_bool(ExprKind::Bool(true), span);
        let before = self.push_bool(ExprKind::Arrow(yes, before), span);
        let all = self.push_bool(ExprKind::Binary(BinaryOp::And, now, before), span);
        result.streams[flow.index()].definition = Some(all);
        flow
    }
}
