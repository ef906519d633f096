//! What every solver session offers.

use std::time::Duration;

use lustral_term::{TermId, Terms, Value};

/// Something went wrong in a solver.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// The solver could not be started.
    #[error("cannot start {0}: {1}")]
    Start(String, String),
    /// The solver ended before it answered.
    #[error("the solver ended unexpectedly")]
    Died,
    /// The time for the query is up, or the run was stopped.
    #[error("stopped")]
    Stopped,
    /// The solver reported an error.
    #[error("the solver reported: {0}")]
    Reported(String),
    /// A value is a number that is no fraction.
    #[error("a value that is no fraction, such as a root, was found: no execution has such values")]
    Irrational,
    /// The answer is none that the question allows.
    #[error("the solver answered nonsense: {0}")]
    Nonsense(String),
}

/// Why a query has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoAnswer {
    /// The run was stopped, or its time is up.
    #[error("stopped")]
    Stopped,
    /// The query took longer, or was more work, than it may.
    #[error("timeout")]
    Limit,
    /// The solver says that it does not know, and this is why.
    #[error("{0}")]
    GaveUp(String),
    /// Something went wrong.
    #[error(transparent)]
    Fault(Fault),
}

impl From<Fault> for NoAnswer {
    fn from(fault: Fault) -> NoAnswer {
        match fault {
            Fault::Stopped => NoAnswer::Stopped,
            other => NoAnswer::Fault(other),
        }
    }
}

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// The solver does not know, for this reason.
    Unknown(NoAnswer),
}

/// An incremental conversation with a solver about terms of one arena, which
/// may grow between the calls.
pub trait Session {
    /// Adds a fact for good.
    fn assert(&mut self, terms: &Terms, fact: TermId);

    /// Asks whether all facts can hold together with some literals: variables
    /// or their negations.
    fn check(&mut self, terms: &Terms, literals: &[TermId]) -> Outcome;

    /// How long each query may take from now on; after that, the answer is
    /// `unknown`. Without a limit, until all is stopped.
    fn limit(&mut self, limit: Option<Duration>);

    /// How much work each query may be from now on, in units of the solver's own
    /// that are the same in every run; after that, the answer is `unknown`. A
    /// solver that does not count its work has no such limit.
    fn limit_work(&mut self, _units: Option<u32>) {}

    /// The work so far in these units, that of other sessions of the thread
    /// included; beyond 32 bits it begins again at zero. Nothing if the solver
    /// does not count.
    fn work(&self) -> Option<u32> {
        None
    }

    /// Why the session has no answer to anything any more, if that is so.
    fn fault(&self) -> Option<Fault>;

    /// After [`Outcome::Unsat`]: literals of the query that cannot hold together.
    fn core(&mut self) -> Vec<TermId>;

    /// After [`Outcome::Sat`]: the value of a term in the model.
    ///
    /// # Errors
    /// If the solver cannot tell.
    fn value(&mut self, terms: &Terms, term: TermId) -> Result<Value, Fault>;
}
