//! What is heard of a run, and what is left in the end.

use std::sync::Arc;

use lustral_system::{Note, PropId, Reason, Trace};

use crate::checker::CheckResult;
use crate::within::NoResult;

/// What is heard of the engines.
#[derive(Debug)]
pub enum Event {
    /// Something was found, and this came of its check. There is one for each
    /// property at most.
    Checked(Box<CheckResult>),
    /// An execution of a cut system, to be tried on the whole program. If it is
    /// none, [`Run::spurious`](crate::Run::spurious) is to be called.
    Execution(Execution),
    /// An engine has ended; so many are at work.
    Ended(usize),
    /// Nothing new, but so far they got.
    Progress(Progress),
    /// A thread panicked. What it was to do is left undone.
    Broken(Broken),
}

/// An execution of a cut system, at the last step of which a property fails.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The property.
    pub property: PropId,
    /// Who found it.
    pub engine: &'static str,
    /// The execution.
    pub trace: Trace,
}

/// How far the engines got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The open properties hold at all steps before this one.
    pub depth: usize,
    /// How many are open.
    pub open: usize,
}

/// A stage of which a thread panicked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the {stage} failed: {why}")]
pub struct Broken {
    /// What the thread was to do.
    pub stage: &'static str,
    /// What became of it.
    pub why: NoResult,
}

impl Broken {
    /// As the reason why a property has no answer.
    #[must_use]
    pub fn reason(&self) -> Reason {
        Reason::Broken(self.to_string())
    }
}

/// A property without an answer.
#[derive(Clone, Debug)]
pub struct Open {
    /// The property.
    pub property: PropId,
    /// Why.
    pub reason: Reason,
    /// Why it is not inductive: the k, and steps that begin in some state.
    pub counterexample_to_induction: Option<(usize, Trace)>,
    /// What engines leave for the reader.
    pub notes: Vec<Arc<Note>>,
}
