//! What has to be shown of nodes that are given something: assume–guarantee
//! reasoning with circles.
//!
//! Each node has facts that hold *always*, whatever its inputs. A called node
//! may have facts about its inputs besides, which are *given*: every call must
//! establish them; and facts that hold *within* them. The nodes are then
//! verified one by one, and circles are possible: what is given to a node may
//! follow from what it guarantees. That is sound if the circle takes time.
//!
//! Claim: at each step of an execution of the program, in each instance, all
//! that is given, always or within, holds. By induction over the steps: let it
//! hold at all steps before. At this step it is established by walking through
//! the instances from the root, to which nothing is given. In an instance to
//! which everything is given at this step, the calls are visited in one fixed
//! order, and each of them
//!
//! 1. is given what it needs, by [`Layers::obligation`]: from what the caller
//!    knows of the steps before, and of this step from the facts that hold always
//!    and from what *calls visited before* guarantee; then
//! 2. is walked through in the same way, so it guarantees its facts.
//!
//! After the calls the facts within the instance itself follow by
//! [`Layers::system`], where all of its calls may be relied on at this step. The
//! walk ends because calls are not recursive, and nothing is used before it is
//! established. Without the condition in 1, a call could be given something
//! because it guarantees something because it is given that, at the same step.

use std::sync::Arc;

use lustral_system::{InstanceId, Predicate, TransitionSystem};
use lustral_term::{TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Nodes;
use crate::place::{
    Hidden, assume, assume_of_call, at_call, goals_at_call, imported, interface, of_call,
};

/// What is claimed of a node and of its inputs.
#[derive(Clone, Default, Debug)]
pub struct Preconditions {
    /// What every call establishes: facts about the inputs at one step.
    pub given: Vec<Predicate>,
    /// Inductive together, if everything is given at all steps so far.
    pub within: Vec<Predicate>,
    /// The calls of the node in the order in which they are visited.
    pub order: Vec<usize>,
}

/// What is known or claimed of all nodes, by position.
pub struct Layers<'a> {
    nodes: &'a Nodes,
    always: Vec<&'a [Predicate]>,
    claims: &'a [Preconditions],
}

/// That a call is given what it needs: in this system, all goals hold at the
/// first step, and at each step after one at which the hypotheses hold.
pub struct CallObligation {
    /// The system.
    pub system: TransitionSystem,
    /// An arena that has all of it.
    pub terms: Terms,
    /// Known of the step before.
    pub hypotheses: Vec<TermId>,
    /// What is to be shown.
    pub goals: Vec<TermId>,
}

impl CallObligation {
    /// The hypotheses and the goals as predicates.
    pub(crate) fn predicates(&self) -> (Vec<Predicate>, Vec<Predicate>) {
        let terms = Arc::new(self.terms.clone());
        let of = |list: &[TermId]| {
            list.iter().map(|term| Predicate { terms: terms.clone(), term: *term }).collect()
        };
        (of(&self.hypotheses), of(&self.goals))
    }
}

impl<'a> Layers<'a> {
    /// By node: what holds of it always, and what is claimed besides.
    #[must_use]
    pub fn new(
        nodes: &'a Nodes,
        always: Vec<&'a [Predicate]>,
        claims: &'a [Preconditions],
    ) -> Layers<'a> {
        Layers { nodes, always, claims }
    }

    /// The system of a node in which its facts within what it is given are
    /// inductive: given what it is, all its calls may be relied on.
    #[must_use]
    pub fn system(&self, node: usize) -> TransitionSystem {
        let all: Vec<usize> = (0..self.nodes.calls(node).len()).collect();
        self.relying_on(self.nodes.system(node).clone(), node, &all)
    }

    /// What a node may rely on, added to its system, or to that with its
    /// definitions inlined: what it is given, what its calls guarantee always, and
    /// what those that were visited guarantee within what they are given.
    #[must_use]
    pub fn relying_on(
        &self,
        mut system: TransitionSystem,
        node: usize,
        visited: &[usize],
    ) -> TransitionSystem {
        for term in imported(&mut system.terms, &self.claims[node].given) {
            assume(&mut system, term, InstanceId::ROOT);
        }
        for (call, callee) in self.nodes.calls(node).iter().enumerate() {
            let their = self.nodes.system(*callee);
            assume_of_call(&mut system, call, self.always[*callee], their);
            if visited.contains(&call) {
                assume_of_call(&mut system, call, &self.claims[*callee].within, their);
            }
        }
        system
    }

    /// What is to be shown of the calls of a node, in their order.
    ///
    /// # Errors
    /// If something is given to a call that nobody can show.
    pub(crate) fn obligations(&self, node: usize) -> Result<Vec<CallObligation>, Hidden> {
        let (base, order) = (self.nodes.system(node), &self.claims[node].order);
        (0..order.len())
            .filter_map(|i| self.obligation(base.clone(), node, order[i], &order[..i]).transpose())
            .collect()
    }

    /// What is to be shown of a call after others were visited, in the node's
    /// system or in that with its definitions inlined; nothing if it needs nothing.
    ///
    /// # Errors
    /// If it is given something that nobody can show.
    pub fn obligation(
        &self,
        base: TransitionSystem,
        node: usize,
        call: usize,
        visited: &[usize],
    ) -> Result<Option<CallObligation>, Hidden> {
        let calls = self.nodes.calls(node);
        let needed = &self.claims[calls[call]].given;
        if needed.is_empty() {
            return Ok(None);
        }
        let mut system = self.relying_on(base, node, visited);
        let interfaces: Vec<FxHashMap<VarId, TermId>> = (0..calls.len())
            .map(|call| interface(&mut system, of_call(call), self.nodes.system(calls[call])))
            .collect();
        let mut terms = system.terms.clone();
        let goals = goals_at_call(&mut terms, &interfaces[call], needed)?;
        // At the step before, everything is established.
        let mut hypotheses = goals.clone();
        hypotheses.extend(imported(&mut terms, self.always[node]));
        hypotheses.extend(imported(&mut terms, &self.claims[node].within));
        for other in (0..calls.len()).filter(|other| !visited.contains(other)) {
            let facts = &self.claims[calls[other]].within;
            hypotheses.extend(at_call(&mut terms, &interfaces[other], facts));
        }
        let mut seen = FxHashSet::default();
        hypotheses.retain(|term| seen.insert(*term));
        Ok(Some(CallObligation { system, terms, hypotheses, goals }))
    }
}
