//! k-induction, the step case: a property that holds at k steps in a row holds
//! at the next. The base case comes from the board.
//!
//! All open properties together: at each k the largest set of properties is
//! sought that is k-inductive *by itself*. A property that fails leaves the
//! set, as conclusion and as hypothesis, since it may be false; it is tried
//! again at the next k. A property that was proved stays a hypothesis for the
//! others, at the last step too.

use std::sync::Arc;

use lustral_smt::{Fault, Outcome, Session};
use lustral_system::{Predicate, Proof, PropId};
use lustral_term::TermId;
use rustc_hash::FxHashMap;

use crate::board::{Finding, Found};
use crate::engine::{Engine, Stop, Task};
use crate::unroll::{Start, Unroller};

/// The step case of the engine `k-induction`.
pub struct KInduction<'t> {
    task: &'t Task,
    session: Box<dyn Session>,
    unroller: Unroller<'t>,
    /// For each property, the literal that makes it a hypothesis.
    hypotheses: Vec<TermId>,
    /// The properties proved here, and for each those that its proof needs.
    proved: FxHashMap<PropId, Vec<PropId>>,
    /// The typing facts, which every step case here relies on.
    typing: Vec<Predicate>,
}

impl<'t> KInduction<'t> {
    /// The name of the engine.
    pub const NAME: &'static str = "k-induction";

    /// An engine before its first step.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn new(task: &'t Task) -> Result<KInduction<'t>, Fault> {
        let mut unroller = Unroller::new(&task.system, Start::Anywhere);
        let hypotheses = task.system.properties.iter().map(|_| unroller.literal()).collect();
        let session = task.session()?;
        let terms = Arc::new(task.system.terms.clone());
        let of = |term: &TermId| Predicate { terms: terms.clone(), term: *term };
        let typing = task.system.typing.iter().map(of).collect();
        let proved = FxHashMap::default();
        let mut engine = KInduction { task, session, unroller, hypotheses, proved, typing };
        engine.extend();
        Ok(engine)
    }

    /// Adds a step at which the constraints and the types hold.
    fn extend(&mut self) {
        let step = self.unroller.len();
        let mut facts = self.unroller.extend();
        for typing in &self.task.system.typing {
            facts.push(self.unroller.at(step, *typing));
        }
        facts.append(&mut self.unroller.due());
        for fact in facts {
            self.session.assert(&self.unroller.terms, fact);
        }
    }

    /// A property at a step; what it needs is asserted.
    fn property(&mut self, property: PropId, step: usize) -> TermId {
        let term = self.unroller.at(step, self.task.system.property(property).term);
        for fact in self.unroller.due() {
            self.session.assert(&self.unroller.terms, fact);
        }
        term
    }

    /// The largest subset of some properties that is k-inductive by itself.
    fn inductive(&mut self, k: usize, mut set: Vec<PropId>) -> Result<Vec<PropId>, String> {
        while !set.is_empty() {
            let conclusions: Vec<TermId> = set.iter().map(|p| self.property(*p, k)).collect();
            let terms = &mut self.unroller.terms;
            let fails: Vec<TermId> = conclusions.iter().map(|t| terms.not(*t)).collect();
            let some_fails = terms.or(fails);
            let literal = self.unroller.literal();
            let query = self.unroller.terms.implies(literal, some_fails);
            self.session.assert(&self.unroller.terms, query);
            let assumptions = self.assumptions(&set, literal);
            let outcome = self.session.check(&self.unroller.terms, &assumptions);
            tracing::debug!(k, properties = set.len(), ?outcome, "step case");
            match outcome {
                Outcome::Unsat => break,
                Outcome::Unknown(reason) => return Err(reason),
                Outcome::Sat => {
                    let before = set.len();
                    let mut kept = Vec::with_capacity(before);
                    for (property, conclusion) in set.into_iter().zip(conclusions) {
                        let value = self.session.value(&self.unroller.terms, conclusion);
                        if value.map_err(|f| f.to_string())?.is_true() {
                            kept.push(property);
                        }
                    }
                    if kept.len() == before {
                        return Err("the solver's model refutes nothing".into());
                    }
                    set = kept;
                }
            }
            let gone = self.unroller.terms.not(literal);
            self.session.assert(&self.unroller.terms, gone);
        }
        Ok(set)
    }

    /// The literals of a query: the set and all that was proved are hypotheses.
    fn assumptions(&self, set: &[PropId], literal: TermId) -> Vec<TermId> {
        let mut proved: Vec<PropId> = self.proved.keys().copied().collect();
        proved.sort_unstable();
        let hypotheses = set.iter().chain(&proved).map(|p| self.hypotheses[p.index()]);
        hypotheses.chain([literal]).collect()
    }

    /// Those of a k-inductive set, and of the properties proved before, that
    /// the step case of one property needs; all, where that is not known.
    fn needed(&mut self, k: usize, property: PropId, set: &[PropId]) -> Vec<PropId> {
        let conclusion = self.property(property, k);
        let literal = self.unroller.literal();
        let fails = self.unroller.terms.not(conclusion);
        let query = self.unroller.terms.implies(literal, fails);
        self.session.assert(&self.unroller.terms, query);
        let assumptions = self.assumptions(set, literal);
        let all = set.iter().chain(self.proved.keys()).copied();
        match self.session.check(&self.unroller.terms, &assumptions) {
            Outcome::Unsat => {
                let core = self.session.core();
                all.filter(|p| core.contains(&self.hypotheses[p.index()])).collect()
            }
            _ => all.collect(),
        }
    }

    fn post(&mut self, k: usize, set: &[PropId]) {
        let alone = set.len() == 1 && self.proved.is_empty();
        for property in set {
            let needed = if alone { Vec::new() } else { self.needed(k, *property, set) };
            self.proved.insert(*property, needed);
        }
        for property in set {
            let properties = self.needs(*property);
            let proof = Proof::Induction { k, properties, invariants: self.typing.clone() };
            self.task.board.settle(Finding {
                property: *property,
                found: Found::Proof(proof),
                engine: KInduction::NAME,
            });
        }
    }

    /// A property, what its step case needs, what theirs need, and so on. Each
    /// is inductive from the others at its own k, so at the last k all are.
    fn needs(&self, property: PropId) -> Vec<PropId> {
        let mut all = vec![property];
        let mut next = 0;
        while let Some(p) = all.get(next) {
            for q in self.proved.get(p).into_iter().flatten() {
                if !all.contains(q) {
                    all.push(*q);
                }
            }
            next += 1;
        }
        all
    }

    /// Makes properties hypotheses at a step.
    fn assume(&mut self, properties: &[PropId], step: usize) {
        for property in properties {
            let holds = self.property(*property, step);
            let hypothesis = self.hypotheses[property.index()];
            let fact = self.unroller.terms.implies(hypothesis, holds);
            self.session.assert(&self.unroller.terms, fact);
        }
    }
}

impl Engine for KInduction<'_> {
    fn name(&self) -> &'static str {
        KInduction::NAME
    }

    fn advance(&mut self) -> Option<Stop> {
        // The hypotheses are for the steps so far, the conclusion for one more.
        let k = self.unroller.len();
        if k > self.task.max_k {
            return Some(Stop::DepthLimit(self.task.max_k));
        }
        let open = self.task.board.open();
        if open.is_empty() {
            return Some(Stop::Done);
        }
        self.assume(&open, k - 1);
        self.extend();
        let proved: Vec<PropId> = self.proved.keys().copied().collect();
        self.assume(&proved, k);
        let set = match self.inductive(k, open) {
            Ok(set) => set,
            Err(reason) => return Some(Stop::GaveUp(reason)),
        };
        if !set.is_empty() && self.task.board.wait_depth(&set, k, &self.task.cancel) {
            self.post(k, &set);
            self.assume(&set, k);
        }
        None
    }
}
