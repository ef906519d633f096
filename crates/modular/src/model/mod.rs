//! Models of the Horn clauses of a program, node by node: definitions of the
//! predicates of each node from which the properties follow.
//!
//! There are three sources. What was learned of the nodes and what Spacer says
//! of the clauses are joined by [`find`], which does without Spacer where that says nothing (`learned`); [`find_small`] starts from the invariant
//! in certificates of an earlier run (`certified`), from a model that another solver found, or from Spacer alone, and
//! can leave out of the definitions what they need not say of the state
//! (`rank`, with `smallest` and `hitting`). `choose` drops the properties
//! that have no model, and `describe` what is worth showing of a node. None of it
//! is trusted: what counts was checked clause by clause (`NodeClauses::check`), and
//! what is shown follows from that (`Checked<NodeModel>::describe`).

mod failure;
mod spacer;
mod choose;
mod certified;
mod hitting;
mod smallest;
mod rank;
mod learned;
mod find;
mod describe;

use std::sync::Arc;
use std::time::Duration;

use lustral_certify::{Checked, NodeClauses, NodeModel};
use lustral_engines::LearnOptions;
use lustral_horn::Model;
use lustral_smt::WorkerCommand;

pub use certified::certificates_below;
pub use failure::{BadCertificates, Gap, Missing, NoAnswer, NoModel, NoneFound, Unproved};
pub use find::{Source, find, find_small};
pub use rank::{Minimised, Rank};
pub use smallest::{Smallest, smallest_arguments};
pub use spacer::{Modelled, spacer_model};

use crate::Summary;

/// How models are looked for.
#[derive(Clone)]
pub struct Setup {
    /// How to learn; the seed and what tells to stop are those of Spacer too.
    pub learning: LearnOptions,
    /// How to start a worker for Spacer.
    pub worker: Option<WorkerCommand>,
    /// The time for all of it, if it is limited.
    pub time: Option<Duration>,
}

/// A model of the clauses of the nodes below a root.
pub struct Found {
    /// The clauses of the nodes.
    pub clauses: Arc<NodeClauses>,
    /// By node, what was learned of it alone.
    pub summaries: Vec<Summary>,
    /// What Spacer found, if it was used.
    pub spacer: Option<Model>,
    /// All of it.
    pub model: Checked<NodeModel>,
    /// How much of the states is spoken of, if that is asked for.
    pub minimised: Option<Minimised>,
    /// Why certificates that were given have no part in it, if that is so.
    pub anew: Option<Gap>,
}
