//! A thread that checks what the engines find.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use lustral_base::Cancel;
use lustral_base::Schedule;
use lustral_base::profile::{measured, working_for};
use lustral_certify::{Answer, Checked, CutSystem, Leave, ProofChecker, Rejected, Replay, Unit};
use lustral_engines::{Finding, Found, Inputs, Lens, Minimised, Minimiser};
use lustral_smt::SolverOptions;
use lustral_system::{Certificate, Dependencies, PropId};

use crate::certificates::{Store, Unwritten};
use crate::options::Faults;
use crate::within::{NoResult, caught};

/// The time for finding out what a proof rests on: the answer waits for it.
const PREMISES: Duration = Duration::from_millis(500);
/// The same for who wants an explanation.
const EXPLAINING: Duration = Duration::from_secs(5);

/// The result of a check.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// The property.
    pub property: PropId,
    /// Who found the answer.
    pub engine: &'static str,
    /// The answer, if it is one.
    pub answer: Result<Checked<Answer>, Rejected>,
    /// What the parts of the proof need, if that is asked for and known.
    pub dependencies: Option<Dependencies>,
    /// Where the certificate was written, or why it was not.
    pub certificate: Option<Result<PathBuf, Unwritten>>,
}

/// What the thread works with.
pub(crate) struct Checker {
    pub unit: Arc<Unit>,
    /// If the unit's system is a cut one: what it was cut from. Then proofs
    /// are checked only: an execution of a cut system is none of the program.
    pub cut: Option<Arc<CutSystem>>,
    /// Whether equations were left out of it: what a proof rests on is found otherwise then.
    pub partial: bool,
    pub lens: Arc<Lens>,
    pub options: SolverOptions,
    pub cancel: Cancel,
    /// Writes certificates, if they are wanted.
    pub store: Option<Store>,
    /// Whether proofs are made smaller, and whether they are explained.
    pub minimise: bool,
    pub explain: bool,
    /// What its clock counts.
    pub schedule: Schedule,
    pub faults: Faults,
}

/// What stays from one check to the next.
struct Work {
    proofs: Result<ProofChecker, Rejected>,
    /// Made for the first proof.
    minimiser: Option<Minimiser>,
    /// The execution of the last check, with what it was made from.
    last: Option<((usize, Inputs), Replay)>,
}

/// An answer, and what the parts of its proof need.
type Explained = (Checked<Answer>, Option<Dependencies>);

impl Checker {
    /// Starts the thread. What is sent to it comes back checked through
    /// `reply`; if the thread itself cannot go on, the reply says so and is the
    /// last. It is a thread of its own so that a check that takes long, or a
    /// solver that does not stop, keeps nobody from showing other verdicts.
    pub fn start(
        self,
        reply: impl Fn(Result<CheckResult, NoResult>) + Send + 'static,
    ) -> Sender<Finding> {
        let (sender, findings) = channel::<Finding>();
        let (schedule, cancel) = (self.schedule.clone(), self.cancel.clone());
        let body = move || {
            let work = || schedule.by_turns(&cancel, || self.run(&findings, &reply));
            if let Err(broken) = caught(work) {
                reply(Err(broken));
            }
        };
        lustral_base::spawn("checker", body);
        sender
    }

    fn run(&self, findings: &Receiver<Finding>, reply: &impl Fn(Result<CheckResult, NoResult>)) {
        self.faults.strike("checker");
        // Made while the engines still work: starting a solver takes longer
        // than checking a small proof.
        let proofs = ProofChecker::on_this_thread(&self.cancel);
        let mut work = Work { proofs, minimiser: None, last: None };
        for finding in findings {
            let (property, engine) = (finding.property, finding.engine);
            let checked = caught(|| self.check(&mut work, finding)).unwrap_or_else(|_| {
                Err(Rejected::NoAnswer("all".into(), "the checker panicked".into()))
            });
            let (answer, dependencies) = match checked {
                Ok((answer, dependencies)) => (Ok(answer), dependencies),
                Err(rejected) => (Err(rejected), None),
            };
            let certificate = answer.as_ref().ok().and_then(|answer| self.stored(answer));
            reply(Ok(CheckResult { property, engine, answer, dependencies, certificate }));
        }
    }

    /// Where the certificate of an answer was written, if it was to be.
    fn stored(&self, answer: &Checked<Answer>) -> Option<Result<PathBuf, Unwritten>> {
        let store = self.store.as_ref()?;
        let write = || {
            self.faults.strike("certificate");
            store.write(&self.unit, answer)
        };
        caught(write).unwrap_or_else(|broken| Some(Err(Unwritten(broken.to_string()))))
    }

    fn check(&self, work: &mut Work, finding: Finding) -> Result<Explained, Rejected> {
        self.faults.strike("check");
        let Finding { property, found, .. } = finding;
        let system = &self.unit.system;
        match found {
            Found::Execution(length, inputs) => {
                // One execution often falsifies many properties.
                let same = |(known, of): &(usize, Inputs)| *known == length && *of == inputs;
                let replay = || match work.last.take() {
                    Some((key, replay)) if same(&key) => Ok(replay),
                    _ => {
                        let free = |step, var| inputs.values.get(&(step, var)).cloned();
                        let answers = inputs.answers.clone();
                        let trace = self.lens.trace(system, length, answers, free);
                        Replay::new(self.unit.context(), trace)
                    }
                };
                let replay = working_for("certify", || measured("replay", replay))?;
                let answer = replay.check(system, property);
                work.last = Some(((length, inputs), replay));
                Ok((answer?, None))
            }
            Found::Proof(proof) => self.check_proof(work, property, self.lens.proof(system, proof)),
        }
    }

    /// The smaller proof if it passes, else the one that was found.
    fn check_proof(
        &self,
        work: &mut Work,
        property: PropId,
        certificate: Certificate,
    ) -> Result<Explained, Rejected> {
        let Work { proofs, minimiser, .. } = work;
        let proofs = proofs.as_mut().map_err(|rejected| rejected.clone())?;
        let mut dependencies = None;
        let minimised = self.minimised(minimiser, property, &certificate);
        if let Some(Minimised { smaller, dependencies: found }) = minimised {
            // An explanation of one proof is none of another.
            let found = self.explain.then_some(found);
            match smaller.map(|smaller| self.accept(proofs, property, smaller)) {
                Some(Ok(answer)) => return Ok((answer, found)),
                Some(Err(rejected)) => {
                    tracing::warn!(%rejected, "a proof made smaller did not pass");
                }
                None => dependencies = found,
            }
        }
        Ok((self.accept(proofs, property, certificate)?, dependencies))
    }

    /// A proof made smaller, if that is wanted.
    fn minimised(
        &self,
        minimiser: &mut Option<Minimiser>,
        property: PropId,
        certificate: &Certificate,
    ) -> Option<Minimised> {
        let (system, options, cancel) = (&self.unit.system, &self.options, &self.cancel);
        let new = || Minimiser::new(system, self.explain, options.clone(), cancel.clone());
        let minimise = || minimiser.get_or_insert_with(new).minimise(property, certificate);
        self.minimise.then(|| working_for("minimise", minimise)).flatten()
    }

    fn accept(
        &self,
        proofs: &mut ProofChecker,
        property: PropId,
        certificate: Certificate,
    ) -> Result<Checked<Answer>, Rejected> {
        working_for("certify", || match &self.cut {
            None if self.partial => proofs.check(&self.unit.system, property, certificate),
            cut => {
                let stated = |i| self.unit.premise(i).is_some_and(|(_, a)| a.premise.is_stated());
                let time = if self.explain { EXPLAINING } else { PREMISES };
                let leave = Leave { out: &stated, time };
                match cut {
                    Some(cut) => proofs.check_cut(cut, property, certificate, &leave),
                    None => proofs.check_premises(&self.unit.system, property, certificate, &leave),
                }
            }
        })
    }
}
