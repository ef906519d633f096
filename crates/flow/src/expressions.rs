//! Expressions of an instance as terms.
//!
//! `a -> b` is a choice on the flag of the first step; below it, `a` is read
//! as at the first step and `b` as later, which removes most flags and most
//! arbitrary values. `pre e` is a memory of the term of `e` after the first
//! step, and at the first step an arbitrary value of its own.

use lustral_sema::program::{BinaryOp, ConstId, ExprId, ExprKind, Exprs, StreamKind, UnaryOp};
use lustral_sema::{InstanceId, Type};
use lustral_system::{Origin, Role, TransitionSystem, Variable};
use lustral_term::{Sort, TermId, Terms, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::encode::{Delayed, Encoder, When, sort};

type Done = FxHashMap<(ExprId, When), TermId>;

impl Encoder<'_> {
    /// The term of an expression of an instance's arena at any step.
    pub(crate) fn expr(&mut self, instance: InstanceId, exprs: &Exprs, root: ExprId) -> TermId {
        let mut done = Done::default();
        let mut stack = vec![(root, When::Any)];
        while let Some(&(id, when)) = stack.last() {
            if done.contains_key(&(id, when)) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            operands(exprs, id, when, |id, when| {
                if !done.contains_key(&(id, when)) {
                    stack.push((id, when));
                }
            });
            if stack.len() == before {
                let term = self.one(instance, exprs, id, when, &done);
                done.insert((id, when), term);
                stack.pop();
            }
        }
        done[&(root, When::Any)]
    }

    fn one(
        &mut self,
        instance: InstanceId,
        exprs: &Exprs,
        id: ExprId,
        when: When,
        done: &Done,
    ) -> TermId {
        let get = |e: &ExprId| done[&(*e, when)];
        match &exprs[id].kind {
            ExprKind::Const(c) => self.constant(*c),
            ExprKind::Stream(stream) => self.flows[instance.index()][stream.index()],
            ExprKind::Output(call, i) => {
                let child = self.tree.child(instance, *call);
                let inputs = self.tree.node(self.program, child).inputs;
                self.flows[child.index()][inputs + *i as usize]
            }
            ExprKind::Arrow(a, b) => match when {
                When::First => get(a),
                When::Later => get(b),
                When::Any => {
                    let (a, b) = (done[&(*a, When::First)], done[&(*b, When::Later)]);
                    self.system.terms.ite(self.first, a, b)
                }
            },
            ExprKind::Pre(operand) => match when {
                When::First => self.first_value(instance, exprs, id),
                When::Later => self.delay(instance, exprs, id, *operand, done),
                When::Any => {
                    let first = self.first_value(instance, exprs, id);
                    let later = self.delay(instance, exprs, id, *operand, done);
                    self.system.terms.ite(self.first, first, later)
                }
            },
            ExprKind::Fby(initial, operand) => match when {
                When::First => get(initial),
                When::Later => self.delay(instance, exprs, id, *operand, done),
                When::Any => {
                    let first = done[&(*initial, When::First)];
                    let later = self.delay(instance, exprs, id, *operand, done);
                    self.system.terms.ite(self.first, first, later)
                }
            },
            kind => combine(&mut self.system.terms, kind, get),
        }
    }

    /// A declared constant: its expression, folded by the term constructors.
    fn constant(&mut self, root: ConstId) -> TermId {
        let program = self.program;
        // Constants are sorted by dependency: fill in all up to this one.
        for c in 0..=root.index() {
            if self.consts[c].is_some() {
                continue;
            }
            let expr = program.consts[c].expr;
            let mut done: FxHashMap<ExprId, TermId> = FxHashMap::default();
            for id in program.const_exprs.present_closure([expr]) {
                let term = match &program.const_exprs[id].kind {
                    ExprKind::Const(used) => {
                        self.consts[used.index()].expect("a constant comes after those it uses")
                    }
                    kind => combine(&mut self.system.terms, kind, |e| done[e]),
                };
                done.insert(id, term);
            }
            self.consts[c] = Some(done[&expr]);
        }
        self.consts[root.index()].expect("just filled in")
    }

    /// The arbitrary value of a `pre` at the first step: one for each
    /// occurrence in each instance, of the type of its operand.
    fn first_value(&mut self, instance: InstanceId, exprs: &Exprs, id: ExprId) -> TermId {
        if let Some(known) = self.choices.get(&(instance, id)) {
            return *known;
        }
        let ty = &exprs[id].ty;
        let name = format!("(first value of `pre` in {})", self.where_is(instance));
        let (_, term) = self.system.add_variable(Variable {
            name,
            sort: sort(ty),
            role: Role::Choice,
            range: self.range(ty),
            origin: Origin::FirstValue { instance, expr: id },
        });
        self.choices.insert((instance, id), term);
        term
    }

    fn where_is(&self, instance: InstanceId) -> String {
        let path = self.tree.path(self.program, instance);
        if path.is_empty() { self.tree.node(self.program, instance).name.to_string() } else { path }
    }

    /// The memory of an expression. Its value at the first step is never read:
    /// every use stands behind the flag of the first step.
    fn delay(
        &mut self,
        instance: InstanceId,
        exprs: &Exprs,
        id: ExprId,
        operand: ExprId,
        done: &Done,
    ) -> TermId {
        let term = done[&(operand, When::Any)];
        let ty = &exprs[operand].ty;
        if let Some(known) = self.delayed_by_term.get(&term) {
            let var = self.delayed[*known].var;
            return self.system.terms.variable(var, sort(ty));
        }
        let name = match self.system.terms.var(term) {
            Some(var) => format!("pre {}", self.system.variable(var).name),
            None => format!("(pre in {})", self.where_is(instance)),
        };
        let (var, memory) = self.system.add_variable(Variable {
            name,
            sort: sort(ty),
            role: Role::Memory,
            range: None,
            origin: Origin::Delay { instance, expr: id },
        });
        self.delayed_by_term.insert(term, self.delayed.len());
        let mut initial = Value::zero(sort(ty));
        if self.always_in_range(instance, exprs, operand)
            && let Some(range) = self.range(ty)
        {
            let low = Value::Int(range.low.clone());
            let high = Value::Int(range.high.clone());
            initial = initial.clamp(low, high);
            let typing = TransitionSystem::range_term(&mut self.system.terms, memory, &range);
            self.system.typing.push(typing);
        }
        self.delayed.push(Delayed { var, operand: term, initial });
        memory
    }

    /// Whether an expression stays in the range of its type whatever happens:
    /// enumerations do, and so do the inputs of the root. A defined flow with
    /// a subrange need not: that is a property.
    fn always_in_range(&self, instance: InstanceId, exprs: &Exprs, id: ExprId) -> bool {
        match (&exprs[id].ty, &exprs[id].kind) {
            (Type::Enum(_), _) => true,
            (Type::Subrange(_), ExprKind::Stream(stream)) => {
                let node = self.tree.node(self.program, instance);
                let given = instance == InstanceId::ROOT && !self.tree.is_called();
                given && node.stream(*stream).kind == StreamKind::Input
            }
            _ => false,
        }
    }
}

/// The operands that an expression needs, each with when it is read.
fn operands(exprs: &Exprs, id: ExprId, when: When, mut visit: impl FnMut(ExprId, When)) {
    match &exprs[id].kind {
        ExprKind::Arrow(a, b) => {
            if when != When::Later {
                visit(*a, When::First);
            }
            if when != When::First {
                visit(*b, When::Later);
            }
        }
        // What is remembered is the value at whatever step it was.
        ExprKind::Pre(operand) => {
            if when != When::First {
                visit(*operand, When::Any);
            }
        }
        ExprKind::Fby(initial, operand) => {
            if when != When::Later {
                visit(*initial, When::First);
            }
            if when != When::First {
                visit(*operand, When::Any);
            }
        }
        _ => exprs.present_operands(id, |operand| visit(operand, when)),
    }
}

/// The term of an expression without state from those of its operands.
fn combine(terms: &mut Terms, kind: &ExprKind, get: impl Fn(&ExprId) -> TermId) -> TermId {
    match kind {
        ExprKind::Bool(b) => terms.bool(*b),
        ExprKind::Int(n) => terms.int(n.clone()),
        ExprKind::Real(r) => terms.constant(Value::Real(r.clone())),
        ExprKind::Enum(_, i) => terms.int(BigInt::from(*i)),
        ExprKind::Unary(op, a) => {
            let a = get(a);
            match op {
                UnaryOp::Not => terms.not(a),
                UnaryOp::Minus => terms.neg(a),
                UnaryOp::Floor => terms.floor(a),
                UnaryOp::ToReal => terms.to_real(a),
            }
        }
        ExprKind::Binary(op, a, b) => binary(terms, *op, get(a), get(b)),
        ExprKind::If(c, a, b) => terms.ite(get(c), get(a), get(b)),
        ExprKind::AtMostOne(list) => {
            let list: Vec<TermId> = list.iter().map(get).collect();
            at_most_one(terms, &list)
        }
        ExprKind::Const(_)
        | ExprKind::Stream(_)
        | ExprKind::Output(..)
        | ExprKind::Pre(_)
        | ExprKind::Arrow(..)
        | ExprKind::Fby(..) => unreachable!("has state or context: encoded by the instance"),
    }
}

fn binary(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> TermId {
    match op {
        BinaryOp::And => terms.and([a, b]),
        BinaryOp::Or => terms.or([a, b]),
        BinaryOp::Implies => terms.implies(a, b),
        BinaryOp::Equal => terms.eq(a, b),
        BinaryOp::Xor | BinaryOp::NotEqual => {
            let equal = terms.eq(a, b);
            terms.not(equal)
        }
        BinaryOp::Less => terms.lt(a, b),
        BinaryOp::LessEqual => terms.le(a, b),
        BinaryOp::Greater => terms.lt(b, a),
        BinaryOp::GreaterEqual => terms.le(b, a),
        BinaryOp::Plus => terms.add(&[a, b]),
        BinaryOp::Minus => terms.sub(a, b),
        BinaryOp::Times => terms.mul(a, b),
        BinaryOp::Divide => terms.real_div(a, b),
        BinaryOp::Div => terms.int_div(a, b),
        BinaryOp::Mod => terms.modulo(a, b),
    }
}

/// None is true together with one before it; linear in the number of operands.
fn at_most_one(terms: &mut Terms, list: &[TermId]) -> TermId {
    let mut before = Terms::FALSE;
    let mut all = Vec::with_capacity(list.len());
    for a in list {
        let both = terms.and([before, *a]);
        all.push(terms.not(both));
        before = terms.or([before, *a]);
    }
    debug_assert!(list.iter().all(|a| terms.sort(*a) == Sort::Bool));
    terms.and(all)
}
