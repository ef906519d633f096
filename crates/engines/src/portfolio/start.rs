//! Which engines run, where, and when each begins.
//!
//! Small problems do not pay for big ones: the first few steps of all engines
//! are taken in turn on one thread; only then does each get a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use lustral_base::schedule::{self, Moment};
use lustral_system::TransitionSystem;
use lustral_term::Operator;

use super::allocation::again;
use super::description::{Asks, BASE_CASE, Company, EngineChoice};
use super::engine::{Engine, Stop, advance, run_to_end};
use super::running::{Ended, Running};
use super::task::Task;
use super::threads::{end, run_again, run_late, run_one, run_reacting};

/// Depth up to which the engines take turns on one thread.
const QUICK_DEPTH: usize = 4;

/// For how long they do so at most.
const QUICK_TIME: Duration = Duration::from_millis(250);

/// Starts engines. They end by themselves when no property is open any more,
/// when they have nothing more to try, or when they are cancelled; what they
/// find, and that they have ended, is news of the board.
#[must_use]
pub fn start(task: &Task, engines: &[EngineChoice]) -> Running {
    let choices = with_base_case(engines);
    let (sender, stops) = channel();
    let seat = task.schedule.reserve(&task.cancel);
    choices.iter().for_each(|choice| task.board.begin(choice.extends_depths));
    let worker = {
        let task = task.clone();
        move || {
            let first = choices.first().copied();
            // A solver library can fail in ways that end in a panic. Whoever
            // waits for the engines must hear of it.
            let work = AssertUnwindSafe(|| seat.sit(|| work(&task, choices, &sender)));
            if catch_unwind(work).is_err() {
                let _ = first.map(|engine| sender.send((engine, Stop::Panicked)));
                task.board.end_all();
            }
        }
    };
    // Detached: a solver that does not react to its interrupt must not keep
    // the answers from the user.
    if lustral_base::try_spawn("engines", worker).is_err() {
        task.board.end_all();
    }
    Running { task: task.clone(), stops, engines: engines.to_vec() }
}

/// The engines that are asked for, each once, with the one that shows base
/// cases where some only prove. It comes first: step cases wait for its depths.
fn with_base_case(engines: &[EngineChoice]) -> Vec<EngineChoice> {
    let needed = engines.iter().any(|engine| engine.needs_base_case() || *engine == BASE_CASE);
    let mut choices = if needed { vec![BASE_CASE] } else { Vec::new() };
    for engine in engines {
        if !choices.contains(engine) {
            choices.push(*engine);
        }
    }
    choices
}

/// Whether a system converts between integers and machine integers. A solver can stall
/// on one such query, and a property that is alone has all the time there is.
fn converts_words(system: &TransitionSystem) -> bool {
    let all = system.terms.closure(system.roots());
    all.into_iter().any(|term| {
        matches!(system.terms.operator(term), Some(Operator::IntToBv(_) | Operator::BvToInt))
    })
}

/// The quick pass, then one thread for each engine that has not ended. A
/// session cannot change threads, so all but the first start anew, which costs
/// their first few steps. Engines without time limits have no part in the quick
/// pass: a hard query would hold up all others.
fn work(task: &Task, choices: Vec<EngineChoice>, stops: &Sender<Ended>) {
    let start = |c: &EngineChoice| (c.head_start)(&Company::new(task, &choices, *c));
    let (late, early): (Vec<_>, Vec<_>) = choices.iter().partition(|c| start(c).is_some());
    for choice in &late {
        run_late(task, *choice, start(choice).unwrap_or_default(), stops);
    }
    if let Some(first) = late.iter().filter_map(start).min() {
        // On few processors it takes from the first what that needs.
        if task.schedule.jobs() > 2 {
            early.iter().for_each(|choice| run_reacting(task, *choice, first));
        }
    }
    // Who asks no solver cannot stall, and finds what is easy before others do.
    let stalls = converts_words(&task.system);
    let is_quick = |c: &EngineChoice| c.quick && (!stalls || matches!(c.asks, Asks::Nobody));
    let (quick, slow): (Vec<_>, Vec<_>) = early.into_iter().partition(is_quick);
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
        let stop = catch_unwind(run).unwrap_or(Stop::Panicked);
        end(task, choice, stops, stop);
    }
}

type Member<'t> = (EngineChoice, Box<dyn Engine + 't>);

/// Takes the first few steps of the quick engines in turn. What is left: the
/// first engine that has not ended, and which others have not.
fn quick_pass<'t>(
    task: &'t Task,
    choices: Vec<EngineChoice>,
    stops: &Sender<Ended>,
) -> Option<(Member<'t>, Vec<EngineChoice>)> {
    let mut members: Vec<Member<'t>> = Vec::new();
    for choice in choices {
        match (choice.make)(task) {
            Ok(engine) => members.push((choice, engine)),
            Err(fault) => end(task, choice, stops, Stop::GaveUp(fault.into())),
        }
    }
    let start = Moment::now();
    for _ in 0..QUICK_DEPTH {
        // With many properties a step can take long, and is not for the others to wait for.
        if start.elapsed() > QUICK_TIME {
            break;
        }
        let mut left = Vec::with_capacity(members.len());
        for (choice, mut engine) in members {
            // A solver library can fail in ways that end in a panic.
            let advance = AssertUnwindSafe(|| advance(&mut *engine));
            let stop = if task.cancel.is_cancelled() {
                Some(Stop::Cancelled)
            } else {
                catch_unwind(advance).unwrap_or(Some(Stop::Panicked))
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
