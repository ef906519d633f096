//! What the nodes of a program guarantee, checked node by node: what `lustral
//! invariants` shows.
//!
//! What holds of a node *always*, whatever its inputs are, is inductive in its
//! system with its calls cut, given what was checked of the called nodes before:
//! each instance runs through an execution of that system, by induction over the
//! depth of calls (see [`crate::modular`]). What holds of it *within* what every
//! call gives it is checked for all nodes together: see [`crate::layers`].

use std::sync::Arc;

use lustral_system::{Predicate, TransitionSystem};

use crate::layers::{Layers, Preconditions};
use crate::place::assume_of_call;
use crate::{Checked, Nodes, ProofChecker, Rejected, queries};

/// What was checked of nodes.
pub struct Guarantees {
    nodes: Arc<Nodes>,
    /// By node: what holds of it always.
    always: Vec<Vec<Predicate>>,
    /// By node: what it is given, and what holds within that. Empty if nothing
    /// of that was checked.
    within: Vec<Preconditions>,
}

/// Which of the facts that were checked of a node are to be shown, in this order.
#[derive(Clone, Default, Debug)]
pub struct Picks {
    /// Of what holds always.
    pub always: Vec<usize>,
    /// Of what it is given.
    pub given: Vec<usize>,
    /// Of what holds within that.
    pub within: Vec<usize>,
}

/// What a node guarantees. As [`Checked`], every instance of the node keeps to it.
#[derive(Clone, Debug)]
pub struct NodeInvariants {
    nodes: Arc<Nodes>,
    node: usize,
    always: Vec<Predicate>,
    given: Vec<Predicate>,
    within: Vec<Predicate>,
}

impl NodeInvariants {
    /// The system that they are about: that of the node with its calls cut.
    #[must_use]
    pub fn system(&self) -> &TransitionSystem {
        self.nodes.system(self.node)
    }

    /// What holds whatever the inputs are; of a node to which nothing is given,
    /// also what holds because of what it gives to others.
    #[must_use]
    pub fn always(&self) -> &[Predicate] {
        &self.always
    }

    /// What every call establishes.
    #[must_use]
    pub fn given(&self) -> &[Predicate] {
        &self.given
    }

    /// What holds if all of that does.
    #[must_use]
    pub fn within(&self) -> &[Predicate] {
        &self.within
    }
}

impl Guarantees {
    /// Nothing was checked yet.
    #[must_use]
    pub fn none(nodes: &Arc<Nodes>) -> Guarantees {
        Guarantees { nodes: nodes.clone(), always: vec![Vec::new(); nodes.len()], within: vec![] }
    }

    /// The system of a node with what was checked of the nodes that it calls.
    #[must_use]
    pub fn system(&self, node: usize) -> TransitionSystem {
        let mut system = self.nodes.system(node).clone();
        for (call, callee) in self.nodes.calls(node).iter().enumerate() {
            assume_of_call(&mut system, call, &self.always[*callee], self.nodes.system(*callee));
        }
        system
    }

    /// Adds what holds of a node always: predicates that are inductive together
    /// in its [`Guarantees::system`].
    ///
    /// # Errors
    /// If they are not, or the solver cannot tell.
    pub fn add(
        &mut self,
        checker: &mut ProofChecker,
        node: usize,
        inductive: Vec<Predicate>,
    ) -> Result<(), Rejected> {
        checker.check_inductive(&self.system(node), &inductive)?;
        self.always[node] = inductive;
        Ok(())
    }

    /// Adds what nodes are given and what holds within that, by node. It rests on
    /// each other, so it is all or nothing.
    ///
    /// # Errors
    /// If an obligation does not hold, or the solver cannot tell.
    pub fn add_preconditions(
        &mut self,
        checker: &mut ProofChecker,
        claims: Vec<Preconditions>,
    ) -> Result<(), Rejected> {
        self.malformed(&claims).map_or(Ok(()), |fault| Err(Rejected::Malformed(fault)))?;
        let layers = Layers::new(&self.nodes, self.always(), &claims);
        for (node, claim) in claims.iter().enumerate() {
            checker.check_inductive(&layers.system(node), &claim.within)?;
            let calls = layers.obligations(node);
            for call in calls.map_err(|hidden| Rejected::Malformed(hidden.to_string()))? {
                let (hypotheses, goals) = call.predicates();
                checker.check_next(&call.system, &hypotheses, &goals)?;
            }
        }
        self.within = claims;
        Ok(())
    }

    /// By node: what was checked to hold of it always.
    #[must_use]
    pub fn always(&self) -> Vec<&[Predicate]> {
        self.always.iter().map(Vec::as_slice).collect()
    }

    /// What is wrong with claims before any solver looks at them.
    fn malformed(&self, claims: &[Preconditions]) -> Option<String> {
        if claims.len() != self.nodes.len() {
            return Some("one claim for each node".into());
        }
        let of = |node: usize| {
            let Preconditions { given, order, .. } = &claims[node];
            let mut sorted = order.clone();
            sorted.sort_unstable();
            // A call that is not visited would be given what nobody has shown.
            if !sorted.iter().copied().eq(0..self.nodes.calls(node).len()) {
                return Some(format!("each call of `{}` is visited once", self.nodes.name(node)));
            }
            // Nobody calls a root, or not only others of these nodes do.
            (self.nodes.is_root(node) && !given.is_empty())
                .then(|| format!("nobody gives anything to `{}`", self.nodes.name(node)))
        };
        (0..claims.len()).find_map(of)
    }

    /// All that was checked of a node, with all that it is given: of a node to which nothing
    /// is given, what holds within that holds always.
    #[must_use]
    pub fn all(&self, node: usize) -> Checked<NodeInvariants> {
        let mut always = self.always[node].clone();
        let Preconditions { given, mut within, .. } =
            self.within.get(node).cloned().unwrap_or_default();
        if given.is_empty() {
            always.append(&mut within);
        }
        let (nodes, name) = (self.nodes.clone(), self.nodes.name(node).to_string());
        Checked::of_node(name, NodeInvariants { nodes, node, always, given, within })
    }

    /// Some of what was checked of a node. What it is given is shown as it was
    /// picked if the rest of that follows, else all of it: what holds within may
    /// rest on all of it.
    ///
    /// # Panics
    /// If something is picked that is not there.
    pub fn describe(
        &self,
        checker: &mut ProofChecker,
        node: usize,
        picks: &Picks,
    ) -> Checked<NodeInvariants> {
        let nothing = Preconditions::default();
        let claim = self.within.get(node).unwrap_or(&nothing);
        let pick = |from: &[Predicate], which: &[usize]| -> Vec<Predicate> {
            which.iter().map(|i| from[*i].clone()).collect()
        };
        let (mut always, mut given, mut within) =
            (pick(&self.always[node], &picks.always), Vec::new(), Vec::new());
        if claim.given.is_empty() && !claim.within.is_empty() {
            // Nothing is given to it, so that holds always.
            always = pick(&claim.within, &picks.within);
        } else if !picks.within.is_empty() {
            within = pick(&claim.within, &picks.within);
            given = pick(&claim.given, &picks.given);
            let follows = |checker: &mut ProofChecker| {
                let rest = queries::implication(&self.system(node), &given, &claim.given);
                checker.one(&rest).is_ok()
            };
            if given.len() < claim.given.len() && !follows(checker) {
                given.clone_from(&claim.given);
            }
        }
        let nodes = self.nodes.clone();
        let name = self.nodes.name(node).to_string();
        Checked::of_node(name, NodeInvariants { nodes, node, always, given, within })
    }
}
