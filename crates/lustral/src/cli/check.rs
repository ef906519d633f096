//! What the options of `check` come to.

use std::num::NonZero;
use std::path::PathBuf;

use lustral_base::Schedule;
use lustral_engines::{EngineChoice, Templates};
use lustral_smt::Solver;

use super::values::DEFAULT_WIDTH;
use super::{AbductionOracle, CheckOptions, Switch};

impl CheckOptions {
    /// A schedule for work that nobody else takes part in.
    #[must_use]
    pub fn own_schedule(&self) -> Schedule {
        match self.deterministic {
            true => Schedule::counted(),
            false => Schedule::default(),
        }
    }

    /// The schedule of the engines.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        let processors = || std::thread::available_parallelism().map_or(1, NonZero::get);
        match self.deterministic {
            true => Schedule::counted(),
            false => Schedule::new(self.jobs.unwrap_or_else(processors)),
        }
    }

    /// The engines that run.
    #[must_use]
    pub fn engines(&self) -> Vec<EngineChoice> {
        let mut engines = match &self.engines[..] {
            [] => EngineChoice::DEFAULT.to_vec(),
            chosen => chosen.to_vec(),
        };
        if self.abstraction == Switch::On && !engines.contains(&EngineChoice::Abstraction) {
            engines.push(EngineChoice::Abstraction);
        }
        engines
    }

    /// The solvers that are to be used.
    pub fn solvers(&self) -> impl Iterator<Item = &Solver> {
        [&self.solver].into_iter().chain(&self.bmc_solver)
    }

    /// What to say if the options do not go together.
    #[must_use]
    pub fn wrong_usage(&self) -> Option<&'static str> {
        let own = self.solvers().all(|solver| *solver == Solver::BuiltIn)
            && self.abduction == AbductionOracle::Core;
        if self.deterministic && !own {
            return Some("`--deterministic` is for the built-in solver: others do not count work");
        }
        let homeless = self.cache.is_some() && self.cache_folder().is_none();
        homeless.then_some("`--cache` needs a folder: there is no XDG_CACHE_HOME and no HOME")
    }

    /// The folder that keeps invariants from run to run.
    #[must_use]
    pub fn cache_folder(&self) -> Option<PathBuf> {
        let own = || {
            let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
            let home = || set("HOME").map(|home| PathBuf::from(home).join(".cache"));
            Some(set("XDG_CACHE_HOME").map(PathBuf::from).or_else(home)?.join("lustral"))
        };
        self.cache.as_ref().and_then(|folder| folder.clone().or_else(own))
    }

    /// What to say of options that no engine of this run looks at.
    #[must_use]
    pub fn unused(&self) -> Vec<String> {
        let engines = self.engines();
        let none = |users: &[EngineChoice]| !engines.iter().any(|engine| users.contains(engine));
        let learners = [EngineChoice::Houdini, EngineChoice::Sorcar, EngineChoice::HHoudini];
        let learning = [&learners[..], &[EngineChoice::Pdh]].concat();
        let bmc: Vec<EngineChoice> =
            EngineChoice::ALL.into_iter().filter(|e| e.runs_bmc()).collect();
        let options = [
            ("--width", self.width != DEFAULT_WIDTH, &[EngineChoice::Pdh][..]),
            ("--abduction", self.abduction != AbductionOracle::Core, &[EngineChoice::HHoudini]),
            // Of called nodes, something is learned whatever the engines are.
            ("--templates", self.templates != Templates::ALL && !self.compositional, &learning),
            ("--candidates", !self.candidates.is_empty(), &learning),
            ("--invariants-in", self.invariants_in.is_some(), &learning),
            ("--bmc-solver", self.bmc_solver.is_some(), &bmc),
        ];
        let unused = options.into_iter().filter(|(_, set, users)| *set && none(users));
        let say = |(option, _, users): (&str, bool, &[EngineChoice])| {
            let users: Vec<&str> = users.iter().map(|user| user.name()).collect();
            format!("`{option}` makes no difference: it is for {}", users.join(", "))
        };
        unused.map(say).collect()
    }

    /// What to say if the oracle that was asked for is not installed.
    #[must_use]
    pub fn missing_oracle(&self) -> Option<String> {
        let cvc5 = Solver::named("cvc5").ok()?;
        let missing = self.abduction == AbductionOracle::Cvc5 && !cvc5.is_there();
        missing.then(|| "`--abduction cvc5` needs the program `cvc5` on the PATH".into())
    }
}
