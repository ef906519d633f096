//! The tree of node instances of a program: one for the node that is checked
//! and one for each call in each instance. And what is to be checked in it.

use std::fmt::Write;

use lustral_syntax::Span;
use rustc_hash::FxHashSet;

use crate::program::{CallId, Node, NodeId, Program, StreamId};
use crate::types::Type;

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
    /// The root stands for any call of its node.
    called: bool,
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
    pub fn new(program: &Program, root: NodeId) -> Result<InstanceTree, TooManyInstances> {
        let mut list = vec![Instance { node: root, parent: None, children: Vec::new() }];
        let mut next = 0;
        while next < list.len() {
            let id = InstanceId(next as u32);
            let calls = &program.node(list[next].node).calls;
            if list.len() + calls.len() > MOST_INSTANCES {
                return Err(TooManyInstances);
            }
            for (i, call) in calls.iter().enumerate() {
                let child = InstanceId(list.len() as u32);
                list[next].children.push(child);
                let parent = Some((id, CallId(i as u32)));
                list.push(Instance { node: call.callee, parent, children: Vec::new() });
            }
            next += 1;
        }
        let cut = vec![false; list.len()];
        Ok(InstanceTree { list, cut, called: false })
    }

    /// A node with its calls, of which nothing but the interfaces is there.
    #[must_use]
    pub fn cut(program: &Program, root: NodeId) -> InstanceTree {
        let list = vec![Instance { node: root, parent: None, children: Vec::new() }];
        let bare = InstanceTree { list, cut: vec![true], called: false };
        bare.unfold(program, &[InstanceId::ROOT])
    }

    /// The same tree with the root as any call of its node: that its arguments
    /// are in the subranges of the inputs is a property of the callers, which
    /// may not be assumed here.
    #[must_use]
    pub fn called(self) -> InstanceTree {
        InstanceTree { called: true, ..self }
    }

    /// The same tree with some instances that are cut unfolded: in place of
    /// each its node, whose calls are cut. The instances get new ids.
    #[must_use]
    pub fn unfold(&self, program: &Program, which: &[InstanceId]) -> InstanceTree {
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
                for (i, call) in program.node(list[next].node).calls.iter().enumerate() {
                    let known = old.and_then(|old| self.instance(old).children.get(i)).copied();
                    let child = InstanceId(list.len() as u32);
                    list[next].children.push(child);
                    let parent = Some((InstanceId(next as u32), CallId(i as u32)));
                    list.push(Instance { node: call.callee, parent, children: Vec::new() });
                    cut.push(known.is_none_or(|known| self.is_cut(known)));
                    was.push(known);
                }
            }
            next += 1;
        }
        InstanceTree { list, cut, called: self.called }
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
        self.called
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
    pub fn path(&self, program: &Program, id: InstanceId) -> String {
        let mut parts = Vec::new();
        let mut at = id;
        while let Some((parent, call)) = self.instance(at).parent {
            let caller = self.node(program, parent);
            let callee = caller.calls[call.index()].callee;
            let mut part = program.node(callee).name.to_string();
            let same = |c: &&crate::program::Call| c.callee == callee;
            if caller.calls.iter().filter(same).count() > 1 {
                let number = caller.calls[..=call.index()].iter().filter(same).count();
                let _ = write!(part, "[{number}]");
            }
            parts.push(part);
            at = parent;
        }
        parts.reverse();
        parts.join(".")
    }
}

/// What a property is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PropertySource {
    /// The stated property with this index in its node.
    Stated(usize),
    /// That a flow with a subrange stays in it.
    InRange(StreamId),
    /// A boolean output of a node that states nothing.
    Output(StreamId),
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
    /// Where it stands in the text.
    pub span: Span,
}

/// Which properties are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Those of called nodes too, in each instance.
    pub called_nodes: bool,
}

/// All properties of a tree, in the order of the instances and of the text. Of
/// an instance that is cut, only that its arguments are in range is there.
#[must_use]
pub fn properties(program: &Program, tree: &InstanceTree, wanted: Wanted) -> Vec<PropertyInstance> {
    let mut found = Vec::new();
    for id in tree.ids() {
        let root = id == InstanceId::ROOT;
        if !root && !wanted.called_nodes {
            break;
        }
        let node = tree.node(program, id);
        if node.properties.is_empty()
            && !node.streams.iter().any(|s| matches!(s.ty, Type::Subrange(_)))
        {
            continue;
        }
        let path = tree.path(program, id);
        let full =
            |name: &str| if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
        let cut = tree.is_cut(id);
        for (i, property) in node.properties.iter().enumerate().filter(|_| !cut) {
            found.push(PropertyInstance {
                instance: id,
                source: PropertySource::Stated(i),
                name: full(&property.name),
                span: property.span,
            });
        }
        for stream in node.stream_ids() {
            let declared = node.stream(stream);
            // The inputs of the root are given in their range; those of a
            // called node are what the caller passes.
            let input = stream.index() < node.inputs;
            let (given, missing) = (root && input, cut && !input);
            if matches!(declared.ty, Type::Subrange(_)) && !given && !missing {
                found.push(PropertyInstance {
                    instance: id,
                    source: PropertySource::InRange(stream),
                    name: full(&format!("subrange({})", declared.name)),
                    span: declared.span,
                });
            }
        }
    }
    if !states_something(program, tree.instance(InstanceId::ROOT).node, wanted) {
        let node = tree.node(program, InstanceId::ROOT);
        for stream in node.output_ids() {
            let declared = node.stream(stream);
            if declared.ty == Type::Bool {
                found.push(PropertyInstance {
                    instance: InstanceId::ROOT,
                    source: PropertySource::Output(stream),
                    name: declared.name.to_string(),
                    span: declared.span,
                });
            }
        }
    }
    found
}

/// Whether a node, or where that is wanted one that it calls, states a property.
fn states_something(program: &Program, root: NodeId, wanted: Wanted) -> bool {
    let mut seen = vec![false; program.nodes.len()];
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        let node = program.node(id);
        if !node.properties.is_empty() {
            return true;
        }
        if wanted.called_nodes && !std::mem::replace(&mut seen[id.index()], true) {
            stack.extend(node.calls.iter().map(|call| call.callee));
        }
    }
    false
}
