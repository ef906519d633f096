//! A thread that checks what the engines find.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use lustral_base::Cancel;
use lustral_base::Schedule;
use lustral_base::profile::{measured, working_for};
use lustral_base::schedule::Moment;
use lustral_certify::{
    Answer, Change, Checked, ClaimedCause, CutSystem, Leave, ProofChecker, Rejected, Replay, Unit,
};
use lustral_engines::{
    Cause, Finding, Found, Inputs, Lens, Minimised, Minimiser, Shorter, Task, cause, shorter,
};
use lustral_smt::SolverOptions;
use lustral_system::{Certificate, Dependencies, Goal, Inlined, PropId};
use lustral_term::{Value, VarId};

use crate::certificates::{Store, Unwritten};
use crate::options::Faults;
use crate::within::{NoResult, caught};

/// The time for finding out what a proof rests on: the answer waits for it.
const PREMISES: Duration = Duration::from_millis(500);
/// The same for who wants an explanation.
const EXPLAINING: Duration = Duration::from_secs(5);

/// The time for finding out whether a property fails at an earlier step, of one and of all: other answers wait
/// for it.
const FIRST: Duration = Duration::from_secs(1);
const ALL_FIRST: Duration = Duration::from_secs(3);

/// The time for finding the cause of an execution, of one and of all: the answer waits for it.
const CAUSE: Duration = Duration::from_millis(500);
const ALL_CAUSES: Duration = Duration::from_secs(5);
/// In larger systems it takes longer than the answer.
const LARGEST: usize = 300_000;

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
    /// Of an execution: whether the property is known to hold at all steps before its last, in every execution.
    pub first: bool,
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
    /// What the engines work on.
    pub task: Task,
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
    /// The time that is left for finding out at which step properties fail first.
    first: Duration,
    /// The time that is left for causes, and the system in which they are looked for.
    causes: Duration,
    inlined: Option<Arc<Inlined>>,
}

/// An answer that passed.
struct Passed {
    answer: Checked<Answer>,
    /// What the parts of its proof need.
    dependencies: Option<Dependencies>,
    /// Of an execution: whether there is no shorter one.
    first: bool,
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
        reply: impl Fn(Result<CheckResult, NoResult>) + Send + Sync + 'static,
    ) -> Sender<Finding> {
        let (sender, findings) = channel::<Finding>();
        let reply = Arc::new(reply);
        let fallback = reply.clone();
        let (schedule, cancel) = (self.schedule.clone(), self.cancel.clone());
        let body = move || {
            let work = || schedule.by_turns(&cancel, || self.run(&findings, &*reply));
            if let Err(broken) = caught(work) {
                reply(Err(broken));
            }
        };
        if let Err(error) = lustral_base::try_spawn("checker", body) {
            fallback(Err(NoResult::NoThread(error.to_string())));
        }
        sender
    }

    fn run(&self, findings: &Receiver<Finding>, reply: &impl Fn(Result<CheckResult, NoResult>)) {
        self.faults.strike("checker");
        // Made while the engines still work: starting a solver takes longer
        // than checking a small proof.
        let proofs = ProofChecker::on_this_thread(&self.cancel);
        let mut work = Work {
            proofs,
            minimiser: None,
            last: None,
            first: ALL_FIRST,
            causes: ALL_CAUSES,
            inlined: None,
        };
        for finding in findings {
            let (property, engine) = (finding.property, finding.engine);
            let checked = caught(|| self.check(&mut work, finding)).unwrap_or_else(|_| {
                Err(Rejected::NoAnswer("all".into(), "the checker panicked".into()))
            });
            let (answer, dependencies, first) = match checked {
                Ok(Passed { answer, dependencies, first }) => (Ok(answer), dependencies, first),
                Err(rejected) => (Err(rejected), None, false),
            };
            let certificate = answer.as_ref().ok().and_then(|answer| self.stored(answer));
            reply(Ok(CheckResult { property, engine, answer, dependencies, first, certificate }));
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

    fn check(&self, work: &mut Work, finding: Finding) -> Result<Passed, Rejected> {
        self.faults.strike("check");
        let Finding { property, found, .. } = finding;
        match found {
            Found::Execution(length, inputs) => {
                match self.shorter(work, property, length) {
                    Shorter::None => self.replayed(work, property, (length, inputs), true),
                    Shorter::Unknown => self.replayed(work, property, (length, inputs), false),
                    // What was found first is an answer, too.
                    Shorter::Found(shortest, earlier) => self
                        .replayed(work, property, (shortest, earlier), true)
                        .or_else(|_| self.replayed(work, property, (length, inputs), false)),
                }
            }
            Found::Proof(proof) => {
                let certificate = self.lens.proof(&self.unit.system, proof);
                let (answer, dependencies) = self.check_proof(work, property, certificate)?;
                Ok(Passed { answer, dependencies, first: false })
            }
        }
    }

    /// What is known of shorter executions at whose end a property fails.
    fn shorter(&self, work: &mut Work, property: PropId, length: usize) -> Shorter {
        let known = self.task.board.depth_when_settled(property);
        if known + 1 >= length {
            return Shorter::None;
        }
        // Of what is only asked to be reached nobody minds when.
        if self.unit.system.property(property).goal != Goal::Always {
            return Shorter::Unknown;
        }
        // A clock that counts work knows no deadline.
        let deadline = self.cancel.deadline().filter(|_| !self.task.schedule.is_counted());
        let left = |end: Instant| end.saturating_duration_since(Instant::now()) / 4;
        let left = deadline.map_or(FIRST, left);
        let time = FIRST.min(work.first).min(left);
        if time.is_zero() {
            return Shorter::Unknown;
        }
        let start = Moment::now();
        let search = || shorter(&self.task, property, length, known, time);
        let found = working_for("certify", || measured("first step", search));
        work.first = work.first.saturating_sub(start.elapsed());
        found
    }

    /// An execution, run by the interpreter.
    fn replayed(
        &self,
        work: &mut Work,
        property: PropId,
        (length, inputs): (usize, Inputs),
        first: bool,
    ) -> Result<Passed, Rejected> {
        let system = &self.unit.system;
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
        let answer = self.with_cause(work, answer?);
        Ok(Passed { answer, dependencies: None, first })
    }

    /// An execution with its cause, if that is found in time.
    fn with_cause(&self, work: &mut Work, answer: Checked<Answer>) -> Checked<Answer> {
        let (system, property) = (&self.unit.system, answer.property());
        let Answer::Falsifiable(trace) = answer.get() else { return answer };
        let is_asked = system.property(property).goal == Goal::Always && self.cut.is_none();
        let time = CAUSE.min(work.causes).min(self.share());
        if !is_asked || time.is_zero() || system.terms.len() > LARGEST {
            return answer;
        }
        let start = Moment::now();
        let search = || {
            let new = || Arc::new(Inlined::new(system));
            let inlined = work.inlined.get_or_insert_with(new).clone();
            let found = cause(&self.task, &inlined, property, trace, time)?;
            let change = |((step, var), value): (&(usize, VarId), &Value)| Change {
                step: *step,
                var: *var,
                value: value.clone(),
            };
            let changed = |inputs: Inputs| {
                let mut changes: Vec<Change> = inputs.values.iter().map(change).collect();
                changes.sort_by_key(|change| (change.step, change.var));
                (changes, inputs.answers)
            };
            let Cause { values, divisions, minimal, saved } = found;
            Some(ClaimedCause { values, divisions, minimal, saved: saved.map(changed) })
        };
        // Nothing of it is to cost an answer.
        let found = caught(|| {
            self.faults.strike("cause");
            working_for("certify", || measured("cause", search))
        });
        work.causes = work.causes.saturating_sub(start.elapsed());
        match (found, &mut work.proofs) {
            (Ok(Some(claimed)), Ok(proofs)) => {
                let again =
                    || proofs.with_cause(self.unit.context(), answer.clone(), claimed, CAUSE);
                caught(|| working_for("certify", again)).unwrap_or(answer)
            }
            _ => answer,
        }
    }

    /// A part of the time that is left, for what an answer waits for and can do without.
    fn share(&self) -> Duration {
        // A clock that counts work knows no deadline.
        let deadline = self.cancel.deadline().filter(|_| !self.task.schedule.is_counted());
        let left = |end: Instant| end.saturating_duration_since(Instant::now()) / 8;
        deadline.map_or(CAUSE, left)
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
        // In a large program most properties need no others, and that is soon seen.
        if self.minimise && !self.explain && certificate.parts() > 1 {
            let system = &self.unit.system;
            let is_alone = working_for("minimise", || proofs.is_inductive_alone(system, property));
            if is_alone
                && let Ok(answer) = self.accept(proofs, property, Certificate::alone(property))
            {
                return Ok((answer, None));
            }
        }
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
                let system = &self.unit.system;
                let Some(cut) = cut else {
                    let answer = proofs.check_premises(system, property, certificate, &leave)?;
                    let conditions = &self.unit.conditions;
                    let condition = conditions.iter().find(|(of, _)| *of == property);
                    let idle = condition.map(|(_, idle)| *idle);
                    return Ok(proofs.with_vacuity(system, idle, answer));
                };
                proofs.check_cut(cut, property, certificate, &leave)
            }
        })
    }
}
