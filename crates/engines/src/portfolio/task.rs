//! What an engine is given.

use std::sync::Arc;

use lustral_base::{Cancel, Schedule};
use lustral_smt::smtlib::Logic;
use lustral_smt::{Fault, Session, Solver, SolverOptions, WorkerCommand};
use lustral_system::{Inlined, Predicate, TransitionSystem};

use super::board::Board;
use super::engine::Stop;
use super::failure::Failure;
use super::metered;
use crate::engines::Options;

/// What an engine is given. [`Task::new`] makes the only ones there are.
#[derive(Clone)]
#[non_exhaustive]
pub struct Task {
    /// The prepared system.
    pub system: Arc<Inlined>,
    /// Where facts are shared and findings posted.
    pub board: Arc<Board>,
    /// How solvers are asked.
    pub sessions: Sessions,
    /// How far to look.
    pub limits: Limits,
    /// The options of all engines; each reads its own.
    pub options: Options,
    /// Candidates from elsewhere: the user, or an earlier run.
    pub candidates: Arc<[Predicate]>,
    /// Who works when.
    pub schedule: Schedule,
    /// Tells the engine to stop.
    pub cancel: Cancel,
}

/// How solvers are asked.
#[derive(Clone, Debug)]
pub struct Sessions {
    /// The solver of the run.
    pub solver: Solver,
    /// How it is set up.
    pub options: SolverOptions,
    /// How a worker process for Horn clauses is started, if that is known.
    pub worker: Option<WorkerCommand>,
}

impl Default for Sessions {
    /// The built-in solver as it is, and no worker processes.
    fn default() -> Sessions {
        Sessions { solver: Solver::BuiltIn, options: SolverOptions::default(), worker: None }
    }
}

/// How far engines look.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// The largest depth to look at; without one, as far as the time allows.
    pub max_k: Option<usize>,
}

impl Limits {
    /// That a depth is beyond the limit, if it is.
    pub(crate) fn stop_at(self, depth: usize) -> Option<Stop> {
        self.max_k.filter(|most| depth > *most).map(Stop::DepthLimit)
    }

    /// The smaller one of a number and the limit.
    pub(crate) fn within(self, number: usize) -> usize {
        self.max_k.map_or(number, |most| most.min(number))
    }

    /// The most steps of an execution, the one at depth zero included.
    pub(crate) fn most_steps(self) -> usize {
        self.max_k.map_or(usize::MAX, |most| most.saturating_add(1))
    }

    /// What to say where the limit kept something from being looked at.
    pub(crate) fn reached(self) -> Stop {
        self.max_k.map_or(Stop::NothingLeft, Stop::DepthLimit)
    }
}

impl Task {
    /// A task without limits and candidates, with the options as they are by
    /// default; what is to be different is set afterwards.
    #[must_use]
    pub fn new(system: Arc<Inlined>, board: Arc<Board>, sessions: Sessions) -> Task {
        Task {
            system,
            board,
            sessions,
            limits: Limits::default(),
            options: Options::default(),
            candidates: Arc::new([]),
            schedule: Schedule::default(),
            cancel: Cancel::new(),
        }
    }

    /// The same with limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Task {
        Task { limits, ..self }
    }

    /// The same with options of the engines.
    #[must_use]
    pub fn with_options(self, options: Options) -> Task {
        Task { options, ..self }
    }

    /// The same with candidates.
    #[must_use]
    pub fn with_candidates(self, candidates: Arc<[Predicate]>) -> Task {
        Task { candidates, ..self }
    }

    /// The same with a schedule that others share.
    #[must_use]
    pub fn with_schedule(self, schedule: Schedule) -> Task {
        Task { schedule, ..self }
    }

    /// The same, stopped by this.
    #[must_use]
    pub fn with_cancel(self, cancel: Cancel) -> Task {
        Task { cancel, ..self }
    }

    /// The seed of everything random.
    pub(crate) fn seed(&self) -> u64 {
        self.sessions.options.seed.into()
    }

    /// Does a round of an engine that tells whether it was the last.
    pub(crate) fn advance(&self, round: impl FnOnce() -> Result<bool, Failure>) -> Option<Stop> {
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
        self.session_with(&self.sessions.solver, kind)
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
        metered::open(solver, logic(&self.system), &self.sessions.options, &self.cancel, kind)
    }
}

/// The logic that a system needs.
pub(crate) fn logic(system: &TransitionSystem) -> Logic {
    Logic::of(&system.terms, system.roots())
}
