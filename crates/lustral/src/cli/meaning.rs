//! What the options of `check` come to.

use std::path::{Path, PathBuf};

use lustral_coordinator::{Faults, Options, Pace};
use lustral_engines::{Asks, EngineChoice, EngineOption, Pdh, engines};
use lustral_session::{CoreWish, Hazards, Kept, Origins, ProtocolOptions, Selection, Wish};
use lustral_smt::{Solver, SolverOptions};

use super::{
    CheckOptions, KeptArguments, NeedsArguments, ProtocolArguments, SearchArguments,
    SelectionArguments, Switch, limit,
};
use crate::worker;

impl CheckOptions {
    /// As the library takes them.
    #[must_use]
    pub fn options(&self) -> lustral_session::CheckOptions {
        lustral_session::CheckOptions {
            selection: self.selection.selection(),
            search: Options { explain: self.presentation.explain, ..self.search.options() },
            needs: self.needs.wish().or_else(|| self.wish_of_report()),
            mutants: self.needs.mutants,
            kept: self.kept.kept(self.presentation.report.as_deref()),
            time: limit(self.search.timeout),
        }
    }

    /// A report says what each property needs; of calls that are cut that is not known.
    fn wish_of_report(&self) -> Option<Wish> {
        let is_asked = self.presentation.report.is_some() && !self.selection.compositional;
        is_asked.then_some(Wish { cores: CoreWish::One, cut_sets: None })
    }

    /// What to say if the options do not go together.
    #[must_use]
    pub fn wrong_usage(&self) -> Option<&'static str> {
        let usage = self.search.wrong_usage().or_else(|| self.kept.wrong_usage());
        usage.or_else(|| self.wrong_for_protocols())
    }

    /// Options that are for programs and not for protocols, or the other way round.
    fn wrong_for_protocols(&self) -> Option<&'static str> {
        let protocols = self.files.iter().filter(|file| is_protocol(file)).count();
        let has_sizes = !self.protocol.sizes.is_empty();
        if has_sizes && protocols < self.files.len() {
            return Some("`--size` is for protocols (`.pyv`)");
        }
        if protocols == 0 {
            return None;
        }
        let Self { selection, needs, kept, presentation, .. } = self;
        let given = [
            (
                !selection.nodes.is_empty(),
                "`--node` is for programs in Lustre: a protocol has none",
            ),
            (
                !selection.properties.is_empty(),
                "`--property` is for programs in Lustre, not for protocols yet",
            ),
            (selection.every_node, "`--every-node` is for programs in Lustre"),
            (selection.compositional, "`--compositional` is for programs in Lustre"),
            (selection.learn_nodes, "`--learn-nodes` is for programs in Lustre"),
            (needs.ivc.is_some(), "`--ivc` is for programs in Lustre, not for protocols yet"),
            (needs.mcs.is_some(), "`--mcs` is for programs in Lustre, not for protocols yet"),
            (needs.mutants.is_some(), "`--mutants` is for programs in Lustre"),
            (
                !kept.candidates.is_empty(),
                "`--candidates` is for programs in Lustre: state invariants in the protocol",
            ),
            (kept.invariants_in.is_some(), "`--invariants-in` is for programs in Lustre"),
            (kept.invariants_out.is_some(), "`--invariants-out` is for programs in Lustre"),
            (kept.cache.is_some(), "`--cache` is for programs in Lustre, not for protocols yet"),
            (
                presentation.report.is_some(),
                "`--report` is about programs in Lustre, not about protocols yet",
            ),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, message)| message)
    }

    /// What to say of options that no engine of this run looks at.
    #[must_use]
    pub fn unused(&self) -> Vec<String> {
        let engines = self.search.engines();
        let options = EngineOption::all().into_iter();
        let changed = options.filter(|option| self.search.engine.changed.contains(&option.name));
        // Of called nodes, something is learned whatever the engines are: from
        // templates, and from what is guessed.
        let learns = self.selection.compositional;
        let templates = engines::learn::TEMPLATES.name;
        let mut given: Vec<(&str, Vec<EngineChoice>)> = changed
            .filter(|option| option.name != templates || !learns)
            .map(|option| (option.name, option.readers()))
            .collect();
        let readers = || EngineChoice::ALL.into_iter().filter(|engine| engine.reads_candidates);
        let read = [
            ("candidates", !self.kept.candidates.is_empty()),
            ("invariants-in", self.kept.invariants_in.is_some()),
            ("learn-nodes", self.selection.learn_nodes),
        ];
        given.extend(
            read.into_iter()
                .filter(|(_, is_given)| *is_given && !learns)
                .map(|(o, _)| (o, readers().collect())),
        );
        given.retain(|(_, users)| !engines.iter().any(|engine| users.contains(engine)));
        let say = |(option, users): (&str, Vec<EngineChoice>)| {
            let users: Vec<&str> = users.iter().map(|user| user.name()).collect();
            format!("`--{option}` makes no difference: it is for {}", users.join(", "))
        };
        let mut said: Vec<String> = given.into_iter().map(say).collect();
        // Of the kinds of templates, primal-dual Houdini has all but one.
        let learners = engines::learn::TEMPLATES.readers();
        let only_pdh = engines.iter().filter(|engine| learners.contains(engine));
        let only_pdh = only_pdh.map(|engine| engine.name()).eq([Pdh::NAME]);
        let changed = self.search.engine.changed.contains(&templates);
        if changed && only_pdh && !learns && self.search.engine.options.learn.templates.triples {
            said.push(
                "`--templates triples` makes no difference: pdh has no such predicates".into(),
            );
        }
        said
    }
}

impl ProtocolArguments {
    /// As the library takes them.
    #[must_use]
    pub fn options(&self) -> ProtocolOptions {
        ProtocolOptions {
            sizes: self.sizes.clone(),
            ignore_invariants: self.stated_invariants == Switch::Off,
        }
    }
}

/// Whether a file is a protocol, by its ending.
#[must_use]
pub fn is_protocol(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pyv"))
}

impl SelectionArguments {
    fn selection(&self) -> Selection {
        Selection {
            nodes: self.nodes.clone(),
            properties: self.properties.clone(),
            every_node: self.every_node,
            called_nodes: self.called_nodes == Switch::On,
            outputs: self.outputs,
            hazards: Hazards { indices: self.in_range, overflows: self.overflow },
            compositional: self.compositional,
            learn_nodes: self.learn_nodes,
        }
    }
}

impl NeedsArguments {
    fn wish(&self) -> Option<Wish> {
        let cores = self.ivc.or(self.mcs.map(|_| CoreWish::All))?;
        Some(Wish { cores, cut_sets: self.mcs })
    }
}

impl KeptArguments {
    fn kept(&self, report: Option<&Path>) -> Kept {
        let beside = || report.map(|folder| folder.join("certificates"));
        Kept {
            candidates: Origins {
                files: self.candidates.clone(),
                texts: Vec::new(),
                earlier: self.invariants_in.clone(),
                cache: self.cache_folder(),
            },
            invariants: self.invariants_out.is_some(),
            certificates: self.certificate.clone().or_else(beside),
        }
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

    fn wrong_usage(&self) -> Option<&'static str> {
        let homeless = self.cache.is_some() && self.cache_folder().is_none();
        homeless.then_some("`--cache` needs a folder: there is no XDG_CACHE_HOME and no HOME")
    }
}

impl SearchArguments {
    /// How engines and checker are set up.
    pub fn options(&self) -> Options {
        Options {
            engines: self.engines(),
            solver: self.solver.clone(),
            solver_options: SolverOptions { seed: self.seed, ..SolverOptions::default() },
            max_k: self.max_k,
            engine_options: self.engine.options.clone(),
            prepare: self.prepare,
            worker: worker::horn_command(),
            pace: match (self.deterministic, self.jobs) {
                (true, _) => Pace::Counted,
                (false, Some(jobs)) => Pace::Jobs(jobs),
                (false, None) => Pace::Processors,
            },
            minimise: true,
            explain: false,
            faults: Faults::default(),
        }
    }

    /// The engines that run.
    #[must_use]
    pub fn engines(&self) -> Vec<EngineChoice> {
        let mut chosen = match &self.engines[..] {
            [] => EngineChoice::defaults(),
            asked => asked.to_vec(),
        };
        let abstraction = EngineChoice(&engines::abstraction::ENGINE);
        if self.abstraction == Switch::On && !chosen.contains(&abstraction) {
            chosen.push(abstraction);
        }
        chosen
    }

    /// The solvers that are to be used.
    pub fn solvers(&self) -> impl Iterator<Item = &Solver> {
        let own = EngineChoice::ALL.into_iter().filter_map(|engine| match engine.asks {
            Asks::ItsOwn(solver) => solver(&self.engine.options),
            _ => None,
        });
        [&self.solver].into_iter().chain(own)
    }

    fn wrong_usage(&self) -> Option<&'static str> {
        let own = self.solvers().all(|solver| *solver == Solver::BuiltIn)
            && self.programs().next().is_none();
        (self.deterministic && !own)
            .then_some("`--deterministic` is for the built-in solver: others do not count work")
    }

    /// The programs that options ask for beside the solvers, each with its option.
    fn programs(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let options = &self.engine.options;
        let asks = |option: &'static EngineOption| Some((option.name, (option.program)(options)?));
        EngineOption::all().into_iter().filter_map(asks)
    }

    /// What to say if a program that an option asks for is not installed.
    #[must_use]
    pub fn missing_program(&self) -> Option<String> {
        let is_there = |program| Solver::named(program).is_ok_and(|solver| solver.is_there());
        let (option, program) = self.programs().find(|(_, program)| !is_there(program))?;
        Some(format!("`--{option} {program}` needs the program `{program}` on the PATH"))
    }
}
