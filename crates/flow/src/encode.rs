//! The system of a tree of instances.

use std::sync::Arc;

use lustral_sema::program::{ExprId, StreamKind};
use lustral_sema::{
    InstanceId, InstanceTree, Program, PropertyInstance, PropertySource, StreamId, Type,
};
use lustral_system::{
    Constraint, ConstraintSource, Instance, Origin, Property, Range, Role, Stream, StreamRole,
    TransitionSystem, Variable,
};
use lustral_term::{Sort, TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;

/// The transition system of a program with some properties.
#[must_use]
pub fn encode(
    program: &Program,
    tree: &InstanceTree,
    properties: &[PropertyInstance],
) -> TransitionSystem {
    let mut encoder = Encoder::new(program, tree);
    encoder.program(properties);
    encoder.finish()
}

/// The same system with the candidates of all instances. It has the variables
/// and memories of the other and after them those that candidates need. It is
/// a system of its own, so that answers and certificates are about one that
/// does not depend on the guesses that led to them.
#[must_use]
pub fn encode_candidates(
    program: &Program,
    tree: &InstanceTree,
    properties: &[PropertyInstance],
) -> TransitionSystem {
    let mut encoder = Encoder::new(program, tree);
    encoder.program(properties);
    encoder.candidates();
    encoder.finish()
}

/// What the value of an expression may be read from: `->` and `pre` differ at
/// the first step and later.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum When {
    Any,
    First,
    Later,
}

/// A delayed expression: one memory for all delays of one term.
pub(crate) struct Delayed {
    pub var: VarId,
    pub operand: TermId,
    pub initial: Value,
}

pub(crate) struct Encoder<'p> {
    pub program: &'p Program,
    pub tree: &'p InstanceTree,
    pub system: TransitionSystem,
    /// The variable of each flow, by instance.
    pub flows: Vec<Vec<TermId>>,
    /// The flag that is true at the first step only.
    pub first: TermId,
    pub delayed: Vec<Delayed>,
    pub delayed_by_term: FxHashMap<TermId, usize>,
    pub choices: FxHashMap<(InstanceId, ExprId), TermId>,
    pub consts: Vec<Option<TermId>>,
    value_names: Vec<Arc<[String]>>,
}

impl<'p> Encoder<'p> {
    fn new(program: &'p Program, tree: &'p InstanceTree) -> Encoder<'p> {
        let mut system = TransitionSystem::default();
        let (first_var, first) = system.add_variable(Variable {
            name: "(first step)".into(),
            sort: Sort::Bool,
            role: Role::Memory,
            range: None,
            origin: Origin::First,
        });
        system.memories.push(lustral_system::Memory {
            var: first_var,
            initial: Value::Bool(true),
            next: Terms::FALSE,
        });
        let names = |e: &lustral_sema::program::Enumeration| {
            e.values.iter().map(ToString::to_string).collect()
        };
        Encoder {
            program,
            tree,
            system,
            flows: Vec::with_capacity(tree.len()),
            first,
            delayed: Vec::new(),
            delayed_by_term: FxHashMap::default(),
            choices: FxHashMap::default(),
            consts: vec![None; program.consts.len()],
            value_names: program.enums.iter().map(names).collect(),
        }
    }

    /// All but the candidates.
    fn program(&mut self, properties: &[PropertyInstance]) {
        self.instances();
        self.definitions();
        self.constraints();
        for property in properties {
            let term = self.property(property);
            let name = property.name.clone();
            self.system.properties.push(Property { name, term });
        }
    }

    fn candidates(&mut self) {
        for id in self.tree.ids() {
            let candidates = &self.tree.node(self.program, id).candidates;
            for candidate in &candidates.list {
                let term = self.expr(id, &candidates.exprs, candidate.expr);
                self.system.candidates.push(term);
            }
        }
    }

    fn finish(mut self) -> TransitionSystem {
        self.delays();
        self.sort_definitions();
        self.system
    }

    /// A variable for each flow of each instance.
    fn instances(&mut self) {
        for id in self.tree.ids() {
            let node = self.tree.node(self.program, id);
            let path = self.tree.path(self.program, id);
            let mut streams = Vec::with_capacity(node.streams.len());
            let mut terms = Vec::with_capacity(node.streams.len());
            for (i, stream) in node.streams.iter().enumerate() {
                // Of a call that is cut, the outputs are whatever they are.
                let given = match self.tree.is_cut(id) {
                    true => stream.kind == StreamKind::Output,
                    false => id == InstanceId::ROOT && stream.kind == StreamKind::Input,
                };
                if self.tree.is_cut(id) && stream.kind == StreamKind::Local {
                    continue;
                }
                let name = if path.is_empty() {
                    stream.name.to_string()
                } else {
                    format!("{path}.{}", stream.name)
                };
                let (var, term) = self.system.add_variable(Variable {
                    name,
                    sort: sort(&stream.ty),
                    // Definitions are filled in when all variables are there.
                    role: if given { Role::Input } else { Role::Defined(Terms::FALSE) },
                    range: if given { self.given_range(id, &stream.ty) } else { None },
                    origin: Origin::Stream { instance: id, stream: StreamId(i as u32) },
                });
                terms.push(term);
                let values = match &stream.ty {
                    Type::Enum(e) => Some(self.value_names[e.0 as usize].clone()),
                    _ => None,
                };
                let role = match stream.kind {
                    StreamKind::Input => StreamRole::Input,
                    StreamKind::Output => StreamRole::Output,
                    StreamKind::Local => StreamRole::Local,
                };
                streams.push(Stream { name: stream.name.to_string(), var, role, values });
            }
            self.flows.push(terms);
            let parent = self.tree.instance(id).parent.map(|(parent, _)| parent);
            let node = node.name.to_string();
            self.system.instances.push(Instance { path, node, parent, streams });
        }
    }

    /// The values that a given flow may have: the environment respects the
    /// subranges of the root's inputs, unless the root stands for any call of
    /// its node; that a call respects those of its outputs is a property of it.
    fn given_range(&self, id: InstanceId, ty: &Type) -> Option<Range> {
        match ty {
            Type::Subrange(_) if id != InstanceId::ROOT || self.tree.is_called() => None,
            _ => self.range(ty),
        }
    }

    /// The values of a type, where these are bounded.
    pub(crate) fn range(&self, ty: &Type) -> Option<Range> {
        match ty {
            Type::Subrange(b) => Some(Range { low: b.low.clone(), high: b.high.clone() }),
            Type::Enum(e) => {
                let count = self.program.enums[e.0 as usize].values.len();
                Some(Range { low: 0.into(), high: (count - 1).into() })
            }
            Type::Bool | Type::Int | Type::Real => None,
        }
    }

    fn definitions(&mut self) {
        for id in self.tree.ids() {
            let node = self.tree.node(self.program, id);
            let known = if self.tree.is_cut(id) { node.inputs } else { node.streams.len() };
            for stream in node.stream_ids().take(known) {
                let term = match (node.stream(stream).definition, self.tree.instance(id).parent) {
                    (Some(expr), _) => self.expr(id, &node.exprs, expr),
                    (None, Some((caller, call))) => {
                        let node = self.tree.node(self.program, caller);
                        let argument = node.calls[call.index()].args[stream.index()];
                        self.expr(caller, &node.exprs, argument)
                    }
                    (None, None) => continue,
                };
                let var = self.flow_var(id, stream);
                self.system.variables[var.index()].role = Role::Defined(term);
            }
        }
    }

    fn flow_var(&self, id: InstanceId, stream: StreamId) -> VarId {
        let term = self.flows[id.index()][stream.index()];
        self.system.terms.var(term).expect("a flow is a variable")
    }

    fn constraints(&mut self) {
        for id in self.tree.ids().filter(|id| !self.tree.is_cut(*id)) {
            let node = self.tree.node(self.program, id);
            for (i, assertion) in node.asserts.iter().enumerate() {
                let term = self.expr(id, &node.exprs, assertion.expr);
                self.system.constraints.push(Constraint {
                    term,
                    source: ConstraintSource::Assertion { instance: id, index: i as u32 },
                });
            }
        }
    }

    fn property(&mut self, property: &PropertyInstance) -> TermId {
        let id = property.instance;
        let node = self.tree.node(self.program, id);
        match property.source {
            PropertySource::Stated(i) => self.expr(id, &node.exprs, node.properties[i].expr),
            PropertySource::Output(stream) => self.flows[id.index()][stream.index()],
            PropertySource::InRange(stream) => {
                let term = self.flows[id.index()][stream.index()];
                match self.range(&node.stream(stream).ty) {
                    Some(range) => {
                        TransitionSystem::range_term(&mut self.system.terms, term, &range)
                    }
                    None => Terms::TRUE,
                }
            }
        }
    }

    /// The memories of all delays, now that all expressions are encoded.
    fn delays(&mut self) {
        for delayed in std::mem::take(&mut self.delayed) {
            self.system.memories.push(lustral_system::Memory {
                var: delayed.var,
                initial: delayed.initial,
                next: delayed.operand,
            });
        }
    }

    /// Orders the definitions by dependency. Causality was checked, so there
    /// is an order; an explicit stack, because chains may be long.
    fn sort_definitions(&mut self) {
        let system = &mut self.system;
        let mut done = vec![false; system.variables.len()];
        let mut uses: FxHashMap<VarId, Vec<VarId>> = FxHashMap::default();
        let mut order = Vec::new();
        for root in 0..system.variables.len() as u32 {
            let mut stack = vec![VarId(root)];
            while let Some(&var) = stack.last() {
                let Role::Defined(term) = system.variable(var).role else {
                    done[var.index()] = true;
                    stack.pop();
                    continue;
                };
                if done[var.index()] {
                    stack.pop();
                    continue;
                }
                let terms = &system.terms;
                let used = uses.entry(var).or_insert_with(|| terms.variables([term]));
                let before = stack.len();
                stack.extend(used.iter().filter(|v| !done[v.index()]));
                if stack.len() == before {
                    done[var.index()] = true;
                    order.push(var);
                    stack.pop();
                }
            }
        }
        system.definitions = order;
    }
}

/// The sort of a type.
pub(crate) fn sort(ty: &Type) -> Sort {
    match ty {
        Type::Bool => Sort::Bool,
        Type::Int | Type::Subrange(_) | Type::Enum(_) => Sort::Int,
        Type::Real => Sort::Real,
    }
}
