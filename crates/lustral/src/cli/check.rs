//! What the options of `check` come to.

use std::path::PathBuf;

use lustral_coordinator::{DEFAULT_WIDTH, Faults, Options, Pace};
use lustral_engines::{EngineChoice, Templates};
use lustral_smt::{Solver, SolverOptions};

use super::{AbductionOracle, CheckOptions, Switch};
use crate::worker;

impl CheckOptions {
    /// How engines and checker are set up.
    #[must_use]
    pub fn coordination(&self) -> Options {
        Options {
            engines: self.engines(),
            solver: self.solver.clone(),
            bmc_solver: self.bmc_solver.clone(),
            solver_options: SolverOptions { seed: self.seed, ..SolverOptions::default() },
            max_k: self.max_k,
            compression: self.compression.into(),
            templates: self.templates,
            abduction: self.abduction.into(),
            width: self.width,
            prepare: self.prepare,
            worker: worker::horn_command(),
            pace: match (self.deterministic, self.jobs) {
                (true, _) => Pace::Counted,
                (false, Some(jobs)) => Pace::Jobs(jobs),
                (false, None) => Pace::Processors,
            },
            minimise: true,
            explain: self.explain,
            faults: Faults::default(),
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
