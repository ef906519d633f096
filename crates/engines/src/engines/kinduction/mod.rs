//! k-induction, the step case: a property that holds at k steps in a row holds
//! at the next. The base case comes from the board. (Hagen and Tinelli, 3.)
//!
//! All open properties together: at each k the largest set of properties is
//! sought that is k-inductive *by itself*. A property that fails leaves the
//! set, as conclusion and as hypothesis, since it may be false; it is tried
//! again at the next k.
//!
//! Where the solver has no answer for all together, those that depend on little are
//! taken by themselves (`parts.rs`), and then each alone (`one_by_one.rs`).
//!
//! Lemmas of the board, the properties proved so far among them, are used when
//! a counterexample to induction violates them, at all steps; each stands
//! behind a literal, so that a proof lists only those it needs.
//!
//! With path compression, paths that repeat a state are left out: a shortest
//! counterexample has none. They are left out when one turns up, behind one
//! literal for each kind of state, so that the core of a proof tells whether it
//! mattered. The state is that of the properties in question: see `Cones`.

mod inductive;
mod lemmas;
mod one_by_one;
mod parts;
mod proof;
mod steps;
mod termination;

use std::sync::Arc;
use std::time::Duration;

use lustral_base::schedule::Moment;
use lustral_smt::{Fault, Session};
use lustral_system::{Predicate, Proof, PropId, States};
use lustral_term::{TermId, Terms, VarId};

use crate::engine::{Engine, Stop};
use crate::failure::Failure;
use crate::patience::{Patience, Turn};
use crate::portfolio::description::no_program;
use crate::portfolio::{Asks, Description, EngineOption, InvalidValue, Settles, Task};
use crate::states::{Cones, Literals};
use crate::unroll::{Start, Unroller};
use lemmas::KnownLemma;
use parts::Parts;
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
    /// What is known of taking parts of the system; nothing if this is about such a part.
    parts: Option<Parts>,
    /// About a part: whether a query had no answer.
    is_late: bool,
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
            parts: Some(Parts::new()),
            is_late: false,
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
        let (open, k) = (self.task.board.open(), self.unroller.len() - 1);
        // Those that were put aside may be no hypotheses any more.
        let ready = self.patience.ready(&open);
        let aside: Vec<PropId> = open.iter().filter(|p| !ready.contains(p)).copied().collect();
        (0..k).for_each(|step| self.assume(&aside, step));
        self.attempt(k, open).err().map(Stop::GaveUp)
    }
}
