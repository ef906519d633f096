//! A thread that checks what the engines find.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use lustral_base::Schedule;
use lustral_base::profile::{measured, working_for};
use lustral_base::schedule::Moment;
use lustral_certify::{Answer, Checked, ProofChecker, Rejected, Replay};
use lustral_engines::{Finding, Found, Inputs, Lens, Shorter, Task, shorter};
use lustral_system::{Dependencies, Goal, PropId};

use crate::causes::Causes;
use crate::certificates::{Store, Unwritten};
use crate::options::Faults;
use crate::proofs::{Proofs, Tools};
use crate::within::{NoResult, caught};

/// The time for finding out whether a property fails at an earlier step, of one and of all: other answers wait
/// for it.
const FIRST: Duration = Duration::from_secs(1);
const ALL_FIRST: Duration = Duration::from_secs(3);

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
    /// What proofs are about. If the system is a cut one, proofs are checked only: an execution
    /// of a cut system is none of the program.
    pub proofs: Proofs,
    pub lens: Arc<Lens>,
    /// What the engines work on.
    pub task: Task,
    /// Writes certificates, if they are wanted.
    pub store: Option<Store>,
    /// What its clock counts.
    pub schedule: Schedule,
    pub faults: Faults,
}

/// What stays from one check to the next.
struct Work {
    tools: Tools,
    /// The execution of the last check, with what it was made from.
    last: Option<((usize, Inputs), Replay)>,
    /// The time that is left for finding out at which step properties fail first.
    first: Duration,
    causes: Causes,
}

/// An answer that passed.
struct Passed {
    answer: Checked<Answer>,
    /// What the parts of its proof need.
    dependencies: Option<Dependencies>,
    /// Of an execution: whether there is no shorter one.
    first: bool,
}

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
        let (schedule, cancel) = (self.schedule.clone(), self.proofs.cancel.clone());
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
        let tools = Tools::new(ProofChecker::on_this_thread(&self.proofs.cancel));
        let mut work = Work { tools, last: None, first: ALL_FIRST, causes: Causes::default() };
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
            store.write(&self.proofs.unit, answer)
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
                let certificate = self.lens.proof(&self.proofs.unit.system, proof);
                let (answer, dependencies) =
                    self.proofs.check(&mut work.tools, property, certificate)?;
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
        if self.proofs.unit.system.property(property).goal != Goal::Always {
            return Shorter::Unknown;
        }
        // A clock that counts work knows no deadline.
        let deadline = self.proofs.cancel.deadline().filter(|_| !self.task.schedule.is_counted());
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
        let system = &self.proofs.unit.system;
        // One execution often falsifies many properties.
        let same = |(known, of): &(usize, Inputs)| *known == length && *of == inputs;
        let replay = || match work.last.take() {
            Some((key, replay)) if same(&key) => Ok(replay),
            _ => {
                let free = |step, var| inputs.values.get(&(step, var)).cloned();
                let answers = inputs.answers.clone();
                let trace = self.lens.trace(system, length, answers, free);
                Replay::new(self.proofs.unit.context(), trace)
            }
        };
        let replay = working_for("certify", || measured("replay", replay))?;
        let answer = replay.check(system, property);
        work.last = Some(((length, inputs), replay));
        let mut answer = answer?;
        let Proofs { unit, cut, options, cancel, .. } = &self.proofs;
        if cut.is_none() {
            answer = work.causes.find(unit, options, cancel, &mut work.tools, answer);
        }
        Ok(Passed { answer, dependencies: None, first })
    }
}
