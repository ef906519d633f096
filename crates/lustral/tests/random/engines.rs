//! The engines on a program, each finding checked as the program `lustral` does.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use lustral_certify::{Answer, Checked, ProofChecker, Rejected, check_trace};
use lustral_engines::{
    Board, EngineChoice, Finding, Found, Lens, News, Task, prepare, start, unprepared,
};
use lustral_smt::{Cancel, Solver, SolverOptions};
use lustral_system::PropId;

use crate::failure::Failure;
use crate::frontend::Unit;

/// The largest depth that the engines look at.
pub const MAX_K: usize = 12;

/// What is said of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Valid,
    /// Falsified at this step.
    Falsified(usize),
    Unknown(String),
}

/// How the engines are run.
#[derive(Clone, Debug)]
pub struct Setup {
    pub engines: Vec<EngineChoice>,
    pub prepared: bool,
}

impl Setup {
    /// Each engine alone and all together, with and without preparation.
    pub fn all() -> Vec<Setup> {
        let alone = EngineChoice::ALL.iter().map(|engine| vec![*engine]);
        let lists: Vec<Vec<EngineChoice>> = alone.chain([EngineChoice::ALL.to_vec()]).collect();
        let both = |engines: Vec<EngineChoice>| {
            [true, false].map(|prepared| Setup { engines: engines.clone(), prepared })
        };
        lists.into_iter().flat_map(both).collect()
    }

    /// As the program `lustral` does by default.
    pub fn usual() -> Setup {
        Setup { engines: EngineChoice::ALL.to_vec(), prepared: true }
    }
}

/// The checked verdicts of all properties, and whether the engines ended by
/// themselves within a time.
pub fn verdicts(
    unit: &Unit,
    setup: &Setup,
    time: Duration,
) -> Result<(Vec<Verdict>, bool), Failure> {
    let prepared = if setup.prepared { prepare(&unit.system) } else { unprepared(&unit.system) };
    let cancel = Cancel::with_deadline(Some(Instant::now() + time));
    let mut proofs = ProofChecker::new(&cancel).expect("the solver starts");
    let (sender, news) = channel();
    let tell = move |item| drop(sender.send(item));
    let task = Task {
        system: Arc::new(prepared.system),
        board: Arc::new(Board::new(unit.properties.len(), Box::new(tell))),
        solver: Solver::BuiltIn,
        options: SolverOptions::default(),
        max_k: MAX_K,
        cancel: cancel.clone(),
    };
    let running = start(&task, &setup.engines);
    let mut found: Vec<Option<Verdict>> = vec![None; unit.properties.len()];
    let mut at_work = true;
    loop {
        match news.recv_timeout(Duration::from_millis(50)) {
            Ok(News::Finding(finding)) => {
                let property = finding.property;
                let verdict = checked(unit, &prepared.lens, &mut proofs, finding)?;
                if found[property.index()].replace(verdict).is_some() {
                    return Err(Failure::new("twice", "a property was settled twice"));
                }
            }
            Ok(News::Ended(left)) => at_work = left > 0,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        if cancel.is_cancelled() {
            break;
        }
        let heard = found.iter().filter(|v| v.is_some()).count();
        let open = task.board.open().len();
        if heard + open == found.len() && (open == 0 || !at_work) {
            break;
        }
    }
    let ended = !cancel.is_cancelled();
    for (property, reason) in running.finish() {
        found[property.index()].get_or_insert(Verdict::Unknown(reason.to_string()));
    }
    let late = || Verdict::Unknown("not checked in time".into());
    Ok((found.into_iter().map(|v| v.unwrap_or_else(late)).collect(), ended))
}

/// The verdict of a finding, which must pass its check.
fn checked(
    unit: &Unit,
    lens: &Lens,
    proofs: &mut ProofChecker,
    finding: Finding,
) -> Result<Verdict, Failure> {
    let Finding { property, found, engine } = finding;
    let answer = match found {
        Found::Proof(proof) => proofs.check(&unit.system, property, lens.proof(proof)),
        Found::Execution(length, inputs) => {
            let free = |step, var| inputs.values.get(&(step, var)).cloned();
            let trace = lens.trace(&unit.system, length, inputs.divisions.clone(), free);
            check_trace(unit.context(), property, trace)
        }
    };
    match answer.as_ref().map(Checked::get) {
        Ok(Answer::Valid(_)) => Ok(Verdict::Valid),
        Ok(Answer::Falsifiable(trace)) => Ok(Verdict::Falsified(trace.len() - 1)),
        Ok(Answer::Unknown(reason)) => Ok(Verdict::Unknown(reason.to_string())),
        Err(Rejected::NoAnswer(_, reason)) => Ok(Verdict::Unknown(reason.clone())),
        Err(rejected) => Err(refused(unit, property, engine, rejected)),
    }
}

fn refused(unit: &Unit, property: PropId, engine: &str, rejected: &Rejected) -> Failure {
    let name = &unit.system.property(property).name;
    Failure::new("check of an answer", format!("{engine} about `{name}`: {rejected}"))
}
