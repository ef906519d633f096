//! An engine on a thread of its own: at once, late, once more, or beside itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::allocation::Instance;
use super::description::EngineChoice;
use super::engine::{Stop, run_to_end};
use super::running::Ended;
use super::task::Task;

/// How long second instances wait: what is easy needs none.
const LUCK: Duration = Duration::from_millis(200);

/// Says that an engine has ended, and why.
pub(super) fn end(task: &Task, choice: EngineChoice, stops: &Sender<Ended>, stop: Stop) {
    let _ = stops.send((choice, stop));
    task.board.end(choice.extends_depths);
}

/// An engine from its beginning to its end.
pub(super) fn run_one(task: &Task, choice: EngineChoice, stops: &Sender<Ended>) {
    let run = AssertUnwindSafe(|| {
        // To begin costs time and memory.
        if task.is_settled() {
            return Stop::Done;
        }
        match (choice.make)(task) {
            Ok(mut engine) => run_to_end(&mut *engine, task),
            Err(fault) => Stop::GaveUp(fault.into()),
        }
    });
    let stop = catch_unwind(run).unwrap_or(Stop::Panicked);
    end(task, choice, stops, stop);
}

/// An engine that begins late, on a thread of its own: after its head start, or when
/// there is nobody left to whom it could be given.
pub(super) fn run_late(task: &Task, choice: EngineChoice, start: Duration, stops: &Sender<Ended>) {
    let (seat, stops) = (task.schedule.reserve(&task.cancel), stops.clone());
    let task = task.clone();
    lustral_base::spawn(choice.name(), move || {
        seat.sit(|| {
            task.board.wait_behind(start, &task.cancel);
            if task.is_settled() {
                end(&task, choice, &stops, Stop::Done);
            } else {
                run_one(&task, choice, &stops);
            }
        });
    });
}

/// The second instance of an engine that reacts to what others learn, if it has
/// such a one.
pub(super) fn run_reacting(task: &Task, choice: EngineChoice, start: Duration) {
    let Some(make) = choice.reacts else { return };
    let (seat, task) = (task.schedule.reserve(&task.cancel), task.clone());
    lustral_base::spawn(choice.name(), move || {
        seat.sit(|| {
            task.board.wait_settled(start, &task.cancel);
            // Without lemmas it would only repeat what the first does, and
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
            if let Ok(mut engine) = make(&task) {
                let _ = catch_unwind(AssertUnwindSafe(|| run_to_end(&mut *engine, &task)));
            }
        });
    });
}

/// An engine once more, with a solver that is set up otherwise.
pub(super) fn run_again(task: &Task, instance: Instance) {
    let (seat, task) = (task.schedule.reserve(&task.cancel), instance.task(task));
    lustral_base::spawn(instance.choice.name(), move || {
        seat.sit(|| {
            task.board.wait_settled(LUCK, &task.cancel);
            // Nobody waits for it, and what goes wrong in it is nobody's loss.
            if !task.is_settled()
                && let Ok(mut engine) = (instance.choice.make)(&task)
            {
                let _ = catch_unwind(AssertUnwindSafe(|| run_to_end(&mut *engine, &task)));
            }
        });
    });
}
