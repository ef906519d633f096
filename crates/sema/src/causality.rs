//! Causality: no flow may depend on itself at the same step, directly, through
//! other flows, or through a call whose output depends on the input at once.
//! Judged on the equations, not on the values.

use lustral_syntax::Diagnostics;
use lustral_syntax::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashSet;

use crate::program::{CallId, ExprId, ExprKind, Node, NodeId, Program, StreamId};

/// For each output of a node, the inputs that it depends on at once.
type Summary = Vec<Vec<usize>>;

/// A thing with a value at each step.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Vertex {
    Stream(StreamId),
    Output(CallId, u32),
}

/// Judges the nodes that are whole. Of the others nothing is known, so their
/// outputs are taken to depend on nothing: no cycle is reported that a mended
/// program might not have.
pub(crate) fn check(
    program: &Program,
    whole: impl Fn(NodeId) -> bool,
    diagnostics: &mut Diagnostics,
) {
    let unknown = |node: &Node| vec![Vec::new(); node.outputs];
    let mut summaries: Vec<Summary> = program.nodes.iter().map(unknown).collect();
    for id in program.callees_first.iter().filter(|id| whole(**id)) {
        let node = program.node(*id);
        let graph = Graph::new(node, &summaries);
        if let Some(cycle) = graph.cycle() {
            diagnostics.push(report(program, node, &cycle));
        }
        summaries[id.index()] = graph.summary();
    }
}

fn report(program: &Program, node: &Node, cycle: &[Vertex]) -> Diagnostic {
    let name = |vertex: &Vertex| match vertex {
        Vertex::Stream(s) => format!("`{}`", node.stream(*s).name),
        Vertex::Output(call, _) => {
            format!("the call of `{}`", program.node(node.calls[call.index()].callee).name)
        }
    };
    let place = |vertex: &Vertex| match vertex {
        Vertex::Stream(s) => {
            node.stream(*s).definition.map_or(node.stream(*s).span, |e| node.exprs[e].span)
        }
        Vertex::Output(call, _) => node.calls[call.index()].span,
    };
    // Begin with a flow: a person thinks of flows, not of calls.
    let start = cycle.iter().position(|v| matches!(v, Vertex::Stream(_))).unwrap_or(0);
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
    diagnostic.help("break the cycle with `pre`, which takes the value of the step before")
}

struct Graph<'a> {
    node: &'a Node,
    summaries: &'a [Summary],
    /// The first vertex of each call's outputs, after those of the flows.
    first_output: Vec<usize>,
    vertices: Vec<Vertex>,
    edges: Vec<Vec<usize>>,
}

impl<'a> Graph<'a> {
    fn new(node: &'a Node, summaries: &'a [Summary]) -> Graph<'a> {
        let mut vertices: Vec<Vertex> = node.stream_ids().map(Vertex::Stream).collect();
        let mut first_output = Vec::with_capacity(node.calls.len());
        for (i, call) in node.calls.iter().enumerate() {
            first_output.push(vertices.len());
            let outputs = summaries[call.callee.index()].len() as u32;
            vertices.extend((0..outputs).map(|o| Vertex::Output(CallId(i as u32), o)));
        }
        let mut graph = Graph { node, summaries, first_output, vertices, edges: Vec::new() };
        graph.edges = (0..graph.vertices.len()).map(|v| graph.edges_of(v)).collect();
        graph
    }

    fn edges_of(&self, vertex: usize) -> Vec<usize> {
        match self.vertices[vertex] {
            Vertex::Stream(s) => self.leaves(self.node.stream(s).definition),
            Vertex::Output(id, output) => {
                let call = &self.node.calls[id.index()];
                let inputs = &self.summaries[call.callee.index()][output as usize];
                self.leaves(inputs.iter().map(|i| call.args[*i]))
            }
        }
    }

    /// The vertices that the value of some expressions needs at this step.
    fn leaves(&self, roots: impl IntoIterator<Item = ExprId>) -> Vec<usize> {
        let mut found = Vec::new();
        for id in self.node.exprs.present_closure(roots) {
            match &self.node.exprs[id].kind {
                ExprKind::Stream(s) => found.push(s.index()),
                ExprKind::Output(call, i) => {
                    found.push(self.first_output[call.index()] + *i as usize)
                }
                _ => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Some cycle, by depth-first search with an explicit stack.
    fn cycle(&self) -> Option<Vec<Vertex>> {
        const NEW: u8 = 0;
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let mut marks = vec![NEW; self.vertices.len()];
        for root in 0..self.vertices.len() {
            if marks[root] != NEW {
                continue;
            }
            marks[root] = OPEN;
            let mut path = vec![(root, 0usize)];
            while let Some((vertex, next)) = path.last_mut() {
                let Some(&target) = self.edges[*vertex].get(*next) else {
                    marks[*vertex] = DONE;
                    path.pop();
                    continue;
                };
                *next += 1;
                match marks[target] {
                    NEW => {
                        marks[target] = OPEN;
                        path.push((target, 0));
                    }
                    OPEN => {
                        let start = path.iter().position(|(v, _)| *v == target)?;
                        return Some(
                            path[start..].iter().map(|(v, _)| self.vertices[*v]).collect(),
                        );
                    }
                    _ => {}
                }
            }
        }
        None
    }

    fn summary(&self) -> Summary {
        let one = |output: StreamId| {
            let mut seen: FxHashSet<usize> = FxHashSet::default();
            let mut stack = vec![output.index()];
            while let Some(vertex) = stack.pop() {
                if seen.insert(vertex) {
                    stack.extend(&self.edges[vertex]);
                }
            }
            (0..self.node.inputs).filter(|i| seen.contains(i)).collect()
        };
        self.node.output_ids().map(one).collect()
    }
}
