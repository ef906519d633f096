//! The scopes of a node, once its clocks are known.

use lustral_syntax::Span;
use rustc_hash::FxHashMap;

use super::Inference;
use super::unify::{ClockId, Known, Sampled};
use crate::program::{
    BinaryOp, CallId, Condition, ExprId, ExprKind, Exprs, Node, Scope, ScopeId, UnaryOp,
};
use crate::types::Type;

/// Scopes while they are made.
pub(super) struct Assignment<'i, 'a> {
    inference: &'i Inference<'a>,
    made: Scopes,
    by_clock: FxHashMap<(ScopeId, Sampled), ScopeId>,
}

/// What a node gets.
pub(super) struct Scopes {
    /// The arena with the conditions of clocks behind what was there.
    exprs: Exprs,
    scopes: Vec<Scope>,
    /// By expression, flow and call.
    of_exprs: Vec<ScopeId>,
    of_candidates: Vec<ScopeId>,
    of_streams: Vec<ScopeId>,
    of_calls: Vec<ScopeId>,
}

impl<'i, 'a> Assignment<'i, 'a> {
    pub fn new(inference: &'i Inference<'a>) -> Assignment<'i, 'a> {
        let node = inference.node;
        let made = Scopes {
            exprs: node.exprs.clone(),
            scopes: vec![Scope::own(node.span)],
            of_exprs: Vec::new(),
            of_candidates: Vec::new(),
            of_streams: Vec::new(),
            of_calls: Vec::new(),
        };
        Assignment { inference, made, by_clock: FxHashMap::default() }
    }

    pub fn finish(mut self) -> Scopes {
        let Inference { streams, exprs, candidates, calls, node, .. } = self.inference;
        self.made.of_streams = streams.iter().map(|clock| self.scope(*clock)).collect();
        self.made.of_exprs = exprs.iter().map(|clock| self.scope(*clock)).collect();
        self.made.of_candidates = candidates.iter().map(|clock| self.scope(*clock)).collect();
        for ((_, runs), call) in calls.iter().zip(&node.calls) {
            let scope = self.scope(*runs);
            let scope = match call.reset {
                Some(reset) => {
                    let outer = if call.clock.is_some() {
                        scope
                    } else {
                        self.made.of_exprs[reset.index()]
                    };
                    self.restarted(outer, scope, reset, call.span)
                }
                None => scope,
            };
            self.made.of_calls.push(scope);
        }
        self.made
    }

    /// The scope of a call that begins anew: it is active where `inner` is, and its reset
    /// is that of `outer`, which is the same or lies around it. A reset has a scope of its
    /// own: another flow of the clock is not reset. What lies between the two has to begin
    /// anew with the call, so it is there a second time, inside that scope.
    fn restarted(&mut self, outer: ScopeId, inner: ScopeId, reset: ExprId, span: Span) -> ScopeId {
        let mut between = Vec::new();
        let mut at = inner;
        while at != outer {
            let scope = self.made.scopes[at.index()].clone();
            let Some(parent) = scope.parent else { break };
            between.push(scope);
            at = parent;
        }
        let own = Scope { parent: Some(outer), activation: None, reset: Some(reset), span };
        let mut scope = self.push(own);
        for again in between.into_iter().rev() {
            scope = self.push(Scope { parent: Some(scope), ..again });
        }
        scope
    }

    fn push(&mut self, scope: Scope) -> ScopeId {
        self.made.scopes.push(scope);
        ScopeId(self.made.scopes.len() as u32 - 1)
    }

    /// The scope of a clock. What nothing is known of is on the clock of the node.
    fn scope(&mut self, clock: ClockId) -> ScopeId {
        let clocks = &self.inference.clocks;
        let mut steps = Vec::new();
        let mut at = clocks.find(clock).1;
        while let Known::On(parent, sampled) = at {
            steps.push(sampled);
            at = clocks.find(parent).1;
        }
        let mut scope = ScopeId::NODE;
        for sampled in steps.into_iter().rev() {
            scope = match self.by_clock.get(&(scope, sampled)) {
                Some(known) => *known,
                None => self.inner(scope, sampled),
            };
        }
        scope
    }

    fn inner(&mut self, parent: ScopeId, sampled: Sampled) -> ScopeId {
        let (activation, span) = match sampled {
            Sampled::Flow(condition) => self.condition(parent, condition),
            Sampled::Call(call) => self.activation(call),
        };
        let reset = self.reset(parent, sampled);
        let scope =
            self.push(Scope { parent: Some(parent), activation: Some(activation), reset, span });
        self.by_clock.insert((parent, sampled), scope);
        scope
    }

    fn activation(&self, call: CallId) -> (ExprId, Span) {
        let call = &self.inference.node.calls[call.index()];
        (call.clock.expect("only a call that is activated has such a clock"), call.span)
    }

    /// When what is sampled by a flow begins anew.
    fn reset(&mut self, parent: ScopeId, sampled: Sampled) -> Option<ExprId> {
        let Sampled::Flow(condition) = sampled else { return None };
        let node = self.inference.node;
        let (_, reset) = node.resets.iter().find(|(flow, _)| *flow == condition.flow)?;
        let span = node.stream(*reset).span;
        let expr = self.made.exprs.push(ExprKind::Stream(*reset), Type::Bool, span);
        self.made.exprs.set_scope(expr, parent);
        Some(expr)
    }

    /// That a flow has a value, as an expression.
    fn condition(&mut self, parent: ScopeId, condition: Condition) -> (ExprId, Span) {
        let Condition { flow, value } = condition;
        let stream = self.inference.node.stream(flow);
        let (ty, span) = (stream.ty.clone(), stream.span);
        let exprs = &mut self.made.exprs;
        let mut push = |kind, ty| {
            let id = exprs.push(kind, ty, span);
            exprs.set_scope(id, parent);
            id
        };
        let clock = push(ExprKind::Stream(flow), ty.clone());
        let activation = match &ty {
            Type::Enum(id) => {
                let wanted = push(ExprKind::Enum(*id, value), ty.clone());
                push(ExprKind::Binary(BinaryOp::Equal, clock, wanted), Type::Bool)
            }
            _ if value == 0 => push(ExprKind::Unary(UnaryOp::Not, clock), Type::Bool),
            _ => clock,
        };
        (activation, span)
    }
}

impl Scopes {
    /// Gives a node its scopes.
    pub fn apply(self, node: &mut Node) {
        node.exprs = self.exprs;
        node.scopes = self.scopes;
        for (i, scope) in (0..).zip(self.of_exprs) {
            node.exprs.set_scope(ExprId(i), scope);
        }
        for (i, scope) in (0..).zip(self.of_candidates) {
            node.candidates.exprs.set_scope(ExprId(i), scope);
        }
        for (stream, scope) in node.streams.iter_mut().zip(self.of_streams) {
            stream.scope = scope;
        }
        for (call, scope) in node.calls.iter_mut().zip(self.of_calls) {
            call.scope = scope;
        }
    }
}
