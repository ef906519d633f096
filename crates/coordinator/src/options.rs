//! How engines and checker are set up: one set of options for every caller.

use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use lustral_base::Schedule;
use lustral_engines::{EngineChoice, Passes};
use lustral_smt::{Solver, SolverOptions, WorkerCommand};

/// Which engines run, and how.
#[derive(Clone)]
pub struct Options {
    /// The engines.
    pub engines: Vec<EngineChoice>,
    /// Their solver.
    pub solver: Solver,
    /// How solvers are set up.
    pub solver_options: SolverOptions,
    /// The largest depth to look at, if there is one.
    pub max_k: Option<usize>,
    /// The options of the engines; each reads its own.
    pub engine_options: lustral_engines::Options,
    /// How a system is made smaller before the engines see it.
    pub prepare: Passes,
    /// How a worker process for Horn clauses is started, if that is known.
    pub worker: Option<WorkerCommand>,
    /// Who works when.
    pub pace: Pace,
    /// Whether proofs are made smaller before they are shown.
    pub minimise: bool,
    /// Whether proofs are to be explained, which is found while they are made
    /// smaller: what each part of them needs.
    pub explain: bool,
    /// Faults for tests of what happens then.
    #[doc(hidden)]
    pub faults: Faults,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            engines: EngineChoice::defaults(),
            solver: Solver::BuiltIn,
            solver_options: SolverOptions::default(),
            max_k: None,
            engine_options: lustral_engines::Options::default(),
            prepare: Passes::DEFAULT,
            worker: None,
            pace: Pace::default(),
            minimise: true,
            explain: false,
            faults: Faults::default(),
        }
    }
}

/// Who works when.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Pace {
    /// As many at the same time as there are processors.
    #[default]
    Processors,
    /// So many at the same time.
    Jobs(usize),
    /// One after the other, by the work done and not by the time: the same in
    /// every run.
    Counted,
}

impl Pace {
    /// How many may work at the same time.
    #[must_use]
    pub fn jobs(self) -> usize {
        match self {
            Pace::Processors => std::thread::available_parallelism().map_or(1, NonZero::get),
            Pace::Jobs(jobs) => jobs.max(1),
            Pace::Counted => 1,
        }
    }

    /// A schedule for the engines of one run.
    #[must_use]
    pub fn schedule(self) -> Schedule {
        match self {
            Pace::Processors | Pace::Jobs(_) => Schedule::new(self.jobs()),
            Pace::Counted => Schedule::counted(),
        }
    }

    /// A schedule for work that nobody else takes part in.
    #[must_use]
    pub fn own_schedule(self) -> Schedule {
        match self {
            Pace::Processors | Pace::Jobs(_) => Schedule::default(),
            Pace::Counted => Schedule::counted(),
        }
    }
}

/// What is called at certain places, and panics or takes long there (fault
/// injection). Only tests put something in.
#[derive(Clone, Default)]
pub struct Faults(Option<Arc<dyn Fn(&'static str) + Send + Sync>>);

impl Faults {
    /// A panic at the place of this name.
    #[must_use]
    pub fn at(place: &'static str) -> Faults {
        Faults(Some(Arc::new(move |here| {
            assert!(here != place, "an injected fault in the {place}");
        })))
    }

    /// A rest at the place of this name, as where a machine is busy.
    #[must_use]
    pub fn slow(place: &'static str, rest: Duration) -> Faults {
        Faults(Some(Arc::new(move |here| {
            if here == place {
                std::thread::sleep(rest);
            }
        })))
    }

    /// The place of this name is reached.
    pub fn strike(&self, place: &'static str) {
        if let Some(fault) = &self.0 {
            fault(place);
        }
    }
}
