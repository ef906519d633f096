//! The interpreter: what programs mean, step by step, in exact arithmetic.
//!
//! It evaluates the typed program as it stands. Every leaf of every flow of every
//! instance gets its value on demand, with an explicit stack of what waits for
//! what, so equations may come in any order and in chains of any length, and a
//! field may be defined by another of the same record. What is not active at a step has
//! no value there (`clocks.rs`).

mod arithmetic;
mod machine;
mod clocks;
mod evaluate;
mod plan;

use std::sync::Arc;

use rustc_hash::FxHashMap;

pub use arithmetic::Undefined;

use crate::instances::{InstanceId, InstanceTree, PropertyInstance, PropertySource};
use crate::program::{
    ExprId, ExprKind, Exprs, Function, LeafId, NodeId, Program, ScopeId, StreamId,
};
use crate::types::{Table, Type, Value};
use clocks::Ticks;
use plan::Plan;

/// Where the semantics leaves a value open: a leaf of an expression of an instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Open {
    /// The instance.
    pub instance: InstanceId,
    /// The expression of its node.
    pub expr: ExprId,
    /// The leaf of the expression.
    pub leaf: u32,
}

/// The values that the semantics leaves open.
pub trait Choices {
    /// The value of a `pre` at a first step of its clock, or of a flow that is held before
    /// it had one. The same question at the same step must get the same answer; steps
    /// count from 0.
    fn first_value(&mut self, pre: Open, step: usize, ty: &Type) -> Value;
    /// A value that is arbitrary at each step: of an output of a node without a body,
    /// or of an element outside of the bounds of its array. The same
    /// question at the same step must get the same answer; steps count from 0.
    fn any_value(&mut self, access: Open, step: usize, ty: &Type) -> Value;
    /// The value of a division by zero. The same question must get the same answer.
    fn division_by_zero(&mut self, operation: Undefined, dividend: &Value) -> Value;
    /// The value of a function of which nothing is known, by its number in the program, for
    /// arguments of some types. The same question must get the same answer.
    fn apply(&mut self, function: u32, arguments: &[(&Type, Value)], ty: &Type) -> Value;
}

/// Chooses zero, false and the first value of an enumeration or subrange.
#[derive(Clone, Copy, Default, Debug)]
pub struct Zeros;

impl Choices for Zeros {
    fn first_value(&mut self, _: Open, _: usize, ty: &Type) -> Value {
        default_value(ty)
    }

    fn any_value(&mut self, _: Open, _: usize, ty: &Type) -> Value {
        default_value(ty)
    }

    fn division_by_zero(&mut self, operation: Undefined, _: &Value) -> Value {
        match operation {
            Undefined::Divide => default_value(&Type::Real),
            Undefined::Div | Undefined::Mod => default_value(&Type::Int),
        }
    }

    fn apply(&mut self, _: u32, _: &[(&Type, Value)], ty: &Type) -> Value {
        default_value(ty)
    }
}

/// The plainest value of a scalar type: zero if it has it, else its smallest.
///
/// # Panics
/// If the type has parts.
#[must_use]
pub fn default_value(ty: &Type) -> Value {
    use num_traits::Zero;
    match ty {
        Type::Bool => Value::Bool(false),
        Type::Int | Type::Abstract(_) => Value::Int(Zero::zero()),
        Type::Real => Value::Real(Zero::zero()),
        Type::Enum(_) => Value::Enum(0),
        Type::Machine(shape) => Value::Machine(*shape, Zero::zero()),
        Type::Subrange(bounds) => Value::Int(bounds.plainest()),
        Type::Keyed(keyed) => {
            let plain = default_value(&keyed.element);
            Value::Table(Arc::new(Table::everywhere(keyed.sorts.clone(), plain)))
        }
        Type::Record(_) | Type::Tuple(_) | Type::Array(_) | Type::Map(_) => {
            unreachable!("a leaf is a scalar")
        }
    }
}

/// The values of the leaves of all constants, each evaluated once: a constant
/// comes after those that it uses. What divisions by zero give is a choice here
/// too.
pub(crate) fn evaluate_constants(program: &Program, choices: &mut dyn Choices) -> Vec<Vec<Value>> {
    let mut constants = Vec::with_capacity(program.consts.len());
    for constant in &program.consts {
        let value = match constant.expr {
            Some(expr) if !constant.open => {
                evaluate_constant(&program.const_exprs, &constants, expr, choices)
            }
            // Nodes know it by another name, see `Stream::constant`.
            _ => Vec::new(),
        };
        constants.push(value);
    }
    constants
}

/// The values of the leaves of an expression of the constants, from the values
/// of those constants that it may use.
pub(crate) fn evaluate_constant(
    exprs: &Exprs,
    constants: &[Vec<Value>],
    expr: ExprId,
    choices: &mut dyn Choices,
) -> Vec<Value> {
    let mut values: FxHashMap<LeafId, Value> = FxHashMap::default();
    let roots = (0..exprs[expr].ty.leaves()).map(|leaf| (expr, leaf));
    for (id, leaf) in exprs.present_leaf_closure(roots.clone()) {
        let instance = InstanceId::ROOT;
        let outside = |choices: &mut dyn Choices| {
            choices.any_value(Open { instance, expr: id, leaf }, 0, exprs[id].ty.leaf(leaf))
        };
        let value = match &exprs[id].kind {
            ExprKind::Const(c) => constants[c.index()][leaf as usize].clone(),
            ExprKind::Any => outside(choices),
            ExprKind::Apply(Function::Library(function), _) => {
                let of = |(e, i): LeafId| (exprs[e].ty.leaf(i), values[&(e, i)].clone());
                let arguments: Vec<(&Type, Value)> = exprs.arguments(id).map(of).collect();
                choices.apply(*function, &arguments, exprs[id].ty.leaf(leaf))
            }
            ExprKind::Element(array, index, _) => {
                match arithmetic::element(exprs, (id, leaf), *array, &values[&(*index, 0)]) {
                    Some(found) => values[&found].clone(),
                    None => outside(choices),
                }
            }
            _ => {
                arithmetic::combine(exprs, (id, leaf), |operand| values[&operand].clone(), choices)
            }
        };
        values.insert((id, leaf), value);
    }
    let taken = |root| values.get(&root).cloned();
    roots.map(|root| taken(root).expect("every root was evaluated")).collect()
}

/// A definition still to be evaluated: a leaf of an expression of an instance.
#[derive(Clone, Copy)]
struct Definition {
    instance: InstanceId,
    leaf: LeafId,
}

/// Something that must be known before something else.
#[derive(Clone, Copy)]
enum Need {
    /// A leaf of a flow.
    Flow(InstanceId, (StreamId, u32)),
    /// What a scope does.
    Clock(InstanceId, ScopeId),
}

/// The value of a leaf of a flow at a step.
#[derive(Clone, Debug)]
enum Slot {
    /// Not found out yet.
    Unknown,
    /// The flow has none at this step.
    Absent,
    Present(Value),
}

/// What a [`Machine`] carries from one step to the next. Equal states have
/// equal futures: the values stand in the order of instances and expressions.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    /// Whether no step was taken yet.
    pub first: bool,
    /// What each leaf of each `pre` and `fby`, and of what is held, remembers, by
    /// instance.
    pub memory: Vec<Vec<(LeafId, Value)>>,
    /// Whether each scope has run since it last began, by instance.
    pub begun: Vec<Vec<bool>>,
}

/// A running program: one node with all that it calls.
#[derive(Clone)]
pub struct Machine<'p> {
    program: &'p Program,
    tree: &'p InstanceTree,
    plans: FxHashMap<(NodeId, LeafId), Arc<Plan>>,
    /// The leaves of `pre` and `fby` that are read, by node.
    remembered: FxHashMap<NodeId, Arc<Vec<LeafId>>>,
    constants: Vec<Vec<Value>>,
    /// The first slot of each flow of each node: it has one for each leaf.
    slots: Vec<Vec<usize>>,
    /// The values of the leaves of the flows at the present step, by instance.
    values: Vec<Vec<Slot>>,
    /// Whether each assertion, each stated property and each clause of a contract
    /// holds, by instance.
    asserts: Vec<Vec<bool>>,
    properties: Vec<Vec<bool>>,
    clauses: Vec<Vec<bool>>,
    /// Whether what types say of flows beyond bounds holds, by instance and flow.
    conditions: Vec<FxHashMap<StreamId, bool>>,
    /// What each leaf of each `pre` and `fby`, and of what is held, remembers, by
    /// instance.
    memory: Vec<FxHashMap<LeafId, Value>>,
    ticks: Ticks,
    /// Whether the present step is the first.
    first: bool,
    /// The steps that this machine has taken.
    steps: usize,
}

impl Slot {
    fn value(&self) -> Option<&Value> {
        match self {
            Slot::Present(value) => Some(value),
            Slot::Absent => None,
            Slot::Unknown => unreachable!("a step was taken"),
        }
    }
}

impl<'p> Machine<'p> {
    /// A machine before its first step.
    #[must_use]
    pub fn new(program: &'p Program, tree: &'p InstanceTree) -> Machine<'p> {
        let mut slots = Vec::with_capacity(program.nodes.len());
        for node in &program.nodes {
            let mut next = 0;
            let mut first = Vec::with_capacity(node.streams.len() + 1);
            for stream in &node.streams {
                first.push(next);
                next += stream.ty.leaves() as usize;
            }
            first.push(next);
            slots.push(first);
        }
        let count = |id| *slots[tree.instance(id).node.index()].last().unwrap_or(&0);
        Machine {
            program,
            tree,
            plans: FxHashMap::default(),
            remembered: FxHashMap::default(),
            constants: Vec::new(),
            values: tree.ids().map(|id| vec![Slot::Unknown; count(id)]).collect(),
            slots,
            asserts: vec![Vec::new(); tree.len()],
            properties: vec![Vec::new(); tree.len()],
            clauses: vec![Vec::new(); tree.len()],
            conditions: vec![FxHashMap::default(); tree.len()],
            memory: vec![FxHashMap::default(); tree.len()],
            ticks: Ticks::new(program, tree),
            first: true,
            steps: 0,
        }
    }

    fn slot(&self, instance: InstanceId, (stream, leaf): (StreamId, u32)) -> usize {
        let node = self.tree.instance(instance).node;
        self.slots[node.index()][stream.index()] + leaf as usize
    }

    /// Takes a step. There must be one value for each leaf of each input of the
    /// root.
    pub fn step(&mut self, inputs: &[Value], choices: &mut dyn Choices) {
        if self.first {
            self.constants = evaluate_constants(self.program, choices);
        }
        for stream in self.values.iter_mut().flatten() {
            *stream = Slot::Unknown;
        }
        self.ticks.clear();
        for (slot, input) in self.values[0].iter_mut().zip(inputs) {
            *slot = Slot::Present(input.clone());
        }
        let tree = self.tree;
        for instance in tree.ids() {
            let scopes = 0..tree.node(self.program, instance).scopes.len() as u32;
            scopes.for_each(|s| self.force(Need::Clock(instance, ScopeId(s)), choices));
        }
        self.absent_inputs();
        for instance in tree.ids() {
            let node = tree.node(self.program, instance);
            for leaf in node.leaves(node.stream_ids()) {
                self.force(Need::Flow(instance, leaf), choices);
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
            for stream in node.stream_ids() {
                if let Some(condition) = node.stream(stream).condition {
                    let holds = self.truth(instance, condition, choices);
                    self.conditions[instance.index()].insert(stream, holds);
                }
            }
        }
        self.remember(choices);
        self.first = false;
        self.steps += 1;
    }

    /// An input on a slower clock has no value while that is not active.
    fn absent_inputs(&mut self) {
        let root = self.tree.node(self.program, InstanceId::ROOT);
        for leaf in root.leaves(root.input_ids()) {
            if !self.tick(InstanceId::ROOT, root.stream(leaf.0).scope).active {
                let slot = self.slot(InstanceId::ROOT, leaf);
                self.values[InstanceId::ROOT.index()][slot] = Slot::Absent;
            }
        }
    }

    fn truth(&mut self, instance: InstanceId, expr: ExprId, choices: &mut dyn Choices) -> bool {
        let definition = Definition { instance, leaf: (expr, 0) };
        // At a step at which it has no value it says nothing.
        self.evaluate(definition, choices) != Some(Value::Bool(false))
    }

    /// The state after the step just taken.
    #[must_use]
    pub fn state(&self) -> State {
        let sorted = |memory: &FxHashMap<LeafId, Value>| {
            let mut list: Vec<_> = memory.iter().map(|(id, v)| (*id, v.clone())).collect();
            list.sort_unstable_by_key(|(id, _)| *id);
            list
        };
        let memory = self.memory.iter().map(sorted).collect();
        State { first: self.first, memory, begun: self.ticks.begun().to_vec() }
    }

    /// Goes on from a state of this machine or of another of the same program.
    pub fn resume(&mut self, state: &State) {
        self.first = state.first;
        self.memory = state.memory.iter().map(|m| m.iter().cloned().collect()).collect();
        self.ticks.resume(&state.begun);
    }

    /// The values of the leaves of all flows of an instance at the step just taken; none
    /// of those that have none at this step.
    pub fn values(&self, instance: InstanceId) -> impl Iterator<Item = Option<&Value>> {
        self.values[instance.index()].iter().map(Slot::value)
    }

    /// The value of a leaf of a flow at the step just taken, if it has one.
    #[must_use]
    pub fn value(&self, instance: InstanceId, stream: StreamId, leaf: u32) -> Option<&Value> {
        let slot = self.slot(instance, (stream, leaf));
        self.values[instance.index()][slot].value()
    }

    /// An assertion that does not hold at the step just taken: its instance
    /// and its index in the node.
    #[must_use]
    pub fn failed_assertion(&self) -> Option<(InstanceId, usize)> {
        self.tree.ids().find_map(|id| {
            // What is given restricts the environment of the node that is checked.
            let checked = id == InstanceId::ROOT && self.tree.is_given();
            let asserts = &self.tree.node(self.program, id).asserts;
            let counts = asserts.iter().map(|assert| checked || !assert.premise.is_given());
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
            PropertySource::Output(stream) => {
                self.value(instance, stream, 0) != Some(&Value::Bool(false))
            }
            PropertySource::InRange(stream) => {
                let ty = &self.tree.node(self.program, instance).stream(stream).ty;
                let condition = self.conditions[instance.index()].get(&stream);
                condition.is_none_or(|holds| *holds)
                    && (0..ty.leaves()).all(|leaf| {
                        match (ty.leaf(leaf), self.value(instance, stream, leaf)) {
                            (Type::Subrange(bounds), Some(Value::Int(n))) => bounds.contains(n),
                            _ => true,
                        }
                    })
            }
        }
    }
}
