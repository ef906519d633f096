//! How an engine describes itself: all that the portfolio, the command line, the
//! tests and the documentation know of it.
//!
//! A description stands beside its engine; [`crate::engines`] has the one list
//! of them.

use std::ops::Deref;
use std::time::Duration;

use lustral_smt::{Fault, Solver};

use super::engine::Engine;
use super::task::Task;
use crate::engines::{ALL, Options};

/// Makes an engine before its first step.
pub type Make = for<'t> fn(&'t Task) -> Result<Box<dyn Engine + 't>, Fault>;

/// An engine, as it describes itself.
pub struct Description {
    /// The name in reports and on the command line.
    pub name: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
    /// Where it stands: `module_path!()`.
    pub module: &'static str,
    /// Whether it runs if no engine is asked for.
    pub by_default: bool,
    /// What it can be relied on to settle.
    pub settles: Settles,
    /// Which solver it asks.
    pub asks: Asks,
    /// Whether its first steps are quick: it has time limits, or no solver. Then
    /// it takes part in the first few steps that engines take in turn.
    pub quick: bool,
    /// Whether it says how deep properties hold.
    pub extends_depths: bool,
    /// Whether it tries candidates of the user and of earlier runs.
    pub reads_candidates: bool,
    /// The options that it reads.
    pub options: &'static [&'static EngineOption],
    /// The head start that it gives the others, if any.
    pub head_start: fn(&Company<'_>) -> Option<Duration>,
    /// Its place among those that are run once more, with a solver that is set
    /// up otherwise, on processors that would idle; none if that is of no use.
    pub again: Option<u32>,
    /// Makes it.
    pub make: Make,
    /// Makes a second instance that only reacts to what others learn.
    pub reacts: Option<Make>,
}

/// What an engine can be relied on to settle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settles {
    /// Properties that hold; somebody else has to refute, and to show base cases.
    Proofs,
    /// Properties that fail.
    Refutations,
    /// Both.
    Both,
}

/// Which solver an engine asks.
#[derive(Clone, Copy, Debug)]
pub enum Asks {
    /// None.
    Nobody,
    /// The built-in Z3, in worker processes, whatever the solver of the run is.
    Workers,
    /// That of the run.
    TheSolver,
    /// One of its own, if its options name one; else that of the run.
    ItsOwn(fn(&Options) -> Option<&Solver>),
}

/// An option of an engine.
pub struct EngineOption {
    /// The name on the command line, without the dashes.
    pub name: &'static str,
    /// What stands for its value in the help.
    pub value: &'static str,
    /// All that its value can be, if that is a short list.
    pub values: &'static [&'static str],
    /// Its value by default, if it has one.
    pub default: Option<&'static str>,
    /// What it is for.
    pub help: &'static str,
    /// Sets it.
    pub set: fn(&mut Options, &str) -> Result<(), InvalidValue>,
    /// A program that it needs beside the solvers, with the options as they are.
    pub program: fn(&Options) -> Option<&'static str>,
}

/// A value that an option cannot have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidValue(pub String);

impl EngineOption {
    /// All options of all engines, each once, in the order of the engines.
    #[must_use]
    pub fn all() -> Vec<&'static EngineOption> {
        let mut list: Vec<&'static EngineOption> = Vec::new();
        for option in ALL.iter().flat_map(|engine| engine.options) {
            if !list.iter().any(|known| known.name == option.name) {
                list.push(option);
            }
        }
        list
    }

    /// The engines that a value of it makes a difference to: those that read
    /// it, and those that another one has to work for that does.
    #[must_use]
    pub fn readers(&self) -> Vec<EngineChoice> {
        let reads = |engine: &EngineChoice| engine.options.iter().any(|o| o.name == self.name);
        let base = |engine: &EngineChoice| engine.needs_base_case() && reads(&BASE_CASE);
        ALL.into_iter().filter(|engine| reads(engine) || base(engine)).collect()
    }

    /// Whether a value is another one than that by default.
    #[must_use]
    pub fn changes(&self, value: &str) -> bool {
        let mut options = Options::default();
        (self.set)(&mut options, value).is_ok() && options != Options::default()
    }
}

/// For [`EngineOption::program`]: none.
pub(crate) fn no_program(_: &Options) -> Option<&'static str> {
    None
}

/// An engine that can be asked for.
#[derive(Clone, Copy)]
pub struct EngineChoice(pub &'static Description);

/// The engine that shows base cases for those that only prove.
pub(crate) const BASE_CASE: EngineChoice = EngineChoice(&crate::engines::bmc::ENGINE);

impl EngineChoice {
    /// All engines, those that run by default first.
    pub const ALL: [EngineChoice; ALL.len()] = ALL;

    /// Those that run if none is asked for.
    #[must_use]
    pub fn defaults() -> Vec<EngineChoice> {
        ALL.into_iter().filter(|engine| engine.by_default).collect()
    }

    /// The engine of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<EngineChoice> {
        ALL.into_iter().find(|engine| engine.name == name)
    }

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Whether somebody else has to refute, and to show base cases.
    #[must_use]
    pub fn needs_base_case(self) -> bool {
        self.settles == Settles::Proofs
    }

    /// Whether its proofs rest on invariants that it learns, which takes time:
    /// it only proves, and not at once.
    fn learns(self) -> bool {
        self.settles == Settles::Proofs && !self.quick
    }

    /// The solver that it asks, if any, where that of the run is this one.
    #[must_use]
    pub fn solver<'s>(self, run: &'s Solver, options: &'s Options) -> Option<&'s Solver> {
        match self.asks {
            Asks::Nobody => None,
            Asks::Workers => Some(&Solver::BuiltIn),
            Asks::TheSolver => Some(run),
            Asks::ItsOwn(own) => Some(own(options).unwrap_or(run)),
        }
    }
}

impl Deref for EngineChoice {
    type Target = Description;

    fn deref(&self) -> &Description {
        self.0
    }
}

impl PartialEq for EngineChoice {
    fn eq(&self, other: &EngineChoice) -> bool {
        self.name == other.name
    }
}

impl Eq for EngineChoice {}

impl std::fmt::Debug for EngineChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// In a system with more terms than this, even the first steps of learning and
/// of simulation take their time.
const LARGE: usize = 20_000;

/// What an engine can know of a run before it begins.
pub struct Company<'c> {
    /// The system is large: even first steps take their time.
    pub large: bool,
    /// How many can work at the same time.
    pub jobs: usize,
    /// The engines of the run, itself among them.
    pub engines: &'c [EngineChoice],
    /// The engine itself.
    pub this: EngineChoice,
}

impl<'c> Company<'c> {
    /// An engine of a run.
    pub(crate) fn new(task: &Task, engines: &'c [EngineChoice], this: EngineChoice) -> Company<'c> {
        let large = task.system.terms.len() > LARGE;
        Company { large, jobs: task.schedule.jobs(), engines, this }
    }

    fn others(&self) -> impl Iterator<Item = EngineChoice> {
        self.engines.iter().copied().filter(|engine| *engine != self.this)
    }

    /// Whether somebody else proves with quick first steps.
    #[must_use]
    pub fn has_quick_prover(&self) -> bool {
        self.others().any(|engine| engine.quick && engine.settles != Settles::Refutations)
    }

    /// Whether somebody else starts worker processes.
    #[must_use]
    pub fn has_workers(&self) -> bool {
        self.others().any(|engine| matches!(engine.asks, Asks::Workers))
    }

    /// Whether there are others, and all of them learn invariants.
    #[must_use]
    pub fn only_learners(&self) -> bool {
        self.others().next().is_some() && self.others().all(EngineChoice::learns)
    }

    /// Whether another learner is at work that is so without being asked for.
    #[must_use]
    pub fn has_usual_learner(&self) -> bool {
        self.others().any(|engine| engine.by_default && engine.learns())
    }
}
