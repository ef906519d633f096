//! The interpreter: what programs mean, step by step, in exact arithmetic.
//!
//! It evaluates the typed program as it stands. Every flow of every instance
//! gets its value on demand, with an explicit stack of what waits for what, so
//! equations may come in any order and in chains of any length.

mod arithmetic;

use std::sync::Arc;

use rustc_hash::FxHashMap;

pub use arithmetic::Undefined;

use crate::instances::{InstanceId, InstanceTree, PropertyInstance, PropertySource};
use crate::program::{ExprId, ExprKind, Exprs, NodeId, Program, StreamId};
use crate::types::{Type, Value};

/// The values that the semantics leaves open.
pub trait Choices {
    /// The value of a `pre` at the first step of its instance.
    fn first_value(&mut self, instance: InstanceId, pre: ExprId, ty: &Type) -> Value;
    /// The value of a division by zero. The same question must get the same answer.
    fn division_by_zero(&mut self, operation: Undefined, dividend: &Value) -> Value;
}

/// Chooses zero, false and the first value of an enumeration or subrange.
#[derive(Clone, Copy, Default, Debug)]
pub struct Zeros;

impl Choices for Zeros {
    fn first_value(&mut self, _: InstanceId, _: ExprId, ty: &Type) -> Value {
        default_value(ty)
    }

    fn division_by_zero(&mut self, operation: Undefined, _: &Value) -> Value {
        match operation {
            Undefined::Divide => default_value(&Type::Real),
            Undefined::Div | Undefined::Mod => default_value(&Type::Int),
        }
    }
}

/// The plainest value of a type: zero if it has it, else its smallest.
#[must_use]
pub fn default_value(ty: &Type) -> Value {
    use num_traits::Zero;
    match ty {
        Type::Bool => Value::Bool(false),
        Type::Int => Value::Int(Zero::zero()),
        Type::Real => Value::Real(Zero::zero()),
        Type::Enum(_) => Value::Enum(0),
        Type::Subrange(bounds) => {
            let zero = Zero::zero();
            Value::Int(zero).clamp(Value::Int(bounds.low.clone()), Value::Int(bounds.high.clone()))
        }
    }
}

/// The values of all constants, each evaluated once: a constant comes after
/// those that it uses. What divisions by zero give is a choice here too.
pub(crate) fn evaluate_constants(program: &Program, choices: &mut dyn Choices) -> Vec<Value> {
    let mut constants = Vec::with_capacity(program.consts.len());
    for constant in &program.consts {
        let value = evaluate_constant(&program.const_exprs, &constants, constant.expr, choices);
        constants.push(value);
    }
    constants
}

/// The value of an expression of the constants, from the values of those
/// constants that it may use.
pub(crate) fn evaluate_constant(
    exprs: &Exprs,
    constants: &[Value],
    expr: ExprId,
    choices: &mut dyn Choices,
) -> Value {
    let mut values: FxHashMap<ExprId, Value> = FxHashMap::default();
    for id in exprs.present_closure([expr]) {
        let value = match &exprs[id].kind {
            ExprKind::Const(c) => constants[c.index()].clone(),
            _ => arithmetic::combine(exprs, id, |operand| values[&operand].clone(), choices),
        };
        values.insert(id, value);
    }
    values.remove(&expr).expect("every operand was evaluated before its user")
}

/// A definition still to be evaluated: an expression of an instance.
#[derive(Clone, Copy)]
struct Definition {
    instance: InstanceId,
    expr: ExprId,
}

/// What the evaluation of an expression needs, computed once per node.
#[derive(Clone, Default)]
struct Plan {
    /// The expressions to evaluate, operands first.
    code: Vec<ExprId>,
    /// Those among them that are flows or outputs of calls.
    leaves: Vec<ExprId>,
}

/// What a [`Machine`] carries from one step to the next. Equal states have
/// equal futures: the values stand in the order of instances and expressions.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    /// Whether no step was taken yet.
    pub first: bool,
    /// What each `pre` and `fby` remembers, by instance.
    pub memory: Vec<Vec<(ExprId, Value)>>,
}

/// A running program: one node with all that it calls.
pub struct Machine<'p> {
    program: &'p Program,
    tree: &'p InstanceTree,
    plans: FxHashMap<(NodeId, ExprId), Arc<Plan>>,
    constants: Vec<Value>,
    /// The values of the flows at the present step, by instance.
    values: Vec<Vec<Option<Value>>>,
    /// Whether each assertion, each stated property and each clause of a contract
    /// holds, by instance.
    asserts: Vec<Vec<bool>>,
    properties: Vec<Vec<bool>>,
    clauses: Vec<Vec<bool>>,
    /// What each `pre` and `fby` remembers, by instance.
    memory: Vec<FxHashMap<ExprId, Value>>,
    /// Whether the present step is the first.
    first: bool,
}

impl<'p> Machine<'p> {
    /// A machine before its first step.
    #[must_use]
    pub fn new(program: &'p Program, tree: &'p InstanceTree) -> Machine<'p> {
        Machine {
            program,
            tree,
            plans: FxHashMap::default(),
            constants: Vec::new(),
            values: tree.ids().map(|id| vec![None; tree.node(program, id).streams.len()]).collect(),
            asserts: vec![Vec::new(); tree.len()],
            properties: vec![Vec::new(); tree.len()],
            clauses: vec![Vec::new(); tree.len()],
            memory: vec![FxHashMap::default(); tree.len()],
            first: true,
        }
    }

    /// Takes a step. There must be one value for each input of the root.
    pub fn step(&mut self, inputs: &[Value], choices: &mut dyn Choices) {
        if self.first {
            self.constants = evaluate_constants(self.program, choices);
        }
        for stream in self.values.iter_mut().flatten() {
            *stream = None;
        }
        for (slot, input) in self.values[0].iter_mut().zip(inputs) {
            *slot = Some(input.clone());
        }
        let tree = self.tree;
        for instance in tree.ids() {
            for stream in tree.node(self.program, instance).stream_ids() {
                self.force(instance, stream, choices);
            }
        }
        for instance in tree.ids() {
            let node = tree.node(self.program, instance);
            let asserts = node.asserts.iter().map(|a| self.truth(instance, a.expr, choices));
            self.asserts[instance.index()] = asserts.collect();
            let properties = node.properties.iter().map(|p| self.truth(instance, p.expr, choices));
            self.properties[instance.index()] = properties.collect();
            let clauses = node.clauses.iter().map(|c| self.truth(instance, c.expr, choices));
            self.clauses[instance.index()] = clauses.collect();
        }
        self.remember(choices);
        self.first = false;
    }

    fn truth(&mut self, instance: InstanceId, expr: ExprId, choices: &mut dyn Choices) -> bool {
        self.evaluate(Definition { instance, expr }, choices) == Value::Bool(true)
    }

    /// The state after the step just taken.
    #[must_use]
    pub fn state(&self) -> State {
        let sorted = |memory: &FxHashMap<ExprId, Value>| {
            let mut list: Vec<_> = memory.iter().map(|(id, v)| (*id, v.clone())).collect();
            list.sort_unstable_by_key(|(id, _)| *id);
            list
        };
        State { first: self.first, memory: self.memory.iter().map(sorted).collect() }
    }

    /// Goes on from a state of this machine or of another of the same program.
    pub fn resume(&mut self, state: &State) {
        self.first = state.first;
        self.memory = state.memory.iter().map(|m| m.iter().cloned().collect()).collect();
    }

    /// The value of a flow at the step just taken.
    #[must_use]
    pub fn value(&self, instance: InstanceId, stream: StreamId) -> &Value {
        self.values[instance.index()][stream.index()].as_ref().expect("a step was taken")
    }

    /// An assertion that does not hold at the step just taken: its instance
    /// and its index in the node.
    #[must_use]
    pub fn failed_assertion(&self) -> Option<(InstanceId, usize)> {
        self.tree.ids().find_map(|id| {
            // What is given restricts the environment of the node that is checked.
            let checked = id == InstanceId::ROOT && !self.tree.is_called();
            let asserts = &self.tree.node(self.program, id).asserts;
            let counts = asserts.iter().map(|assert| checked || !assert.given);
            let mut all = self.asserts[id.index()].iter().zip(counts);
            all.position(|(holds, counts)| counts && !holds).map(|i| (id, i))
        })
    }

    /// Whether a property holds at the step just taken.
    #[must_use]
    pub fn holds(&self, property: &PropertyInstance) -> bool {
        let instance = property.instance;
        match property.source {
            PropertySource::Stated(i) => self.properties[instance.index()][i],
            PropertySource::Clause(i) => self.clauses[instance.index()][i],
            PropertySource::Output(stream) => *self.value(instance, stream) == Value::Bool(true),
            PropertySource::InRange(stream) => {
                let node = self.tree.node(self.program, instance);
                match (&node.stream(stream).ty, self.value(instance, stream)) {
                    (Type::Subrange(bounds), Value::Int(n)) => {
                        bounds.low <= *n && *n <= bounds.high
                    }
                    _ => true,
                }
            }
        }
    }

    /// The definition of a flow: its equation, or the argument of the call.
    fn definition(&self, instance: InstanceId, stream: StreamId) -> Definition {
        let node = self.tree.node(self.program, instance);
        match (node.stream(stream).definition, self.tree.instance(instance).parent) {
            (Some(expr), _) => Definition { instance, expr },
            (None, Some((caller, call))) => {
                let caller_node = self.tree.node(self.program, caller);
                let expr = caller_node.calls[call.index()].args[stream.index()];
                Definition { instance: caller, expr }
            }
            (None, None) => unreachable!("the inputs of the root have their values"),
        }
    }

    /// Gives a flow its value, and first all flows that it needs. Terminates
    /// because causality was checked.
    fn force(&mut self, instance: InstanceId, stream: StreamId, choices: &mut dyn Choices) {
        let mut waiting = vec![(instance, stream)];
        while let Some(&(instance, stream)) = waiting.last() {
            if self.values[instance.index()][stream.index()].is_some() {
                waiting.pop();
                continue;
            }
            let definition = self.definition(instance, stream);
            let before = waiting.len();
            waiting.extend(self.missing(definition));
            if waiting.len() == before {
                let value = self.evaluate(definition, choices);
                self.values[instance.index()][stream.index()] = Some(value);
                waiting.pop();
            }
        }
    }

    /// The flow that a leaf of an expression stands for.
    fn flow(&self, instance: InstanceId, kind: &ExprKind) -> (InstanceId, StreamId) {
        match kind {
            ExprKind::Stream(stream) => (instance, *stream),
            ExprKind::Output(call, i) => {
                let child = self.tree.child(instance, *call);
                let inputs = self.tree.node(self.program, child).inputs as u32;
                (child, StreamId(inputs + i))
            }
            _ => unreachable!("a leaf is a flow or an output"),
        }
    }

    /// The flows that an expression needs and that have no value yet.
    fn missing(&mut self, definition: Definition) -> Vec<(InstanceId, StreamId)> {
        let plan = self.plan(definition);
        let exprs = &self.tree.node(self.program, definition.instance).exprs;
        let flows =
            plan.leaves.iter().map(|leaf| self.flow(definition.instance, &exprs[*leaf].kind));
        flows.filter(|(i, s)| self.values[i.index()][s.index()].is_none()).collect()
    }

    fn plan(&mut self, definition: Definition) -> Arc<Plan> {
        let node = self.tree.instance(definition.instance).node;
        let exprs = &self.program.node(node).exprs;
        let new = || Arc::new(Plan::new(exprs, definition.expr));
        self.plans.entry((node, definition.expr)).or_insert_with(new).clone()
    }

    /// The value of an expression all of whose flows have theirs.
    fn evaluate(&mut self, definition: Definition, choices: &mut dyn Choices) -> Value {
        let plan = self.plan(definition);
        let instance = definition.instance;
        let exprs = &self.tree.node(self.program, instance).exprs;
        let mut done: FxHashMap<ExprId, Value> = FxHashMap::default();
        for &id in &plan.code {
            let value = match &exprs[id].kind {
                ExprKind::Const(c) => self.constants[c.index()].clone(),
                kind @ (ExprKind::Stream(_) | ExprKind::Output(..)) => {
                    let (instance, stream) = self.flow(instance, kind);
                    let value = self.values[instance.index()][stream.index()].clone();
                    value.expect("flows are evaluated before what needs them")
                }
                ExprKind::Pre(_) if self.first => choices.first_value(instance, id, &exprs[id].ty),
                ExprKind::Pre(_) => self.memory[instance.index()][&id].clone(),
                ExprKind::Fby(initial, _) if self.first => done[initial].clone(),
                ExprKind::Fby(..) => self.memory[instance.index()][&id].clone(),
                ExprKind::Arrow(initial, _) if self.first => done[initial].clone(),
                ExprKind::Arrow(_, later) => done[later].clone(),
                _ => arithmetic::combine(exprs, id, |operand| done[&operand].clone(), choices),
            };
            done.insert(id, value);
        }
        done.remove(&definition.expr).expect("the root is the last of its own code")
    }

    /// Stores what each `pre` and `fby` will say at the next step.
    fn remember(&mut self, choices: &mut dyn Choices) {
        let tree = self.tree;
        for instance in tree.ids() {
            let exprs = &tree.node(self.program, instance).exprs;
            let mut next = FxHashMap::default();
            for (id, expr) in exprs.iter() {
                if let ExprKind::Pre(operand) | ExprKind::Fby(_, operand) = expr.kind {
                    let operand = Definition { instance, expr: operand };
                    next.insert(id, self.evaluate(operand, choices));
                }
            }
            self.memory[instance.index()] = next;
        }
    }
}

impl Plan {
    fn new(exprs: &Exprs, root: ExprId) -> Plan {
        let code = exprs.present_closure([root]);
        let is_leaf =
            |id: &ExprId| matches!(exprs[*id].kind, ExprKind::Stream(_) | ExprKind::Output(..));
        let leaves = code.iter().copied().filter(is_leaf).collect();
        Plan { code, leaves }
    }
}
