//! Programs that break a rule of the kernel are found out.

#![allow(clippy::unwrap_used)]

mod common;

use common::kernel;
use lustral_kernel::{Expr, ExprId, ExprKind, FlowId, Mistake, Node, Scope, ScopeId, Type, lint};

fn add(node: &mut Node, kind: ExprKind, ty: Type) -> ExprId {
    let span = node.span;
    node.exprs.push(Expr { kind, ty, source: None, span })
}

fn flow(node: &Node, name: &str) -> FlowId {
    node.flow_ids().find(|flow| &*node.flow(*flow).name == name).unwrap()
}

/// Makes a flow of a node the value of an expression.
fn define(node: &mut Node, name: &str, kind: ExprKind) {
    let id = flow(node, name);
    let ty = node.flow(id).ty.clone();
    node.flows[id.index()].definition = Some(add(node, kind, ty));
}

fn cycle(flows: &[FlowId]) -> Result<(), Mistake> {
    Err(Mistake::Causality { node: "main".into(), flows: flows.to_vec() })
}

const CHAIN: &str = "node main(x: bool) returns (y: bool);\nvar z: bool;\nlet\n  \
                     z = x -> pre y;\n  y = not z;\ntel\n";

#[test]
fn a_flow_may_not_depend_on_itself() {
    let mut program = kernel(CHAIN);
    assert_eq!(lint(&program), Ok(()), "a delay is no dependence");
    let node = &mut program.nodes[0];
    let (y, z) = (flow(node, "y"), flow(node, "z"));
    define(node, "z", ExprKind::Flow(y));
    assert_eq!(lint(&program), cycle(&[y, z]));
}

/// `y` needs `z`, and `z` needs an output of a call that is given `y`.
#[test]
fn nor_through_a_call() {
    let text = |late: &str| {
        format!(
            "node pass(a: bool) returns (b: bool);\nlet\n  b = {late};\ntel\n\
             node main(x: bool) returns (y: bool);\nvar z: bool;\nlet\n  z = pass(x);\n  y = z;\ntel\n"
        )
    };
    for (late, cyclic) in [("not a", true), ("true -> pre a", false)] {
        let mut program = kernel(&text(late));
        let node = &mut program.nodes[1];
        let (y, z) = (flow(node, "y"), flow(node, "z"));
        let arg = add(node, ExprKind::Flow(y), Type::BOOL);
        node.calls[0].args[0] = arg;
        assert_eq!(lint(&program), if cyclic { cycle(&[y, z]) } else { Ok(()) }, "{late}");
    }
}

/// A flow of a scope that is reset by what the flow says: whether the step is
/// the first one depends on itself.
#[test]
fn nor_through_a_reset() {
    let mut program = kernel(CHAIN);
    let node = &mut program.nodes[0];
    let (x, z) = (flow(node, "x"), flow(node, "z"));
    let scope = ScopeId(node.scopes.len() as u32);
    let by_input = add(node, ExprKind::Flow(x), Type::BOOL);
    let span = node.span;
    node.scopes.push(Scope {
        parent: Some(ScopeId::NODE),
        activation: None,
        reset: Some(by_input),
        span,
    });
    node.flows[z.index()].scope = scope;
    define(node, "y", ExprKind::Present(z));
    assert_eq!(lint(&program), Ok(()));
    let node = &mut program.nodes[0];
    let by_itself = add(node, ExprKind::Present(z), Type::BOOL);
    node.scopes[scope.index()].reset = Some(by_itself);
    assert_eq!(lint(&program), cycle(&[z]));
}

#[test]
fn no_node_calls_itself() {
    let text = "node pass(a: bool) returns (b: bool);\nlet\n  b = a;\ntel\n\
                node main(x: bool) returns (y: bool);\nlet\n  y = pass(x);\ntel\n";
    let mut program = kernel(text);
    program.nodes[1].calls[0].callee = lustral_sema::NodeId(1);
    assert_eq!(lint(&program), Err(Mistake::Recursion { node: "main".into() }));
}
