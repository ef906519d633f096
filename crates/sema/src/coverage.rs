//! Which states and transitions of automata can be reached: questions for who wants an
//! explanation. They take the place of what the nodes state.

use lustral_base::transitions_of;

use crate::program::{
    BinaryOp, EnumId, ExprKind, Node, Program, Property, PropertyKind, StreamId, UnaryOp,
};
use crate::types::Type;

/// The program with a question for each state and each transition of its automata, and no other
/// property; none if it has no automaton. The program has no errors.
#[must_use]
pub fn state_coverage(program: &Program) -> Option<Program> {
    let mut asked = program.clone();
    let mut any = false;
    for node in asked.nodes.iter_mut().filter(|node| !node.template && !node.imported) {
        node.properties.clear();
        for (flow, of) in questions(node) {
            let known = &program.enums[of.index()];
            // The first value of the flow of transitions says that none is taken.
            let transitions = transitions_of(&node.stream(flow).name).map(str::to_string);
            let first = usize::from(transitions.is_some());
            for (value, text) in known.values.iter().enumerate().skip(first) {
                let name = match &transitions {
                    Some(automaton) => format!("transition {text} of {automaton}"),
                    None => format!("state {text} of {}", node.stream(flow).name),
                };
                // The flow has a place for each value, but only for those of its own kind
                // (`until` or `unless`) an occurrence.
                if !occurs(node, flow, (of, value as u32)) {
                    continue;
                }
                ask(node, (flow, of), value as u32, name, known.value_spans[value]);
                any = true;
            }
        }
    }
    any.then_some(asked)
}

/// The flows that say in which state an automaton is, and which transitions it takes.
fn questions(node: &Node) -> Vec<(StreamId, EnumId)> {
    let mut found: Vec<(StreamId, EnumId)> = Vec::new();
    let enumeration = |id: StreamId| match node.stream(id).ty {
        Type::Enum(of) => Some((id, of)),
        _ => None,
    };
    for id in node.stream_ids().filter(|id| node.stream(*id).hidden) {
        let Some(name) = transitions_of(&node.stream(id).name) else { continue };
        let state = node.stream_named(name).and_then(enumeration);
        found.extend(state.filter(|state| !found.contains(state)));
        found.extend(enumeration(id));
    }
    found
}

/// Whether a flow of transitions can have a value, as it is written; flows of states have all.
fn occurs(node: &Node, flow: StreamId, (of, value): (EnumId, u32)) -> bool {
    if transitions_of(&node.stream(flow).name).is_none() {
        return true;
    }
    let mut pending: Vec<_> = node.stream(flow).definition.into_iter().collect();
    while let Some(expr) = pending.pop() {
        match &node.exprs[expr].kind {
            ExprKind::Enum(found, number) if (*found, *number) == (of, value) => return true,
            ExprKind::If(_, then, other) => pending.extend([*then, *other]),
            ExprKind::Merge(_, branches) => pending.extend(branches),
            ExprKind::When(of, _) => pending.push(*of),
            _ => {}
        }
    }
    false
}

fn ask(
    node: &mut Node,
    (flow, of): (StreamId, EnumId),
    value: u32,
    name: String,
    span: lustral_syntax::Span,
) {
    let (ty, scope) = (node.stream(flow).ty.clone(), node.stream(flow).scope);
    let mut push = |kind: ExprKind, ty: Type| {
        let id = node.exprs.push(kind, ty, span);
        node.exprs.set_scope(id, scope);
        id
    };
    let now = push(ExprKind::Stream(flow), ty.clone());
    let it = push(ExprKind::Enum(of, value), ty);
    let is = push(ExprKind::Binary(BinaryOp::Equal, now, it), Type::Bool);
    // Reachable shall be the opposite of what a property says.
    let expr = push(ExprKind::Unary(UnaryOp::Not, is), Type::Bool);
    node.properties.push(Property { name: name.into(), kind: PropertyKind::Reachable, expr, span });
}
