//! Which solvers there are, and how each is started: data, not code.

use std::time::Duration;

use lustral_base::Cancel;

use crate::dialogue::Dialogue;
use crate::process::SolverProcess;
use crate::session::{Fault, Session};
use crate::smtlib::Logic;
use crate::text_session::TextSession;
use crate::z3_session::Z3Session;
use crate::z3_text::Z3Text;

/// How solvers are set up.
#[derive(Clone, Debug, Default)]
pub struct SolverOptions {
    /// The seed of everything random.
    pub seed: u32,
    /// How long a child process may take for one answer.
    pub patience: Option<Duration>,
    /// The arithmetic of the built-in Z3, by its number; else its own choice.
    pub arithmetic: Option<u32>,
}

/// A solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Solver {
    /// Z3 in the process.
    BuiltIn,
    /// A program on the PATH that speaks SMT-LIB 2.
    Program {
        /// The name of the program, or a path.
        program: String,
        /// Its arguments.
        args: Vec<String>,
        /// The name the user knows it by.
        name: String,
    },
}

/// No solver has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "unknown solver `{0}`: expected z3-builtin, z3, cvc5, yices, mathsat, opensmt, smtinterpol, or a command with its arguments"
)]
pub struct UnknownSolver(pub String);

/// Name, program, arguments.
const KNOWN: &[(&str, &str, &[&str])] = &[
    ("z3", "z3", &["-in", "-smt2"]),
    ("cvc5", "cvc5", &["--incremental", "--produce-models", "--lang=smt2"]),
    ("yices", "yices-smt2", &["--incremental"]),
    ("mathsat", "mathsat", &[]),
    ("opensmt", "opensmt", &[]),
    ("smtinterpol", "smtinterpol", &["-q"]),
];

impl Solver {
    /// The solver that a name on the command line means: a known one, or a
    /// command with arguments, such as `/opt/z3/bin/z3 -in`.
    ///
    /// # Errors
    /// If it is neither.
    pub fn named(name: &str) -> Result<Solver, UnknownSolver> {
        if name == "z3-builtin" {
            return Ok(Solver::BuiltIn);
        }
        if let Some((name, program, args)) = KNOWN.iter().find(|(known, ..)| *known == name) {
            return Ok(Solver::Program {
                program: (*program).to_string(),
                args: args.iter().map(ToString::to_string).collect(),
                name: (*name).to_string(),
            });
        }
        // A path or a command with arguments; a lone word is a misspelt name.
        let mut words = name.split_whitespace().map(String::from);
        match words.next() {
            Some(program) if program.contains('/') || name.contains(' ') || on_path(&program) => {
                let args: Vec<String> = words.collect();
                let file = program.rsplit('/').next().unwrap_or("").to_string();
                let usual = KNOWN.iter().find(|(_, known, _)| *known == file);
                let args = match (args.is_empty(), usual) {
                    (true, Some((_, _, usual))) => usual.iter().map(ToString::to_string).collect(),
                    _ => args,
                };
                Ok(Solver::Program { program, args, name: file })
            }
            _ => Err(UnknownSolver(name.to_string())),
        }
    }

    /// Whether it can be started: the program is a file, or on the PATH.
    #[must_use]
    pub fn is_there(&self) -> bool {
        match self {
            Solver::BuiltIn => true,
            Solver::Program { program, .. } if program.contains('/') => {
                std::path::Path::new(program).is_file()
            }
            Solver::Program { program, .. } => on_path(program),
        }
    }

    /// The name the user knows it by.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Solver::BuiltIn => "z3-builtin",
            Solver::Program { name, .. } => name,
        }
    }

    /// The logic to ask for. Some solvers know no logic that holds everything.
    fn logic(&self, logic: Logic) -> &'static str {
        match self.name() {
            "z3" | "cvc5" | "z3-builtin" | "mathsat" => "ALL",
            _ => logic.name(),
        }
    }
}

/// Whether a program is on the PATH.
fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Opens a session on this thread.
///
/// # Errors
/// If the solver cannot be started.
pub fn open_session(
    solver: &Solver,
    logic: Logic,
    options: &SolverOptions,
    cancel: &Cancel,
) -> Result<Box<dyn Session>, Fault> {
    match solver {
        Solver::BuiltIn => Ok(Box::new(Z3Session::new(options, cancel.clone()))),
        Solver::Program { .. } => {
            let (solver, options, cancel) = (solver.clone(), options.clone(), cancel.clone());
            let logic = solver.logic(logic);
            let open = move || open_dialogue(&solver, &options, &cancel);
            Ok(Box::new(TextSession::new(Box::new(open), logic)?))
        }
    }
}

/// Opens a conversation in SMT-LIB 2.
///
/// # Errors
/// If the solver cannot be started.
pub fn open_dialogue(
    solver: &Solver,
    options: &SolverOptions,
    cancel: &Cancel,
) -> Result<Box<dyn Dialogue>, Fault> {
    match solver {
        Solver::BuiltIn => Ok(Box::new(Z3Text::new(cancel.clone())?)),
        Solver::Program { program, args, .. } => {
            let process = SolverProcess::start(program, args, cancel.clone(), options.patience)?;
            Ok(Box::new(process))
        }
    }
}
