//! Nodes and functions without a body: what is known of them stands in their contracts.

use lustral_syntax::Span;
use lustral_syntax::diagnostic::Diagnostic;

use super::Resolver;
use super::keyed::has_open_values;
use crate::program::{
    ASSUMPTIONS_SO_FAR, Assertion, BinaryOp, ClauseKind, ExprId, ExprKind, Function, Node, Premise,
    Stream, StreamId,
};
use crate::types::Type;

impl Resolver<'_> {
    /// A node without a body: its outputs are whatever its contract allows. At a step
    /// what it guarantees holds if what it assumes has held at all its steps so far, the
    /// present one included; beyond that nothing is known. Of a function it is known that
    /// it is one, and what it guarantees holds wherever what it assumes holds.
    pub(super) fn known_by_contract(&mut self, result: &mut Node) {
        for output in result.output_ids() {
            let value = if result.is_function {
                self.result(result, output)
            } else {
                let Stream { ty, span, .. } = result.stream(output).clone();
                self.scope.exprs.push(ExprKind::Any, ty, span)
            };
            result.streams[output.index()].definition = Some(value);
        }
        let of = |kinds: &[ClauseKind], result: &Node| -> Vec<(ExprId, Span)> {
            let wanted = result.clauses.iter().filter(|c| kinds.contains(&c.kind));
            wanted.map(|clause| (clause.expr, clause.span)).collect()
        };
        let mut assumed = of(&[ClauseKind::Assume], result);
        for input in result.input_ids() {
            let Stream { ty, span, condition, .. } = result.stream(input).clone();
            let value = self.scope.exprs.push(ExprKind::Stream(input), ty, span);
            let range = self.within_bounds(value, span).into_iter().chain(condition);
            assumed.extend(range.map(|expr| (expr, span)));
        }
        let mut known = of(&[ClauseKind::Guarantee, ClauseKind::Mode], result);
        let outputs = result.output_ids().map(|id| result.stream(id));
        known.extend(outputs.filter_map(|output| Some((output.condition?, output.span))));
        if known.is_empty() {
            return;
        }
        let kept = match () {
            () if assumed.is_empty() => None,
            // A function knows nothing of other steps.
            () if result.is_function => {
                let now: Vec<ExprId> = assumed.iter().map(|(expr, _)| *expr).collect();
                Some(self.conjunction(&now, result.span))
            }
            () => {
                let kept = self.so_far(result, &assumed);
                Some(self.push_bool(ExprKind::Stream(kept), result.span))
            }
        };
        for (expr, span) in known {
            let expr = match kept {
                None => expr,
                Some(kept) => self.push_bool(ExprKind::Binary(BinaryOp::Implies, kept, expr), span),
            };
            result.asserts.push(Assertion { expr, premise: Premise::Guaranteed, span });
        }
    }

    /// An output of a function without a body: of its inputs, a function of which nothing
    /// is known. That it keeps to its bounds is said of it.
    fn result(&mut self, result: &mut Node, output: StreamId) -> ExprId {
        let Stream { ty, span, .. } = result.stream(output).clone();
        let inputs: Vec<StreamId> = result.input_ids().collect();
        let argument = |input: StreamId| {
            let ty = result.stream(input).ty.clone();
            self.scope.exprs.push(ExprKind::Stream(input), ty, span)
        };
        let arguments = inputs.into_iter().map(argument).collect();
        let value = self.unknown_function(arguments, &ty, span);
        let flow = self.scope.exprs.push(ExprKind::Stream(output), ty, span);
        for expr in self.within_bounds(flow, span) {
            result.asserts.push(Assertion { expr, premise: Premise::Guaranteed, span });
        }
        value
    }

    /// A new function of some arguments, of which nothing is known.
    pub(super) fn unknown_function(
        &mut self,
        arguments: Vec<ExprId>,
        ty: &Type,
        span: Span,
    ) -> ExprId {
        let function = Function::Own(self.scope.functions.len() as u32);
        let ty = ty.without_bounds();
        if arguments.iter().any(|of| has_open_values(&self.scope.exprs[*of].ty)) {
            let what = "functions of maps whose values have data types in them";
            let help = "give it what the map has for the keys that matter: `m[k]`";
            self.push(Diagnostic::unsupported(span, what).help(help));
        }
        let arguments = arguments.into_iter().map(|e| self.normal(e)).collect();
        self.scope.functions.push(ty.clone());
        self.scope.exprs.push(ExprKind::Apply(function, arguments), ty, span)
    }

    /// A flow that is true as long as some conditions have held at all steps.
    fn so_far(&mut self, result: &mut Node, conditions: &[(ExprId, Span)]) -> StreamId {
        let span = result.span;
        let flow = self.ghost(result, ASSUMPTIONS_SO_FAR.into(), Some(Type::Bool), span);
        let conditions: Vec<ExprId> = conditions.iter().map(|(expr, _)| *expr).collect();
        let now = self.conjunction(&conditions, span);
        let itself = self.push_bool(ExprKind::Stream(flow), span);
        let before = self.push_bool(ExprKind::Pre(itself), span);
        let yes = self.push_bool(ExprKind::Bool(true), span);
        let before = self.push_bool(ExprKind::Arrow(yes, before), span);
        let all = self.push_bool(ExprKind::Binary(BinaryOp::And, now, before), span);
        let stream = &mut result.streams[flow.index()];
        (stream.definition, stream.hidden) = (Some(all), true);
        flow
    }
}
