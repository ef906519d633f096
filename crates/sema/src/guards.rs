//! Warns of a `pre` whose first value, which is arbitrary, no `->` guards.

use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Diagnostics, Span};
use rustc_hash::{FxHashMap, FxHashSet};

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
        let mut places: Vec<(Span, bool)> =
            found.into_iter().filter(|(span, _)| seen.insert(*span)).collect();
        places.sort_by_key(|(span, _)| (span.file, span.start));
        for (span, kept) in places {
            let (message, help) = if kept {
                (
                    "what this flow keeps is arbitrary before there is a value to keep",
                    "give it an initial value: `frame (x) x = v; let … tel`",
                )
            } else {
                (
                    "the first value of this `pre` is arbitrary",
                    "guard it with an initial value: `v -> pre …`",
                )
            };
            diagnostics.push(Diagnostic::warning(Code::UnguardedPre, span, message).help(help));
        }
    }
}

/// The places below some expressions, each once: a tuple under one `pre` is
/// one place. With each, whether it is a flow of a frame, for which no `pre` is written.
pub(crate) fn unguarded(
    program: &Program,
    exprs: &Exprs,
    calls: &[Call],
    roots: impl IntoIterator<Item = ExprId>,
) -> FxHashMap<Span, bool> {
    let mut found = FxHashMap::default();
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
                    // A written `pre` stands before its operand.
                    found.insert(expr.span, exprs[*operand].span == expr.span);
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
            // Their values are on slower clocks, whose first step may be later than the one of
            // which `->` takes care.
            ExprKind::Merge(clock, branches) => {
                stack.push((*clock, guarded));
                stack.extend(branches.iter().map(|branch| (*branch, false)));
            }
            ExprKind::Held(value, default) => {
                stack.push((*value, false));
                stack.extend(default.iter().map(|default| (*default, guarded)));
            }
            _ => exprs.present_operands(id, |operand| stack.push((operand, guarded))),
        }
    }
    found
}
