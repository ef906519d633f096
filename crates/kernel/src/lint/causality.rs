//! No flow depends on itself at the same step: there is a topological order of
//! all definitions, which the encoder relies on.
//!
//! Besides equations, values depend on whether a step is the first of a scope,
//! and that on resets at the same step. Whoever reads a delay or `->` therefore
//! depends on the resets of the scope and of those around it. A call passes on
//! what the callee's outputs depend on: some inputs, and perhaps whether the
//! step is the first of the call's scope.

use super::Mistake;
use crate::expr::ExprKind;
use crate::ids::{ExprId, FlowId, ScopeId};
use crate::program::{Node, Program};

/// What an output depends on at the same step.
#[derive(Clone, Default)]
struct Dependence {
    inputs: Vec<usize>,
    /// Whether the step is the first of the node's own scope.
    first: bool,
}

/// Checks all nodes, called ones first.
pub(super) fn check(program: &Program) -> Result<(), Mistake> {
    let mut known: Vec<Option<Vec<Dependence>>> = vec![None; program.nodes.len()];
    for index in callees_first(program)? {
        let node = &program.nodes[index];
        let graph = Graph::new(node, &known);
        if let Some(vertex) = graph.in_cycle() {
            let flows = graph.flows_with(vertex);
            return Err(Mistake::Causality { node: node.name.to_string(), flows });
        }
        known[index] = Some(graph.dependences());
    }
    Ok(())
}

/// The nodes in an order in which each stands after those that it calls.
fn callees_first(program: &Program) -> Result<Vec<usize>, Mistake> {
    let calls = |index: usize| program.nodes[index].calls.iter().map(|call| call.callee.index());
    let edges: Vec<Vec<usize>> = (0..program.nodes.len()).map(|i| calls(i).collect()).collect();
    topological_order(&edges)
        .map_err(|index| Mistake::Recursion { node: program.nodes[index].name.to_string() })
}

/// The vertices of a graph, each after those that its edges lead to; a vertex
/// of a cycle if there is one. Depth-first search with an explicit stack.
fn topological_order(edges: &[Vec<usize>]) -> Result<Vec<usize>, usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; edges.len()];
    let mut order = Vec::with_capacity(edges.len());
    for root in 0..edges.len() {
        if marks[root] != Mark::New {
            continue;
        }
        marks[root] = Mark::Open;
        let mut path = vec![(root, 0)];
        while let Some((vertex, next)) = path.last_mut() {
            let Some(&target) = edges[*vertex].get(*next) else {
                marks[*vertex] = Mark::Done;
                order.push(*vertex);
                path.pop();
                continue;
            };
            *next += 1;
            match marks[target] {
                Mark::New => {
                    marks[target] = Mark::Open;
                    path.push((target, 0));
                }
                Mark::Open => return Err(target),
                Mark::Done => {}
            }
        }
    }
    Ok(order)
}

/// What depends on what at the same step. The vertices are the flows, then for
/// each scope whether the step is its first, then the outputs of the calls.
struct Graph<'p> {
    node: &'p Node,
    /// The first vertex of each call's outputs.
    outputs: Vec<usize>,
    edges: Vec<Vec<usize>>,
}

impl<'p> Graph<'p> {
    fn new(node: &'p Node, known: &[Option<Vec<Dependence>>]) -> Graph<'p> {
        let mut outputs = Vec::with_capacity(node.calls.len());
        let mut count = node.flows.len() + node.scopes.len();
        let of = |callee: usize| known[callee].as_deref().unwrap_or_default();
        for call in &node.calls {
            outputs.push(count);
            count += of(call.callee.index()).len();
        }
        let mut graph = Graph { node, outputs, edges: Vec::with_capacity(count) };
        for flow in &node.flows {
            let read = graph.reads(flow.scope, flow.definition);
            graph.edges.push(read);
        }
        for scope in &node.scopes {
            let parent = scope.parent.unwrap_or(ScopeId::NODE);
            let mut read = graph.reads(parent, scope.reset);
            read.extend(scope.parent.map(|parent| graph.first(parent)));
            graph.edges.push(read);
        }
        for call in &node.calls {
            for Dependence { inputs, first } in of(call.callee.index()) {
                let mut read = graph.reads(call.scope, inputs.iter().map(|i| call.args[*i]));
                read.extend(first.then(|| graph.first(call.scope)));
                graph.edges.push(read);
            }
        }
        graph
    }

    /// The vertex of whether the step is the first of a scope.
    fn first(&self, scope: ScopeId) -> usize {
        self.node.flows.len() + scope.index()
    }

    /// What the values of expressions in a scope depend on.
    fn reads(&self, scope: ScopeId, roots: impl IntoIterator<Item = ExprId>) -> Vec<usize> {
        let exprs = &self.node.exprs;
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<ExprId> = roots.into_iter().collect();
        let mut read = Vec::new();
        while let Some(expr) = stack.pop() {
            if !seen.insert(expr) {
                continue;
            }
            match &exprs[expr].kind {
                ExprKind::Flow(flow) | ExprKind::Present(flow) => read.push(flow.index()),
                ExprKind::Output(call, i) => read.push(self.outputs[call.index()] + *i as usize),
                ExprKind::Pre(_) | ExprKind::Arrow(..) => read.push(self.first(scope)),
                _ => {}
            }
            // What a delay gives is from another step.
            if !matches!(exprs[expr].kind, ExprKind::Pre(_)) {
                exprs.operands(expr, |operand| stack.push(operand));
            }
        }
        read.sort_unstable();
        read.dedup();
        read
    }

    fn in_cycle(&self) -> Option<usize> {
        topological_order(&self.edges).err()
    }

    /// The flows that depend on a vertex that depends on them.
    fn flows_with(&self, vertex: usize) -> Vec<FlowId> {
        let reached = self.reached(vertex);
        let flows = (0..self.node.flows.len()).filter(|flow| reached[*flow]);
        let back = flows.filter(|flow| self.reached(*flow)[vertex]);
        back.map(|flow| FlowId(flow as u32)).collect()
    }

    fn reached(&self, from: usize) -> Vec<bool> {
        let mut reached = vec![false; self.edges.len()];
        let mut stack = vec![from];
        while let Some(vertex) = stack.pop() {
            if !std::mem::replace(&mut reached[vertex], true) {
                stack.extend(&self.edges[vertex]);
            }
        }
        reached
    }

    fn dependences(&self) -> Vec<Dependence> {
        let (inputs, outputs) = (self.node.inputs, self.node.outputs);
        let one = |output| {
            let reached = self.reached(output);
            let inputs = (0..inputs).filter(|input| reached[*input]).collect();
            Dependence { inputs, first: reached[self.first(ScopeId::NODE)] }
        };
        (inputs..inputs + outputs).map(one).collect()
    }
}
