//! The engines on one cut system, for a while.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_certify::{CutSystem, Rejected};
use lustral_engines::{Board, EngineChoice, Finding, Found, News, Task, prepare_by, start};
use lustral_system::{PropId, Reason, Trace};

use super::Settings;
use crate::checker::{CheckResult, Checker, Store};
use crate::unit::Unit;
use crate::worker;

/// How long others may go on after somebody found an execution that is none of
/// the program, and in proportion to what came before.
const AFTER: Duration = Duration::from_millis(200);

/// What is found on the way.
pub enum Heard {
    /// A proof that passed its check, or did not.
    Checked(CheckResult),
    /// An execution of the cut system, at the last step of which a property fails.
    Execution(PropId, &'static str, Trace),
}

/// What came of it.
#[derive(Default)]
pub struct Round {
    /// Whether it was ended because of an execution, with others at work.
    pub cut_short: bool,
    /// Why the other properties stay open.
    pub reasons: Vec<(PropId, Reason)>,
}

enum Message {
    News(News),
    Checked(CheckResult),
}

/// Runs the engines until all is settled, or the time is up. What is found goes
/// to `hear` at once, which says whether it settles something.
pub fn run(
    settings: &Settings,
    (cut, unit): (&Arc<CutSystem>, &Arc<Unit>),
    store: Store,
    cancel: &Cancel,
    mut hear: impl FnMut(Heard) -> bool,
) -> Round {
    let prepared = prepare_by(&unit.system, settings.prepare);
    let lens = Arc::new(prepared.lens);
    let (sender, messages) = channel();
    let tell = {
        let sender = sender.clone();
        move |news| drop(sender.send(Message::News(news)))
    };
    let task = Task {
        system: Arc::new(prepared.system),
        board: Arc::new(Board::new(unit.properties.len(), Box::new(tell))),
        solver: settings.solver.clone(),
        bmc_solver: settings.bmc_solver.clone(),
        options: settings.options.clone(),
        max_k: settings.max_k,
        compression: settings.compression,
        templates: settings.templates,
        abduction: settings.abduction,
        width: settings.width,
        candidates: Arc::new([]),
        worker: worker::horn_command(),
        schedule: settings.schedule.clone(),
        cancel: cancel.clone(),
    };
    let checker = Checker {
        unit: unit.clone(),
        cut: Some(cut.clone()),
        lens: lens.clone(),
        options: task.options.clone(),
        cancel: cancel.clone(),
        store,
        explain: settings.explain,
        schedule: settings.own_schedule.clone(),
    };
    let check = checker.start(move |result| drop(sender.send(Message::Checked(result))));
    let engines: &[EngineChoice] = &settings.engines;
    let running = start(&task, engines);
    let began = Instant::now();
    let mut round = Round::default();
    let exact = cut.tree().cut_ids().next().is_none();
    let (mut heard, mut pending, mut at_work) = (0, 0, true);
    let mut until: Option<Instant> = None;
    loop {
        match messages.recv_timeout(Duration::from_millis(20)) {
            Ok(Message::News(News::Finding(finding))) => {
                heard += 1;
                let Finding { property, engine, found } = finding;
                match found {
                    Found::Execution(length, inputs) => {
                        let free = |step, var| inputs.values.get(&(step, var)).cloned();
                        let divisions = inputs.divisions.clone();
                        let trace = lens.trace(&unit.system, length, divisions, free);
                        // If it is none of the program, others may find none either.
                        if !hear(Heard::Execution(property, engine, trace)) && !exact {
                            let now = Instant::now();
                            until.get_or_insert(now + AFTER.max(now - began));
                        }
                    }
                    found @ Found::Proof(_) => {
                        pending += 1;
                        if check.send(Finding { property, engine, found }).is_err() {
                            break;
                        }
                    }
                }
            }
            Ok(Message::News(News::Ended(left))) => at_work = left > 0,
            Ok(Message::Checked(result)) => {
                pending -= 1;
                // The solver could not tell: perhaps a smaller system helps.
                if let Err(Rejected::NoAnswer(obligation, reason)) = &result.answer {
                    let reason = format!("checking the obligation {obligation}: {reason}");
                    round.reasons.push((result.property, Reason::Solver(reason)));
                } else {
                    hear(Heard::Checked(result));
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        let open = task.board.open().len();
        let settled = heard + open == unit.properties.len() && (open == 0 || !at_work);
        let enough = until.is_some_and(|until| Instant::now() >= until);
        if (settled || enough) && pending == 0 || cancel.is_cancelled() {
            round.cut_short = !settled && enough;
            break;
        }
    }
    round.reasons.extend(running.finish());
    round
}
