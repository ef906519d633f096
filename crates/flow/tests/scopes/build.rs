//! Kernel programs written by hand.

use lustral_kernel::{
    Call, Candidates, Claim, Constraint, Enumeration, Expr, ExprId, ExprKind, Flow, FlowId,
    FlowKind, Node, Obligation, Program, Scope, ScopeId, Shapes, Sort, Type,
};
use lustral_sema::obligations::ObligationKind;
use lustral_sema::program::{self, BinaryOp, CallId, UnaryOp};
use lustral_sema::types::EnumId;
use lustral_sema::{NodeId, PropertySource, StreamId};
use lustral_syntax::{FileId, Span};

pub const SPAN: Span = Span { file: FileId(0), start: 0, end: 0 };
pub const BOOL: Type = Type::BOOL;
pub const INT: Type = Type::INT;
/// The enumeration of all programs here.
pub const COLOUR: Enumeration = Enumeration { id: EnumId(0), size: 3 };
pub const COLOURS: Type = Type { sort: Sort::Enum(COLOUR), bounds: None };

/// A node that is being built: inputs and outputs first, then all else.
pub struct Build {
    pub node: Node,
}

impl Build {
    pub fn new(name: &str, inputs: &[(&str, Type)], outputs: &[(&str, Type)]) -> Build {
        let own = Scope { parent: None, activation: None, reset: None, span: SPAN };
        let node = Node {
            name: name.into(),
            span: SPAN,
            flows: Vec::new(),
            inputs: inputs.len(),
            outputs: outputs.len(),
            scopes: vec![own],
            exprs: lustral_kernel::Exprs::default(),
            calls: Vec::new(),
            constraints: Vec::new(),
            obligations: Vec::new(),
            candidates: Candidates::default(),
            shapes: Shapes::default(),
            places: [].into_iter().collect(),
        };
        let mut build = Build { node };
        for (name, ty) in inputs {
            build.add_flow(name, ty, ScopeId::NODE, FlowKind::Input);
        }
        for (name, ty) in outputs {
            build.add_flow(name, ty, ScopeId::NODE, FlowKind::Output);
        }
        build
    }

    fn add_flow(&mut self, name: &str, ty: &Type, scope: ScopeId, kind: FlowKind) -> FlowId {
        let id = self.node.flows.len() as u32;
        self.node.flows.push(Flow {
            name: name.into(),
            ty: ty.clone(),
            scope,
            kind,
            definition: None,
            source: Some((StreamId(id), 0)),
            span: SPAN,
            hidden: false,
            counts: Vec::new(),
        });
        FlowId(id)
    }

    /// A local flow, which is defined later.
    pub fn local(&mut self, name: &str, ty: &Type, scope: ScopeId) -> FlowId {
        self.add_flow(name, ty, scope, FlowKind::Local)
    }

    pub fn define(&mut self, flow: FlowId, expr: ExprId) {
        self.node.flows[flow.index()].definition = Some(expr);
    }

    pub fn scope(
        &mut self,
        parent: ScopeId,
        activation: Option<ExprId>,
        reset: Option<ExprId>,
    ) -> ScopeId {
        self.node.scopes.push(Scope { parent: Some(parent), activation, reset, span: SPAN });
        ScopeId(self.node.scopes.len() as u32 - 1)
    }

    pub fn call(&mut self, callee: u32, scope: ScopeId, args: Vec<ExprId>) -> CallId {
        self.node.calls.push(Call { callee: NodeId(callee), scope, args, span: SPAN });
        CallId(self.node.calls.len() as u32 - 1)
    }

    pub fn constrain(&mut self, scope: ScopeId, expr: ExprId) {
        let assertion = self.node.constraints.len() as u32;
        self.node.constraints.push(Constraint { scope, expr, assertion, given: false, span: SPAN });
    }

    pub fn show(&mut self, scope: ScopeId, expr: ExprId) {
        let kind = ObligationKind::Stated;
        self.node.obligations.push(Obligation {
            kind,
            role: kind.role(),
            source: PropertySource::Stated(self.node.obligations.len()),
            name: format!("p{}", self.node.obligations.len()),
            scope,
            claim: Claim::Expr(expr),
            span: SPAN,
        });
    }

    /// An expression. What comes from where is said with the kernel's own ids.
    pub fn push(&mut self, kind: ExprKind, ty: &Type) -> ExprId {
        let source = Some((program::ExprId(self.node.exprs.len() as u32), 0));
        self.node.exprs.push(Expr { kind, ty: ty.clone(), source, span: SPAN })
    }

    pub fn flow(&mut self, flow: FlowId) -> ExprId {
        let ty = self.node.flow(flow).ty.clone();
        self.push(ExprKind::Flow(flow), &ty)
    }

    pub fn int(&mut self, n: i64) -> ExprId {
        self.push(ExprKind::Int(n.into()), &INT)
    }

    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.push(ExprKind::Unary(UnaryOp::Not, a), &BOOL)
    }

    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: &Type) -> ExprId {
        self.push(ExprKind::Binary(op, a, b), ty)
    }

    pub fn pre(&mut self, a: ExprId) -> ExprId {
        let ty = self.node.exprs[a].ty.clone();
        self.push(ExprKind::Pre(a), &ty)
    }

    pub fn arrow(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.node.exprs[a].ty.clone();
        self.push(ExprKind::Arrow(a, b), &ty)
    }

    pub fn if_(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.node.exprs[a].ty.clone();
        self.push(ExprKind::If(c, a, b), &ty)
    }

    /// A flow that counts the steps of its scope from 1: `1 -> pre n + 1`.
    pub fn counter(&mut self, name: &str, scope: ScopeId) -> FlowId {
        let flow = self.local(name, &INT, scope);
        let (one, again) = (self.int(1), self.flow(flow));
        let before = self.pre(again);
        let more = self.binary(BinaryOp::Plus, before, one, &INT);
        let first = self.int(1);
        let definition = self.arrow(first, more);
        self.define(flow, definition);
        flow
    }
}

/// A program of some nodes, called ones first.
pub fn program(nodes: Vec<Build>) -> Program {
    let nodes = nodes.into_iter().map(|build| build.node).collect();
    let values = ["Red", "Green", "Blue"].map(Into::into).into();
    let colour = program::Enumeration {
        name: "colour".into(),
        values,
        value_spans: Vec::new(),
        constructors: false,
    };
    let program = Program { nodes, enums: vec![colour], ..Program::default() };
    assert_eq!(lustral_kernel::lint(&program), Ok(()));
    program
}
