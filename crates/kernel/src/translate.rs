//! From typed programs to kernel programs. Trusted, so it is small: each
//! construct of the language that is no equation yet is translated here, and
//! in one place.
//!
//! Nodes, calls and constants keep their ids, and inputs and outputs their
//! positions.

use std::sync::Arc;

use lustral_sema::obligations::obligations;
use lustral_sema::program as typed;
use lustral_sema::{NodeId, PropertySource, StreamId};
use lustral_syntax::SourceMap;
use rustc_hash::FxHashMap;

use crate::expr::{Expr, ExprKind, Exprs};
use crate::ids::{ExprId, FlowId, ScopeId};
use crate::program::{
    Call, Candidate, Candidates, Claim, Constant, Constraint, Flow, FlowKind, Node, Obligation,
    Program,
};
use crate::scope::Scope;
use crate::shape::{Row, Shape, Shapes};

/// The kernel of a typed program, which must be free of errors. The texts are
/// those that it was read from: they give names to what has none.
#[must_use]
pub fn translate(program: &Arc<typed::Program>, sources: &SourceMap) -> Program {
    let (constant_exprs, ids) = expressions(&program.const_exprs);
    let constants = program
        .consts
        .iter()
        .map(|constant| Constant { name: constant.name.clone(), expr: ids[constant.expr.index()] });
    let nodes = (0..program.nodes.len() as u32).map(|id| node(program, NodeId(id), sources));
    let kernel = Program {
        typed: program.clone(),
        enums: program.enums.clone(),
        constants: constants.collect(),
        constant_exprs,
        nodes: nodes.collect(),
    };
    debug_assert_eq!(crate::lint(&kernel), Ok(()));
    kernel
}

fn node(program: &typed::Program, id: NodeId, sources: &SourceMap) -> Node {
    let node = program.node(id);
    let (exprs, ids) = expressions(&node.exprs);
    let at = |id: typed::ExprId| ids[id.index()];
    // Every flow of the typed program is a scalar, so each is its own shape.
    let mut shapes = Shapes::default();
    for (i, stream) in node.streams.iter().enumerate() {
        let shape = shapes.push(Shape::Flow(FlowId(i as u32)));
        shapes.rows.push(Row { name: stream.name.clone(), shape, span: stream.span });
    }
    let own = Scope { parent: None, activation: None, reset: None, span: node.span };
    let scope = ScopeId::NODE;
    let calls = node.calls.iter().map(|call| Call {
        callee: call.callee,
        scope,
        args: call.args.iter().map(|arg| at(*arg)).collect(),
        span: call.span,
    });
    let asserts = (0..).zip(&node.asserts);
    let constraints = asserts.map(|(assertion, assert)| Constraint {
        scope,
        expr: at(assert.expr),
        assertion,
        given: assert.given,
        span: assert.span,
    });
    let claim = |source| match source {
        PropertySource::Stated(i) => Claim::Expr(at(node.properties[i].expr)),
        PropertySource::InRange(stream) => Claim::InRange(flow_of(stream)),
        PropertySource::Output(stream) => Claim::Flow(flow_of(stream)),
        PropertySource::Clause(i) => Claim::Expr(at(node.clauses[i].expr)),
    };
    let obligations = obligations(program, id).into_iter().map(|o| Obligation {
        kind: o.kind,
        role: o.role,
        source: o.source,
        name: o.name,
        scope,
        claim: claim(o.source),
        span: o.span,
    });
    Node {
        name: node.name.clone(),
        span: node.span,
        flows: flows(node, at),
        inputs: node.inputs,
        outputs: node.outputs,
        scopes: vec![own],
        calls: calls.collect(),
        constraints: constraints.collect(),
        obligations: obligations.collect(),
        candidates: candidates(&node.candidates),
        shapes,
        places: places(&exprs, sources),
        exprs,
    }
}

/// The scalar flow of a flow of the typed program.
fn flow_of(stream: StreamId) -> FlowId {
    FlowId(stream.0)
}

fn flows(node: &typed::Node, at: impl Fn(typed::ExprId) -> ExprId) -> Vec<Flow> {
    let flow = |(i, stream): (u32, &typed::Stream)| Flow {
        name: stream.name.clone(),
        ty: (&stream.ty).into(),
        scope: ScopeId::NODE,
        kind: match stream.kind {
            typed::StreamKind::Input => FlowKind::Input,
            typed::StreamKind::Output => FlowKind::Output,
            typed::StreamKind::Local => FlowKind::Local,
        },
        definition: stream.definition.map(&at),
        source: Some(StreamId(i)),
        span: stream.span,
    };
    (0..).zip(&node.streams).map(flow).collect()
}

fn candidates(candidates: &typed::Candidates) -> Candidates {
    let (exprs, ids) = expressions(&candidates.exprs);
    let list = candidates.list.iter();
    let list = list.map(|c| Candidate { expr: ids[c.expr.index()], span: c.span });
    Candidates { list: list.collect(), exprs }
}

/// Where each `pre` stands.
fn places(
    exprs: &Exprs,
    sources: &SourceMap,
) -> FxHashMap<ExprId, lustral_syntax::source::LineColumn> {
    let delays = exprs.iter().filter(|(_, e)| matches!(e.kind, ExprKind::Pre(_)));
    delays.map(|(id, e)| (id, sources.line_column(e.span))).collect()
}

/// An arena, and the id that each expression has got.
fn expressions(exprs: &typed::Exprs) -> (Exprs, Vec<ExprId>) {
    let mut out = Exprs::default();
    let mut ids: Vec<ExprId> = Vec::with_capacity(exprs.len());
    for (id, expr) in exprs.iter() {
        let at = |operand: &typed::ExprId| ids[operand.index()];
        let mut push = |kind, ty| out.push(Expr { kind, ty, source: Some(id), span: expr.span });
        let kind = match &expr.kind {
            typed::ExprKind::Bool(b) => ExprKind::Bool(*b),
            typed::ExprKind::Int(n) => ExprKind::Int(n.clone()),
            typed::ExprKind::Real(r) => ExprKind::Real(r.clone()),
            typed::ExprKind::Enum(e, i) => ExprKind::Enum(*e, *i),
            typed::ExprKind::Const(c) => ExprKind::Const(*c),
            typed::ExprKind::Stream(stream) => ExprKind::Flow(flow_of(*stream)),
            typed::ExprKind::Output(call, i) => ExprKind::Output(*call, *i),
            typed::ExprKind::Unary(op, a) => ExprKind::Unary(*op, at(a)),
            typed::ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, at(a), at(b)),
            typed::ExprKind::If(c, a, b) => ExprKind::If(at(c), at(a), at(b)),
            typed::ExprKind::AtMostOne(list) => ExprKind::AtMostOne(list.iter().map(at).collect()),
            typed::ExprKind::Pre(a) => ExprKind::Pre(at(a)),
            typed::ExprKind::Arrow(a, b) => ExprKind::Arrow(at(a), at(b)),
            // `a fby b` is `a -> pre b`.
            typed::ExprKind::Fby(a, b) => {
                let delayed = push(ExprKind::Pre(at(b)), (&exprs[*b].ty).into());
                ExprKind::Arrow(at(a), delayed)
            }
        };
        let translated = push(kind, (&expr.ty).into());
        ids.push(translated);
    }
    (out, ids)
}
