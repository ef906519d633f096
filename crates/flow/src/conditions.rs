//! Properties that say something under a condition only, as `a => b` does.

use lustral_kernel::{Claim, ExprId, ExprKind, Obligation, ScopeId};
use lustral_sema::program::BinaryOp;
use lustral_sema::{InstanceId, PropertyInstance};
use lustral_system::PropId;
use lustral_term::{TermId, Terms};

use crate::encode::Encoder;
use crate::expressions::{Done, Place, When};

impl Encoder<'_> {
    /// For each property that says something under a condition only, that the condition does
    /// not hold. Where that is so at every step, the property says nothing.
    pub(crate) fn conditions(&mut self, properties: &[PropertyInstance]) -> Vec<(PropId, TermId)> {
        let ids = (0..).map(PropId);
        let conditions = ids.zip(properties).filter_map(|(id, property)| {
            let node = self.node(property.instance);
            let known = |o: &&Obligation| o.source == property.source;
            let obligation = node.obligations.iter().find(known)?;
            if self.tree.is_cut(property.instance) {
                return None;
            }
            let (scope, expr) = match obligation.claim {
                Claim::Expr(expr) => (obligation.scope, expr),
                Claim::Flow(flow) => (node.flow(flow).scope, node.flow(flow).definition?),
                Claim::InRange { .. } => return None,
            };
            Some((id, self.idle(property.instance, scope, expr)?))
        });
        conditions.collect()
    }

    /// That an expression is true because a condition of it is false; nothing if it has none.
    /// `a => b => c` has two, and `true -> a => b` says nothing at the first step anyhow.
    fn idle(&mut self, id: InstanceId, scope: ScopeId, root: ExprId) -> Option<TermId> {
        let exprs = &self.node(id).exprs;
        let (mut at, mut when, mut found) = (root, When::Any, Vec::new());
        loop {
            match exprs[at].kind {
                ExprKind::Binary(BinaryOp::Implies, condition, rest) => {
                    found.push(condition);
                    at = rest;
                }
                ExprKind::Arrow(first, rest)
                    if found.is_empty() && matches!(exprs[first].kind, ExprKind::Bool(true)) =>
                {
                    (at, when) = (rest, When::Later);
                }
                _ => break,
            }
        }
        if found.is_empty() {
            return None;
        }
        // They are parts of the property, read as they are read there: no new variable is needed.
        let before = self.system.variables.len();
        let (place, mut done) = (Place { instance: id, scope, exprs }, Done::default());
        let conditions: Vec<TermId> =
            found.into_iter().map(|e| self.expr_when(place, (e, when), &mut done)).collect();
        debug_assert_eq!(
            before,
            self.system.variables.len(),
            "a condition has a variable of its own"
        );
        let first = if when == When::Later { self.clock(id, scope).first } else { Terms::FALSE };
        let terms = &mut self.system.terms;
        let all = terms.and(conditions);
        let never = terms.not(all);
        let idle = terms.or([first, never]);
        Some(self.at_active_steps(id, scope, idle))
    }
}
