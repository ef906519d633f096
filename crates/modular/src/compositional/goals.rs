//! What is to be shown of a node, wherever below it.

use lustral_base::ScopeId;
use lustral_certify::Summaries;
use lustral_sema::instances::{Wanted, properties};
use lustral_sema::program::{CallId, ClauseKind, PropertyKind};
use lustral_sema::{InstanceId, InstanceTree, NodeId, Program, PropertyInstance, PropertySource};

/// A property of an instance below a node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Goal {
    /// The calls that lead to the instance.
    pub calls: Vec<CallId>,
    /// The property.
    pub source: PropertySource,
}

impl Goal {
    /// The calls that must not be cut for the goal to be there.
    fn unfolded<'g>(&'g self, program: &Program, node: NodeId) -> &'g [CallId] {
        let mut at = node;
        let mut keeps_step = true;
        for call in &self.calls {
            let call = &program.node(at).calls[call.index()];
            keeps_step &= call.scope == ScopeId::NODE;
            at = call.callee;
        }
        match self.calls.split_last() {
            // What a call is given can be seen by the caller; but what a contract says of it, only
            // where it takes the steps of the caller.
            Some((_, before))
                if is_given(program, at, self.source)
                    && (keeps_step || is_plain(program, at, self.source)) =>
            {
                before
            }
            _ => &self.calls,
        }
    }
}

/// The goals of a node itself: its properties, and that what it gives to its
/// calls is in range; and those of what it calls that are not shown there.
pub fn of_node(
    summaries: &Summaries,
    node: NodeId,
    wanted: Wanted,
    left: impl Fn(NodeId) -> Vec<Goal>,
    is_root: bool,
) -> Vec<Goal> {
    let program = &*summaries.kernel().typed;
    let tree = InstanceTree::cut(summaries, node);
    let own = properties(program, &tree, wanted).into_iter();
    let is_own = |p: &PropertyInstance| p.instance == InstanceId::ROOT;
    let own = own.filter(|p| is_root || !is_own(p) || !is_of_root(program, node, p.source));
    // Of calls that are never cut the whole node is there: what it owes is its own
    // business, what it is given is the caller's. A node without a body has no business
    // of its own.
    let own = own.filter(|p| match tree.calls(p.instance)[..] {
        [] => true,
        [call] => {
            let callee = program.node(node).calls[call.index()].callee;
            program.node(callee).imported || is_given(program, callee, p.source)
        }
        _ => false,
    });
    let own = own.map(|p| Goal { calls: tree.calls(p.instance), source: p.source });
    let mut goals: Vec<Goal> = own.collect();
    for (i, call) in program.node(node).calls.iter().enumerate() {
        for goal in left(call.callee) {
            let calls = std::iter::once(CallId(i as u32)).chain(goal.calls).collect();
            goals.push(Goal { calls, source: goal.source });
        }
    }
    goals
}

/// Whether a property of a node is asked for only where nobody calls it.
fn is_of_root(program: &Program, node: NodeId, source: PropertySource) -> bool {
    match source {
        PropertySource::Stated(i) => program.node(node).properties[i].kind == PropertyKind::Occurs,
        PropertySource::Output(_) => true,
        PropertySource::InRange(_) | PropertySource::Clause(_) => false,
    }
}

/// Whether callers owe a property of a node.
fn is_given(program: &Program, node: NodeId, source: PropertySource) -> bool {
    let node = program.node(node);
    match source {
        PropertySource::InRange(stream) => stream.index() < node.inputs,
        PropertySource::Clause(i) => node.clauses[i].kind == ClauseKind::Assume,
        PropertySource::Stated(_) | PropertySource::Output(_) => false,
    }
}

/// Whether what callers owe a node speaks of one of its inputs and of nothing else.
fn is_plain(program: &Program, node: NodeId, source: PropertySource) -> bool {
    match source {
        PropertySource::InRange(stream) => program.node(node).stream(stream).condition.is_none(),
        _ => false,
    }
}

/// The tree in which all calls are cut but those that goals stand in.
pub fn tree(summaries: &Summaries, node: NodeId, goals: &[Goal]) -> InstanceTree {
    let program = &*summaries.kernel().typed;
    let mut tree = InstanceTree::cut(summaries, node);
    loop {
        let mut missing: Vec<InstanceId> = Vec::new();
        for goal in goals {
            let mut at = InstanceId::ROOT;
            for call in goal.unfolded(program, node) {
                at = tree.child(at, *call);
                if tree.is_cut(at) {
                    missing.push(at);
                    break;
                }
            }
        }
        if missing.is_empty() {
            return tree;
        }
        tree = tree.unfold(summaries, &missing);
    }
}

/// Goals as properties of a tree in which they are there.
pub fn instances(
    program: &Program,
    tree: &InstanceTree,
    goals: &[Goal],
    wanted: Wanted,
) -> Vec<PropertyInstance> {
    let all = properties(program, tree, wanted);
    let find = |goal: &Goal| {
        let instance = tree.follow(InstanceId::ROOT, &goal.calls)?;
        all.iter().find(|p| p.instance == instance && p.source == goal.source).cloned()
    };
    goals.iter().map(|goal| find(goal).expect("the tree was made for its goals")).collect()
}

/// That calls which are cut are given what their contracts say: what is known of them rests on
/// it. Those that are no goals.
pub fn owed(
    summaries: &Summaries,
    tree: &InstanceTree,
    goals: &[PropertyInstance],
) -> Vec<PropertyInstance> {
    let program = &*summaries.kernel().typed;
    let all = properties(program, tree, Wanted::STATED);
    let at_cut = all.into_iter().filter(|p| summaries.states_owed(tree, p.instance));
    let is_goal = |p: &PropertyInstance| {
        goals.iter().any(|goal| goal.instance == p.instance && goal.source == p.source)
    };
    at_cut.filter(|p| !is_goal(p)).collect()
}
