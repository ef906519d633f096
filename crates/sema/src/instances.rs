//! The tree of node instances of a program: one for the node that is checked
//! and one for each call in each instance. And what is to be checked in it.

use std::fmt::Write;

use lustral_base::{Goal, ScopeId};
use lustral_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::obligations::{Obligation, ObligationKind, Standing, obligations};
use crate::program::{CallId, Clause, ClauseKind, Node, NodeId, Program, Stream, StreamId};

pub use lustral_base::InstanceId;

/// One instance of a node.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The node.
    pub node: NodeId,
    /// The instance that calls it, and the call; the root has none.
    pub parent: Option<(InstanceId, CallId)>,
    /// The instance of each call, the first of them; the others follow in order.
    pub children: Vec<InstanceId>,
}

/// All instances below a node.
#[derive(Clone, Debug)]
pub struct InstanceTree {
    list: Vec<Instance>,
    /// By instance: it is not unfolded, only its interface is there.
    cut: Vec<bool>,
    root: Root,
}

/// What the root of a tree stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Root {
    /// The node that is checked.
    Checked,
    /// Any call of its node.
    Call,
    /// Any call of its node, up to the step before it is given what it should not be.
    KeptCall,
}

/// What a tree of instances is made from: the names of nodes and who calls whom.
pub trait CallGraph {
    /// The name of a node.
    fn name(&self, node: NodeId) -> &str;
    /// The node of each call in a node, in order.
    fn callees(&self, node: NodeId) -> impl ExactSizeIterator<Item = NodeId> + '_;
    /// Whether the interface of a node says too little for its calls to be cut: what
    /// its contract or the types of its interface assume of a call speaks of flows of its
    /// own, what is known of a node without a body stands in its contract, and flows of
    /// its interface on slower clocks have values where only its body says.
    fn is_never_cut(&self, node: NodeId) -> bool;
    /// The same of one call of a node in another.
    fn is_call_never_cut(&self, caller: NodeId, call: CallId, node: NodeId) -> bool {
        let _ = (caller, call);
        self.is_never_cut(node)
    }
}

impl CallGraph for Program {
    fn name(&self, node: NodeId) -> &str {
        &self.node(node).name
    }

    fn callees(&self, node: NodeId) -> impl ExactSizeIterator<Item = NodeId> + '_ {
        self.node(node).calls.iter().map(|call| call.callee)
    }

    fn is_never_cut(&self, node: NodeId) -> bool {
        let assumes = |node: &Node| node.clauses.iter().any(|c| c.kind == ClauseKind::Assume);
        let special = |stream: &Stream| stream.condition.is_some() || stream.scope != ScopeId::NODE;
        let conditional = |node: &Node| {
            let interface = node.input_ids().chain(node.output_ids());
            interface.into_iter().any(|id| special(node.stream(id)))
        };
        // A kernel that was made by hand has no typed program behind it.
        self.nodes
            .get(node.index())
            .is_some_and(|node| node.imported || assumes(node) || conditional(node))
    }
}

impl<T: CallGraph> CallGraph for std::sync::Arc<T> {
    fn name(&self, node: NodeId) -> &str {
        T::name(self, node)
    }

    fn callees(&self, node: NodeId) -> impl ExactSizeIterator<Item = NodeId> + '_ {
        T::callees(self, node)
    }

    fn is_never_cut(&self, node: NodeId) -> bool {
        T::is_never_cut(self, node)
    }
}

/// A program that unfolds to more instances than this is refused.
pub const MOST_INSTANCES: usize = 1_000_000;

/// A program unfolds to more than [`MOST_INSTANCES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyInstances;

impl InstanceTree {
    /// Unfolds the calls below a node.
    ///
    /// # Errors
    /// If there are more than [`MOST_INSTANCES`].
    pub fn new(program: &impl CallGraph, root: NodeId) -> Result<InstanceTree, TooManyInstances> {
        let mut list = vec![Instance { node: root, parent: None, children: Vec::new() }];
        let mut next = 0;
        while next < list.len() {
            let id = InstanceId(next as u32);
            let callees = program.callees(list[next].node);
            if list.len() + callees.len() > MOST_INSTANCES {
                return Err(TooManyInstances);
            }
            for (i, node) in callees.enumerate() {
                let child = InstanceId(list.len() as u32);
                list[next].children.push(child);
                let parent = Some((id, CallId(i as u32)));
                list.push(Instance { node, parent, children: Vec::new() });
            }
            next += 1;
        }
        let cut = vec![false; list.len()];
        Ok(InstanceTree { list, cut, root: Root::Checked })
    }

    /// A node with its calls, of which nothing but the interfaces is there, unless
    /// that says too little ([`CallGraph::is_never_cut`]).
    #[must_use]
    pub fn cut(program: &impl CallGraph, root: NodeId) -> InstanceTree {
        let list = vec![Instance { node: root, parent: None, children: Vec::new() }];
        let bare = InstanceTree { list, cut: vec![true], root: Root::Checked };
        bare.unfold(program, &[InstanceId::ROOT])
    }

    /// The same tree with the root as any call of its node: that its arguments
    /// are in the subranges of the inputs is a property of the callers, which
    /// may not be assumed here.
    #[must_use]
    pub fn called(self) -> InstanceTree {
        InstanceTree { root: Root::Call, ..self }
    }

    /// The same tree with the root as any call of its node, as long as it is given what
    /// its contract and the types of its inputs say: that is assumed here. What holds in
    /// it holds of a call at each step up to which the call was given that.
    #[must_use]
    pub fn kept_call(self) -> InstanceTree {
        InstanceTree { root: Root::KeptCall, ..self }
    }

    /// The same tree with some instances that are cut unfolded: in place of
    /// each its node, whose calls are cut. The instances get new ids.
    #[must_use]
    pub fn unfold(&self, program: &impl CallGraph, which: &[InstanceId]) -> InstanceTree {
        let mut list = vec![Instance { parent: None, children: Vec::new(), ..self.list[0] }];
        let mut cut = vec![self.cut[0]];
        // What each instance was, if it is not new.
        let mut was = vec![Some(InstanceId::ROOT)];
        let which: FxHashSet<InstanceId> = which.iter().copied().collect();
        let mut next = 0;
        while next < list.len() {
            let old = was[next];
            let unfolds = old.is_some_and(|old| which.contains(&old));
            cut[next] &= !unfolds;
            if !cut[next] {
                for (i, node) in program.callees(list[next].node).enumerate() {
                    let known = old.and_then(|old| self.instance(old).children.get(i)).copied();
                    let child = InstanceId(list.len() as u32);
                    list[next].children.push(child);
                    let parent = Some((InstanceId(next as u32), CallId(i as u32)));
                    list.push(Instance { node, parent, children: Vec::new() });
                    let was_cut = known.is_none_or(|known| self.is_cut(known));
                    let caller = list[next].node;
                    let whole = program.is_call_never_cut(caller, CallId(i as u32), node);
                    cut.push(was_cut && !whole);
                    was.push(known);
                }
            }
            next += 1;
        }
        InstanceTree { list, cut, root: self.root }
    }

    /// Whether only the interface of an instance is there.
    #[must_use]
    pub fn is_cut(&self, id: InstanceId) -> bool {
        self.cut[id.index()]
    }

    /// The instances of which only the interface is there.
    pub fn cut_ids(&self) -> impl Iterator<Item = InstanceId> + '_ {
        self.ids().filter(|id| self.is_cut(*id))
    }

    /// Whether the root stands for any call of its node.
    #[must_use]
    pub fn is_called(&self) -> bool {
        self.root != Root::Checked
    }

    /// Whether the root stands for calls that are given what they should be.
    #[must_use]
    pub fn is_kept_call(&self) -> bool {
        self.root == Root::KeptCall
    }

    /// Whether it is assumed that the root is given what its contract and the types of
    /// its inputs say.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.root != Root::Call
    }

    /// The calls that lead from the root to an instance.
    #[must_use]
    pub fn calls(&self, id: InstanceId) -> Vec<CallId> {
        let mut calls = Vec::new();
        let mut at = id;
        while let Some((parent, call)) = self.instance(at).parent {
            calls.push(call);
            at = parent;
        }
        calls.reverse();
        calls
    }

    /// The instance that some calls lead to from another, if it is there.
    #[must_use]
    pub fn follow(&self, from: InstanceId, calls: &[CallId]) -> Option<InstanceId> {
        let step =
            |at: InstanceId, call: &CallId| self.instance(at).children.get(call.index()).copied();
        calls.iter().try_fold(from, step)
    }

    /// The number of instances.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Never: there is always the root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All instances, parents first.
    pub fn ids(&self) -> impl Iterator<Item = InstanceId> + use<> {
        (0..self.list.len() as u32).map(InstanceId)
    }

    /// An instance.
    #[must_use]
    pub fn instance(&self, id: InstanceId) -> &Instance {
        &self.list[id.index()]
    }

    /// The node of an instance.
    #[must_use]
    pub fn node<'p>(&self, program: &'p Program, id: InstanceId) -> &'p Node {
        program.node(self.instance(id).node)
    }

    /// The instance of a call.
    #[must_use]
    pub fn child(&self, id: InstanceId, call: CallId) -> InstanceId {
        self.instance(id).children[call.index()]
    }

    /// The name of an instance below the root, the root's own being empty:
    /// `filter.integrator[2]`, numbered only where a node is called twice.
    #[must_use]
    pub fn path(&self, program: &impl CallGraph, id: InstanceId) -> String {
        let mut parts = Vec::new();
        let mut at = id;
        while let Some((parent, call)) = self.instance(at).parent {
            let callee = self.instance(at).node;
            let mut part = program.name(callee).to_string();
            let same = || {
                let callees = program.callees(self.instance(parent).node).enumerate();
                callees.filter(|(_, node)| *node == callee)
            };
            if same().count() > 1 {
                let number = same().filter(|(i, _)| *i <= call.index()).count();
                let _ = write!(part, "[{number}]");
            }
            parts.push(part);
            at = parent;
        }
        parts.reverse();
        parts.join(".")
    }

    /// Where an instance stands.
    #[must_use]
    pub fn standing(&self, id: InstanceId) -> Standing {
        match (id == InstanceId::ROOT, self.is_cut(id)) {
            (true, _) => Standing::Root,
            (false, true) => Standing::Cut,
            (false, false) => Standing::Called,
        }
    }
}

/// What a property is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PropertySource {
    /// The stated property with this index in its node.
    Stated(usize),
    /// That a flow is as its type says: in its subrange, and what else holds of it.
    InRange(StreamId),
    /// A boolean output of a node that states nothing.
    Output(StreamId),
    /// What a contract of the node says: the clause with this index.
    Clause(usize),
}

/// A property of an instance.
#[derive(Clone, Debug)]
pub struct PropertyInstance {
    /// Where.
    pub instance: InstanceId,
    /// What.
    pub source: PropertySource,
    /// The name in reports, with the path of the instance.
    pub name: String,
    /// What is wanted of it.
    pub goal: Goal,
    /// Where it stands in the text.
    pub span: Span,
}

impl Obligation {
    /// The obligation of an instance with this path.
    fn at(&self, instance: InstanceId, path: &str) -> PropertyInstance {
        let name = match path {
            "" => self.name.clone(),
            path => format!("{path}.{}", self.name),
        };
        PropertyInstance {
            instance,
            source: self.source,
            name,
            goal: self.kind.goal(),
            span: self.span,
        }
    }
}

/// Which properties are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Those of called nodes too, in each instance.
    pub called_nodes: bool,
    /// The boolean outputs of a node that states nothing.
    pub outputs: bool,
}

impl Wanted {
    /// All that there is.
    pub const ALL: Wanted = Wanted { called_nodes: true, outputs: true };
    /// All that is stated, in called nodes too.
    pub const STATED: Wanted = Wanted { called_nodes: true, outputs: false };
}

/// All properties of a tree, in the order of the instances and of the text. Of
/// an instance that is cut, only that its arguments are in range is there.
#[must_use]
pub fn properties(program: &Program, tree: &InstanceTree, wanted: Wanted) -> Vec<PropertyInstance> {
    let mut by_node: FxHashMap<NodeId, Vec<Obligation>> = FxHashMap::default();
    let mut found = Vec::new();
    let mut add = |id: InstanceId, outputs: bool| {
        let node = tree.instance(id).node;
        let known = by_node.entry(node).or_insert_with(|| obligations(program, node));
        let standing = tree.standing(id);
        let shown = known
            .iter()
            .filter(|o| o.role.is_shown(standing) && outputs == (o.kind == ObligationKind::Output));
        let mut shown = shown.peekable();
        if shown.peek().is_some() {
            let path = tree.path(program, id);
            found.extend(shown.map(|o| o.at(id, &path)));
        }
    };
    let below = if wanted.called_nodes { tree.len() } else { 1 };
    tree.ids().take(below).for_each(|id| add(id, false));
    let root = tree.instance(InstanceId::ROOT).node;
    if wanted.outputs && !states_something(program, root, wanted) {
        add(InstanceId::ROOT, true);
    }
    found
}

/// The obligations of a node that is looked at alone: `Given` ones too where it
/// stands for its calls, which must then all respect them. What shall be reachable is none:
/// it does not follow from what holds always.
#[must_use]
pub fn node_properties(
    program: &Program,
    node: NodeId,
    root: NodeId,
    wanted: Wanted,
) -> Vec<PropertyInstance> {
    let is_root = node == root;
    let outputs = is_root && wanted.outputs && !states_something(program, root, wanted);
    let others = is_root || wanted.called_nodes;
    let counts = |o: &Obligation| match o.kind {
        ObligationKind::Output => outputs,
        _ => {
            others
                && (o.role.is_shown(Standing::Root)
                    || !is_root && o.role.is_shown(Standing::Called))
        }
    };
    let all = obligations(program, node).into_iter();
    let always = all.filter(|o| o.kind.goal() == Goal::Always);
    always.filter(counts).map(|o| o.at(InstanceId::ROOT, "")).collect()
}

/// Whether a node, or where that is wanted one that it calls, states a property.
fn states_something(program: &Program, root: NodeId, wanted: Wanted) -> bool {
    let mut seen = vec![false; program.nodes.len()];
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        let node = program.node(id);
        // An assumption is stated by the node and owed by its callers.
        let owed = |clause: &Clause| match clause.kind {
            ClauseKind::Assume => id != root,
            _ => !node.imported,
        };
        if !node.properties.is_empty() || node.clauses.iter().any(owed) {
            return true;
        }
        if wanted.called_nodes && !std::mem::replace(&mut seen[id.index()], true) {
            stack.extend(node.calls.iter().map(|call| call.callee));
        }
    }
    false
}
