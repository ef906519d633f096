//! Of which nodes every call is given what it is owed, in the whole program.
//!
//! What was proved of a node as a *kept call* holds at each step up to which the call
//! was given what its contract assumes. It is an answer about the program where all calls
//! are: that has to be shown by answers as well, and some of these are about kept calls
//! of the callers. Why that is no circle: every single proof takes nothing for granted but
//! facts of the form "as long as it was given that, it does this", which hold of every
//! instance whatever its caller does (see [`crate::modular`]). What is
//! put together here goes from the top down. At the root nothing is owed. If an instance
//! is given what it is owed at every step, the proofs about kept calls of its node hold of
//! it at every step, and so its own calls are given what they are owed at every step. No
//! node calls itself, so that reaches every instance; and no step waits for a later one.

use lustral_kernel::Program as Kernel;
use lustral_sema::program::CallId;
use lustral_sema::{InstanceId, InstanceTree, NodeId, Program, PropertySource};
use rustc_hash::FxHashMap;
use std::sync::Arc;

use crate::modular::Summaries;
use crate::{Answer, Checked, OfProperty};

/// Something that is owed: by a node, at the end of some calls below it.
type Place = (NodeId, Vec<CallId>, PropertySource);

/// The nodes whose calls below some roots are all given what they are owed.
pub struct Kept {
    kernel: Arc<Kernel>,
    nodes: Vec<bool>,
}

impl Kept {
    /// What answers say, of all nodes below some roots.
    #[must_use]
    pub fn new(summaries: &Summaries, roots: &[NodeId], answers: &[Checked<Answer>]) -> Kept {
        let kernel = summaries.kernel();
        let program = &kernel.typed;
        let mut shown: FxHashMap<Place, Shown> = FxHashMap::default();
        for answer in answers {
            let (Answer::Valid(_), Some(cut)) = (answer.get(), answer.cut()) else { continue };
            if !Arc::ptr_eq(&cut.kernel, kernel) {
                continue;
            }
            let property = &cut.properties[answer.property().index()];
            let place = (root(&cut.tree), cut.tree.calls(property.instance), property.source);
            let known = shown.entry(place).or_default();
            match (cut.tree.is_called(), cut.tree.is_kept_call()) {
                (false, _) => known.at_root = true,
                (true, false) => known.at_calls = true,
                (true, true) => known.at_kept_calls = true,
            }
        }
        let callers = callers(program, roots);
        let mut nodes = vec![true; program.nodes.len()];
        let callers_first = lustral_flow::called_first(program, roots).into_iter().rev();
        for id in callers_first.collect::<Vec<_>>() {
            let owed = summaries.owed(id);
            let kept = owed.iter().all(|source| {
                let calls = callers[id.index()].iter();
                calls.into_iter().all(|(caller, call)| {
                    let place = (*caller, vec![*call], *source);
                    is_shown(&shown, &callers, roots, &nodes, place)
                })
            });
            nodes[id.index()] = kept;
        }
        Kept { kernel: kernel.clone(), nodes }
    }

    /// Whether all calls of a node are given what they are owed.
    #[must_use]
    pub fn has(&self, node: NodeId) -> bool {
        self.nodes[node.index()]
    }
}

/// Where something was shown of a node.
#[derive(Clone, Copy, Default)]
struct Shown {
    at_root: bool,
    at_calls: bool,
    at_kept_calls: bool,
}

/// Who calls each node, of those below some roots.
fn callers(program: &Program, roots: &[NodeId]) -> Vec<Vec<(NodeId, CallId)>> {
    let mut callers: Vec<Vec<(NodeId, CallId)>> = vec![Vec::new(); program.nodes.len()];
    for id in lustral_flow::called_first(program, roots) {
        for (i, call) in program.node(id).calls.iter().enumerate() {
            callers[call.callee.index()].push((id, CallId(i as u32)));
        }
    }
    callers
}

/// Whether what is owed at a place was shown there, or else by all who call the node, and
/// where that is a root, of the root.
fn is_shown(
    shown: &FxHashMap<Place, Shown>,
    callers: &[Vec<(NodeId, CallId)>],
    roots: &[NodeId],
    kept: &[bool],
    place: Place,
) -> bool {
    let mut pending = vec![place];
    while let Some(place) = pending.pop() {
        let known = shown.get(&place).copied().unwrap_or_default();
        let (node, calls, source) = place;
        if roots.contains(&node) && !known.at_root && !known.at_calls {
            return false;
        }
        if known.at_calls || known.at_kept_calls && kept[node.index()] {
            continue;
        }
        for (caller, call) in &callers[node.index()] {
            let calls = std::iter::once(*call).chain(calls.iter().copied()).collect();
            pending.push((*caller, calls, source));
        }
    }
    true
}

impl Checked<Answer> {
    /// Whether it is about the calls of a node only as far as these are given what
    /// they are owed, and nobody has shown that they are. Such an answer is no verdict.
    #[must_use]
    pub fn is_conditional(&self) -> bool {
        !self.about.kept && self.cut().is_some_and(|cut| cut.tree.is_kept_call())
    }

    /// The same answer about all calls of the node, if they are all given what they are owed.
    #[must_use]
    pub fn of_kept(&self, kept: &Kept) -> Option<Checked<Answer>> {
        let cut = self.cut()?;
        let known = Arc::ptr_eq(&cut.kernel, &kept.kernel) && kept.has(root(&cut.tree));
        let about = OfProperty { kept: true, ..self.about.clone() };
        known.then(|| Checked { about, ..self.clone() })
    }
}

/// The node that a tree is about.
fn root(tree: &InstanceTree) -> NodeId {
    tree.instance(InstanceId::ROOT).node
}
