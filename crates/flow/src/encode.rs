//! The system of a tree of instances.

use lustral_kernel::{Claim, ExprId, FlowId, FlowKind, Node, Program, ScopeId, Type};
use lustral_sema::program::Enumeration;
use lustral_sema::{InstanceId, InstanceTree, NodeId, PropertyInstance, PropertySource};
use lustral_system::{
    Bounds, Constraint, ConstraintSource, EnumNames, Instance, Memory, Origin, PropId, Property,
    Role, Stream, StreamRole, TransitionSystem, Variable,
};
use lustral_term::{Sort, TermId, Terms, Value};
use rustc_hash::FxHashMap;

use crate::clocks::Clock;
use crate::delays::Delays;
use crate::expressions::Done;
use crate::order::sort_definitions;

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

/// The same, and of each property that says something under a condition only, a term of the
/// system: that the condition does not hold.
#[must_use]
pub fn encode_with_conditions(
    program: &Program,
    tree: &InstanceTree,
    properties: &[PropertyInstance],
) -> (TransitionSystem, Vec<(PropId, TermId)>) {
    let mut encoder = Encoder::new(program, tree);
    encoder.program(properties);
    let conditions = encoder.conditions(properties);
    (encoder.finish(), conditions)
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

pub(crate) struct Encoder<'p> {
    pub program: &'p Program,
    pub tree: &'p InstanceTree,
    pub system: TransitionSystem,
    /// The variable of each flow, by instance.
    pub flows: Vec<Vec<TermId>>,
    /// The clock of each scope, by instance; of what is cut, that of its call.
    pub clocks: Vec<Vec<Clock>>,
    pub delays: Delays,
    /// The arbitrary first value of each `pre` that has one, by instance.
    pub choices: FxHashMap<(InstanceId, ExprId), TermId>,
    /// The value that is anything at each step, by instance.
    pub open: FxHashMap<(InstanceId, ExprId), TermId>,
    pub constants: Vec<Option<TermId>>,
}

impl<'p> Encoder<'p> {
    fn new(program: &'p Program, tree: &'p InstanceTree) -> Encoder<'p> {
        let names = |e: &Enumeration| EnumNames {
            name: e.name.to_string(),
            values: e.values.iter().map(ToString::to_string).collect(),
            constructors: e.constructors,
        };
        let enumerations = program.enums.iter().map(names).collect();
        Encoder {
            program,
            tree,
            system: TransitionSystem { enumerations, ..TransitionSystem::default() },
            flows: Vec::with_capacity(tree.len()),
            clocks: Vec::with_capacity(tree.len()),
            delays: Delays::default(),
            choices: FxHashMap::default(),
            open: FxHashMap::default(),
            constants: vec![None; program.constants.len()],
        }
    }

    /// The node of an instance.
    pub(crate) fn node(&self, id: InstanceId) -> &'p Node {
        self.program.node(self.tree.instance(id).node)
    }

    /// All but the candidates.
    fn program(&mut self, properties: &[PropertyInstance]) {
        let root = self.root_clock();
        self.instances();
        self.inner_clocks(root);
        self.definitions();
        self.constraints();
        self.properties(properties);
    }

    fn candidates(&mut self) {
        for id in self.tree.ids().filter(|id| !self.tree.is_cut(*id)) {
            let candidates = &self.node(id).candidates;
            for candidate in &candidates.list {
                let term = self.expr(id, ScopeId::NODE, &candidates.exprs, candidate.expr);
                let term = self.at_active_steps(id, ScopeId::NODE, term);
                self.system.candidates.push(term);
            }
        }
    }

    fn finish(mut self) -> TransitionSystem {
        self.remember();
        self.name_first_values();
        sort_definitions(&mut self.system);
        self.system
    }

    /// A variable for each flow of each instance.
    fn instances(&mut self) {
        for id in self.tree.ids() {
            let node = self.node(id);
            let path = self.tree.path(self.program, id);
            let mut streams = Vec::with_capacity(node.flows.len());
            let mut terms = Vec::with_capacity(node.flows.len());
            let mut variables = FxHashMap::default();
            for (position, flow) in (0..).map(FlowId).zip(&node.flows) {
                // Of a call that is cut, the outputs are whatever they are.
                let given = if self.tree.is_cut(id) {
                    flow.kind == FlowKind::Output
                } else {
                    id == InstanceId::ROOT && flow.kind == FlowKind::Input
                };
                if self.tree.is_cut(id) && flow.kind == FlowKind::Local {
                    continue;
                }
                let name = if path.is_empty() {
                    flow.name.to_string()
                } else {
                    format!("{path}.{}", flow.name)
                };
                let instance = id;
                let (var, term) = self.system.add_variable(Variable {
                    name,
                    sort: flow.ty.sort,
                    // Definitions are filled in when all variables are there.
                    role: if given { Role::Input } else { Role::Defined(Terms::FALSE) },
                    range: if given { self.given_range(id, &flow.ty) } else { None },
                    origin: match flow.source {
                        Some((stream, leaf)) => Origin::Stream { instance, stream, leaf },
                        None => Origin::Kernel { instance },
                    },
                });
                terms.push(term);
                if flow.source.is_some() {
                    let name = flow.name.to_string();
                    let role = stream_role(flow.kind);
                    variables.insert(position, var);
                    let of = |(tag, made): &(FlowId, u32)| Some((*variables.get(tag)?, *made));
                    let counts = flow.counts.iter().filter_map(of).collect();
                    let hidden = flow.hidden;
                    streams.push(Stream { name, var, role, active: None, hidden, counts });
                }
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
    fn given_range(&self, id: InstanceId, ty: &Type) -> Option<Bounds> {
        match &ty.bounds {
            Some(_) if id != InstanceId::ROOT || !self.tree.is_given() => None,
            _ => range(ty),
        }
    }

    /// The equations. An argument is an expression of the caller, in the scope
    /// of the call.
    fn definitions(&mut self) {
        for id in self.tree.ids() {
            let node = self.node(id);
            let known = if self.tree.is_cut(id) { node.inputs } else { node.flows.len() };
            // The leaves of one flow have much in common.
            let mut shared = (None, Done::default());
            for (i, flow) in node.flows.iter().enumerate().take(known) {
                let stream = flow.source.map(|(stream, _)| stream);
                if stream.is_none() || shared.0 != stream {
                    shared = (stream, Done::default());
                }
                let done = &mut shared.1;
                let term = match (flow.definition, self.tree.instance(id).parent) {
                    (Some(expr), _) => self.expr_with(id, flow.scope, &node.exprs, expr, done),
                    (None, Some((caller, call))) => {
                        let node = self.node(caller);
                        let call = node.call(call);
                        self.expr_with(caller, call.scope, &node.exprs, call.args[i], done)
                    }
                    (None, None) => continue,
                };
                let var = self.system.terms.var(self.flows[id.index()][i]);
                let var = var.expect("a flow is a variable");
                self.system.variables[var.index()].role = Role::Defined(term);
            }
        }
    }

    fn constraints(&mut self) {
        for id in self.tree.ids().filter(|id| !self.tree.is_cut(*id)) {
            let node = self.node(id);
            let checked = id == InstanceId::ROOT && self.tree.is_given();
            for constraint in node.constraints.iter().filter(|c| checked || !c.given) {
                let term = self.expr(id, constraint.scope, &node.exprs, constraint.expr);
                let term = self.at_active_steps(id, constraint.scope, term);
                let (instance, index) = (id, constraint.assertion);
                let source = ConstraintSource::Assertion { instance, index };
                self.system.constraints.push(Constraint { term, source });
            }
        }
    }

    fn properties(&mut self, properties: &[PropertyInstance]) {
        let mut known: FxHashMap<(NodeId, PropertySource), usize> = FxHashMap::default();
        for property in properties {
            let id = self.tree.instance(property.instance).node;
            let node = self.program.node(id);
            if !known.contains_key(&(id, property.source)) {
                let all = node.obligations.iter().enumerate();
                known.extend(all.map(|(i, obligation)| ((id, obligation.source), i)));
            }
            let position = known.get(&(id, property.source));
            let position = *position.expect("a property is an obligation of its node");
            // What a cut call is given may speak of flows that are not there. Then who makes
            // the system says what it comes to; until then nobody can show it.
            let plain = matches!(
                node.obligations[position].claim,
                Claim::Flow(_) | Claim::InRange { condition: None, .. }
            );
            let term = if plain || !self.tree.is_cut(property.instance) {
                self.obligation(property.instance, position)
            } else {
                Terms::FALSE
            };
            let name = property.name.clone();
            self.system.properties.push(Property { name, term, goal: property.goal });
        }
    }

    fn obligation(&mut self, id: InstanceId, position: usize) -> TermId {
        let node = self.node(id);
        let obligation = &node.obligations[position];
        let term = match obligation.claim {
            Claim::Expr(expr) => self.expr(id, obligation.scope, &node.exprs, expr),
            Claim::Flow(flow) => self.flows[id.index()][flow.index()],
            claim @ Claim::InRange { condition, .. } => {
                let mut all = Vec::new();
                all.extend(condition.map(|e| self.expr(id, obligation.scope, &node.exprs, e)));
                for flow in claim.flows() {
                    let (term, ty) = (self.flows[id.index()][flow.index()], &node.flow(flow).ty);
                    if let Some(range) = range(ty) {
                        let terms = &mut self.system.terms;
                        all.push(TransitionSystem::range_term(terms, term, &range));
                    }
                }
                self.system.terms.and(all)
            }
        };
        self.at_active_steps(id, obligation.scope, term)
    }

    /// What counts at the active steps of a scope only.
    pub(crate) fn at_active_steps(
        &mut self,
        id: InstanceId,
        scope: ScopeId,
        term: TermId,
    ) -> TermId {
        match self.clock(id, scope).active {
            Terms::TRUE => term,
            active => self.system.terms.implies(active, term),
        }
    }

    /// The memories of all delays, now that all expressions are encoded.
    fn remember(&mut self) {
        for delayed in self.delays.take() {
            let memory = self.system.variable(delayed.var);
            let memory = self.system.terms.variable(delayed.var, memory.sort);
            // While its scope is not active, a memory keeps its value.
            let next = match delayed.active {
                Terms::TRUE => delayed.operand,
                active => self.system.terms.ite(active, delayed.operand, memory),
            };
            let (var, initial) = (delayed.var, delayed.initial);
            self.system.memories.push(Memory { var, initial, next });
        }
    }
}

/// The bounds of a type, where it has some.
pub(crate) fn range(ty: &Type) -> Option<Bounds> {
    ty.bounds.as_deref().cloned()
}

fn stream_role(kind: FlowKind) -> StreamRole {
    match kind {
        FlowKind::Input => StreamRole::Input,
        FlowKind::Output => StreamRole::Output,
        FlowKind::Local => StreamRole::Local,
    }
}

/// Zero, or the value of a range that is nearest to it.
pub(crate) fn plain_value(sort: Sort, range: Option<&Bounds>) -> Value {
    let zero = Value::zero(sort);
    match range {
        Some(range) => Value::Int(range.plainest()),
        None => zero,
    }
}

/// A variable that is true or false and has no range.
pub(crate) fn flag(name: String, role: Role, origin: Origin) -> Variable {
    Variable { name, sort: Sort::Bool, role, range: None, origin }
}
