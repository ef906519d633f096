//! The equations and statements of a program as what its system can do without.
//!
//! An element is an equation of a node, or a statement (an assertion, an assumption and the
//! like), as it stands in the text: one for all instances of the node. The arguments of a
//! call belong to the equation or statement that the call stands in; where several
//! mention it, to each of them. What properties mention themselves is no element and
//! always there, and so are the clocks of parts of nodes and what nodes without a body give.

use std::cell::RefCell;

use lustral_sema::program::{Assertion, CallId, ExprKind, Meaning, Node, Role, closure};
use lustral_sema::{NodeId, StreamId};
use lustral_syntax::Span;
use lustral_system::{ConstraintSource, Elements, ExprId, Origin, Role as VariableRole};
use rustc_hash::FxHashMap;

use crate::Unit;

/// An equation or a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    /// The node that it stands in.
    pub node: NodeId,
    /// What it is there.
    pub what: ElementKind,
    /// Where it begins.
    pub span: Span,
    /// The whole of it, for marking.
    pub whole: Span,
}

/// What an element is in its node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ElementKind {
    /// The equation of some flows: more than one where a call gives them together.
    Equation(Vec<StreamId>),
    /// An assertion or the like, by its position.
    Statement(usize),
}

/// The elements of the nodes of a unit, and what they are in its system.
#[derive(Clone, Default, Debug)]
pub struct UnitElements {
    /// By number.
    pub list: Vec<Element>,
    /// In the system.
    pub elements: Elements,
}

impl Unit {
    /// The equations and statements that the system of the unit comes from.
    #[must_use]
    pub fn elements(&self) -> UnitElements {
        let mut list = Vec::new();
        let mut nodes: FxHashMap<NodeId, NodeElements> = FxHashMap::default();
        for id in self.tree.ids().filter(|id| !self.tree.is_cut(*id)) {
            let node = self.tree.instance(id).node;
            nodes
                .entry(node)
                .or_insert_with(|| NodeElements::new(node, self.program.node(node), &mut list));
        }
        let mut elements = Elements { count: list.len(), ..Elements::default() };
        for (var, variable) in self.system.variables() {
            let Origin::Stream { instance, stream, .. } = variable.origin else { continue };
            if !matches!(variable.role, VariableRole::Defined(_)) {
                continue;
            }
            let called = self.tree.instance(instance);
            let owners = match called.parent {
                Some((caller, call)) if stream.index() < self.program.node(called.node).inputs => {
                    nodes
                        .get(&self.tree.instance(caller).node)
                        .map(|n| n.calls[call.index()].clone())
                }
                _ => nodes
                    .get(&called.node)
                    .map(|n| n.streams[stream.index()].iter().copied().collect()),
            };
            if let Some(owners) = owners.filter(|owners| !owners.is_empty()) {
                elements.variables.push((var, owners));
            }
        }
        for (position, constraint) in self.system.constraints.iter().enumerate() {
            let ConstraintSource::Assertion { instance, index } = constraint.source else {
                continue;
            };
            let node = nodes.get(&self.tree.instance(instance).node);
            if let Some(owner) = node.and_then(|node| node.statements[index as usize]) {
                elements.constraints.push((position, owner));
            }
        }
        UnitElements { list, elements }
    }
}

/// The numbers of the elements of a node.
struct NodeElements {
    /// By flow; inputs have none.
    streams: Vec<Option<usize>>,
    /// By assertion.
    statements: Vec<Option<usize>>,
    /// By call: those that mention it. None if something that always stays does.
    calls: Vec<Vec<usize>>,
}

impl NodeElements {
    fn new(id: NodeId, node: &Node, list: &mut Vec<Element>) -> NodeElements {
        let mut found = NodeElements {
            streams: vec![None; node.streams.len()],
            statements: vec![None; node.asserts.len()],
            calls: vec![Vec::new(); node.calls.len()],
        };
        found.equations(id, node, list);
        for (position, assertion) in node.asserts.iter().enumerate() {
            let Assertion { premise, span, .. } = *assertion;
            if premise.is_stated() {
                found.statements[position] = Some(list.len());
                let what = ElementKind::Statement(position);
                list.push(Element { node: id, what, span, whole: span });
            }
        }
        found.owners(node);
        found
    }

    /// An element for each equation. What a node without a body gives is no equation.
    fn equations(&mut self, id: NodeId, node: &Node, list: &mut Vec<Element>) {
        let places = left_sides(node);
        let mut of_call: FxHashMap<CallId, usize> = FxHashMap::default();
        for stream in node.stream_ids() {
            let Some(definition) = node.stream(stream).definition else { continue };
            if node.imported || matches!(node.exprs[definition].kind, ExprKind::Any) {
                continue;
            }
            let call = match node.exprs[definition].kind {
                ExprKind::Output(call, _) => Some(call),
                _ => None,
            };
            let together = call.and_then(|call| of_call.get(&call).copied());
            let number = together.unwrap_or(list.len());
            if let Some(ElementKind::Equation(streams)) = list.get_mut(number).map(|e| &mut e.what)
            {
                streams.push(stream);
            } else {
                let right = node.exprs[definition].span;
                let span = places.get(&stream).copied().unwrap_or(right);
                let ordered = span.file == right.file && span.start <= right.start;
                let whole = if ordered { span.to(right) } else { right };
                let what = ElementKind::Equation(vec![stream]);
                list.push(Element { node: id, what, span, whole });
            }
            self.streams[stream.index()] = Some(number);
            call.map(|call| of_call.insert(call, number));
        }
    }

    /// Who mentions the calls.
    fn owners(&mut self, node: &Node) {
        let mut always = vec![false; node.calls.len()];
        let kept = node.properties.iter().map(|p| p.expr);
        let kept = kept.chain(node.clauses.iter().map(|c| c.expr));
        let kept = kept.chain(node.streams.iter().filter_map(|s| s.condition));
        let kept =
            kept.chain(node.scopes.iter().flat_map(|s| s.activation.into_iter().chain(s.reset)));
        for call in mentioned(node, kept) {
            always[call.index()] = true;
        }
        let equations = node.streams.iter().zip(&self.streams);
        let equations = equations.filter_map(|(s, number)| Some((s.definition?, *number)));
        let statements =
            node.asserts.iter().zip(&self.statements).map(|(a, number)| (a.expr, *number));
        for (root, number) in equations.chain(statements) {
            for call in mentioned(node, [root]) {
                match number {
                    Some(number) if !self.calls[call.index()].contains(&number) => {
                        self.calls[call.index()].push(number);
                    }
                    Some(_) => {}
                    None => always[call.index()] = true,
                }
            }
        }
        for (owners, _) in self.calls.iter_mut().zip(always).filter(|(_, always)| *always) {
            owners.clear();
        }
    }
}

/// Where the flows of a node stand on the left of their equations.
fn left_sides(node: &Node) -> FxHashMap<StreamId, Span> {
    let mut places = FxHashMap::default();
    for used in node.uses.iter().filter(|used| used.role == Role::Definition) {
        if let Meaning::Stream(stream) = used.meaning {
            places.entry(stream).or_insert(used.span);
        }
    }
    places
}

/// The calls that some expressions mention, those in arguments of others among them.
fn mentioned(node: &Node, roots: impl IntoIterator<Item = ExprId>) -> Vec<CallId> {
    let mut seen = vec![false; node.calls.len()];
    let mut found = Vec::new();
    let mut pending: Vec<ExprId> = roots.into_iter().collect();
    while !pending.is_empty() {
        for expr in closure(std::mem::take(&mut pending), |id, stack| operands(node, id, stack)) {
            let ExprKind::Output(id, _) = node.exprs[expr].kind else { continue };
            if !std::mem::replace(&mut seen[id.index()], true) {
                found.push(id);
                let call = &node.calls[id.index()];
                pending.extend(call.args.iter().copied().chain(call.clock).chain(call.reset));
            }
        }
    }
    found
}

fn operands(node: &Node, id: ExprId, stack: &mut Vec<ExprId>) {
    let list = RefCell::new(stack);
    let _ = node.exprs[id].kind.with_operands(|operand| {
        list.borrow_mut().push(operand);
        operand
    });
}
