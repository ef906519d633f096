//! Simulation: random executions, compiled and side by side, guided towards
//! what is new. Refutes only, but at depths that no solver unrolls to.

use std::collections::BTreeMap;
use std::time::Duration;

use lustral_base::profile::measured;
use lustral_base::schedule::{self, Moment};
use lustral_simulation::{Explorer, Scalar, shorten};
use lustral_system::PropId;
use lustral_term::VarId;

use crate::board::{Finding, Found};
use crate::engine::{Engine, Stop};
use crate::model::{Inputs, is_counterexample};
use crate::portfolio::{Asks, Description, Settles, Task};

/// The time of the first advance; each takes twice as long as the one before,
/// up to the longest.
const FIRST: Duration = Duration::from_millis(2);
const LONGEST: Duration = Duration::from_millis(100);

/// The time in all, and for each step where the depth is limited: short
/// executions soon have nothing new to show.
const TIME: Duration = Duration::from_secs(12);
const TIME_FOR_A_STEP: Duration = Duration::from_millis(6);

/// The time at full speed; from then on, it works a third of the time.
const EAGER: Duration = Duration::from_secs(1);

/// How long a finding waits for a shorter one: users prefer those, and where
/// there is a short one, others find it soon.
const PATIENCE: Duration = Duration::from_millis(250);
const MOST_PATIENCE: Duration = Duration::from_secs(2);

/// An execution by the values of its inputs.
type Execution = Vec<Vec<Scalar>>;

/// The engine, as it describes itself.
pub static ENGINE: Description = Description {
    name: Simulation::NAME,
    help: "random executions, guided towards new states; refutes only, at any depth, and not always at the first failing step",
    module: module_path!(),
    by_default: true,
    settles: Settles::Refutations,
    asks: Asks::Nobody,
    quick: true,
    extends_depths: false,
    reads_candidates: false,
    options: &[],
    head_start: |company| {
        let wait = company.large && company.has_quick_prover();
        wait.then_some(Duration::from_secs(2))
    },
    again: Some(5),
    make: |task| Ok(Box::new(Simulation::new(task))),
    reacts: None,
};

/// The engine `simulation`.
pub struct Simulation<'t> {
    task: &'t Task,
    explorer: Explorer,
    slice: Duration,
    spent: Duration,
    started: Moment,
    /// Found, but perhaps not shortest; with the time until which it waits.
    waiting: BTreeMap<PropId, (Execution, Moment)>,
}

impl<'t> Simulation<'t> {
    /// The name of the engine.
    pub const NAME: &'static str = "simulation";

    /// An engine before its first execution.
    #[must_use]
    pub fn new(task: &'t Task) -> Simulation<'t> {
        Simulation {
            task,
            explorer: Explorer::new(&task.system, task.seed()),
            slice: FIRST,
            spent: Duration::ZERO,
            started: Moment::now(),
            waiting: BTreeMap::new(),
        }
    }

    /// The most steps of an execution.
    fn most(&self) -> usize {
        self.task.limits.most_steps()
    }

    fn found(&mut self, property: PropId, inputs: Execution) {
        let (length, start) = (inputs.len(), Moment::now());
        let Some(inputs) = shorten(self.explorer.machine(), property, inputs) else { return };
        let (shortened, took) = (inputs.len(), start.elapsed());
        tracing::debug!(length, shortened, ?took, spent = ?self.spent, "a property fails");
        // On a slow machine the others are slow as well.
        let patience = if self.task.board.is_alone() {
            Duration::ZERO
        } else {
            PATIENCE.max(2 * self.started.elapsed()).min(MOST_PATIENCE)
        };
        self.waiting.insert(property, (inputs, Moment::now() + patience));
    }

    /// Posts what has waited long enough, or is known to be shortest.
    fn post(&mut self, at_once: bool) {
        let board = &self.task.board;
        let open = board.open();
        self.waiting.retain(|property, _| open.contains(property));
        let ready = |(property, (inputs, until)): (&PropId, &(Execution, Moment))| {
            let shortest = board.depth_of(*property) + 1 >= inputs.len();
            (at_once || shortest || Moment::now() >= *until).then_some(*property)
        };
        let ready: Vec<PropId> = self.waiting.iter().filter_map(ready).collect();
        for property in ready {
            let Some((inputs, _)) = self.waiting.remove(&property) else { continue };
            self.settle(property, &inputs);
        }
    }

    fn settle(&self, property: PropId, inputs: &Execution) {
        let system = &self.task.system;
        let variables: Vec<VarId> = self.explorer.inputs().collect();
        let mut found = Inputs::default();
        for (step, values) in inputs.iter().enumerate() {
            for (var, value) in variables.iter().zip(values) {
                found.values.insert((step, *var), value.value(system.variable(*var).sort));
            }
        }
        // The program is run on them before anybody hears of it, so to do the
        // same here would cost more than finding it.
        debug_assert!(is_counterexample(system, property, inputs.len(), &found));
        let found = Found::Execution(inputs.len(), found);
        self.task.board.settle(Finding { property, found, engine: Simulation::NAME });
    }

    /// Random executions for a while.
    fn explore(&mut self) {
        let start = Moment::now();
        let over = start + self.slice;
        let mut charged = Duration::from_nanos(self.explorer.computed());
        let cancel = self.task.cancel.clone();
        // A round that was begun is ended: its last steps are the deepest.
        let stop = || cancel.is_cancelled();
        while !stop() && Moment::now() < over {
            let open = self.task.board.open();
            let wanted: Vec<PropId> =
                open.into_iter().filter(|p| !self.waiting.contains_key(p)).collect();
            if wanted.is_empty() {
                break;
            }
            let most = self.most();
            let failures = measured("round", || self.explorer.round(&wanted, most, &stop));
            schedule::charge(
                Duration::from_nanos(self.explorer.computed()).saturating_sub(charged),
            );
            charged = Duration::from_nanos(self.explorer.computed());
            for failure in failures {
                self.found(failure.property, failure.inputs);
            }
        }
        self.spent += start.elapsed();
        self.slice = (self.slice * 2).min(LONGEST);
    }

    /// Leaves the processor to others for a while.
    fn rest(&self) {
        let until = Moment::now() + 2 * self.slice;
        while Moment::now() < until && !self.task.cancel.is_cancelled() {
            let time = until.left().min(Duration::from_millis(10));
            schedule::rest(time, || std::thread::sleep(time));
        }
    }
}

impl Engine for Simulation<'_> {
    fn name(&self) -> &'static str {
        Simulation::NAME
    }

    fn advance(&mut self) -> Option<Stop> {
        if self.task.board.open().is_empty() {
            return Some(Stop::Done);
        }
        self.explore();
        self.post(false);
        let steps = u32::try_from(self.most()).unwrap_or(u32::MAX);
        if self.spent >= TIME_FOR_A_STEP.saturating_mul(steps).min(TIME) {
            self.post(true);
            return Some(Stop::DepthLimit(self.task.limits.within(self.explorer.deepest())));
        }
        if self.spent >= EAGER && !self.task.board.is_alone() {
            self.rest();
        } else if !self.waiting.is_empty() {
            // Nothing else to do than to wait, perhaps.
            let time = Duration::from_millis(1);
            schedule::rest(time, || std::thread::sleep(time));
        }
        None
    }
}
