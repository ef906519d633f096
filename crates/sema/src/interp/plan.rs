//! What the evaluation of an expression needs, computed once per node.

use rustc_hash::FxHashSet;

use crate::program::{ExprId, ExprKind, Exprs, LeafId, Node, ScopeId};

/// The plan of a leaf of an expression.
#[derive(Clone, Default)]
pub(super) struct Plan {
    /// The leaves to evaluate, operands first.
    pub code: Vec<LeafId>,
    /// Those among them that are of flows or outputs of calls.
    pub flows: Vec<LeafId>,
    /// The clocks that they are on, each once.
    pub scopes: Vec<ScopeId>,
}

impl Plan {
    pub fn new(exprs: &Exprs, root: LeafId) -> Plan {
        let code = exprs.present_leaf_closure([root]);
        let is_flow =
            |id: ExprId| matches!(exprs[id].kind, ExprKind::Stream(_) | ExprKind::Output(..));
        let flows = code.iter().copied().filter(|(id, _)| is_flow(*id)).collect();
        let mut scopes: Vec<ScopeId> = code.iter().map(|(id, _)| exprs[*id].scope).collect();
        scopes.sort_unstable();
        scopes.dedup();
        Plan { code, flows, scopes }
    }
}

/// The leaves of `pre` and `fby`, and of what is held, of a node that something reads, in order.
pub(super) fn remembered(node: &Node) -> Vec<LeafId> {
    let all = |expr: ExprId| (0..node.exprs[expr].ty.leaves()).map(move |leaf| (expr, leaf));
    let definitions = node.streams.iter().filter_map(|s| s.definition);
    let asserts = node.asserts.iter().map(|a| a.expr);
    let properties = node.properties.iter().map(|p| p.expr);
    let clauses = node.clauses.iter().map(|c| c.expr);
    let conditions = node.streams.iter().filter_map(|s| s.condition);
    let arguments = node.calls.iter().flat_map(|c| c.args.iter().copied());
    let clocks = node.scopes.iter().flat_map(|s| s.activation.into_iter().chain(s.reset));
    let roots = definitions.chain(asserts).chain(properties).chain(clauses);
    let roots = roots.chain(conditions).chain(arguments).chain(clocks);
    let mut stack: Vec<LeafId> = roots.flat_map(all).collect();
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    while let Some((id, leaf)) = stack.pop() {
        if !seen.insert((id, leaf)) {
            continue;
        }
        if let ExprKind::Pre(operand) | ExprKind::Fby(_, operand) = node.exprs[id].kind {
            found.push((id, leaf));
            stack.push((operand, leaf));
        }
        if let ExprKind::Held(..) = node.exprs[id].kind {
            found.push((id, leaf));
        }
        node.exprs.present_leaves((id, leaf), |operand| stack.push(operand));
    }
    found.sort_unstable();
    found
}
