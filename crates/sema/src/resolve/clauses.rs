//! What contracts say: assumptions, guarantees and modes become clauses of the node.

use lustral_syntax::Span;
use lustral_syntax::ast::{self, Claim};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashSet;

use super::Resolver;
use super::contracts::Frame;
use crate::program::{
    Assertion, BinaryOp, Clause, ClauseKind, ExprId, ExprKind, Node, StreamId, StreamKind,
};
use crate::types::Type;

impl Resolver<'_> {
    pub(super) fn clause(
        &mut self,
        result: &mut Node,
        frame: &Frame<'_>,
        kind: ClauseKind,
        claim: &Claim,
        what: &str,
    ) {
        let Some(expr) = self.boolean(claim.expr, what) else {
            return self.left_out(claim.span);
        };
        let named = claim.name.as_ref().map(|name| format!("{}{}", frame.prefix, name.name));
        let name = self.claim_name(result, named, expr, claim.span);
        result.clauses.push(Clause { kind, name, expr, span: claim.span });
    }

    /// The condition of a mode, and what it ensures.
    pub(super) fn mode(
        &mut self,
        result: &mut Node,
        frame: &Frame<'_>,
        mode: &ast::Mode,
    ) -> Option<StreamId> {
        let requires = self.all_of(&mode.requires, "a requirement");
        let ensures = self.all_of(&mode.ensures, "what a mode ensures");
        let (Some(requires), Some(ensures)) = (requires, ensures) else {
            self.left_out(mode.span);
            return None;
        };
        let condition = frame.names[&*format!("::{}", mode.name.name)];
        result.streams[condition.index()].definition = Some(self.conjunction(&requires, mode.span));
        if !ensures.is_empty() {
            let active = self.push_bool(ExprKind::Stream(condition), mode.span);
            let all = self.conjunction(&ensures, mode.span);
            let expr = self.push_bool(ExprKind::Binary(BinaryOp::Implies, active, all), mode.span);
            let named = Some(format!("{}{}", frame.prefix, mode.name.name));
            let name = self.claim_name(result, named, expr, mode.span);
            let (kind, span) = (ClauseKind::Mode, mode.span);
            result.clauses.push(Clause { kind, name, expr, span });
        }
        Some(condition)
    }

    fn all_of(&mut self, claims: &[Claim], what: &str) -> Option<Vec<ExprId>> {
        let found: Vec<Option<ExprId>> =
            claims.iter().map(|claim| self.boolean(claim.expr, what)).collect();
        found.into_iter().collect()
    }

    pub(super) fn push_bool(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.scope.exprs.push(kind, Type::Bool, span)
    }

    pub(super) fn conjunction(&mut self, list: &[ExprId], span: Span) -> ExprId {
        let Some((first, others)) = list.split_first() else {
            return self.push_bool(ExprKind::Bool(true), span);
        };
        others.iter().fold(*first, |all, one| {
            self.push_bool(ExprKind::Binary(BinaryOp::And, all, *one), span)
        })
    }

    /// That some mode applies at every step.
    pub(super) fn one_mode(&mut self, result: &mut Node, modes: &[StreamId], first: StreamId) {
        let span = result.stream(first).span;
        let mut any = self.push_bool(ExprKind::Stream(first), span);
        for mode in &modes[1..] {
            let mode = self.push_bool(ExprKind::Stream(*mode), span);
            any = self.push_bool(ExprKind::Binary(BinaryOp::Or, any, mode), span);
        }
        let name = self.claim_name(result, Some("one mode active".into()), any, span);
        result.clauses.push(Clause { kind: ClauseKind::OneMode, name, expr: any, span });
    }

    /// What the environment and callers owe may not depend on what the node makes
    /// of it at the same step.
    pub(super) fn no_present_outputs(&mut self, result: &Node) {
        let conditions = result.streams.iter().filter(|s| s.name.contains("::"));
        let conditions = conditions.filter_map(|s| Some((s.definition?, s.span)));
        let assumed = result.clauses.iter().filter(|c| c.kind == ClauseKind::Assume);
        let inputs = result.input_ids().map(|id| result.stream(id));
        let inputs = inputs.filter_map(|s| Some((s.condition?, s.span)));
        let assumed = assumed.map(|clause| (clause.expr, clause.span));
        let roots: Vec<(ExprId, Span)> = assumed.chain(conditions).chain(inputs).collect();
        for (root, span) in roots {
            if let Some(output) = self.present_output(result, root) {
                let message = format!(
                    "this depends on the output `{}` at the same step",
                    result.stream(output).name
                );
                let help =
                    "assumptions and requirements are about inputs and the past: write `pre`";
                self.push(
                    Diagnostic::error(Code::Causality, span, message)
                        .also(result.stream(output).span, "the output")
                        .help(help),
                );
            }
        }
    }

    /// An output of the node that an expression depends on at the same step, through
    /// the flows of contracts and calls in them.
    fn present_output(&self, result: &Node, root: ExprId) -> Option<StreamId> {
        let mut seen: FxHashSet<ExprId> = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            for id in self.scope.exprs.present_closure([id]) {
                if !seen.insert(id) {
                    continue;
                }
                match &self.scope.exprs[id].kind {
                    ExprKind::Stream(stream) => match result.stream(*stream) {
                        flow if flow.kind == StreamKind::Output => return Some(*stream),
                        flow => stack.extend(flow.definition),
                    },
                    ExprKind::Output(call, _) => {
                        stack.extend(&self.scope.calls[call.index()].args);
                    }
                    _ => {}
                }
            }
        }
        None
    }

    /// Makes the assumptions of a node constraints of its environment, where it is the
    /// one that is checked.
    pub(super) fn assume(&mut self, result: &mut Node) {
        let assumed = result.clauses.iter().filter(|c| c.kind == ClauseKind::Assume);
        let given = assumed.map(|c| Assertion { expr: c.expr, span: c.span, given: true });
        result.asserts.extend(given.collect::<Vec<_>>());
    }
}
