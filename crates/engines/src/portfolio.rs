//! The portfolio: which engines run, where, and when it is over.
//!
//! Small problems do not pay for big ones: the first few steps of all engines
//! are taken in turn on one thread; only then does each get a thread of its own.

use lustral_system::{PropId, Reason};

use crate::bmc::Bmc;
use crate::engine::{Engine, Stop, Task, run_to_end};
use crate::kinduction::KInduction;

/// An engine that can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineChoice {
    /// Bounded model checking: refutes, and proves where all executions end.
    Bmc,
    /// k-induction, with bounded model checking for its base case.
    KInduction,
}

impl EngineChoice {
    /// All engines.
    pub const ALL: [EngineChoice; 2] = [EngineChoice::Bmc, EngineChoice::KInduction];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EngineChoice::Bmc => Bmc::NAME,
            EngineChoice::KInduction => KInduction::NAME,
        }
    }
}

/// Depth up to which the engines take turns on one thread.
const QUICK_DEPTH: usize = 4;

/// Engines at work.
pub struct Running {
    task: Task,
    stops: std::sync::mpsc::Receiver<Stop>,
}

/// Starts engines. They end by themselves when no property is open any more,
/// when they have nothing more to try, or when they are cancelled; what they
/// find, and that they have ended, is news of the board.
#[must_use]
pub fn start(task: &Task, engines: &[EngineChoice]) -> Running {
    let induction = engines.contains(&EngineChoice::KInduction);
    let (sender, stops) = std::sync::mpsc::channel();
    task.board.begin();
    if induction {
        task.board.begin();
    }
    let worker = {
        let task = task.clone();
        move || work(&task, induction, &sender)
    };
    // Detached: a solver that does not react to its interrupt must not keep
    // the answers from the user.
    lustral_smt::spawn("engines", worker);
    Running { task: task.clone(), stops }
}

impl Running {
    /// Stops all engines. The reason for each property that is still open.
    #[must_use]
    pub fn finish(self) -> Vec<(PropId, Reason)> {
        let reason = self.reason();
        self.task.cancel.cancel();
        self.task.board.open().into_iter().map(|p| (p, reason.clone())).collect()
    }

    /// Why properties stay open, from the reasons of the engines.
    fn reason(&self) -> Reason {
        let deadline = self.task.cancel.deadline();
        if deadline.is_some_and(|d| std::time::Instant::now() >= d) {
            return Reason::Timeout;
        }
        if self.task.cancel.is_cancelled() {
            return Reason::Interrupted;
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
        match (gave_up, depth.max()) {
            (Some(reason), _) => reason,
            (None, Some(k)) => Reason::DepthLimit(k),
            (None, None) => Reason::Interrupted,
        }
    }
}

type Stops = std::sync::mpsc::Sender<Stop>;

/// The quick pass, then one thread for each engine.
fn work(task: &Task, induction: bool, stops: &Stops) {
    let end = |stop: Stop| {
        let _ = stops.send(stop);
        task.board.end();
    };
    let mut bmc = match Bmc::new(task) {
        Ok(engine) => engine,
        Err(fault) => {
            if induction {
                end(Stop::GaveUp(fault.to_string()));
            }
            return end(Stop::GaveUp(fault.to_string()));
        }
    };
    let mut step_case = if induction { KInduction::new(task).ok() } else { None };
    if induction && step_case.is_none() {
        end(Stop::GaveUp("the solver cannot be started".into()));
    }
    for _ in 0..QUICK_DEPTH {
        if task.cancel.is_cancelled() {
            break;
        }
        if let Some(stop) = bmc.advance() {
            if let Some(mut engine) = step_case.take() {
                // Whatever base case there is, there will be no more of it.
                end(if stop == Stop::Done { Stop::Done } else { run_to_end(&mut engine, task) });
            }
            return end(stop);
        }
        if let Some(engine) = &mut step_case
            && let Some(stop) = engine.advance()
        {
            end(stop);
            step_case = None;
        }
    }
    // A session cannot change threads: the step case starts anew on its own,
    // which costs its first few steps, all of them cheap.
    if step_case.take().is_some() {
        let (task, stops) = (task.clone(), stops.clone());
        let body = move || {
            let stop = match KInduction::new(&task) {
                Ok(mut engine) => run_to_end(&mut engine, &task),
                Err(fault) => Stop::GaveUp(fault.to_string()),
            };
            let _ = stops.send(stop);
            task.board.end();
        };
        lustral_smt::spawn(KInduction::NAME, body);
    }
    let stop = run_to_end(&mut bmc, task);
    end(stop);
}
