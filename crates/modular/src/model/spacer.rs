//! Models of the clauses of a program node by node, from Spacer in a worker.

use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_engines::horn::{COMMON, MEMORY};
use lustral_horn::{Clauses, Model, z3_rules};
use lustral_smt::horn::{HornAnswer, HornQuery};
use lustral_smt::{Batch, WorkerCommand};

use super::NoAnswer;

/// Nothing is inlined and nothing sliced away: every predicate keeps its
/// arguments and has a definition of its own.
const OPTIONS: [(&str, &str); 3] = [
    ("fp.xform.slice", "false"),
    ("fp.xform.inline_linear", "false"),
    ("fp.xform.inline_eager", "false"),
];

/// How long to listen before looking at the clock.
const PATIENCE: Duration = Duration::from_millis(10);

/// What Spacer says of some clauses. Nobody has checked it.
pub enum Modelled {
    /// This is a model.
    Model(Model),
    /// There is none: a property fails.
    Refuted,
    /// Nothing, for this reason.
    Unknown(NoAnswer),
}

/// How Spacer is asked.
#[derive(Clone)]
pub(super) struct Asking {
    pub worker: Option<WorkerCommand>,
    pub seed: u32,
    /// The time for one question.
    pub limit: Duration,
    pub cancel: Cancel,
}

impl Asking {
    /// What Spacer says of some clauses.
    pub fn ask(&self, clauses: &Clauses) -> Modelled {
        match &self.worker {
            None => Modelled::Unknown(NoAnswer::NoWorker),
            Some(worker) => spacer_model(clauses, worker, self.seed, self.limit, &self.cancel),
        }
    }

    /// The same with another limit.
    pub fn within(&self, limit: Duration) -> Asking {
        Asking { limit, ..self.clone() }
    }
}

/// Asks Spacer for a model of some clauses.
#[must_use]
pub fn spacer_model(
    clauses: &Clauses,
    worker: &WorkerCommand,
    seed: u32,
    limit: Duration,
    cancel: &Cancel,
) -> Modelled {
    let pair = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
    let mut options: Vec<(String, String)> = COMMON.iter().chain(&OPTIONS).map(pair).collect();
    options.push(("fp.spacer.random_seed".into(), seed.to_string()));
    let input = HornQuery { options, clauses: z3_rules(clauses, false) }.to_text();
    let batch = match Batch::start(worker, MEMORY, input, cancel) {
        Ok(batch) => batch,
        Err(fault) => return Modelled::Unknown(fault.into()),
    };
    let deadline = Instant::now() + limit;
    while !cancel.is_cancelled() && Instant::now() < deadline {
        let Some(answer) = batch.poll(PATIENCE) else { continue };
        return match answer.and_then(|text| HornAnswer::from_text(&text)) {
            Ok(HornAnswer::Invariant(text)) => match Model::read(clauses, &text) {
                Some(model) => Modelled::Model(model),
                None => Modelled::Unknown(NoAnswer::Unreadable),
            },
            Ok(HornAnswer::Derivation(_)) => Modelled::Refuted,
            Ok(HornAnswer::Unknown(reason)) => Modelled::Unknown(reason.into()),
            Err(fault) => Modelled::Unknown(fault.into()),
        };
    }
    Modelled::Unknown(NoAnswer::Time)
}
