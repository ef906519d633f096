//! ICE with decision trees: invariants from states that are reached, states that must not be, and
//! steps between states.
//!
//! Templates say what holds of all that is reached; each fact by itself, and all of them together. An
//! invariant that says *or* of several facts is none of these. Here the invariant of a property is a decision tree over
//! attributes of the state ([`tree`]). It is asked whether the property holds wherever it says that states
//! are reached, and whether a step leads out of there. A counterexample is a state that must not be
//! reached, or a step: both are [`points`], and the next tree knows them. States of random executions are
//! reached.
//!
//! Positive, negative and implication counterexamples are those of ICE (Garg, Löding, Madhusudan and Neider,
//! CAV 2014); the trees are those of Garg, Neider, Madhusudan and Roth (POPL 2016), which Horn-ICE (Ezudheen and others, OOPSLA 2018)
//! extends to clauses with several predicates in their bodies. A system has one predicate.

mod points;
mod tree;

use std::sync::Arc;

use lustral_simulation::{SampleOptions, Samples};
use lustral_smt::Fault;
use lustral_system::{Answers, Predicate, Proof, PropId, Role};
use lustral_term::{Evaluator, Sort, TermId, Terms, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::consecution::{Case, Consecution, Counterexample, Step};
use super::features::Features;
use super::number::Number;
use super::templates::Templates;
use crate::board::{Finding, Found};
use crate::engine::{Engine, Stop};
use crate::failure::Failure;
use crate::portfolio::{Asks, Description, Settles, Task};
use points::{Contradiction, Points};

/// The numbers of which sums and differences are attributes.
const MOST_PAIRED: usize = 8;
/// The most attributes.
const MOST_ATTRIBUTES: usize = 256;
/// After so many trees a property is left to others.
const MOST_TREES: usize = 1_000;

/// The engine, as it describes itself.
pub static ENGINE: Description = Description {
    name: NAME,
    help: "decision trees over the state, learned from states that are reached, states that must \
           not be, and steps",
    module: module_path!(),
    by_default: false,
    settles: Settles::Proofs,
    asks: Asks::TheSolver,
    quick: false,
    extends_depths: false,
    reads_candidates: false,
    options: &[],
    head_start: |_| None,
    again: None,
    make: |task| Ok(Box::new(Ice::new(task)?)),
    reacts: None,
};

/// The name of the engine.
const NAME: &str = "ice";

/// The engine.
pub struct Ice<'t> {
    task: &'t Task,
    /// The arena of the trees.
    terms: Terms,
    /// Truth values and numbers, over memories.
    attributes: Vec<TermId>,
    thresholds: Vec<Number>,
    points: Points,
    step: Consecution<'t>,
    here: Consecution<'t>,
    /// The property that is looked at, and the trees for it so far.
    property: Option<(PropId, usize)>,
    left_alone: FxHashSet<PropId>,
}

impl<'t> Ice<'t> {
    /// An engine before its first query.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn new(task: &'t Task) -> Result<Ice<'t>, Fault> {
        let options =
            SampleOptions { rows: 512, seed: task.seed(), lanes: 16, ..SampleOptions::default() };
        let samples = Samples::collect(&task.system, &options);
        let mut terms = task.system.terms.clone();
        let (attributes, thresholds) = attributes(task, &mut terms, &samples);
        let mut this = Ice {
            task,
            terms,
            attributes,
            thresholds,
            points: Points::default(),
            step: Consecution::new(task, Case::Induction(1))?,
            here: Consecution::new(task, Case::Induction(0))?,
            property: None,
            left_alone: FxHashSet::default(),
        };
        let memories = &task.system.memories;
        let mut reached = vec![memories.iter().map(|m| m.initial.clone()).collect()];
        reached.extend((0..samples.len()).filter_map(|row| sampled(task, &samples, row)));
        for state in reached {
            let at = this.point(state);
            // Nothing is bad yet.
            let _ = this.points.label(at, true);
        }
        Ok(this)
    }

    /// One tree; whether there is nothing more to look for.
    fn round(&mut self) -> Result<bool, Failure> {
        let open = self.task.board.open();
        let Some(property) = open.into_iter().find(|p| !self.left_alone.contains(p)) else {
            return Ok(true);
        };
        let trees = match self.property {
            Some((known, trees)) if known == property => trees,
            _ => {
                self.points.forget_the_bad();
                0
            }
        };
        self.property = Some((property, trees + 1));
        let known = match self.tree() {
            Some(tree) if trees < MOST_TREES => self.try_out(property, tree)?,
            _ => Err(Contradiction),
        };
        // An execution in which it fails is for others to find.
        if known.is_err() {
            self.left_alone.insert(property);
        }
        Ok(false)
    }

    /// Asks whether a tree shows a property, and learns why not.
    fn try_out(
        &mut self,
        property: PropId,
        tree: TermId,
    ) -> Result<Result<(), Contradiction>, Failure> {
        let goal = self.task.system.property(property).term;
        let shows = self.terms.implies(tree, goal);
        if let Step::Fails(counterexample) = self.here.ask(&self.terms, &[], &[shows])? {
            let bad = self.state(&counterexample, 0);
            return Ok(self.points.label(bad, false));
        }
        if let Step::Fails(counterexample) = self.step.ask(&self.terms, &[tree], &[tree])? {
            let (from, to) = (self.state(&counterexample, 0), self.state(&counterexample, 1));
            return Ok(self.points.step(from, to));
        }
        let terms = Arc::new(self.terms.clone());
        let facts = [tree].into_iter().chain(self.task.system.typing.iter().copied());
        let proof = Proof::Induction {
            k: 1,
            properties: vec![property],
            invariants: facts.map(|term| Predicate { terms: terms.clone(), term }).collect(),
            compression: None,
        };
        tracing::debug!(points = self.points.rows.len(), trees = ?self.property, "ice: done");
        self.task.board.settle(Finding { property, found: Found::Proof(proof), engine: NAME });
        Ok(Ok(()))
    }

    /// What the next tree says.
    fn tree(&mut self) -> Option<TermId> {
        let leaves = tree::leaves(&self.points, &self.thresholds)?;
        let terms = &mut self.terms;
        let mut ways = Vec::new();
        for leaf in leaves {
            let mut all = Vec::new();
            for (attribute, threshold, answer) in leaf {
                let term = self.attributes[attribute];
                let at_most = match terms.sort(term) {
                    Sort::Bool => terms.not(term),
                    sort => {
                        let threshold = threshold.term(terms, sort)?;
                        terms.le(term, threshold)
                    }
                };
                all.push(if answer { at_most } else { terms.not(at_most) });
            }
            ways.push(terms.and(all));
        }
        Some(terms.or(ways))
    }

    /// The state at a step of a counterexample, as a point.
    fn state(&mut self, counterexample: &Counterexample, step: usize) -> usize {
        let system = &self.task.system;
        let value = |m: &lustral_system::Memory| counterexample.value(step, m.var, system);
        let state = system.memories.iter().map(value).collect();
        self.point(state)
    }

    fn point(&mut self, state: Vec<Value>) -> usize {
        let Ice { task, terms, attributes, points, .. } = self;
        points.add(state, |state| {
            let memories = task.system.memories.iter().map(|m| m.var);
            let values: FxHashMap<VarId, &Value> = memories.zip(state).collect();
            let by_zero = Answers::default();
            let mut evaluator = Evaluator::new(terms, &by_zero);
            let value = |var: VarId| {
                values.get(&var).map_or_else(|| task.system.plain(var), |v| (*v).clone())
            };
            let mut number = |term: &TermId| match evaluator.eval(*term, value) {
                Value::Bool(b) => Some(Number::from(i64::from(b))),
                other => Number::of(&other),
            };
            attributes.iter().map(&mut number).collect()
        })
    }
}

/// The state at a step of a random execution, if all of it is known.
fn sampled(task: &Task, samples: &Samples, row: usize) -> Option<Vec<Value>> {
    let value = |m: &lustral_system::Memory| {
        Some(samples.column(m.var)?.get(row).value(task.system.variable(m.var).sort))
    };
    task.system.memories.iter().map(value).collect()
}

/// What trees ask of: truth values first, then numbers, then sums and differences; and the constants
/// that they are compared with.
fn attributes(task: &Task, terms: &mut Terms, samples: &Samples) -> (Vec<TermId>, Vec<Number>) {
    let system = &task.system;
    let kinds = Templates { atoms: true, ..Templates::NONE };
    let Features { first, parts, constants, .. } = Features::new(system, terms, &kinds, samples);
    let is_memory = |v: &VarId| system.variable(*v).role == Role::Memory;
    let about_state = |terms: &Terms, term: TermId| {
        let read = terms.variables([term]);
        !read.is_empty() && read.iter().all(is_memory)
    };
    let mut found: Vec<TermId> = first.into_iter().collect();
    found.extend(parts.booleans);
    let numbers: Vec<TermId> = parts.numbers.iter().map(|b| b.term).collect();
    found.extend(&numbers);
    let paired: Vec<TermId> =
        numbers.iter().copied().filter(|n| terms.var(*n).is_some()).take(MOST_PAIRED).collect();
    for (i, a) in paired.iter().enumerate() {
        for b in &paired[..i] {
            if terms.sort(*b) == terms.sort(*a) {
                found.extend([terms.sub(*a, *b), terms.add(&[*a, *b])]);
            }
        }
    }
    let mut seen = FxHashSet::default();
    found.retain(|term| about_state(terms, *term) && seen.insert(*term));
    found.truncate(MOST_ATTRIBUTES);
    let mut thresholds: Vec<Number> = Vec::new();
    for constant in constants {
        thresholds.push(constant);
        thresholds.extend(constant.minus(Number::ONE));
        thresholds.extend(constant.negated());
    }
    thresholds.sort_unstable();
    thresholds.dedup();
    (found, thresholds)
}

impl Engine for Ice<'_> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn advance(&mut self) -> Option<Stop> {
        self.task.advance(|| self.round())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Builder, settled};
    use super::*;

    /// Two flags that are up together only when a counter has come to its end, which no bound, no
    /// implication and no bound behind one flag says.
    fn guarded(end: i64) -> Task {
        let mut builder = Builder::default();
        let (x, y, w, bad) =
            (builder.memory(0), builder.memory(0), builder.memory(0), builder.memory(false));
        let [i, j, k, look] = [(); 4].map(|()| builder.input(Sort::Bool));
        let terms = &mut builder.system.terms;
        let [zero, one, ten] = [0, 1, 10].map(|n| terms.int(n));
        let end = terms.int(end);
        let (counted, ended) = (terms.le(ten, x), terms.le(end, x));
        let (w_down, y_down) = (terms.le(w, zero), terms.le(y, zero));
        let [early, w_up, y_up, not_j] = [counted, w_down, y_down, j].map(|term| terms.not(term));
        let more = terms.add(&[x, one]);
        let counts = terms.and([i, early]);
        let x_next = terms.ite(counts, more, x);
        let (w_may, y_may) = (terms.or([ended, y_down]), terms.or([ended, w_down]));
        let (raise_w, raise_y) = (terms.and([j, w_may]), terms.and([k, not_j, y_may]));
        let (w_next, y_next) = (terms.ite(raise_w, one, w), terms.ite(raise_y, one, y));
        let all = terms.and([look, w_up, y_up, early]);
        let bad_next = terms.or([bad, all]);
        let fine = terms.not(bad);
        for (memory, next) in [(x, x_next), (y, y_next), (w, w_next), (bad, bad_next)] {
            builder.next(memory, next);
        }
        builder.property(fine);
        builder.task()
    }

    fn run(engine: &mut dyn Engine) {
        for _ in 0..2_000 {
            if engine.advance().is_some() {
                return;
            }
        }
    }

    #[test]
    fn disjunctions_are_learned_where_templates_end() {
        let task = guarded(10);
        run(&mut Ice::new(&task).unwrap());
        assert!(settled(&task));
        for engine in [super::super::sorcar::ENGINE.make, super::super::h_houdini::ENGINE.make] {
            let task = guarded(10);
            run(&mut *engine(&task).unwrap());
            assert!(!settled(&task));
        }
    }

    #[test]
    fn what_fails_is_left_alone() {
        let task = guarded(5);
        run(&mut Ice::new(&task).unwrap());
        assert!(!settled(&task));
    }
}
