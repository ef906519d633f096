//! The arguments of `check`, by concern.

use std::path::PathBuf;

use clap::Args;
use lustral_engines::{EngineChoice, Passes};
use lustral_session::CoreWish;
use lustral_smt::Solver;

use super::Switch;
use super::engines::{EngineArguments, engine_help, parse_engine};
use super::reading::ReadingArguments;
use super::values::{
    parse_cores, parse_jobs, parse_passes, parse_seconds, parse_size, parse_solver,
};

/// Options of `check`.
#[derive(Args, Debug)]
pub struct CheckOptions {
    /// Lustre programs, and protocols (`.pyv`); `-` is a program on the standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// How programs are read
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// What is checked
    #[command(flatten)]
    pub selection: SelectionArguments,
    /// Which instances of protocols are checked
    #[command(flatten)]
    pub protocol: ProtocolArguments,
    /// Who searches, and how long
    #[command(flatten)]
    pub search: SearchArguments,
    /// What is found out about proofs
    #[command(flatten)]
    pub needs: NeedsArguments,
    /// What is kept from run to run
    #[command(flatten)]
    pub kept: KeptArguments,
    /// What is shown
    #[command(flatten)]
    pub presentation: Presentation,
}

/// What is checked.
#[derive(Args, Debug)]
pub struct SelectionArguments {
    /// Check this node (repeatable); else those marked as main, else those that no other calls
    #[arg(long = "node", value_name = "NAME")]
    pub nodes: Vec<String>,
    /// Check this property only, by the name that its verdict has (repeatable)
    #[arg(long = "property", value_name = "NAME", conflicts_with = "compositional")]
    pub properties: Vec<String>,
    /// Check every node that has a body by itself, with its own assumptions, called or not
    #[arg(long, conflicts_with = "nodes")]
    pub every_node: bool,
    /// Check the properties of called nodes too, at each call
    #[arg(long, value_name = "on|off", default_value = "on")]
    pub called_nodes: Switch,
    /// Take the boolean outputs of a node that states nothing as its properties
    #[arg(long)]
    pub outputs: bool,
    /// Check as well that the index of every element, where it is not a constant, is inside of its
    /// array: a property `in range(a[i]) at line N` for each place
    #[arg(long)]
    pub in_range: bool,
    /// Check as well that no operation on machine integers and no conversion to them overflows: a
    /// property `no overflow(x + y) at line N` for each place
    #[arg(long)]
    pub overflow: bool,
    /// Check each node once, against what the nodes that it calls guarantee, instead of inlining all
    /// calls; a call is inlined where that is too little. Properties of called nodes that hold
    /// whatever their inputs are have one verdict for all calls
    #[arg(long)]
    pub compositional: bool,
    /// First learn what each node guarantees and is given, as `lustral invariants` does (ten seconds, or
    /// a third of the time), and try it at every call as if it had been written as candidates
    #[arg(long, conflicts_with = "deterministic")]
    pub learn_nodes: bool,
}

/// How protocols are checked.
#[derive(Args, Debug)]
pub struct ProtocolArguments {
    /// Check a protocol with so many elements of each sort only, such as `node=3,value=2`; else for
    /// all sizes
    #[arg(long = "size", value_name = "SORT=N", value_parser = parse_size, value_delimiter = ',')]
    pub sizes: Vec<(String, u32)>,
    /// Check the invariants that a protocol states like its safety properties, and use them in proofs
    #[arg(long, value_name = "on|off", default_value = "on")]
    pub stated_invariants: Switch,
}

/// Who searches, and how long.
#[derive(Args, Debug)]
pub struct SearchArguments {
    /// Use only these engines
    #[arg(
        long = "engine", value_name = "ENGINE", value_parser = parse_engine, value_delimiter = ',',
        help = engine_help()
    )]
    pub engines: Vec<EngineChoice>,
    /// Look at depths up to this number only
    #[arg(long, value_name = "K")]
    pub max_k: Option<usize>,
    /// Seconds for each file; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = parse_seconds)]
    pub timeout: f64,
    /// How many engines and worker processes work at the same time; as many as there are processors
    /// by default
    #[arg(long, value_name = "N", value_parser = parse_jobs, conflicts_with = "deterministic")]
    pub jobs: Option<usize>,
    /// Give the same verdicts, depths and output in every run: engines take turns by the work done,
    /// not by time, and no times are shown. Only the time limit can make a difference. For the
    /// built-in solver
    #[arg(long)]
    pub deterministic: bool,
    /// Seed of everything random
    #[arg(long, default_value_t = 0)]
    pub seed: u32,
    /// The solver of the engines: z3-builtin, z3, cvc5, yices, mathsat, opensmt, smtinterpol, or a
    /// command with its arguments. Answers are always checked by the built-in Z3 as well
    #[arg(long, value_name = "SOLVER", default_value = "z3-builtin", value_parser = parse_solver)]
    pub solver: Solver,
    /// Also run induction by structural abstraction and refinement
    #[arg(long, value_name = "on|off", default_value = "off")]
    pub abstraction: Switch,
    /// Simplify the transition system before the engines see it: on (all passes but equal), off, or
    /// some passes, separated by commas: memories, equal, sofar, slice, bounds
    #[arg(long, value_name = "on|off|LIST", default_value = "on", value_parser = parse_passes)]
    pub prepare: Passes,
    /// The options of the engines
    #[command(flatten)]
    pub engine: EngineArguments,
}

/// What is found out about proofs.
#[derive(Args, Debug)]
pub struct NeedsArguments {
    /// Find which equations and statements each valid property needs: it holds whatever the others
    /// are, by a proof of its own. `one` such core soon; a `minimal` one, of which nothing can be left
    /// out; or `all` minimal ones. Equations that are in no core are listed
    #[arg(
        long, value_name = "one|minimal|all", value_parser = parse_cores, num_args = 0..=1,
        require_equals = true, default_missing_value = "one", conflicts_with = "compositional"
    )]
    pub ivc: Option<CoreWish>,
    /// Find the minimal cut sets of each valid property: equations and statements without which it
    /// fails, by an execution; those with up to N of them, or all
    #[arg(
        long, value_name = "N", num_args = 0..=1, require_equals = true,
        default_missing_value = "18446744073709551615", conflicts_with = "compositional"
    )]
    pub mcs: Option<usize>,
    /// Change the program in small ways, one at a time (operators, constants, conditions, first values), and say which
    /// changes no valid property notices: what the program does there is stated nowhere. All such mutants, or N of
    /// each node, in what is left of the time
    #[arg(
        long, value_name = "N", num_args = 0..=1, require_equals = true,
        default_missing_value = "18446744073709551615", conflicts_with = "compositional"
    )]
    pub mutants: Option<usize>,
}

/// What is kept from run to run.
#[derive(Args, Debug)]
pub struct KeptArguments {
    /// Also try the invariants in this file (repeatable): `node NAME`, then expressions in its
    /// scope that end with `;`. They are guesses: what does not fit is skipped with a warning, and
    /// what does not hold does no harm. For houdini, sorcar, h-houdini and pdh
    #[arg(long, value_name = "FILE")]
    pub candidates: Vec<PathBuf>,
    /// Also try the invariants in this file, written by an earlier run; silently skip what does not
    /// fit. The file need not exist
    #[arg(long, value_name = "FILE")]
    pub invariants_in: Option<PathBuf>,
    /// Write the invariants that the proofs of this run use, in the form of `--candidates`
    #[arg(long, value_name = "FILE")]
    pub invariants_out: Option<PathBuf>,
    /// Keep the invariants of each node from run to run: in this folder, or if none is given in the
    /// user's own, `lustral` in $XDG_CACHE_HOME or ~/.cache. Without this option nothing is kept
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true)]
    pub cache: Option<Option<PathBuf>>,
    /// Write the certificate of each proof, as SMT-LIB 2 files, to a folder below this one
    #[arg(long, value_name = "DIR")]
    pub certificate: Option<PathBuf>,
}

/// What is shown.
#[derive(Args, Debug)]
pub struct Presentation {
    /// Show why each proof holds: which facts each of its facts needs
    #[arg(long)]
    pub explain: bool,
    /// Show all rows of counterexamples; without it, where the few values that matter are known, these and
    /// some others
    #[arg(long)]
    pub all_rows: bool,
    /// Say where the time went, by stage, engine and kind of query: on the standard error, in the
    /// JSON and in the web page
    #[arg(long)]
    pub profile: bool,
    /// Print JSON Lines (see `lustral schema`)
    #[arg(long)]
    pub json: bool,
    /// Write a report as a web page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write a report for a safety case to this folder, as a page to print and as JSON: inputs with their hashes, versions,
    /// options, verdicts, certificates, what each property needs and what none needs. Without times, so that two reports
    /// can be compared. With `--ivc`, unless another is asked for, and `--certificate`, below the folder
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
}

impl Presentation {
    /// Whether something is shown in the end that needs all that was heard.
    #[must_use]
    pub fn has_page(&self) -> bool {
        self.html.is_some() || self.report.is_some()
    }
}
