//! From typed programs to kernel programs. Trusted, so it is small: each
//! construct of the language that is no equation yet is translated here, and
//! in one place.
//!
//! Nodes and calls keep their ids. Flows and constants become one for each of
//! their leaves, side by side in the order of the text (`layout.rs`), and so do
//! structured expressions (`expand.rs`).

use std::sync::Arc;

use lustral_sema::obligations::obligations;
use lustral_sema::program as typed;
use lustral_sema::{NodeId, PropertySource, StreamId};
use lustral_syntax::SourceMap;
use rustc_hash::FxHashMap;

use crate::expand::Expansion;
use crate::expr::{ExprKind, Exprs};
use crate::ids::{ExprId, FlowId, ScopeId};
use crate::layout::{Layout, Positions};
use crate::program::{
    Call, Candidate, Candidates, Claim, Constant, Constraint, Flow, FlowKind, Node, Obligation,
    Program,
};
use crate::scope::Scope;
use crate::shape::{Row, Shapes};

/// The kernel of a typed program, which must be free of errors. The texts are
/// those that it was read from: they give names to what has none.
#[must_use]
pub fn translate(program: &Arc<typed::Program>, sources: &SourceMap) -> Program {
    let positions = Positions::new(program);
    let mut expansion = Expansion::new(&program.const_exprs, positions.outside(program));
    let mut constants = Vec::new();
    for constant in program.consts.iter().filter(|constant| !constant.open) {
        let Some(expr) = constant.expr else { continue };
        let names = constant.ty.leaves_of(&constant.name).into_iter();
        let leaves = expansion.leaves(expr);
        let leaves = names.zip(leaves);
        constants.extend(leaves.map(|((name, _), expr)| Constant { name: name.into(), expr }));
    }
    let nodes =
        (0..program.nodes.len() as u32).map(|id| node(program, &positions, NodeId(id), sources));
    let kernel = Program {
        typed: program.clone(),
        enums: program.enums.clone(),
        constants,
        constant_exprs: expansion.finish().0,
        nodes: nodes.collect(),
    };
    debug_assert_eq!(crate::lint(&kernel), Ok(()));
    kernel
}

fn node(program: &typed::Program, positions: &Positions, id: NodeId, sources: &SourceMap) -> Node {
    let node = program.node(id);
    if node.template {
        return without_flows(node);
    }
    let layout = positions.inside(program, id);
    let mut expansion = Expansion::new(&node.exprs, layout);
    let scopes = expansion.scopes();
    let mut calls = Vec::with_capacity(node.calls.len());
    for call in &node.calls {
        let scope = call.scope;
        let args = call.args.iter().flat_map(|arg| expansion.read_all(*arg, scope)).collect();
        calls.push(Call { callee: call.callee, scope, args, span: call.span });
    }
    let mut constraints = Vec::with_capacity(node.asserts.len());
    for (assertion, assert) in (0..).zip(&node.asserts) {
        let (expr, span) = (expansion.scalar(assert.expr), assert.span);
        let scope = node.exprs[assert.expr].scope;
        let given = assert.premise.is_given();
        constraints.push(Constraint { scope, expr, assertion, given, span });
    }
    let (mut flows, shapes) = flows(node, &mut expansion);
    let mut claim = |source| match source {
        PropertySource::Stated(i) => Claim::Expr(expansion.scalar(node.properties[i].expr)),
        PropertySource::InRange(stream) => {
            let known = node.stream(stream);
            let (first, count) = (layout.flow(stream, 0), known.ty.leaves());
            let condition = known.condition.map(|expr| expansion.scalar(expr));
            Claim::InRange { first, count, condition }
        }
        PropertySource::Output(stream) => Claim::Flow(layout.flow(stream, 0)),
        PropertySource::Clause(i) => Claim::Expr(expansion.scalar(node.clauses[i].expr)),
    };
    let obligations = obligations(program, id).into_iter().map(|o| Obligation {
        kind: o.kind,
        role: o.role,
        source: o.source,
        name: o.name,
        scope: scope_of(node, o.source),
        claim: claim(o.source),
        span: o.span,
    });
    let obligations = obligations.collect();
    let (exprs, extra) = expansion.finish();
    flows.extend(extra);
    let inputs = positions.count(id, node.inputs);
    Node {
        name: node.name.clone(),
        span: node.span,
        flows,
        inputs,
        outputs: positions.count(id, node.inputs + node.outputs) - inputs,
        scopes,
        calls,
        constraints,
        obligations,
        candidates: candidates(&node.candidates, layout),
        shapes,
        places: places(&exprs, sources),
        exprs,
    }
}

/// The scope in which a property counts: that of what it is about.
fn scope_of(node: &typed::Node, source: PropertySource) -> ScopeId {
    match source {
        PropertySource::Stated(i) => node.exprs[node.properties[i].expr].scope,
        PropertySource::Clause(i) => node.exprs[node.clauses[i].expr].scope,
        PropertySource::InRange(stream) | PropertySource::Output(stream) => {
            node.stream(stream).scope
        }
    }
}

/// In place of a node that nobody can call.
fn without_flows(node: &typed::Node) -> Node {
    Node {
        name: node.name.clone(),
        span: node.span,
        flows: Vec::new(),
        inputs: 0,
        outputs: 0,
        scopes: vec![Scope { parent: None, activation: None, reset: None, span: node.span }],
        exprs: Exprs::default(),
        calls: Vec::new(),
        constraints: Vec::new(),
        obligations: Vec::new(),
        candidates: Candidates::default(),
        shapes: Shapes::default(),
        places: FxHashMap::default(),
    }
}

/// A flow for each leaf of each flow, and how they belong together.
fn flows(node: &typed::Node, expansion: &mut Expansion<'_>) -> (Vec<Flow>, Shapes) {
    let mut flows = Vec::new();
    let mut shapes = Shapes::default();
    for (stream, known) in (0..).map(StreamId).zip(&node.streams) {
        let first = flows.len() as u32;
        let mut next = FlowId(first);
        let shape = shapes.of(&known.ty, &mut next);
        shapes.rows.push(Row { name: known.name.clone(), shape, span: known.span });
        for (leaf, (name, ty)) in (0..).zip(known.ty.leaves_of(&known.name)) {
            flows.push(Flow {
                name: name.into(),
                ty: expansion.ty(&ty),
                scope: known.scope,
                kind: match known.kind {
                    typed::StreamKind::Input => FlowKind::Input,
                    typed::StreamKind::Output => FlowKind::Output,
                    typed::StreamKind::Local => FlowKind::Local,
                },
                definition: known.definition.map(|expr| expansion.leaf((expr, leaf))),
                source: Some((stream, leaf)),
                span: known.span,
                hidden: known.hidden,
                counts: known
                    .ty
                    .counts_where(leaf)
                    .into_iter()
                    .map(|(tag, constructor)| (FlowId(first + tag), constructor))
                    .collect(),
            });
        }
    }
    (flows, shapes)
}

fn candidates(candidates: &typed::Candidates, layout: Layout<'_>) -> Candidates {
    let mut expansion = Expansion::new(&candidates.exprs, layout);
    let mut list = Vec::with_capacity(candidates.list.len());
    for candidate in &candidates.list {
        let expr = expansion.scalar(candidate.expr);
        list.push(Candidate { expr, span: candidate.span });
    }
    Candidates { list, exprs: expansion.finish().0 }
}

/// Where each `pre` stands, and each value that is left open.
fn places(
    exprs: &Exprs,
    sources: &SourceMap,
) -> FxHashMap<ExprId, lustral_syntax::source::LineColumn> {
    let open = exprs.iter().filter(|(_, e)| matches!(e.kind, ExprKind::Pre(_) | ExprKind::Any));
    open.map(|(id, e)| (id, sources.line_column(e.span))).collect()
}
