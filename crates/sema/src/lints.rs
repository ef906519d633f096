//! What has a meaning and is perhaps a mistake: flows and inputs that nothing depends on, nodes
//! that nobody needs, names that hide others. Which of it is told is said by its level
//! ([`lustral_syntax::lint`]).

use lustral_syntax::diagnostic::{Code, Diagnostic};
use lustral_syntax::{Diagnostics, Span};
use rustc_hash::FxHashSet;

use crate::program::{ExprId, ExprKind, Node, NodeId, Program, StreamId, StreamKind};
use crate::select;

/// Looks at a program without errors.
pub fn lints(program: &Program, diagnostics: &mut Diagnostics) {
    for node in program.nodes.iter().filter(|node| is_written(node)) {
        unused(node, diagnostics);
        shadowing(program, node, diagnostics);
    }
    dead_nodes(program, diagnostics);
}

/// Whether a node stands in the text as it is: those that are made from others would be
/// judged several times, and templates mean nothing by themselves.
fn is_written(node: &Node) -> bool {
    node.of.is_none() && !node.template && !node.imported && !node.is_alias && !node.has_statics
}

/// As in Rust, a name that begins so is unused on purpose.
fn is_on_purpose(name: &str) -> bool {
    name.starts_with('_')
}

fn unused(node: &Node, diagnostics: &mut Diagnostics) {
    let live = live(node);
    for (id, stream) in node.stream_ids().zip(&node.streams) {
        let shown = !stream.hidden && stream.constant.is_none() && !is_on_purpose(&stream.name);
        if live.contains(&id) || !shown {
            continue;
        }
        let name = &stream.name;
        diagnostics.push(match stream.kind {
            StreamKind::Output => continue,
            StreamKind::Input => {
                let message = format!("nothing depends on the input `{name}`");
                Diagnostic::warning(Code::UnreadInput, stream.span, message)
                    .help(format!("call it `_{name}` if that is meant"))
            }
            StreamKind::Local => {
                let message =
                    format!("no output, property or assertion depends on the flow `{name}`");
                Diagnostic::warning(Code::UnusedFlow, stream.span, message)
                    .help(format!("call it `_{name}` if that is meant"))
            }
        });
    }
}

/// The flows that matter: what outputs, statements, calls and clocks depend on, at whatever step.
fn live(node: &Node) -> FxHashSet<StreamId> {
    let mut live = FxHashSet::default();
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    let mut streams: Vec<StreamId> = node.output_ids().collect();
    streams.extend(node.modes.iter().chain(&node.step_numbers));
    streams.extend(node.resets.iter().flat_map(|(part, anew)| [part, anew]));
    streams.extend(node.realizable.iter().flatten());
    let clocks = node.streams.iter().filter_map(|stream| stream.clock);
    streams.extend(clocks.map(|condition| condition.flow));
    let mut exprs: Vec<ExprId> = node.asserts.iter().map(|a| a.expr).collect();
    exprs.extend(node.properties.iter().map(|p| p.expr));
    exprs.extend(node.clauses.iter().map(|c| c.expr));
    exprs.extend(
        node.scopes.iter().flat_map(|scope| scope.activation.into_iter().chain(scope.reset)),
    );
    // What a call does, its own properties among it, may matter whatever becomes of its outputs.
    for call in &node.calls {
        exprs.extend(call.args.iter().chain(&call.clock).chain(&call.reset));
        streams.extend(call.part.map(|part| part.flow));
    }
    loop {
        while let Some(id) = exprs.pop() {
            if !seen.insert(id) {
                continue;
            }
            match &node.exprs[id].kind {
                ExprKind::Stream(stream) => streams.push(*stream),
                ExprKind::Pre(operand) => exprs.push(*operand),
                ExprKind::Fby(_, later) => exprs.push(*later),
                ExprKind::When(_, condition) => streams.push(condition.flow),
                _ => {}
            }
            node.exprs.present_operands(id, |operand| exprs.push(operand));
        }
        let Some(stream) = streams.pop() else { return live };
        if live.insert(stream) {
            exprs.extend(node.stream(stream).definition);
        }
    }
}

/// Flows and indices that have the name of a constant, of a value or of each other.
fn shadowing(program: &Program, node: &Node, diagnostics: &mut Diagnostics) {
    let constants = || program.consts.iter().map(|c| (&c.name, c.span, "constant"));
    let values = || {
        let enums = program.enums.iter();
        enums.flat_map(|e| e.values.iter().zip(&e.value_spans).map(|(n, s)| (n, *s, "value")))
    };
    let flows = || node.streams.iter().filter(|s| !s.hidden && s.constant.is_none());
    let mut hides = |name: &str, span: Span, what: &str, hidden: Option<(Span, &str)>| {
        let Some((place, word)) = hidden else { return };
        let message = format!("the {what} `{name}` hides a {word} of that name");
        let warning = Diagnostic::warning(Code::Shadowing, span, message);
        diagnostics.push(warning.also(place, format!("the {word}")));
    };
    let global = |name: &str| {
        let found = constants().chain(values()).find(|(known, ..)| &***known == name);
        found.map(|(_, span, word)| (span, word))
    };
    for stream in flows() {
        hides(&stream.name, stream.span, "flow", global(&stream.name));
    }
    let mut seen = FxHashSet::default();
    for (name, span) in node.indices.iter().filter(|(_, span)| seen.insert(*span)) {
        let flow = flows().find(|stream| stream.name == *name).map(|stream| (stream.span, "flow"));
        hides(name, *span, "index", flow.or_else(|| global(name)));
    }
}

/// Nodes below no node that is checked for anything.
fn dead_nodes(program: &Program, diagnostics: &mut Diagnostics) {
    let roots = select::roots(program, &[]).unwrap_or_default();
    let reached = |from: &[NodeId]| {
        let mut reached: FxHashSet<NodeId> = FxHashSet::default();
        let mut left = from.to_vec();
        while let Some(id) = left.pop() {
            if reached.insert(id) {
                let node = program.node(id);
                left.extend(node.calls.iter().map(|call| call.callee));
                left.extend(node.of.into_iter().chain(node.stands_for));
            }
        }
        reached
    };
    let states = |id: &NodeId| {
        let node = program.node(*id);
        let restricted = node.streams.iter().any(|s| s.is_restricted());
        node.is_main
            || node.realizable.is_some()
            || restricted
            || !node.properties.is_empty()
            || !node.clauses.is_empty()
    };
    let checked: Vec<NodeId> =
        roots.into_iter().filter(|root| reached(&[*root]).iter().any(states)).collect();
    // A program that states nothing is a library, or to be run.
    if checked.is_empty() {
        return;
    }
    let live = reached(&checked);
    for (id, node) in program.node_ids().zip(&program.nodes) {
        // Of those that state something it is told otherwise.
        if is_written(node) && !live.contains(&id) && !states(&id) && !is_on_purpose(&node.name) {
            let message = format!("no node that is checked calls `{}`", node.name);
            diagnostics.push(Diagnostic::warning(Code::DeadNode, node.span, message));
        }
    }
}
