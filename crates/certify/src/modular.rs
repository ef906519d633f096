//! Proofs that look at each node once.
//!
//! A *cut* system has the interfaces of some calls only: their outputs may be
//! anything that the *summary* of the called node allows. A summary is a list
//! of predicates about the inputs and outputs of a node, present and past, that
//! hold at every step of every execution of the node on arbitrary inputs.
//!
//! Why a property that holds in a cut system holds in the program: take an
//! execution of the program. Each instance of a node, with the inputs that it
//! is given there, runs through an execution of the node's own system, in which
//! the node's calls are cut again: the node's assertions hold, and so do the
//! summaries of what it calls, by induction over the depth of calls, which ends
//! because no node calls itself. So what was proved of that system holds, the
//! summary with it; and the cut system, given the outputs of the calls as they
//! are, runs through an execution of its own with the same values.
//!
//! With clocks, an instance on a slower clock, or one that begins anew, runs through executions
//! of its node's system all the same: its steps are those at which it is active, from each
//! beginning to the next. So what was proved of a node by itself holds wherever it
//! is active. But `first` and `pre` of a summary are those of the node, and mean the same at a
//! call only if node and caller begin together and take every step together; at other calls
//! only what a summary says of single steps is stated, of those at which the call is active.
//!
//! Where a contract assumes something, or the type of an input does, what is proved of the node is
//! proved of *kept calls*: in a system in which that is assumed at every step
//! ([`InstanceTree::kept_call`]). A prefix of an execution in which an instance was given at every step
//! what it is owed is one of that system. So the instance does what was proved at each step up
//! to which it was given that, the step itself included; and that is what is stated of a call, as
//! an implication from a flag that is true as long as this was so. The implication holds of every instance
//! in every execution, whatever the caller does, so it may be used to show that the caller gives what
//! it owes: there is nothing circular in it. What is to be shown of a call is that the flag is true at
//! every step, which is the same as what is owed at every step. With the guarantee itself in its place,
//! a caller that feeds a node from its own output could show by the guarantee that the
//! assumption holds which the guarantee rests on.
//! When answers about kept calls are answers about the program is said in [`crate::kept`].
//!
//! The types carry this: a [`Summary`] is made by [`Summaries::add`] only, after
//! its proofs were checked on the node's cut system, and a [`CutSystem`] by
//! [`Summaries::cut`] only, from the program itself and from summaries that
//! are there already.

use std::ops::Deref;
use std::sync::Arc;

use lustral_base::ScopeId;
use lustral_kernel::Program as Kernel;
use lustral_sema::instances::CallGraph;
use lustral_sema::program::CallId;
use lustral_sema::{InstanceId, InstanceTree, NodeId, PropertyInstance, PropertySource};
use lustral_system::{Certificate, Predicate, Proof, PropId, StreamRole, visible};
use lustral_term::TermId;
use rustc_hash::FxHashMap;

use crate::owed::{Known, Owed, all_of};
use crate::place::{basis, place, place_where_active};
use crate::premises::{Leave, Premises};
use crate::{Answer, Checked, OfProperty, ProofChecker, Rejected, Unit};

/// What is proved of a node for arbitrary inputs, and what it was proved on.
#[derive(Debug)]
pub struct Summary {
    node: NodeId,
    cut: Arc<CutSystem>,
    /// Inductive together.
    inductive: Vec<Predicate>,
    /// Properties of the node, proved on cut systems of its own.
    properties: Vec<Checked<Answer>>,
    /// What callers may rely on, and whether it speaks of inputs.
    stated: Vec<(Predicate, bool)>,
}

impl Summary {
    /// The node.
    #[must_use]
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// The system that its proofs are about.
    #[must_use]
    pub fn cut(&self) -> &CutSystem {
        &self.cut
    }

    fn of(&self, strength: Strength) -> Vec<&Predicate> {
        let wanted = |inputs: bool| strength == Strength::Full || !inputs;
        self.stated.iter().filter(|(_, inputs)| wanted(*inputs)).map(|(p, _)| p).collect()
    }

    pub(crate) fn inductive(&self) -> Certificate {
        let (k, properties, compression) = (1, Vec::new(), None);
        let invariants = self.inductive.clone();
        Certificate { proof: Proof::Induction { k, properties, invariants, compression } }
    }

    pub(crate) fn properties(&self) -> &[Checked<Answer>] {
        &self.properties
    }

    /// The summaries that its proofs were given. A property may have been
    /// proved with calls inlined, or beside properties of other nodes, and so
    /// rest on more than the rest does. All of these were there before, so
    /// nothing rests on itself.
    fn rests_on(&self) -> impl Iterator<Item = &Arc<Summary>> {
        let of_properties = self.properties.iter().filter_map(Checked::cut);
        let of_properties = of_properties.flat_map(|cut| &cut.rests_on);
        self.cut.rests_on.iter().chain(of_properties)
    }
}

/// How much of the summaries is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// What they say of outputs alone: then the arguments of a call, and the
    /// calls that these come from, have no part in a proof.
    Outputs,
    /// All.
    Full,
}

/// A node in which some calls are cut, with the summaries of those placed in its
/// system. It is a [`Unit`] to read, and nobody else can make one.
#[derive(Debug)]
pub struct CutSystem {
    unit: Arc<Unit>,
    rests_on: Vec<Arc<Summary>>,
    strength: Strength,
    /// The instances whose calls could have been cut and are not.
    pub(crate) unfolded: Vec<InstanceId>,
}

impl Deref for CutSystem {
    type Target = Unit;

    fn deref(&self) -> &Unit {
        &self.unit
    }
}

impl CutSystem {
    /// The node, to be shared.
    #[must_use]
    pub fn unit(&self) -> &Arc<Unit> {
        &self.unit
    }

    /// The summaries that it was made with, and what was taken from each.
    pub fn guarantees(&self) -> impl Iterator<Item = (&Summary, Vec<&Predicate>)> {
        self.rests_on.iter().map(|summary| (&**summary, summary.of(self.strength)))
    }

    /// The summaries that it was made with, and those that they rest on,
    /// called nodes first.
    #[must_use]
    pub fn summaries(&self) -> Vec<Arc<Summary>> {
        let mut found: Vec<Arc<Summary>> = Vec::new();
        let mut stack: Vec<(Arc<Summary>, bool)> =
            self.rests_on.iter().rev().map(|s| (s.clone(), false)).collect();
        while let Some((summary, left)) = stack.pop() {
            if found.iter().any(|known| Arc::ptr_eq(known, &summary)) {
                continue;
            }
            if left {
                found.push(summary);
                continue;
            }
            let below: Vec<Arc<Summary>> = summary.rests_on().cloned().collect();
            stack.push((summary, true));
            stack.extend(below.into_iter().map(|s| (s, false)));
        }
        found
    }
}

/// The summaries of a program's nodes.
pub struct Summaries {
    kernel: Arc<Kernel>,
    known: Vec<Option<Arc<Summary>>>,
    /// By node: how its calls may be known where they are cut.
    calls: Vec<Known>,
}

/// What has been given to cut calls so far, by instance.
type SoFar = FxHashMap<InstanceId, Vec<(PropertySource, TermId)>>;

impl Summaries {
    /// None yet.
    #[must_use]
    pub fn new(kernel: &Arc<Kernel>) -> Summaries {
        let nodes = (0..kernel.nodes.len() as u32).map(NodeId);
        let calls = nodes.map(|id| Known::of(kernel, id)).collect();
        Summaries { kernel: kernel.clone(), known: vec![None; kernel.nodes.len()], calls }
    }

    /// The program.
    #[must_use]
    pub fn kernel(&self) -> &Arc<Kernel> {
        &self.kernel
    }

    /// What is owed to the calls of a node, where they are known by a contract.
    #[must_use]
    pub fn owed(&self, node: NodeId) -> Vec<PropertySource> {
        self.contract(node).map_or_else(Vec::new, Owed::sources)
    }

    fn contract(&self, node: NodeId) -> Option<&Owed> {
        match &self.calls[node.index()] {
            Known::Contract(owed) => Some(owed),
            Known::Interface | Known::Body => None,
        }
    }

    /// Whether what is owed to a call that is cut can be stated there: the call has a
    /// contract, and takes every step of the root.
    #[must_use]
    pub fn states_owed(&self, tree: &InstanceTree, id: InstanceId) -> bool {
        let node = tree.instance(id).node;
        tree.is_cut(id) && self.contract(node).is_some() && self.keeps_step(tree, id)
    }

    /// States of a cut call that it has been given what it is owed so far, once.
    fn so_far(
        &self,
        unit: &mut Unit,
        id: InstanceId,
        known: &mut SoFar,
    ) -> Option<Vec<(PropertySource, TermId)>> {
        if !self.states_owed(&unit.tree, id) {
            return None;
        }
        let owed = self.contract(unit.tree.instance(id).node)?;
        Some(known.entry(id).or_insert_with(|| owed.so_far(&mut unit.system, id)).clone())
    }

    /// Whether an instance takes every step of the root: then a summary may be stated of it.
    fn keeps_step(&self, tree: &InstanceTree, id: InstanceId) -> bool {
        let mut at = id;
        while let Some((caller, call)) = tree.instance(at).parent {
            let node = self.kernel.node(tree.instance(caller).node);
            if node.calls[call.index()].scope != ScopeId::NODE {
                return false;
            }
            at = caller;
        }
        true
    }

    /// The summary of a node.
    #[must_use]
    pub fn of(&self, node: NodeId) -> Option<&Arc<Summary>> {
        self.known[node.index()].as_ref()
    }

    /// The system of a tree of this program, with summaries for those of its
    /// instances that are cut and that the properties may depend on.
    ///
    /// # Panics
    /// If it is a tree of kept calls of a node that is not known by a contract.
    #[must_use]
    pub fn cut(
        &self,
        tree: InstanceTree,
        properties: Vec<PropertyInstance>,
        strength: Strength,
    ) -> CutSystem {
        // What is assumed of kept calls is what `Kept` finds that they are owed, and nothing else.
        let root = tree.instance(InstanceId::ROOT).node;
        let is_owed = self.contract(root).is_some();
        assert!(is_owed || !tree.is_kept_call(), "what calls owe cannot be stated of them");
        let mut unit = Unit::cut(&self.kernel, tree, properties);
        let mut so_far = SoFar::default();
        for position in 0..unit.properties.len() {
            let PropertyInstance { instance, source, .. } = unit.properties[position];
            let flags = self.so_far(&mut unit, instance, &mut so_far).unwrap_or_default();
            if let Some((_, flag)) = flags.iter().find(|(owed, _)| *owed == source) {
                unit.system.properties[position].term = *flag;
            }
        }
        let mut rests_on: Vec<Arc<Summary>> = Vec::new();
        let mut left: Vec<InstanceId> = unit.tree.cut_ids().collect();
        // A summary may draw in the calls that its inputs come from.
        loop {
            let Unit { tree, system, .. } = &unit;
            let properties = system.properties.iter().map(|p| p.term);
            let roots = properties.chain(system.constraints.iter().map(|c| c.term));
            let mut variables = system.terms.variables(roots);
            // What callers see of a node is what its summary is about.
            if tree.is_called() {
                let streams = &system.root().streams;
                variables
                    .extend(streams.iter().filter(|s| s.role == StreamRole::Output).map(|s| s.var));
            }
            let cone = system.cone_of(variables);
            let before = left.len();
            left.retain(|id| {
                let flows = &unit.system.instances[id.index()].streams;
                if !flows.iter().any(|s| cone[s.var.index()]) {
                    return true;
                }
                if let Some(summary) = self.of(unit.tree.instance(*id).node) {
                    self.place(&mut unit, *id, (summary, strength), &mut so_far);
                    if !rests_on.iter().any(|known| Arc::ptr_eq(known, summary)) {
                        rests_on.push(summary.clone());
                    }
                }
                false
            });
            if left.len() == before {
                break;
            }
        }
        let unfolded = self.unfolded(&unit.tree);
        CutSystem { unit: Arc::new(unit), rests_on, strength, unfolded }
    }

    /// The instances of a tree that are there though their calls could have been cut.
    fn unfolded(&self, tree: &InstanceTree) -> Vec<InstanceId> {
        let could_be = |id: &InstanceId| {
            let instance = tree.instance(*id);
            let Some((caller, call)) = instance.parent else { return false };
            let caller = tree.instance(caller).node;
            !self.is_never_cut(instance.node)
                && !self.is_call_never_cut(caller, call, instance.node)
        };
        tree.ids().filter(|id| !tree.is_cut(*id)).filter(could_be).collect()
    }

    /// States a summary of a cut call. One about kept calls is stated where the call has
    /// been given what it is owed so far.
    fn place(
        &self,
        unit: &mut Unit,
        id: InstanceId,
        (summary, strength): (&Summary, Strength),
        so_far: &mut SoFar,
    ) {
        let (theirs, stated) = (&summary.cut.system, summary.of(strength));
        let keeps_step = self.keeps_step(&unit.tree, id);
        if summary.cut.tree.is_kept_call() {
            if let Some(flags) = self.so_far(unit, id, so_far) {
                let condition = all_of(&mut unit.system.terms, &flags);
                place(&mut unit.system, id, theirs, &stated, Some(condition));
            }
        } else if keeps_step {
            place(&mut unit.system, id, theirs, &stated, None);
        } else {
            place_where_active(&mut unit.system, id, theirs, &stated);
        }
    }

    /// Adds the summary of a node: what is inductive together in its cut
    /// system, and properties of the node that were proved on cut systems of
    /// its own. Callers may rely on the properties, and of the rest on what
    /// `useful` picks, as far as it speaks of nothing that they cannot see.
    ///
    /// # Errors
    /// If the predicates are not inductive, or the solver cannot tell.
    ///
    /// # Panics
    /// If the system is none of any call of the node in this program.
    pub fn add(
        &mut self,
        checker: &mut ProofChecker,
        cut: Arc<CutSystem>,
        inductive: Vec<Predicate>,
        useful: impl Fn(&Predicate) -> bool,
        proved: &[Checked<Answer>],
    ) -> Result<(), Rejected> {
        assert!(Arc::ptr_eq(&cut.kernel, &self.kernel), "a system of another program");
        assert!(cut.tree.is_called(), "a summary is about any call");
        let node = cut.tree.instance(InstanceId::ROOT).node;
        if !inductive.is_empty() {
            checker.check_inductive(&cut.system, &inductive)?;
        }
        let terms = Arc::new(cut.system.terms.clone());
        let (mut properties, mut stated) = (Vec::new(), Vec::new());
        for answer in proved {
            if let Some(term) = stated_by(&cut, answer) {
                properties.push(answer.clone());
                stated.push(Predicate { terms: terms.clone(), term });
            }
        }
        stated.extend(inductive.iter().filter(|p| useful(p)).cloned());
        let seen = visible(&cut.system);
        stated.retain(|p| p.terms.variables([p.term]).iter().all(|v| seen[v.index()]));
        let with_inputs = |p| {
            let inputs = basis(&cut.system, &p).inputs;
            (p, inputs)
        };
        let stated = stated.into_iter().map(with_inputs).collect();
        let summary = Summary { node, cut, inductive, properties, stated };
        self.known[node.index()] = Some(Arc::new(summary));
        Ok(())
    }
}

impl CallGraph for Summaries {
    fn name(&self, node: NodeId) -> &str {
        CallGraph::name(&self.kernel, node)
    }

    fn callees(&self, node: NodeId) -> impl ExactSizeIterator<Item = NodeId> + '_ {
        self.kernel.callees(node)
    }

    fn is_never_cut(&self, node: NodeId) -> bool {
        matches!(self.calls[node.index()], Known::Body)
    }

    /// What a contract says of a call on a slower clock, or of one that begins anew, is about
    /// steps that the caller does not count.
    fn is_call_never_cut(&self, caller: NodeId, call: CallId, node: NodeId) -> bool {
        let scope = self.kernel.node(caller).calls[call.index()].scope;
        self.is_never_cut(node) || self.contract(node).is_some() && scope != ScopeId::NODE
    }
}

/// What an answer says that a node's own property holds for, in a cut system of
/// the node: the term of the same property there.
fn stated_by(cut: &CutSystem, answer: &Checked<Answer>) -> Option<TermId> {
    let (Answer::Valid(_), Some(proved_on)) = (answer.get(), answer.cut()) else { return None };
    let same_node =
        proved_on.tree.instance(InstanceId::ROOT).node == cut.tree.instance(InstanceId::ROOT).node;
    if !Arc::ptr_eq(&proved_on.kernel, &cut.kernel) || !proved_on.tree.is_called() || !same_node {
        return None;
    }
    // What holds of kept calls need not hold of others.
    if proved_on.tree.is_kept_call() && !cut.tree.is_kept_call() {
        return None;
    }
    let property = &proved_on.properties[answer.property().index()];
    let own = |p: &PropertyInstance| p.instance == InstanceId::ROOT;
    let same = |p: &PropertyInstance| own(p) && own(property) && p.source == property.source;
    let position = cut.properties.iter().position(same)?;
    Some(cut.system.properties[position].term)
}

impl ProofChecker {
    /// Checks the proof of a property of a cut system: the property holds in
    /// every execution of the program. And which statements of its own the system needs for it.
    ///
    /// # Errors
    /// If an obligation fails, or the solver cannot tell.
    pub fn check_cut(
        &mut self,
        cut: &Arc<CutSystem>,
        property: PropId,
        certificate: Certificate,
        leave: &Leave<'_>,
    ) -> Result<Checked<Answer>, Rejected> {
        let answer = self.check_premises(&cut.system, property, certificate, leave)?;
        // A system without statements of its own needs none; what the summaries of its calls rest on is said all the same.
        let none = || Premises { constraints: Vec::new(), minimal: true };
        let premises = Some(answer.about.premises.clone().unwrap_or_else(none));
        let about = OfProperty { cut: Some(cut.clone()), premises, ..answer.about };
        Ok(Checked { about, ..answer })
    }
}
