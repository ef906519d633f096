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

use lustral_system::{InstanceId, Predicate, TransitionSystem, imported};
use lustral_term::{TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Nodes;
use crate::place::{Hidden, assume, assume_of_call, at_call, goals_at_call, interface, of_call};

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

#[cfg(test)]
mod tests {
    use lustral_base::Cancel;
    use lustral_system::{Instance, Origin, Role, Stream, StreamRole, Variable};
    use lustral_term::Sort;
    use lustral_testing::encoding::accepted;

    use super::*;
    use crate::{Guarantees, ProofChecker, Rejected, Unit};

    fn add(system: &mut TransitionSystem, role: Role) -> VarId {
        let (name, origin) = (String::new(), Origin::Auxiliary);
        system.add_variable(Variable { name, sort: Sort::Int, role, range: None, origin }).0
    }

    fn instance(streams: [(VarId, StreamRole); 2]) -> Instance {
        let stream = |(var, role)| Stream {
            name: String::new(),
            var,
            role,
            active: None,
            hidden: false,
            counts: Vec::new(),
        };
        let streams = streams.into_iter().map(stream).collect();
        Instance { path: String::new(), node: String::new(), parent: None, streams }
    }

    /// `node called(x) returns (z)`, z arbitrary but `assert x > 0 => z > 0`;
    /// `node caller() returns (z)` with `z = called(z)`: no program of the
    /// language, so the systems are made by hand.
    fn circular(change: impl Fn(&mut TransitionSystem)) -> Arc<Nodes> {
        let mut called = TransitionSystem::default();
        let (x, z) = (add(&mut called, Role::Input), add(&mut called, Role::Choice));
        let zero = called.terms.int(0);
        let (x_term, z_term) =
            (called.terms.variable(x, Sort::Int), called.terms.variable(z, Sort::Int));
        let (small, large) = (called.terms.le(x_term, zero), called.terms.lt(zero, z_term));
        let either = called.terms.or([small, large]);
        assume(&mut called, either, InstanceId::ROOT);
        called.instances = vec![instance([(x, StreamRole::Input), (z, StreamRole::Output)])];
        change(&mut called);
        let mut caller = TransitionSystem::default();
        let result = add(&mut caller, Role::Choice);
        let term = caller.terms.variable(result, Sort::Int);
        let argument = add(&mut caller, Role::Defined(term));
        caller.definitions = vec![argument];
        let root = instance([(result, StreamRole::Output), (argument, StreamRole::Local)]);
        let call = instance([(argument, StreamRole::Input), (result, StreamRole::Output)]);
        caller.instances = vec![root, call];
        nodes([called, caller])
    }

    /// Two nodes, of which the second calls the first, with other systems.
    fn nodes(systems: [TransitionSystem; 2]) -> Arc<Nodes> {
        let text = "node called(x: int) returns (z: int); let z = x; tel
            node caller(y: int) returns (z: int); let z = called(y); tel";
        let kernel = Arc::new(accepted(text).unwrap().kernel);
        let root = lustral_sema::NodeId(1);
        let mut nodes = Nodes::below(&kernel, &[root], |_, _| Vec::new()).unwrap();
        for (unit, system) in nodes.units.iter_mut().zip(systems) {
            *unit = Arc::new(Unit { system, ..(**unit).clone() });
        }
        Arc::new(nodes)
    }

    fn positive(system: &TransitionSystem, var: VarId) -> Predicate {
        let mut terms = system.terms.clone();
        let (zero, var) = (terms.int(0), terms.variable(var, Sort::Int));
        let term = terms.lt(zero, var);
        Predicate { terms: Arc::new(terms), term }
    }

    fn claims(nodes: &Nodes, given: VarId, within: VarId) -> Vec<Preconditions> {
        let of = |var| vec![positive(nodes.system(0), var)];
        let (given, within, order) = (of(given), of(within), Vec::new());
        let caller = Preconditions { order: vec![0], ..Preconditions::default() };
        vec![Preconditions { given, within, order }, caller]
    }

    #[test]
    fn a_call_is_not_given_what_it_guarantees_at_the_same_step() {
        let nodes = circular(|_| {});
        let (x, z) = (VarId(0), VarId(1));
        let claims = claims(&nodes, x, z);
        let mut checker = ProofChecker::new(&Cancel::new()).unwrap();
        // With x > 0 it follows that z > 0, and x is z: but both may be -1.
        let mut known = Guarantees::none(&nodes);
        let passed = known.add_preconditions(&mut checker, claims.clone());
        assert!(matches!(passed, Err(Rejected::Obligation(_))));
        // What the call guarantees must not be there: this is what would pass.
        let layers = Layers::new(&nodes, vec![&[]; 2], &claims);
        let base = nodes.system(1).clone();
        let circular = layers.obligation(base, 1, 0, &[0]).unwrap().unwrap();
        let (hypotheses, goals) = circular.predicates();
        assert_eq!(checker.check_next(&circular.system, &hypotheses, &goals), Ok(()));
    }

    /// What a node is given must be shown, so a caller must be able to say it.
    #[test]
    fn a_call_is_not_given_what_its_caller_cannot_say() {
        let nodes = circular(|called| {
            add(called, Role::Choice);
        });
        let claims = claims(&nodes, VarId(2), VarId(2));
        let layers = Layers::new(&nodes, vec![&[]; 2], &claims);
        // The node relies on it, so no obligation at all would be wrong.
        let relying = layers.system(0).constraints.len();
        assert!(relying > nodes.system(0).constraints.len());
        assert!(layers.obligations(1).is_err());
        let mut checker = ProofChecker::new(&Cancel::new()).unwrap();
        let passed = Guarantees::none(&nodes).add_preconditions(&mut checker, claims);
        assert!(matches!(passed, Err(Rejected::Malformed(_))));
    }
}
