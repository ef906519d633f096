//! The engines and the checker at work on one system: started together, asked
//! for what they found, and stopped together.
//!
//! The coordinator is the only place outside of the engines that makes a
//! [`Task`]; every caller hears the same events, whether the system is a whole
//! node or a cut one.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use lustral_base::profile::measured;
use lustral_base::{Cancel, Cause, Schedule};
use lustral_certify::{CutSystem, Unit};
use lustral_engines::{
    Board, Finding, Found, Lemma, Lens, Limits, News, Prepared, Running, Sessions, Task,
    prepare_by, start,
};
use lustral_system::{Note, Predicate, PropId, Reason, Trace};

use crate::certificates::Store;
use crate::checker::{CheckResult, Checker};
use crate::course::Course;
use crate::event::{Broken, Event, Execution, Open, Progress};
use crate::options::{Options, Pace};
use crate::proofs::Proofs;
use crate::within::{NoResult, within};

/// How long others may go on after somebody found an execution that is none of
/// the program, if what came before took no longer.
const AFTER: Duration = Duration::from_millis(200);

/// How long nothing is heard before the caller is told how far all is.
const SILENCE: Duration = Duration::from_millis(50);

/// So many values are computed for showing why properties are not inductive: in large systems not of
/// each, because nobody is to wait long for them after the end.
const MOST_HINTED: usize = 200_000;

/// How long the coordinator waits for findings that are announced when all
/// engines have ended: who was to send them may have panicked.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What the engines are to work on.
pub struct Job {
    /// The system, with what the checker needs to replay executions.
    pub unit: Arc<Unit>,
    /// What the system was cut from, if it is a cut one. Then an execution of
    /// it is none of the program: it is the caller's to try.
    pub cut: Option<Arc<CutSystem>>,
    /// Whether equations were left out of the system: then too an execution of it is
    /// none of the program, and the caller's.
    pub partial: bool,
    /// What is known already. Engines may rely on it; what they find is checked
    /// all the same.
    pub lemmas: Vec<Lemma>,
    /// Writes certificates, if they are wanted.
    pub store: Option<Store>,
    /// How long, by the clock that the engines go by; none for no limit but
    /// that of `cancel`.
    pub patience: Option<Duration>,
    /// Stops all.
    pub cancel: Cancel,
}

/// What the coordinator hears.
enum Message {
    /// What the board says, and whom to tell when it was dealt with: this is
    /// dropped then.
    News(News, Sender<()>),
    Checked(Result<CheckResult, NoResult>),
}

/// Engines and checker at work. They are stopped when this is dropped.
pub struct Run {
    unit: Arc<Unit>,
    /// Whether executions are the caller's to try.
    is_cut: bool,
    explain: bool,
    cancel: Cancel,
    at_work: Option<AtWork>,
    /// What was said of threads that panicked.
    broken: Option<Broken>,
    /// What the caller has not heard yet.
    waiting: VecDeque<Event>,
    /// Who waits for the last finding to be dealt with, if anybody does.
    dealt_with: Option<Sender<()>>,
    /// Whether the caller heard last what became of a finding.
    has_news: bool,
    /// Whether the caller has heard what it waited for.
    enough: bool,
    over: bool,
}

/// What there is once the system is prepared.
struct AtWork {
    task: Task,
    lens: Arc<Lens>,
    running: Option<Running>,
    messages: Receiver<Message>,
    check: Sender<Finding>,
    course: Course,
    began: Instant,
    /// When enough was heard, by the time or by the work done.
    until: Option<Instant>,
    limit: Option<Duration>,
    /// The work done when something was last found.
    found_at: Duration,
    /// When something was last heard.
    heard_at: Instant,
}

impl Run {
    /// Prepares the system, and starts engines and checker on it. Where that
    /// fails or takes too long, [`Run::finish`] says so of each property.
    #[must_use]
    pub fn start(job: Job, options: &Options) -> Run {
        let Job { unit, cut, partial, lemmas, store, patience, cancel } = job;
        // By a clock that counts work, an alarm of the schedule does this.
        let counted = options.pace == Pace::Counted;
        let until = patience.filter(|_| !counted);
        let until = until.and_then(|time| Instant::now().checked_add(time));
        let deadline = [cancel.deadline(), until].into_iter().flatten().min();
        let cancel = cancel.child_until(deadline);
        let mut run = Run {
            unit: unit.clone(),
            is_cut: cut.is_some() || partial,
            explain: options.explain,
            cancel: cancel.clone(),
            at_work: None,
            broken: None,
            waiting: VecDeque::new(),
            dealt_with: None,
            has_news: false,
            enough: false,
            over: false,
        };
        let (prepared, candidates) = match prepared(&unit, options, &cancel) {
            Ok(prepared) => prepared,
            Err(NoResult::Stopped) => return run,
            Err(why) => {
                run.break_off(Broken { stage: "preparation", why });
                return run;
            }
        };
        let (sender, messages) = channel();
        let schedule = options.pace.schedule();
        let limit = patience.filter(|_| counted);
        limit.iter().for_each(|work| schedule.stop_at(*work, &cancel));
        let lens = Arc::new(prepared.lens);
        let board = Board::new(unit.properties.len(), teller(sender.clone(), options, &schedule));
        let sessions = Sessions {
            solver: options.solver.clone(),
            options: options.solver_options.clone(),
            worker: options.worker.clone(),
        };
        let task = Task::new(Arc::new(prepared.system), Arc::new(board), sessions)
            .with_limits(Limits { max_k: options.max_k })
            .with_options(options.engine_options.clone())
            .with_candidates(candidates)
            .with_schedule(schedule)
            .with_cancel(cancel.clone());
        lemmas.into_iter().for_each(|lemma| task.board.post_lemma(lemma));
        let checker = Checker {
            proofs: Proofs { unit: unit.clone(), cut, partial, options: options.clone(), cancel },
            lens: lens.clone(),
            task: task.clone(),
            store,
            schedule: options.pace.own_schedule(),
            faults: options.faults.clone(),
        };
        let check = checker.start(move |result| drop(sender.send(Message::Checked(result))));
        let running = Some(start(&task, &options.engines));
        let (course, began) = (Course::new(unit.properties.len()), Instant::now());
        run.at_work = Some(AtWork {
            task,
            lens,
            running,
            messages,
            check,
            course,
            began,
            until: None,
            limit,
            found_at: Duration::ZERO,
            heard_at: began,
        });
        run
    }

    /// The work that was done for what was heard, by a clock that counts it;
    /// the same in every run.
    #[must_use]
    pub fn worked(&self) -> Duration {
        let Some(AtWork { task, limit, found_at, .. }) = &self.at_work else {
            return Duration::ZERO;
        };
        match limit {
            // How far others come who hear of the end a little later is chance;
            Some(limit) if self.cancel.is_cancelled() => *limit,
            // and so is what they do after the last answer.
            _ if self.enough || task.board.open().is_empty() => *found_at,
            _ => task.schedule.now(),
        }
    }

    /// What was heard last is no execution of the program, so others may find
    /// none either: they are given a while, as long as all before took.
    pub fn spurious(&mut self) {
        // Where nothing is cut, there is nothing else to try.
        let exact = self.unit.tree.cut_ids().next().is_none();
        let Some(at_work) = self.at_work.as_mut().filter(|_| !exact) else { return };
        if !at_work.task.schedule.is_counted() {
            let now = Instant::now();
            at_work.until.get_or_insert(now + AFTER.max(now - at_work.began));
            return;
        }
        // Whoever found it waits, so the clock stands still.
        let worked = at_work.task.schedule.now();
        let enough = worked + AFTER.max(worked);
        if at_work.limit.is_none_or(|limit| enough < limit) {
            at_work.limit = Some(enough);
            at_work.task.schedule.stop_at(enough, &self.cancel);
        }
    }

    /// The caller waits for nothing more, though properties may be open: what is done after
    /// the last answer counts for nothing.
    pub fn enough(&mut self) {
        self.enough = true;
    }

    /// What engines leave for the reader about a property: how it came about if it is to be
    /// explained, and in any case what is to be known where there is no answer.
    #[must_use]
    pub fn notes(&self, property: PropId) -> Vec<Arc<Note>> {
        let notes = self.at_work.as_ref().map(|at_work| at_work.task.board.notes(property));
        let mut notes = notes.unwrap_or_default();
        notes.retain(|note| self.explain || note.only_open);
        notes
    }

    /// Stops all, and says why properties are open: those of which nothing was
    /// told before.
    #[must_use]
    pub fn finish(mut self) -> Vec<Open> {
        // Before all is stopped because nobody needs it any more.
        let cause = self.cancel.cause();
        let interrupted = cause == Some(Cause::Interrupted);
        let stopped = cause.map_or(Reason::Timeout, Reason::from);
        let reasons = self.at_work.as_mut().and_then(|at_work| at_work.running.take());
        let reasons = reasons.map(Running::finish).unwrap_or_default();
        let broken = self.broken.as_ref().map(Broken::reason);
        let (mut open, mut hinted) = (Vec::new(), 0);
        for property in self.unit.system.property_ids() {
            let course = self.at_work.as_ref().map(|at_work| &at_work.course);
            if course.is_some_and(|course| course.is_told(property)) {
                continue;
            }
            let refusal = course.and_then(|course| course.refusal(property));
            let reason = match reasons.iter().find(|(p, _)| *p == property) {
                _ if interrupted => Reason::Interrupted,
                _ if refusal.is_some() => refusal.cloned().map_or(Reason::Timeout, Reason::Solver),
                Some((_, reason)) => broken.clone().unwrap_or_else(|| reason.clone()),
                // Found, but not checked in time.
                None => broken.clone().unwrap_or_else(|| stopped.clone()),
            };
            open.push(Open {
                property,
                reason,
                counterexample_to_induction: self.hint(property, &mut hinted),
                notes: self.notes(property),
            });
        }
        open
    }

    /// Why a property is not inductive, if that is known and there is not too much to compute with what was
    /// computed for others.
    fn hint(&self, property: PropId, computed: &mut usize) -> Option<(usize, Trace)> {
        let AtWork { task, lens, .. } = self.at_work.as_ref()?;
        let (k, inputs) = task.board.counterexample_to_induction(property)?;
        *computed += (k + 1) * self.unit.system.variables.len();
        if *computed > MOST_HINTED {
            return None;
        }
        Some((k, lens.counterexample_to_induction(&self.unit.system, k + 1, &inputs)))
    }

    fn break_off(&mut self, broken: Broken) {
        self.broken = Some(broken.clone());
        self.waiting.push_back(Event::Broken(broken));
        self.over = true;
    }

    fn is_over(&mut self) -> bool {
        let Some(at_work) = &self.at_work else { return true };
        if self.cancel.is_cancelled() {
            return true;
        }
        let AtWork { course, until, heard_at, .. } = at_work;
        let enough = until.is_some_and(|until| Instant::now() >= until);
        if course.is_over(at_work.task.board.open().len()) || enough && course.is_idle() {
            return true;
        }
        // Something was found, and nobody is left to say what.
        if course.is_silent() && heard_at.elapsed() >= LAST_WORDS {
            let why = NoResult::Panicked("what it found was lost".into());
            self.broken = Some(Broken { stage: "search", why });
            return true;
        }
        false
    }

    /// Waits for a message, and keeps what the caller is to hear of it.
    fn listen(&mut self) {
        let Some(at_work) = &mut self.at_work else { return };
        let message = at_work.messages.recv_timeout(SILENCE);
        if message.is_ok() {
            at_work.heard_at = Instant::now();
        }
        match message {
            Ok(Message::News(News::Finding(finding), told)) => self.found(finding, told),
            Ok(Message::News(News::Ended(left), _)) => {
                at_work.course.ended(left);
                self.waiting.push_back(Event::Ended(left));
            }
            Ok(Message::Checked(Ok(result))) => {
                let may_give_up = !self.is_cut && !self.cancel.is_cancelled();
                match at_work.course.take(result, &at_work.task.board, may_give_up) {
                    Some(result) => self.waiting.push_back(Event::Checked(Box::new(result))),
                    None => self.dealt_with = None,
                }
            }
            Ok(Message::Checked(Err(why))) => self.break_off(Broken { stage: "checker", why }),
            Err(RecvTimeoutError::Timeout) => {
                let board = &at_work.task.board;
                let progress = Progress { depth: board.depth(), open: board.open().len() };
                self.waiting.push_back(Event::Progress(progress));
            }
            Err(RecvTimeoutError::Disconnected) => self.over = true,
        }
    }

    /// Has a finding checked, or leaves it to the caller.
    fn found(&mut self, finding: Finding, told: Sender<()>) {
        let Some(at_work) = &mut self.at_work else { return };
        if at_work.task.schedule.is_counted() {
            // Somebody who heard of the end late: in another run it may be later.
            if self.cancel.is_cancelled() {
                return;
            }
            at_work.found_at = at_work.task.schedule.now();
        }
        self.dealt_with = Some(told);
        match finding {
            Finding { property, engine, found: Found::Execution(length, inputs) }
                if self.is_cut =>
            {
                let free = |step, var| inputs.values.get(&(step, var)).cloned();
                let answers = inputs.answers.clone();
                let trace = at_work.lens.trace(&self.unit.system, length, answers, free);
                at_work.course.is_tried(property);
                self.waiting.push_back(Event::Execution(Execution { property, engine, trace }));
            }
            finding => {
                at_work.course.is_checked();
                // That the checker has ended is heard of otherwise.
                let _ = at_work.check.send(finding);
            }
        }
    }
}

/// The events, each as it comes.
impl Iterator for Run {
    type Item = Event;

    /// Waits for what happens next; nothing if all is settled, all engines have
    /// ended, the time is up or all is stopped.
    fn next(&mut self) -> Option<Event> {
        // The caller has dealt with what it heard last. That nothing was heard
        // yet of a finding is no news of it: whoever found it still waits.
        if std::mem::take(&mut self.has_news) {
            self.dealt_with = None;
        }
        loop {
            if let Some(event) = self.waiting.pop_front() {
                self.has_news = matches!(event, Event::Checked(_) | Event::Execution(_));
                return Some(event);
            }
            if self.over || self.is_over() {
                self.over = true;
                return None;
            }
            self.listen();
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// The system as the engines get it, with its candidates.
fn prepared(
    unit: &Arc<Unit>,
    options: &Options,
    cancel: &Cancel,
) -> Result<(Prepared, Arc<[Predicate]>), NoResult> {
    let (unit, passes, faults) = (unit.clone(), options.prepare, options.faults.clone());
    let prepare = move || {
        faults.strike("preparation");
        let prepared = prepare_by(&unit.system, passes);
        let candidates = unit
            .with_candidates()
            .map(|system| prepared.candidates_of(&prepare_by(&system, passes)));
        (prepared, candidates.unwrap_or_default())
    };
    measured("prepare", || within(cancel, prepare))
}

/// Passes on what the board says.
fn teller(
    sender: Sender<Message>,
    options: &Options,
    schedule: &Schedule,
) -> Box<dyn Fn(News) + Send + Sync> {
    let (waits, faults) = (schedule.is_counted(), options.faults.clone());
    Box::new(move |news| {
        // Where all is to happen in the same order every time, engines wait
        // until what they found was checked.
        let (dealt_with, wait) = channel();
        let is_finding = matches!(news, News::Finding(_));
        if is_finding {
            faults.strike("engine");
        }
        let _ = sender.send(Message::News(news, dealt_with));
        if waits && is_finding {
            let _ = wait.recv();
        }
    })
}
