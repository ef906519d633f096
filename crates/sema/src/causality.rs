//! Causality, leaf by leaf: no flow may depend on itself at the same step, directly, through
//! other flows, or through a call whose output depends on the input at once.
//! Judged on the equations, not on the values.

use lustral_syntax::Diagnostics;
use lustral_syntax::diagnostic::{Code, Diagnostic};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{
    CallId, ClauseKind, ExprKind, LeafId, Node, NodeId, Program, ScopeId, Stream, StreamId,
    StreamKind,
};

/// For each leaf of each output of a node, the leaves of inputs that it depends on
/// at once.
type Summary = Vec<Vec<InputLeaf>>;

/// A leaf of an input: the position of the input, and the leaf.
type InputLeaf = (usize, u32);

/// A thing with a value at each step.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Vertex {
    Stream(StreamId, u32),
    Output(CallId, u32, u32),
    Expr(LeafId),
    /// What a clock does: whether it is active, and whether it begins.
    Clock(ScopeId),
}

/// Judges the nodes that are whole. Of the others nothing is known, so their
/// outputs are taken to depend on nothing: no cycle is reported that a mended
/// program might not have.
pub(crate) fn check(
    program: &Program,
    whole: impl Fn(NodeId) -> bool,
    diagnostics: &mut Diagnostics,
) {
    let mut called = vec![false; program.nodes.len()];
    for call in program.nodes.iter().flat_map(|node| &node.calls) {
        called[call.callee.index()] = true;
    }
    let mut summaries: Vec<Option<Summary>> = vec![None; program.nodes.len()];
    for id in program.callees_first.iter().filter(|id| whole(**id)) {
        let node = program.node(*id);
        let graph = Graph { program, node, summaries: &summaries };
        match graph.cycle() {
            Some(cycle) => diagnostics.push(report(program, node, &cycle)),
            None => graph.no_present_outputs(diagnostics),
        }
        if called[id.index()] {
            summaries[id.index()] = Some(graph.summary());
        }
    }
}

fn report(program: &Program, node: &Node, cycle: &[Vertex]) -> Diagnostic {
    let name = |vertex: &Vertex| match vertex {
        Vertex::Stream(s, leaf) => format!("`{}`", leaf_name(node.stream(*s), *leaf)),
        Vertex::Output(call, ..) => {
            format!("the call of `{}`", program.node(node.calls[call.index()].callee).name)
        }
        Vertex::Expr(_) => "an expression".into(),
        Vertex::Clock(_) => "a clock".into(),
    };
    let place = |vertex: &Vertex| match vertex {
        Vertex::Stream(s, _) => {
            node.stream(*s).definition.map_or(node.stream(*s).span, |e| node.exprs[e].span)
        }
        Vertex::Output(call, ..) => node.calls[call.index()].span,
        Vertex::Expr((id, _)) => node.exprs[*id].span,
        Vertex::Clock(scope) => node.scope(*scope).span,
    };
    // Begin with a flow: a person thinks of flows, not of calls.
    let start = cycle.iter().position(|v| matches!(v, Vertex::Stream(..))).unwrap_or(0);
    let rotated: Vec<Vertex> = cycle[start..].iter().chain(&cycle[..start]).copied().collect();
    let first = &rotated[0];
    let mut diagnostic = Diagnostic::error(
        Code::Causality,
        place(first),
        format!("{} depends on itself at the same step", name(first)),
    );
    if rotated.len() == 1 {
        diagnostic = diagnostic.label("its own definition needs it");
    } else {
        for (vertex, next) in rotated.iter().zip(rotated.iter().cycle().skip(1)).take(12) {
            let text = format!("{} needs {}", name(vertex), name(next));
            if vertex == first {
                diagnostic = diagnostic.label(text);
            } else {
                diagnostic = diagnostic.also(place(vertex), text);
            }
        }
        if rotated.len() > 12 {
            diagnostic = diagnostic.note(format!("the cycle has {} parts", rotated.len()));
        }
    }
    // The state that runs now depends on itself only by what strong transitions ask.
    let of_automaton = |vertex: &Vertex| match vertex {
        Vertex::Stream(id, _) => {
            node.stream_named(&format!("{} unless", node.stream(*id).name)).is_some()
        }
        _ => false,
    };
    diagnostic.help(if cycle.iter().any(of_automaton) {
        "a strong transition (`unless`) is tried before the equations of its state: write `last x` \
         or `pre x` in its condition, or make it a weak one (`until`)"
    } else {
        "break the cycle with `pre`, which takes the value of the step before"
    })
}

fn leaf_name(stream: &Stream, leaf: u32) -> String {
    if stream.ty.is_scalar() {
        return stream.name.to_string();
    }
    let names = stream.ty.leaves_of(&stream.name);
    names.into_iter().nth(leaf as usize).map(|(name, _)| name).unwrap_or_default()
}

/// The clock of a scope, unless it is that of the node itself.
fn clock(scope: ScopeId) -> Option<Vertex> {
    (scope != ScopeId::NODE).then_some(Vertex::Clock(scope))
}

/// The graph of what needs what at the same step, leaf by leaf.
struct Graph<'a> {
    program: &'a Program,
    node: &'a Node,
    /// By node; none where nothing is known of it.
    summaries: &'a [Option<Summary>],
}

impl Graph<'_> {
    /// What a vertex needs at the same step.
    fn needs(&self, vertex: Vertex) -> Vec<Vertex> {
        match vertex {
            Vertex::Stream(s, leaf) => {
                let stream = self.node.stream(s);
                let clock = clock(stream.scope);
                let definition = stream.definition.map(|expr| Vertex::Expr((expr, leaf)));
                clock.into_iter().chain(definition).collect()
            }
            Vertex::Clock(scope) => {
                let known = self.node.scope(scope);
                let exprs = known.activation.into_iter().chain(known.reset);
                let exprs = exprs.map(|expr| Vertex::Expr((expr, 0)));
                known.parent.and_then(clock).into_iter().chain(exprs).collect()
            }
            Vertex::Output(id, output, leaf) => {
                let call = &self.node.calls[id.index()];
                let Some(summary) = &self.summaries[call.callee.index()] else {
                    return Vec::new();
                };
                let callee = self.program.node(call.callee);
                let before = callee.output_ids().take(output as usize);
                let before: u32 = before.map(|o| callee.stream(o).ty.leaves()).sum();
                let inputs = summary[(before + leaf) as usize].iter();
                let inputs = inputs.map(|(i, leaf)| Vertex::Expr((call.args[*i], *leaf)));
                clock(call.scope).into_iter().chain(inputs).collect()
            }
            Vertex::Expr((id, leaf)) => match &self.node.exprs[id].kind {
                ExprKind::Stream(s) => vec![Vertex::Stream(*s, leaf)],
                ExprKind::Output(call, i) => vec![Vertex::Output(*call, *i, leaf)],
                _ => {
                    let mut found = Vec::new();
                    let exprs = &self.node.exprs;
                    exprs.present_leaves((id, leaf), |leaf| found.push(Vertex::Expr(leaf)));
                    found.extend(clock(exprs[id].scope));
                    // They are followed from the last.
                    found.reverse();
                    found
                }
            },
        }
    }

    fn roots(&self) -> impl Iterator<Item = Vertex> + '_ {
        let streams = self.node.leaves(self.node.stream_ids());
        let streams = streams.map(|(s, leaf)| Vertex::Stream(s, leaf));
        let exprs = &self.node.exprs;
        let outputs = exprs.iter().filter(|(_, e)| matches!(e.kind, ExprKind::Output(..)));
        let outputs = outputs
            .flat_map(|(id, e)| (0..e.ty.leaves()).map(move |leaf| Vertex::Expr((id, leaf))));
        let clocks = (1..self.node.scopes.len() as u32).map(|s| Vertex::Clock(ScopeId(s)));
        streams.chain(outputs).chain(clocks)
    }

    /// Some cycle, by depth-first search with an explicit stack.
    fn cycle(&self) -> Option<Vec<Vertex>> {
        // Whether what was entered was left again.
        let mut left: FxHashMap<Vertex, bool> = FxHashMap::default();
        for root in self.roots() {
            if left.contains_key(&root) {
                continue;
            }
            left.insert(root, false);
            let mut path = vec![(root, self.needs(root))];
            while let Some((vertex, next)) = path.last_mut() {
                let Some(target) = next.pop() else {
                    left.insert(*vertex, true);
                    path.pop();
                    continue;
                };
                match left.get(&target) {
                    None => {
                        left.insert(target, false);
                        path.push((target, self.needs(target)));
                    }
                    Some(false) => {
                        let start = path.iter().position(|(v, _)| *v == target)?;
                        let cycle = path[start..].iter().map(|(v, _)| *v);
                        return Some(cycle.filter(|v| !matches!(v, Vertex::Expr(_))).collect());
                    }
                    Some(true) => {}
                }
            }
        }
        None
    }

    /// All that some vertices need at the same step, and themselves (a worklist).
    fn reached(&self, mut stack: Vec<Vertex>) -> Vec<Vertex> {
        let mut seen: FxHashSet<Vertex> = FxHashSet::default();
        let mut found = Vec::new();
        while let Some(vertex) = stack.pop() {
            if seen.insert(vertex) {
                stack.extend(self.needs(vertex));
                found.push(vertex);
            }
        }
        found
    }

    /// What the environment and callers owe may not depend on what the node makes
    /// of it at the same step: not the assumptions, nor when a mode applies, nor what the
    /// types of inputs say.
    fn no_present_outputs(&self, diagnostics: &mut Diagnostics) {
        let node = self.node;
        let assumed = node.clauses.iter().filter(|c| c.kind == ClauseKind::Assume);
        let assumed = assumed.map(|clause| (Vertex::Expr((clause.expr, 0)), clause.span));
        let modes = node.modes.iter().map(|m| (Vertex::Stream(*m, 0), node.stream(*m).span));
        let inputs = node.input_ids().map(|id| node.stream(id));
        let inputs = inputs.filter_map(|s| Some((Vertex::Expr((s.condition?, 0)), s.span)));
        for (root, span) in assumed.chain(modes).chain(inputs) {
            let output = |vertex: &Vertex| match vertex {
                Vertex::Stream(s, _) if node.stream(*s).kind == StreamKind::Output => Some(*s),
                _ => None,
            };
            let Some(output) = self.reached(vec![root]).iter().find_map(output) else { continue };
            let output = node.stream(output);
            let message = format!("this depends on the output `{}` at the same step", output.name);
            let help = "assumptions and requirements are about inputs and the past: write `pre`";
            let diagnostic = Diagnostic::error(Code::Causality, span, message);
            diagnostics.push(diagnostic.also(output.span, "the output").help(help));
        }
    }

    fn summary(&self) -> Summary {
        if self.node.imported {
            // Nobody knows: each output may depend on all inputs.
            let inputs = self.node.leaves(self.node.input_ids());
            let inputs: Vec<_> = inputs.map(|(input, leaf)| (input.index(), leaf)).collect();
            return self.node.leaves(self.node.output_ids()).map(|_| inputs.clone()).collect();
        }
        let input = |vertex: &Vertex| match vertex {
            Vertex::Stream(s, leaf) if s.index() < self.node.inputs => Some((s.index(), *leaf)),
            _ => None,
        };
        let one = |(output, leaf)| {
            let reached = self.reached(vec![Vertex::Stream(output, leaf)]);
            let mut found: Vec<InputLeaf> = reached.iter().filter_map(input).collect();
            found.sort_unstable();
            found
        };
        self.node.leaves(self.node.output_ids()).map(one).collect()
    }
}
