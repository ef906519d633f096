//! What nodes guarantee for the inputs that they are really given.
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

use lustral_system::{InstanceId, Predicate, StreamRole, TransitionSystem};
use lustral_term::{TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cut::{
    NodeSystem, assume, assume_of_call, at_call, goals_at_call, imported, interface, of_call,
};
use crate::failure::{NoPreconditions, Unlearned};
use lustral_engines::{SystemInvariants, unprepared};

/// What holds of a node within what it is given.
#[derive(Clone, Default)]
pub struct Refined {
    /// What every call establishes: facts about the inputs at one step.
    pub given: Vec<Predicate>,
    /// The same without what follows.
    pub shown_given: Vec<Predicate>,
    /// Inductive together, if everything is given at all steps so far.
    pub inductive: Vec<Predicate>,
    /// Those of them that are worth showing; if something is given, without what
    /// holds always.
    pub invariants: Vec<Predicate>,
}

/// What is known of all nodes, by position.
pub struct Layers<'a> {
    nodes: &'a [NodeSystem],
    always: Vec<&'a [Predicate]>,
    refined: &'a [Refined],
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
    #[must_use]
    pub fn predicates(&self) -> (Vec<Predicate>, Vec<Predicate>) {
        let terms = Arc::new(self.terms.clone());
        let of = |list: &[TermId]| {
            list.iter().map(|term| Predicate { terms: terms.clone(), term: *term }).collect()
        };
        (of(&self.hypotheses), of(&self.goals))
    }
}

impl<'a> Layers<'a> {
    /// What is known of nodes.
    #[must_use]
    pub fn new(
        nodes: &'a [NodeSystem],
        learned: &'a [Result<SystemInvariants, Unlearned>],
        refined: &'a [Refined],
    ) -> Layers<'a> {
        let always = learned.iter().map(|known| match known {
            Ok(known) => &known.inductive[..],
            Err(_) => &[],
        });
        Layers { nodes, always: always.collect(), refined }
    }

    /// The system of a node in which its facts within what it is given are
    /// inductive: given what it is, all its calls may be relied on.
    #[must_use]
    pub fn system(&self, node: usize) -> TransitionSystem {
        let all: Vec<usize> = (0..self.nodes[node].calls.len()).collect();
        self.relying_on(self.nodes[node].system.clone(), node, &all)
    }

    /// The same of a system of the node that was made from the first.
    pub(crate) fn relying_on(
        &self,
        mut system: TransitionSystem,
        node: usize,
        visited: &[usize],
    ) -> TransitionSystem {
        for term in imported(&mut system.terms, &self.refined[node].given) {
            assume(&mut system, term, InstanceId::ROOT);
        }
        for (call, callee) in self.nodes[node].calls.iter().enumerate() {
            let their = &self.nodes[*callee].system;
            assume_of_call(&mut system, call, self.always[*callee], their);
            if visited.contains(&call) {
                assume_of_call(&mut system, call, &self.refined[*callee].inductive, their);
            }
        }
        system
    }

    /// What is to be shown of the calls of a node.
    ///
    /// # Errors
    /// If something is given to a call that nobody can show.
    pub fn obligations(&self, node: usize) -> Result<Vec<CallObligation>, NoPreconditions> {
        let base = &self.nodes[node].system;
        let order = self.order(node);
        (0..order.len())
            .filter_map(|i| self.obligation(base.clone(), node, order[i], &order[..i]).transpose())
            .collect()
    }

    /// What is to be shown of a call after others were visited; nothing if it
    /// needs nothing.
    ///
    /// # Errors
    /// If it is given something that nobody can show.
    pub(crate) fn obligation(
        &self,
        base: TransitionSystem,
        node: usize,
        call: usize,
        visited: &[usize],
    ) -> Result<Option<CallObligation>, NoPreconditions> {
        let calls = &self.nodes[node].calls;
        let needed = &self.refined[calls[call]].given;
        if needed.is_empty() {
            return Ok(None);
        }
        let mut system = self.relying_on(base, node, visited);
        let interfaces: Vec<FxHashMap<VarId, TermId>> = (0..calls.len())
            .map(|call| interface(&mut system, of_call(call), &self.nodes[calls[call]].system))
            .collect();
        let mut terms = system.terms.clone();
        let goals = goals_at_call(&mut terms, &interfaces[call], needed)?;
        // At the step before, everything is established.
        let mut hypotheses = goals.clone();
        hypotheses.extend(imported(&mut terms, self.always[node]));
        hypotheses.extend(imported(&mut terms, &self.refined[node].inductive));
        for other in (0..calls.len()).filter(|other| !visited.contains(other)) {
            let facts = &self.refined[calls[other]].inductive;
            hypotheses.extend(at_call(&mut terms, &interfaces[other], facts));
        }
        let mut seen = FxHashSet::default();
        hypotheses.retain(|term| seen.insert(*term));
        Ok(Some(CallObligation { system, terms, hypotheses, goals }))
    }

    /// An order in which calls come after those whose outputs they are given,
    /// as far as there is one. Any order is sound.
    pub(crate) fn order(&self, node: usize) -> Vec<usize> {
        let mut system = TransitionSystem::from(unprepared(&self.nodes[node].system).system);
        let calls = self.nodes[node].calls.len();
        let mut needs: Vec<FxHashSet<VarId>> = Vec::with_capacity(calls);
        let mut gives: Vec<Vec<VarId>> = Vec::with_capacity(calls);
        for (call, callee) in self.nodes[node].calls.iter().enumerate() {
            let callee = &self.nodes[*callee].system;
            let here = interface(&mut system, of_call(call), callee);
            let streams = &callee.root().streams;
            let of = |role| streams.iter().filter(move |s| s.role == role).map(|s| here[&s.var]);
            let arguments: Vec<TermId> = of(StreamRole::Input).collect();
            let results: Vec<TermId> = of(StreamRole::Output).collect();
            needs.push(system.terms.variables(arguments).into_iter().collect());
            gives.push(results.into_iter().filter_map(|t| system.terms.var(t)).collect());
        }
        let mut order: Vec<usize> = Vec::with_capacity(calls);
        let mut left: Vec<usize> = (0..calls).collect();
        while !left.is_empty() {
            let waits = |call: usize| {
                let others = left.iter().filter(|other| **other != call);
                others.flat_map(|other| &gives[*other]).any(|var| needs[call].contains(var))
            };
            let next = left.iter().position(|call| !waits(*call)).unwrap_or(0);
            order.push(left.remove(next));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use lustral_base::Cancel;
    use lustral_smt::{Solver, SolverOptions};
    use lustral_system::{Instance, Origin, Role, Stream, Variable};
    use lustral_term::Sort;

    use super::*;
    use lustral_engines::{Claim, Failure, LearnOptions, Templates, establish};

    fn add(system: &mut TransitionSystem, role: Role) -> VarId {
        let (name, origin) = (String::new(), Origin::Auxiliary);
        system.add_variable(Variable { name, sort: Sort::Int, role, range: None, origin }).0
    }

    fn instance(streams: [(VarId, StreamRole); 2]) -> Instance {
        let stream = |(var, role)| Stream { name: String::new(), var, role, active: None };
        let streams = streams.into_iter().map(stream).collect();
        Instance { path: String::new(), node: String::new(), parent: None, streams }
    }

    /// `node called(x) returns (z)`, z arbitrary but `assert x > 0 => z > 0`;
    /// `node caller() returns (z)` with `z = called(z)`.
    fn circular() -> [NodeSystem; 2] {
        let mut called = TransitionSystem::default();
        let (x, z) = (add(&mut called, Role::Input), add(&mut called, Role::Choice));
        let zero = called.terms.int(0);
        let (x_term, z_term) =
            (called.terms.variable(x, Sort::Int), called.terms.variable(z, Sort::Int));
        let (small, large) = (called.terms.le(x_term, zero), called.terms.lt(zero, z_term));
        let either = called.terms.or([small, large]);
        assume(&mut called, either, InstanceId::ROOT);
        called.instances = vec![instance([(x, StreamRole::Input), (z, StreamRole::Output)])];
        let mut caller = TransitionSystem::default();
        let result = add(&mut caller, Role::Choice);
        let term = caller.terms.variable(result, Sort::Int);
        let argument = add(&mut caller, Role::Defined(term));
        let root = instance([(result, StreamRole::Output), (argument, StreamRole::Local)]);
        let call = instance([(argument, StreamRole::Input), (result, StreamRole::Output)]);
        caller.instances = vec![root, call];
        let node = |system, calls| NodeSystem { system, calls };
        [node(called, vec![]), node(caller, vec![0])]
    }

    fn positive(system: &TransitionSystem, var: VarId) -> Predicate {
        let mut terms = system.terms.clone();
        let (zero, var) = (terms.int(0), terms.variable(var, Sort::Int));
        let term = terms.lt(zero, var);
        Predicate { terms: Arc::new(terms), term }
    }

    fn holds(obligation: &CallObligation) -> bool {
        let options = LearnOptions {
            solver: Solver::BuiltIn,
            options: SolverOptions::default(),
            templates: Templates::ALL,
            cancel: Cancel::new(),
        };
        let CallObligation { system, terms, hypotheses, goals } = obligation;
        let system = &unprepared(system).system;
        let mut refuted = false;
        let claim = Claim { system, terms, hypotheses, goals };
        let asked = establish::<Failure>(&claim, &options, |_, _, _| {
            refuted = true;
            Ok(None)
        });
        asked.unwrap();
        !refuted
    }

    #[test]
    fn a_call_is_not_given_what_it_guarantees_at_the_same_step() {
        let nodes = circular();
        let (x, z) = (VarId(0), VarId(1));
        let learned: Vec<Result<SystemInvariants, Unlearned>> = vec![Err(Unlearned::Panicked); 2];
        let given = vec![positive(&nodes[0].system, x)];
        let inductive = vec![positive(&nodes[0].system, z)];
        let refined = [Refined { given, inductive, ..Refined::default() }, Refined::default()];
        let layers = Layers::new(&nodes, &learned, &refined);
        // With x > 0 it follows that z > 0, and x is z: but both may be -1.
        let obligations = layers.obligations(1).unwrap();
        assert_eq!(obligations.len(), 1);
        assert!(!holds(&obligations[0]));
        // What the call guarantees must not be there: this is what would pass.
        let base = nodes[1].system.clone();
        let circular = layers.obligation(base, 1, 0, &[0]).unwrap().unwrap();
        assert!(holds(&circular));
    }

    /// What a node is given must be shown, so a caller must be able to say it.
    #[test]
    fn a_call_is_not_given_what_its_caller_cannot_say() {
        let mut nodes = circular();
        let hidden = add(&mut nodes[0].system, Role::Choice);
        let learned: Vec<Result<SystemInvariants, Unlearned>> = vec![Err(Unlearned::Panicked); 2];
        let given = vec![positive(&nodes[0].system, hidden)];
        let refined = [Refined { given, ..Refined::default() }, Refined::default()];
        let layers = Layers::new(&nodes, &learned, &refined);
        // The node relies on it, so no obligation at all would be wrong.
        assert!(layers.system(0).constraints.len() > nodes[0].system.constraints.len());
        assert!(layers.obligations(1).is_err());
    }
}
