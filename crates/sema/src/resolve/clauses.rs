//! What contracts say: assumptions, guarantees and modes become clauses of the node.

use lustral_syntax::Span;
use lustral_syntax::ast::{self, Claim};

use super::Resolver;
use super::contracts::Frame;
use super::polarity::Stance;
use crate::program::{
    Assertion, BinaryOp, Clause, ClauseKind, ExprId, ExprKind, Node, ONE_MODE, Premise, StreamId,
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
        // An assumption is assumed at the node that is checked, and shown at its calls.
        self.stance = Some(stance_of(result)).filter(|_| kind == ClauseKind::Guarantee);
        self.claims = self.stance == Some(Stance::Shown);
        let expr = self.boolean(claim.expr, what);
        self.claims = false;
        let Some(expr) = expr else {
            return self.left_out(claim.span);
        };
        let named = claim.name.as_ref().map(|name| format!("{}{}", frame.prefix, name.name));
        // Of several imports of a contract, the line does not say which.
        let again = || result.clauses.iter().any(|clause| clause.span == claim.span);
        let is_numbered = frame.prefix.ends_with("].") || !frame.prefix.is_empty() && again();
        let by_line = || {
            let line = self.sources.line_column(claim.span).line;
            is_numbered.then(|| format!("{}line {line}", frame.prefix))
        };
        let name = self.claim_name(result, named.or_else(by_line), expr, claim.span);
        result.clauses.push(Clause { kind, name, expr, span: claim.span });
    }

    /// The condition of a mode, and what it ensures.
    pub(super) fn mode(
        &mut self,
        result: &mut Node,
        frame: &Frame<'_>,
        mode: &ast::Mode,
    ) -> Option<StreamId> {
        let requires = self.all_of(&mode.requires, "a requirement", None);
        let ensures = self.all_of(&mode.ensures, "what a mode ensures", Some(stance_of(result)));
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

    fn all_of(
        &mut self,
        claims: &[Claim],
        what: &str,
        stance: Option<Stance>,
    ) -> Option<Vec<ExprId>> {
        let resolve = |claim: &Claim| {
            self.stance = stance;
            self.boolean(claim.expr, what)
        };
        let found: Vec<Option<ExprId>> = claims.iter().map(resolve).collect();
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

    /// That some mode applies at every step, where there are modes.
    pub(super) fn one_mode(&mut self, result: &mut Node) {
        let [first, others @ ..] = &result.modes[..] else { return };
        let span = result.stream(*first).span;
        let mut any = self.push_bool(ExprKind::Stream(*first), span);
        for mode in others {
            let mode = self.push_bool(ExprKind::Stream(*mode), span);
            any = self.push_bool(ExprKind::Binary(BinaryOp::Or, any, mode), span);
        }
        let name = self.claim_name(result, Some(ONE_MODE.into()), any, span);
        result.clauses.push(Clause { kind: ClauseKind::OneMode, name, expr: any, span });
    }

    /// That each mode applies at some step: one that never does ensures nothing.
    pub(super) fn modes_occur(&mut self, result: &mut Node) {
        for mode in result.modes.clone() {
            let stream = result.stream(mode);
            let (name, span) = (format!("mode {}", stream.name.replace("::", "")), stream.span);
            let mode = self.push_bool(ExprKind::Stream(mode), span);
            self.occurs(result, name, mode, span);
        }
    }

    /// Makes the assumptions of a node constraints of its environment, where it is the
    /// one that is checked.
    pub(super) fn assume(&mut self, result: &mut Node) {
        let assumed = result.clauses.iter().filter(|c| c.kind == ClauseKind::Assume);
        let given = assumed.map(|c| {
            let (expr, premise, span) = (c.expr, Premise::Assumed, c.span);
            Assertion { expr, premise, span }
        });
        result.asserts.extend(given.collect::<Vec<_>>());
    }
}

/// What is done with the guarantees of a node: without a body they are all that is known.
fn stance_of(node: &Node) -> Stance {
    if node.imported { Stance::Assumed } else { Stance::Shown }
}
