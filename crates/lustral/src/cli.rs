//! The arguments.

mod check;
mod diff;
mod engines;
mod meaning;
mod reading;
mod tests;
mod values;

use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue};
use clap::{Args, Parser, Subcommand, ValueEnum};
use lustral_engines::Templates;
use lustral_render::printable;
use lustral_smt::Solver;

pub use check::{
    CheckOptions, KeptArguments, NeedsArguments, Presentation, ProtocolArguments, SearchArguments,
    SelectionArguments,
};
pub use diff::DiffOptions;
pub use engines::EngineArguments;
pub use meaning::is_protocol;
pub use reading::ReadingArguments;
pub use tests::TestsOptions;
pub use values::limit;
use values::{parse_seconds, parse_solver, parse_templates};

/// A model checker for Lustre: proves or refutes the safety properties of a
/// program, and checks every answer a second time before it shows it.
#[derive(Parser, Debug)]
#[command(name = "lustral", version, max_term_width = 100)]
pub struct Arguments {
    /// Log what happens to the standard error; twice for more
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// Ends the program with what is wrong with its arguments (or with what it was asked to print). A file
/// where a command is expected is most likely to be checked.
pub fn exit_with(mut wrong: clap::Error) -> ! {
    let given = match wrong.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(given)) if Path::new(given).is_file() => Some(given.clone()),
        _ => None,
    };
    if let Some(file) = given {
        let advice = format!("to check a program, write `lustral check {}`", printable(&file));
        wrong.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
    }
    wrong.exit()
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Prove or refute the properties of programs
    ///
    /// Exit code: 0 all valid, 40 some property is falsifiable, 30 some is undecided, 1 internal
    /// error or unreadable file, 2 wrong usage, 3 the program is rejected, 130 and 143 after Ctrl-C
    /// and SIGTERM.
    Check(Box<CheckOptions>),
    /// Show what each node guarantees, whatever its inputs: its inductive invariants
    ///
    /// They are learned on each node alone, called nodes first; what follows from the others or
    /// from the equations is left out. Exit code: 0, or 30 if nothing can be said of some node.
    Invariants(InvariantsOptions),
    /// Show what becomes of candidates for invariants, and why
    ///
    /// Houdini removes what is not inductive until nothing fails. Of each candidate: whether it is
    /// left, false in an execution, or not inductive, from which state, and which earlier removal
    /// let it fail. Exit code: 0, 30 if something that the program states is not left.
    Houdini(HoudiniOptions),
    /// Find out whether contracts can be kept at all
    ///
    /// For each node without a body: whether some node gives, at every step and for all inputs
    /// that its assumptions allow, outputs that keep its guarantees. Exit code: 0 all are
    /// realizable, 40 some is unrealizable, 30 some is undecided, 3 the program is rejected.
    Realize(RealizeOptions),
    /// Compare two versions of a program: do they behave alike, and which verdicts change?
    ///
    /// Each output of the node is proved to be the same in both, whatever the inputs, or the first
    /// difference is shown as an execution. Exit code: 0 all outputs are the same and no property
    /// is lost, 40 some output differs or some property is lost, 30 some is undecided, 3 a program is
    /// rejected or the two cannot be compared.
    Diff(Box<DiffOptions>),
    /// Write a program as Horn clauses, a pair of predicates for each node
    ///
    /// `I_N` holds of the first step of node N and `T_N` of its later ones; `Main` of the steps of
    /// the program. Any solver of Horn clauses reads the text: `sat` means that all properties are
    /// valid.
    Horn(HornOptions),
    /// Run a program on given or random inputs
    Simulate(SimulateArguments),
    /// Find inputs that reach every branch, state, transition and MC/DC obligation of a program
    ///
    /// Each test is run by the interpreter before it is shown, and seen to reach what it is said to
    /// reach; what nothing reaches is proved. Exit code: 0 each obligation is reached or
    /// proved unreachable, 30 some is undecided, 3 the program is rejected.
    Tests(Box<TestsOptions>),
    /// Check a certificate folder written by `check --certificate`
    ///
    /// That a certificate is accepted means that its obligations hold, by the word of the solver
    /// chosen. That the obligations are those of a program is not checked: they were written by the
    /// run that proved the property. Where the sources are found under the names they had, they are
    /// compared: certificates of a program that has changed since are outdated (exit code 1).
    Certify(CertifyOptions),
    /// Show what a stage makes of a program
    Dump(DumpOptions),
    /// Print the JSON Schema of the output of `check --json`, `realize --json`, `invariants --json`
    /// and `houdini --json`
    Schema,
    /// Work for another process of this program
    #[command(hide = true)]
    Worker(WorkerOptions),
}

/// Options of `simulate`.
#[derive(Args, Debug)]
pub struct SimulateArguments {
    /// A Lustre program
    pub file: PathBuf,
    /// How the program is read
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// Run this node; else the one marked as main, else the one that no other calls
    #[arg(long, value_name = "NAME")]
    pub node: Option<String>,
    /// Inputs: a CSV file with a column for each input, or a JSON file with an array of objects or
    /// an object of arrays; `-` for the standard input (CSV)
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,
    /// Steps to run; by default as many as there are inputs, or 10
    #[arg(long, value_name = "N")]
    pub steps: Option<usize>,
    /// Seed of the random inputs, where none are given
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// The form of the result
    #[arg(long, value_enum, default_value = "table")]
    pub format: TraceFormat,
    /// Show the flows of called nodes too
    #[arg(long)]
    pub all: bool,
}

/// The form of a simulation's result.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceFormat {
    /// A table for people
    Table,
    /// Comma-separated values, one line a step
    Csv,
    /// JSON
    Json,
    /// A value change dump, for waveform viewers
    Vcd,
}

/// Options of `certify`.
#[derive(Args, Debug)]
pub struct CertifyOptions {
    /// Certificate folders, or a folder of them
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// The solver that checks: z3-builtin, z3, cvc5, yices, mathsat, opensmt, smtinterpol, or a
    /// command with its arguments
    #[arg(long, value_name = "SOLVER", default_value = "z3-builtin", value_parser = parse_solver)]
    pub solver: Solver,
    /// Seconds for each obligation; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = parse_seconds)]
    pub timeout: f64,
}

/// Options of `dump`.
#[derive(Args, Debug)]
pub struct DumpOptions {
    /// The stage
    #[arg(long, value_enum)]
    pub stage: Stage,
    /// A Lustre program
    pub file: PathBuf,
    /// How the program is read
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// The node, for the stages after `equations`
    #[arg(long = "node", value_name = "NAME")]
    pub nodes: Vec<String>,
}

/// Options of `invariants`.
#[derive(Args, Debug)]
pub struct InvariantsOptions {
    /// A Lustre program
    pub file: PathBuf,
    /// How the program is read
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// Show this node only (repeatable)
    #[arg(long = "node", value_name = "NAME")]
    pub nodes: Vec<String>,
    /// Show summaries of the nodes: what holds of inputs, outputs, state and next state at the
    /// first step and at later ones, and of the states that are reached; so that, where that
    /// succeeds, the properties of the program follow. Each is validated, clause by clause of the
    /// program's Horn clauses
    #[arg(long)]
    pub modular: bool,
    /// Also try the candidates in this file (repeatable), beside those of the program and of
    /// templates
    #[arg(long, value_name = "FILE", conflicts_with = "modular")]
    pub candidates: Vec<PathBuf>,
    /// Show all that was found, also what follows from the equations or from the rest
    #[arg(long, conflicts_with = "modular")]
    pub all: bool,
    /// With --modular: start from the certificates in this folder, or below it, that `check
    /// --certificate` wrote for this program, by whatever engine
    #[arg(long, value_name = "DIR", requires = "modular")]
    pub from: Option<PathBuf>,
    /// With --modular: the model in this file instead of Spacer's, a `(define-fun …)` of SMT-LIB for
    /// each predicate, as `--format smt2` and other solvers of the clauses write it; what it does not
    /// mention always holds
    #[arg(long, value_name = "FILE", requires = "modular", conflicts_with = "from")]
    pub model: Option<PathBuf>,
    /// With --modular: leave out of the summaries what they need not say of the state, integers
    /// first, and show how much of the state is left in them
    #[arg(long, requires = "modular")]
    pub minimise: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = InvariantFormat::Text)]
    pub format: InvariantFormat,
    /// JSON Lines instead of text
    #[arg(long)]
    pub json: bool,
    /// Seconds for everything; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = parse_seconds)]
    pub timeout: f64,
    /// Seed of everything random
    #[arg(long, default_value_t = 0)]
    pub seed: u32,
    /// The solver
    #[arg(long, value_name = "SOLVER", default_value = "z3-builtin", value_parser = parse_solver)]
    pub solver: Solver,
}

/// Options of `houdini`.
#[derive(Args, Debug)]
pub struct HoudiniOptions {
    /// A Lustre program
    pub file: PathBuf,
    /// How the program is read
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// Begin at this node only (repeatable)
    #[arg(long = "node", value_name = "NAME")]
    pub nodes: Vec<String>,
    /// Also try the candidates in this file (repeatable): `node NAME`, then expressions in its scope
    /// that end with `;`, perhaps after `requires` or `ensures`
    #[arg(long, value_name = "FILE")]
    pub candidates: Vec<PathBuf>,
    /// Templates that propose candidates: a list as of `check --templates`. By default all where
    /// neither the program nor a file has candidates, else none
    #[arg(long, value_name = "LIST", value_parser = parse_templates)]
    pub templates: Option<Templates>,
    /// Leave out the steps and executions
    #[arg(long)]
    pub table: bool,
    /// JSON Lines instead of text
    #[arg(long)]
    pub json: bool,
    /// Write a page to this file, in which a click on a candidate shows the reason
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Seconds for executions in which what was removed is false; 0 for none
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = parse_seconds)]
    pub executions: f64,
    /// Seconds for everything; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = parse_seconds)]
    pub timeout: f64,
    /// Seed of everything random
    #[arg(long, default_value_t = 0)]
    pub seed: u32,
    /// The solver
    #[arg(long, value_name = "SOLVER", default_value = "z3-builtin", value_parser = parse_solver)]
    pub solver: Solver,
}

/// How invariants are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvariantFormat {
    /// For people
    Text,
    /// As `check`s that can be pasted into the node
    Lustre,
    /// As a contract for each node, of what can be seen from outside; with it goes --modular
    Contract,
    /// As functions of SMT-LIB 2
    Smt2,
}

/// Options of `realize`.
#[derive(Args, Debug)]
pub struct RealizeOptions {
    /// Lustre programs
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// How programs are read
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// Look at this node only (repeatable)
    #[arg(long = "node", value_name = "NAME")]
    pub nodes: Vec<String>,
    /// Write the program with a body for each realizable node to this folder, as NAME.lus; it
    /// was checked against the contract
    #[arg(long, value_name = "DIR")]
    pub strategy: Option<PathBuf>,
    /// JSON Lines instead of text
    #[arg(long)]
    pub json: bool,
    /// Seconds for each program; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = parse_seconds)]
    pub timeout: f64,
    /// Seed of everything random
    #[arg(long, default_value_t = 0)]
    pub seed: u32,
    /// The solver that searches
    #[arg(long, value_name = "SOLVER", default_value = "z3-builtin", value_parser = parse_solver)]
    pub solver: Solver,
}

/// Options of `horn`.
#[derive(Args, Clone, Debug)]
pub struct HornOptions {
    /// A Lustre program
    pub file: PathBuf,
    /// How the program is read
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// The node that is checked; else the one marked as main, else the one that no other calls
    #[arg(long, value_name = "NAME")]
    pub node: Option<String>,
    /// Only this property; else all together
    #[arg(long, value_name = "NAME")]
    pub property: Option<String>,
    /// One predicate for the state of the whole program, with all calls unfolded
    #[arg(long)]
    pub inline: bool,
    /// The dialect
    #[arg(long, value_enum, default_value_t = HornFormat::Smt2)]
    pub format: HornFormat,
    /// With the properties of called nodes, at each call
    #[arg(long, value_name = "on|off", default_value = "on")]
    pub called_nodes: Switch,
    /// Take the boolean outputs of a node that states nothing as its properties
    #[arg(long)]
    pub outputs: bool,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Seconds for everything; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = parse_seconds)]
    pub timeout: f64,
}

/// How Horn clauses are written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum HornFormat {
    /// SMT-LIB 2 with the logic HORN, as in the competition of solvers of Horn clauses
    Smt2,
    /// Rules and a query, as Z3 alone reads them
    Z3Rules,
}

/// Options of `worker`.
#[derive(Args, Debug)]
pub struct WorkerOptions {
    /// The process that started this one: the worker ends with it
    #[arg(long, value_name = "PID")]
    pub parent: i32,
    /// What to work on
    #[arg(value_enum)]
    pub kind: WorkerKind,
}

/// What a worker works on.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkerKind {
    /// Horn clauses
    Horn,
}

/// A stage of the way from text to verdict.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The tokens of the text
    Tokens,
    /// The syntax tree, printed as a program
    Ast,
    /// The typed program
    Typed,
    /// The kernel: scalar equations in their clock scopes
    Equations,
    /// The transition system
    System,
    /// The transition system as the engines see it
    Prepared,
    /// The Horn clauses of each property, as Z3's Spacer is given them
    Horn,
}

/// On or off.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the names say it
pub enum Switch {
    On,
    Off,
}
