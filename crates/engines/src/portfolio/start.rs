//! The portfolio: which engines run, where, and when it is over.
//!
//! Small problems do not pay for big ones: the first few steps of all engines
//! are taken in turn on one thread; only then does each get a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use lustral_base::schedule;
use lustral_smt::Fault;
use lustral_system::{DualAnswer, PropId, Reason};

use super::allocation::{Instance, again};
use crate::engine::{Engine, Stop, Task, advance, run_to_end};
use crate::engines::abstraction::Abstraction;
use crate::engines::bmc::Bmc;
use crate::engines::ic3::Ic3;
use crate::engines::kinduction::KInduction;
use crate::engines::pdh::Pdh;
use crate::engines::simulation::Simulation;
use crate::horn::Horn;
use crate::learn::{HHoudini, Houdini, Sorcar};

/// An engine that can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineChoice {
    /// Bounded model checking: refutes, and proves where all executions end.
    Bmc,
    /// k-induction, with bounded model checking for its base case.
    KInduction,
    /// k-induction and its base case by structural abstraction.
    Abstraction,
    /// The largest inductive set of candidates.
    Houdini,
    /// The candidates that a property needs, found forwards.
    Sorcar,
    /// The candidates that a property needs, found backwards.
    HHoudini,
    /// Random executions: refutes only.
    Simulation,
    /// Horn clauses, solved by Z3's Spacer in worker processes.
    Horn,
    /// IC3 with implicit predicate abstraction.
    Ic3,
    /// Primal-dual Houdini.
    Pdh,
}

impl EngineChoice {
    /// All engines.
    pub const ALL: [EngineChoice; 10] = [
        EngineChoice::Bmc,
        EngineChoice::KInduction,
        EngineChoice::Abstraction,
        EngineChoice::Houdini,
        EngineChoice::Sorcar,
        EngineChoice::HHoudini,
        EngineChoice::Simulation,
        EngineChoice::Horn,
        EngineChoice::Ic3,
        EngineChoice::Pdh,
    ];

    /// Those that run if none is asked for.
    pub const DEFAULT: [EngineChoice; 6] = [
        EngineChoice::Bmc,
        EngineChoice::KInduction,
        EngineChoice::Simulation,
        EngineChoice::Sorcar,
        EngineChoice::Horn,
        EngineChoice::Ic3,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EngineChoice::Bmc => Bmc::NAME,
            EngineChoice::KInduction => KInduction::NAME,
            EngineChoice::Abstraction => Abstraction::NAME,
            EngineChoice::Houdini => Houdini::NAME,
            EngineChoice::Sorcar => Sorcar::NAME,
            EngineChoice::HHoudini => HHoudini::NAME,
            EngineChoice::Simulation => Simulation::NAME,
            EngineChoice::Horn => Horn::NAME,
            EngineChoice::Ic3 => Ic3::NAME,
            EngineChoice::Pdh => Pdh::NAME,
        }
    }

    /// Whether its proofs rest on invariants that it learns.
    #[must_use]
    pub fn learns(self) -> bool {
        matches!(self, EngineChoice::Houdini | EngineChoice::Sorcar | EngineChoice::HHoudini)
    }

    /// The head start that it gives the others: what they settle at once is
    /// not worth a process; and to learn all that candidates say pays only
    /// where the part that the properties ask for was not enough. A learner
    /// asks nothing of the search for counterexamples.
    fn head_start(self, task: &Task, others: &[EngineChoice]) -> Option<Duration> {
        let large = task.system.terms.len() > LARGE;
        match self {
            EngineChoice::Sorcar | EngineChoice::Houdini | EngineChoice::Simulation
                if large && others.contains(&EngineChoice::KInduction) =>
            {
                Some(Duration::from_secs(2))
            }
            EngineChoice::Horn => Some(Duration::from_millis(100)),
            EngineChoice::Ic3 if others.contains(&EngineChoice::Horn) => {
                // On few processors it would take from others what they need.
                Some(Duration::from_millis(if task.schedule.jobs() > 2 { 200 } else { 600 }))
            }
            EngineChoice::Bmc if others.iter().all(|o| *o == EngineChoice::Bmc || o.learns()) => {
                (others.len() > 1).then_some(Duration::from_millis(100))
            }
            EngineChoice::Houdini if others.contains(&EngineChoice::Sorcar) => {
                Some(Duration::from_secs(if task.schedule.jobs() > 2 { 1 } else { 3 }))
            }
            _ => None,
        }
    }

    /// Whether it says how deep properties hold.
    fn extends_depths(self) -> bool {
        matches!(self, EngineChoice::Bmc | EngineChoice::Abstraction)
    }

    /// Whether its first steps are quick: it has time limits, or no solver.
    fn is_quick(self) -> bool {
        matches!(self, EngineChoice::Bmc | EngineChoice::KInduction | EngineChoice::Simulation)
    }

    /// Whether `bmc` runs where this does.
    #[must_use]
    pub fn runs_bmc(self) -> bool {
        self == EngineChoice::Bmc || self.only_proves()
    }

    /// Whether somebody else has to refute, and to show base cases.
    fn only_proves(self) -> bool {
        match self {
            EngineChoice::KInduction
            | EngineChoice::Houdini
            | EngineChoice::Sorcar
            | EngineChoice::HHoudini => true,
            EngineChoice::Bmc
            | EngineChoice::Abstraction
            | EngineChoice::Simulation
            | EngineChoice::Horn
            | EngineChoice::Ic3
            | EngineChoice::Pdh => false,
        }
    }

    fn make(self, task: &Task) -> Result<Box<dyn Engine + '_>, Fault> {
        Ok(match self {
            EngineChoice::Bmc => Box::new(Bmc::new(task)?),
            EngineChoice::KInduction => Box::new(KInduction::new(task)?),
            EngineChoice::Abstraction => Box::new(Abstraction::new(task)?),
            EngineChoice::Houdini => Box::new(Houdini::new(task)?),
            EngineChoice::Sorcar => Box::new(Sorcar::new(task)?),
            EngineChoice::HHoudini => Box::new(HHoudini::new(task)?),
            EngineChoice::Simulation => Box::new(Simulation::new(task)),
            EngineChoice::Horn => Box::new(Horn::new(task)?),
            EngineChoice::Ic3 => Box::new(Ic3::new(task)?),
            EngineChoice::Pdh => Box::new(Pdh::new(task)),
        })
    }
}

/// Depth up to which the engines take turns on one thread.
const QUICK_DEPTH: usize = 4;

/// In a system with more terms than this, even the first steps of learning and
/// of simulation take their time.
const LARGE: usize = 20_000;

/// What is easy needs no luck.
const LUCK: Duration = Duration::from_millis(200);

/// The k of the second induction.
const FIXED_K: usize = 2;

/// Engines at work.
pub struct Running {
    task: Task,
    stops: Receiver<Stop>,
}

/// Starts engines. They end by themselves when no property is open any more,
/// when they have nothing more to try, or when they are cancelled; what they
/// find, and that they have ended, is news of the board.
#[must_use]
pub fn start(task: &Task, engines: &[EngineChoice]) -> Running {
    let mut choices = engines.to_vec();
    if choices.iter().any(|choice| choice.only_proves()) && !choices.contains(&EngineChoice::Bmc) {
        choices.push(EngineChoice::Bmc);
    }
    // The base case comes first: the step case waits for its depths.
    choices.sort_by_key(|choice| *choice != EngineChoice::Bmc);
    let mut seen = Vec::new();
    choices.retain(|choice| {
        !seen.contains(choice) && {
            seen.push(*choice);
            true
        }
    });
    let (sender, stops) = channel();
    let seat = task.schedule.reserve(&task.cancel);
    choices.iter().for_each(|choice| task.board.begin(choice.extends_depths()));
    let worker = {
        let task = task.clone();
        move || {
            // A solver library can fail in ways that end in a panic. Whoever
            // waits for the engines must hear of it.
            let work = AssertUnwindSafe(|| seat.sit(|| work(&task, choices, &sender)));
            if catch_unwind(work).is_err() {
                let _ = sender.send(Stop::GaveUp("an engine panicked".into()));
                task.board.end_all();
            }
        }
    };
    // Detached: a solver that does not react to its interrupt must not keep
    // the answers from the user.
    lustral_base::spawn("engines", worker);
    Running { task: task.clone(), stops }
}

impl Running {
    /// Stops all engines. The reason for each property that is still open.
    #[must_use]
    pub fn finish(self) -> Vec<(PropId, Reason)> {
        let common = self.reason();
        self.task.cancel.cancel();
        let board = &self.task.board;
        // What is wrong with a property says more than that its time is up.
        let reason = |p| match board.dual_search(p).map(|search| search.answer.clone()) {
            Some(DualAnswer::Unprovable { width, states }) => {
                let states = states.states.len();
                let text = format!(
                    "not provable by steps of width {width}, whether it holds or not: it fails \
                     in one of {states} states that no such proof excludes"
                );
                Reason::Inconclusive { engine: Pdh::NAME, code: "unprovable", text }
            }
            _ => board.trouble(p).map_or_else(|| common.clone(), Reason::Solver),
        };
        board.open().into_iter().map(|p| (p, reason(p))).collect()
    }

    /// Why properties stay open, from the reasons of the engines.
    fn reason(&self) -> Reason {
        if let Some(cause) = self.task.cancel.cause() {
            return cause.into();
        }
        let stops: Vec<Stop> = self.stops.try_iter().collect();
        let gave_up = stops.iter().find_map(|stop| match stop {
            Stop::GaveUp(reason) => Some(Reason::Solver(reason.clone())),
            _ => None,
        });
        let depth = stops.iter().filter_map(|stop| match stop {
            Stop::DepthLimit(k) => Some(*k),
            _ => None,
        });
        // That one engine is not for it matters only if no other was.
        let declined = stops.iter().find_map(|stop| match stop {
            Stop::Declined(reason) => Some(Reason::Solver(reason.clone())),
            _ => None,
        });
        let depth = depth.max().map(Reason::DepthLimit);
        let nothing = stops.contains(&Stop::NothingLeft).then_some(Reason::NoInvariant);
        gave_up.or(depth).or(nothing).or(declined).unwrap_or(Reason::Interrupted)
    }
}

/// Says that an engine has ended, and why.
fn end(task: &Task, choice: EngineChoice, stops: &Sender<Stop>, stop: Stop) {
    let _ = stops.send(stop);
    task.board.end(choice.extends_depths());
}

/// An engine from its beginning to its end.
fn run_one(task: &Task, choice: EngineChoice, stops: &Sender<Stop>) {
    let run = AssertUnwindSafe(|| {
        // To begin costs time and memory.
        if task.is_settled() {
            return Stop::Done;
        }
        match choice.make(task) {
            Ok(mut engine) => run_to_end(&mut *engine, task),
            Err(fault) => Stop::GaveUp(fault.to_string()),
        }
    });
    let stop = catch_unwind(run).unwrap_or_else(|_| panicked(choice));
    end(task, choice, stops, stop);
}

/// An engine that begins late, on a thread of its own.
fn run_late(task: &Task, choice: EngineChoice, start: Duration, stops: &Sender<Stop>) {
    let (seat, stops) = (task.schedule.reserve(&task.cancel), stops.clone());
    let task = task.clone();
    lustral_base::spawn(choice.name(), move || {
        seat.sit(|| {
            task.board.wait_settled(start, &task.cancel);
            match task.is_settled() {
                true => end(&task, choice, &stops, Stop::Done),
                false => run_one(&task, choice, &stops),
            }
        });
    });
}

/// A second induction at a fixed k that reacts to what others learn: it finds
/// what deep unrolling hides.
fn run_fixed(task: &Task, start: Duration) {
    let (seat, task) = (task.schedule.reserve(&task.cancel), task.clone());
    lustral_base::spawn("k-induction", move || {
        seat.sit(|| {
            task.board.wait_settled(start, &task.cancel);
            // Without lemmas it would only repeat what the other does, and
            // every solver costs memory.
            loop {
                if task.is_settled() || task.cancel.is_cancelled() {
                    return;
                }
                if !task.board.lemmas_after(0).is_empty() {
                    break;
                }
                task.board.wait_lemmas(0, Duration::from_millis(20));
            }
            // Nobody waits for it, and what goes wrong in it is nobody's loss.
            if let Ok(mut engine) = KInduction::fixed(&task, FIXED_K) {
                let _ = catch_unwind(AssertUnwindSafe(|| run_to_end(&mut engine, &task)));
            }
        });
    });
}

/// An engine once more, with a solver that is set up otherwise.
fn run_again(task: &Task, instance: Instance) {
    let (seat, task) = (task.schedule.reserve(&task.cancel), instance.task(task));
    lustral_base::spawn(instance.choice.name(), move || {
        seat.sit(|| {
            task.board.wait_settled(LUCK, &task.cancel);
            // Nobody waits for it, and what goes wrong in it is nobody's loss.
            if !task.is_settled()
                && let Ok(mut engine) = instance.choice.make(&task)
            {
                let _ = catch_unwind(AssertUnwindSafe(|| run_to_end(&mut *engine, &task)));
            }
        });
    });
}

/// The quick pass, then one thread for each engine that has not ended. A
/// session cannot change threads, so all but the first start anew, which costs
/// their first few steps. Engines without time limits have no part in the quick
/// pass: a hard query would hold up all others.
fn work(task: &Task, choices: Vec<EngineChoice>, stops: &Sender<Stop>) {
    let start = |c: &EngineChoice| c.head_start(task, &choices);
    let (late, early): (Vec<_>, Vec<_>) = choices.iter().partition(|c| start(c).is_some());
    if early.is_empty() {
        return late.into_iter().for_each(|choice| run_one(task, choice, stops));
    }
    for choice in &late {
        run_late(task, *choice, start(choice).unwrap_or_default(), stops);
    }
    let induction = early.contains(&EngineChoice::KInduction);
    if let Some(first) = late.iter().filter_map(start).min().filter(|_| induction) {
        // On few processors it takes from the first what that needs.
        if task.schedule.jobs() > 2 {
            run_fixed(task, first);
        }
    }
    let (quick, slow): (Vec<_>, Vec<_>) = early.into_iter().partition(|c| c.is_quick());
    task.board.set_in_turn(true);
    let left = quick_pass(task, quick, stops);
    task.board.set_in_turn(false);
    let (first, others) = match left {
        Some((first, others)) => (Some(first), others),
        None => (None, Vec::new()),
    };
    for choice in others.into_iter().chain(slow) {
        let seat = task.schedule.reserve(&task.cancel);
        let (task, stops) = (task.clone(), stops.clone());
        lustral_base::spawn(choice.name(), move || seat.sit(|| run_one(&task, choice, &stops)));
    }
    let jobs = if task.schedule.is_counted() { 1 } else { task.schedule.jobs() };
    again(jobs, &choices).into_iter().for_each(|instance| run_again(task, instance));
    if let Some((choice, mut engine)) = first {
        let run = AssertUnwindSafe(|| run_to_end(&mut *engine, task));
        let stop = catch_unwind(run).unwrap_or_else(|_| panicked(choice));
        end(task, choice, stops, stop);
    }
}

/// What is left of an engine that panicked.
fn panicked(choice: EngineChoice) -> Stop {
    Stop::GaveUp(format!("the engine {} panicked", choice.name()))
}

type Member<'t> = (EngineChoice, Box<dyn Engine + 't>);

/// Takes the first few steps of the quick engines in turn. What is left: the
/// first engine that has not ended, and which others have not.
fn quick_pass<'t>(
    task: &'t Task,
    choices: Vec<EngineChoice>,
    stops: &Sender<Stop>,
) -> Option<(Member<'t>, Vec<EngineChoice>)> {
    let mut members: Vec<Member<'t>> = Vec::new();
    for choice in choices {
        match choice.make(task) {
            Ok(engine) => members.push((choice, engine)),
            Err(fault) => end(task, choice, stops, Stop::GaveUp(fault.to_string())),
        }
    }
    for _ in 0..QUICK_DEPTH {
        let mut left = Vec::with_capacity(members.len());
        for (choice, mut engine) in members {
            // A solver library can fail in ways that end in a panic.
            let advance = AssertUnwindSafe(|| advance(&mut *engine));
            let stop = match task.cancel.is_cancelled() {
                true => Some(Stop::Cancelled),
                false => catch_unwind(advance).unwrap_or_else(|_| Some(panicked(choice))),
            };
            match stop {
                Some(stop) => end(task, choice, stops, stop),
                None => left.push((choice, engine)),
            }
            schedule::pause();
        }
        members = left;
    }
    if members.is_empty() {
        return None;
    }
    let first = members.remove(0);
    Some((first, members.into_iter().map(|(choice, _)| choice).collect()))
}
