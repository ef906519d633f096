//! What a call owes its node (assumptions, what the types of inputs say), stated of a call
//! that is cut.
//!
//! A contract speaks of the interface and of ghost flows that follow from it. So what the
//! caller owes can be said without the body: by the definitions and memories that it rests
//! on, down to the inputs and outputs, and by the nodes that the contract itself calls.

use lustral_base::ScopeId;
use lustral_kernel::Program as Kernel;
use lustral_sema::obligations::{ObligationRole, obligations};
use lustral_sema::program::{ClauseKind, Node, Program};
use lustral_sema::{InstanceId, InstanceTree, NodeId, PropertyInstance, PropertySource};
use lustral_system::{Memory, Origin, Predicate, Role, StreamRole, TransitionSystem, Variable};
use lustral_term::{Sort, TermId, Terms, Value, VarId};
use std::sync::Arc;

use crate::CutSystem;
use crate::place::{basis, interface, remember, translated_all};

/// How the calls of a node may be known where they are cut.
#[derive(Debug)]
pub(crate) enum Known {
    /// By their interface: nothing is owed, or what a look at the inputs tells.
    Interface,
    /// By their interface, and as long as they are given this.
    Contract(Box<Owed>),
    /// Not: the interface says too little.
    Body,
}

/// What calls of a node owe it, over a system of the node that has what this rests on.
#[derive(Debug)]
pub(crate) struct Owed {
    system: TransitionSystem,
    list: Vec<(PropertySource, Predicate)>,
}

impl Known {
    /// What a program says of a node.
    pub(crate) fn of(kernel: &Arc<Kernel>, id: NodeId) -> Known {
        let program = &kernel.typed;
        // A kernel that was made by hand has no typed program behind it.
        let Some(node) = program.nodes.get(id.index()) else { return Known::Interface };
        if node.template {
            return Known::Body;
        }
        let interface = node.input_ids().chain(node.output_ids());
        let mut slower = interface.map(|flow| node.stream(flow).scope != ScopeId::NODE);
        if node.imported || slower.any(|slower| slower) {
            return Known::Body;
        }
        let owed = given(program, id);
        if owed.iter().all(|p| is_plain(node, p.source)) {
            return Known::Interface;
        }
        Owed::new(kernel, id, &owed).map_or(Known::Body, |owed| Known::Contract(Box::new(owed)))
    }
}

/// What the callers of a node owe it.
fn given(program: &Program, node: NodeId) -> Vec<PropertyInstance> {
    let all = obligations(program, node).into_iter();
    let given = all.filter(|o| o.role == ObligationRole::Given);
    let here = given.map(|o| PropertyInstance {
        instance: InstanceId::ROOT,
        source: o.source,
        name: o.name,
        goal: o.kind.goal(),
        span: o.span,
    });
    here.collect()
}

impl CutSystem {
    /// The names of what is assumed of the inputs where the root stands for kept calls.
    #[must_use]
    pub fn given(&self) -> Vec<String> {
        if !self.tree.is_kept_call() {
            return Vec::new();
        }
        let owed = given(&self.program, self.tree.instance(InstanceId::ROOT).node);
        owed.into_iter().map(|p| p.name).collect()
    }
}

impl CutSystem {
    /// The calls, by their paths, that are not cut though they could be and their nodes have bodies and
    /// contracts.
    #[must_use]
    pub fn inlined(&self) -> Vec<String> {
        let (program, tree) = (&*self.program, &self.tree);
        let is_inlined = |id: &InstanceId| {
            let node = tree.node(program, *id);
            let guarantees = node.clauses.iter().any(|c| c.kind != ClauseKind::Assume);
            !node.imported && guarantees
        };
        self.unfolded.iter().copied().filter(is_inlined).map(|id| tree.path(program, id)).collect()
    }
}

/// Whether something that is owed speaks of inputs and of nothing else.
fn is_plain(node: &Node, source: PropertySource) -> bool {
    match source {
        PropertySource::InRange(flow) => node.stream(flow).condition.is_none(),
        PropertySource::Clause(i) => node.clauses[i].kind != ClauseKind::Assume,
        PropertySource::Stated(_) | PropertySource::Output(_) => true,
    }
}

impl Owed {
    /// Nothing if it cannot be said of the interface alone.
    fn new(kernel: &Arc<Kernel>, node: NodeId, owed: &[PropertyInstance]) -> Option<Owed> {
        let mut tree = InstanceTree::cut(kernel, node).called();
        loop {
            let system = lustral_flow::encode(kernel, &tree, owed);
            let terms = Arc::new(system.terms.clone());
            let predicate = |term| Predicate { terms: terms.clone(), term };
            let list = owed.iter().zip(&system.properties);
            let list: Vec<(PropertySource, Predicate)> =
                list.map(|(p, property)| (p.source, predicate(property.term))).collect();
            let seen = follows(&system);
            let said = |p: &Predicate| p.terms.variables([p.term]).iter().all(|v| seen[v.index()]);
            if list.iter().all(|(_, p)| said(p)) {
                return Some(Owed { system, list });
            }
            // The contract may call nodes: they belong to it.
            let inside = list.iter().map(|(_, p)| basis(&system, p));
            let inside: Vec<_> = inside.collect();
            let rests_on = |id: &InstanceId| {
                let flows = system.instances[id.index()].streams.iter();
                let mut outputs = flows.filter(|s| s.role == StreamRole::Output);
                outputs.any(|s| inside.iter().any(|basis| basis.has(s.var)))
            };
            let called: Vec<InstanceId> = tree.cut_ids().filter(rests_on).collect();
            if called.is_empty() {
                return None;
            }
            tree = tree.unfold(kernel, &called);
        }
    }

    /// What each part is in the node.
    pub(crate) fn sources(&self) -> Vec<PropertySource> {
        self.list.iter().map(|(source, _)| *source).collect()
    }

    /// Adds to a system, for a call that is cut and takes every step of the root, that it
    /// has been given what it is owed at all steps so far: one flag for each part, with
    /// what it is in the node. Such a flag holds at every step exactly if the part does,
    /// and the first step at which it fails is the same.
    pub(crate) fn so_far(
        &self,
        system: &mut TransitionSystem,
        instance: InstanceId,
    ) -> Vec<(PropertySource, TermId)> {
        let mut here = interface(system, instance, &self.system);
        let predicates: Vec<&Predicate> = self.list.iter().map(|(_, p)| p).collect();
        remember(system, instance, &self.system, &predicates, &mut here);
        let now = translated_all(&mut system.terms, &here, predicates.iter().copied());
        let path = system.instance(instance).path.clone();
        let mut found = Vec::with_capacity(now.len());
        for ((source, _), now) in self.list.iter().zip(now) {
            let (var, before) = system.add_variable(Variable {
                name: format!("({path} was given what it should be)"),
                sort: Sort::Bool,
                role: Role::Memory,
                range: None,
                origin: Origin::Auxiliary,
            });
            let all = system.terms.and([before, now]);
            system.memories.push(Memory { var, initial: Value::Bool(true), next: all });
            found.push((*source, all));
        }
        found
    }
}

/// By variable: whether its value follows from all that the inputs and outputs of the root
/// have been. What rests on nothing but these does, also what is remembered since the first step: memories
/// begin with a known value. Arbitrary values and the outputs of cut calls do not.
fn follows(system: &TransitionSystem) -> Vec<bool> {
    let follows_from_others = |v: &Variable| {
        matches!(v.role, Role::Memory | Role::Defined(_)) || v.origin == Origin::First
    };
    let mut follows: Vec<bool> = system.variables.iter().map(follows_from_others).collect();
    let mut shown = vec![false; system.variables.len()];
    for stream in system.root().streams.iter().filter(|s| s.role != StreamRole::Local) {
        (follows[stream.var.index()], shown[stream.var.index()]) = (true, true);
    }
    // What rests on something that does not follow does not either, until nothing changes.
    loop {
        let mut more = false;
        let mut judge = |var: VarId, term: TermId| {
            let rests_well = system.terms.variables([term]).iter().all(|v| follows[v.index()]);
            if follows[var.index()] && !shown[var.index()] && !rests_well {
                follows[var.index()] = false;
                more = true;
            }
        };
        for var in &system.definitions {
            if let Role::Defined(term) = system.variable(*var).role {
                judge(*var, term);
            }
        }
        for memory in &system.memories {
            judge(memory.var, memory.next);
        }
        if !more {
            return follows;
        }
    }
}

/// All of some flags.
pub(crate) fn all_of(terms: &mut Terms, flags: &[(PropertySource, TermId)]) -> TermId {
    terms.and(flags.iter().map(|(_, flag)| *flag).collect::<Vec<_>>())
}
