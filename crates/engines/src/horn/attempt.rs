//! The workers of one property: Spacer with several sets of options, beside
//! each other.

use std::sync::Arc;
use std::time::Duration;

use lustral_base::schedule::{Moment, charge, is_crowded, pause};
use lustral_horn::{Flat, slice, z3_rules};
use lustral_smt::horn::{HornAnswer, HornQuery};
use lustral_smt::{Batch, Fault, WorkerCommand};
use lustral_system::{Predicate, PropId, Unsupported};

use crate::board::Lemma;
use crate::metered::units;
use crate::task::Task;

/// No worker may use more memory than this.
pub const MEMORY: u64 = 1 << 30;

/// Spacer's units of work take so many times as long as those of a session.
const SPACER_UNIT: u32 = 4;

/// How long to listen to one worker before the next.
const PATIENCE: Duration = Duration::from_millis(2);

/// A set of options, and when the worker with it starts.
struct OptionSet {
    after: Duration,
    options: &'static [(&'static str, &'static str)],
}

/// Global guidance first, which decides most. Our slices leave little for Z3's
/// transformations to find; but they lead the second worker another way.
const OPTION_SETS: [OptionSet; 2] = [
    OptionSet {
        after: Duration::ZERO,
        options: &[
            ("fp.spacer.global", "true"),
            ("fp.xform.slice", "false"),
            ("fp.xform.inline_linear", "false"),
            ("fp.xform.inline_eager", "false"),
        ],
    },
    OptionSet { after: Duration::from_millis(500), options: &[("fp.spacer.global", "false")] },
];

/// Options of every worker. Signals are for the program to handle.
pub const COMMON: [(&str, &str); 2] = [("fp.engine", "spacer"), ("ctrl_c", "false")];

/// Whether a predicate is about a slice.
fn is_inside(slice: &[bool], predicate: &Predicate) -> bool {
    let variables = predicate.terms.variables([predicate.term]);
    variables.iter().all(|var| slice[var.index()])
}

/// Whether a lemma may be assumed of every step. What is only known along paths
/// that repeat no state may not, in a proof without compression.
fn is_usable(slice: &[bool], lemma: &Lemma) -> bool {
    !lemma.compression && is_inside(slice, &lemma.predicate)
}

/// One property, and who works on it.
pub(crate) struct Attempt {
    pub property: PropId,
    pub flat: Flat,
    /// The typing facts of the slice.
    pub typing: Vec<Predicate>,
    /// The lemmas of the board that the clauses assume.
    pub lemmas: Vec<Arc<Lemma>>,
    /// By variable: whether the clauses are about it.
    slice: Vec<bool>,
    started: Moment,
    /// The time in which others had their turn.
    held: Duration,
    clauses: String,
    /// By option set; nothing before it starts and after it ends.
    workers: [Option<Batch>; OPTION_SETS.len()],
    /// The first set whose worker was not started yet.
    next: usize,
    /// How often others had their turn.
    turns: usize,
}

impl Attempt {
    /// An attempt whose workers are not started yet.
    ///
    /// # Errors
    /// If the property has no linear clauses.
    pub fn new(
        task: &Task,
        property: PropId,
        lemmas: &[Arc<Lemma>],
    ) -> Result<Attempt, Unsupported> {
        let system = &task.system;
        let slice = slice(system, &[property]);
        let terms = Arc::new(system.terms.clone());
        let of = |term: &_| Predicate { terms: terms.clone(), term: *term };
        let typing: Vec<Predicate> =
            system.typing.iter().map(of).filter(|p| is_inside(&slice, p)).collect();
        let lemmas: Vec<Arc<Lemma>> =
            lemmas.iter().filter(|l| is_usable(&slice, l)).cloned().collect();
        let assumptions: Vec<Predicate> =
            typing.iter().chain(lemmas.iter().map(|l| &l.predicate)).cloned().collect();
        let flat = Flat::new(system, property, &assumptions)?;
        let clauses = z3_rules(&flat.clauses, false);
        tracing::trace!(%clauses, "horn");
        let (started, held) = (Moment::now(), Duration::ZERO);
        let workers = [const { None }; OPTION_SETS.len()];
        Ok(Attempt {
            property,
            flat,
            typing,
            lemmas,
            slice,
            started,
            held,
            clauses,
            workers,
            next: 0,
            turns: 0,
        })
    }

    /// Whether a lemma would be of use.
    pub fn can_use(&self, lemma: &Lemma) -> bool {
        is_usable(&self.slice, lemma)
    }

    /// The time since it began, without that in which others had their turn.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.held)
    }

    /// Lets others have their turn; the workers rest meanwhile. Where there are
    /// more who want to work than can, one worker goes on at a time.
    pub fn pause(&mut self) {
        let crowded = is_crowded();
        let at_work = || self.workers.iter().flatten();
        at_work().for_each(Batch::hold);
        let before = Moment::now();
        pause();
        self.held += before.elapsed();
        let count = at_work().count().max(1);
        for (i, worker) in at_work().enumerate() {
            if !crowded || i == self.turns % count {
                worker.go_on();
            }
        }
        self.turns += 1;
    }

    /// What the next set of options makes of the clauses, within so much work:
    /// the same in every run. Nothing if there is no other set, or all stops.
    pub fn next_counted(
        &mut self,
        task: &Task,
        command: &WorkerCommand,
        work: Duration,
    ) -> Option<HornAnswer> {
        let set = OPTION_SETS.get(self.next)?;
        self.next += 1;
        let batch = self.start(task, command, set, Some(units(work) / SPACER_UNIT));
        let answer = match batch {
            Ok(batch) => loop {
                if let Some(answer) = batch.poll(10 * PATIENCE) {
                    break answer.and_then(|text| HornAnswer::from_text(&text));
                }
                if task.cancel.is_cancelled() {
                    return None;
                }
            },
            Err(fault) => Err(fault),
        };
        // What it did not do is not known here.
        charge(work);
        Some(answer.unwrap_or_else(|fault| HornAnswer::Unknown(fault.into())))
    }

    /// Starts a worker with a set of options, and perhaps a limit on its work.
    fn start(
        &self,
        task: &Task,
        command: &WorkerCommand,
        set: &OptionSet,
        work: Option<u32>,
    ) -> Result<Batch, Fault> {
        let pair = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
        let mut options: Vec<(String, String)> =
            COMMON.iter().chain(set.options).map(pair).collect();
        options.push(("fp.spacer.random_seed".into(), task.seed().to_string()));
        let most = task.limits.max_k.and_then(|most| u32::try_from(most.saturating_add(2)).ok());
        if let Some(level) = most {
            options.push(("fp.spacer.max_level".into(), level.to_string()));
        }
        options.extend(work.map(|units| ("rlimit".to_string(), units.to_string())));
        let input = HornQuery { options, clauses: self.clauses.clone() }.to_text();
        Batch::start(command, MEMORY, input, &task.cancel)
    }

    /// Starts the workers whose time has come; if nobody is at work, the next.
    ///
    /// # Errors
    /// If one cannot be started.
    pub fn start_due(&mut self, task: &Task, command: &WorkerCommand) -> Result<(), Fault> {
        while let Some(set) = OPTION_SETS.get(self.next)
            && (self.elapsed() >= set.after || self.idle())
        {
            let batch = self.start(task, command, set, None);
            self.workers[self.next] = Some(batch?);
            self.next += 1;
        }
        Ok(())
    }

    fn idle(&self) -> bool {
        self.workers.iter().all(Option::is_none)
    }

    /// Whether all workers have ended.
    pub fn exhausted(&self) -> bool {
        self.next == OPTION_SETS.len() && self.idle()
    }

    /// The answer of a worker that has ended; waits a moment for one.
    pub fn poll(&mut self) -> Option<HornAnswer> {
        for worker in &mut self.workers {
            let Some(answer) = worker.as_ref().and_then(|batch| batch.poll(PATIENCE)) else {
                continue;
            };
            *worker = None;
            let answer = answer.and_then(|text| HornAnswer::from_text(&text));
            return Some(answer.unwrap_or_else(|fault| HornAnswer::Unknown(fault.into())));
        }
        None
    }
}
