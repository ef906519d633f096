//! Operators that work on each component of a tuple by itself: `if`, `pre`, `->`
//! and `fby`.

use std::collections::VecDeque;

use lustral_syntax::Span;
use lustral_syntax::ast;
use lustral_syntax::diagnostic::{Code, Diagnostic};

use super::scope::ScopeKind;
use super::{Components, Resolver};
use crate::program::{ExprId, ExprKind};
use crate::types::Type;

/// The most steps that `fby(e; n; i)` delays by: each is a memory.
const MOST_STEPS: usize = 10_000;

impl Resolver<'_> {
    /// Reports `pre`, `->` and `fby` where they cannot stand.
    pub(super) fn temporal(&mut self, op: &str, span: Span) -> bool {
        let diagnostic = match self.scope.kind {
            ScopeKind::Node => return true,
            ScopeKind::Constant => {
                Diagnostic::error(Code::NotConstant, span, format!("`{op}` is not constant"))
            }
            ScopeKind::Function => {
                let message = format!("a function has no state: `{op}` cannot be used in it");
                Diagnostic::error(Code::Type, span, message).help("declare it as a `node`")
            }
        };
        self.push(diagnostic);
        false
    }

    /// `pre e`
    pub(super) fn delay(&mut self, list: Vec<ExprId>, span: Span) -> Components {
        if !self.temporal("pre", span) {
            return None;
        }
        let exprs = &mut self.scope.exprs;
        let one = |e: ExprId| {
            let ty = exprs[e].ty.clone();
            exprs.push(ExprKind::Pre(e), ty, span)
        };
        Some(list.into_iter().map(one).collect())
    }

    /// `a -> b` or `a fby b`
    pub(super) fn initialised(
        &mut self,
        op: ast::BinaryOp,
        a: Vec<ExprId>,
        b: Vec<ExprId>,
        span: Span,
    ) -> Components {
        if !self.temporal(op.as_str(), span) {
            return None;
        }
        let pairs = self.pairs(op.as_str(), a, b, span)?;
        let exprs = &mut self.scope.exprs;
        let one = |(a, b, ty)| {
            let kind = match op {
                ast::BinaryOp::Arrow => ExprKind::Arrow(a, b),
                _ => ExprKind::Fby(a, b),
            };
            exprs.push(kind, ty, span)
        };
        Some(pairs.into_iter().map(one).collect())
    }

    /// `fby(e; n; i)`: n times `i fby …` around e. All of them read `i` at their first step, so it
    /// is one value.
    pub(super) fn delayed(
        &mut self,
        value: Vec<ExprId>,
        steps: Vec<ExprId>,
        initial: Vec<ExprId>,
        span: Span,
    ) -> Components {
        let [steps] = steps[..] else { return self.several("fby", steps.len(), span) };
        if !self.expect(steps, &Type::Int, "the number of steps of `fby`") {
            return None;
        }
        let known = self.known_int(steps).and_then(|n| usize::try_from(n).ok());
        let Some(count) = known.filter(|n| (1..=MOST_STEPS).contains(n)) else {
            let message =
                format!("the number of steps of `fby` is a constant from 1 to {MOST_STEPS}");
            let place = self.scope.exprs[steps].span;
            self.push(Diagnostic::error(Code::NotConstant, place, message));
            return None;
        };
        let mut delayed = value;
        for _ in 0..count {
            delayed = self.initialised(ast::BinaryOp::Fby, initial.clone(), delayed, span)?;
        }
        Some(delayed)
    }

    /// `if c then a else b`
    pub(super) fn conditional(
        &mut self,
        condition: Vec<ExprId>,
        then: Vec<ExprId>,
        other: Vec<ExprId>,
        span: Span,
    ) -> Components {
        let [condition] = condition[..] else {
            return self.several("if", condition.len(), span);
        };
        let good = self.expect(condition, &Type::Bool, "the condition of `if`");
        let pairs = self.pairs("if", then, other, span)?;
        if !good {
            return None;
        }
        let exprs = &mut self.scope.exprs;
        let one = |(a, b, ty)| exprs.push(ExprKind::If(condition, a, b), ty, span);
        Some(pairs.into_iter().map(one).collect())
    }

    /// Components of two tuples side by side, with the type of each pair.
    pub(super) fn pairs(
        &mut self,
        op: &str,
        a: Vec<ExprId>,
        b: Vec<ExprId>,
        span: Span,
    ) -> Option<Vec<(ExprId, ExprId, Type)>> {
        if a.len() != b.len() {
            let message = format!(
                "both sides of `{op}` need as many values: {} on the left, {} on the right",
                a.len(),
                b.len()
            );
            self.push(Diagnostic::error(Code::Arity, span, message));
            return None;
        }
        let mut list = Vec::with_capacity(a.len());
        for (a, b) in a.into_iter().zip(b) {
            list.push((a, b, self.same_type(op, a, b)?));
        }
        Some(list)
    }
}

/// The components of an expression while tuples are put together.
pub(super) type Parts = VecDeque<ExprId>;

/// The components of a tuple. The longest part stays where it is, so that deep
/// nesting on either side takes no more time than its length.
pub(super) fn concatenate(mut list: Vec<Parts>) -> Parts {
    let longest = (0..list.len()).max_by_key(|i| list[*i].len());
    let Some(longest) = longest else { return Parts::new() };
    let after = list.split_off(longest + 1);
    let mut all = list.pop().unwrap_or_default();
    for part in list.into_iter().rev() {
        part.into_iter().rev().for_each(|e| all.push_front(e));
    }
    all.extend(after.into_iter().flatten());
    all
}
