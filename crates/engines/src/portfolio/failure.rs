//! Why an engine, or a part of one, has no result.

use lustral_smt::horn::Unsolved;
use lustral_smt::{Fault, NoAnswer};

/// Why an engine, or a part of one, has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// The solver was stopped, gave up or failed.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
    /// So it was with solvers of Horn clauses, each for its own reason.
    #[error("{}", listed(.0))]
    Workers(Vec<Failure>),
    /// One of them has no answer.
    #[error(transparent)]
    Unsolved(#[from] Unsolved),
    /// What a solver calls a model is none.
    #[error(transparent)]
    Model(#[from] Misfit),
    /// What a solver calls an invariant is none.
    #[error(transparent)]
    Invariant(#[from] Flaw),
    /// The abducts of all targets together are not inductive.
    #[error("the abducts do not make an inductive set")]
    Abducts,
    /// There is nothing that an abduct could be made of.
    #[error("there are no candidates")]
    NoCandidates,
    /// There would be too much to look at.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// A thread of the engine ended or panicked.
    #[error("a thread of the engine has ended unexpectedly")]
    Thread,
}

/// What is wrong with the model of a solver, or with an execution made of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misfit {
    /// It does not satisfy what was asked.
    #[error("the solver's model is no counterexample")]
    NoCounterexample,
    /// The solver allows and excludes the same values.
    #[error("the whole system refutes what it allows")]
    Contradiction,
    /// A derivation has no execution.
    #[error("the derivation is no execution")]
    NoExecution,
    /// A derivation may have one, but there was no time to find it.
    #[error("there is a derivation, but no execution was found in time")]
    NotInTime,
    /// No step leads from the states before to where it should.
    #[error("a preimage leads nowhere")]
    Preimage,
    /// Steps that were found one by one do not go together.
    #[error("the steps of an execution need functions that differ")]
    Answers,
}

/// What is wrong with an invariant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// It fails at the first step.
    #[error("the invariant does not hold initially")]
    Initiation,
    /// It does not hold at the next step wherever it holds.
    #[error("the invariant is not inductive")]
    Consecution,
    /// The property does not follow.
    #[error("the invariant does not imply the property")]
    Implication,
    /// It cannot be read.
    #[error("the invariant is not a formula without quantifiers over the state")]
    Unreadable,
}

/// What there would be too much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TooLarge {
    /// States or rounds.
    #[error("the search has become too large")]
    Search,
    /// Cases of a separation of states.
    #[error("the separation has too many cases")]
    Separation,
    /// Clauses.
    #[error("there are too many clauses to try")]
    Clauses,
    /// Sets of predicates that an induction step may add.
    #[error("there are more than {0} induction steps")]
    Steps(usize),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::NoAnswer(fault.into())
    }
}

impl Failure {
    /// Whether it was the solver that had no answer, or a wrong one: then the
    /// engine is not to blame.
    pub(crate) fn is_of_solver(&self) -> bool {
        use Failure::{Invariant, Model, NoAnswer, Unsolved, Workers};
        matches!(self, NoAnswer(_) | Workers(_) | Unsolved(_) | Model(_) | Invariant(_))
    }
}

fn listed(failures: &[Failure]) -> String {
    let mut texts: Vec<String> = failures.iter().map(ToString::to_string).collect();
    texts.dedup();
    texts.join("; ")
}
