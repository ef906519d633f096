//! Random kernel programs with scopes. Expressions read what was defined before
//! them, or anything that is in reach below a `pre`, so there are no cycles.

use lustral_kernel::scope::lies_in;
use lustral_kernel::{ExprId, ExprKind, FlowId, Program, ScopeId, Sort, Type};
use lustral_sema::program::{BinaryOp, CallId};
use lustral_testing::dice::Dice;

use crate::build::{BOOL, Build, COLOUR, COLOURS, INT, program};

struct Maker<'d> {
    build: Build,
    dice: &'d mut Dice,
    /// What may be read now.
    defined: Vec<FlowId>,
    /// What may be read below a `pre` only.
    later: Vec<FlowId>,
    /// The outputs of calls: all have one of each type.
    calls: Vec<CallId>,
}

/// A program of two or three nodes.
pub fn random(dice: &mut Dice) -> Program {
    let count = 2 + dice.below(2);
    let nodes = (0..count as u32).map(|rank| node(dice, rank)).collect();
    program(nodes)
}

fn node(dice: &mut Dice, rank: u32) -> Build {
    let interface = [("b", BOOL), ("x", INT), ("m", COLOURS)];
    let outputs = [("c", BOOL), ("y", INT), ("n", COLOURS)];
    let build = Build::new(&format!("n{rank}"), &interface, &outputs);
    let (defined, later) = ((0..3).map(FlowId).collect(), (3..6).map(FlowId).collect());
    let mut maker = Maker { build, dice, defined, later, calls: Vec::new() };
    for _ in 0..2 + maker.dice.below(9) {
        match maker.dice.below(10) {
            0..=3 => maker.scope(),
            4..=5 if rank > 0 && maker.calls.len() < 2 => maker.call(rank),
            6 => maker.held(),
            _ => maker.flow(),
        }
    }
    maker.claims();
    for flow in (3..6).map(FlowId) {
        maker.define(flow);
    }
    maker.build
}

impl Maker<'_> {
    fn any_scope(&mut self) -> ScopeId {
        ScopeId(self.dice.below(self.build.node.scopes.len()) as u32)
    }

    fn any_type(&mut self) -> Type {
        self.dice.pick(&[BOOL, INT, COLOURS]).clone()
    }

    fn scope(&mut self) {
        let parent = self.any_scope();
        let activation = self.dice.chance(75).then(|| self.expr(parent, &BOOL, 2));
        let reset = self.dice.chance(45).then(|| self.expr(parent, &BOOL, 2));
        let scope = self.build.scope(parent, activation, reset);
        let counter = self.build.counter(&format!("n{}", scope.0), scope);
        self.defined.push(counter);
    }

    fn flow(&mut self) {
        let (scope, ty) = (self.any_scope(), self.any_type());
        let name = format!("l{}", self.build.node.flows.len());
        let flow = self.build.local(&name, &ty, scope);
        self.define(flow);
    }

    fn define(&mut self, flow: FlowId) {
        self.later.push(flow);
        let (scope, ty) = (self.build.node.flow(flow).scope, self.build.node.flow(flow).ty.clone());
        let mut expr = self.expr(scope, &ty, 3);
        if ty == INT {
            let seven = self.build.int(7);
            expr = self.build.binary(BinaryOp::Mod, expr, seven, &INT);
        }
        self.build.define(flow, expr);
        self.defined.push(flow);
    }

    fn call(&mut self, rank: u32) {
        let scope = self.any_scope();
        let callee = self.dice.below(rank as usize) as u32;
        let args = [BOOL, INT, COLOURS].map(|ty| self.expr(scope, &ty, 2)).into();
        let call = self.build.call(callee, scope, args);
        self.calls.push(call);
    }

    /// The value that a flow of an inner scope holds.
    fn held(&mut self) {
        let flow = *self.dice.pick(&self.defined);
        let scope = self.build.node.flow(flow).scope;
        if let Some(parent) = self.build.node.scope(scope).parent {
            let ty = self.build.node.flow(flow).ty.clone();
            let default = self.expr(parent, &ty, 1);
            let name = format!("h{}", self.build.node.flows.len());
            let held = self.build.node.hold(flow, default, name.into());
            self.defined.push(held);
        }
    }

    fn claims(&mut self) {
        for _ in 0..self.dice.below(3) {
            let scope = self.any_scope();
            let expr = self.expr(scope, &BOOL, 2);
            self.build.constrain(scope, expr);
        }
        for _ in 0..self.dice.below(3) {
            let scope = self.any_scope();
            let expr = self.expr(scope, &BOOL, 2);
            self.build.show(scope, expr);
        }
    }

    fn expr(&mut self, scope: ScopeId, ty: &Type, depth: usize) -> ExprId {
        if depth == 0 {
            return self.leaf(scope, ty);
        }
        let deeper = depth - 1;
        match self.dice.below(10) {
            0..=1 => self.leaf(scope, ty),
            2..=3 => {
                let operand = if self.dice.chance(40) {
                    self.fed_back(scope, ty)
                } else {
                    self.expr(scope, ty, deeper)
                };
                self.build.pre(operand)
            }
            4..=5 => {
                let (a, b) = (self.expr(scope, ty, deeper), self.expr(scope, ty, deeper));
                self.build.arrow(a, b)
            }
            6 => {
                let c = self.expr(scope, &BOOL, deeper);
                let (a, b) = (self.expr(scope, ty, deeper), self.expr(scope, ty, deeper));
                self.build.if_(c, a, b)
            }
            7 => self.present(scope, ty, deeper),
            _ => self.operator(scope, ty, deeper),
        }
    }

    fn operator(&mut self, scope: ScopeId, ty: &Type, deeper: usize) -> ExprId {
        if *ty == COLOURS {
            return self.leaf(scope, ty);
        }
        let (op, of) = match (ty.sort, self.dice.below(7)) {
            (Sort::Bool, 0) => (BinaryOp::And, BOOL),
            (Sort::Bool, 1) => (BinaryOp::Or, BOOL),
            (Sort::Bool, 2) => (BinaryOp::Xor, BOOL),
            (Sort::Bool, 3) => (BinaryOp::Less, INT),
            (Sort::Bool, 4) => (BinaryOp::Equal, INT),
            (Sort::Bool, 5) => (BinaryOp::Equal, COLOURS),
            (Sort::Bool, _) => (BinaryOp::NotEqual, COLOURS),
            (_, 0..=3) => (BinaryOp::Plus, INT),
            (_, _) => (BinaryOp::Minus, INT),
        };
        let (a, b) = (self.expr(scope, &of, deeper), self.expr(scope, &of, deeper));
        self.build.binary(op, a, b, ty)
    }

    /// A flow of a scope just inside, where that is active.
    fn present(&mut self, scope: ScopeId, ty: &Type, deeper: usize) -> ExprId {
        let node = &self.build.node;
        let inside = |f: &&FlowId| {
            node.flow(**f).ty == *ty && node.scope(node.flow(**f).scope).parent == Some(scope)
        };
        let inside: Vec<FlowId> = self.defined.iter().filter(inside).copied().collect();
        if inside.is_empty() {
            return self.leaf(scope, ty);
        }
        let flow = *self.dice.pick(&inside);
        let activation = self.build.node.scope(self.build.node.flow(flow).scope).activation;
        let now = self.build.push(ExprKind::Present(flow), ty);
        match activation {
            None => now,
            Some(activation) => {
                let other = self.expr(scope, ty, deeper);
                self.build.if_(activation, now, other)
            }
        }
    }

    /// A flow that may not be defined yet.
    fn fed_back(&mut self, scope: ScopeId, ty: &Type) -> ExprId {
        let later: Vec<FlowId> = self.readable(&self.later, scope, ty);
        if later.is_empty() {
            self.leaf(scope, ty)
        } else {
            let flow = *self.dice.pick(&later);
            self.build.flow(flow)
        }
    }

    fn readable(&self, flows: &[FlowId], scope: ScopeId, ty: &Type) -> Vec<FlowId> {
        let node = &self.build.node;
        let fits = |f: &&FlowId| {
            node.flow(**f).ty == *ty && lies_in(&node.scopes, scope, node.flow(**f).scope)
        };
        flows.iter().filter(fits).copied().collect()
    }

    fn leaf(&mut self, scope: ScopeId, ty: &Type) -> ExprId {
        let node = &self.build.node;
        let calls: Vec<CallId> = self.calls.clone();
        let calls: Vec<CallId> = calls
            .into_iter()
            .filter(|c| lies_in(&node.scopes, scope, node.call(*c).scope))
            .collect();
        if !calls.is_empty() && self.dice.chance(40) {
            let call = *self.dice.pick(&calls);
            let position = [BOOL, INT, COLOURS].iter().position(|known| known == ty);
            let position = position.expect("outputs have all types") as u32;
            return self.build.push(ExprKind::Output(call, position), ty);
        }
        let flows = self.readable(&self.defined, scope, ty);
        if self.dice.chance(85) {
            let flow = *self.dice.pick(&flows);
            return self.build.flow(flow);
        }
        match ty.sort {
            Sort::Bool => {
                let b = self.dice.chance(50);
                self.build.push(ExprKind::Bool(b), &BOOL)
            }
            Sort::Enum(_) => {
                let i = self.dice.below(COLOUR.size as usize) as u32;
                self.build.push(ExprKind::Enum(COLOUR, i), &COLOURS)
            }
            _ => {
                let n = self.dice.between(-2, 3);
                self.build.int(n)
            }
        }
    }
}
