//! k-induction, the step case: a property that holds at k steps in a row holds
//! at the next. The base case comes from the board. (Hagen and Tinelli, 3.)
//!
//! All open properties together: at each k the largest set of properties is
//! sought that is k-inductive *by itself*. A property that fails leaves the
//! set, as conclusion and as hypothesis, since it may be false; it is tried
//! again at the next k.
//!
//! Lemmas of the board, the properties proved so far among them, are used when
//! a counterexample to induction violates them, at all steps; each stands
//! behind a literal, so that a proof lists only those it needs.
//!
//! With path compression, paths that repeat a state are left out: a shortest
//! counterexample has none. They are left out when one turns up, behind one
//! literal for each kind of state, so that the core of a proof tells whether it
//! mattered. The state is that of the properties in question: see [`Cones`].

mod one_by_one;
mod termination;

use std::sync::Arc;
use std::time::Duration;

use lustral_base::schedule::Moment;
use lustral_smt::{Fault, Outcome, Session};
use lustral_system::{Predicate, Proof, PropId, States};
use lustral_term::{TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use crate::basis::Basis;
use crate::board::{Finding, Found, Lemma};
use crate::engine::{Engine, Stop};
use crate::failure::{Failure, Misfit};
use crate::model::Model;
use crate::patience::{Patience, Trouble, Turn};
use crate::portfolio::description::no_program;
use crate::portfolio::{Asks, Description, EngineOption, InvalidValue, Settles, Task};
use crate::states::{Cone, Cones, Literals};
use crate::unroll::{Start, Unroller};
use termination::Termination;

/// The engine, as it describes itself.
pub static ENGINE: Description = Description {
    name: KInduction::NAME,
    help: "the step case of induction, with path compression and lemmas of the board; and whether everything reachable was seen",
    module: module_path!(),
    by_default: true,
    settles: Settles::Proofs,
    asks: Asks::TheSolver,
    quick: true,
    extends_depths: false,
    reads_candidates: false,
    options: &[&COMPRESSION],
    head_start: |_| None,
    again: Some(1),
    make: |task| Ok(Box::new(KInduction::new(task)?)),
    reacts: Some(|task| Ok(Box::new(KInduction::fixed(task, FIXED_K)?))),
};

/// The k of the second instance, which reacts to what others learn: it finds
/// what deep unrolling hides.
const FIXED_K: usize = 2;

/// The options of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// How paths that repeat a state are left out.
    pub compression: Compression,
}

/// How induction leaves out paths that repeat a state.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Compression {
    /// Not at all.
    Off,
    /// When a counterexample to induction repeats one.
    #[default]
    Lazy,
    /// From the start.
    Eager,
}

/// The option `--compression`.
static COMPRESSION: EngineOption = EngineOption {
    name: "compression",
    value: "on|off|eager",
    values: &["on", "off", "eager"],
    default: Some("on"),
    help: "Leave out paths that repeat a state from induction: when one turns up, never, or from \
           the start; and look whether all reachable states were seen",
    set: |options, value| {
        options.kinduction.compression = match value {
            "on" => Compression::Lazy,
            "off" => Compression::Off,
            "eager" => Compression::Eager,
            _ => return Err(InvalidValue("expected on, off or eager".into())),
        };
        Ok(())
    },
    program: no_program,
};

/// The step case of the engine `k-induction`.
pub struct KInduction<'t> {
    task: &'t Task,
    session: Box<dyn Session>,
    unroller: Unroller<'t>,
    /// For each property, the literal that makes it a hypothesis.
    hypotheses: Vec<TermId>,
    cones: Cones,
    /// The kinds of states, and what makes each differ.
    states: Literals,
    /// The lemmas of the board, as far as they were looked at.
    lemmas: Vec<KnownLemma>,
    terms: Arc<Terms>,
    /// The typing facts, which every step case here relies on.
    typing: Vec<Predicate>,
    termination: Option<Termination<'t>>,
    /// Stays at this k and waits for lemmas.
    fixed: Option<usize>,
    spent: Duration,
    patience: Patience,
    /// How long a query may take.
    limit: Option<Duration>,
}

/// A lemma of the board.
struct KnownLemma {
    lemma: Arc<Lemma>,
    /// The literal behind which it stands, once it is used.
    literal: Option<TermId>,
    /// What it and its proof depend on.
    cone: Cone,
}

/// What the step case of a property needs.
#[derive(Clone, Default)]
struct StepCase {
    properties: Vec<PropId>,
    lemmas: Vec<usize>,
    compression: bool,
}

impl<'t> KInduction<'t> {
    /// The name of the engine.
    pub const NAME: &'static str = "k-induction";

    /// An engine before its first step.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn new(task: &'t Task) -> Result<KInduction<'t>, Fault> {
        let mut engine = KInduction::with_session(task)?;
        engine.termination = match task.options.kinduction.compression {
            Compression::Off => None,
            // That no execution goes on where something is assumed does not
            // mean that none of the program does.
            _ if task.system.assumption.is_some() => None,
            Compression::Lazy | Compression::Eager => Some(Termination::new(task)?),
        };
        engine.extend();
        Ok(engine)
    }

    /// An engine without a step and without a termination check.
    fn with_session(task: &'t Task) -> Result<KInduction<'t>, Fault> {
        let mut unroller = Unroller::new(&task.system, Start::Anywhere);
        let hypotheses = task.system.properties.iter().map(|_| unroller.literal()).collect();
        let terms = Arc::new(task.system.terms.clone());
        let of = |term: &TermId| Predicate { terms: terms.clone(), term: *term };
        let typing = task.system.typing.iter().map(of).collect();
        let session = task.session_for("step")?;
        Ok(KInduction {
            task,
            session,
            unroller,
            hypotheses,
            cones: Cones::new(&task.system),
            states: Literals::default(),
            lemmas: Vec::new(),
            terms,
            typing,
            termination: None,
            fixed: None,
            spent: Duration::ZERO,
            patience: Patience::new(),
            limit: None,
        })
    }

    /// An engine that stays at one k and tries again when there are new lemmas.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn fixed(task: &'t Task, k: usize) -> Result<KInduction<'t>, Fault> {
        let mut engine = KInduction::new(task)?;
        engine.fixed = Some(k);
        engine.termination = None;
        Ok(engine)
    }

    fn assert(&mut self, fact: TermId) {
        self.session.assert(&self.unroller.terms, fact);
    }

    fn assert_due(&mut self) {
        for fact in self.unroller.due() {
            self.assert(fact);
        }
    }

    /// Adds a step at which the constraints and the types hold.
    fn extend(&mut self) {
        let step = self.unroller.len();
        let mut facts = self.unroller.extend();
        for typing in &self.task.system.typing {
            facts.push(self.unroller.at(step, *typing));
        }
        for fact in facts {
            self.assert(fact);
        }
        self.assert_due();
        for known in 0..self.lemmas.len() {
            if let Some(literal) = self.lemmas[known].literal {
                self.use_lemma_at(known, literal, step);
            }
        }
        if self.task.options.kinduction.compression == Compression::Eager {
            let known: Vec<(Vec<VarId>, TermId)> = self.states.iter().cloned().collect();
            for (memories, literal) in known {
                (0..step).for_each(|earlier| self.tell_apart(&memories, literal, earlier, step));
            }
        }
    }

    fn tell_apart(&mut self, memories: &[VarId], literal: TermId, first: usize, second: usize) {
        let different = self.unroller.different(memories, first, second);
        let fact = self.unroller.terms.implies(literal, different);
        self.assert(fact);
    }

    /// What the state is in a proof of these properties. It covers the lemmas
    /// in use, whose proofs become part of it; one that is itself by
    /// compression is so with all memories (see `post`), and stays so.
    fn state(&self, set: &[PropId]) -> Vec<VarId> {
        let used = || self.lemmas.iter().filter(|known| known.literal.is_some());
        if used().any(|known| known.lemma.compression) {
            return self.cones.all().to_vec();
        }
        self.cones.state(set, used().map(|known| &known.cone))
    }

    /// The literal that makes states of these memories differ.
    fn compression(&mut self, memories: &[VarId]) -> TermId {
        let (literal, new) = self.states.find(memories, || self.unroller.literal());
        if new && self.task.options.kinduction.compression == Compression::Eager {
            for step in 0..self.unroller.len() {
                (0..step).for_each(|earlier| self.tell_apart(memories, literal, earlier, step));
            }
        }
        literal
    }

    /// A property at a step; what it needs is asserted.
    fn property(&mut self, property: PropId, step: usize) -> TermId {
        let term = self.unroller.at(step, self.task.system.property(property).term);
        self.assert_due();
        term
    }

    /// The largest subset of some properties that is k-inductive by itself.
    /// `aside` gets those that may be so by themselves: what speaks against
    /// them repeats a state, if only they themselves count for the state.
    fn inductive(
        &mut self,
        k: usize,
        mut set: Vec<PropId>,
        aside: &mut Vec<PropId>,
    ) -> Result<Vec<PropId>, Failure> {
        while !set.is_empty() {
            let conclusions: Vec<TermId> = set.iter().map(|p| self.property(*p, k)).collect();
            let terms = &mut self.unroller.terms;
            let fails: Vec<TermId> = conclusions.iter().map(|t| terms.not(*t)).collect();
            let some_fails = terms.or(fails);
            let literal = self.unroller.literal();
            let query = self.unroller.terms.implies(literal, some_fails);
            self.assert(query);
            let start = Moment::now();
            let counterexample = self.counterexample(k, &set, literal);
            if counterexample.is_ok() {
                self.patience.answered(start.elapsed());
            }
            let gone = self.unroller.terms.not(literal);
            self.assert(gone);
            let model = match counterexample {
                Ok(None) => break,
                Ok(Some(model)) => model,
                Err(trouble) => {
                    let found = self.one_by_one(k, &set, &trouble)?;
                    // Nobody is to blame alone: then there is no more to know of
                    // them together. Each has a state and lemmas of its own.
                    if found.good.len() == set.len() {
                        aside.extend(found.alone);
                        return Ok(Vec::new());
                    }
                    set = found.good;
                    continue;
                }
            };
            let mut evaluation = model.evaluator(&self.unroller.terms);
            let before = set.len();
            let mut kept = Vec::with_capacity(before);
            for (property, conclusion) in set.into_iter().zip(conclusions) {
                if evaluation.eval(conclusion).is_true() {
                    kept.push(property);
                    continue;
                }
                let board = &self.task.board;
                board.post_counterexample_to_induction(property, k, &model.inputs);
                if self.task.options.kinduction.compression != Compression::Off
                    && !model.repeated(&self.unroller, &self.state(&[property])).is_empty()
                {
                    aside.push(property);
                }
            }
            if kept.len() == before {
                return Err(Misfit::NoCounterexample.into());
            }
            set = kept;
        }
        Ok(set)
    }

    /// A counterexample to induction; with compression, one that repeats no state.
    fn counterexample(
        &mut self,
        k: usize,
        set: &[PropId],
        literal: TermId,
    ) -> Result<Option<Model>, Trouble> {
        loop {
            let memories = self.state(set);
            let compression = self.compression(&memories);
            let assumptions = self.assumptions(set, compression, literal);
            let start = Moment::now();
            let outcome = self.session.check(&self.unroller.terms, &assumptions);
            tracing::debug!(k, properties = set.len(), ?outcome, "step case");
            match outcome {
                Outcome::Unsat => return Ok(None),
                Outcome::Unknown(reason) => return Err(Trouble::of(reason, start, self.limit)),
                Outcome::Sat => {}
            }
            let model = Model::read(&mut *self.session, &self.unroller)?;
            if self.use_violated_lemmas(&model) {
                continue;
            }
            if self.task.options.kinduction.compression == Compression::Off {
                return Ok(Some(model));
            }
            let repeated = model.repeated(&self.unroller, &memories);
            if repeated.is_empty() || self.task.options.kinduction.compression == Compression::Eager
            {
                return Ok(Some(model));
            }
            for (first, second) in repeated {
                self.tell_apart(&memories, compression, first, second);
            }
        }
    }

    /// Takes note of the lemmas that the board has now.
    fn look_at_board(&mut self) {
        for lemma in self.task.board.lemmas_after(self.lemmas.len()) {
            let cone = self.cones.of_lemma(&self.task.system, &lemma, &self.typing);
            self.lemmas.push(KnownLemma { lemma, literal: None, cone });
        }
    }

    /// Uses the lemmas that a counterexample to induction violates at some
    /// step; whether there are any.
    fn use_violated_lemmas(&mut self, model: &Model) -> bool {
        let mut violated = Vec::new();
        for known in 0..self.lemmas.len() {
            if self.lemmas[known].literal.is_some() {
                continue;
            }
            let lemma = self.lemmas[known].lemma.clone();
            let at: Vec<TermId> = (0..self.unroller.len())
                .map(|step| self.unroller.predicate_at(step, &lemma.predicate))
                .collect();
            let mut evaluation = model.evaluator(&self.unroller.terms);
            if at.into_iter().any(|term| !evaluation.eval(term).is_true()) {
                violated.push(known);
            }
        }
        for known in &violated {
            let literal = self.unroller.literal();
            self.lemmas[*known].literal = Some(literal);
            (0..self.unroller.len()).for_each(|step| self.use_lemma_at(*known, literal, step));
        }
        !violated.is_empty()
    }

    fn use_lemma_at(&mut self, known: usize, literal: TermId, step: usize) {
        let lemma = self.lemmas[known].lemma.clone();
        let holds = self.unroller.predicate_at(step, &lemma.predicate);
        self.assert_due();
        let fact = self.unroller.terms.implies(literal, holds);
        self.assert(fact);
    }

    /// The literals of a query: the set as hypotheses, the lemmas in use, and
    /// compression.
    fn assumptions(&self, set: &[PropId], compression: TermId, literal: TermId) -> Vec<TermId> {
        let hypotheses = set.iter().map(|p| self.hypotheses[p.index()]);
        let lemmas = self.lemmas.iter().filter_map(|known| known.literal);
        let compression =
            (self.task.options.kinduction.compression != Compression::Off).then_some(compression);
        hypotheses.chain(lemmas).chain(compression).chain([literal]).collect()
    }

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
    fn post(&mut self, k: usize, set: &[PropId]) {
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

    fn settle(&self, property: PropId, proof: Proof) {
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

    /// Makes properties hypotheses at a step.
    fn assume(&mut self, properties: &[PropId], step: usize) {
        for property in properties {
            let holds = self.property(*property, step);
            let hypothesis = self.hypotheses[property.index()];
            let fact = self.unroller.terms.implies(hypothesis, holds);
            self.assert(fact);
        }
    }

    /// Settles what is open if k steps reach everything. The check is left out
    /// while it has taken more than its share of the time: a program with
    /// infinitely many states never passes it.
    fn terminate(&mut self, k: usize, allowance: Duration) {
        let mut groups = self.open_by_state();
        // The time may not suffice for all: each is first at some k.
        let turn = k % groups.len().max(1);
        groups.rotate_left(turn);
        for (memories, properties) in groups {
            let Some(termination) = &mut self.termination else { return };
            if termination.spent > self.spent / 4 + allowance {
                return;
            }
            match termination.reached(k, &memories, self.limit) {
                Ok(false) => continue,
                Err(_) => self.termination = None,
                Ok(true) if self.task.board.wait_depth(&properties, k, &self.task.cancel) => {
                    let states = States { memories, facts: Vec::new() };
                    let proof = Proof::Exhausted { steps: k, states };
                    for property in properties {
                        self.settle(property, proof.clone());
                    }
                }
                Ok(true) => {}
            }
        }
    }

    /// The open properties by what their states are.
    fn open_by_state(&self) -> Vec<(Vec<VarId>, Vec<PropId>)> {
        let mut groups: Vec<(Vec<VarId>, Vec<PropId>)> = Vec::new();
        for property in self.task.board.open() {
            let memories = self.cones.state(&[property], []);
            match groups.iter_mut().find(|(known, _)| *known == memories) {
                Some((_, properties)) => properties.push(property),
                None => groups.push((memories, vec![property])),
            }
        }
        groups
    }
}

impl Engine for KInduction<'_> {
    fn name(&self) -> &'static str {
        KInduction::NAME
    }

    fn advance(&mut self) -> Option<Stop> {
        // The hypotheses are for the steps so far, the conclusion for one more.
        let k = self.unroller.len();
        if self.fixed.is_some_and(|fixed| k > fixed) {
            return self.react();
        }
        if let Some(stop) = self.task.limits.stop_at(k) {
            // The check may have been left out at the last depths, and there is
            // nothing better to do any more.
            self.terminate(k - 1, Duration::from_secs(1));
            return Some(stop);
        }
        let open = self.task.board.open();
        if open.is_empty() {
            return Some(Stop::Done);
        }
        match self.patience.turn(&open) {
            Turn::Go => {}
            Turn::GiveUp(reason) => return Some(Stop::GaveUp(reason)),
            Turn::Retry(property, time) => {
                self.patience.take_back(property);
                self.limit = (open.len() > 1).then_some(time);
                (0..k - 1).for_each(|step| self.assume(&[property], step));
                return self.attempt(k - 1, vec![property]).err().map(Stop::GaveUp);
            }
        }
        let start = Moment::now();
        let ready = self.patience.ready(&open);
        self.assume(&ready, k - 1);
        self.extend();
        self.limit = self.patience.limit(open.len());
        if let Err(reason) = self.attempt(k, ready) {
            return Some(Stop::GaveUp(reason));
        }
        self.spent += start.elapsed();
        if !self.task.board.open().is_empty() {
            self.terminate(k, Duration::from_millis(20));
        }
        None
    }
}

impl KInduction<'_> {
    /// Tries to prove properties at a k whose steps are there.
    fn attempt(&mut self, k: usize, properties: Vec<PropId>) -> Result<(), Failure> {
        self.look_at_board();
        self.session.limit(self.limit);
        let mut alone = Vec::new();
        self.conclude(k, properties, &mut alone)?;
        for property in alone {
            self.conclude(k, vec![property], &mut Vec::new())?;
        }
        Ok(())
    }

    /// Posts what is inductive of some properties.
    fn conclude(
        &mut self,
        k: usize,
        properties: Vec<PropId>,
        alone: &mut Vec<PropId>,
    ) -> Result<(), Failure> {
        let mut set = self.inductive(k, properties, alone)?;
        while !set.is_empty() {
            if self.task.board.wait_depth(&set, k, &self.task.cancel) {
                self.post(k, &set);
                break;
            }
            // Without those for which it is no use to wait, and what needs them.
            let before = set.len();
            let aside = self.task.board.aside(&set);
            set.retain(|p| !aside.contains(p));
            if set.len() == before {
                break;
            }
            set = self.inductive(k, set, alone)?;
        }
        Ok(())
    }

    /// Stays where it is and tries again when there are new lemmas.
    fn react(&mut self) -> Option<Stop> {
        if self.task.board.open().is_empty() {
            return Some(Stop::Done);
        }
        let known = self.lemmas.len();
        self.task.board.wait_lemmas(known, Duration::from_millis(20));
        if self.task.board.lemmas_after(known).is_empty() {
            return None;
        }
        let open = self.task.board.open();
        self.attempt(self.unroller.len() - 1, open).err().map(Stop::GaveUp)
    }
}
