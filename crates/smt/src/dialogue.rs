//! A conversation in SMT-LIB 2.

use std::time::Duration;

use crate::session::{Fault, NoAnswer, Outcome};
use crate::smtlib::{SExpr, parse_sexprs};

/// A solver that takes SMT-LIB 2 commands, in the process or outside.
pub trait Dialogue {
    /// Gives commands that have no answer.
    ///
    /// # Errors
    /// If the solver is gone or complains.
    fn tell(&mut self, commands: &str) -> Result<(), Fault>;

    /// Gives a command that has an answer, and waits for it.
    ///
    /// # Errors
    /// If the solver is gone, complains, or the time is up.
    fn ask(&mut self, command: &str) -> Result<SExpr, Fault>;

    /// How long each answer may take from now on, if there is a limit.
    fn limit(&mut self, limit: Option<Duration>);

    /// A `check-sat` command, with its answer understood: a fault is no answer.
    fn query(&mut self, command: &str) -> Outcome {
        self.answer(command).unwrap_or_else(|fault| Outcome::Unknown(fault.into()))
    }

    /// A `check-sat` command, with its answer understood.
    ///
    /// # Errors
    /// If the solver is gone, complains, or the time is up.
    fn answer(&mut self, command: &str) -> Result<Outcome, Fault> {
        match self.ask(command)? {
            SExpr::Atom(answer) => match answer.as_str() {
                "sat" => Ok(Outcome::Sat),
                "unsat" => Ok(Outcome::Unsat),
                "unknown" => Ok(Outcome::Unknown(NoAnswer::GaveUp(self.reason()))),
                other => Err(Fault::Nonsense(other.to_string())),
            },
            other => Err(Fault::Nonsense(other.shown())),
        }
    }

    /// Why the last query was not answered.
    fn reason(&mut self) -> String {
        reason_of(self)
    }
}

/// Why a solver says that it did not answer its last query.
pub(crate) fn reason_of(dialogue: &mut (impl Dialogue + ?Sized)) -> String {
    match dialogue.ask("(get-info :reason-unknown)") {
        Ok(SExpr::List(list)) => match &list[..] {
            [_, SExpr::Atom(reason)] => reason.trim_matches('"').to_string(),
            _ => "unknown".into(),
        },
        _ => "unknown".into(),
    }
}

/// The one answer in a text.
pub(crate) fn one_answer(text: &str) -> Result<SExpr, Fault> {
    let nonsense = || Fault::Nonsense(text.trim().chars().take(200).collect());
    let mut list = parse_sexprs(text).ok_or_else(nonsense)?;
    if list.len() != 1 {
        return Err(nonsense());
    }
    match list.swap_remove(0) {
        SExpr::List(parts) if parts.first() == Some(&SExpr::Atom("error".into())) => {
            let text = match parts.get(1) {
                Some(SExpr::Atom(text)) => text.trim_matches('"').to_string(),
                _ => "an error".into(),
            };
            Err(Fault::Reported(text))
        }
        answer => Ok(answer),
    }
}
