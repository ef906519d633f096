//! The kernel by its definition (`lustral_kernel::scope`): a value is looked up
//! in the history of the whole execution, nothing is carried from step to step.
//! It shares nothing with the encoder.

use std::collections::HashMap;

use lustral_kernel::{ExprId, ExprKind, FlowId, Node, Program, ScopeId};
use lustral_sema::program::{BinaryOp, UnaryOp};
use lustral_sema::{InstanceId, InstanceTree};
use lustral_term::Value;
use lustral_testing::dice::Dice;

use crate::build::COLOUR;

/// A value of the three types that occur here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum V {
    B(bool),
    I(i64),
    E(u32),
}

impl V {
    pub fn term(self) -> Value {
        match self {
            V::B(b) => Value::Bool(b),
            V::I(n) => Value::Int(n.into()),
            V::E(i) => Value::Enum(COLOUR, i),
        }
    }

    pub fn is_true(self) -> bool {
        self == V::B(true)
    }
}

/// A program with what its environment does.
pub struct Definition<'p> {
    pub program: &'p Program,
    pub tree: &'p InstanceTree,
    /// The inputs of the root, by position and step.
    pub input: &'p dyn Fn(usize, usize) -> V,
    pub seed: u64,
    pub values: HashMap<(InstanceId, FlowId, usize), V>,
    pub clocks: HashMap<(InstanceId, ScopeId, usize), (bool, bool)>,
}

impl Definition<'_> {
    fn node(&self, i: InstanceId) -> &Node {
        self.program.node(self.tree.instance(i).node)
    }

    pub fn active(&mut self, i: InstanceId, s: ScopeId, t: usize) -> bool {
        self.clock(i, s, t).0
    }

    /// Whether an active step of a scope is its first.
    pub fn first(&mut self, i: InstanceId, s: ScopeId, t: usize) -> bool {
        self.clock(i, s, t).1
    }

    fn clock(&mut self, i: InstanceId, s: ScopeId, t: usize) -> (bool, bool) {
        if let Some(known) = self.clocks.get(&(i, s, t)) {
            return *known;
        }
        let scope = self.node(i).scope(s).clone();
        let clock = match (scope.parent, self.tree.instance(i).parent) {
            (None, None) => (true, t == 0),
            (None, Some((caller, call))) => {
                let around = self.node(caller).call(call).scope;
                self.clock(caller, around, t)
            }
            (Some(parent), _) => {
                let around = self.clock(i, parent, t);
                let is_true = |this: &mut Self, e| this.expr(i, parent, e, t).is_true();
                let active = around.0 && scope.activation.is_none_or(|e| is_true(self, e));
                let first = active
                    && (around.1
                        || scope.reset.is_some_and(|e| is_true(self, e))
                        || self.was_idle(i, s, parent, t));
                (active, first)
            }
        };
        self.clocks.insert((i, s, t), clock);
        clock
    }

    /// Whether a scope was not active since the last first step of its parent.
    fn was_idle(&mut self, i: InstanceId, s: ScopeId, parent: ScopeId, t: usize) -> bool {
        for u in (0..t).rev() {
            if self.active(i, s, u) {
                return false;
            }
            if self.active(i, parent, u) && self.first(i, parent, u) {
                return true;
            }
        }
        true
    }

    /// The value of a flow at an active step of its scope.
    pub fn flow(&mut self, i: InstanceId, f: FlowId, t: usize) -> V {
        if let Some(known) = self.values.get(&(i, f, t)) {
            return *known;
        }
        let flow = self.node(i).flow(f).clone();
        assert!(self.active(i, flow.scope, t), "{} is read where it is not present", flow.name);
        let value = match (flow.definition, self.tree.instance(i).parent) {
            (Some(e), _) => self.expr(i, flow.scope, e, t),
            (None, None) => (self.input)(f.index(), t),
            (None, Some((caller, call))) => {
                let call = self.node(caller).call(call).clone();
                self.expr(caller, call.scope, call.args[f.index()], t)
            }
        };
        self.values.insert((i, f, t), value);
        value
    }

    /// The arbitrary value of a `pre` at a first step.
    pub fn choice(&self, i: InstanceId, e: ExprId, t: usize) -> V {
        let place = u64::from(i.0) << 40 | u64::from(e.0) << 20 | t as u64;
        let n = Dice::new(self.seed.wrapping_mul(1_000_003) ^ place).number();
        match self.node(i).exprs[e].ty.sort {
            lustral_kernel::Sort::Bool => V::B(n.is_multiple_of(2)),
            lustral_kernel::Sort::Enum(e) => V::E((n % u64::from(e.size)) as u32),
            _ => V::I((n % 7) as i64),
        }
    }

    pub fn expr(&mut self, i: InstanceId, s: ScopeId, e: ExprId, t: usize) -> V {
        let kind = self.node(i).exprs[e].kind.clone();
        match kind {
            ExprKind::Bool(b) => V::B(b),
            ExprKind::Int(n) => V::I(n.try_into().expect("small")),
            ExprKind::Enum(_, i) => V::E(i),
            ExprKind::Flow(f) | ExprKind::Present(f) => self.flow(i, f, t),
            ExprKind::Output(call, n) => {
                let child = self.tree.child(i, call);
                let inputs = self.node(child).inputs as u32;
                self.flow(child, FlowId(inputs + n), t)
            }
            ExprKind::Unary(UnaryOp::Not, a) => V::B(!self.expr(i, s, a, t).is_true()),
            ExprKind::Binary(op, a, b) => combine(op, self.expr(i, s, a, t), self.expr(i, s, b, t)),
            ExprKind::If(c, a, b) => {
                if self.expr(i, s, c, t).is_true() {
                    self.expr(i, s, a, t)
                } else {
                    self.expr(i, s, b, t)
                }
            }
            ExprKind::Arrow(a, b) => {
                if self.first(i, s, t) {
                    self.expr(i, s, a, t)
                } else {
                    self.expr(i, s, b, t)
                }
            }
            ExprKind::Pre(_) if self.first(i, s, t) => self.choice(i, e, t),
            ExprKind::Pre(a) => {
                let before = (0..t).rev().find(|u| self.active(i, s, *u));
                self.expr(i, s, a, before.expect("no first step has one before it"))
            }
            other => unreachable!("{other:?} does not occur here"),
        }
    }
}

fn combine(op: BinaryOp, a: V, b: V) -> V {
    match (op, a, b) {
        (BinaryOp::And, V::B(a), V::B(b)) => V::B(a && b),
        (BinaryOp::Or, V::B(a), V::B(b)) => V::B(a || b),
        (BinaryOp::Xor, V::B(a), V::B(b)) => V::B(a != b),
        (BinaryOp::Less, V::I(a), V::I(b)) => V::B(a < b),
        (BinaryOp::Equal, a, b) => V::B(a == b),
        (BinaryOp::NotEqual, V::E(a), V::E(b)) => V::B(a != b),
        (BinaryOp::Plus, V::I(a), V::I(b)) => V::I(a + b),
        (BinaryOp::Minus, V::I(a), V::I(b)) => V::I(a - b),
        (BinaryOp::Mod, V::I(a), V::I(b)) => V::I(a.rem_euclid(b)),
        _ => unreachable!("{op:?} does not occur here"),
    }
}
