//! From a k-inductive set to proofs: what each step case needs, and all that it
//! rests on in turn.

use lustral_smt::Outcome;
use lustral_system::{Predicate, Proof, PropId, States};
use lustral_term::VarId;
use rustc_hash::FxHashMap;

use super::KInduction;
use crate::basis::Basis;
use crate::board::{Finding, Found, Lemma};

/// What the step case of a property needs.
#[derive(Clone, Default)]
struct StepCase {
    properties: Vec<PropId>,
    lemmas: Vec<usize>,
    compression: bool,
}

impl KInduction<'_> {
    /// What the step case of one property of a k-inductive set needs of the
    /// set, of the lemmas, and of compression; all, where that is not known,
    /// and nothing if it does not hold.
    fn step_case(&mut self, k: usize, property: PropId, set: &[PropId]) -> Option<StepCase> {
        let conclusion = self.property(property, k);
        let literal = self.unroller.literal();
        let fails = self.unroller.terms.not(conclusion);
        let query = self.unroller.terms.implies(literal, fails);
        self.assert(query);
        let compression = self.compression(&self.state(set));
        let assumptions = self.assumptions(set, compression, literal);
        let core = match self.session.check(&self.unroller.terms, &assumptions) {
            Outcome::Unsat => self.session.core(),
            Outcome::Unknown(_) => assumptions,
            Outcome::Sat => return None,
        };
        let gone = self.unroller.terms.not(literal);
        self.assert(gone);
        let hypothesis = |p: &&PropId| core.contains(&self.hypotheses[p.index()]);
        let in_use = |known: &usize| {
            self.lemmas[*known].literal.is_some_and(|literal| core.contains(&literal))
        };
        Some(StepCase {
            properties: set.iter().filter(hypothesis).copied().collect(),
            lemmas: (0..self.lemmas.len()).filter(in_use).collect(),
            compression: core.contains(&compression),
        })
    }

    /// Settles a k-inductive set. What was proved becomes a lemma for others,
    /// unless it was by compression of a smaller state: the proof would be
    /// none where the state is larger.
    pub(super) fn post(&mut self, k: usize, set: &[PropId]) {
        let memories = self.state(set);
        let mut cases = FxHashMap::default();
        for property in set {
            let Some(case) = self.step_case(k, *property, set) else { return };
            cases.insert(*property, case);
        }
        for property in set {
            let lemma = self.lemma(k, *property, &cases, &memories);
            let states = States { memories: memories.clone(), facts: Vec::new() };
            let proof = Proof::Induction {
                k: lemma.k,
                properties: lemma.properties.clone(),
                invariants: lemma.invariants.to_vec(),
                compression: lemma.compression.then_some(states),
            };
            self.settle(*property, proof);
            if !lemma.compression || memories == self.cones.all() {
                self.task.board.post_lemma(lemma);
            }
        }
    }

    pub(super) fn settle(&self, property: PropId, proof: Proof) {
        let found = Found::Proof(proof);
        self.task.board.settle(Finding { property, found, engine: KInduction::NAME });
    }

    /// A property with all that its proof rests on: what its step case needs,
    /// what theirs need, and the proofs of the lemmas in use.
    fn lemma(
        &self,
        k: usize,
        property: PropId,
        cases: &FxHashMap<PropId, StepCase>,
        memories: &[VarId],
    ) -> Lemma {
        let mut basis = Basis::new(k, self.typing.clone());
        basis.add(property);
        let mut next = 0;
        while let Some(part) = basis.properties.get(next).copied() {
            next += 1;
            let Some(case) = cases.get(&part) else { continue };
            basis.compression |= case.compression;
            case.properties.iter().for_each(|other| basis.add(*other));
            case.lemmas.iter().for_each(|i| basis.unite(&self.lemmas[*i].lemma));
        }
        if basis.compression {
            // Types of memories that are no part of the state have no part here.
            let is_typing = |p: &Predicate| self.typing.iter().any(|typing| typing.same_as(p));
            let inside = |var: VarId| memories.contains(&var);
            basis
                .invariants
                .retain(|p| !is_typing(p) || p.terms.variables([p.term]).into_iter().all(inside));
        }
        let term = self.task.system.property(property).term;
        basis.lemma(Predicate { terms: self.terms.clone(), term })
    }
}
