//! What an engine is.

use std::sync::Arc;
use std::time::Duration;

use lustral_base::Cancel;
use lustral_base::profile::working_for;
use lustral_base::schedule::{self, Schedule};
use lustral_smt::smtlib::Logic;
use lustral_smt::{Fault, Session, Solver, SolverOptions, WorkerCommand};
use lustral_system::{Predicate, TransitionSystem};

use crate::board::Board;
use crate::learn::Templates;
use crate::metered;

/// What an engine is given.
#[derive(Clone)]
pub struct Task {
    /// The prepared system.
    pub system: Arc<TransitionSystem>,
    /// Where facts are shared and findings posted.
    pub board: Arc<Board>,
    /// The solver to use.
    pub solver: Solver,
    /// The solver of `bmc`, if that is another one.
    pub bmc_solver: Option<Solver>,
    /// How it is set up.
    pub options: SolverOptions,
    /// The largest depth to look at.
    pub max_k: usize,
    /// How induction leaves out paths that repeat a state.
    pub compression: Compression,
    /// What candidates for invariants look like.
    pub templates: Templates,
    /// How abducts are found.
    pub abduction: Abduction,
    /// The most clauses that one step of an incremental proof may add.
    pub width: usize,
    /// Candidates from elsewhere: the user, or an earlier run.
    pub candidates: Arc<[Predicate]>,
    /// How a worker process for Horn clauses is started, if that is known.
    pub worker: Option<WorkerCommand>,
    /// Who works when.
    pub schedule: Schedule,
    /// Tells the engine to stop.
    pub cancel: Cancel,
}

/// How abducts are found.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Abduction {
    /// From the core of an unsatisfiable query.
    #[default]
    Core,
    /// By cvc5's own search, where it finds one soon.
    Cvc5,
}

/// How induction leaves out paths that repeat a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// Not at all.
    Off,
    /// When a counterexample to induction repeats one.
    Lazy,
    /// From the start.
    Eager,
}

impl Task {
    /// Does a round of an engine that tells whether it was the last.
    pub(crate) fn advance(&self, round: impl FnOnce() -> Result<bool, String>) -> Option<Stop> {
        if self.is_settled() {
            return Some(Stop::Done);
        }
        match round() {
            Err(reason) => Some(Stop::GaveUp(reason)),
            Ok(true) => Some(Stop::NothingLeft),
            Ok(false) => None,
        }
    }

    /// Whether there is nothing left to do.
    pub(crate) fn is_settled(&self) -> bool {
        self.board.open().is_empty()
    }

    /// Opens a solver session on this thread.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn session(&self) -> Result<Box<dyn Session>, Fault> {
        self.session_for("query")
    }

    /// Opens a solver session on this thread for queries of some kind, which is
    /// what profiles call them.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn session_for(&self, kind: &'static str) -> Result<Box<dyn Session>, Fault> {
        self.session_with(&self.solver, kind)
    }

    /// The same with a solver that is chosen for the purpose.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub(crate) fn session_with(
        &self,
        solver: &Solver,
        kind: &'static str,
    ) -> Result<Box<dyn Session>, Fault> {
        metered::open(solver, logic(&self.system), &self.options, &self.cancel, kind)
    }
}

/// The logic that a system needs.
pub(crate) fn logic(system: &TransitionSystem) -> Logic {
    Logic::of(&system.terms, system.roots())
}

/// Why an engine ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// No property is open any more.
    Done,
    /// The depth limit was reached.
    DepthLimit(usize),
    /// It has done all it can.
    NothingLeft,
    /// The engine cannot settle what is left, for this reason.
    GaveUp(String),
    /// What is left is not for this engine, for this reason.
    Declined(String),
    /// It was told to.
    Cancelled,
}

/// An engine: finds proofs or counterexamples and posts them on the board.
///
/// An engine works in advances, so that several can share a thread while a
/// problem is still small. What it finds is never trusted; what it reads from
/// the board it may rely on.
pub trait Engine {
    /// The name in reports and on the command line.
    fn name(&self) -> &'static str;

    /// Looks one step further. `Some` when there is nothing more to do.
    fn advance(&mut self) -> Option<Stop>;
}

/// Runs an engine to its end.
pub(crate) fn run_to_end(engine: &mut dyn Engine, task: &Task) -> Stop {
    loop {
        if task.cancel.is_cancelled() {
            return Stop::Cancelled;
        }
        if let Some(stop) = advance(engine) {
            return stop;
        }
        schedule::pause();
    }
}

/// What an advance costs beside its queries, by a clock that counts work.
const ADVANCE: Duration = Duration::from_micros(100);

/// Lets an engine look one step further.
pub(crate) fn advance(engine: &mut dyn Engine) -> Option<Stop> {
    schedule::charge(ADVANCE);
    working_for(engine.name(), || engine.advance())
}
