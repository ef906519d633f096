//! From one clock scope to another: what is sampled, merged and held. Wherever an
//! expression reads another of another scope, that one gets a flow of its own there,
//! unless it is one.

use lustral_sema::program as typed;
use lustral_sema::program::{BinaryOp, CallId, LeafId};

use crate::expand::Expansion;
use crate::expr::{Expr, ExprKind, Exprs};
use crate::ids::{ExprId, FlowId, ScopeId};
use crate::program::{Flow, FlowKind};
use crate::scope::Scope;
use crate::types::{Sort, Type};

/// The flows that only the translation knows.
#[derive(Default)]
pub(crate) struct Extra {
    pub flows: Vec<Flow>,
    /// The position of the first of them among all flows of the node.
    pub first: u32,
    /// The scope of each declared flow, by position.
    pub declared: Vec<ScopeId>,
}

impl Extra {
    fn next(&self) -> FlowId {
        FlowId(self.first + self.flows.len() as u32)
    }

    fn scope_of(&self, flow: FlowId) -> ScopeId {
        match self.declared.get(flow.index()) {
            Some(scope) => *scope,
            None => self.flows[(flow.0 - self.first) as usize].scope,
        }
    }
}

/// `if activation then now else (default -> pre held)`, the definition of a flow that is
/// held; without a default its first value is arbitrary.
pub(crate) fn held_value(
    exprs: &mut Exprs,
    held: ExprId,
    [activation, now]: [ExprId; 2],
    default: Option<ExprId>,
) -> ExprId {
    let Expr { ty, source, span, .. } = exprs[held].clone();
    let mut push = |kind| exprs.push(Expr { kind, ty: ty.clone(), source, span });
    let mut before = push(ExprKind::Pre(held));
    if let Some(default) = default {
        before = push(ExprKind::Arrow(default, before));
    }
    push(ExprKind::If(activation, now, before))
}

impl Expansion<'_> {
    /// An expression that something in a scope reads.
    pub fn read(&mut self, leaf: LeafId, reader: ScopeId) -> ExprId {
        let made = self.leaf(leaf);
        let scope = self.typed[leaf.0].scope;
        if scope == reader {
            return made;
        }
        let flow = match self.exprs[made].kind {
            ExprKind::Flow(flow) | ExprKind::Present(flow) => flow,
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Enum(..)
            | ExprKind::Const(_) => return made,
            _ => match self.named.get(&leaf) {
                Some(known) => *known,
                None => {
                    let flow = self.flow(leaf, scope, "value", made);
                    self.named.insert(leaf, flow);
                    flow
                }
            },
        };
        self.mention(leaf, flow, reader)
    }

    /// All leaves of an expression that something in a scope reads.
    pub fn read_all(&mut self, id: typed::ExprId, reader: ScopeId) -> Vec<ExprId> {
        let leaves = 0..self.typed[id].ty.leaves();
        leaves.map(|leaf| self.read((id, leaf), reader)).collect()
    }

    /// A flow, read in a scope.
    fn mention(&mut self, leaf: LeafId, flow: FlowId, reader: ScopeId) -> ExprId {
        let outer = self.is_around(self.extra.scope_of(flow), reader);
        let kind = if outer { ExprKind::Flow(flow) } else { ExprKind::Present(flow) };
        let ty = self.ty(self.typed[leaf.0].ty.leaf(leaf.1));
        self.push(leaf, kind, ty)
    }

    fn is_around(&self, outer: ScopeId, inner: ScopeId) -> bool {
        let mut at = Some(inner);
        while let Some(scope) = at {
            if scope == outer {
                return true;
            }
            at = self.layout.scope(scope).parent;
        }
        false
    }

    /// A flow of the translation for a leaf of an expression.
    fn flow(&mut self, (id, leaf): LeafId, scope: ScopeId, what: &str, of: ExprId) -> FlowId {
        let flow = self.extra.next();
        self.extra.flows.push(Flow {
            name: format!("({what} {})", flow.0).into(),
            ty: self.ty(self.typed[id].ty.leaf(leaf)),
            scope,
            kind: FlowKind::Local,
            definition: Some(of),
            source: None,
            span: self.typed[id].span,
            hidden: true,
            counts: Vec::new(),
        });
        flow
    }

    /// An output of a call, which has a scope of its own where it is restarted.
    pub(crate) fn output(&mut self, leaf: LeafId, call: CallId, position: u32) -> ExprId {
        let ty = self.ty(self.typed[leaf.0].ty.leaf(leaf.1));
        let made = self.push(leaf, ExprKind::Output(call, position), ty);
        let (own, scope) = (self.layout.call(call).scope, self.typed[leaf.0].scope);
        if self.is_around(own, scope) {
            return made;
        }
        let flow = self.flow(leaf, own, "value", made);
        self.mention(leaf, flow, scope)
    }

    /// `if c = A then a else if c = B then b else d`
    pub(crate) fn merge(
        &mut self,
        (id, leaf): LeafId,
        clock: typed::ExprId,
        branches: &[typed::ExprId],
    ) -> ExprId {
        let (of, scope) = ((id, leaf), self.typed[id].scope);
        let ty = self.ty(self.typed[id].ty.leaf(leaf));
        let made = self.read((clock, 0), scope);
        let sort = self.exprs[made].ty.clone();
        let (last, others) = branches.split_last().expect("a clock has values");
        let mut merged = self.read((*last, leaf), scope);
        for (value, branch) in (0..others.len() as u32).zip(others).rev() {
            let branch = self.read((*branch, leaf), scope);
            merged = match sort.sort {
                Sort::Enum(e) => {
                    let wanted = self.push(of, ExprKind::Enum(e, value), sort.clone());
                    let here = ExprKind::Binary(BinaryOp::Equal, made, wanted);
                    let here = self.push(of, here, Type::BOOL);
                    self.push(of, ExprKind::If(here, branch, merged), ty.clone())
                }
                // `false` is the first of two.
                _ => self.push(of, ExprKind::If(made, merged, branch), ty.clone()),
            };
        }
        merged
    }

    /// `held = if activation then (the value) else (default -> pre held)`, a flow.
    pub(crate) fn held(
        &mut self,
        of: LeafId,
        value: typed::ExprId,
        default: Option<typed::ExprId>,
    ) -> ExprId {
        let scope = self.typed[of.0].scope;
        let now = self.read((value, of.1), scope);
        let Some(activation) = self.layout.scope(self.typed[value].scope).activation else {
            return now;
        };
        let activation = self.read((activation, 0), scope);
        let default = default.map(|default| self.read((default, of.1), scope));
        let ty = self.ty(self.typed[of.0].ty.leaf(of.1));
        let held = self.flow(of, scope, "held", now);
        let itself = self.push(of, ExprKind::Flow(held), ty);
        let definition = held_value(&mut self.exprs, itself, [activation, now], default);
        let position = (held.0 - self.extra.first) as usize;
        self.extra.flows[position].definition = Some(definition);
        itself
    }

    /// The scopes of the node.
    pub fn scopes(&mut self) -> Vec<Scope> {
        let mut scopes = Vec::new();
        for known in self.layout.scopes() {
            let parent = known.parent.unwrap_or(ScopeId::NODE);
            let mut read = |e: Option<typed::ExprId>| e.map(|e| self.read((e, 0), parent));
            let (activation, reset) = (read(known.activation), read(known.reset));
            scopes.push(Scope { parent: known.parent, activation, reset, span: known.span });
        }
        scopes
    }
}
