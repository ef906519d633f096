//! Warns of a `pre` whose first value, which is arbitrary, no `->` guards.

use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Diagnostics, Span};
use rustc_hash::FxHashSet;

use crate::program::{Call, ExprId, ExprKind, Exprs, NodeId, Program};

pub(crate) fn check(
    program: &Program,
    whole: impl Fn(NodeId) -> bool,
    diagnostics: &mut Diagnostics,
) {
    // The nodes for several values of constant inputs have the same text.
    let mut seen = FxHashSet::default();
    for (_, node) in program.node_ids().zip(&program.nodes).filter(|(id, _)| whole(*id)) {
        let definitions = node.streams.iter().filter_map(|s| s.definition);
        let asserts = node.asserts.iter().map(|a| a.expr);
        let properties = node.properties.iter().map(|p| p.expr);
        let clauses = node.clauses.iter().map(|c| c.expr);
        let roots = definitions.chain(asserts).chain(properties).chain(clauses);
        let found = unguarded(program, &node.exprs, &node.calls, roots);
        let mut places: Vec<Span> = found.into_iter().filter(|span| seen.insert(*span)).collect();
        places.sort_by_key(|span| (span.file, span.start));
        for span in places {
            diagnostics.push(
                Diagnostic::warning(
                    Code::UnguardedPre,
                    span,
                    "the first value of this `pre` is arbitrary",
                )
                .help("guard it with an initial value: `v -> pre …`"),
            );
        }
    }
}

/// The places below some expressions, each once: a tuple under one `pre` is
/// one place.
pub(crate) fn unguarded(
    program: &Program,
    exprs: &Exprs,
    calls: &[Call],
    roots: impl IntoIterator<Item = ExprId>,
) -> FxHashSet<Span> {
    let mut found = FxHashSet::default();
    let mut seen: FxHashSet<(ExprId, bool)> = FxHashSet::default();
    let mut stack: Vec<(ExprId, bool)> = roots.into_iter().map(|e| (e, false)).collect();
    while let Some((id, guarded)) = stack.pop() {
        if !seen.insert((id, guarded)) {
            continue;
        }
        let expr = &exprs[id];
        match &expr.kind {
            ExprKind::Arrow(a, b) => stack.extend([(*a, guarded), (*b, true)]),
            ExprKind::Pre(operand) => {
                if !guarded {
                    found.insert(expr.span);
                }
                stack.push((*operand, false));
            }
            ExprKind::Fby(a, b) => stack.extend([(*a, guarded), (*b, false)]),
            ExprKind::Output(call, _) => {
                // A called node takes its first step now, whatever `->` selects;
                // a function has no state that the argument could reach.
                let call = &calls[call.index()];
                let stateless = program.node(call.callee).is_function;
                stack.extend(call.args.iter().map(|arg| (*arg, guarded && stateless)));
            }
            _ => exprs.present_operands(id, |operand| stack.push((operand, guarded))),
        }
    }
    found
}
