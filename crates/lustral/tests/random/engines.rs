//! The engines on a program, each finding checked as the program `lustral` does.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_certify::{Answer, Checked, ProofChecker, Rejected};
use lustral_coordinator::{CheckResult, Event, Job, Open, Options, Run, Unit};
use lustral_engines::{Compression, EngineChoice, Minimiser, Passes, engines};
use lustral_flow::encode_with_conditions;
use lustral_smt::{Solver, SolverOptions, WorkerCommand};
use lustral_system::{Certificate, PropId, Reason};

use lustral_testing::encoding::Encoded;
use lustral_testing::failure::Failure;

use crate::vacuity;

/// Properties that were said to say nothing, and looked at.
pub static IDLE: AtomicUsize = AtomicUsize::new(0);

/// The largest depth that the engines look at.
pub const MAX_K: usize = 12;

/// What is said of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Valid,
    /// Falsified at this step.
    Falsified(usize),
    /// No engine of the setup takes such a property.
    Declined,
    Unknown(String),
}

/// How the engines are run.
#[derive(Clone, Debug)]
pub struct Setup {
    pub engines: Vec<EngineChoice>,
    pub compression: Compression,
    pub prepared: bool,
}

impl Setup {
    /// Each engine alone, induction and all together with every kind of path
    /// compression; all with and without preparation.
    pub fn all() -> Vec<Setup> {
        let alone = EngineChoice::ALL.iter().map(|engine| (vec![*engine], Compression::Lazy));
        let others = [Compression::Off, Compression::Eager];
        let induction = others
            .map(|compression| (vec![EngineChoice(&engines::kinduction::ENGINE)], compression));
        let together = [Compression::Lazy, Compression::Off, Compression::Eager]
            .map(|compression| (EngineChoice::ALL.to_vec(), compression));
        let both = |(engines, compression): (Vec<EngineChoice>, Compression)| {
            [true, false].map(|prepared| Setup { engines: engines.clone(), compression, prepared })
        };
        alone.chain(induction).chain(together).flat_map(both).collect()
    }

    /// Whether a property is refuted at the first step at which it fails:
    /// random executions know nothing of earlier ones, and pdh begins with some.
    pub fn refutes_at_first(&self) -> bool {
        let random =
            [EngineChoice(&engines::simulation::ENGINE), EngineChoice(&engines::pdh::ENGINE)];
        !random.iter().any(|engine| self.engines.contains(engine))
    }

    /// Whether all that fails within the depth limit is refuted.
    pub fn refutes_all(&self) -> bool {
        self.engines != [EngineChoice(&engines::simulation::ENGINE)]
            && self.engines != [EngineChoice(&engines::pdh::ENGINE)]
    }

    /// Those of the usual engines that refute at the first step.
    pub fn first() -> Setup {
        let engines =
            vec![EngineChoice(&engines::bmc::ENGINE), EngineChoice(&engines::kinduction::ENGINE)];
        Setup { engines, ..Setup::usual() }
    }

    /// As the program `lustral` does by default.
    pub fn usual() -> Setup {
        let engines = EngineChoice::defaults();
        Setup { engines, compression: Compression::Lazy, prepared: true }
    }
}

/// The solver of the engines: `LUSTRAL_SOLVER`, or the one that is built in.
fn solver() -> Solver {
    let named = std::env::var("LUSTRAL_SOLVER").ok();
    named.map_or(Solver::BuiltIn, |name| Solver::named(&name).expect("a known solver"))
}

/// The program under test as a worker.
pub fn worker() -> WorkerCommand {
    let parent = std::process::id().to_string();
    WorkerCommand {
        program: env!("CARGO_BIN_EXE_lustral").into(),
        args: ["worker", "--parent", &parent, "horn"].map(Into::into).to_vec(),
    }
}

/// The checked verdicts of all properties, and whether the engines ended by
/// themselves within a time.
pub fn verdicts(
    unit: &Encoded,
    setup: &Setup,
    time: Duration,
) -> Result<(Vec<Verdict>, bool), Failure> {
    let kinduction = engines::kinduction::Options { compression: setup.compression };
    let engine_options = engines::Options { kinduction, ..engines::Options::default() };
    let options = Options {
        engines: setup.engines.clone(),
        solver: solver(),
        max_k: Some(MAX_K),
        engine_options,
        prepare: if setup.prepared { Passes::ALL } else { Passes::NONE },
        worker: Some(worker()),
        // Every proof is to pass as it was found, and smaller.
        minimise: false,
        ..Options::default()
    };
    let cancel = Cancel::with_deadline(Some(Instant::now() + time));
    let mut proofs = ProofChecker::new(&cancel).expect("the solver starts");
    let encoded = unit;
    let (system, conditions) = encode_with_conditions(&unit.kernel, &unit.tree, &unit.properties);
    let unit = Arc::new(Unit {
        program: unit.program.clone(),
        kernel: Arc::new(unit.kernel.clone()),
        tree: unit.tree.clone(),
        properties: unit.properties.clone(),
        system,
        conditions,
    });
    let mut idle = Vec::new();
    let job = Job {
        unit: unit.clone(),
        cut: None,
        partial: false,
        lemmas: Vec::new(),
        store: None,
        patience: None,
        cancel: cancel.clone(),
    };
    let mut run = Run::start(job, &options);
    let mut found: Vec<Option<Verdict>> = vec![None; unit.properties.len()];
    for event in run.by_ref() {
        match event {
            Event::Checked(result) => {
                let property = result.property;
                let vacuous = result.answer.as_ref().ok().and_then(Checked::vacuous);
                idle.extend(vacuous.map(|vacuous| (property, vacuous)));
                let verdict = checked(&unit, &mut proofs, *result)?;
                if found[property.index()].replace(verdict).is_some() {
                    return Err(Failure::new("twice", "a property was settled twice"));
                }
            }
            Event::Broken(broken) => return Err(Failure::new("broken", broken.to_string())),
            Event::Execution(_) => return Err(Failure::new("cut", "nothing is")),
            Event::Ended(_) | Event::Progress(_) => {}
        }
    }
    let ended = !cancel.is_cancelled();
    IDLE.fetch_add(vacuity::agrees(encoded, &idle)?, Ordering::Relaxed);
    for open in run.finish() {
        hint(&unit, &open)?;
        let verdict = match open.reason {
            Reason::Declined { .. } => Verdict::Declined,
            reason => Verdict::Unknown(reason.to_string()),
        };
        found[open.property.index()].get_or_insert(verdict);
    }
    let late = || Verdict::Unknown("not checked in time".into());
    Ok((found.into_iter().map(|v| v.unwrap_or_else(late)).collect(), ended))
}

/// The verdict of a finding, which must have passed its check.
fn checked(
    unit: &Unit,
    proofs: &mut ProofChecker,
    result: CheckResult,
) -> Result<Verdict, Failure> {
    let CheckResult { property, engine, answer, .. } = result;
    match answer {
        Ok(answer) => match answer.get() {
            Answer::Valid(certificate) => {
                smaller(unit, proofs, property, certificate)?;
                Ok(Verdict::Valid)
            }
            Answer::Falsifiable(trace) => Ok(Verdict::Falsified(trace.len() - 1)),
            Answer::Unknown(reason) => Ok(Verdict::Unknown(reason.to_string())),
        },
        Err(Rejected::NoAnswer(_, reason)) => Ok(Verdict::Unknown(reason)),
        Err(rejected) => Err(refused(unit, property, engine, &rejected)),
    }
}

/// A proof may have a smaller one, which must pass too; with the search for an
/// explanation, it is one of what is needed to the last part.
fn smaller(
    unit: &Unit,
    proofs: &mut ProofChecker,
    property: PropId,
    certificate: &Certificate,
) -> Result<(), Failure> {
    let (options, cancel) = (SolverOptions::default(), Cancel::new());
    for explain in [false, true] {
        let mut minimiser = Minimiser::new(&unit.system, explain, options.clone(), cancel.clone());
        let found = minimiser.minimise(property, certificate);
        let Some(smaller) = found.and_then(|found| found.smaller) else { continue };
        match proofs.check(&unit.system, property, smaller) {
            Ok(_) | Err(Rejected::NoAnswer(..)) => {}
            Err(rejected) => return Err(refused(unit, property, "minimise", &rejected)),
        }
    }
    Ok(())
}

/// What is shown of a property that is not proved: steps that obey the
/// assertions, in which it holds but at the last.
fn hint(unit: &Unit, open: &Open) -> Result<(), Failure> {
    let Some((k, trace)) = &open.counterexample_to_induction else { return Ok(()) };
    let (system, property, k) = (&unit.system, open.property, *k);
    for step in 0..=k {
        let holds = |term| trace.eval(system, step, term).is_true();
        let obeys = system.constraints.iter().all(|c| holds(c.term));
        if !obeys || holds(system.property(property).term) != (step < k) {
            let name = &system.property(property).name;
            let text = format!("of `{name}` at k = {k} is none at step {step}, obeys: {obeys}");
            return Err(Failure::new("counterexample to induction", text));
        }
    }
    Ok(())
}

fn refused(unit: &Unit, property: PropId, engine: &str, rejected: &Rejected) -> Failure {
    let name = &unit.system.property(property).name;
    Failure::new("check of an answer", format!("{engine} about `{name}`: {rejected}"))
}
